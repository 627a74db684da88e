# SPDX-License-Identifier: MIT
"""A combination's network with empty queues: round trips, the bandwidth-delay product, full packets.

`ns3-scenarios/lib/` has the same: `FlowParameters::baseRtt`, `ScenarioParameters::bdpBytes`, `BufferSize::Resolve`.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tcpsweep.core.sweep import network_graph
from tcpsweep.core.sweep.matching import Settings
from tcpsweep.core.words import units

PPP_BYTES = 2
IP_BYTES = {4: 20, 6: 40}
TCP_BYTES, TIMESTAMP_BYTES = 20, 12


@dataclass(frozen=True)
class Topology:
    """The properties of a scenario's topology that the functions here need."""

    # The defaults of fields in custom topologies, by ``links``, ``flows`` and ``traffic``
    defaults: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, compare=False)
    # The largest IP packet that crosses the bottleneck, if MTUs of paths bound it
    mtu: int | None = None
    # The round-trip time of the bandwidth-delay product, in s, if it is not the longest of all flows
    longest_s: float | None = None


def bdp_bytes(row: Settings, topology: Topology) -> float:
    """The bandwidth-delay product: bottleneck rate × largest base round-trip time."""
    longest_s = topology.longest_s
    if longest_s is None:
        longest_s = max(network_graph.round_trips_s(row, topology.defaults["links"]["delay"]))
    bits: float = units.si(row["bandwidth"], "rate") * longest_s
    return bits / 8


def packet_bytes(row: Settings, topology: Topology) -> int:
    """The size of a full packet with its IP header, the size that queue discs count."""
    timestamp_bytes = 0 if row.get("ns3::TcpSocketBase::Timestamp") == "false" else TIMESTAMP_BYTES
    size: int = row["segment_size"] + IP_BYTES[row.get("ip", 4)] + TCP_BYTES + timestamp_bytes
    return min(size, topology.mtu or size)


def in_queue(row: Settings, size: str, topology: Topology) -> tuple[float, str]:
    """A size in packets, bytes or bandwidth-delay products, as a queue's number of ``p`` or ``B``."""
    amount, unit = units.split(size) or ("0", "p")
    if unit == "bdp":
        wire_bytes = packet_bytes(row, topology) + PPP_BYTES
        return max(1, math.floor(float(amount) * bdp_bytes(row, topology) / wire_bytes + 0.5)), "p"
    return float(amount), unit
