# SPDX-License-Identifier: MIT
"""The state of a sweep with a requested precision, for the terminal."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from tcpsweep.core.sweep import rounds, sweep_record, sweep_tables
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import metrics
from tcpsweep.features.precision import precision_record


def state(sweep: PlannedSweep, folder: Path) -> str:
    """The precision reached, and the number of runs that follow."""
    asked = precision_record.of(sweep)
    assert asked
    table = sweep_tables.read(folder, "precision", {"metric": pl.String, "reached": pl.Boolean})
    counts = {  # how many means are as precise as requested, and how many there are, by metric
        metric: (count, rows)
        for metric, count, rows in table.group_by("metric", maintain_order=True)
        .agg(pl.col("reached").sum(), pl.len())
        .iter_rows()
    }
    reached = [
        f"{metrics.METRICS[name].title} of {counts[name][0]} of {counts[name][1]}" if name in counts else f"no {name}"
        for name in asked.asked
    ]
    recorded = rounds.read_rounds(folder, sweep.asked)
    more_runs = sum(
        recorded.runs[run.cell] - len(sweep.runs_of(run.combination)) for run in _undecided_runs(sweep, recorded)
    )
    words = f"requested precision reached after {sweep.runs_in_words()} runs: {', '.join(reached)}"
    if more_runs:
        return f"{words}; {more_runs} more runs follow"
    imprecise = table.filter(~pl.col("reached"))["combination"].n_unique() if table.height else 0
    most = asked.at_most
    return words + (
        f"; {imprecise} combination{'s' * (imprecise != 1)} not, see the report: at_most is {most}" if imprecise else ""
    )


def _undecided_runs(sweep: PlannedSweep, recorded: rounds.Rounds) -> list[sweep_record.Run]:
    """The first run of each combination that needs more runs."""
    undecided = set(recorded.undecided)
    return [run for run in sweep.cells if run.run == sweep.runs[0] and run.cell in undecided]
