# SPDX-License-Identifier: MIT
"""Variants with their own code: each is a library, which a simulation loads if the sweep names it.

A queue disc with its own code is such a variant too; its name ends in QueueDisc.

Their files are ``ns3-scenarios/variants/<variant>.cc``, or C++ files that a sweep file names. For the latter, functions
take ``sources``: for each variant, its file's path without the suffix, as in `Sweep.variant_files`.
"""

import functools
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tcpsweep.core.identity import cpp_code, source_folders
from tcpsweep.core.ns3 import catalogue, programs
from tcpsweep.core.ns3.engine import Engine
from tcpsweep.core.ns3.installation import EngineError
from tcpsweep.core.store import compiled_programs
from tcpsweep.core.store.compiled_programs import BuildError
from tcpsweep.core.words.dotted_names import PREFIX, is_variant
from tcpsweep.core.words.field_names import is_attribute
from tcpsweep.core.words.mixes import Mix

FOLDER = source_folders.SCENARIOS / "variants"
PROGRAMS = "variants/"  # the prefix of their programs' names
OPS = "ns3::TcpCongestionOps"
DISC = "ns3::QueueDisc"


class Unusable(Exception):
    """One of our own variants cannot be used. The message says why, and the user reads it."""


def names() -> set[str]:
    """Our own variants, without ``ns3::``. A file whose name begins in lower case is code that variants share."""
    return {path.stem for path in FOLDER.glob("[A-Z]*.cc")}


def of_kind(ancestor: str) -> set[str]:
    """Our own congestion controls, for `OPS`, or our own queue discs, for `DISC`; none for another type."""
    return {name for name in names() if _parent_type(name) == ancestor}


def _parent_type(name: str) -> str:
    """The type that a variant of this name has to be derived from: `DISC` or `OPS`."""
    return DISC if name.endswith("QueueDisc") else OPS


def sources(files: Mapping[str, Path]) -> dict[str, str]:
    """The variants of the C++ files that a sweep file names, each with its path without the suffix."""
    return {path.stem: str(path.with_suffix("")) for path in files.values()}


def program(variant: str, sources: Mapping[str, str]) -> str:
    """A variant's name for `programs.compile_program`."""
    return sources.get(variant, f"{PROGRAMS}{variant}")


def mentioned(row: Mapping[str, Any]) -> frozenset[str]:
    """The variants and queue discs in a combination's parameters and attributes, ns-3's and ours, no ``ns3::``."""
    # The combination's variant includes the variants of all groups of flows in its network.
    parameters, types = _variant_parameters(tuple(row))
    values = (row[name] for name in parameters)
    turns = [turn for value in values if isinstance(value, str) for turn in Mix.parse(value).turns]
    return types.union(name.removeprefix("ns3::") for name in turns)


@functools.lru_cache(maxsize=1024)  # the combinations of a sweep have the same names
def _variant_parameters(names: tuple[str, ...]) -> tuple[tuple[str, ...], frozenset[str]]:
    """Among a combination's names, the parameters whose values `mentioned` reads, and the types of its attributes."""
    attributes = frozenset(name.rpartition("::")[0].removeprefix("ns3::") for name in names if is_attribute(name))
    return tuple(name for name in names if name == "variant" or is_variant(name) or _is_disc(name)), attributes


def _is_disc(name: str) -> bool:
    return name == "queue_disc" or (name.startswith(PREFIX) and name.endswith(".queue_disc"))


def used(rows: Iterable[Mapping[str, Any]], sources: Mapping[str, str]) -> list[str]:
    """The variants with their own code in these combinations, sorted."""
    return sorted((names() | sources.keys()) & {name for row in rows for name in mentioned(row)})


def code_id(variant: str, sources: Mapping[str, str]) -> str:
    """The identity of a variant's code, with the files that it includes."""
    return cpp_code.cpp_id(program(variant, sources))


def library(ns3: Engine, variant: str, sources: Mapping[str, str]) -> Path:
    """The path of the library that a variant's current code is compiled to."""
    return programs.place(ns3, program(variant, sources))


def types(ns3: Engine, variant: str, sources: Mapping[str, str]) -> catalogue.Types:
    """The types that a variant's library registers in addition to ns-3's. Compile the library unless that is done.

    Raises `Unusable` if ns-3 has a type of that name, the library does not compile, or it registers no congestion
    control or queue disc of that name.
    """
    name, file = f"ns3::{variant}", (FOLDER / f"{variant}.cc").relative_to(source_folders.SCENARIOS.parent)
    if variant in sources:
        if variant in names():
            raise Unusable(f"both {file} and {sources[variant]}.cc are {variant}; rename one, and its TypeId")
        file = Path(f"{sources[variant]}.cc")
    ns3_types = catalogue.types(ns3)
    if name in ns3_types:
        raise Unusable(f"both ns-3 {ns3.version} and {file} have {variant}; rename the file and its TypeId")
    registered = _registered_types(ns3, program(variant, sources), file)
    added = {other: registered[other] for other in registered if other not in ns3_types}
    if name not in added:
        listed = ", ".join(sorted(added)) or "no type"
        raise Unusable(f"{file} registers {listed}; expected {name}, the name of the file")
    if _parent_type(variant) not in catalogue.line_of(registered, name)[1:] or not registered[name]["constructible"]:
        parent = _parent_type(variant)
        raise Unusable(f"{file} registers {name} without a constructor or with a parent that is not below {parent}")
    return added


def _registered_types(ns3: Engine, program: str, file: Path) -> catalogue.Types:
    """All types of ns-3 and of a variant's library."""
    library_file = programs.place(ns3, program)
    cache = library_file.with_name(f"catalogue-{cpp_code.cpp_id('inspect')}.kept")
    if not compiled_programs.is_there(library_file):
        whose = ", code from the sweep file that runs with your rights," if file.is_absolute() else ""
        print(f"tcpsweep: compiling {file}{whose} for ns-3 {ns3.version}", file=sys.stderr)
    try:
        programs.compile_program(ns3, program)
        return catalogue.kept_types(cache, ns3, [library_file])
    except BuildError as error:
        raise Unusable(f"{file}: {error}") from None
    except EngineError as error:
        raise Unusable(f"{file} cannot be loaded: {error}") from None
