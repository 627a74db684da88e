# SPDX-License-Identifier: MIT
"""A combination's network as a graph: its links, its flows, the paths between nodes, and its faults.

A custom topology is as its file describes it. A scenario with one bottleneck is as `bottleneck_preset` describes it.

A packet takes the path with the fewest links. Among equal ones, it takes the path with the smallest sum of delays in
both directions; then the one whose links come first in the file, compared link by link from the sender. ACKs take the
same path in reverse.
"""

import functools
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from tcpsweep.core.sweep import bottleneck_preset, network_ways
from tcpsweep.core.sweep.bottleneck_preset import FlowEntry, LinkEntry, Shape
from tcpsweep.core.sweep.matching import Settings
from tcpsweep.core.words import arithmetic, dotted_names, spelling, units
from tcpsweep.core.words.mixes import Mix

MOST_NAMED = 8  # the most nodes that a message names
_LINKS = dotted_names.names_key("links")


class Step(NamedTuple):
    """A link on a path, by its number, and whether the path crosses it from its first node to its second."""

    link: int
    forth: bool


Way = tuple[Step, ...]


class Fault(NamedTuple):
    """A fault of a network: the dotted names at fault, the most important one first, and the message."""

    names: tuple[str, ...]
    message: str


class Link(NamedTuple):
    """A link: its name, its name in the file, its number in that entry, and its nodes."""

    name: str
    group: str
    member: int
    ends: tuple[str, str]


class Flow(NamedTuple):
    """A flow: its name in the file, its number in that entry, its ends, its path and its ACKs' path."""

    group: str
    member: int
    source: str
    target: str
    way: Way
    back: Way


@dataclass(frozen=True, eq=False)  # as a key of what is derived from it, a network is compared by identity
class Network:
    """A network."""

    links: tuple[Link, ...]
    flows: tuple[Flow, ...]  # without flows that have no path
    nodes: tuple[str, ...]  # in the order of the links
    faults: tuple[Fault, ...]  # if there are any, do not use the other fields
    # Traffic's name to its path from the first sender to the first receiver
    pairs: dict[str, Way] = field(default_factory=dict)
    # Traffic's name to the share of its pairs of nodes whose paths cross the link that it names
    shares: dict[str, float] = field(default_factory=dict)
    # A link's number to the numbers of the flows that cross it in either direction
    crossing: dict[int, list[int]] = field(default_factory=dict)

    @functools.cached_property
    def groups(self) -> tuple[str, ...]:
        """The names of its links in the file, each once."""
        return tuple(dict.fromkeys(link.group for link in self.links))


ValuesOfLinks: TypeAlias = tuple[tuple[Any, Any], ...]
"""Each group of links' values of a field, forth and back, in the order of `Network.groups`."""


@dataclass(frozen=True, slots=True)
class FlowGroup:
    """A group of flows: in a custom topology as in the file, else the flows of one direction."""

    name: str
    prefix: str  # of the parameters of its fields
    members: range  # its flows' places in parameters that have one value per flow, in turn
    turns: list[str]  # the variants that its flows take in turn in run 1
    is_compared: bool = True  # whether its flows count; reverse flows at one bottleneck do not

    def variants(self, shift: int = 0) -> list[str]:
        """Its flows' variants in run 1, moved ``shift`` positions further in the turns."""
        return [self.turns[(i + shift) % len(self.turns)] for i in range(len(self.members))]


def has_named_parts(row: Settings) -> bool:
    """Whether people name parts of a combination's network, its links and its groups of flows and traffic.

    They do in a custom topology. The flows of named groups have ends of their own.
    """
    return _LINKS in row


def groups(row: Settings) -> Sequence[FlowGroup]:
    """A combination's groups of flows, in the order of their flows' numbers."""
    if has_named_parts(row):
        return [_described_group(row, name) for name in things(row, "flows")]
    return _preset_groups(str(row["variant"]), bottleneck_preset.shape(row))


@functools.lru_cache(maxsize=1024)
def _preset_groups(variant: str, shape: Shape) -> Sequence[FlowGroup]:
    mix = Mix.parse(variant)
    return [
        FlowGroup(name, "", members, [mix.variant_of(flow) for flow in members], name == bottleneck_preset.FORWARD)
        for name, members in bottleneck_preset.directions(shape).items()
    ]


