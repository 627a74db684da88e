# SPDX-License-Identifier: MIT
"""Where the nodes of a network are drawn: in layers from senders to receivers, or in tiers from hosts upwards.

Layers follow Sugiyama, Tagawa and Toda (IEEE Trans. Systems, Man, and Cybernetics 11(2), 1981). Links point from a
layer to a later one. The nodes of a layer get the order with the fewest crossings found, and then places near their
neighbours.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

_SWEEPS = 8
_INNER = 1000  # the weight of straightness for a link between two inner nodes, relative to a link to an end node
_LEAST_TIER = 3  # nodes in a tier above the hosts: fewer are drawn from left to right
Link = tuple[int, int]
Place = tuple[int, float]


@dataclass(frozen=True)
class Layout:
    """Where nodes are drawn."""

    places: list[Place]  # each node's layer, from 0, and place across it, from 0; nodes of a layer are 1 or more apart
    bends: list[list[Place]]  # the places through which a link passes, from its first node to its second
    tiers: bool  # whether layers are tiers, the top one first, so that they are drawn below each other


def layout(count: int, links: Sequence[Link], ways: Iterable[Sequence[int]]) -> Layout:
    """The layout of a connected network of nodes that are numbers below ``count``.

    ``links`` are the two nodes that each link joins, ``ways`` the nodes of each flow's route, in order.
    """
    joined: dict[int, dict[int, int]] = {node: {} for node in range(count)}
    for first, second in links:
        joined[first].setdefault(second, 1)
        joined[second].setdefault(first, 1)
    given = [list(way) for way in ways]
    for way in given:
        for tail, head in pairwise(way):
            joined[tail][head] = joined[head][tail] = joined[tail][head] + 1
    tiers = _tiers(joined)
    layers = _layers(joined, given) if tiers is None else tiers
    chains, parts = _chains(links, layers, count)
    weights: dict[int, dict[int, int]] = defaultdict(dict)
    for (first, second), chain in zip(links, chains, strict=True):
        inner = _INNER if min(len(joined[first]), len(joined[second])) > 1 else 1
        for tail, head in pairwise(chain):
            weights[tail][head] = weights[head][tail] = inner * joined[first][second]
    across = _placed(_ordered([*layers, *parts], weights), [*layers, *parts], weights)
    bends = [[((*layers, *parts)[node], across[node]) for node in chain[1:-1]] for chain in chains]
    return Layout([(layer, across[node]) for node, layer in enumerate(layers)], bends, tiers is not None)


def _tiers(joined: Mapping[int, Mapping[int, int]]) -> list[int] | None:
    """Each node's tier, the top being 0; None unless all links join a tier to the next and three or more are two."""
    tiers = {node: 0 for node, others in joined.items() if len(others) == 1}
    edge = list(tiers)
    while edge:
        reached = dict.fromkeys(other for node in edge for other in joined[node] if other not in tiers)
        tiers |= {node: tiers[edge[0]] + 1 for node in reached}
        edge = list(reached)
    top = max(tiers.values(), default=0)
    above = sum(tier == 1 for tier in tiers.values())
    if top < 2 or above < _LEAST_TIER or len(tiers) < len(joined):
        return None
    if any(abs(tiers[node] - tiers[other]) != 1 for node, others in joined.items() for other in others):
        return None
    return [top - tiers[node] for node in range(len(joined))]


def _layers(joined: Mapping[int, Mapping[int, int]], ways: Sequence[list[int]]) -> list[int]:
    """Each node's layer: links lead to later layers in the direction of the first route over them, without circles."""
    after: dict[int, dict[int, None]] = {node: {} for node in joined}

    def leads(source: int, target: int) -> bool:
        seen, edge = {source}, [source]
        while edge:
            edge = [other for node in edge for other in after[node] if other not in seen]
            seen.update(edge)
        return target in seen

    for way in ways:
        steps = list(pairwise(way))
        against = sum(tail in after[head] for tail, head in steps) - sum(head in after[tail] for tail, head in steps)
        for tail, head in [(head, tail) for tail, head in reversed(steps)] if against > 0 else steps:
            if head not in after[tail] and tail not in after[head]:
                first, second = (head, tail) if leads(head, tail) else (tail, head)
                after[first][second] = None
    depths = _longest(after)
    for node in joined:  # a sender is one layer before the first node that it sends to
        if after[node] and not any(node in others for others in after.values()):
            depths[node] = min(depths[other] for other in after[node]) - 1
    crossed = [node for node in joined if after[node] or any(node in others for others in after.values())]
    edge = crossed or list(joined)[:1]
    placed = {node: depths[node] for node in edge}
    while edge:
        reached = {other: placed[node] + 1 for node in edge for other in joined[node] if other not in placed}
        placed |= reached
        edge = list(reached)
    least = min(placed.values(), default=0)
    return [placed.get(node, 0) - least for node in joined]


