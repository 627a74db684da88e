# SPDX-License-Identifier: MIT
"""The sweep as one typed record, from the sweep file to the report; planning writes it, later rules read it."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeVar, get_type_hints

import msgspec

from tcpsweep.core.store import layout
from tcpsweep.core.sweep import shared_parts
from tcpsweep.core.sweep.axis_range import AxisRange
from tcpsweep.core.sweep.matching import Combination, Value
from tcpsweep.core.sweep.rounds import Point
from tcpsweep.core.sweep.span import Span
from tcpsweep.core.sweep.sweep_parts import Capture, Caveat, InputFile, Preset, Published, ShareOrValue
from tcpsweep.core.words import control_characters, units
from tcpsweep.core.words.user_error import UserError

FILE = "sweep.json"
UNSET = "default"
_NAME = re.compile(r"(?:[^./\0][^/\0]*)?")

Record = TypeVar("Record")


class Unreadable(UserError):
    """A sweep's record is missing, or another version of tcpsweep wrote it; the message is for the user."""


class Run(NamedTuple):
    """A run of a combination: the id of its cell, the combination's number, the run's number."""

    cell: str
    combination: int
    run: int


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """A sweep with all its combinations."""

    name: str
    title: str
    scenario: str
    seed: int
    # The run numbers of each combination; with ``counts``, the possible ones
    runs: tuple[int, ...]
    capture: Capture
    axes: dict[str, list[Value]]  # each swept parameter or attribute to its values, in the file's order
    forms: dict[str, str]  # parameters with a format to it (`normal_forms.FORMATS`)
    # Parameters written as plain numbers, to their unit, if they have one
    plain_units: dict[str, str]
    # The first ``swept`` are the file's own. The next are only for the tables of a question, which ``added_for`` names.
    # The last have a published study's setting, which ``published`` describes
    combinations: list[Combination]
    baseline: str | None  # the variant that others are compared with; None if every variant is a mix
    pages: bool  # whether each cell gets a page
    swept: int
    published: Published
    added_for: str = ""  # in words
    # Each question that the file asks, by its key, to its record as JSON, which the question's feature reads
    questions: dict[str, msgspec.Raw] = field(default_factory=dict)
    # In rounds, the number of ``runs`` planned so far for each combination; empty if each gets all
    counts: list[int] = field(default_factory=list)
    asked: str = ""  # the identity of the request for rounds; empty without rounds
    # The axes whose values each round chooses, to their ranges
    open_axes: dict[str, AxisRange] = field(default_factory=dict)
    points: list[Point] = field(default_factory=list)  # their values so far
    # The first metrics in tables and figures; None for the usual ones
    headline: list[str] | None = None
    # Each compared metric to its smallest effect of interest
    smallest_effects: dict[str, ShareOrValue] = field(default_factory=dict)
    presets: dict[str, Preset] = field(default_factory=dict)  # the presets that combinations have, by name
    # The files that parameters name, by their names in the sweep file
    inputs: dict[str, InputFile] = field(default_factory=dict)
    program: str = ""  # the scenario's program
    # The axes that are zipped with the variant and follow from it. They are settings of the variants, not part of the
    # network conditions (`network_axes`)
    with_variant: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)  # the sweep file's names of variants for print

    @property
    def own(self) -> list[Combination]:
        """The combinations of the sweep file itself."""
        return self.combinations[: self.swept]

    @property
    def variant_files(self) -> dict[str, str]:
        """The variants that the sweep file names by their C++ files, each to its file's path without the ending."""
        paths = [Path(file.path) for name, file in self.inputs.items() if name.endswith(".cc")]
        return {path.stem: str(path.with_suffix("")) for path in paths}

    @functools.cached_property
    def texts(self) -> list[dict[str, str]]:
        """Each combination's values as text: a dict by axis, which always has ``variant``.

        An attribute that only other blocks of the grid set has its default here, and its text is `UNSET`.
        """
        names = [*self.axes, *(["variant"] if "variant" not in self.axes else [])]
        return [{name: value_text(row, name) for name in names} for row in self.combinations]

    def question(self, key: str, kind: type[Record]) -> Record | None:
        """A question's record, which has the type ``kind``; None if the sweep file does not ask it."""
        if key in self.questions and key not in self._records:
            self._records[key] = msgspec.json.decode(self.questions[key], type=kind)
        return self._records.get(key)

    @functools.cached_property
    def _records(self) -> dict[str, Any]:
        """The records of questions that were read so far."""
        return {}

    def with_question(self, key: str, record: object) -> Self:
        """The sweep with the record of a question that its file asks."""
        return dataclasses.replace(self, questions=self.questions | {key: msgspec.Raw(msgspec.json.encode(record))})

    def runs_of(self, combination: int) -> tuple[int, ...]:
        """The run numbers of a combination, by its number."""
        if combination >= self.published.first:
            return (self.published.run,)
        return self.runs[: self.counts[combination]] if self.counts else self.runs

    def run_counts(self) -> list[int]:
        """The planned number of runs of each combination."""
        return [len(self.runs_of(number)) for number in range(len(self.combinations))]

    def runs_in_words(self) -> str:
        """The number of runs of the sweep's own combinations in words, such as ``10`` or ``10 to 37``."""
        counts = {len(self.runs_of(number)) for number in range(self.swept)} or {0}
        return " to ".join(map(str, sorted({min(counts), max(counts)})))

    def counted(self) -> str:
        """The number of combinations for each purpose, in words."""
        number_by_purpose = {
            self.added_for: self.published.first - self.swept,
            "as published": len(self.published.of),
        }
        words = [f"{count} {purpose}" for purpose, count in number_by_purpose.items() if count]
        return " and ".join([f"{self.swept} combination{'s' * (self.swept != 1)}", *words])


