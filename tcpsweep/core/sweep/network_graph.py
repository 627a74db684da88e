# SPDX-License-Identifier: MIT
"""A custom topology as a graph: its links, its flows, the paths between nodes, and its faults.

A packet takes the path with the fewest links. Among equal ones, it takes the path with the smallest sum of delays in
both directions; then the one whose links come first in the file, compared link by link from the sender. ACKs take the
same path in reverse.
"""

import functools
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tcpsweep.core.sweep import network_ways
from tcpsweep.core.sweep.matching import Settings
from tcpsweep.core.words import arithmetic, dotted_names, quantities, spelling

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


@dataclass(frozen=True)
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


def is_described(row: Settings) -> bool:
    """Whether a combination has a custom topology."""
    return _LINKS in row


def things(row: Settings, kind: str) -> list[str]:
    """The names of a combination's links, flows or traffic, in the file's order."""
    listed = str(row.get(dotted_names.names_key(kind), ""))
    return listed.split(",") if listed else []


def value(row: Settings, kind: str, thing: str, name: str, default: Any = None) -> Any:
    """A combination's value of a field of a link, a flow or traffic; a list has a value for each member, in turn."""
    return row.get(dotted_names.dotted_name(kind, thing, name), default)


def of_member(given: Any, member: int) -> Any:
    """A member's value; a list has one per member, in turn."""
    return given[member % len(given)] if isinstance(given, list) else given


def link_value(row: Settings, link: Link, name: str, forth: bool, default: Any) -> Any:
    """A link's value in one direction. Default in reverse: the forward value."""
    given = value(row, "links", link.group, name, default)
    if not forth:
        given = value(row, "links", link.group, dotted_names.BACK + name, given)
    return of_member(given, link.member)


def count(row: Settings, kind: str, thing: str) -> int:
    """The number of members of a link, a flow or traffic."""
    return int(value(row, kind, thing, "count", 1))


def network_of(row: Settings, default_delay: str) -> Network:
    """The network of a combination that `is_described`; links without a delay have the default."""
    links = tuple(
        (name, *(value(row, "links", name, key) for key in ("between", "count"))) for name in things(row, "links")
    )
    flows = tuple(
        (name, *(value(row, "flows", name, key) for key in ("from", "to", "count", "route")))
        for name in things(row, "flows")
    )
    traffic = tuple(
        (name, *(value(row, "traffic", name, key) for key in ("from", "to", "hosts", "link")))
        for name in things(row, "traffic")
    )
    ecmp = bool(row.get("ecmp"))
    network, is_ambiguous = _built(links, flows, traffic, ecmp, None)
    if not is_ambiguous:
        return network
    delays = tuple(_delays_s(row, link, default_delay) for link in network.links)
    return _built(links, flows, traffic, ecmp, delays)[0]


def _delays_s(row: Settings, link: Link, default: str) -> tuple[float, float]:
    """A link's delays in both directions, in s."""
    forth, back = (quantities.si(link_value(row, link, "delay", way, default), "time") for way in (True, False))
    return float(forth), float(back)


def round_trips_s(row: Settings, default_delay: str) -> tuple[float, ...]:
    """Each flow's base round-trip time, in s: the delays on its path and on its ACKs' path."""
    network = network_of(row, default_delay)
    delays = [_delays_s(row, link, default_delay) for link in network.links]
    return tuple(_length_s(flow.way, delays) + _length_s(flow.back, delays) for flow in network.flows)


def way_round_trip_s(row: Settings, network: Network, way: Way, default_delay: str) -> float:
    """The sum of the delays of a path's links, in both directions, in s."""
    return sum(sum(_delays_s(row, network.links[step.link], default_delay)) for step in way)


def _length_s(way: Way, delays: Sequence[tuple[float, float]]) -> float:
    return sum(delays[step.link][not step.forth] for step in way)


def _crossing(flows: Sequence[Flow]) -> dict[int, list[int]]:
    crossing: dict[int, list[int]] = defaultdict(list)
    for number, flow in enumerate(flows):
        for link in dict.fromkeys(step.link for step in (*flow.way, *flow.back)):
            crossing[link].append(number)
    return dict(crossing)


