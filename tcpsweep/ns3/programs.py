# SPDX-License-Identifier: MIT
"""The scenarios' programs and the variants' libraries, compiled for an ns-3, and how they are started."""

import functools
import os
from collections.abc import Sequence
from pathlib import Path

from tcpsweep.identity import cpp_code, source_folders
from tcpsweep.ns3 import ns3_build
from tcpsweep.ns3.engine import Engine
from tcpsweep.store import compiled_programs
from tcpsweep.store.compiled_programs import build

LOAD = "--load="
# Debian's libtcmalloc-minimal4: a simulation allocates and frees small blocks over and over, in one thread. Look in the
# folders of distributions, as asking the linker takes 0.15 s where the library is missing.
ALLOCATOR = "libtcmalloc_minimal.so.4"
LIBRARY_FOLDERS = ("lib/*-linux-gnu", "lib64", "lib")


def place(engine: Engine, name: str) -> Path:
    """The path of what ``ns3-scenarios/<name>.cc``, as it stands now, is compiled to.

    It is a program, or a library if the ``name`` is ``variants/<variant>``.
    """
    folder, _, stem = name.rpartition("/")
    return (
        compiled_programs.folder()
        / engine.name
        / f"{stem}-{cpp_code.cpp_id(name)}"
        / (f"lib{stem}.so" if folder else stem)
    )


def compile_program(engine: Engine, name: str) -> Path:
    """Compile ``ns3-scenarios/<name>.cc`` unless that is done.

    Returns
    -------
    Path
        Its `place`.

    Raises
    ------
    BuildError
    EngineError
    """
    definitions = [f"-DNS3_CORE={engine.core}", f"-DNS3_VERSION={engine.version}", f"-DPROGRAM={name}"]
    if engine.march:
        definitions += ns3_build.definitions(engine.march)
    if engine.source and engine.march:  # even if the program is there: it does not run without ns-3's library
        ns3_build.make(engine.source, engine.march, engine.prefix)
    return build(source_folders.SCENARIOS, place(engine, name), definitions, [engine.core] if engine.core else [])


def environment() -> dict[str, str]:
    """The environment for ns-3's programs.

    Leave out ns-3's own variables, which would change simulations but not their ids. Preload a faster allocator if one
    is installed.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NS_")}
    library = _allocator()
    return kept | {"LD_PRELOAD": f"{library} {kept.get('LD_PRELOAD', '')}".strip()} if library else kept


@functools.cache
def _allocator(root: Path = Path("/usr")) -> Path | None:
    return next((path for folder in LIBRARY_FOLDERS for path in root.glob(f"{folder}/{ALLOCATOR}")), None)


def load(libraries: Sequence[Path]) -> list[str]:
    """The argument that makes a program load libraries first, as a list; empty without libraries."""
    return [LOAD + ",".join(map(str, libraries))] if libraries else []
