# SPDX-License-Identifier: MIT
"""The flows' waits, drops, losses and marks at the links of their paths, their retransmissions and timeouts."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from tcpsweep.measure.cell import Cell, OfFlows
from tcpsweep.measure.percentiles import PERCENTILES, spread
from tcpsweep.words import table_columns

_COUNTED = {
    "acked_bytes": "acked_bytes",
    "retransmitted_bytes": "retransmitted_bytes",
    "duplicate_bytes": "spurious_bytes",
    "timeouts": "timeouts",
}
_COUNTS = ("drops", "losses", "marks", "carried")
_DELAY = "queueing_delay"


def at_the_links(cell: Cell) -> pl.LazyFrame | None:
    """What each link did with each flow's packets within the flow's life.

    Their times from entering its buffer to the start of transmission, and the numbers of packets by what became of
    them: ``drops``, ``losses``, ``marks``, ``carried``. Where links are named, there is a row for each that the flow
    crosses, with ``link`` and ``direction``.
    """
    if cell.queue is None:
        return None
    by = ["flow", "link", "direction"] if cell.names_links else ["flow"]
    columns = [*by, "time_s", "event", "delay_s"]
    queued = cell.within(cell.queue.lazy().select(columns).filter(pl.col("flow") >= 0))
    sent = pl.col("delay_s").filter(pl.col("event") == "transmit")
    return queued.group_by(by).agg(
        *spread(sent, _DELAY),
        drops=_count("drop", "drop_after_wait"),
        losses=_count("loss"),
        marks=_count("mark"),
        carried=_count("transmit"),
    )


def _count(*events: str) -> pl.Expr:
    names = pl.Series(events, dtype=table_columns.EVENT)
    return pl.col("event").is_in(names.implode()).sum().cast(pl.Int64)


def losses(cell: Cell, found: pl.DataFrame) -> OfFlows:
    """The times that packets waited, and how many their links dropped, lost and marked: counts, and shares.

    Over several links, drops, losses and marks are sums, and shares are of the packets that came to the first of the
    links, or that it carried. A mean wait is the sum of the links' means. The sum of percentiles is no percentile, so
    a flow has these over one link alone.

    Parameters
    ----------
    cell : Cell
    found : DataFrame
        From `at_the_links`.
    """
    by_flow = _by_flow(cell, found)
    rows = [by_flow.get(flow, ()) for flow, *_ in cell.life_rows]
    drops, lost, marks, _ = ([sum(row[name] for row in of_flow) for of_flow in rows] for name in _COUNTS)
    carried = [of_flow[0]["carried"] if of_flow else 0 for of_flow in rows]
    came = [of_flow[0]["carried"] + of_flow[0]["drops"] if of_flow else 0 for of_flow in rows]
    return _waits(cell, by_flow) | {
        "lost_packets": cell.of_lives(map(sum, zip(drops, lost, strict=True))),
        "congestion_loss": cell.of_lives(map(_share, drops, came)),
        "random_loss": cell.of_lives(map(_share, lost, carried)),
        "ecn_marks": cell.of_lives(map(_share, marks, came)),
    }


def _by_flow(cell: Cell, found: pl.DataFrame) -> Mapping[int, Sequence[dict[str, Any]]]:
    """The rows of each flow, in the order of the links of its path."""
    rows: dict[int, list[dict[str, Any]]] = {}
    for row in found.iter_rows(named=True):
        rows.setdefault(row["flow"], []).append(row)
    if cell.names_links:
        for flow, of_flow in rows.items():
            places = {way: place for place, way in enumerate(cell.paths[flow])}
            rows[flow] = sorted(of_flow, key=lambda row: places[row["link"], row["direction"]])
    return rows


def _waits(cell: Cell, by_flow: Mapping[int, Sequence[dict[str, Any]]]) -> OfFlows:
    """The means and percentiles of the times that each flow's packets waited."""
    mean, *ranks = (f"{_DELAY}_{each}_s" for each in ("mean", *PERCENTILES))
    found: OfFlows = {mean: {}, **{rank: {} for rank in ranks}}
    for flow, rows in by_flow.items():
        means = [row[mean] for row in rows]
        found[mean][flow] = means[0] if len(means) == 1 else None if None in means else sum(means)
        for rank in ranks:
            found[rank][flow] = rows[0][rank] if len(cell.paths[flow]) == 1 else None
    return found


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole > 0 else None


def retransmissions(cell: Cell) -> OfFlows:
    """Bytes acknowledged, retransmitted, and retransmitted in vain, and the number of timeouts."""
    return {name: cell.of_lives(cell.gain(trace).tolist()) for trace, name in _COUNTED.items() if trace in cell.traces}
