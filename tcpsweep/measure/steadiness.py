# SPDX-License-Identifier: MIT
"""Whether a flow is steady, and its trend: whether its mean depends on where the simulation was cut."""

from collections.abc import Iterator
from typing import cast

import numpy as np
import polars as pl

from tcpsweep.measure.cell import Cell, Numbers, OfFlows
from tcpsweep.words.thresholds import LEAST_EPOCHS, LEVEL, TREND_PARTS


def is_steady(epochs: int, level: bool | None) -> bool:
    """Whether a flow is steady that went through so many congestion epochs, by what `level` says of it."""
    return epochs >= LEAST_EPOCHS or (epochs == 0 and bool(level))


def level(cell: Cell) -> dict[int, bool | None]:
    """Whether each flow's goodput was the same in equal parts of its life; None where payload was not traced."""
    if "received_bytes" not in cell.traces:
        return {flow: None for flow, *_ in cell.life_rows}
    found: dict[int, bool | None] = {}
    for (flow, *_), gained in zip(cell.life_rows, _gained(cell, LEAST_EPOCHS), strict=True):
        mean = _mean(gained)
        found[flow] = mean > 0 and float(np.abs(gained - mean).max()) <= LEVEL * mean
    return found


def trends(cell: Cell) -> OfFlows:
    """By how much each flow's goodput rises over its life, as a share of its mean, ``goodput_trend``.

    The slope is that of the least-squares line through the goodput in each of `TREND_PARTS` equal parts, over their
    number. Of a single run, whose parts depend on each other, it shows nothing; `analysis.stationarity` tests it over
    runs. None if nothing arrived; no metric if payload was not traced.
    """
    if "received_bytes" not in cell.traces:
        return {}
    centre = (TREND_PARTS - 1) / 2
    offsets = [part - centre for part in range(TREND_PARTS)]
    squares = sum(offset**2 for offset in offsets)
    found = []
    for gained in _gained(cell, TREND_PARTS):
        mean = _mean(gained)
        slope = sum(offset * gain for offset, gain in zip(offsets, gained.tolist(), strict=True)) / squares
        found.append(slope * TREND_PARTS / mean if mean > 0 else None)
    return {"goodput_trend": cell.of_lives(found)}


def _mean(values: Numbers) -> float:
    return cast(float, pl.Series(values).mean())


def _gained(cell: Cell, parts: int) -> Iterator[Numbers]:
    """The payload that arrived in equal parts of each flow's life, in the order of `Cell.lives`."""
    for flow, from_s, to_s in cell.life_rows:
        ends = [from_s + (to_s - from_s) * part / parts for part in range(parts + 1)]
        yield np.diff(cell.counted("received_bytes", flow, ends))
