# SPDX-License-Identifier: MIT
"""The compiled half of `packets`: the library that reads pcap files."""

from pathlib import Path

from tcpsweep.identity import cpp_code, source_folders
from tcpsweep.store import compiled_programs
from tcpsweep.store.compiled_programs import build

NATIVE = source_folders.PACKAGE / "parse" / "native"


def code_id() -> str:
    """The identity of the library's code as it stands now."""
    return cpp_code.cpp_id("packets", NATIVE)


def place() -> Path:
    """Where the library lies or will lie."""
    return compiled_programs.folder() / f"packets-{code_id()}" / "libtcpsweep-packets.so"


def library() -> Path:
    """Compile the library unless it exists. Raises `BuildError`."""
    return build(NATIVE, place())
