# SPDX-License-Identifier: MIT
"""How fast a network is for a simulator in real time: how many packets cross its links in a second."""

from tcpsweep.sweep import network_graph
from tcpsweep.sweep.matching import Settings
from tcpsweep.sweepfile import network_loads, schema
from tcpsweep.words import quantities

# Packets that one simulator takes per second in real time with lags that results bear, where a processor's core is its
# own: docs/linux.md. Each counts on each link that it crosses, and an ACK as a packet.
MOST_CROSSINGS = 40_000
_HEADERS = 54  # of TCP with timestamps, IP and PPP, in bytes
_WITH_ACKS = 1.5  # one for every other packet


def crossings_per_s(row: Settings, scenario: str) -> float:
    """How many links packets and ACKs cross in a second, all together, while all flows of a combination send."""
    if network_graph.is_described(row):
        return _WITH_ACKS * sum(load.packets_per_s * load.links for load in network_loads.of(row))
    return float(quantities.si(row["bandwidth"], "rate")) / _packet_bits(row) * _WITH_ACKS * schema.links(scenario)


def most_bps(row: Settings, scenario: str) -> float:
    """The highest rate of a combination's bottleneck that real time bears."""
    return MOST_CROSSINGS / _WITH_ACKS / schema.links(scenario) * _packet_bits(row)


def _packet_bits(row: Settings) -> float:
    return float(8 * (row["segment_size"] + _HEADERS))
