# SPDX-License-Identifier: MIT
"""An ingredient: what a simulation is made of besides parameters, such as corrections of ns-3 or a Linux kernel."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tcpsweep.core.sweep.matching import Combination
    from tcpsweep.core.sweep.sweep_parts import InputFile
    from tcpsweep.core.sweep.sweep_record import Sweep
    from tcpsweep.core.sweepfile.document.yaml_document import Problem
    from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile


@dataclass(frozen=True)
class Simulation:
    """What an ingredient is told of a combination's simulations."""

    row: Combination
    ns3_version: str
    own_variants: Sequence[str]  # the variants and queue discs with their own code
    inputs: Mapping[str, InputFile]  # the files that the sweep file names, by the words for them


@dataclass(frozen=True)
class Part:
    """What an ingredient adds to a combination's simulations."""

    settings: Mapping[str, Any] = field(default_factory=dict)  # more parameters: part of the id, and options
    identity: Mapping[str, Any] = field(default_factory=dict)  # what else the id hashes, by name
    libraries: Sequence[Path] = ()  # what the scenario's program loads
    arguments: Sequence[str] = ()  # which no id depends on
    builds: Sequence[Path] = ()  # the folders of builds in use
    idle: Collection[str] = ()  # parameters without an effect, which get their defaults


def _none(*_: object) -> Any:
    return ()


@dataclass(frozen=True)
class Ingredient:
    """What a feature adds to simulations. Each field is optional."""

    # The formats of its parameters in the schema, each to a function that returns a value's normal form or raises
    # `ValueError`. The format ``variant`` gets names of other implementations than ns-3, such as ``linux:cubic``.
    forms: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    # The values of a combination that contradict each other: the parameters at fault, the most important one first, and
    # the message. The second argument is the sweep file's ``fixed``.
    clashes: Callable[[Combination, Collection[str]], Iterator[tuple[tuple[str, ...], str]]] = _none
    # Why combinations of a sweep without other problems cannot be simulated
    problems: Callable[[SweepFile, Sweep], list[Problem]] = _none
    # Compile what the sweep needs, unless that is done. Returns why this is impossible.
    compile: Callable[[SweepFile, Sweep], list[Problem]] = _none
    # Its part of a combination's simulations
    part: Callable[[Simulation], Part] = lambda simulation: Part()
    # What the values of ``corrections`` in combinations select in a version of ns-3, by value
    selected: Callable[[Iterable[Combination], str], Mapping[str, list[str]]] = lambda rows, ns3_version: {}
