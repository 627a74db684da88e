# SPDX-License-Identifier: MIT
"""A custom topology's link as a bottleneck: a combination with the link's values under the bottleneck's names."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from tcpsweep.sweep import assignment, network_graph
from tcpsweep.sweep.base_network import Topology, of_flow
from tcpsweep.sweep.matching import Settings
from tcpsweep.sweep.network_graph import Link, Network, Step, Way
from tcpsweep.sweepfile.keys import network_fields, schema
from tcpsweep.words import dotted_names, quantities


def network_of(row: Settings) -> Network:
    """The graph of a combination's network."""
    return network_graph.network_of(row, network_fields.defaults("links")["delay"])


def round_trips_s(row: Settings) -> tuple[float, ...]:
    """Each flow's base round-trip time, in s."""
    return network_graph.round_trips_s(row, network_fields.defaults("links")["delay"])


def link_as_bottleneck(row: Settings, link: Link, forth: bool) -> dict[str, Any]:
    """The combination's own parameters, and one link direction's under the fields' names."""
    found = {name: value for name, value in row.items() if not name.startswith(dotted_names.PREFIX)}
    for name, default in network_fields.defaults("links").items():
        if not name.startswith(dotted_names.BACK):
            found[name] = network_graph.link_value(row, link, name, forth, default)
    return found


def topology_of(row: Settings, number: int, network: Network, trips: Sequence[float]) -> Topology:
    """The topology in which the longest round trip over a link determines its bandwidth-delay product.

    Traffic counts with the path between its first nodes. If neither flows nor traffic cross a link, its own round trip
    counts. ``trips`` are the flows' round trips from `round_trips_s`.
    """
    default = network_fields.defaults("links")["delay"]
    ways = [way for way in network.pairs.values() if any(step.link == number for step in way)]
    over = [trips[flow] for flow in network.crossing.get(number, [])]
    over += [network_graph.way_round_trip_s(row, network, way, default) for way in ways]
    if not over:
        over = [network_graph.way_round_trip_s(row, network, (Step(number, True),), default)]
    return replace(schema.topology(schema.PROGRAM), longest_s=max(over))


def link_directions(row: Settings) -> Iterator[tuple[int, Link, bool]]:
    """One link of each group, with its number, in each direction that has its own values.

    If values differ between members, each member is returned.
    """
    seen = set()
    lists = [name for name, value in row.items() if isinstance(value, list)]
    own = {parts.thing for parts in map(dotted_names.split, lists) if parts and parts.kind == "links"}
    for number, link in enumerate(network_of(row).links):
        if link.group in seen and link.group not in own:
            continue
        seen.add(link.group)
        yield number, link, True
        if any(name.startswith(dotted_names.dotted_name("links", link.group, dotted_names.BACK)) for name in row):
            yield number, link, False


def flow_values(row: Settings, name: str) -> list[Any]:
    """Each flow's value of a flow parameter, such as ``start`` or ``bytes``; reverse flows follow forward flows."""
    if not network_graph.is_described(row):
        value, count = row[name], assignment.flow_count(row)
        return [of_flow(value, flow) for flow in range(count)] if isinstance(value, list | tuple) else [value] * count
    default = network_fields.defaults("flows").get(name)
    found = []
    for group in network_graph.things(row, "flows"):
        given = network_graph.value(row, "flows", group, name, default)
        found += [network_graph.of_member(given, i) for i in range(network_graph.count(row, "flows", group))]
    return found


HEADERS_BYTES = 54  # IPv4 20 B, TCP 20 B, timestamps 12 B, PPP 2 B
_USUAL_LOAD = 0.5  # share of the narrowest link on its path, for traffic without a rate


class Load(NamedTuple):
    """A flow's or traffic's load: data packets per second, their maximum total, and the links on its path."""

    packets_per_s: float
    most_packets: float
    links: int


def offered_loads(row: Settings) -> Iterator[Load]:
    """The loads in a combination's network, flows first.

    Flows share each link equally. They send at the narrowest share on their path, or at their given rate.
    """
    network = network_of(row)
    default = network_fields.defaults("links")["bandwidth"]
    rates = [
        float(quantities.si(network_graph.link_value(row, link, "bandwidth", True, default), "rate"))
        for link in network.links
    ]
    given = zip(flow_values(row, "bytes"), flow_values(row, "packet_rate"), strict=True)
    for flow, (asked, offered) in zip(network.flows, given, strict=True):
        shares = [rates[step.link] / len(network.crossing[step.link]) / packet_bits(row) for step in flow.way]
        per_s = min([*shares, offered] if offered else shares)
        yield Load(per_s, asked / row["segment_size"] if asked else math.inf, len(flow.way))
    for name, way in network.pairs.items():
        yield Load(_offered_bps(row, name, way, network, rates) / packet_bits(row), math.inf, len(way))


def _offered_bps(row: Settings, name: str, way: Way, network: network_graph.Network, rates: Sequence[float]) -> float:
    """Traffic's offered load, in bit/s."""
    load, of, rate, count = (
        network_graph.value(row, "traffic", name, each) for each in ("load", "link", "rate", "hosts")
    )
    if load is not None and of is not None:
        at = next(number for number, link in enumerate(network.links) if link.name == of)
        return float(load) * rates[at] / network.shares[name]
    if isinstance(rate, str):
        return float(quantities.si(rate, "rate")) * (1 if count is None else count)
    return _USUAL_LOAD * min(rates[step.link] for step in way)


# Packets per second that one simulator handles in real time with tolerable lags, on a processor core of its own:
# docs/linux.md. A packet counts once on each link that it crosses, and an ACK counts as a packet.
MOST_CROSSINGS = 40_000
_WITH_ACKS = 1.5  # an ACK for every other packet


def crossings_per_s(row: Settings, scenario: str) -> float:
    """The number of link crossings by packets and ACKs in a second while all flows of a combination send."""
    if network_graph.is_described(row):
        return _WITH_ACKS * sum(load.packets_per_s * load.links for load in offered_loads(row))
    return float(quantities.si(row["bandwidth"], "rate")) / packet_bits(row) * _WITH_ACKS * schema.links(scenario)


def most_bps(row: Settings, scenario: str) -> float:
    """The highest rate of a combination's bottleneck that is possible in real time."""
    return MOST_CROSSINGS / _WITH_ACKS / schema.links(scenario) * packet_bits(row)


def packet_bits(row: Settings) -> float:
    """The size of a full packet on a wire, in bits."""
    return float(8 * (row["segment_size"] + HEADERS_BYTES))
