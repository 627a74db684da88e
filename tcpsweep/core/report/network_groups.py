# SPDX-License-Identifier: MIT
"""The groups of flows and of traffic of a network, the links that their data takes, and which hosts are alike."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tcpsweep.core.sweep import network_graph
from tcpsweep.core.sweep.matching import Combination
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
    link_count_by_node = Counter(node for link in network.links for node in link.ends)
    return sum(count > 1 for count in link_count_by_node.values()), sum(
        all(link_count_by_node[node] > 1 for node in link.ends) for link in network.links
    )


def nodes_on(way: Sequence[Lane], ends: Mapping[str, tuple[str, str]]) -> list[str]:
    """The nodes of a route, in its order; ``ends`` are the links' nodes from `ends_of`."""
    nodes: list[str] = []
    for link, direction in way:
        first, second = ends[link] if direction == "forward" else ends[link][::-1]
        nodes += [second] if nodes else [first, second]
    return nodes


def flows(record: Mapping[str, Any], network: Network) -> list[Group]:
    """The groups of flows, with the routes of the simulator's packets."""
    group_by_name: dict[str, Group] = {}
    ends_by_link = ends_of(network)
    for flow in record["flows"]:
        route = tuple((step["link"], step["direction"]) for step in flow.get("path") or ())
        group = group_by_name.setdefault(flow["group"], Group(flow["group"], "flows"))
        group.count += 1
        group.lanes.update(route)
        if route and route not in group.ways:
            group.ways[route] = None
            nodes = nodes_on(route, ends_by_link)
            group.roles[nodes[0]].add("from")
            group.roles[nodes[-1]].add("to")
    return list(group_by_name.values())


def traffic(row: Combination, network: Network) -> list[Group]:
    """The groups of traffic with all routes of the fewest links from a sender to a receiver."""
    groups = []
    routes = _ShortestRoutes(network)
    for name in network_graph.things(row, "traffic"):
        host_count = int(network_graph.value(row, "traffic", name, "hosts", 1))
        nodes_by_end = {end: network_graph.value(row, "traffic", name, end) for end in ("from", "to")}
        hosts_by_end = {
            end: network_graph.hosts(str(value), host_count) for end, value in nodes_by_end.items() if value
        }
        group = Group(name, str(network_graph.value(row, "traffic", name, "kind", "traffic")))
        for end, nodes in hosts_by_end.items():
            for node in nodes:
                group.roles[node].add(end)
        group.count = len(group.roles)
        # Hosts at the same node have the same routes from there on.
        sender_by_stem, receiver_by_stem = (
            {routes.stem(node): node for node in hosts_by_end.get(end, ())} for end in ("from", "to")
        )
        for node, ends in group.roles.items():
            group.lanes.update(routes.lanes_of_host(node, "from" in ends, "to" in ends))
        for sender in sender_by_stem.values():
            for receiver in receiver_by_stem.values():
                if sender != receiver:
                    crossed = routes.lanes_between(sender, receiver)
                    group.lanes |= crossed
                    group.ways |= dict.fromkeys(
                        [tuple(routes.first_route(sender, receiver)), *((lane,) for lane in sorted(crossed))]
                    )
        groups.append(group)
    return groups


def _reversed(lane: Lane) -> Lane:
    name, direction = lane
    return name, "reverse" if direction == "forward" else "forward"


class _ShortestRoutes:
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

    def lanes_of_host(self, node: str, sends: bool, receives: bool) -> Iterator[Lane]:
        """The lanes of a host's only link over which it sends or receives."""
        if len(self.leaving[node]) == 1:
            ((name, direction), _) = self.leaving[node][0]
            is_taken_by_lane = (((name, direction), sends), (_reversed((name, direction)), receives))
            yield from (lane for lane, takes in is_taken_by_lane if takes)

    def _distances_from(self, node: str) -> dict[str, int]:
        """The number of links to each node that can be reached."""
        if node not in self._distances:
            distances, outermost = {node: 0}, [node]
            while outermost:
                reached = {neighbour: distances[here] + 1 for here in outermost for _, neighbour in self.leaving[here]}
                outermost = [neighbour for neighbour in reached if neighbour not in distances]
                distances |= {neighbour: reached[neighbour] for neighbour in outermost}
            self._distances[node] = distances
        return self._distances[node]

    def lanes_between(self, first: str, last: str) -> set[Lane]:
        """All lanes on routes with the fewest links from the first node to the last."""
        hops_from_first, hops_from_last = self._distances_from(first), self._distances_from(last)
        first_lanes = ((first, lane, neighbour) for lane, neighbour in self.leaving[first])
        last_lanes = ((here, _reversed(lane), last) for lane, here in self.leaving[last])
        return {
            lane
            for here, lane, neighbour in (*self._inner, *first_lanes, *last_lanes)
            if hops_from_first.get(here, 0) + 1 + hops_from_last.get(neighbour, 0) == hops_from_first.get(last)
        }

    def first_route(self, first: str, last: str) -> list[Lane]:
        """The first of the routes with the fewest links."""
        hops_from_last, here, route = self._distances_from(last), first, []
        while here != last and here in hops_from_last:
            lane, here = min(self.leaving[here], key=lambda step: hops_from_last.get(step[1], len(hops_from_last)))
            route.append(lane)
        return route


def alike(network: Network, groups: Iterable[Group], few: int) -> tuple[dict[str, int], list[list[str]]]:
    """Each node's number in the drawing, and the nodes of each number; more than ``few`` alike nodes share one."""
    roles_by_node: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for group in groups:
        for node, node_roles in group.roles.items():
            roles_by_node[node] |= {(group.name, role) for role in node_roles}
    neighbours_by_node: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for link in network.links:
        for here, neighbour in (link.ends, link.ends[::-1]):
            neighbours_by_node[here].append((link.group, neighbour))
    nodes_by_key: dict[Any, list[str]] = {}
    for node in network.nodes:
        only_link = neighbours_by_node[node] if len(neighbours_by_node[node]) == 1 else None
        key = (tuple(only_link), frozenset(roles_by_node[node])) if only_link else node
        nodes_by_key.setdefault(key, []).append(node)
    nodes: list[list[str]] = []
    for members in nodes_by_key.values():
        nodes += [members] if len(members) > few else [[node] for node in members]
    return {node: number for number, same_nodes in enumerate(nodes) for node in same_nodes}, nodes