def _described_group(row: Settings, name: str) -> FlowGroup:
    members = range(count(row, "flows", name))
    turns = str(value(row, "flows", name, "variant", row["variant"])).split("+") if members else []
    return FlowGroup(name, dotted_names.dotted_name("flows", name, ""), members, turns)


def things(row: Settings, kind: str) -> list[str]:
    """The names of a combination's links, flows or traffic, in the file's order."""
    listed = str(row.get(dotted_names.names_key(kind), ""))
    return listed.split(",") if listed else []


def value(row: Settings, kind: str, thing: str, name: str, default: Any = None) -> Any:
    """A combination's value of a field of a link, a flow or traffic; a list has a value for each member, in turn."""
    return row.get(dotted_names.dotted_name(kind, thing, name), default)


def of_member(value_or_list: Any, member: int) -> Any:
    """A member's value; a list or a tuple has one per member, in turn."""
    return value_or_list[member % len(value_or_list)] if isinstance(value_or_list, list | tuple) else value_or_list


def link_value(row: Settings, link: Link, name: str, forth: bool, default: Any) -> Any:
    """A link's value in one direction. Default in reverse: the forward value."""
    return of_member(_both_ways(row, link.group, name, default)[not forth], link.member)


def values_of_links(row: Settings, network: Network, name: str, default: Any) -> ValuesOfLinks:
    """Each group of links' values in both directions, hashable: a tuple has a value for each member, in turn."""
    if not has_named_parts(row):  # a shorter way to the same, for sweeps of 10,000 combinations
        values = [_hashable(bottleneck_preset.link_value(row, group, name, default)) for group in network.groups]
        return tuple(zip(values, values, strict=True))
    both_ways = (_both_ways(row, group, name, default) for group in network.groups)
    return tuple((_hashable(forth), _hashable(back)) for forth, back in both_ways)


def _hashable(value_or_list: Any) -> Any:
    return tuple(value_or_list) if isinstance(value_or_list, list) else value_or_list


def of_each_link(network: Network, values: ValuesOfLinks) -> list[tuple[Any, Any]]:
    """Each link's values in both directions."""
    by_group = dict(zip(network.groups, values, strict=True))
    both = ((by_group[link.group], link.member) for link in network.links)
    return [(of_member(forth, member), of_member(back, member)) for (forth, back), member in both]


def _both_ways(row: Settings, group: str, name: str, default: Any) -> tuple[Any, Any]:
    """The values of a group of links in both directions; a list has a value for each member, in turn."""
    if not has_named_parts(row):
        value_or_list = bottleneck_preset.link_value(row, group, name, default)
        return value_or_list, value_or_list
    prefix = dotted_names.dotted_name("links", group, "")
    forth = row.get(prefix + name, default)
    return forth, row.get(prefix + dotted_names.BACK + name, forth)


def flow_value(row: Settings, group: FlowGroup, name: str, default: Any = None) -> Any:
    """A combination's value of a field of a group's flows; a list has a value for each flow, in turn."""
    return row.get(group.prefix + name, default)


def count(row: Settings, kind: str, thing: str) -> int:
    """The number of members of a link, a flow or traffic."""
    return int(value(row, kind, thing, "count", 1))


def _link_entries(row: Settings) -> Iterator[LinkEntry]:
    for name in things(row, "links"):
        yield LinkEntry(name, *(value(row, "links", name, key) for key in ("between", "count")))


def _flow_entries(row: Settings) -> Iterator[FlowEntry]:
    for name in things(row, "flows"):
        yield FlowEntry(name, *(value(row, "flows", name, key) for key in ("from", "to", "count", "route")))


def network_of(row: Settings, default_delay: str) -> Network:
    """The network of a combination; links without a delay have the default."""
    if not has_named_parts(row):
        return _preset_network(bottleneck_preset.shape(row))
    link_entries, flow_entries = tuple(_link_entries(row)), tuple(_flow_entries(row))
    traffic_entries = tuple(
        (name, *(value(row, "traffic", name, key) for key in ("from", "to", "hosts", "link")))
        for name in things(row, "traffic")
    )
    ecmp = bool(row.get("ecmp"))
    network, is_ambiguous = _network_from(link_entries, flow_entries, traffic_entries, ecmp, None)
    if not is_ambiguous:
        return network
    delays = _delays_s(network, values_of_links(row, network, "delay", default_delay))
    return _network_from(link_entries, flow_entries, traffic_entries, ecmp, delays)[0]


