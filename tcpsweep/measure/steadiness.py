# SPDX-License-Identifier: MIT
"""Whether a flow is steady, and its trend: whether its mean depends on where the simulation was cut."""

from collections.abc import Iterator
from typing import cast

import polars as pl

from tcpsweep.measure.cell import Cell
from tcpsweep.words.thresholds import LEAST_EPOCHS, LEVEL, TREND_PARTS


def is_steady() -> pl.Expr:
    """Whether a flow is steady, as an expression over ``congestion_epochs`` and ``level``."""
    epochs = pl.col("congestion_epochs")
    return (epochs >= LEAST_EPOCHS) | ((epochs == 0) & pl.col("level").fill_null(False))


def level(cell: Cell) -> pl.DataFrame:
    """Whether each flow's goodput was the same in equal parts of its life.

    Returns
    -------
    DataFrame
        ``flow``, ``level``; null where payload was not traced.
    """
    if "received_bytes" not in cell.traces:
        return cell.lives.select("flow", level=pl.lit(None, pl.Boolean))
    found = []
    for gained in _gained(cell, LEAST_EPOCHS):
        mean = cast(float, gained.mean())
        found.append(mean > 0 and cast(float, (gained - mean).abs().max()) <= LEVEL * mean)
    return cell.lives.select("flow", level=pl.Series(found, dtype=pl.Boolean))


def trends(cell: Cell, lives: pl.DataFrame) -> pl.DataFrame | None:
    """By how much each flow's goodput rises over its life, as a share of its mean.

    The slope is that of the least-squares line through the goodput in each of `TREND_PARTS` equal parts, over their
    number. Of a single run, whose parts depend on each other, it shows nothing; `analysis.stationarity` tests it over
    runs.

    Returns
    -------
    DataFrame or None
        ``flow``, ``goodput_trend``, null if nothing arrived; None if payload was not traced.
    """
    if "received_bytes" not in cell.traces:
        return None
    centre = (TREND_PARTS - 1) / 2
    offsets = [part - centre for part in range(TREND_PARTS)]
    squares = sum(offset**2 for offset in offsets)
    found = []
    for gained in _gained(cell, TREND_PARTS):
        mean = cast(float, gained.mean())
        slope = sum(offset * gain for offset, gain in zip(offsets, gained, strict=True)) / squares
        found.append(slope * TREND_PARTS / mean if mean > 0 else None)
    return lives.select("flow", goodput_trend=pl.Series(found, dtype=pl.Float64))


def _gained(cell: Cell, parts: int) -> Iterator[pl.Series]:
    """The payload that arrived in equal parts of each flow's life, in the order of `Cell.lives`."""
    for flow, from_s, to_s in cell.lives.iter_rows():
        ends = [from_s + (to_s - from_s) * part / parts for part in range(parts + 1)]
        yield cell.counted("received_bytes", flow, ends).diff().drop_nulls()
