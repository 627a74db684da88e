# SPDX-License-Identifier: MIT
"""Estimate how many packets a described network carries, and over how many links."""

from collections.abc import Sequence
from typing import NamedTuple

from tcpsweep.sweep import network_graph
from tcpsweep.sweep.matching import Settings
from tcpsweep.sweep.network_graph import Way
from tcpsweep.sweepfile import network_fields, network_flows, network_views
from tcpsweep.words import quantities

_HEADERS = 54  # of TCP with timestamps, IP and PPP, in bytes
_USUAL_LOAD = 0.5  # of the narrowest link on its way, of traffic that says no rate


class Carried(NamedTuple):
    """What a network carries: data packets, the links that these cross, the most that are in flight, and its nodes."""

    packets: float
    hops: float
    in_flight: float
    nodes: int


def of(row: Settings) -> Carried:
    """Estimate what the network of a combination carries in a run.

    Flows share each link equally, and send what the narrowest share on their way lets them, or what they are given.
    """
    network, duration_s = network_views.network_of(row), float(quantities.si(row["duration"], "time"))
    packet_bits = 8 * (row["segment_size"] + _HEADERS)
    default = network_fields.defaults("links")["bandwidth"]
    rates = [
        float(quantities.si(network_graph.link_value(row, link, "bandwidth", True, default), "rate"))
        for link in network.links
    ]
    limits = zip(network_flows.values(row, "bytes"), network_flows.values(row, "packet_rate"), strict=True)
    packets = hops = 0.0
    for flow, (asked, offered) in zip(network.flows, limits, strict=True):
        wanted = [rates[step.link] / len(network.crossing[step.link]) * duration_s / packet_bits for step in flow.way]
        wanted += [asked / row["segment_size"]] if asked else []
        wanted += [offered * duration_s] if offered else []
        packets += min(wanted)
        hops += min(wanted) * len(flow.way)
    for name, way in network.pairs.items():
        bits = _offered_bps(row, name, way, network, rates) * duration_s
        packets += bits / packet_bits
        hops += bits / packet_bits * len(way)
    trips = network_views.round_trips_s(row)
    in_flight = 2 * max(trips, default=0.0) * max(rates) / packet_bits * min(len(network.links), 10)
    return Carried(packets, hops, in_flight, len(network.nodes))


def _offered_bps(row: Settings, name: str, way: Way, network: network_graph.Network, rates: Sequence[float]) -> float:
    """What traffic offers, in bit/s."""
    load, of, rate, count = (
        network_graph.value(row, "traffic", name, each) for each in ("load", "link", "rate", "hosts")
    )
    if load is not None and of is not None:
        at = next(number for number, link in enumerate(network.links) if link.name == of)
        return float(load) * rates[at] / network.shares[name]
    if isinstance(rate, str):
        return float(quantities.si(rate, "rate")) * (1 if count is None else count)
    return _USUAL_LOAD * min(rates[step.link] for step in way)
