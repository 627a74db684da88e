# SPDX-License-Identifier: MIT
"""The share of traffic between random nodes that crosses a link."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence

from tcpsweep.core.words import spelling

Step = tuple[int, bool]  # a link by its number, and whether it is crossed from its first node
Both = tuple[float, float]  # the shares that cross a link from its second node, and from its first


def crossing_share(
    shares_over: Callable[[str, str], Both],
    router: Callable[[str], tuple[Sequence[Step], str]],
    sources: Sequence[str],
    targets: Sequence[str],
    number: int,
) -> float:
    """The share of flows whose path crosses a link, from 0 to 1, in the direction that more of them take.

    Each of ``sources`` sends to each other node of ``targets``, all equally often. ``shares_over`` returns the shares
    of flows between two nodes that cross the link. ``router`` returns the step from a node with one link to its
    neighbour, and the neighbour; for other nodes, no step, and the node. Hosts of one router share the rest of their
    paths, so thousands of hosts take no longer.
    """
    crossed = [0.0, 0.0]
    pair_count = len(sources) * len(targets) - len(set(sources) & set(targets))
    senders_at, receivers_at = Counter[str](), Counter[str]()
    for nodes, others, hosts_at, forwards in (
        (sources, targets, senders_at, True),
        (targets, sources, receivers_at, False),
    ):
        other_nodes = set(others)
        for node in nodes:
            steps, neighbour = router(node)
            hosts_at[neighbour] += 1
            for link, is_forth in steps:
                crossed[is_forth == forwards] += (link == number) * (len(others) - (node in other_nodes))
    for last, receiving in receivers_at.items():
        for first, sending in senders_at.items():
            if first != last:
                back, forth = shares_over(first, last)
                crossed[False] += back * sending * receiving
                crossed[True] += forth * sending * receiving
    return max(crossed) / max(1, pair_count)


def of_way(way: Sequence[Step], number: int) -> Both:
    """The shares of flows on one path that cross a link: all or none."""
    return float((number, False) in way), float((number, True) in way)


def of_all_ways(leaving: Mapping[str, Sequence[tuple[Step, str]]], target: str, number: int) -> dict[str, Both]:
    """The shares of flows to a node that cross a link, if all steps on shortest paths are equally likely.

    ``target``, where the flows end, has several links. The keys are the nodes where flows begin, if these have several
    links too, because no path leads through other nodes.
    """
    distance, crossing, order = {target: 0}, {target: (0.0, 0.0)}, [target]
    for node in order:
        if node != target:
            steps = [
                (step, neighbour) for step, neighbour in leaving[node] if distance.get(neighbour) == distance[node] - 1
            ]
            shares = [(crossing[neighbour], of_way([step], number)) for step, neighbour in steps]
            back, forth = (sum(beyond[way] + here[way] for beyond, here in shares) / len(steps) for way in (0, 1))
            crossing[node] = (back, forth)
        for _, neighbour in leaving[node]:
            if neighbour not in distance and len(leaving[neighbour]) > 1:
                distance[neighbour] = distance[node] + 1
                order.append(neighbour)
    return crossing


def mistyped_node(links: Sequence[tuple[str, tuple[str, str]]], here: Collection[str]) -> str:
    """The first node with a single link whose name is similar to a node in another part; else empty.

    No link connects the nodes ``here`` to the others.
    """
    link_count = Counter(node for _, ends in links for node in ends)
    both_sides = ([node for node in link_count if node not in here], [node for node in link_count if node in here])
    for side, other in (both_sides, both_sides[::-1]):
        for node in side:
            # Names that differ in a number differ on purpose.
            alike = [candidate for candidate in other if _without_digits(candidate) != _without_digits(node)]
            if link_count[node] == 1 and (near := spelling.did_you_mean(node, alike)):
                link = next(name for name, ends in links if node in ends)
                return f"; only the link {link} has {node!r}{near}"
    return ""


def _without_digits(node: str) -> str:
    return re.sub(r"\d", "", node)
