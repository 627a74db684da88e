# SPDX-License-Identifier: MIT
"""What the report's tables share: their most rows, places by which they sort, and means with their intervals.

Also the metrics that have one value all over a sweep.
"""

from collections.abc import Mapping
from typing import Any

import polars as pl

from tcpsweep.core.sweep.axes import Axis
from tcpsweep.core.words import metrics, rounding

MOST_DIGITS = 4  # of a mean; files have more
_SIGNED = {
    "rtt_exponent",
    "goodput_trend",
    "goodput_bend",
    "owd_trend",
    "owd_bend",
}  # all other metrics cannot be negative

MOST_ROWS = 2000  # rows of a table or items of a list; a file has the omitted ones


def lower_end(metric: str, mean: float | None, end: float | None) -> float | None:
    """The lower end of a mean's interval; 0 where Student's t gives less and the metric has no values below."""
    if end is None or mean is None or end >= 0 or mean < 0 or metric in _SIGNED:
        return end
    return 0.0


def not_below_zero(metric: str, end: float) -> float:
    """An end of an interval, within the metric's possible values."""
    return end if metric in _SIGNED else max(0.0, end)


def mean_and_interval(row: Mapping[str, Any]) -> str:
    """The mean of a table's row, which has ``metric``, ``mean``, ``low`` and ``high``, with its interval."""
    metric = metrics.METRICS[row["metric"]]
    low = lower_end(row["metric"], row["mean"], row["low"])
    kind = metric.interval if low == row["low"] else "bootstrap"  # because its ends are not equally far away
    return rounding.mean_text(row["mean"], low, row["high"], metric.scale, kind, most=MOST_DIGITS)


def constant_metrics(summary: pl.DataFrame) -> set[str]:
    """The metrics with equal means and equal runs everywhere: they are named once."""
    measured = summary.filter(pl.col("mean").is_not_null())
    same = pl.col("mean").n_unique() == 1
    still = (pl.col("low").is_null() | (pl.col("high") - pl.col("low") <= 1e-12 * pl.col("mean").abs())).all()
    several = pl.len() > 1
    return set(measured.group_by("metric").agg(constant=same & still & several).filter("constant")["metric"])


def sortable(axes: Mapping[str, Axis], texts: Mapping[str, str]) -> list[tuple[str, float | str]]:
    """A combination's value on each axis: its text, and the place by which the page's script sorts it."""
    return [(texts[name], axis.values.get(texts[name], texts[name])) for name, axis in axes.items()]