@dataclass(frozen=True, kw_only=True)
class PlannedSweep(Sweep):
    """A sweep with planning's results: everything that later rules need."""

    parser: str  # the identity of the code that makes a cell's Parquet
    measures: list[str]  # the identity of each combination's metrics
    spans: list[Span]  # the measured part of each combination's runs
    # The sweep's ns-3: its version and the hash of its libraries
    ns3_version: str
    ns3_libraries: str
    ns3_prefix: str | None  # that ns-3's folder; None for the Python environment's
    # Each value of `corrections` to the corrections that this ns-3 needs
    corrections: dict[str, list[str]] = field(default_factory=dict)
    # Why some of its numbers carry a sign (`caveats`)
    caveats: list[Caveat] = field(default_factory=list)
    scenario_code: str  # the identity of the scenario's program
    variants: dict[str, str]  # our own variants in the sweep, each to the identity of its code
    warnings: list[str]
    # The identity of the code that computes metrics; two sweeps are comparable if it is the same
    metrics_code: str
    cells: list[Run]

    def up_to(self, count: int) -> PlannedSweep:
        """The sweep with only the first combinations."""
        return dataclasses.replace(self, combinations=self.combinations[:count])

    def by_first_cell(self, numbers: Sequence[int]) -> dict[str, int]:
        """A number of each combination by the id of its first cell, the largest where several share it."""
        largest: dict[str, int] = {}
        for run in self.cells:
            if run.run == self.runs[0] and run.combination < len(numbers):
                largest[run.cell] = max(numbers[run.combination], largest.get(run.cell, 0))
        return largest

    def finished(self, root: Path = Path()) -> list[Run]:
        """The runs with metrics; ``root`` is the folder that contains ``results/``."""
        return layout.finished(self.cells, self.parser, self.measures, root)

    def parquet(self, cell: str) -> Path:
        """The folder with a cell's Parquet."""
        return layout.parquet(cell, self.parser)

    def measured(self, run: Run) -> Path:
        """The folder with a run's metrics."""
        return layout.measured(run.cell, self.parser, self.measures[run.combination])


def value_text(row: Mapping[str, Any], name: str) -> str:
    """A combination's value of a parameter or an attribute, as text; `UNSET` if it has none."""
    value = row.get(name)
    if value is None:
        return UNSET
    return value if isinstance(value, str) else units.value_text(value)


def record_text(sweep: PlannedSweep) -> str:
    """The record as JSON, with the shared parts of combinations stored once."""
    fields = {entry.name: getattr(sweep, entry.name) for entry in dataclasses.fields(sweep)}
    packed_fields = {
        "combinations": shared_parts.packed_combinations(sweep.combinations),
        "measures": shared_parts.kinds(sweep.measures, sweep.measures),
        "spans": shared_parts.kinds(sweep.spans, map(msgspec.json.encode, sweep.spans)),
        "cells": shared_parts.by_combination(sweep.cells),
    }
    return msgspec.json.encode(fields | packed_fields).decode()


_PACKED_TYPES: dict[str, Any] = {
    "combinations": shared_parts.Rows,
    "measures": shared_parts.Kinds[str],
    "spans": shared_parts.Kinds[Span],
    "cells": list[shared_parts.OneCombination],
}


@functools.cache
def _stored_type() -> type[msgspec.Struct]:
    """The record in its file's form."""
    types = get_type_hints(PlannedSweep) | _PACKED_TYPES
    return msgspec.defstruct("Stored", [(entry.name, types[entry.name]) for entry in dataclasses.fields(PlannedSweep)])


def planned(sweep: Sweep, **results: Any) -> PlannedSweep:
    """A sweep with planning's results, whose names are `PlannedSweep`'s."""
    return PlannedSweep(**{entry.name: getattr(sweep, entry.name) for entry in dataclasses.fields(Sweep)}, **results)


def read(folder: Path | str) -> PlannedSweep:
    """The record of the sweep in a folder.

    Raises
    ------
    Unreadable
    """
    path = Path(folder) / FILE
    try:
        stored = msgspec.json.decode(path.read_bytes(), type=_stored_type())
        return _unpacked(stored)
    except OSError as error:
        raise Unreadable(f"{path}: {error.strerror}") from None
    except (msgspec.MsgspecError, ValueError, IndexError, RecursionError) as error:
        reason = f"{path} is damaged, or was written by another version of tcpsweep ({error})"
        raise Unreadable(f"{reason}; run the sweep again") from None


def _unpacked(stored: Any) -> PlannedSweep:
    fields = {entry.name: getattr(stored, entry.name) for entry in dataclasses.fields(PlannedSweep)}
    fields |= {
        "combinations": shared_parts.combinations(stored.combinations, stored.scenario),
        "measures": shared_parts.items(stored.measures),
        "spans": shared_parts.items(stored.spans),
        "cells": [Run(item.begin + rest, item.combination, run) for item in stored.cells for run, rest in item.runs],
    }
    _check_folder_names(fields)
    return PlannedSweep(**fields)


def _check_folder_names(fields: Mapping[str, Any]) -> None:
    """Raise `ValueError` if names, which become folders, would lead outside."""
    names = {fields["name"], fields["parser"], *fields["measures"], *(run.cell[:1] for run in fields["cells"])}
    if not all(map(_NAME.fullmatch, names)):
        raise ValueError("a name cannot be a folder's name")
    if any(control_characters.first_place(name) is not None for name in (fields["name"], fields["parser"])):
        raise ValueError("a name has a control character")
