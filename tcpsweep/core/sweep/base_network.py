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
from tcpsweep.core.words import quantities

PPP_BYTES = 2
IP_BYTES = {4: 20, 6: 40}
TCP_BYTES, TIMESTAMP_BYTES = 20, 12


@dataclass(frozen=True)
class Topology:
    """The properties of a scenario's topology that the functions here need."""

    access_links: int = 2  # the access links that a packet crosses besides the bottleneck
    # For a custom topology: the defaults of fields, by ``links``, ``flows`` and ``traffic``; else empty
    defaults: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, compare=False)
    # The largest IP packet that crosses the bottleneck, if MTUs of paths bound it
    mtu: int | None = None
    # The round-trip time of the bandwidth-delay product, in s, if it is not the longest of all flows
    longest_s: float | None = None


DUMBBELL = Topology()


def of_flow(value: Any, flow: int) -> Any:
    """A flow's value of a parameter; a list gives one value per flow, in turn."""
    return value[flow % len(value)] if isinstance(value, list | tuple) else value


def round_trip_s(row: Settings, flow: int, topology: Topology = DUMBBELL) -> float:
    """A flow's base round-trip time, in s: the paths of a packet and its ACK, with empty queues."""
    access_delays = of_access_links(row, "access_delay", flow, "0s")[: topology.access_links]
    one_way_s: float = quantities.si(row["delay"], "time") + sum(
        quantities.si(delay, "time") for delay in access_delays
    )
    return 2 * one_way_s


def of_access_links(row: Settings, name: str, flow: int, without: Any) -> tuple[Any, Any]:
    """A parameter of a flow's two access links, the sender's and the receiver's; ``without`` if there are none."""
    sender = of_flow(row.get(name, without), flow)
    receiver = of_flow(row.get(f"receiver_{name}", "same"), flow)
    return sender, sender if receiver == "same" else receiver


def round_trips_s(row: Settings, topology: Topology) -> tuple[float, ...]:
    """Each flow's base round-trip time, reverse flows included."""
    if topology.defaults:
        return network_graph.round_trips_s(row, topology.defaults["links"]["delay"])
    return tuple(round_trip_s(row, flow, topology) for flow in range(row["flows"] + row["reverse_flows"]))


def bdp_bytes(row: Settings, topology: Topology) -> float:
    """The bandwidth-delay product: bottleneck rate × largest base round-trip time."""
    longest_s = max(round_trips_s(row, topology)) if topology.longest_s is None else topology.longest_s
    bits: float = quantities.si(row["bandwidth"], "rate") * longest_s
    return bits / 8


def packet_bytes(row: Settings, topology: Topology) -> int:
    """The size of a full packet with its IP header, the size that queue discs count."""
    timestamp_bytes = 0 if row.get("ns3::TcpSocketBase::Timestamp") == "false" else TIMESTAMP_BYTES
    size: int = row["segment_size"] + IP_BYTES[row.get("ip", 4)] + TCP_BYTES + timestamp_bytes
    return min(size, topology.mtu or size)


def in_queue(row: Settings, size: str, topology: Topology) -> tuple[float, str]:
    """A size in packets, bytes or bandwidth-delay products, as a queue's number of ``p`` or ``B``."""
    amount, unit = quantities.split(size) or ("0", "p")
    if unit == "bdp":
        wire_bytes = packet_bytes(row, topology) + PPP_BYTES
        return max(1, math.floor(float(amount) * bdp_bytes(row, topology) / wire_bytes + 0.5)), "p"
    return float(amount), unit
