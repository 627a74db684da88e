# SPDX-License-Identifier: MIT
"""Checks of links' queues: against their own counters, and conservation before, on and after each link."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from tcpsweep.core.measure import traced_ways
from tcpsweep.core.measure.checks import untraced
from tcpsweep.core.measure.checks.audited_cell import (
    PPP_BYTES,
    AuditedCell,
    Check,
    Network,
    exact,
    unacknowledged_bytes,
)
from tcpsweep.core.measure.checks.traced_queue import Queue
from tcpsweep.core.measure.checks.untraced import Arrivals
from tcpsweep.core.measure.traced_ways import TracedWay
from tcpsweep.core.parse.parsed import Way
from tcpsweep.core.words import units


def counters(queue: Queue) -> Iterator[Check]:
    """The queue's trace against the simulator's own counters."""
    events, counted = queue.events, queue.way.record
    sent = events.are("transmit")
    yield exact("sent_packets", None, counted["sent_packets"], int(np.count_nonzero(sent)))
    yield exact("sent_bytes", None, counted["sent_bytes"], events.wire_bytes[sent].sum())
    for check, kinds in (
        ("drop_packets", ("drop", "drop_after_wait")),
        ("mark_packets", ("mark",)),
        ("loss_packets", ("loss",)),
    ):
        yield exact(check, None, counted[check], int(np.count_nonzero(events.are(*kinds))))
    losses = int(np.count_nonzero(events.are("loss")))
    if not queue.way.record["jitter_s"]:
        yield exact("losses_of_sent", None, losses, queue.losses)


def before(cell: AuditedCell, arrivals: dict[Way, dict[int, Arrivals]], queue: Queue) -> Iterator[Check]:
    """Conservation of the bytes that came to a link: carried, dropped, queued, or on the links before.

    Bytes come from hosts, where FlowMonitor counts them, or from the link before. No trace has the flows of ACKs that
    cross a link before. Then only data count, and the share of data in the queue at the end is unknown.
    """
    events, network, key = queue.events, cell.network, queue.way.key
    only_data = not _acks_are_known(cell, key)
    last_s = events.time_s[-1] if len(events.happened) else 0.0
    came_bytes, under_way_bytes = 0, 0.0
    for flow, data_bytes, ack_bytes in cell.flows.select("flow", "tx_bytes", "ack_tx_bytes").rows():
        path = cell.paths[flow]
        if key in path[1:]:
            arrived = arrivals[path[path.index(key) - 1]][flow]
            came_bytes += arrived.perhaps_bytes(network.end_s)
            under_way_bytes += arrived.perhaps_bytes(network.end_s) - arrived.surely_bytes(last_s)
        elif key in path[:1]:
            came_bytes += data_bytes or 0
            under_way_bytes += math.inf if untraced.may_lose(cell, flow) else unacknowledged_bytes(cell, flow)
        elif opposite(key) in path and not only_data:
            came_bytes += ack_bytes or 0
            under_way_bytes += unacknowledged_bytes(cell, flow)
    for cbr in () if only_data else cell.run.get("cbr_flows", ()):
        if key in traced_ways.path_ways(cbr["path"]):
            came_bytes += cbr["sent_packets"] * (cbr["packet_bytes"] + network.cbr_headers_bytes)
            under_way_bytes += _cbr_access_bytes(cbr, queue.way, network)
    has_left = events.are("transmit", "drop", "drop_after_wait")
    if only_data:
        has_left &= events.flow >= 0
    gone_bytes = int((events.wire_bytes[has_left] - PPP_BYTES).sum())
    # Packets that entered after the last event have no row, and count as if they were on the links before.
    queued_bytes = int(events.queued_bytes[-1] - PPP_BYTES * events.queued_packets[-1]) if len(events.happened) else 0
    # On a wireless path, any number of packets may be lost before the bottleneck.
    most_bytes = math.inf if network.wireless else queued_bytes + under_way_bytes
    yield "waiting_bytes", None, 0 if only_data else queued_bytes, came_bytes - gone_bytes, most_bytes


def opposite(way: Way) -> Way:
    """The other direction of a link."""
    link, direction = way
    return link, "reverse" if direction == "forward" else "forward"


def _acks_are_known(cell: AuditedCell, key: Way) -> bool:
    """Whether all packets in a direction of a link, other than flows' data, are ACKs directly from their receivers.

    ACKs take the path of the data back, unless there are several equal paths.
    """
    if cell.network.parameters.get("ecmp") == "true" or cell.has_other_traffic:
        return False
    return all(path[-1] == opposite(key) for path in cell.paths.values() if opposite(key) in path)


def _cbr_access_bytes(cbr: dict[str, Any], way: TracedWay, network: Network) -> float:
    """The most bytes of a CBR flow that may be on its access link, which may be too slow for the flow's rate."""
    packet_bytes: int = cbr["packet_bytes"] + network.cbr_headers_bytes
    access = [step for step in cbr["path"][:1] if (step["link"], step["direction"]) != way.key]
    rate_bps, delay_s = (access[0]["bandwidth_bps"], access[0]["delay_s"]) if access else (math.inf, 0.0)
    jitter_s = access[0]["jitter_s"] if access else 0.0
    sends_bps: float = units.si(network.parameters["cbr_rate"], "rate") * packet_bytes / cbr["packet_bytes"]
    packet_s = network.derived["wire_packet_bytes"] * 8 / way.least_rate_bps
    moving_bytes: float = sends_bps * (delay_s + jitter_s + packet_s + packet_bytes * 8 / rate_bps) / 8
    access_bps: float = rate_bps * packet_bytes / (packet_bytes + PPP_BYTES)
    return moving_bytes + max(0.0, sends_bps - access_bps) * network.end_s / 8 + 2 * packet_bytes


