# SPDX-License-Identifier: MIT
"""List the types and attributes of an ns-3, and ask it whether it accepts attribute values."""

import contextlib
import functools
import json
import shlex
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypedDict

import msgspec

from tcpsweep.core.ns3 import programs, simulator_environment
from tcpsweep.core.ns3.engine import Engine
from tcpsweep.core.ns3.installation import EngineError
from tcpsweep.core.store import compiled_programs, kept_texts


class Attribute(TypedDict):
    """An attribute: its value's type, its permitted values, its default as text, and ns-3's help text."""

    type: str
    values: str
    default: str
    help: str


class Type(TypedDict):
    """A TypeId's parent (None for the root), whether it has a constructor, and its own attributes by name."""

    parent: str | None
    constructible: bool
    attributes: dict[str, Attribute]


Types: TypeAlias = dict[str, Type]
"""Each TypeId and ns-3's information about it."""


def libraries_of(engine: Engine, own_modules: Sequence[str]) -> list[Path]:
    """The libraries of modules that `inspect` does not link. There are none if one library holds all modules.

    Raises `EngineError` if this ns-3 lacks a module.
    """
    core, headers = engine.core, engine.prefix / "include" / "ns3"
    if missing := [name for name in own_modules if not (headers / f"{name}-module.h").is_file()]:
        raise EngineError(f"the ns-3 under {engine.prefix} lacks {', '.join(missing)}, which the scenario needs")
    if core is None or core.name.endswith("-monolib.so"):
        return []
    return [core.with_name(core.name.replace("-core", f"-{name}")) for name in own_modules]


def is_made(engine: Engine) -> bool:
    """Whether the program that `types` runs is compiled."""
    return compiled_programs.is_there(programs.place(engine, "inspect"))


@functools.cache
def types(engine: Engine, own_modules: tuple[str, ...] = ()) -> Types:
    """Every TypeId that this ns-3 registers, with its attributes.

    ``own_modules`` are the modules that only this scenario links, in addition to the modules that all scenarios link.
    Raises `BuildError` and `EngineError`.
    """
    if not is_made(engine):
        where = engine.source.folder if engine.source else engine.prefix
        work = f"compiling a small program, once, to list the types of ns-3 {engine.version}; it runs code in {where}"
        print(f"tcpsweep: {work}", file=sys.stderr)
    binary = programs.compile_program(engine, "inspect")
    libraries = libraries_of(engine, own_modules)
    kept = binary.with_name("-".join(["catalogue", *own_modules]) + ".kept")
    return kept_types(kept, engine, libraries)


@dataclass(frozen=True)
class _Output:
    """The output of `inspect`."""

    ns3_version: str
    types: Types


def kept_types(kept: Path, engine: Engine, libraries: Sequence[Path]) -> Types:
    """The types that `inspect` prints, read from the file ``kept``. If it is missing or damaged, make it.

    Raises `EngineError`.
    """
    with contextlib.suppress(msgspec.DecodeError):
        if text := kept_texts.read(kept):
            return msgspec.json.decode(text, type=_Output).types
    text = inspect(engine, libraries=libraries)
    try:
        printed_types = msgspec.json.decode(text, type=_Output).types
    except msgspec.DecodeError:
        raise _foreign_output(engine, libraries, text) from None
    kept_texts.write(kept, text)
    return printed_types


def _foreign_output(engine: Engine, libraries: Sequence[Path], text: str) -> EngineError:
    """The error that says that code of a library or of ns-3 prints to `inspect`'s output."""
    code = ", ".join(path.name for path in libraries) or f"the ns-3 under {engine.prefix}"
    return EngineError(
        f"{code} prints to the standard output where ns-3 lists its types, such as in GetTypeId: {text[:60]!r}…; "
        "print to std::cerr instead"
    )


def inspect(engine: Engine, *arguments: str, libraries: Sequence[Path] = (), lines: str = "") -> str:
    """Run the program ``inspect`` and return its output. It first loads the libraries of variants or ns-3's modules.

    ``lines`` are its standard input. Raises `EngineError` with its error output.
    """
    command: list[Path | str] = [programs.compile_program(engine, "inspect"), *arguments, *programs.load(libraries)]
    ended = subprocess.run(
        command, input=lines, env=simulator_environment.environment(), capture_output=True, text=True, check=False
    )
    if ended.returncode:
        raise EngineError(f"{shlex.join(map(str, command))} failed:\n{ended.stderr}")
    output: str = ended.stdout
    return output


def line_of(all_types: Types, name: str) -> list[str]:
    """A type and its ancestors that the catalogue has, nearest first."""
    line: list[str] = []
    while name in all_types and name not in line:
        line.append(name)
        name = all_types[name]["parent"] or ""
    return line


def descendants(all_types: Types, ancestor: str) -> list[str]:
    """The names of the constructible types below ``ancestor``."""
    return [name for name in all_types if all_types[name]["constructible"] and ancestor in line_of(all_types, name)[1:]]


class Tried(NamedTuple):
    """Whether ns-3 accepts a value, and the value as ns-3 prints it: equal values have one text; None for objects."""

    ok: bool
    read: str | None


def try_attributes(engine: Engine, settings: Sequence[tuple[str, str]], libraries: Sequence[Path] = ()) -> list[Tried]:
    """Ask ns-3 whether it accepts values for attributes, given by their full names; see `Tried`.

    ``libraries`` are the libraries of variants or of ns-3's modules that define these attributes.
    """
    if not settings:
        return []
    lines = "".join(f"{name}={value}\n" for name, value in settings)
    output = inspect(engine, "--check", libraries=libraries, lines=lines)
    try:
        answers = json.loads(output)
    except ValueError:
        raise _foreign_output(engine, libraries, output) from None
    return [Tried(answer["ok"], answer.get("value")) for answer in answers]
