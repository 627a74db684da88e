# SPDX-License-Identifier: MIT
"""Estimate what cells cost from their parameters."""

import math

from tcpsweep.plan import network_costs
from tcpsweep.sweep import assignment, kernel_flows, network_graph
from tcpsweep.sweep.base_network import of_access_links, of_flow, round_trip_s
from tcpsweep.sweep.cost import Cost
from tcpsweep.sweep.matching import Settings
from tcpsweep.sweep.sweep_record import Capture
from tcpsweep.sweepfile import real_time_rates, schema
from tcpsweep.words import quantities

_HEADERS = 54  # of TCP with timestamps, IP and PPP, in bytes
_LEAST_AUTO_BUFFER = 4 << 20
_FEWEST_LOSSES = 10  # a flow's expected losses before they are taken to limit it


def packets(row: Settings) -> float:
    """Estimate how many data packets cross the bottleneck, both ways, in a run of a combination.

    A flow sends what its application offers, as far as its link, its socket's buffer and random losses allow at the
    base round-trip time. Flows share the bottleneck. Losses limit a flow as they limit NewReno (Mathis et al., "The
    macroscopic behavior of the TCP congestion avoidance algorithm", 1997): rate = segment / RTT · √(3 / 2p).
    """
    if network_graph.is_described(row):
        return network_costs.of(row).packets
    duration_s = quantities.si(row["duration"], "time")
    packet_bits = 8 * (row["segment_size"] + _HEADERS)
    link_bits = min(quantities.si(row["bandwidth"], "rate"), _radio_bps(row)) * duration_s
    flows, crossing = row["flows"], 0.0
    for among in (range(flows), range(flows, flows + row["reverse_flows"])):
        wanted = sum(_wanted_bits(row, flow, duration_s, packet_bits) for flow in among)
        crossing += min(link_bits, wanted) / packet_bits
    return crossing + _cbr_packets(row, duration_s)


def _wanted_bits(row: Settings, flow: int, duration_s: float, packet_bits: float) -> float:
    """The bits that a flow would send if it were alone."""
    links = of_access_links(row, "access_bandwidth", flow, row["bandwidth"])
    limits: list[float] = [quantities.si(rate, "rate") * duration_s for rate in links]
    if asked := of_flow(row["bytes"], flow):
        limits.append(8 * asked * packet_bits / (packet_bits - 8 * _HEADERS))
    if offered := of_flow(row["packet_rate"], flow):
        limits.append(offered * duration_s * packet_bits)
    rtt_s = round_trip_s(row, flow)
    if rtt_s and row["socket_buffer"] != "auto":
        limits.append(8 * row["socket_buffer"] / rtt_s * duration_s)
    lost = row["loss"] if row["loss_unit"] == "packet" else 1 - (1 - row["loss"]) ** (packet_bits / 8)
    if rtt_s and 0 < lost < 1:
        bits = packet_bits / rtt_s * math.sqrt(1.5 / lost) * duration_s
        # Before the first losses, a flow sends as fast as it can.
        limits.append(bits + _FEWEST_LOSSES / lost * packet_bits)
    return min(limits)


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


def _radio_bps(row: Settings) -> float:
    """The rate that wireless stations share, about a third of one radio's; infinite without radios."""
    return _RADIO_BPS[row.get("standard", "802.15.4")] / 3 / _copies(row) if "stations" in row else math.inf


def _copies(row: Settings) -> int:
    """How many nodes of a side send each packet, one after another: all in a mesh, else one."""
    return 1 + row["stations"] if "mesh_radius_left" in row else 1


def _cbr_packets(row: Settings, duration_s: float) -> float:
    rate = quantities.si(row["cbr_rate"], "rate") if row["cbr_flows"] else 0
    count: float = row["cbr_flows"] * rate * duration_s / (8 * row["cbr_packet_size"])
    return count


# CPU seconds per frame and radio that sends or receives it; and a Wi-Fi access point's beacons per second.
_WIFI_FRAME_S, _LR_WPAN_FRAME_S = 1.3e-5, 1.3e-6
_BEACONS_PER_S = 1 / 0.1024


def _radio_frames(row: Settings, crossing: float) -> float:
    """The number of frames that all radios together send and receive.

    On each side, a data packet and its ACK take a frame each, and each of these frames is acknowledged by another. A
    station takes as many to join. All radios of a side receive every frame, addressed to them or not.
    """
    if "stations" not in row:
        return 0
    beacons: float = quantities.si(row["duration"], "time") * _BEACONS_PER_S if "standard" in row else 0
    stations: int = row["stations"]
    return 2 * (stations + 1) * (4 * (crossing + stations) * _copies(row) + beacons)


