# SPDX-License-Identifier: MIT
"""The flows' drops, losses and marks at the bottleneck, their retransmissions and timeouts."""

import polars as pl

from tcpsweep.measure.cell import Cell
from tcpsweep.words import table_columns

_COUNTED = {
    "acked_bytes": "acked_bytes",
    "retransmitted_bytes": "retransmitted_bytes",
    "duplicate_bytes": "spurious_bytes",
    "timeouts": "timeouts",
}


def losses(cell: Cell, lives: pl.DataFrame) -> pl.DataFrame | None:
    """Packets that the bottleneck dropped, lost and marked: counts, and shares."""
    if cell.queued is None:
        return None
    counts = cell.queued.group_by("flow").agg(
        drops=_count("drop", "drop_after_wait"),
        losses=_count("loss"),
        marks=_count("mark"),
        carried=_count("transmit"),
    )
    came = pl.col("carried") + pl.col("drops")
    return (
        lives.join(counts, on="flow", how="left")
        .with_columns(pl.col("drops", "losses", "marks", "carried").fill_null(0))
        .select(
            "flow",
            lost_packets=pl.col("drops") + pl.col("losses"),
            congestion_loss=pl.when(came > 0).then(pl.col("drops") / came),
            random_loss=pl.when(pl.col("carried") > 0).then(pl.col("losses") / pl.col("carried")),
            ecn_marks=pl.when(came > 0).then(pl.col("marks") / came),
        )
    )


def _count(*events: str) -> pl.Expr:
    names = pl.Series(events, dtype=table_columns.EVENT)
    return pl.col("event").is_in(names.implode()).sum().cast(pl.Int64)


def retransmissions(cell: Cell, lives: pl.DataFrame) -> pl.DataFrame:
    """Bytes acknowledged, retransmitted, and retransmitted in vain, and the number of timeouts."""
    found = {name: cell.gain(trace) for trace, name in _COUNTED.items() if trace in cell.traces}
    return lives.select("flow", **found)