@functools.lru_cache(maxsize=1024)
def _preset_network(shape: Shape) -> Network:
    entries = tuple(bottleneck_preset.links(shape)), tuple(bottleneck_preset.flows(shape))
    return _network_from(*entries, (), False, None)[0]


@functools.lru_cache(maxsize=1024)
def _delays_s(network: Network, values: ValuesOfLinks) -> tuple[tuple[float, float], ...]:
    """Each link's delays in both directions, in s."""
    of_links = of_each_link(network, values)
    return tuple((float(units.si(forth, "time")), float(units.si(back, "time"))) for forth, back in of_links)


def round_trips_s(row: Settings, default_delay: str) -> tuple[float, ...]:
    """Each flow's base round-trip time, in s: the delays on its path and on its ACKs' path."""
    network = network_of(row, default_delay)
    return _round_trips_s(network, values_of_links(row, network, "delay", default_delay))


@functools.lru_cache(maxsize=1024)
def _round_trips_s(network: Network, values: ValuesOfLinks) -> tuple[float, ...]:
    delays = _delays_s(network, values)
    return tuple(_one_way_s(flow.way, delays) + _one_way_s(flow.back, delays) for flow in network.flows)


def longest_round_trip_s(row: Settings, network: Network, number: int, default_delay: str) -> float:
    """The longest base round trip of what crosses a link, in s.

    Traffic counts with the path between its first nodes. If neither flows nor traffic cross a link, its own round trip
    counts.
    """
    return _longest_round_trip_s(network, values_of_links(row, network, "delay", default_delay), number)


@functools.lru_cache(maxsize=1024)
def _longest_round_trip_s(network: Network, values: ValuesOfLinks, number: int) -> float:
    delays, trips = _delays_s(network, values), _round_trips_s(network, values)
    trips_over_link = [trips[flow] for flow in network.crossing.get(number, [])]
    ways = [way for way in network.pairs.values() if any(step.link == number for step in way)]
    trips_over_link += [sum(sum(delays[step.link]) for step in way) for way in ways]
    return max(trips_over_link, default=sum(delays[number]))


def way_round_trip_s(row: Settings, network: Network, way: Way, default_delay: str) -> float:
    """The sum of the delays of a path's links, in both directions, in s."""
    delays = _delays_s(network, values_of_links(row, network, "delay", default_delay))
    return sum(sum(delays[step.link]) for step in way)


def _one_way_s(way: Way, delays: Sequence[tuple[float, float]]) -> float:
    return sum(delays[step.link][not step.forth] for step in way)


def _flows_by_link(flows: Sequence[Flow]) -> dict[int, list[int]]:
    crossing: dict[int, list[int]] = defaultdict(list)
    for number, flow in enumerate(flows):
        for link in dict.fromkeys(step.link for step in (*flow.way, *flow.back)):
            crossing[link].append(number)
    return dict(crossing)


@functools.lru_cache(maxsize=1024)
def _network_from(
    link_entries: tuple[LinkEntry, ...],
    flow_entries: tuple[FlowEntry, ...],
    traffic_entries: tuple[Any, ...],
    ecmp: bool,
    delays: tuple[tuple[float, float], ...] | None,
) -> tuple[Network, bool]:
    """A network from the values that decide its paths, and whether delays matter; without ``delays``, all are equal.

    An entry of traffic is its name and fields, as `network_of` lists them. The cache compares all entries.
    """
    faults: list[Fault] = []
    all_links = tuple(_links(link_entries, faults))
    nodes = tuple(dict.fromkeys(end for link in all_links for end in link.ends))
    if faults:  # flows would lack the nodes of faulty links
        return Network(all_links, (), nodes, tuple(faults)), False
    paths = _Paths(all_links, nodes, delays)
    all_flows = tuple(_flows(flow_entries, paths, faults))
    pairs, shares = _traffic_paths(traffic_entries, paths, ecmp, faults)
    if not faults:
        faults += _unconnected_faults(paths)
    return Network(
        all_links, all_flows, nodes, tuple(faults), pairs, shares, _flows_by_link(all_flows)
    ), paths.is_ambiguous


