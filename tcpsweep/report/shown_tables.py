# SPDX-License-Identifier: MIT
"""The tables that a sweep's page shows: for a large sweep, only the metrics with which tables begin."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from tcpsweep.analysis import stationarity
from tcpsweep.report.sections import explorer
from tcpsweep.sweep import sweep_tables
from tcpsweep.sweep.sweep_record import PlannedSweep
from tcpsweep.words import metrics

# The page names these for single combinations and flows, even if no table begins with them.
_SAID = ("flows_with_data", "warmup_s")
_OF_FLOWS = ("combination", "run", "digest", "direction", "flow_variant", *stationarity.OF_FLOWS)
_OF_EFFECTS = (
    *("combination", "metric", "variant", "reference", "mix", "finding", "mean", "reference_mean", "difference"),
    *("effect", "smallest_share", "smallest_value", "smallest_origin"),
)


@dataclass(frozen=True)
class ShownTables:
    """Tables of a sweep."""

    summary: pl.DataFrame
    flows: pl.DataFrame
    effects: pl.DataFrame
    means: int  # how many rows the whole summary has
    measured: set[str]  # the metrics in it
    crowded: bool  # whether the sweep is too large for interactive figures


def read(folder: Path, sweep: PlannedSweep, runs: int) -> ShownTables:
    """The tables of the sweep in a folder; ``runs`` is the number of its finished runs."""
    summary, flows, effects = (sweep_tables.scan(folder, name) for name in ("summary", "flows", "effects"))
    means = summary.select(pl.len()).collect().item()
    measured = set(summary.select(pl.col("metric").unique()).collect()["metric"])
    crowded = explorer.is_crowded(means, runs)
    if crowded:
        headline = metrics.headline(metrics.METRICS, sweep.headline)
        summary = summary.filter(pl.col("metric").is_in([*metrics.headline(measured, sweep.headline), *_SAID]))
        known = flows.collect_schema().names()
        flows = flows.select(name for name in _OF_FLOWS if name in known)
        if effects.collect_schema().names():
            effects = effects.filter(pl.col("metric").is_in(list(headline))).select(_OF_EFFECTS)
    return ShownTables(summary.collect(), flows.collect(), effects.collect(), means, measured, crowded)
