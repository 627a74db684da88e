# SPDX-License-Identifier: MIT
"""Whether a flow is steady, and its shape over time. The means of a flow that is not steady depend on the end time."""

from collections.abc import Iterator
from typing import cast

import numpy as np
import polars as pl

from tcpsweep.core.measure import flow_rows
from tcpsweep.core.measure.cell import Cell, Numbers, OfFlows
from tcpsweep.core.words.thresholds import LEAST_EPOCHS, LEVEL, TREND_PARTS


def is_steady(epochs: int, level: bool | None) -> bool:
    """Whether a flow is steady, from its number of congestion epochs and its result of `level`."""
    return epochs >= LEAST_EPOCHS or (epochs == 0 and bool(level))


def level(cell: Cell) -> dict[int, bool | None]:
    """Whether each flow's goodput was the same in equal parts of its life; None where payload was not traced."""
    if "received_bytes" not in cell.traces:
        return {flow: None for flow, *_ in cell.life_rows}
    levels: dict[int, bool | None] = {}
    for (flow, *_), gained in zip(cell.life_rows, _gains(cell, LEAST_EPOCHS), strict=True):
        mean = _mean(gained)
        levels[flow] = mean > 0 and float(np.abs(gained - mean).max()) <= LEVEL * mean
    return levels


def shapes(cell: Cell) -> OfFlows:
    """How each flow's goodput and one-way delay change over its life, as shares of their means.

    ``goodput_trend`` and ``owd_trend`` are the rise over the whole life of the least-squares line through
    `TREND_PARTS` equal parts. ``goodput_bend`` and ``owd_bend`` are the mean of the middle three fifths minus the mean
    of the first and last fifths. A part's delay is the mean over its packets. Parts of one run depend on each other, so
    `analysis.stationarity` tests the shapes over runs. A shape is None if nothing arrived. Without a trace, its metrics
    are missing.
    """
    parts: dict[str, Iterator[Numbers]] = {}
    if "received_bytes" in cell.traces:
        parts["goodput"] = _gains(cell, TREND_PARTS)
    if "owd_s" in cell.traces:
        parts["owd"] = _delays(cell, TREND_PARTS)
    metrics: OfFlows = {}
    for name, of_lives in parts.items():
        shape_rows = [_shape(values) for values in of_lives]
        for position, shape in enumerate(("trend", "bend")):
            metrics[f"{name}_{shape}"] = cell.of_lives(row[position] for row in shape_rows)
    return metrics


def _shape(values: Numbers) -> tuple[float | None, float | None]:
    """The rise and the bend of equal parts' values, as shares of their mean; None where that is not above 0."""
    mean = _mean(values)
    if not mean > 0:
        return None, None
    offsets = np.arange(len(values)) - (len(values) - 1) / 2
    slope = sum((offsets * values).tolist()) / sum((offsets**2).tolist())
    fifth = len(values) // 5
    middle, outer = values[fifth:-fifth], np.concatenate((values[:fifth], values[-fifth:]))
    return slope * len(values) / mean, (_mean(middle) - _mean(outer)) / mean


def _mean(values: Numbers) -> float:
    return cast(float, pl.Series(values).mean())


def _gains(cell: Cell, parts: int) -> Iterator[Numbers]:
    """The payload that arrived in equal parts of each flow's life, in the order of `Cell.lives`."""
    for flow, from_s, to_s in cell.life_rows:
        yield np.diff(cell.counted("received_bytes", flow, _part_ends(from_s, to_s, parts)))


def _part_ends(from_s: float, to_s: float, parts: int) -> list[float]:
    return [from_s + (to_s - from_s) * part / parts for part in range(parts + 1)]


def _delays(cell: Cell, parts: int) -> Iterator[Numbers]:
    """The mean one-way delay of the packets in equal parts of each flow's life; NaN where a part has none."""
    rows = flow_rows.rows_by_flow(cell.traces["owd_s"], "time_s", "value")
    nothing = np.zeros(0), np.zeros(0)
    for flow, from_s, to_s in cell.life_rows:
        time_s, delay_s = rows.get(flow, nothing)
        sums = np.concatenate(([0.0], np.cumsum(delay_s)))
        row_numbers = np.searchsorted(time_s, _part_ends(from_s, to_s, parts), side="right")
        with np.errstate(invalid="ignore"):
            yield np.diff(sums[row_numbers]) / np.diff(row_numbers)
