# SPDX-License-Identifier: MIT
"""The overview's plane: the share of the link against the queueing delay, for all networks at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from tcpsweep.core.report.sections import finished_runs
from tcpsweep.core.sweep.sweep_record import PlannedSweep, Run
from tcpsweep.core.words import metrics

_X = ("network_queueing_delay_mean_s", "queueing_delay_mean_s", "network_delay_s", "owd_mean_s")
_Y = ("utilisation", "goodput_bps")
_QUEUES = ("network_queueing_delay_mean_s", "queueing_delay_mean_s")


def delay_and_link_use(sweep: PlannedSweep, summary: pl.DataFrame, finished: Sequence[Run]) -> dict[str, Any] | None:
    """The plane's data: ``x`` and ``y``, the axes' titles; ``rows``: combination, x, y.

    The delay in the queue is in base round-trip times of the network's longest path. This equals the queue's length in
    bandwidth-delay products, so networks of any size share a scale. None where a metric is missing, and where the
    sweep is about flows that end, because the link is idle after them.
    """
    if "completion_mean_s" in (sweep.headline or ()):
        return None
    names = set(summary.filter(pl.col("mean").is_not_null())["metric"])
    x, y = (next((name for name in among if name in names), None) for among in (_X, _Y))
    if x is None or y is None:
        return None
    rtts = finished_runs.base_rtts_s(sweep, finished) if x in _QUEUES else {}
    is_in_rtts = bool(rtts)
    x_values = {
        number: value / rtts[number] if is_in_rtts else value * metrics.METRICS[x].scale
        for number, value in _means(summary, x)
        if not is_in_rtts or number in rtts
    }
    y_values = {number: value * metrics.METRICS[y].scale for number, value in _means(summary, y)}
    titles = [
        _title("Queueing delay", "BDP") if is_in_rtts else _title_of(x),
        _title_of(y) if y != "utilisation" else _title("Link used", metrics.METRICS[y].shown_unit),
    ]
    rows = [
        [number, float(f"{x_values[number]:.5g}"), float(f"{y_values[number]:.5g}")]
        for number in sorted(x_values)
        if number in y_values
    ]
    return {"x": titles[0], "y": titles[1], "rows": rows} if rows else None


def _means(summary: pl.DataFrame, name: str) -> list[tuple[int, float]]:
    """Each combination's mean; the mean over its variants where it has several."""
    rows = summary.filter((pl.col("metric") == name) & pl.col("mean").is_not_null())
    return rows.group_by("combination", maintain_order=True).agg(pl.col("mean").mean()).rows()


def _title(words: str, unit: str) -> str:
    return f"{words} [{unit}]" if unit else words


def _title_of(name: str) -> str:
    return _title(metrics.METRICS[name].title, metrics.METRICS[name].shown_unit)
