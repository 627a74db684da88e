# SPDX-License-Identifier: MIT
"""Pictures of the changes between two sweeps: the number of cases by finding, and each case as a dot on a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from tcpsweep.core.analysis import findings, verdict_words
from tcpsweep.core.campaigns import comparison_words, differences
from tcpsweep.core.report import strips
from tcpsweep.core.words import metrics, rounding
from tcpsweep.core.words.metrics import Metric

MOST_ROWS = 12  # rows of a metric that are visible before the reader expands the list
MOST_DRAWN = 200  # cases of a metric
FINDINGS = ("better", "worse", "higher", "lower", "same", "identical", "undecided", "untested")


def kind(metric: Metric, finding: str) -> str:
    """The kind of a finding, one of `FINDINGS`: "higher" and "lower" only if neither is better."""
    if finding in ("higher", "lower"):
        if not metric.better:
            return finding
        return "better" if finding == metric.better else "worse"
    if finding == findings.TOO_FEW:
        return "undecided"
    return finding if finding in FINDINGS else "untested"


def pictures(table: pl.DataFrame, names: Sequence[str]) -> list[dict[str, Any]]:
    """The pictures of the headline metrics in a table from `differences.differences`.

    Each has

    - ``name``, ``title`` and ``unit`` of the metric
    - ``counts``, how many cases there are of each of `FINDINGS`
    - ``axis``
    - ``seen`` and ``others``, rows with ``case``, ``strip``, ``band``, ``kind``, ``a``, ``b`` and ``effect``, the
      surest first
    - ``more``, how many cases are not drawn
    """
    return [_picture(name, metric, table, names) for name, metric in metrics.headline(table["metric"]).items()]


def _picture(name: str, metric: Metric, table: pl.DataFrame, names: Sequence[str]) -> dict[str, Any]:
    cases = table.filter(pl.col("metric") == name)
    counts = Counter(kind(metric, finding) for finding in cases["finding"])
    differing = cases.filter(pl.col("difference").is_not_null() & (pl.col("finding") != "identical"))
    if not (differing["difference"] != 0).any():  # a picture of zeros adds nothing to the sentence
        differing = differing.clear()
    drawn = differences.surest(differing, MOST_DRAWN)
    ends = [end for row in drawn.iter_rows(named=True) for end in _difference_and_interval(row) if end is not None]
    axis = strips.of_differences(end * metric.scale for end in ends)
    rows = [_row(row, metric, axis, names) for row in drawn.iter_rows(named=True)]
    visible_count = len(rows) if len(rows) <= MOST_ROWS + 2 else MOST_ROWS
    return {
        "name": name,
        "title": metric.title,
        "unit": metric.shown_unit,
        "counts": {finding: counts[finding] for finding in FINDINGS if counts[finding]},
        "axis": axis,
        "seen": rows[:visible_count],
        "others": rows[visible_count:],
        "more": differing.height - drawn.height,
    }


def _difference_and_interval(row: Mapping[str, Any]) -> tuple[float | None, float | None, float | None]:
    prefix = "holm_" if row["holm_low"] is not None else ""  # the plain interval if the case was not tested
    return row["difference"], row[f"{prefix}low"], row[f"{prefix}high"]


def _smallest_effect(row: Mapping[str, Any]) -> float | None:
    """The smallest difference of interest, in the metric's unit."""
    if row["smallest_share"] is None:
        return None
    return verdict_words.smallest_at(row, row["mean_a"])


def _row(row: Mapping[str, Any], metric: Metric, axis: strips.Axis, names: Sequence[str]) -> dict[str, Any]:
    difference, low, high = (None if value is None else value * metric.scale for value in _difference_and_interval(row))
    bound = _smallest_effect(row)
    return {
        "case": comparison_words.case(row, names),
        "strip": strips.strip(axis, difference, whisker=(low, high)),
        "band": None if bound is None else (axis.x(-bound * metric.scale), axis.x(bound * metric.scale)),
        "kind": kind(metric, row["finding"]),
        "finding": comparison_words.label(row["finding"]),
        "a": rounding.significant(row["mean_a"] * metric.scale, 4),
        "b": rounding.significant(row["mean_b"] * metric.scale, 4),
        "effect": rounding.signed(row["difference"] * metric.scale)
        if row["effect"] is None
        else f"{rounding.signed(row['effect'] * 100)} %",
    }
