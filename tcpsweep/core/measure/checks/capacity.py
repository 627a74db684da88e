# SPDX-License-Identifier: MIT
"""Checks of links' throughput and queueing delay against their capacity and buffers."""

from collections.abc import Iterator
from typing import cast

import numpy as np

from tcpsweep.core.measure.checks.audited_cell import CLOCK_S, PPP_BYTES, Check, Events, Network
from tcpsweep.core.measure.traced_ways import TracedWay

_TICK_S = 1e-9
_FIRST_IN_FIRST_OUT = ("none", "FifoQueueDisc", "RedQueueDisc", "CoDelQueueDisc", "CobaltQueueDisc", "PieQueueDisc")


def capacity(events: Events, way: TracedWay, network: Network) -> Iterator[Check]:
    """Throughput within capacity, over the whole time and in each second."""
    sent = events.are("transmit")
    if not sent.any() or way.has_trace:
        return
    packet_bytes, wire_bytes = network.longest_packet_bytes, events.wire_bytes[sent]
    # ns-3 rounds the time of each transmission down to whole nanoseconds.
    cut_bytes = _TICK_S * way.largest_rate_bps / 8
    most_bytes = _capacity_bytes(way, 0, network.end_s) + packet_bytes + len(wire_bytes) * cut_bytes
    yield "carried_bytes", None, 0, int(wire_bytes.sum()), most_bytes
    seconds = events.time_s[sent].astype(np.int64)
    in_second, packets = np.bincount(seconds, weights=wire_bytes).tolist(), np.bincount(seconds).tolist()
    carried_and_most = [
        (carried, _capacity_bytes(way, second, min(second + 1, network.end_s)) + packet_bytes + count * cut_bytes)
        for second, (carried, count) in enumerate(zip(in_second, packets, strict=True))
        if carried
    ]
    carried, most_bytes = max(carried_and_most, key=lambda pair: pair[0] - pair[1])
    yield "busiest_second_bytes", None, 0, carried, most_bytes


def _capacity_bytes(way: TracedWay, from_s: float, to_s: float) -> float:
    """The integral of a link's rate."""
    return way.mean_rate(from_s, to_s) * (to_s - from_s) / 8 if to_s > from_s else 0.0


def bounds_delay(disc: str | None) -> bool:
    """Whether a queue disc is first in, first out, so that its buffer bounds its delay; true without a disc."""
    return (disc or "none").removeprefix("ns3::") in _FIRST_IN_FIRST_OUT


def has_bound(way: TracedWay) -> bool:
    """Whether a direction's delay has a known bound: a bounded buffer, first in, first out order, and a rate."""
    buffers = way.record
    is_limited = buffers["queue_packets"] is not None or buffers["queue_bytes"] is not None
    return is_limited and bounds_delay(buffers["queue_disc"]) and not way.has_trace


def queueing(events: Events, way: TracedWay, network: Network) -> Iterator[Check]:
    """No packet waits longer than the transmission time of full buffers and one packet."""
    buffers, waited = way.record, events.delay_s
    if not has_bound(way) or not len(waited):
        return
    packet = network.longest_packet_bytes
    wire_share = 1 + PPP_BYTES / network.headers_bytes
    buffer_bytes = _most_bytes(buffers["queue_packets"], buffers["queue_bytes"], packet, wire_share)
    if buffers["queue_disc"]:
        sizes = buffers["device_queue_packets"], buffers["device_queue_bytes"]
        buffer_bytes += _most_bytes(*sizes, packet, wire_share)
    yield "queueing_delay_s", None, 0, float(waited.max()), (buffer_bytes + packet) * 8 / way.least_rate_bps + CLOCK_S


def _most_bytes(packets: int | None, size_bytes: int | None, packet_bytes: int, wire_share: float) -> float:
    """The most that a buffer holds, in bytes on the wire; a queue disc counts bytes without the PPP header."""
    return packets * packet_bytes if packets else cast(int, size_bytes) * wire_share
