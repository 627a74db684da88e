# SPDX-License-Identifier: MIT
"""What a combination's network is while nothing queues: round trips, the bandwidth-delay product, full packets.

As `ns3-scenarios/lib/` has it: `FlowParameters::baseRtt`, `ScenarioParameters::bdpBytes`, `BufferSize::Resolve`.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tcpsweep.sweep import network_graph
from tcpsweep.sweep.matching import Settings
from tcpsweep.words import quantities

PPP_BYTES = 2
_IP_BYTES = {4: 20, 6: 40}
_TCP_BYTES, _TIMESTAMP_BYTES = 20, 12


@dataclass(frozen=True)
class Topology:
    """What of a scenario's topology the functions here need."""

    access_links: int = 2  # how many access links a packet crosses beside the bottleneck
    ip: int = 4  # the version of IP, 4 or 6
    # Of a described network: the defaults of fields, by ``links``, ``flows`` and ``traffic``; empty for others
    defaults: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, compare=False)
    # The round-trip time of a bandwidth-delay product, in s, where it is not the longest of all flows
    longest_s: float | None = None


DUMBBELL = Topology()


def of_flow(value: Any, flow: int) -> Any:
    """A flow's value of a parameter; a list gives one value per flow, in turn."""
    return value[flow % len(value)] if isinstance(value, list | tuple) else value


def round_trip_s(row: Settings, flow: int, topology: Topology = DUMBBELL) -> float:
    """A flow's base round-trip time, in s: a packet's way and its ACK's, with empty queues."""
    access = of_access_links(row, "access_delay", flow, "0s")[: topology.access_links]
    way_s: float = quantities.si(row["delay"], "time") + sum(quantities.si(delay, "time") for delay in access)
    return 2 * way_s


def of_access_links(row: Settings, name: str, flow: int, without: Any) -> tuple[Any, Any]:
    """A parameter of a flow's access links, its sender's and its receiver's; ``without`` where there are none."""
    sender = of_flow(row.get(name, without), flow)
    receiver = of_flow(row.get(f"receiver_{name}", "same"), flow)
    return sender, sender if receiver == "same" else receiver


def round_trips_s(row: Settings, topology: Topology) -> tuple[float, ...]:
    """The base round-trip time of each flow, reverse flows included."""
    if topology.defaults:
        return network_graph.round_trips_s(row, topology.defaults["links"]["delay"])
    return tuple(round_trip_s(row, flow, topology) for flow in range(row["flows"] + row["reverse_flows"]))


def bdp_bytes(row: Settings, topology: Topology) -> float:
    """The bandwidth-delay product: bottleneck rate × largest base round-trip time."""
    longest_s = max(round_trips_s(row, topology)) if topology.longest_s is None else topology.longest_s
    bits: float = quantities.si(row["bandwidth"], "rate") * longest_s
    return bits / 8


def packet_bytes(row: Settings, topology: Topology) -> int:
    """A full packet with IP's header, as queue discs count it."""
    stamps = 0 if row.get("ns3::TcpSocketBase::Timestamp") == "false" else _TIMESTAMP_BYTES
    size: int = row["segment_size"] + _IP_BYTES[topology.ip] + _TCP_BYTES + stamps
    return size


def in_queue(row: Settings, size: str, topology: Topology) -> tuple[float, str]:
    """A size in packets, bytes or bandwidth-delay products as a queue holds it: a number of ``p`` or of ``B``."""
    amount, unit = quantities.split(size) or ("0", "p")
    if unit == "bdp":
        wire_bytes = packet_bytes(row, topology) + PPP_BYTES
        return max(1, math.floor(float(amount) * bdp_bytes(row, topology) / wire_bytes + 0.5)), "p"
    return float(amount), unit
