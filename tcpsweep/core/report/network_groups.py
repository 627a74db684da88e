# SPDX-License-Identifier: MIT
"""The groups of flows and of traffic of a network, the links that their data takes, and which hosts are alike."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tcpsweep.core.sweep import network_graph
from tcpsweep.core.sweep.matching import Settings
from tcpsweep.core.sweep.network_graph import Network

Lane: TypeAlias = tuple[str, str]
"""A link's name and a direction of it, ``forward`` or ``reverse``."""


@dataclass
class Group:
    """Flows or traffic."""

    name: str  # under which the file has them
    kind: str  # "flows", or the kind of traffic
    count: int = 0  # of flows, or of hosts of traffic
    lanes: set[Lane] = field(default_factory=set)  # all that their data takes
    ways: dict[tuple[Lane, ...], None] = field(default_factory=dict)  # each once
    # Its nodes' roles: "from", "to" or both.
    roles: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))


def ends_of(network: Network) -> dict[str, tuple[str, str]]:
    """The nodes that each link joins, by its name."""
    return {link.name: link.ends for link in network.links}


def inner(network: Network) -> tuple[int, int]:
    """The number of nodes with several links, and of links between two such nodes: a drawing shows each of them."""
    links = Counter(node for link in network.links for node in link.ends)
    return sum(number > 1 for number in links.values()), sum(
        all(links[node] > 1 for node in link.ends) for link in network.links
    )


def nodes_on(way: Sequence[Lane], ends: Mapping[str, tuple[str, str]]) -> list[str]:
    """The nodes of a route, in its order; ``ends`` are the links' nodes from `ends_of`."""
    nodes: list[str] = []
    for name, direction in way:
        first, second = ends[name] if direction == "forward" else ends[name][::-1]
        nodes += [second] if nodes else [first, second]
    return nodes


def flows(record: Mapping[str, Any], network: Network) -> list[Group]:
    """The groups of flows, with the routes of the simulator's packets."""
    groups: dict[str, Group] = {}
    ends = ends_of(network)
    for flow in record["flows"]:
        way = tuple((step["link"], step["direction"]) for step in flow.get("path") or ())
        group = groups.setdefault(flow["group"], Group(flow["group"], "flows"))
        group.count += 1
        group.lanes.update(way)
        if way and way not in group.ways:
            group.ways[way] = None
            nodes = nodes_on(way, ends)
            group.roles[nodes[0]].add("from")
            group.roles[nodes[-1]].add("to")
    return list(groups.values())


def traffic(row: Settings, network: Network) -> list[Group]:
    """The groups of traffic with all routes of the fewest links from a sender to a receiver."""
    groups = []
    steps = _Steps(network)
    for name in network_graph.things(row, "traffic"):
        number = int(network_graph.value(row, "traffic", name, "hosts", 1))
        given = {end: network_graph.value(row, "traffic", name, end) for end in ("from", "to")}
        hosts = {end: network_graph.hosts(str(value), number) for end, value in given.items() if value}
        group = Group(name, str(network_graph.value(row, "traffic", name, "kind", "traffic")))
        for end, nodes in hosts.items():
            for node in nodes:
                group.roles[node].add(end)
        group.count = len(group.roles)
        # Hosts at the same node have the same routes from there on.
        firsts, lasts = ({steps.stem(node): node for node in hosts.get(end, ())} for end in ("from", "to"))
        for node, ends in group.roles.items():
            group.lanes.update(steps.of_host(node, "from" in ends, "to" in ends))
        for first in firsts.values():
            for last in lasts.values():
                if first != last:
                    crossed = steps.between(first, last)
                    group.lanes |= crossed
                    group.ways |= dict.fromkeys([tuple(steps.one(first, last)), *((lane,) for lane in sorted(crossed))])
        groups.append(group)
    return groups


def _back(lane: Lane) -> Lane:
    name, direction = lane
    return name, "reverse" if direction == "forward" else "forward"


class _Steps:
    """The routes with the fewest links in a network."""

    def __init__(self, network: Network) -> None:
        self.leaving: dict[str, list[tuple[Lane, str]]] = {node: [] for node in network.nodes}
        for link in network.links:
            first, second = link.ends
            self.leaving[first].append(((link.name, "forward"), second))
            self.leaving[second].append(((link.name, "reverse"), first))
        # All links but hosts' only links, which are only on their own hosts' routes.
        self._inner = [
            (here, lane, neighbour)
            for here, steps in self.leaving.items()
            if len(steps) > 1
            for lane, neighbour in steps
            if len(self.leaving[neighbour]) > 1
        ]
        self._distances: dict[str, dict[str, int]] = {}

    def stem(self, node: str) -> str:
        """The node at the other end of a host's only link; for other nodes, the node itself."""
        return self.leaving[node][0][1] if len(self.leaving[node]) == 1 else node

    def of_host(self, node: str, sends: bool, receives: bool) -> Iterator[Lane]:
        """The lanes of a host's only link over which it sends or receives."""
        if len(self.leaving[node]) == 1:
            ((name, direction), _) = self.leaving[node][0]
            ways = (((name, direction), sends), (_back((name, direction)), receives))
            yield from (lane for lane, takes in ways if takes)

    def _from(self, node: str) -> dict[str, int]:
        if node not in self._distances:
            distances, edge = {node: 0}, [node]
            while edge:
                reached = {neighbour: distances[here] + 1 for here in edge for _, neighbour in self.leaving[here]}
                edge = [neighbour for neighbour in reached if neighbour not in distances]
                distances |= {neighbour: reached[neighbour] for neighbour in edge}
            self._distances[node] = distances
        return self._distances[node]

    def between(self, first: str, last: str) -> set[Lane]:
        """All lanes on routes with the fewest links."""
        near, far = self._from(first), self._from(last)
        begin = ((first, lane, neighbour) for lane, neighbour in self.leaving[first])
        end = ((here, _back(lane), last) for lane, here in self.leaving[last])
        return {
            lane
            for here, lane, neighbour in (*self._inner, *begin, *end)
            if near.get(here, 0) + 1 + far.get(neighbour, 0) == near.get(last)
        }

    def one(self, first: str, last: str) -> list[Lane]:
        """The first of these routes."""
        far, here, way = self._from(last), first, []
        while here != last and here in far:
            lane, here = min(self.leaving[here], key=lambda step: far.get(step[1], len(far)))
            way.append(lane)
        return way


def alike(network: Network, groups: Iterable[Group], few: int) -> tuple[dict[str, int], list[list[str]]]:
    """Each node's number in the drawing, and the nodes of each number; more than ``few`` alike nodes share one."""
    roles: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for group in groups:
        for node, node_roles in group.roles.items():
            roles[node] |= {(group.name, role) for role in node_roles}
    touching: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for link in network.links:
        for here, neighbour in (link.ends, link.ends[::-1]):
            touching[here].append((link.group, neighbour))
    same: dict[Any, list[str]] = {}
    for node in network.nodes:
        only = touching[node] if len(touching[node]) == 1 else None
        key = (tuple(only), frozenset(roles[node])) if only else node
        same.setdefault(key, []).append(node)
    nodes: list[list[str]] = []
    for members in same.values():
        nodes += [members] if len(members) > few else [[node] for node in members]
    return {node: number for number, sharing in enumerate(nodes) for node in sharing}, nodes