def _member_name(kind: str, thing: str, fields: tuple[str, ...], template: str, i: int, faults: list[Fault]) -> str:
    """The name of member ``i``; if it cannot be computed, adds a fault of ``fields`` and returns nothing."""
    try:
        return arithmetic.member(template, i)
    except arithmetic.Unreadable as error:
        faults.append(Fault(tuple(dotted_names.dotted_name(kind, thing, key) for key in fields), str(error)))
        return ""


def _links(link_entries: tuple[LinkEntry, ...], faults: list[Fault]) -> Iterator[Link]:
    """The links without faults; of a group with a fault, those before it."""
    group_of_name: dict[str, str] = {}
    for entry in link_entries:
        name, between, member_count = entry.name, entry.between, entry.count
        between_name = dotted_names.dotted_name("links", name, "between")
        if between is None:
            faults.append(Fault((between_name,), f"the link {name} needs `between`, its two nodes, such as [a, b]"))
            continue
        member_of_ends: dict[frozenset[str], int] = {}
        for i in range(entry.first, entry.first + (1 if member_count is None else member_count)):
            fault_count = len(faults)
            first, second = (_member_name("links", name, ("between",), end, i, faults) for end in between.split(","))
            if len(faults) > fault_count:
                break
            full_name = f"{name}-{i}" if (member_count or 1) > 1 else name
            if arithmetic.is_template(name):
                full_name = arithmetic.member(name, i)
            if first == second:
                link_in_words = "the link" if full_name == name else f"the link {full_name}"
                faults.append(
                    Fault((between_name,), f"{link_in_words} connects {first} to itself; write two different nodes")
                )
                break
            if full_name in group_of_name:
                names = (dotted_names.dotted_name("links", name, "count"), between_name)
                faults.append(
                    Fault(
                        names,
                        f"two links have the name {full_name}, in {group_of_name[full_name]} and in {name}; rename one",
                    )
                )
                break
            twin = member_of_ends.setdefault(frozenset((first, second)), i)
            if twin != i and member_count:
                message = f"its members {twin} and {i} both connect {first} and {second}; add {{i}} to the nodes' names"
                faults.append(Fault((between_name,), message))
                break
            group_of_name[full_name] = name
            yield Link(full_name, name, i, (first, second))


