# SPDX-License-Identifier: MIT
"""A custom topology's link as a bottleneck: a combination with the link's values under the bottleneck's names."""

import functools
from collections.abc import Iterator
from typing import Any

from tcpsweep.core.sweep import network_graph
from tcpsweep.core.sweep.base_network import Topology
from tcpsweep.core.sweep.matching import Combination, Settings, remembered
from tcpsweep.core.sweep.network_graph import Link, Network
from tcpsweep.core.sweepfile.keys import network_fields
from tcpsweep.core.sweepfile.network import segments
from tcpsweep.core.words import dotted_names, normal_forms

_BOTTLENECK = 0  # the number of its link


@remembered
def network_of(row: Combination) -> Network:
    """The graph of a combination's network."""
    return network_graph.network_of(row, network_fields.defaults("links")["delay"])


@remembered
def round_trips_s(row: Combination) -> tuple[float, ...]:
    """Each flow's base round-trip time, in s."""
    return network_graph.round_trips_s(row, network_fields.defaults("links")["delay"])


def link_as_bottleneck(row: Settings, link: Link, forth: bool) -> dict[str, Any]:
    """The combination's own parameters, and one link direction's under the fields' names."""
    view = {name: value for name, value in row.items() if not name.startswith(dotted_names.PREFIX)}
    for name, default in network_fields.defaults("links").items():
        if not name.startswith(dotted_names.BACK):
            view[name] = network_graph.link_value(row, link, name, forth, default)
    return view


def topology_of(row: Combination, number: int, network: Network) -> Topology:
    """The topology in which the longest round trip over a link determines its bandwidth-delay product."""
    default = network_fields.defaults("links")["delay"]
    longest_s = network_graph.longest_round_trip_s(row, network, number, default)
    return Topology(longest_s, segments.mtu_over(row, network, number))


@remembered
def bottleneck_topology(row: Combination) -> Topology:
    """The topology of the bottleneck, in a scenario that has one."""
    return topology_of(row, _BOTTLENECK, network_of(row))


def link_directions(row: Combination) -> Iterator[tuple[int, Link, bool]]:
    """One link of each group, with its number, in each direction that has its own values.

    If values differ between members, each member is returned.
    """
    seen_groups = set()
    list_names = [name for name, value in row.items() if isinstance(value, list)]
    differing = {parts.thing for parts in map(dotted_names.split, list_names) if parts and parts.kind == "links"}
    for number, link in enumerate(network_of(row).links):
        if link.group in seen_groups and link.group not in differing:
            continue
        seen_groups.add(link.group)
        yield number, link, True
        if any(name.startswith(dotted_names.dotted_name("links", link.group, dotted_names.BACK)) for name in row):
            yield number, link, False


def flow_values(row: Settings, name: str) -> list[Any]:
    """Each flow's value of a flow parameter, such as ``start`` or ``bytes``; reverse flows follow forward flows."""
    default = network_fields.defaults("flows").get(name)
    values = []
    for group in network_graph.groups(row):
        group_value = network_graph.flow_value(row, group, name, default)
        if isinstance(group_value, list):
            values += [network_graph.of_member(group_value, i) for i in group.members]
        else:
            values += [group_value] * len(group.members)
    return values


def traffic_values(row: Settings, name: str) -> dict[str, Any]:
    """Each field of a group of traffic to its value; fields missing in the file have their kind's defaults."""
    kind = network_graph.value(row, "traffic", name, "kind")
    return {
        field: network_graph.value(row, "traffic", name, field, _traffic_default(field, kind))
        for field in network_fields.fields("traffic")
    }


@functools.cache
def _traffic_default(field: str, kind: str | None) -> Any:
    description = network_fields.fields("traffic")[field]
    default_by_kind = description.get("kinds")
    default = default_by_kind.get(kind) if isinstance(default_by_kind, dict) else description.get("default")
    return None if default is None else normal_forms.normal(default, description.get("format"))


_HEADERS_BYTES = {4: 54, 6: 74}  # IPv4 20 B or IPv6 40 B, TCP 20 B, timestamps 12 B, PPP 2 B


def packet_bits(row: Settings) -> float:
    """The size of a full packet on a wire, in bits. 6LoWPAN's compressed headers count as IPv4's."""
    return float(8 * (row["segment_size"] + _HEADERS_BYTES[4 if "stations" in row else row["ip"]]))
