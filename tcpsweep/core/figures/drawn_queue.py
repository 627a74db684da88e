# SPDX-License-Identifier: MIT
"""The choice of a cell's queue to draw: where links are named, the bottleneck's queue."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from tcpsweep.core.words import link_words


def is_drawn(measures: pl.DataFrame) -> pl.Expr:
    """The rows of a cell's table `queue` that are drawn.

    The cell's table `measures` names links where the network is described, or has several.
    """
    bottleneck = binding(measures)
    if bottleneck is None:
        return pl.col("direction") == "forward"
    link, direction = bottleneck
    return (pl.col("link") == link) & (pl.col("direction") == direction)


def binding(measures: pl.DataFrame) -> tuple[str, str] | None:
    """The link that is the bottleneck, and its direction; None where links have no names."""
    bottleneck = measures.filter(pl.col("metric") == "binds", pl.col("value") == 1)
    return None if bottleneck.is_empty() else (bottleneck["link"][0], bottleneck["direction"][0])


def link_words_of(measured: Path) -> str:
    """The words for the drawn queue's link, of the cell whose metrics lie in a folder; empty if links have no names."""
    bottleneck = binding(_link_measures(measured))
    return link_words.said(*bottleneck) if bottleneck else ""


def rows_of_cell(measured: Path) -> pl.Expr:
    """As `is_drawn`, of the cell whose metrics lie in a folder."""
    return is_drawn(_link_measures(measured))


def _link_measures(measured: Path) -> pl.DataFrame:
    return pl.read_parquet(measured / "measures.parquet", columns=["link", "direction", "metric", "value"])