class _Paths:
    """The paths between nodes, computed once for each node at which they begin."""

    def __init__(
        self, links: Sequence[Link], nodes: Sequence[str], delays: Sequence[tuple[float, float]] | None
    ) -> None:
        self.links, self.nodes, self.delays = links, nodes, delays
        self.by_name = {link.name: number for number, link in enumerate(links)}
        self.is_ambiguous = False
        self._steps_from: dict[str, list[tuple[Step, str]]] = {node: [] for node in nodes}
        for number, link in enumerate(links):
            first, second = link.ends
            self._steps_from[first].append((Step(number, True), second))
            self._steps_from[second].append((Step(number, False), first))
        self._trees: dict[str, dict[str, tuple[float, Way]]] = {}

    def between(self, source: str, target: str) -> Way | None:
        """The path from one node to another; None if there is none."""
        if source == target:
            return ()
        steps = self._steps_from[source]
        if len(steps) == 1:  # a host: its path continues like its neighbour's, which many hosts share
            step, neighbour = steps[0]
            if neighbour == target:
                return (step,)
            best_path = self._best_paths(neighbour).get(target)
            return (step, *best_path[1]) if best_path else None
        best_path = self._best_paths(source).get(target)
        return best_path[1] if best_path else None

    def router(self, node: str) -> tuple[Way, str]:
        """A host's step to its neighbour, and the neighbour; for a node with several links, no step, and the node."""
        steps = self._steps_from[node]
        if len(steps) > 1 or len(self.nodes) == 2:
            return (), node
        step, neighbour = steps[0]
        return (step,), neighbour

    def shares_over(self, number: int, ecmp: bool) -> Callable[[str, str], network_ways.Both]:
        """A function: the shares of flows between two nodes, with several links each, that cross a link."""
        if not ecmp:
            return lambda source, target: network_ways.of_way(self.between(source, target) or (), number)
        towards = functools.cache(lambda target: network_ways.of_all_ways(self._steps_from, target, number))
        return lambda source, target: towards(target)[source]

    def _best_paths(self, source: str) -> dict[str, tuple[float, Way]]:
        """The best path to each reachable node: with the fewest links, then the least delay, then the first."""
        if source in self._trees:
            return self._trees[source]
        best: dict[str, tuple[float, Way]] = {source: (0.0, ())}
        frontier = [source]
        while frontier:
            reached: dict[str, tuple[float, Way]] = {}
            for node in frontier:
                delay, way = best[node]
                for step, neighbour in self._steps_from[node]:
                    if neighbour in best:
                        continue
                    path_and_delay = (delay + (sum(self.delays[step.link]) if self.delays else 0.0), (*way, step))
                    if neighbour in reached:
                        self.is_ambiguous = True
                        path_and_delay = min(
                            path_and_delay,
                            reached[neighbour],
                            key=lambda path: (round(path[0], 12), [s.link for s in path[1]]),
                        )
                    reached[neighbour] = path_and_delay
            best |= reached
            frontier = list(reached)
        self._trees[source] = best
        return best

    def along(self, names: Sequence[str], source: str, target: str) -> Way | str:
        """The path over named links, or a message on its fault."""
        steps: list[Step] = []
        node, visited = source, {source}
        for name in names:
            number = self.by_name.get(name)
            if number is None:
                return f"there is no link {name!r}{spelling.did_you_mean(name, self.by_name)}"
            ends = self.links[number].ends
            if node not in ends:
                expected = (
                    f"from {node}, where the route is at that point" if steps else f"from {node}, where the flow begins"
                )
                link_names = [self.links[step.link].name for step, _ in self._steps_from[node]]
                return f"{name} connects {ends[0]} and {ends[1]}; expected a link {expected}: {_some_names(link_names)}"
            steps.append(Step(number, node == ends[0]))
            node = ends[1] if node == ends[0] else ends[0]
            if node in visited:
                return f"the route reaches {node} twice, the second time over {name}; each node may occur once"
            visited.add(node)
        return tuple(steps) if node == target else f"the route ends at {node}; expected {target}, where the flow ends"

    def apart(self, source: str, target: str) -> str:
        """The message that no links lead from one node to another, with a suggestion for a mistyped name."""
        hint = network_ways.mistyped_node([(link.name, link.ends) for link in self.links], self._best_paths(source))
        return f"no links lead from {source} to {target}{hint}"

    def parts(self) -> list[list[str]]:
        """The nodes of each unconnected part of the graph."""
        remaining, parts = dict.fromkeys(self.nodes), []
        while remaining:
            part = list(self._best_paths(next(iter(remaining))))
            parts.append(part)
            for node in part:
                remaining.pop(node)
        return parts


def _some_names(names: Sequence[str]) -> str:
    return ", ".join(names[:MOST_NAMED]) + (", …" if len(names) > MOST_NAMED else "")


def _end_node(
    kind: str, thing: str, field_name: str, template: str | None, i: int, paths: _Paths, faults: list[Fault]
) -> str:
    """The node that a flow or traffic names; if it does not exist, adds a fault and returns nothing."""
    name = dotted_names.dotted_name(kind, thing, field_name)
    if template is None:
        faults.append(Fault((name,), f"{thing} needs `{field_name}`, a node at the end of a link"))
        return ""
    node = _member_name(kind, thing, (field_name,), template, i, faults)
    if node and node not in paths._steps_from:
        of = f" (of {template}, i = {i})" if arithmetic.is_template(template) else ""
        near = spelling.did_you_mean(node, paths.nodes)
        choices = "" if near else f"; the links have {_some_names(paths.nodes)}"
        faults.append(Fault((name,), f"no link has a node {node!r}{of}{near}{choices}"))
        return ""
    return node


def _template_in_turn(templates: str | None, i: int) -> str | None:
    """The next template among several, taken in turn; None if there is none."""
    listed = templates.split(",") if templates else [None]
    return listed[i % len(listed)]


def hosts(templates: str, member_count: int) -> list[str]:
    """The nodes that traffic names; each template expands to ``member_count`` nodes.

    Raises
    ------
    arithmetic.Unreadable
    """
    nodes = []
    for template in templates.split(","):
        members = range(member_count if arithmetic.is_template(template) else 1)
        nodes += [arithmetic.member(template, i) for i in members]
    return list(dict.fromkeys(nodes))


def _nodes(
    name: str, field_name: str, templates: str | None, member_count: int | None, paths: _Paths, faults: list[Fault]
) -> list[str]:
    """The nodes that traffic names; if one is wrong, adds a fault and returns none."""
    nodes = []
    for template in templates.split(",") if templates else [None]:
        for i in range(int(member_count or 1) if template and arithmetic.is_template(template) else 1):
            node = _end_node("traffic", name, field_name, template, i, paths, faults)
            if not node:
                return []
            nodes.append(node)
    return nodes


