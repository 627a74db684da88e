# SPDX-License-Identifier: MIT
"""The flows' waits, drops, losses and marks at the bottleneck, their retransmissions and timeouts."""

import polars as pl

from tcpsweep.measure.cell import Cell, OfFlows
from tcpsweep.measure.percentiles import spread
from tcpsweep.words import table_columns

_COUNTED = {
    "acked_bytes": "acked_bytes",
    "retransmitted_bytes": "retransmitted_bytes",
    "duplicate_bytes": "spurious_bytes",
    "timeouts": "timeouts",
}
_COUNTS = ("drops", "losses", "marks", "carried")


def at_the_bottleneck(cell: Cell) -> pl.LazyFrame | None:
    """What the bottleneck did with the flows' packets within their lives.

    Their times from entering its buffer to the start of transmission, and the numbers of packets by what became of
    them: ``drops``, ``losses``, ``marks``, ``carried``.
    """
    if cell.queue is None:
        return None
    columns = ["flow", "time_s", "event", "delay_s"]
    queued = cell.within(cell.queue.lazy().select(columns).filter(pl.col("flow") >= 0))
    sent = pl.col("delay_s").filter(pl.col("event") == "transmit")
    return queued.group_by("flow").agg(
        *spread(sent, "queueing_delay"),
        drops=_count("drop", "drop_after_wait"),
        losses=_count("loss"),
        marks=_count("mark"),
        carried=_count("transmit"),
    )


def _count(*events: str) -> pl.Expr:
    names = pl.Series(events, dtype=table_columns.EVENT)
    return pl.col("event").is_in(names.implode()).sum().cast(pl.Int64)


def losses(cell: Cell, found: OfFlows) -> OfFlows:
    """The times that packets waited, and how many the bottleneck dropped, lost and marked: counts, and shares.

    Parameters
    ----------
    cell : Cell
    found : dict
        From `at_the_bottleneck`.
    """
    counts = [[int(found[name].get(flow) or 0) for flow, *_ in cell.life_rows] for name in _COUNTS]
    rows = list(zip(*counts, strict=True))
    return {name: values for name, values in found.items() if name not in _COUNTS} | {
        "lost_packets": cell.of_lives(drops + losses for drops, losses, _, _ in rows),
        "congestion_loss": cell.of_lives(_share(drops, carried + drops) for drops, _, _, carried in rows),
        "random_loss": cell.of_lives(_share(losses, carried) for _, losses, _, carried in rows),
        "ecn_marks": cell.of_lives(_share(marks, carried + drops) for drops, _, marks, carried in rows),
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole > 0 else None


def retransmissions(cell: Cell) -> OfFlows:
    """Bytes acknowledged, retransmitted, and retransmitted in vain, and the number of timeouts."""
    return {name: cell.of_lives(cell.gain(trace).tolist()) for trace, name in _COUNTED.items() if trace in cell.traces}