@functools.lru_cache(maxsize=1024)
def _built(
    links: tuple[Any, ...],
    flows: tuple[Any, ...],
    traffic: tuple[Any, ...],
    ecmp: bool,
    delays: tuple[tuple[float, float], ...] | None,
) -> tuple[Network, bool]:
    """A network from the values that decide its paths, and whether delays matter; without ``delays``, all are equal."""
    faults: list[Fault] = []
    all_links = tuple(_links(links, faults))
    nodes = tuple(dict.fromkeys(end for link in all_links for end in link.ends))
    if faults:  # flows would lack the nodes of faulty links
        return Network(all_links, (), nodes, tuple(faults)), False
    ways = _Ways(all_links, nodes, delays)
    all_flows = tuple(_flows(flows, ways, faults))
    pairs, shares = _pairs(traffic, ways, ecmp, faults)
    if not faults:
        faults += _parts(ways)
    return Network(all_links, all_flows, nodes, tuple(faults), pairs, shares, _crossing(all_flows)), ways.is_ambiguous


def _member(kind: str, thing: str, fields: tuple[str, ...], template: str, i: int, faults: list[Fault]) -> str:
    try:
        return arithmetic.member(template, i)
    except arithmetic.Unreadable as error:
        faults.append(Fault(tuple(dotted_names.dotted_name(kind, thing, key) for key in fields), str(error)))
        return ""


def _links(links: tuple[Any, ...], faults: list[Fault]) -> Iterator[Link]:
    """The links without faults; a group's faults are reported once."""
    seen: dict[str, str] = {}
    for name, between, number in links:
        at = dotted_names.dotted_name("links", name, "between")
        if between is None:
            faults.append(Fault((at,), f"the link {name} needs `between`, its two nodes, such as [a, b]"))
            continue
        by_ends: dict[frozenset[str], int] = {}
        for i in range(1 if number is None else number):
            before = len(faults)
            first, second = (_member("links", name, ("between",), end, i, faults) for end in between.split(","))
            if len(faults) > before:
                break
            full_name = f"{name}-{i}" if (number or 1) > 1 else name
            if first == second:
                which = "the link" if full_name == name else f"the link {full_name}"
                faults.append(Fault((at,), f"{which} connects {first} to itself; write two different nodes"))
                break
            if full_name in seen:
                names = (dotted_names.dotted_name("links", name, "count"), at)
                faults.append(
                    Fault(names, f"two links have the name {full_name}, in {seen[full_name]} and in {name}; rename one")
                )
                break
            twin = by_ends.setdefault(frozenset((first, second)), i)
            if twin != i and number:
                message = f"its members {twin} and {i} both connect {first} and {second}; add {{i}} to the nodes' names"
                faults.append(Fault((at,), message))
                break
            seen[full_name] = name
            yield Link(full_name, name, i, (first, second))


