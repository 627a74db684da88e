# SPDX-License-Identifier: MIT
"""The summary as a table of texts for people."""

import polars as pl

from tcpsweep.analysis import axis_columns
from tcpsweep.sweep.sweep_record import PlannedSweep
from tcpsweep.words import metrics, quantities, rounding


def for_people(sweep: PlannedSweep, table: pl.DataFrame, silent: set[int]) -> tuple[list[str], list[list[str]], int]:
    """The wide table as texts: its heads, its rows, and how many columns come before the numbers.

    ``silent`` are the combinations in which no flow carried data.
    """
    axes = [axis_columns.column(sweep, name) for name in sweep.axes]
    heads = [*axes, "flow_variant", "runs"]
    words = len(heads)
    shown_metrics = metrics.headline(table.columns, sweep.headline)
    for metric in shown_metrics.values():
        heads.append(f"{metric.title} [{metric.shown_unit}]" if metric.shown_unit else metric.title)
    rows = []
    for row in table.iter_rows(named=True):
        runs = f"{row['runs']}" if row["distinct_runs"] != 1 or row["runs"] == 1 else f"{row['runs']} (deterministic)"
        cells = [
            *(quantities.text(row[axis]) if row[axis] is not None else "" for axis in axes),
            row["flow_variant"],
            runs,
        ]
        for name, metric in shown_metrics.items():
            value = row[name], row[f"{name}_low"], row[f"{name}_high"]
            nothing = value[0] is None and row["combination"] in silent
            cells.append(rounding.NO_TRAFFIC if nothing else rounding.shown(*value, metric.scale, metric.interval))
        rows.append(cells)
    return heads, rows, words
