# SPDX-License-Identifier: MIT
"""Estimate a cell's cost from only its parameters, if no similar cell was measured.

A cost is a count of packets, of links that they cross, or of radio frames, times a coefficient. The coefficients were
measured with ns-3 3.44 from its wheel on one core of a common server.
"""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from tcpsweep.core.plan import network_loads
from tcpsweep.core.sweep import assignment, network_graph
from tcpsweep.core.sweep.base_network import of_access_links, of_flow, round_trip_s
from tcpsweep.core.sweep.cost import Cost
from tcpsweep.core.sweep.matching import Settings
from tcpsweep.core.sweep.sweep_parts import Capture, InputFile
from tcpsweep.core.sweepfile.keys import network_fields, schema
from tcpsweep.core.sweepfile.network import network_views
from tcpsweep.core.words import quantities

_FEWEST_LOSSES = 10  # the expected losses from which on a flow counts as limited by them

# CPU seconds: per cell, per packet, per link that a packet crosses, and per frame at each radio that receives it.
_START_S, _PACKET_S, _LINK_S = 0.3, 5e-6, 1.3e-5
_KERNEL_S, _KERNEL_PACKET_S = 0.3, 2e-4  # inside a kernel, beyond this
# The same in custom topologies, where an ACK counts as a packet on each link. The costs are of each cell, of a packet
# of a flow, of each link that a packet crosses, of a connection of other traffic, and of a node.
_NETWORK_S, _FLOWS_PACKET_S, _CROSSING_S, _CONNECTION_S, _NODE_S = 0.05, 1.5e-5, 5.7e-6, 3e-4, 4.4e-4
_FRAME_S = {"wifi-dumbbell": 1.3e-5, "lrwpan-dumbbell": 1.3e-6}
# Bytes of memory: for Python, for the simulator, and in it per flow, per packet in flight, per packet waiting in a
# socket's buffer, and per node of a custom topology.
_PYTHON, _SIMULATOR, _FLOW, _IN_FLIGHT, _WAITING, _NODE = 8e7, 3e7, 3e5, 3e3, 3e2, 1e5
_LEAST_AUTO_BUFFER = 4 * 2**20  # a socket's buffer, in bytes
# Bytes of raw files and Parquet: per cell, per packet in all traces and in a queue's trace, and Parquet per raw text.
_RAW, _PARQUET, _TRACED, _QUEUED, _PARQUET_SHARE = 2e4, 4e4, 135, 45, 0.13
# The cost of each kind of capture: bytes of raw files, bytes of Parquet, and CPU seconds. Pcap headers count per packet
# with its ACK and per interface that it passes, frames per radio, others per packet and link.
_CAPTURE_COST = {
    "pcap": (180, 28, 1.6e-6),
    "frames": (110, 2.2, 3e-6),
    "ascii": (1900, 10, 6e-5),
    "anim": (155, 0, 3e-6),
}
_BEACONS_PER_S = 1 / 0.1024  # of a Wi-Fi access point
# The highest rate of a radio with one antenna in the standard's default channel.
_RADIO_BPS = {
    "802.11a": 54e6,
    "802.11b": 11e6,
    "802.11g": 54e6,
    "802.11n": 65e6,
    "802.11ac": 433e6,
    "802.11ax": 600e6,
    "802.15.4": 250e3,
}


class _Carried(NamedTuple):
    """The packets that a network carries in a run."""

    packets: float  # data packets
    hops: float  # link crossings of all packets together
    in_flight: float  # the most packets at a time, queues included
    waiting: float  # the most packets in socket buffers
    nodes: int = 0  # of a described network
    # Of this, the packets of flows, all that links carry, ACKs too, with queues alone, and traffic's connections
    flows: float = 0
    crossings: float = 0
    queued: float = 0
    connections: float = 0