class _Ways:
    """The paths between nodes, computed once for each node at which they begin."""

    def __init__(
        self, links: Sequence[Link], nodes: Sequence[str], delays: Sequence[tuple[float, float]] | None
    ) -> None:
        self.links, self.nodes, self.delays = links, nodes, delays
        self.by_name = {link.name: number for number, link in enumerate(links)}
        self.is_ambiguous = False
        self._next: dict[str, list[tuple[Step, str]]] = {node: [] for node in nodes}
        for number, link in enumerate(links):
            first, second = link.ends
            self._next[first].append((Step(number, True), second))
            self._next[second].append((Step(number, False), first))
        self._from: dict[str, dict[str, tuple[float, Way]]] = {}

    def between(self, source: str, target: str) -> Way | None:
        """The path from one node to another; None if there is none."""
        if source == target:
            return ()
        leaving = self._next[source]
        if len(leaving) == 1:  # a host: its path continues like its neighbour's, which many hosts share
            step, neighbour = leaving[0]
            if neighbour == target:
                return (step,)
            best = self._tree(neighbour).get(target)
            return (step, *best[1]) if best else None
        best = self._tree(source).get(target)
        return best[1] if best else None

    def router(self, node: str) -> tuple[Way, str]:
        """A host's step to its neighbour, and the neighbour; for a node with several links, no step, and the node."""
        leaving = self._next[node]
        if len(leaving) > 1 or len(self.nodes) == 2:
            return (), node
        step, neighbour = leaving[0]
        return (step,), neighbour

    def shares_over(self, number: int, ecmp: bool) -> Callable[[str, str], network_ways.Both]:
        """A function: the shares of flows between two nodes, with several links each, that cross a link."""
        if not ecmp:
            return lambda source, target: network_ways.of_way(self.between(source, target) or (), number)
        towards = functools.cache(lambda target: network_ways.of_all_ways(self._next, target, number))
        return lambda source, target: towards(target)[source]

    def _tree(self, source: str) -> dict[str, tuple[float, Way]]:
        """The best path to each reachable node: with the fewest links, then the least delay, then the first."""
        if source in self._from:
            return self._from[source]
        best: dict[str, tuple[float, Way]] = {source: (0.0, ())}
        edge = [source]
        while edge:
            reached: dict[str, tuple[float, Way]] = {}
            for node in edge:
                delay, way = best[node]
                for step, other in self._next[node]:
                    if other in best:
                        continue
                    longer = (delay + (sum(self.delays[step.link]) if self.delays else 0.0), (*way, step))
                    if other in reached:
                        self.is_ambiguous = True
                        longer = min(
                            longer, reached[other], key=lambda path: (round(path[0], 12), [s.link for s in path[1]])
                        )
                    reached[other] = longer
            best |= reached
            edge = list(reached)
        self._from[source] = best
        return best

    def along(self, names: Sequence[str], source: str, target: str) -> Way | str:
        """The path over named links, or a message on its fault."""
        way: list[Step] = []
        at, passed = source, {source}
        for name in names:
            number = self.by_name.get(name)
            if number is None:
                return f"there is no link {name!r}{spelling.did_you_mean(name, self.by_name)}"
            ends = self.links[number].ends
            if at not in ends:
                said = f"from {at}, where the route is at that point" if way else f"from {at}, where the flow begins"
                fitting = [self.links[step.link].name for step, _ in self._next[at]]
                return f"{name} connects {ends[0]} and {ends[1]}; expected a link {said}: {_some(fitting)}"
            way.append(Step(number, at == ends[0]))
            at = ends[1] if at == ends[0] else ends[0]
            if at in passed:
                return f"the route reaches {at} twice, the second time over {name}; each node may occur once"
            passed.add(at)
        return tuple(way) if at == target else f"the route ends at {at}; expected {target}, where the flow ends"

    def apart(self, source: str, target: str) -> str:
        """The message that no links lead from one node to another, with a suggestion for a mistyped name."""
        hint = network_ways.mistyped_node([(link.name, link.ends) for link in self.links], self._tree(source))
        return f"no links lead from {source} to {target}{hint}"

    def parts(self) -> list[list[str]]:
        """The nodes of each unconnected part of the graph."""
        left, parts = dict.fromkeys(self.nodes), []
        while left:
            part = list(self._tree(next(iter(left))))
            parts.append(part)
            for node in part:
                left.pop(node)
        return parts


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:MOST_NAMED]) + (", …" if len(names) > MOST_NAMED else "")


def _end(kind: str, thing: str, field_name: str, template: str | None, i: int, ways: _Ways, faults: list[Fault]) -> str:
    """The node that a flow or traffic names; if it does not exist, adds a fault and returns nothing."""
    name = dotted_names.dotted_name(kind, thing, field_name)
    if template is None:
        faults.append(Fault((name,), f"{thing} needs `{field_name}`, a node at the end of a link"))
        return ""
    node = _member(kind, thing, (field_name,), template, i, faults)
    if node and node not in ways._next:
        of = f" (of {template}, i = {i})" if arithmetic.is_template(template) else ""
        near = spelling.did_you_mean(node, ways.nodes)
        choices = "" if near else f"; the links have {_some(ways.nodes)}"
        faults.append(Fault((name,), f"no link has a node {node!r}{of}{near}{choices}"))
        return ""
    return node


def _of_turn(templates: str | None, i: int) -> str | None:
    """The next template among several, taken in turn; None if there is none."""
    listed = templates.split(",") if templates else [None]
    return listed[i % len(listed)]


def hosts(templates: str, number: int) -> list[str]:
    """The nodes that traffic names; each template expands to ``count`` nodes.

    Raises
    ------
    arithmetic.Unreadable
    """
    nodes = []
    for template in templates.split(","):
        members = range(number if arithmetic.is_template(template) else 1)
        nodes += [arithmetic.member(template, i) for i in members]
    return list(dict.fromkeys(nodes))


def _nodes(
    name: str, field_name: str, templates: str | None, number: int | None, ways: _Ways, faults: list[Fault]
) -> list[str]:
    """The nodes that traffic names; if one is wrong, adds a fault and returns none."""
    nodes = []
    for template in templates.split(",") if templates else [None]:
        for i in range(int(number or 1) if template and arithmetic.is_template(template) else 1):
            node = _end("traffic", name, field_name, template, i, ways, faults)
            if not node:
                return []
            nodes.append(node)
    return nodes


