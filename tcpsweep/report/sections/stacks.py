# SPDX-License-Identifier: MIT
"""The section Linux and ns-3: what each variant's flows do with Linux' TCP, against ns-3's in the same networks."""

from __future__ import annotations

from collections import Counter
from typing import Any

import polars as pl

from tcpsweep.analysis import stacks
from tcpsweep.report import strips
from tcpsweep.report.sections import effect_words, table_rows
from tcpsweep.sweep import axes
from tcpsweep.sweep.sweep_record import PlannedSweep
from tcpsweep.words import metrics, rounding

LEAST_FACTOR, MOST_FACTOR = 1.25, 10.0
# What is found, in the order in which it is told.
_TOLD = {"same": "the same", "higher": "more", "lower": "less", "undecided": "undecided"}


def section(sweep: PlannedSweep, table: pl.DataFrame) -> list[dict[str, Any]]:
    """The contents of the sweep's table ``stacks``, for each metric.

    ``title``, ``unit``; ``found``, how often what was found, in words; ``axis`` of the ratios; ``rows`` with
    ``variant``, ``whole``, ``where``, the two means ``linux`` and ``ns3``, ``strip``, ``ratio`` with its interval, and
    ``finding``, of those that could be tested; ``more``, how many are left out.
    """
    places = axes.network_texts(sweep)
    found = []
    for name in stacks.METRICS if table.width > 1 else ():
        rows = table.filter(pl.col("metric") == name).rows(named=True)
        if not rows:
            continue
        metric = metrics.METRICS[name]
        found_out = _counted([row["finding"] for row in rows])
        rows = [row for row in rows if row["finding"] in _TOLD]
        ratios = [row[end] for row in rows for end in ("ratio", "ratio_low", "ratio_high") if row[end]]
        axis = strips.of_ratios(ratios, LEAST_FACTOR, MOST_FACTOR)
        found.append(
            {
                "title": metric.title,
                "unit": metric.shown_unit,
                "found": found_out[0].upper() + found_out[1:],
                "axis": axis,
                "rows": [_row(row, metric, axis, places) for row in rows[: table_rows.MOST_ROWS]],
                "more": max(0, len(rows) - table_rows.MOST_ROWS),
            }
        )
    return found


def _counted(findings: list[str]) -> str:
    """How often each finding is made, such as "the same in 3 of 8, less in 5"."""
    counts = Counter(finding if finding in _TOLD else "" for finding in findings)
    parts = [f"{words} in {counts[finding]}" for finding, words in _TOLD.items() if counts[finding]]
    parts += [f"not tested in {counts['']}"] if counts[""] else []
    return f"{', '.join(parts)} of {len(findings)}"


def _row(row: dict[str, Any], metric: metrics.Metric, axis: strips.Axis, places: list[dict[str, str]]) -> Any:
    where = {name: text for name, text in places[row["combination"]].items() if name != stacks.STACK}
    ends = row["ratio_low"], row["ratio_high"]
    return {
        "variant": row["variant"],
        "whole": row["mix"] or row["variant"],
        "where": axes.axes_in_words(where),
        "linux": _mean(row["mean"], metric),
        "ns3": _mean(row["reference_mean"], metric),
        "strip": strips.strip(axis, row["ratio"], whisker=ends),
        "ratio": "–" if row["ratio"] is None else rounding.significant(row["ratio"], 3),
        "ends": "" if None in ends else f"[{rounding.significant(ends[0], 3)}, {rounding.significant(ends[1], 3)}]",
        "finding": effect_words.found(row),
    }


def _mean(value: float | None, metric: metrics.Metric) -> str:
    return "–" if value is None else rounding.significant(value * metric.scale, 3)