def _longest(after: Mapping[int, Mapping[int, None]]) -> dict[int, int]:
    """The length of the longest path to each node of a graph without circles."""
    left = {node: sum(node in others for others in after.values()) for node in after}
    lengths, ready = dict.fromkeys(after, 0), [node for node, count in left.items() if not count]
    while ready:
        node = ready.pop()
        for other in after[node]:
            lengths[other] = max(lengths[other], lengths[node] + 1)
            left[other] -= 1
            if not left[other]:
                ready.append(other)
    return lengths


def _chains(links: Sequence[Link], layers: Sequence[int], count: int) -> tuple[list[list[int]], list[int]]:
    """Each link as nodes one layer apart, and the layers of added nodes, whose numbers begin at ``count``."""
    chains: list[list[int]] = []
    parts: list[int] = []
    for first, second in links:
        step = 1 if layers[second] > layers[first] else -1
        between = list(range(layers[first] + step, layers[second], step)) if layers[first] != layers[second] else []
        chains.append([first, *range(count + len(parts), count + len(parts) + len(between)), second])
        parts += between
    return chains, parts


def _ordered(layers: Sequence[int], weights: Mapping[int, Mapping[int, int]]) -> list[list[int]]:
    """The nodes of each layer, in the order with the fewest crossings found."""
    rows: list[list[int]] = [[] for _ in range(max(layers, default=0) + 1)]
    for node, layer in enumerate(layers):
        rows[layer].append(node)

    def side(node: int) -> int:
        """Receivers on one side of the inner nodes, senders on the other, so that neighbours' links do not cross."""
        beyond = {layers[other] > layers[node] for other in weights[node]}
        if len(beyond) == 1:
            return 2 if True in beyond else 0
        return 1

    rows = [sorted(row, key=side) for row in rows]
    best, least = rows, _crossings(rows, weights)
    for sweep in range(_SWEEPS):
        if not least:
            break
        at = {node: place - len(row) / 2 for row in rows for place, node in enumerate(row)}
        order = range(len(rows)) if sweep % 2 == 0 else range(len(rows) - 1, -1, -1)
        for layer in order:
            before = layer - 1 if sweep % 2 == 0 else layer + 1
            means = {}
            for node in rows[layer]:
                near = [at[other] for other in weights[node] if layers[other] == before]
                means[node] = sum(near) / len(near) if near else at[node]
            rows[layer] = sorted(rows[layer], key=means.__getitem__)
            at |= {node: place - len(rows[layer]) / 2 for place, node in enumerate(rows[layer])}
        crossings = _crossings(rows, weights)
        if crossings < least:
            best, least = [list(row) for row in rows], crossings
    return best


def _crossings(rows: Sequence[Sequence[int]], weights: Mapping[int, Mapping[int, int]]) -> int:
    total = 0
    for row, following in pairwise(rows):
        places = {node: place for place, node in enumerate(following)}
        ends = [sorted(places[other] for other in weights[node] if other in places) for node in row]
        flat = [end for node_ends in ends for end in node_ends]
        total += sum(flat[later] < end for place, end in enumerate(flat) for later in range(place + 1, len(flat)))
    return total


def _placed(
    rows: Sequence[Sequence[int]], layers: Sequence[int], weights: Mapping[int, Mapping[int, int]]
) -> dict[int, float]:
    """Each node's place across its layer: near its neighbours in other layers, and 1 or more from others in its own."""
    at = {node: place - (len(row) - 1) / 2 for row in rows for place, node in enumerate(row)}
    for sweep in range(2 * _SWEEPS):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            wanted, heavy = [], []
            for node in row:
                near = {other: many for other, many in weights[node].items() if layers[other] != layers[node]}
                total = sum(near.values())
                wanted.append(sum(at[other] * many for other, many in near.items()) / total if total else at[node])
                heavy.append(max(total, 1))
            at |= zip(row, _apart(wanted, heavy), strict=True)
    least = min(at.values(), default=0.0)
    return {node: round(4 * (place - least)) / 4 for node, place in at.items()}  # makes nearly straight links straight


def _apart(wanted: Sequence[float], heavy: Sequence[int]) -> list[float]:
    """Places 1 or more apart and in this order, nearest to the wanted ones: isotonic regression by pooled violators."""
    pools: list[tuple[float, int, int]] = []  # mean, weight, count
    for number, (place, weight) in enumerate(zip(wanted, heavy, strict=True)):
        mean, many, count = place - number, weight, 1
        while pools and pools[-1][0] >= mean:
            before, more, others = pools.pop()
            mean, many, count = (before * more + mean * many) / (more + many), more + many, others + count
        pools.append((mean, many, count))
    means = [mean for mean, _, count in pools for _ in range(count)]
    return [mean + number for number, mean in enumerate(means)]