# What each kind of capture adds: bytes of raw files, bytes of Parquet, and CPU seconds. pcap headers count per packet
# with its ACK and per interface that it passes, the others per packet and link.
_PCAP_HEADERS = (180, 28, 1.6e-6)
_PCAP_FRAME = (110, 2.2, 3e-6)  # per frame in the air and radio
_ASCII = (1900, 10, 6e-5)
_ANIM = (155, 0, 3e-6)


def real_time_share(row: Settings, scenario: str) -> float:
    """Estimate how much of a core a combination takes in real time; 0 if it is not simulated so.

    A beat each millisecond, and each packet and ACK on each link that it crosses; the more there are, the more of them
    are at hand when the simulator wakes up. Fitted to 5 to 20 Mbit/s on two cores that others used too.
    """
    if not kernel_flows.is_asked_for(row):
        return 0.0
    return float(0.04 + 1.75e-3 * real_time_rates.crossings_per_s(row, scenario) ** 0.6)


def estimate(row: Settings, scenario: str, capture: Capture) -> Cost:
    """Estimate the cost of a run of a combination from its parameters alone.

    The factors were measured with ns-3 3.44 from its wheel on one core of a common server. The number of events grows
    with the packets and the links that they cross, text and tables with the packets.

    Parameters
    ----------
    row : Settings
        The combination.
    scenario : str
    capture : Capture

    Returns
    -------
    Cost
    """
    crossing = packets(row)
    described = network_costs.of(row) if network_graph.is_described(row) else None
    hops = described.hops if described else crossing * schema.links(scenario)
    share = len(capture.traces) / len(schema.default("capture", "traces"))
    text = crossing * (135 * share + 45 * capture.queue)
    frames = _radio_frames(row, crossing)
    raw, seconds = text * (1 + capture.text), 0.3 + 1.3e-5 * hops + 5e-6 * crossing
    seconds += frames * (_WIFI_FRAME_S if "standard" in row else _LR_WPAN_FRAME_S)
    if kernel_flows.is_asked_for(row):
        seconds += quantities.si(row["duration"], "time")  # it waits, but nothing else runs in its place
    parquet = 40_000 + 0.13 * text
    passed = {"none": 0, "bottleneck": crossing, "all": 2 * (crossing if frames else hops)}[capture.pcap]
    aired = frames if capture.pcap == "all" else 0
    for count, sizes in (
        (passed, _PCAP_HEADERS),
        (aired, _PCAP_FRAME),
        (capture.ascii * hops, _ASCII),
        (capture.anim * hops, _ANIM),
    ):
        raw += count * sizes[0]
        parquet += count * sizes[1]
        seconds += count * sizes[2]
    if capture.snaplen != "headers":
        # In the air, one frame in four carries data.
        most = math.inf if capture.snaplen == "full" else capture.snaplen
        raw += (passed + aired / 4) * min(row["segment_size"], most)
    heard = 8 * row.get("stations", 0) ** 2  # the nodes that each node hears, in run.json
    simulator = 30e6 + 3e5 * assignment.flow_count(row)
    simulator += 3e3 * (described.in_flight if described else _most_in_flight(row))
    simulator += 1e5 * described.nodes if described else 3e2 * _waiting(row, crossing)
    return Cost(seconds, 8e7 + max(simulator, 3 * text), 20_000 + raw + heard, parquet + heard)


def _waiting(row: Settings, crossing: float) -> float:
    """The most packets that wait in socket buffers: those offered that do not cross, as far as buffers hold them."""
    flows = range(row["flows"] + row["reverse_flows"])
    offered: float = sum(of_flow(row["packet_rate"], flow) for flow in flows) * quantities.si(row["duration"], "time")
    buffer = _LEAST_AUTO_BUFFER if row["socket_buffer"] == "auto" else row["socket_buffer"]
    most: float = len(flows) * buffer / row["segment_size"]
    return min(max(0, offered - crossing), most)


def _most_in_flight(row: Settings) -> float:
    """The packets in flight and in a full queue of one bandwidth-delay product."""
    way_s = max(round_trip_s(row, flow) for flow in range(row["flows"]))
    count: float = 2 * quantities.si(row["bandwidth"], "rate") * way_s / (8 * (row["segment_size"] + _HEADERS))
    return count