def between(cell: AuditedCell, arrivals: dict[Way, dict[int, Arrivals]], queue: Queue) -> Iterator[Check]:
    """Conservation per flow between a link and the one before it: sent, dropped, or still queued."""
    events, end_s = queue.events, cell.network.end_s
    has_left = events.are("transmit", "drop", "drop_after_wait")
    left_by_flow = np.bincount(events.flow[has_left & (events.flow >= 0)])
    queued, last_s = (int(events.queued_packets[-1]), events.time_s[-1]) if len(events.happened) else (0, 0.0)
    for flow in cell.after_another(queue.way.key):
        path = cell.paths[flow]
        arrived = arrivals[path[path.index(queue.way.key) - 1]][flow]
        left_count = int(left_by_flow[flow]) if flow < len(left_by_flow) else 0
        perhaps_count = int(np.count_nonzero(arrived.perhaps(end_s)))
        unsure_count = perhaps_count - int(np.count_nonzero(arrived.surely(last_s)))
        yield "reached_packets", flow, left_count, perhaps_count, left_count + queued + unsure_count


def delivered(cell: AuditedCell, arrivals: dict[Way, dict[int, Arrivals]]) -> Iterator[Check]:
    """The packets of each flow that came from its last link to its receiver, compared with FlowMonitor's count."""
    end_s = cell.network.end_s
    for row in cell.flows.iter_rows(named=True):
        path = cell.paths[row["flow"]]
        if not path or path[-1] not in arrivals or not cell.followed(row["flow"]):
            continue
        arrived = arrivals[path[-1]][row["flow"]]
        surely, perhaps = arrived.surely(end_s), arrived.perhaps(end_s)
        ip_bytes = arrived.wire_bytes - PPP_BYTES
        factor = 0 if cell.network.wireless else 1
        counts = int(np.count_nonzero(surely)), int(np.count_nonzero(perhaps))
        yield "delivered_packets", row["flow"], factor * counts[0], row["rx_packets"], counts[1]
        yield (
            "delivered_bytes",
            row["flow"],
            factor * int(ip_bytes[surely].sum()),
            row["rx_bytes"],
            int(ip_bytes[perhaps].sum()),
        )
