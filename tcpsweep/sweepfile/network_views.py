# SPDX-License-Identifier: MIT
"""A link of a described network as a bottleneck: a combination that has its values under the bottleneck's names."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from tcpsweep.sweep import network_graph
from tcpsweep.sweep.base_network import Topology
from tcpsweep.sweep.matching import Settings
from tcpsweep.sweep.network_graph import Link, Network, Step
from tcpsweep.sweepfile import network_fields, schema
from tcpsweep.words import dotted_names


def network_of(row: Settings) -> Network:
    """The graph of a combination's network."""
    return network_graph.of(row, network_fields.defaults("links")["delay"])


def round_trips_s(row: Settings) -> tuple[float, ...]:
    """The base round-trip time of each flow, in s."""
    return network_graph.round_trips_s(row, network_fields.defaults("links")["delay"])


def of_link(row: Settings, link: Link, forth: bool) -> dict[str, Any]:
    """The combination's own parameters, and under the fields' names those of one direction of a link."""
    found = {name: value for name, value in row.items() if not name.startswith(dotted_names.PREFIX)}
    for name, default in network_fields.defaults("links").items():
        if not name.startswith(dotted_names.BACK):
            found[name] = network_graph.link_value(row, link, name, forth, default)
    return found


def topology_of(row: Settings, number: int, network: Network, trips: Sequence[float]) -> Topology:
    """The topology in which a link's bandwidth-delay product is that of the longest round trip over it.

    Traffic counts by the way between its first nodes. A link that neither flows nor traffic cross has that over itself
    alone.

    Parameters
    ----------
    row : Settings
    number : int
        The link's.
    network : Network
        The combination's, from `network_of`.
    trips : sequence of float
        Each flow's, from `round_trips_s`.
    """
    default = network_fields.defaults("links")["delay"]
    ways = [way for way in network.pairs.values() if any(step.link == number for step in way)]
    over = [trips[flow] for flow in network.crossing.get(number, [])]
    over += [network_graph.way_round_trip_s(row, network, way, default) for way in ways]
    if not over:
        over = [network_graph.way_round_trip_s(row, network, (Step(number, True),), default)]
    return replace(schema.topology(schema.PROGRAM), longest_s=max(over))


def groups(row: Settings) -> Iterator[tuple[int, Link, bool]]:
    """A link of each group, with its number, in each direction that has values of its own.

    Where values differ by member, each member is one.
    """
    seen = set()
    lists = [name for name, value in row.items() if isinstance(value, list)]
    own = {parts.thing for parts in map(dotted_names.split, lists) if parts and parts.kind == "links"}
    for number, link in enumerate(network_of(row).links):
        if link.group in seen and link.group not in own:
            continue
        seen.add(link.group)
        yield number, link, True
        if any(name.startswith(dotted_names.of("links", link.group, dotted_names.BACK)) for name in row):
            yield number, link, False
