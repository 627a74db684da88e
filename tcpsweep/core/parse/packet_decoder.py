# SPDX-License-Identifier: MIT
"""The compiled part of `packets`: the library that reads pcap files."""

from pathlib import Path

from tcpsweep.core.identity import cpp_code, source_folders
from tcpsweep.core.store import compiled_programs
from tcpsweep.core.store.compiled_programs import build

NATIVE = source_folders.PACKAGE / "core" / "parse" / "native"


def code_id() -> str:
    """The identity of the library's current code."""
    return cpp_code.cpp_id("packets", NATIVE)


def place() -> Path:
    """The path of the library, compiled or not."""
    return compiled_programs.folder() / f"packets-{code_id()}" / "libtcpsweep-packets.so"


def library() -> Path:
    """Compile the library unless it exists, and return its path. Raises `BuildError`."""
    return build(NATIVE, place())
