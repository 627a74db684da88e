# SPDX-License-Identifier: MIT
"""The plan as a record: a sweep's cells, the jobs that are left, and where its files lie."""

from __future__ import annotations

import functools
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tcpsweep.plan import merged_warnings, result_ids, too_little
from tcpsweep.plan.cell_commands import Cell
from tcpsweep.store import layout
from tcpsweep.sweep import job_plan, known_defects
from tcpsweep.sweep.known_defects import Defect
from tcpsweep.sweep.span import Span
from tcpsweep.sweep.sweep_record import Run, Sweep
from tcpsweep.sweepfile.checks import clashes, start_times
from tcpsweep.sweepfile.keys import defects_file


@dataclass(frozen=True)
class Plan:
    """What the rules need to know."""

    sweep: Sweep
    cells: list[Cell]
    parser: str  # the code id of the steps that make a cell's Parquet
    decoder: Path | None  # the library that these steps need; None if nothing is captured
    binary: Path  # the scenario's program
    # Kind of job, "simulate", "parse" or "measure", to the ids of the jobs that are left
    jobs: dict[str, list[str]]
    # What must still be compiled for the jobs: a kind and a name, to the file that is made. The kind is "compile", with
    # a name that `tcpsweep compile` takes, or "decoder"
    compiles: dict[tuple[str, str], Path] = field(default_factory=dict)
    # The id of each cell that is left, to its expected CPU time
    seconds: dict[str, float] = field(default_factory=dict)
    work: dict[str, set[str]] = field(default_factory=dict)  # kind of job to the ids of the cells that need it
    compiling_s: float = 0.0  # the expected time to compile everything in ``compiles``
    after_s: float = 0.0  # the expected time of the steps that follow the cells
    # The expected time for all of that, the steps that follow included, and the disk space, in words
    left: str = ""
    # Where the sweep's ns-3 is installed; None for that of the Python environment
    ns3_prefix: Path | None = None
    ns3_version: str = ""
    # Each value of `corrections` to the names of those that this ns-3 needs
    corrections: dict[str, list[str]] = field(default_factory=dict)
    # Whether no round can follow this one, as it may where a precision is asked for, or an axis is open
    is_decided: bool = True
    # Another sweep file with the same name, whose tables and report this sweep's take the place of
    replaces: Path | None = None

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
        """The path of its overview as a picture."""
        return self.report.with_suffix(".png")

    @property
    def cell_pages(self) -> Path:
        """The folder of the cells' pages."""
        return self.report.with_name(f"{self.sweep.name}_files")

    @property
    def compile_options(self) -> list[str]:
        """The arguments of `tcpsweep compile` besides the program's name."""
        return [f"--prefix={self.ns3_prefix}"] if self.ns3_prefix else []

    def compiled(self, kind: str) -> list[str]:
        """The stamps for what must still be compiled, for one kind in `compiles`."""
        return [str(layout.stamp(self.sweep.name, *what)) for what in self.compiles if what[0] == kind]

    @functools.cached_property
    def warnings(self) -> list[str]:
        """Distinct warnings, with how many combinations each affects."""
        own = self.sweep.own
        scenario = self.sweep.scenario
        found = Counter(
            warning
            for row in own
            for warning in (
                *clashes.warnings(scenario, row, self.sweep.runs),
                *start_times.warnings(scenario, row),
            )
        )
        total = len(own)
        return [*too_little.warnings(self.sweep)] + [
            text if count == total else f"{text} ({count} of {total} combinations)"
            for text, count in merged_warnings.merged(found).items()
        ]

    @functools.cached_property
    def defects(self) -> list[Defect]:
        """Those of ns-3's known defects that touch one of the sweep's own combinations, in the order of their file."""
        touching = known_defects.by_combination(defects_file.known(), self.sweep.own, self.ns3_version)
        names = {defect.name for defects in touching for defect in defects}
        return [defect for defect in defects_file.known() if defect.name in names]

    @functools.cached_property
    def spans(self) -> list[Span]:
        """The span that each combination's runs are measured over."""
        return [result_ids.span(row) for row in self.sweep.combinations]

    @functools.cached_property
    def measures(self) -> list[str]:
        """The identity of each combination's metrics."""
        return [result_ids.metrics_id(span) for span in self.spans]

    @functools.cached_property
    def runs(self) -> list[Run]:
        """All runs of the sweep."""
        return [Run(cell.id, cell.combination, cell.run) for cell in self.cells]

    def finished(self) -> list[Run]:
        """The runs that have their metrics."""
        return layout.finished(self.runs, self.parser, self.measures)

    def results(self) -> dict[str, list[Path]]:
        """Cell id to the folders that the cell leaves when it is done."""
        found: dict[str, list[Path]] = {}
        for cell in self.cells:
            place = layout.measured(cell.id, self.parser, self.measures[cell.combination])
            found.setdefault(cell.id, []).append(place)
        return found

    @functools.cached_property
    def turns(self) -> dict[str, int]:
        """Each job's place among those of its kind."""
        return {job: place for jobs in self.jobs.values() for place, job in enumerate(jobs)}

    def stamps(self) -> list[str]:
        """The files that say that a job has ended."""
        return [str(layout.stamp(self.sweep.name, kind, job)) for kind, jobs in self.jobs.items() for job in jobs]

    def stop_files(self) -> list[Path]:
        """The files that tell the jobs to begin no more cells."""
        return [job_plan.stop_file(Path(stamp).with_suffix(".json")) for stamp in self.stamps()]
