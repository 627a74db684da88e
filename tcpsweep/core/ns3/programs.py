# SPDX-License-Identifier: MIT
"""Compile the scenarios' programs and the variants' libraries for an ns-3."""

from collections.abc import Sequence
from pathlib import Path

from tcpsweep.core.identity import cpp_code, source_folders
from tcpsweep.core.ns3 import ns3_build
from tcpsweep.core.ns3.engine import Engine, is_unchanged
from tcpsweep.core.store import compiled_programs
from tcpsweep.core.store.compiled_programs import build

LOAD = "--load="
SHARED = "lib/scenario/shared"  # the code that all scenarios share, compiled once for each ns-3


def place(engine: Engine, name: str) -> Path:
    """The path of the file that the current ``ns3-scenarios/<name>.cc`` is compiled to.

    It is a program, a library if the ``name`` is ``variants/<variant>`` or an absolute path, or the archive `SHARED`.
    """
    folder, _, stem = name.rpartition("/")
    built = compiled_programs.folder() / engine.name / f"{stem}-{cpp_code.cpp_id(name)}"
    if name == SHARED:
        return built / f"lib{stem}.a"
    return built / (f"lib{stem}.so" if folder else stem)


def missing(engine: Engine, name: str) -> list[Path]:
    """The files that `compile_program` would compile: none, only the program, or `SHARED` and the program."""
    if compiled_programs.is_there(place(engine, name)):
        return []
    return [*(missing(engine, SHARED) if uses_shared(name) else []), place(engine, name)]


def uses_shared(name: str) -> bool:
    """Whether a program is a scenario: scenarios are linked to `SHARED`."""
    return name != SHARED and "lib/scenario/scenario.cc" in cpp_code.cpp_sources(name)


def compile_program(engine: Engine, name: str) -> Path:
    """Compile ``ns3-scenarios/<name>.cc``, unless that is done, and return its `place`.

    Raises `BuildError`, also if the source is edited in the meantime, and `EngineError`.
    """
    definitions = [f"-DNS3_CORE={engine.core}", f"-DNS3_VERSION={engine.version}", f"-DPROGRAM={name}"]
    if engine.march:
        definitions += ns3_build.definitions(engine.march)
    if not compiled_programs.is_there(place(engine, name)) and uses_shared(name):
        definitions.append(f"-DSHARED={compile_program(engine, SHARED)}")
    if engine.source and engine.march:  # also if the program exists: it needs ns-3's library to run
        ns3_build.make(engine.source, engine.march, engine.prefix)
    needs = [engine.core] if engine.core else []
    needs += [Path(f"{name}.cc")] if Path(name).is_absolute() else []
    code_id = cpp_code.cpp_id(name)  # which is part of its place

    def is_current() -> bool:
        return _code_id_now(name) == code_id and is_unchanged(engine)

    return build(source_folders.SCENARIOS, place(engine, name), definitions, needs, is_current)


def _code_id_now(name: str) -> str:
    """`cpp_code.cpp_id` from the files as they are now, without its cache."""
    return cpp_code.cpp_id.__wrapped__(name)


def load(libraries: Sequence[Path]) -> list[str]:
    """The argument, in a list, that makes a program load libraries first. Without libraries, the list is empty."""
    return [LOAD + ",".join(map(str, libraries))] if libraries else []