def estimate(
    row: Settings, scenario: str, capture: Capture, inputs: Mapping[str, InputFile] = MappingProxyType({})
) -> Cost:
    """Estimate the cost of a run of a combination from its parameters, and from the files that these name."""
    carried = _carried(row, scenario, inputs)
    crossing, hops = carried.packets, carried.hops
    traced_share = len(capture.traces) / len(schema.default("capture", "traces"))
    text_bytes = crossing * (_TRACED * traced_share + _QUEUED * capture.queue)
    frames = _radio_frames(row, crossing)
    seconds = _START_S + _LINK_S * hops + _PACKET_S * crossing + _FRAME_S.get(schema.program(scenario), 0) * frames
    if carried.nodes:
        text_bytes = carried.flows * _TRACED * traced_share + carried.queued * _QUEUED * capture.queue
        seconds = _NETWORK_S + _FLOWS_PACKET_S * carried.flows + _CROSSING_S * carried.crossings
        seconds += _CONNECTION_S * carried.connections + _NODE_S * carried.nodes
    if assignment.is_kernel_asked(row):
        seconds += _KERNEL_S + _KERNEL_PACKET_S * crossing
    raw, parquet = _RAW + text_bytes * (1 + capture.text), _PARQUET + _PARQUET_SHARE * text_bytes
    pcap_packets = {"none": 0, "bottleneck": crossing, "all": 2 * (crossing if frames else hops)}[capture.pcap]
    pcap_frames = frames if capture.pcap == "all" else 0
    counts = {"pcap": pcap_packets, "frames": pcap_frames, "ascii": capture.ascii * hops, "anim": capture.anim * hops}
    for kind, count in counts.items():
        raw += count * _CAPTURE_COST[kind][0]
        parquet += count * _CAPTURE_COST[kind][1]
        seconds += count * _CAPTURE_COST[kind][2]
    if capture.snaplen != "headers":
        # In the air, one frame in four carries data.
        most_bytes = math.inf if capture.snaplen == "full" else capture.snaplen
        raw += (pcap_packets + pcap_frames / 4) * min(row["segment_size"], most_bytes)
    memory_bytes = _SIMULATOR + _FLOW * assignment.flow_count(row) + _IN_FLIGHT * carried.in_flight
    memory_bytes += _WAITING * carried.waiting + _NODE * carried.nodes
    return Cost(seconds, _PYTHON + max(memory_bytes, 3 * text_bytes), raw, parquet)


def packets(row: Settings) -> float:
    """Estimate the number of data packets that cross the bottleneck in both directions, in a scenario that has one.

    A flow sends its application's load, as far as its link, its socket's buffer and random losses allow at the base
    round-trip time. Flows share the bottleneck. Losses limit all flows like NewReno (Mathis et al., "The macroscopic
    behavior of the TCP congestion avoidance algorithm", 1997): rate = segment / RTT · √(3 / 2p).
    """
    duration_s = quantities.si(row["duration"], "time")
    bits = network_views.packet_bits(row)
    rate_bps = quantities.si(row["bandwidth"], "rate")
    if "stations" in row:  # stations share one radio's rate, and reach about a third of it
        rate_bps = min(rate_bps, _RADIO_BPS[row.get("standard", "802.15.4")] / 3 / _sends_per_packet(row))
    crossing = 0.0
    flows = row["flows"]
    for flow_range in (range(flows), range(flows, flows + row["reverse_flows"])):
        crossing += (
            min(rate_bps * duration_s, sum(_wanted_bits(row, flow, duration_s, bits) for flow in flow_range)) / bits
        )
    if row["cbr_flows"]:
        rate = quantities.si(row["cbr_rate"], "rate")
        crossing += row["cbr_flows"] * rate * duration_s / (8 * row["cbr_packet_size"])
    return crossing