def _flows(flow_entries: tuple[FlowEntry, ...], paths: _Paths, faults: list[Fault]) -> Iterator[Flow]:
    """The flows without faults; of a group with a fault, those before it."""
    for entry in flow_entries:
        name, route = entry.name, entry.route
        for i in range(entry.first, entry.first + (1 if entry.count is None else entry.count)):
            fault_count = len(faults)
            end_templates = (("from", _template_in_turn(entry.source, i)), ("to", _template_in_turn(entry.target, i)))
            ends = [_end_node("flows", name, *end, i, paths, faults) for end in end_templates]
            if len(faults) > fault_count:
                break
            if ends[0] == ends[1]:
                message = f"flow {i} of {name} goes from {ends[0]} to itself; write another node"
                faults.append(Fault((dotted_names.dotted_name("flows", name, "to"),), message))
                break
            if route is None:
                way, back = paths.between(*ends), paths.between(ends[1], ends[0])
                if way is None or back is None:
                    faults.append(Fault((dotted_names.dotted_name("flows", name, "to"),), paths.apart(*ends)))
                    break
            else:
                path = paths.along(route.split(","), *ends)
                if isinstance(path, str):
                    faults.append(Fault((dotted_names.dotted_name("flows", name, "route"),), path))
                    break
                way, back = path, tuple(Step(step.link, not step.forth) for step in reversed(path))
            yield Flow(name, i, ends[0], ends[1], way, back)


def _traffic_paths(
    traffic_entries: tuple[Any, ...], paths: _Paths, ecmp: bool, faults: list[Fault]
) -> tuple[dict[str, Way], dict[str, float]]:
    """Each traffic's path, and the share of its flows over the link that it names; adds faults of both."""
    path_of_traffic, share_of_traffic = {}, {}
    for name, sources, targets, member_count, link_name in traffic_entries:
        ends = [_nodes(name, *end, member_count, paths, faults) for end in (("from", sources), ("to", targets))]
        if link_name is not None and link_name not in paths.by_name:
            near = spelling.did_you_mean(link_name, paths.by_name)
            faults.append(
                Fault((dotted_names.dotted_name("traffic", name, "link"),), f"there is no link {link_name!r}{near}")
            )
        if not all(ends):
            continue
        pairs = ((source, target) for target in ends[1] for source in ends[0] if source != target)
        first = next(pairs, None)
        if first is None:
            message = f"{name} sends and receives at only one node, {ends[0][0]}; write two or more"
            faults.append(Fault((dotted_names.dotted_name("traffic", name, "to"),), message))
            continue
        way = paths.between(*first)
        unreachable = next((to for to in (*ends[0], *ends[1]) if paths.between(first[0], to) is None), None)
        if way is None or unreachable is not None:
            message = paths.apart(first[0], first[1] if way is None or unreachable is None else unreachable)
            faults.append(Fault((dotted_names.dotted_name("traffic", name, "to"),), message))
            continue
        path_of_traffic[name] = way
        if link_name in paths.by_name:
            number = paths.by_name[link_name]
            shares_over = paths.shares_over(number, ecmp)
            share_of_traffic[name] = network_ways.crossing_share(shares_over, paths.router, ends[0], ends[1], number)
            if not share_of_traffic[name]:
                path_links = _some_names([paths.links[step.link].name for step in way])
                advice = f"no flow of {name} crosses {link_name}; expected a link on its path, such as {path_links}"
                faults.append(Fault((dotted_names.dotted_name("traffic", name, "link"),), advice))
    return path_of_traffic, share_of_traffic


def _unconnected_faults(paths: _Paths) -> Iterator[Fault]:
    """The fault of a graph in unconnected parts."""
    parts = paths.parts()
    if len(parts) < 2:
        return
    group = next(link.group for link in paths.links if link.ends[0] in parts[1])
    both_parts = " and ".join(_some_names(part) for part in parts[:2])
    hint = network_ways.mistyped_node([(link.name, link.ends) for link in paths.links], parts[0])
    yield Fault(
        (dotted_names.dotted_name("links", group, "between"),),
        f"the network is in {len(parts)} parts that no link connects, {both_parts}{hint}",
    )
