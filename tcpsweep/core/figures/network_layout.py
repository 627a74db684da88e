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
    # For two joined nodes, 1 and the number of routes over their link.
    route_counts: dict[int, dict[int, int]] = {node: {} for node in range(count)}
    for first, second in links:
        route_counts[first].setdefault(second, 1)
        route_counts[second].setdefault(first, 1)
    routes = [list(way) for way in ways]
    for way in routes:
        for tail, head in pairwise(way):
            route_counts[tail][head] = route_counts[head][tail] = route_counts[tail][head] + 1
    tiers = _tiers(route_counts)
    layers = _layers(route_counts, routes) if tiers is None else tiers
    chains, bend_layers = _chains(links, layers, count)
    weights: dict[int, dict[int, int]] = defaultdict(dict)
    for (first, second), chain in zip(links, chains, strict=True):
        straightness = _INNER if min(len(route_counts[first]), len(route_counts[second])) > 1 else 1
        for tail, head in pairwise(chain):
            weights[tail][head] = weights[head][tail] = straightness * route_counts[first][second]
    place_across = _places_across(_ordered([*layers, *bend_layers], weights), [*layers, *bend_layers], weights)
    bends = [[((*layers, *bend_layers)[node], place_across[node]) for node in chain[1:-1]] for chain in chains]
    return Layout([(layer, place_across[node]) for node, layer in enumerate(layers)], bends, tiers is not None)


def _tiers(neighbours: Mapping[int, Mapping[int, int]]) -> list[int] | None:
    """Each node's tier, the top being 0; None without tiers.

    Each link joins two neighbouring tiers. There are three or more, with `_LEAST_TIER` nodes right above the hosts.
    """
    tiers = {node: 0 for node, others in neighbours.items() if len(others) == 1}
    outermost = list(tiers)
    while outermost:
        reached = dict.fromkeys(other for node in outermost for other in neighbours[node] if other not in tiers)
        tiers |= {node: tiers[outermost[0]] + 1 for node in reached}
        outermost = list(reached)
    top = max(tiers.values(), default=0)
    second_tier_count = sum(tier == 1 for tier in tiers.values())
    if top < 2 or second_tier_count < _LEAST_TIER or len(tiers) < len(neighbours):
        return None
    if any(abs(tiers[node] - tiers[other]) != 1 for node, others in neighbours.items() for other in others):
        return None
    return [top - tiers[node] for node in range(len(neighbours))]


def _layers(neighbours: Mapping[int, Mapping[int, int]], routes: Sequence[list[int]]) -> list[int]:
    """Each node's layer: links lead to later layers in the direction of the first route over them, without circles."""
    after: dict[int, dict[int, None]] = {node: {} for node in neighbours}

    def has_path(source: int, target: int) -> bool:
        """Whether the links ordered so far lead from the source to the target."""
        seen, outermost = {source}, [source]
        while outermost:
            outermost = [other for node in outermost for other in after[node] if other not in seen]
            seen.update(outermost)
        return target in seen

    for route in routes:
        steps = list(pairwise(route))
        balance = sum(tail in after[head] for tail, head in steps) - sum(head in after[tail] for tail, head in steps)
        for tail, head in [(head, tail) for tail, head in reversed(steps)] if balance > 0 else steps:
            if head not in after[tail] and tail not in after[head]:
                first, second = (head, tail) if has_path(head, tail) else (tail, head)
                after[first][second] = None
    depths = _depths(after)
    for node in neighbours:  # a sender is one layer before the first node that it sends to
        if after[node] and not any(node in others for others in after.values()):
            depths[node] = min(depths[other] for other in after[node]) - 1
    used = [node for node in neighbours if after[node] or any(node in others for others in after.values())]
    outermost = used or list(neighbours)[:1]
    placed = {node: depths[node] for node in outermost}
    while outermost:
        reached = {other: placed[node] + 1 for node in outermost for other in neighbours[node] if other not in placed}
        placed |= reached
        outermost = list(reached)
    least = min(placed.values(), default=0)
    return [placed.get(node, 0) - least for node in neighbours]


