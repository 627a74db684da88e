# SPDX-License-Identifier: MIT
"""The flows' queueing delays, drops, losses and marks on their paths, and their retransmissions and timeouts."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tcpsweep.core.measure import percentiles
from tcpsweep.core.measure.cell import Cell, Numbers, OfFlows
from tcpsweep.core.parse.parsed import Way
from tcpsweep.core.words import table_columns

_METRICS = {
    "acked_bytes": "acked_bytes",
    "retransmitted_bytes": "retransmitted_bytes",
    "duplicate_bytes": "spurious_bytes",
    "timeouts": "timeouts",
}
_COUNTS = ("drops", "losses", "marks")
_EVENTS = table_columns.EVENT.categories.to_list()
_TRANSMIT = _EVENTS.index("transmit")
_DELAY = "queueing_delay"


def losses(cell: Cell) -> OfFlows:
    """The times that packets waited, and the counts and shares of packets that links dropped, lost and marked.

    Over several links, drops, losses and marks are sums. Shares are of the packets that reached the first link, or that
    it carried. A mean wait is the sum of the links' means. The sum of percentiles is no percentile, so a flow has
    percentiles only if it crosses a single link.
    """
    if cell.queue is None:
        return {}
    by_flow = _outcomes_at_links(cell, cell.queue)
    rows = [by_flow.get(flow, ()) for flow, *_ in cell.life_rows]
    drops, lost, marks = ([sum(row[name] for row in flow_rows) for flow_rows in rows] for name in _COUNTS)
    carried = [flow_rows[0]["carried"] if flow_rows else 0 for flow_rows in rows]
    arrived = [flow_rows[0]["carried"] + flow_rows[0]["drops"] if flow_rows else 0 for flow_rows in rows]
    return _waits(cell, by_flow) | {
        "lost_packets": cell.of_lives(map(sum, zip(drops, lost, strict=True))),
        "congestion_loss": cell.of_lives(map(_share, drops, arrived)),
        "random_loss": cell.of_lives(map(_share, lost, carried)),
        "ecn_marks": cell.of_lives(map(_share, marks, arrived)),
    }


def _outcomes_at_links(cell: Cell, queue: pl.DataFrame) -> Mapping[int, Sequence[dict[str, Any]]]:
    """The outcomes of each flow's packets at each link within the flow's life: a row per link, in the path's order.

    A row has the times from entry into the link's buffer to the start of transmission, and the numbers of packets by
    outcome: ``drops``, ``losses``, ``marks``, ``carried``. Links without names count as one link.
    """
    if not cell.names_links:
        return {flow: [_outcomes_at_link(*columns)] for flow, columns in cell.lived(queue, "event", "delay_s").items()}
    outcomes: dict[int, dict[Way, dict[str, Any]]] = {}
    for way, link_queue in cell.queues.items():
        for flow, columns in cell.lived(link_queue.rows, "event", "delay_s").items():
            outcomes.setdefault(flow, {})[way] = _outcomes_at_link(*columns)
    return {
        flow: [of_links[way] for way in sorted(of_links, key=cell.paths[flow].index)]
        for flow, of_links in outcomes.items()
    }


def _outcomes_at_link(event: npt.NDArray[np.uint8], delay_s: Numbers) -> dict[str, Any]:
    """A row of `_outcomes_at_links`, from the events of a flow's packets at a link and their waits."""
    transmit, drop, drop_after_wait, mark, loss = np.bincount(event, minlength=len(_EVENTS)).tolist()
    waits = percentiles.spread_of(delay_s[event == _TRANSMIT], _DELAY)
    return {**waits, "drops": drop + drop_after_wait, "losses": loss, "marks": mark, "carried": transmit}


def _waits(cell: Cell, by_flow: Mapping[int, Sequence[dict[str, Any]]]) -> OfFlows:
    """The means and percentiles of the times that each flow's packets waited."""
    mean, *ranks = (f"{_DELAY}_{statistic}_s" for statistic in ("mean", *percentiles.PERCENTILES))
    waits: OfFlows = {mean: {}, **{rank: {} for rank in ranks}}
    for flow, rows in by_flow.items():
        means = [row[mean] for row in rows]
        waits[mean][flow] = None if None in means else sum(means)
        for rank in ranks:
            waits[rank][flow] = rows[0][rank] if len(cell.paths[flow]) == 1 else None
    return waits


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole > 0 else None


def retransmissions(cell: Cell) -> OfFlows:
    """Bytes acknowledged, retransmitted, and retransmitted in vain, and the number of timeouts."""
    return {name: cell.of_lives(cell.gain(trace).tolist()) for trace, name in _METRICS.items() if trace in cell.traces}
