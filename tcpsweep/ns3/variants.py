# SPDX-License-Identifier: MIT
"""The variants of our own: ``ns3-scenarios/variants/<variant>.cc``, a library each, loaded where a sweep names it."""

import json
import sys

from tcpsweep.identity import cpp_code, source_folders
from tcpsweep.ns3 import engine
from tcpsweep.ns3.engine import EngineError
from tcpsweep.store import whole_files
from tcpsweep.store.compiled_programs import BuildError
from tcpsweep.words.type_names import is_attribute

FOLDER = source_folders.SCENARIOS / "variants"
OPS = "ns3::TcpCongestionOps"


class Unusable(Exception):
    """Why a variant of our own cannot be used; the user reads it."""


def names():
    """The variants of our own, without ``ns3::``. Files with small initials are what they share."""
    return {path.stem for path in FOLDER.glob("[A-Z]*.cc")}


def mentioned(row):
    """The variants that parameters and attributes mention, ns-3's and our own, without ``ns3::``.

    Parameters
    ----------
    row : dict
        Names of parameters and attributes to their values, such as a combination.
    """
    variant = row.get("variant")
    types = variant.split("+") if isinstance(variant, str) else []
    types += [name.rpartition("::")[0] for name in row if is_attribute(name)]
    return {name.removeprefix("ns3::") for name in types}


def used(rows):
    """The variants of our own that combinations mention, sorted."""
    return sorted(names() & set().union(*map(mentioned, rows)))


def code_id(variant):
    """The identity of a variant's code, with all that it includes."""
    return cpp_code.cpp_id(f"variants/{variant}")


def library(ns3, variant):
    """Where a variant's library is or will be, its code as it stands now."""
    return engine.program(ns3, f"variants/{variant}")


def types(ns3, variant):
    """The types that a variant's library registers, compiled where that is not done yet.

    Parameters
    ----------
    ns3 : engine.Engine
    variant : str
        One of `names`.

    Returns
    -------
    dict
        As `engine.catalogue`, without ns-3's own types.

    Raises
    ------
    Unusable
        Its name is one of ns-3's own; or it does not compile; or what it registers is no congestion control of that
        name.
    """
    name, file = f"ns3::{variant}", (FOLDER / f"{variant}.cc").relative_to(source_folders.ROOT)
    of_ns3 = engine.catalogue(ns3)
    if name in of_ns3:
        raise Unusable(f"{variant} is of ns-3 {ns3.version} itself and of {file}; rename the file and its TypeId")
    found = _registered(ns3, variant, file)
    added = {other: found[other] for other in found if other not in of_ns3}
    if name not in added:
        listed = ", ".join(sorted(added)) or "no type"
        raise Unusable(f"{file} registers {listed}; expected {name}, the name of the file")
    if OPS not in engine.line_of(found, name)[1:] or not found[name]["constructible"]:
        raise Unusable(f"{file} registers {name} without a constructor or with a parent that is not below {OPS}")
    return added


def _registered(ns3, variant, file):
    """All types that there are with a variant's library."""
    made = library(ns3, variant)
    kept = made.with_name(f"catalogue-{cpp_code.cpp_id('inspect')}.json")
    if not made.is_file():
        print(f"tcpsweep: compiling {file} for ns-3 {ns3.version}", file=sys.stderr)
    try:
        engine.compile_program(ns3, f"variants/{variant}")
        if not kept.is_file():
            whole_files.write_whole(kept, engine.inspect(ns3, libraries=[made]))
    except BuildError as error:
        raise Unusable(f"{file}: {error}") from None
    except EngineError as error:
        raise Unusable(f"{file} cannot be loaded: {error}") from None
    return json.loads(kept.read_text(encoding="utf-8"))["types"]