def _carried(row: Settings, scenario: str, inputs: Mapping[str, InputFile] = MappingProxyType({})) -> _Carried:
    if not network_graph.is_described(row):
        crossing = packets(row)
        longest_s = max(round_trip_s(row, flow) for flow in range(row["flows"]))
        in_flight = 2 * quantities.si(row["bandwidth"], "rate") * longest_s / network_views.packet_bits(row)
        return _Carried(crossing, crossing * schema.links(scenario), in_flight, _waiting_packets(row, crossing))
    loads = list(network_loads.loads(row, inputs))
    hops = sum(load.packets * load.links for load in loads)
    network = network_views.network_of(row)
    default = network_fields.defaults("links")["bandwidth"]
    rates = (network_graph.link_value(row, link, "bandwidth", True, default) for link in network.links)
    fastest_bps = max(quantities.si(rate, "rate") for rate in rates)
    longest_s = max(network_views.round_trips_s(row), default=0.0)
    in_flight = 2 * longest_s * fastest_bps / network_views.packet_bits(row) * min(len(network.links), 10)
    return _Carried(
        sum(load.packets for load in loads),
        hops,
        in_flight,
        0,
        len(network.nodes),
        flows=sum(load.packets for load in loads if load.is_flow),
        crossings=sum(load.packets * load.links * (1 + load.acks) for load in loads),
        queued=sum(load.packets * load.queues * (1 if load.is_flow else 1 + load.acks) for load in loads),
        connections=sum(load.connections for load in loads if not load.is_flow),
    )


def _waiting_packets(row: Settings, crossing: float) -> float:
    """The most packets in socket buffers: offered packets that do not cross, as far as they fit."""
    flows = range(row["flows"] + row["reverse_flows"])
    offered: float = sum(of_flow(row["packet_rate"], flow) for flow in flows) * quantities.si(row["duration"], "time")
    buffer = _LEAST_AUTO_BUFFER if row["socket_buffer"] == "auto" else row["socket_buffer"]
    most: float = len(flows) * buffer / row["segment_size"]
    return min(max(0, offered - crossing), most)


def _wanted_bits(row: Settings, flow: int, duration_s: float, packet_bits: float) -> float:
    """The bits that a flow would send without other flows."""
    links = of_access_links(row, "access_bandwidth", flow, row["bandwidth"])
    limits_bits: list[float] = [quantities.si(rate, "rate") * duration_s for rate in links]
    if asked_bytes := of_flow(row["bytes"], flow):
        limits_bits.append(asked_bytes * packet_bits / row["segment_size"])
    if offered_per_s := of_flow(row["packet_rate"], flow):
        limits_bits.append(offered_per_s * duration_s * packet_bits)
    rtt_s = round_trip_s(row, flow)
    if rtt_s and row["socket_buffer"] != "auto":
        limits_bits.append(8 * row["socket_buffer"] / rtt_s * duration_s)
    loss_share = row["loss"] if row["loss_unit"] == "packet" else 1 - (1 - row["loss"]) ** (packet_bits / 8)
    if rtt_s and 0 < loss_share < 1:
        lossy_bits = packet_bits / rtt_s * math.sqrt(1.5 / loss_share) * duration_s
        # Until the first losses, a flow sends as fast as it can.
        limits_bits.append(lossy_bits + _FEWEST_LOSSES / loss_share * packet_bits)
    return min(limits_bits)


def _sends_per_packet(row: Settings) -> int:
    """The number of nodes of a side that send each packet in turn: all in a mesh, else one."""
    return 1 + row["stations"] if "mesh_radius_left" in row else 1


def _radio_frames(row: Settings, crossing: float) -> float:
    """The number of frames that all radios together send and receive.

    On each side, a data packet and its ACK need a frame each, and another frame acknowledges each of these. A station
    needs the same number to join. All radios of a side receive every frame, whether addressed to them or not.
    """
    if "stations" not in row:
        return 0
    beacons: float = quantities.si(row["duration"], "time") * _BEACONS_PER_S if "standard" in row else 0
    stations: int = row["stations"]
    return 2 * (stations + 1) * (4 * (crossing + stations) * _sends_per_packet(row) + beacons)
