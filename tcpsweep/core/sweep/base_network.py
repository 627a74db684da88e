# SPDX-License-Identifier: MIT
"""A link with empty queues: its bandwidth-delay product, its full packets, and sizes of its queue.

`ns3-scenarios/lib/` has the same: `ScenarioParameters::bdpBytes`, `BufferSize::Resolve`.
"""

import math
from dataclasses import dataclass

from tcpsweep.core.sweep.matching import Settings
from tcpsweep.core.words import units

PPP_BYTES = 2
IP_BYTES = {4: 20, 6: 40}
TCP_BYTES, TIMESTAMP_BYTES = 20, 12


@dataclass(frozen=True)
class Topology:
    """The properties of a link that the functions here need."""

    longest_s: float  # the longest base round trip, that of the bandwidth-delay product
    mtu: int | None = None  # the largest IP packet, if MTUs of paths bound it


def bdp_bytes(row: Settings, topology: Topology) -> float:
    """The bandwidth-delay product: bottleneck rate × largest base round-trip time."""
    bits: float = units.si(row["bandwidth"], "rate") * topology.longest_s
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
