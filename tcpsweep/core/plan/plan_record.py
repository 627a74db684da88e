# SPDX-License-Identifier: MIT
"""The plan as a record: a sweep's cells, the remaining batches, and the paths of its files."""

from __future__ import annotations

import functools
import re
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tcpsweep.core.contact import features
from tcpsweep.core.plan import result_ids, too_little
from tcpsweep.core.plan.cell_commands import Cell
from tcpsweep.core.store import layout
from tcpsweep.core.sweep import job_plan
from tcpsweep.core.sweep.caveats import few_round_trips
from tcpsweep.core.sweep.cost import Kind
from tcpsweep.core.sweep.span import Span
from tcpsweep.core.sweep.sweep_parts import Caveat
from tcpsweep.core.sweep.sweep_record import PlannedSweep, Run, Sweep
from tcpsweep.core.sweepfile.checks import clashes, start_times

# Text in backticks is to be copied literally, so warnings that differ there are not merged.
_NUMBER = re.compile(r"`[^`]*`|(?<![\w.])(\d+(?:\.\d+)?)([A-Za-z%]*)(?!\w)")


@dataclass(frozen=True)
class Workers:
    """Where a plan's work is done."""

    slots: int = 1  # the number of cells that run at a time
    on_cluster: bool = False  # whether batches run on other machines, which start them later and have their own disks
    cores: int = 0  # the number of cores for the rules after the cells; 0 stands for ``slots``
    batch_cores: int = 1  # the number of cells of a batch that run at a time on a cluster

    @property
    def rule_cores(self) -> int:
        """The number of cores for the rules after the cells."""
        return self.cores or self.slots


