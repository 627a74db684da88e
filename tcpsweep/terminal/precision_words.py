# SPDX-License-Identifier: MIT
"""How precise a sweep's means are after a round of runs, in a few lines for the terminal."""

from pathlib import Path

import polars as pl

from tcpsweep.sweep import rounds, sweep_record, sweep_tables
from tcpsweep.words import metrics


def text(folder: Path) -> str:
    """What is reached, and how many more runs follow; empty if the sweep asks for no precision."""
    sweep = sweep_record.read(folder)
    if sweep.precision is None:
        return ""
    found = sweep_tables.read(folder, "precision", {"metric": pl.String, "reached": pl.Boolean})
    counts = {
        metric: (reached, rows)
        for metric, reached, rows in found.group_by("metric", maintain_order=True)
        .agg(pl.col("reached").sum(), pl.len())
        .iter_rows()
    }
    said = [
        f"{metrics.METRICS[name].title} of {counts[name][0]} of {counts[name][1]}" if name in counts else f"no {name}"
        for name in sweep.precision.asked
    ]
    known = rounds.read(folder, sweep.asked)
    more = sum(known.runs[run.cell] - len(sweep.runs_of(run.combination)) for run in _first(sweep, known))
    words = f"as precise as asked after {sweep.runs_in_words()} runs: {', '.join(said)}"
    if more:
        return f"{words}; {more} more runs follow"
    short = found.filter(~pl.col("reached"))["combination"].n_unique() if found.height else 0
    most = sweep.precision.at_most
    return words + (
        f"; {short} combination{'s' * (short != 1)} not, see the report: at_most is {most}" if short else ""
    )


def _first(sweep: sweep_record.PlannedSweep, known: rounds.Rounds) -> list[sweep_record.Run]:
    """The first run of each combination that is to have more."""
    undecided = set(known.undecided)
    return [run for run in sweep.cells if run.run == sweep.runs[0] and run.cell in undecided]
