# SPDX-License-Identifier: MIT
"""Whether a flow is steady, so that its mean does not depend on where the simulation was cut."""

from typing import cast

import polars as pl

from tcpsweep.measure.cell import Cell
from tcpsweep.words.thresholds import LEAST_EPOCHS, LEVEL


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
    for flow, from_s, to_s in cell.lives.iter_rows():
        ends = [from_s + (to_s - from_s) * part / LEAST_EPOCHS for part in range(LEAST_EPOCHS + 1)]
        gained = cell.counted("received_bytes", flow, ends).diff().drop_nulls()
        mean = cast(float, gained.mean())
        found.append(mean > 0 and cast(float, (gained - mean).abs().max()) <= LEVEL * mean)
    return cell.lives.select("flow", level=pl.Series(found, dtype=pl.Boolean))