def _flows(flows: tuple[Any, ...], ways: _Ways, faults: list[Fault]) -> Iterator[Flow]:
    for name, source, target, number, route in flows:
        for i in range(1 if number is None else number):
            before = len(faults)
            each_end = (("from", _of_turn(source, i)), ("to", _of_turn(target, i)))
            ends = [_end("flows", name, *end, i, ways, faults) for end in each_end]
            if len(faults) > before:
                break
            if ends[0] == ends[1]:
                message = f"flow {i} of {name} goes from {ends[0]} to itself; write another node"
                faults.append(Fault((dotted_names.dotted_name("flows", name, "to"),), message))
                break
            if route is None:
                way, back = ways.between(*ends), ways.between(ends[1], ends[0])
                if way is None or back is None:
                    faults.append(Fault((dotted_names.dotted_name("flows", name, "to"),), ways.apart(*ends)))
                    break
            else:
                routed = ways.along(route.split(","), *ends)
                if isinstance(routed, str):
                    faults.append(Fault((dotted_names.dotted_name("flows", name, "route"),), routed))
                    break
                way, back = routed, tuple(Step(step.link, not step.forth) for step in reversed(routed))
            yield Flow(name, i, ends[0], ends[1], way, back)


def _pairs(
    traffic: tuple[Any, ...], ways: _Ways, ecmp: bool, faults: list[Fault]
) -> tuple[dict[str, Way], dict[str, float]]:
    """Each traffic's path, and the share of its flows over the link that it names; adds faults of both."""
    paths, shares = {}, {}
    for name, sources, targets, number, of in traffic:
        ends = [_nodes(name, *end, number, ways, faults) for end in (("from", sources), ("to", targets))]
        if of is not None and of not in ways.by_name:
            near = spelling.did_you_mean(of, ways.by_name)
            faults.append(Fault((dotted_names.dotted_name("traffic", name, "link"),), f"there is no link {of!r}{near}"))
        if not all(ends):
            continue
        pairs = ((source, target) for target in ends[1] for source in ends[0] if source != target)
        first = next(pairs, None)
        if first is None:
            message = f"{name} sends and receives at only one node, {ends[0][0]}; write two or more"
            faults.append(Fault((dotted_names.dotted_name("traffic", name, "to"),), message))
            continue
        way = ways.between(*first)
        apart = next((to for to in (*ends[0], *ends[1]) if ways.between(first[0], to) is None), None)
        if way is None or apart is not None:
            message = ways.apart(first[0], first[1] if way is None or apart is None else apart)
            faults.append(Fault((dotted_names.dotted_name("traffic", name, "to"),), message))
            continue
        paths[name] = way
        if of in ways.by_name:
            number = ways.by_name[of]
            over = ways.shares_over(number, ecmp)
            shares[name] = network_ways.crossing_share(over, ways.router, ends[0], ends[1], number)
            if not shares[name]:
                path_links = _some([ways.links[step.link].name for step in way])
                said = f"no flow of {name} crosses {of}; expected a link on its path, such as {path_links}"
                faults.append(Fault((dotted_names.dotted_name("traffic", name, "link"),), said))
    return paths, shares


def _parts(ways: _Ways) -> Iterator[Fault]:
    """The fault of a graph in unconnected parts."""
    parts = ways.parts()
    if len(parts) < 2:
        return
    group = next(link.group for link in ways.links if link.ends[0] in parts[1])
    said = " and ".join(_some(part) for part in parts[:2])
    hint = network_ways.mistyped_node([(link.name, link.ends) for link in ways.links], parts[0])
    yield Fault(
        (dotted_names.dotted_name("links", group, "between"),),
        f"the network is in {len(parts)} parts that no link connects, {said}{hint}",
    )


def turns(row: Settings) -> Mapping[str, list[str]]:
    """Each group's name to the variants that its flows take in turn; none if it has no flows."""
    return {
        name: str(value(row, "flows", name, "variant", row["variant"])).split("+") if count(row, "flows", name) else []
        for name in things(row, "flows")
    }


def dealt(row: Settings, shift: int = 0) -> Mapping[str, list[str]]:
    """Each group's name to its flows' variants in run 1, moved ``shift`` positions further in the mix."""
    return {
        name: [variants[(i + shift) % len(variants)] for i in range(count(row, "flows", name))]
        for name, variants in turns(row).items()
    }
