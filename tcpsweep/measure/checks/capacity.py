# SPDX-License-Identifier: MIT
"""Checks of the bottleneck's throughput and queueing delay against its capacity and buffers."""

from collections.abc import Iterator
from typing import cast

import numpy as np

from tcpsweep.measure.checks.audited_cell import CLOCK_S, HEADERS_BYTES, PPP_BYTES, Check, Events, Network
from tcpsweep.words import quantities

_FIRST_IN_FIRST_OUT = ("none", "FifoQueueDisc", "RedQueueDisc", "CoDelQueueDisc", "CobaltQueueDisc", "PieQueueDisc")


def capacity(events: Events, network: Network) -> Iterator[Check]:
    """Throughput within capacity, over all of the time and in each second."""
    sent = events.are("transmit")
    if not sent.any():
        return
    packet = network.longest_packet_bytes
    most = network.capacity_bytes(0, network.end_s) + packet
    wire_bytes = events.wire_bytes[sent]
    yield "carried_bytes", None, 0, int(wire_bytes.sum()), most
    in_second = np.bincount(events.time_s[sent].astype(np.int64), weights=wire_bytes).tolist()
    found = [
        (carried, network.capacity_bytes(second, second + 1) + packet)
        for second, carried in enumerate(in_second)
        if carried
    ]
    carried, most = max(found, key=lambda pair: pair[0] - pair[1])
    yield "busiest_second_bytes", None, 0, carried, most


def bounds_delay(disc: str) -> bool:
    """Whether a queue disc sends first what came first, so that its buffer bounds its delay."""
    return disc.removeprefix("ns3::") in _FIRST_IN_FIRST_OUT


def queueing(events: Events, network: Network) -> Iterator[Check]:
    """No packet waits longer than it takes to send full buffers and a packet in transmission."""
    disc, waited = network.parameters["queue_disc"].removeprefix("ns3::"), events.delay_s
    if not bounds_delay(disc) or not len(waited):
        return
    packet = network.longest_packet_bytes
    held = _most_bytes(network.derived["queue_packets"], network.derived["queue_bytes"], packet)
    if disc != "none":
        packets, size_bytes = quantities.buffer_size(network.parameters["device_queue"])
        held += _most_bytes(packets, size_bytes, packet)
    yield "queueing_delay_s", None, 0, float(waited.max()), (held + packet) * 8 / network.least_rate_bps + CLOCK_S


def _most_bytes(packets: int | None, size_bytes: int | None, packet: int) -> float:
    """The most that a buffer holds, in bytes on the wire; a disc counts its bytes without PPP's header."""
    return packets * packet if packets else cast(int, size_bytes) * (1 + PPP_BYTES / HEADERS_BYTES)