@dataclass(frozen=True)
class Plan:
    """The facts that the rules need."""

    sweep: Sweep
    cells: list[Cell]
    parser: str  # the identity of the code that makes a cell's Parquet
    decoder: Path | None  # the library that this code needs; None without captures
    binary: Path  # the scenario's program
    # Kind of batch, "simulate", "parse" or "measure", to the ids of the remaining batches
    jobs: dict[str, list[str]]
    # Programs still to compile for the batches: a kind and a name, to the resulting file. The kind is "compile", with a
    # name for `tcpsweep compile`, or "decoder"
    compiles: dict[tuple[str, str], Path] = field(default_factory=dict)
    compiled: dict[tuple[str, str], Path] = field(default_factory=dict)  # the sweep's programs that exist
    again: list[str] = field(default_factory=list)  # the ids of the batches with finished cells
    # Each remaining cell's id to its expected CPU time
    seconds: dict[str, float] = field(default_factory=dict)
    # Each cell to simulate, by its id, to the settings that decide the cost of its packets
    kinds: dict[str, Kind] = field(default_factory=dict)
    work: dict[str, set[str]] = field(default_factory=dict)  # kind of batch to the ids of its cells
    slower: float = 1.0  # the time that a CPU second takes, because of other programs
    compiling_s: float = 0.0  # the expected time to compile ``compiles``
    after_s: float = 0.0  # the expected time of the rules after the cells
    # The expected time of all remaining work, and the disk space, in words
    left: str = ""
    reasons: list[str] = field(default_factory=list)  # why cells of the last plan are simulated again, in words
    space_problem: str = ""  # why the sweep does not fit on the disk, in words; empty if it does
    # The folder of the sweep's ns-3; None for the Python environment's
    ns3_prefix: Path | None = None
    ns3_version: str = ""
    # Each value of `corrections` to the corrections that this ns-3 needs
    corrections: dict[str, list[str]] = field(default_factory=dict)
    # Whether this is the last round; another may follow with `precision` or open axes
    is_decided: bool = True
    # Another sweep file with the same name, whose tables and report this sweep replaces
    replaces: Path | None = None
    begun_ns: int = field(default_factory=time.time_ns)  # when planning began

    @property
    def folder(self) -> Path:
        """The sweep's own folder."""
        return layout.SWEEPS / self.sweep.name

    @property
    def report(self) -> Path:
        """The report's path."""
        return layout.REPORTS / f"{self.sweep.name}.html"

    @property
    def picture(self) -> Path:
        """The path of the overview's picture."""
        return self.report.with_suffix(".png")

    @property
    def cell_pages(self) -> Path:
        """The folder of the cells' pages."""
        return self.report.with_name(f"{self.sweep.name}_files")

    @property
    def compile_options(self) -> list[str]:
        """The arguments of `tcpsweep compile` after the program's name."""
        return [f"--prefix={self.ns3_prefix}"] if self.ns3_prefix else []

    def source(self, program: str) -> str:
        """What `tcpsweep compile` takes for the program of a stamp in `compiles`."""
        return self.variant_files.get(program.rpartition("/")[2], program)

    @property
    def variant_files(self) -> dict[str, str]:
        """As the sweep has them."""
        return self.sweep.variant_files

    def programs(self, kind: str) -> list[str]:
        """The stamps of the sweep's programs, compiled or still to compile, for one kind in `compiles`."""
        wanted = (*self.compiles, *self.compiled)
        return [str(layout.stamp(self.sweep.name, *program)) for program in wanted if program[0] == kind]

    @functools.cached_property
    def simulations(self) -> int:
        """The number of the sweep's cells."""
        return len({run.cell for run in self.runs})

    @functools.cached_property
    def warnings(self) -> list[str]:
        """Distinct warnings, with the number of combinations that each affects."""
        rows = self.sweep.own
        counts = Counter(
            warning for row in rows for warning in (*clashes.warnings(row, self.sweep.runs), *start_times.warnings(row))
        )
        total = len(rows)
        return [*too_little.warnings(self.sweep)] + [
            text if count == total else f"{text} ({count} of {total} combinations)"
            for text, count in merged_warnings(counts).items()
        ]

    @functools.cached_property
    def caveats(self) -> list[Caveat]:
        """Why some numbers will carry a sign: too few round trips first, then what features know of."""
        few = too_little.few_round_trips(self.sweep.combinations)
        of_features = (caveat for caveats in features.caveats() for caveat in caveats(self.sweep, self.ns3_version))
        return [*([few_round_trips(few)] if few else []), *of_features]

    @functools.cached_property
    def spans(self) -> list[Span]:
        """The span over which each combination's runs are measured."""
        return [result_ids.span(row, self.sweep.inputs) for row in self.sweep.combinations]

    @functools.cached_property
    def measures(self) -> list[str]:
        """The identity of each combination's metrics."""
        return [result_ids.metrics_id(span) for span in self.spans]

    @functools.cached_property
    def runs(self) -> list[Run]:
        """All runs of the sweep. A node, which plans no cells, has them from the plan that it reads."""
        if isinstance(self.sweep, PlannedSweep):
            return self.sweep.cells
        return [Run(cell.id, cell.combination, cell.run) for cell in self.cells]

    def finished(self) -> list[Run]:
        """The runs with metrics."""
        return layout.finished(self.runs, self.parser, self.measures)

    def results(self) -> dict[str, list[Path]]:
        """Cell id to the folders of a finished cell."""
        folders: dict[str, list[Path]] = {}
        for cell in self.cells:
            place = layout.measured(cell.id, self.parser, self.measures[cell.combination])
            folders.setdefault(cell.id, []).append(place)
        return folders

    @functools.cached_property
    def turns(self) -> dict[str, int]:
        """Each batch's position among the batches of its kind."""
        return {job: place for jobs in self.jobs.values() for place, job in enumerate(jobs)}

    def stamps(self) -> list[str]:
        """The files that mark batches as ended, also those of finished cells."""
        batches = [*self.jobs.items(), ("simulate", self.again)]
        return [str(layout.stamp(self.sweep.name, kind, job)) for kind, jobs in batches for job in jobs]

    def stop_files(self) -> list[Path]:
        """The files that stop batches from starting more cells."""
        return [job_plan.stop_file(Path(stamp).with_suffix(".json")) for stamp in self.stamps()]


def merged_warnings(counts: Mapping[str, int]) -> dict[str, int]:
    """Texts with their counts; texts that differ only in numbers become one with the range of each number."""
    texts_by_pattern: dict[str, list[str]] = {}
    for text in counts:
        texts_by_pattern.setdefault(
            _NUMBER.sub(lambda match: match[0] if match[1] is None else "#" + match[2], text), []
        ).append(text)
    return {_with_ranges(texts): sum(counts[text] for text in texts) for texts in texts_by_pattern.values()}


def _with_ranges(texts: list[str]) -> str:
    """The first text, with the minimum and maximum of each number that varies."""
    numbers_of_text = [[float(match[1]) for match in _NUMBER.finditer(text) if match[1] is not None] for text in texts]
    values_of_number = iter(zip(*numbers_of_text, strict=True))

    def number(match: re.Match[str]) -> str:
        if match[1] is None:
            return match[0]
        column = next(values_of_number)
        least, greatest = (f"{end:.10g}{match[2]}" for end in (min(column), max(column)))
        return match[0] if least == greatest else f"{least} to {greatest}"

    return _NUMBER.sub(number, texts[0])