def _depths(after: Mapping[int, Mapping[int, None]]) -> dict[int, int]:
    """The length of the longest path to each node of a graph without circles."""
    predecessor_counts = {node: sum(node in others for others in after.values()) for node in after}
    depths, ready = dict.fromkeys(after, 0), [node for node, count in predecessor_counts.items() if not count]
    while ready:
        node = ready.pop()
        for other in after[node]:
            depths[other] = max(depths[other], depths[node] + 1)
            predecessor_counts[other] -= 1
            if not predecessor_counts[other]:
                ready.append(other)
    return depths


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
    best_rows, fewest = rows, _crossings(rows, weights)
    for sweep in range(_SWEEPS):
        if not fewest:
            break
        offsets = {node: place - len(row) / 2 for row in rows for place, node in enumerate(row)}
        layer_order = range(len(rows)) if sweep % 2 == 0 else range(len(rows) - 1, -1, -1)
        for layer in layer_order:
            other_layer = layer - 1 if sweep % 2 == 0 else layer + 1
            means = {}
            for node in rows[layer]:
                near = [offsets[other] for other in weights[node] if layers[other] == other_layer]
                means[node] = sum(near) / len(near) if near else offsets[node]
            rows[layer] = sorted(rows[layer], key=means.__getitem__)
            offsets |= {node: place - len(rows[layer]) / 2 for place, node in enumerate(rows[layer])}
        crossings = _crossings(rows, weights)
        if crossings < fewest:
            best_rows, fewest = [list(row) for row in rows], crossings
    return best_rows


def _crossings(rows: Sequence[Sequence[int]], weights: Mapping[int, Mapping[int, int]]) -> int:
    """How often links between neighbouring layers cross."""
    total = 0
    for row, next_row in pairwise(rows):
        places = {node: place for place, node in enumerate(next_row)}
        ends = [sorted(places[other] for other in weights[node] if other in places) for node in row]
        flat = [end for node_ends in ends for end in node_ends]
        total += sum(flat[later] < end for place, end in enumerate(flat) for later in range(place + 1, len(flat)))
    return total


def _places_across(
    rows: Sequence[Sequence[int]], layers: Sequence[int], weights: Mapping[int, Mapping[int, int]]
) -> dict[int, float]:
    """Each node's place across its layer: near its neighbours in other layers, and 1 or more from others in its own."""
    place_of = {node: place - (len(row) - 1) / 2 for row in rows for place, node in enumerate(row)}
    for sweep in range(2 * _SWEEPS):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            wanted, totals = [], []
            for node in row:
                weight_of = {other: weight for other, weight in weights[node].items() if layers[other] != layers[node]}
                total = sum(weight_of.values())
                wanted.append(
                    sum(place_of[other] * weight for other, weight in weight_of.items()) / total
                    if total
                    else place_of[node]
                )
                totals.append(max(total, 1))
            place_of |= zip(row, _apart(wanted, totals), strict=True)
    least = min(place_of.values(), default=0.0)
    # Quarters make nearly straight links straight.
    return {node: round(4 * (place - least)) / 4 for node, place in place_of.items()}


def _apart(wanted: Sequence[float], totals: Sequence[int]) -> list[float]:
    """Places 1 or more apart and in this order, nearest to the wanted ones: isotonic regression by pooled violators."""
    pools: list[tuple[float, int, int]] = []  # mean, weight, count
    for number, (place, own_total) in enumerate(zip(wanted, totals, strict=True)):
        mean, total, count = place - number, own_total, 1
        while pools and pools[-1][0] >= mean:
            last_mean, last_total, last_count = pools.pop()
            mean, total, count = (
                (last_mean * last_total + mean * total) / (last_total + total),
                last_total + total,
                last_count + count,
            )
        pools.append((mean, total, count))
    means = [mean for mean, _, count in pools for _ in range(count)]
    return [mean + number for number, mean in enumerate(means)]
