# SPDX-License-Identifier: MIT
"""Estimate how many packets a described network carries, and over how many links."""

from typing import NamedTuple

from tcpsweep.sweep import network_graph
from tcpsweep.sweep.matching import Settings
from tcpsweep.sweepfile import network_fields, network_loads, network_views
from tcpsweep.words import quantities

_HEADERS = 54  # of TCP with timestamps, IP and PPP, in bytes


class Carried(NamedTuple):
    """What a network carries: data packets, the links that these cross, the most that are in flight, and its nodes."""

    packets: float
    hops: float
    in_flight: float
    nodes: int


def of(row: Settings) -> Carried:
    """Estimate what the network of a combination carries in a run."""
    network, duration_s = network_views.network_of(row), float(quantities.si(row["duration"], "time"))
    packets = hops = 0.0
    for load in network_loads.of(row):
        sent = min(load.packets_per_s * duration_s, load.most_packets)
        packets += sent
        hops += sent * load.links
    default = network_fields.defaults("links")["bandwidth"]
    rates = (network_graph.link_value(row, link, "bandwidth", True, default) for link in network.links)
    fastest_bps = max(float(quantities.si(rate, "rate")) for rate in rates)
    trips = network_views.round_trips_s(row)
    packet_bits = 8 * (row["segment_size"] + _HEADERS)
    in_flight = 2 * max(trips, default=0.0) * fastest_bps / packet_bits * min(len(network.links), 10)
    return Carried(packets, hops, in_flight, len(network.nodes))
