# SPDX-License-Identifier: MIT
"""Estimate what the flows and the traffic of a described network send."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tcpsweep.sweep import network_graph
from tcpsweep.sweep.matching import Settings
from tcpsweep.sweep.network_graph import Way
from tcpsweep.sweepfile import network_fields, network_flows, network_views
from tcpsweep.words import quantities

_HEADERS = 54  # of TCP with timestamps, IP and PPP, in bytes
_USUAL_LOAD = 0.5  # of the narrowest link on its way, of traffic that says no rate


class Load(NamedTuple):
    """What a flow or traffic sends: data packets per second, the most of them in all, and the links of its way."""

    packets_per_s: float
    most_packets: float
    links: int


def of(row: Settings) -> Iterator[Load]:
    """The loads of a combination's network, those of flows first.

    Flows share each link equally, and send what the narrowest share on their way lets them, or what they are given.
    """
    network = network_views.network_of(row)
    packet_bits = 8 * (row["segment_size"] + _HEADERS)
    default = network_fields.defaults("links")["bandwidth"]
    rates = [
        float(quantities.si(network_graph.link_value(row, link, "bandwidth", True, default), "rate"))
        for link in network.links
    ]
    given = zip(network_flows.values(row, "bytes"), network_flows.values(row, "packet_rate"), strict=True)
    for flow, (asked, offered) in zip(network.flows, given, strict=True):
        shares = [rates[step.link] / len(network.crossing[step.link]) / packet_bits for step in flow.way]
        per_s = min([*shares, offered] if offered else shares)
        yield Load(per_s, asked / row["segment_size"] if asked else math.inf, len(flow.way))
    for name, way in network.pairs.items():
        yield Load(_offered_bps(row, name, way, network, rates) / packet_bits, math.inf, len(way))


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
