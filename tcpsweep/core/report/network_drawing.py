# SPDX-License-Identifier: MIT
"""A custom topology's drawing: nodes in their places, links, and the routes of flows and traffic.

Hosts that differ only in their number, which a link's `count` makes, are drawn once.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import polars as pl
from markupsafe import Markup

from tcpsweep.core.figures import network_layout
from tcpsweep.core.report import network_groups, page_parts
from tcpsweep.core.report.network_groups import Lane
from tcpsweep.core.sweep import network_graph
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.network_graph import Network
from tcpsweep.core.words import metrics, units

MOST_NODES, MOST_LINKS = 60, 160  # that a reader can distinguish
FEW_ALIKE, MANY = 3, 24  # up to this number of equal hosts each have a place, unless there are many nodes
SHOWN = ("utilisation", "network_queueing_delay_mean_s", "congestion_loss", "queue_mean_packets")
_NO_DELAY = "0s"  # routes are the simulator's, so this delay decides none here
_DIRECTIONS = ("forward", "reverse")


@dataclass(frozen=True)
class Drawing:
    """The drawn parts of a network.

    ``shown``, for the page's script, has

    - ``nodes``, each with ``name``, ``count`` and ``at``, its layer and its place across
    - ``links``, each with its ``name``, ``count``, ``ends`` (numbers of nodes), ``bends`` (places between them),
      ``about`` (its rate, delay and queue in words) for each direction
    - ``groups`` of flows and of traffic, each with ``name``, ``kind``, ``count`` of its flows and ``lanes`` that its
      data takes: a link's number, twice, and one more for its direction from the second end to the first
    - ``tiers``, as `network_layout.Layout` has it
    """

    shown: dict[str, Any]
    lanes: dict[Lane, int]  # the number of each link's direction


class CellNetwork(NamedTuple):
    """The metrics on a cell's links, each with name, title and unit, and the script's data."""

    metrics: list[tuple[str, str, str]]
    data: Markup


def drawing(row: Combination, record: Mapping[str, Any]) -> Drawing | None:
    """The drawing of a combination's network; None if it has no custom topology, or one too large to draw.

    ``record`` is a run's ``run.json``, or only its ``flows``, ``links`` and ``traffic``.
    """
    if not network_graph.has_named_parts(row):
        return None
    network = network_graph.network_of(row, _NO_DELAY)
    inner_nodes, inner_links = network_groups.inner(network)
    if inner_nodes > MOST_NODES or inner_links > MOST_LINKS:
        return None  # before the search for routes
    groups = [*network_groups.flows(record, network), *network_groups.traffic(row, network)]
    for most_single in (FEW_ALIKE, 1):
        number_by_node, nodes = network_groups.alike(network, groups, most_single)
        if len(nodes) <= (MANY if most_single > 1 else MOST_NODES):
            break
    members_by_link = _members_by_link(network, number_by_node, nodes)
    if len(nodes) > MOST_NODES or len(members_by_link) > MOST_LINKS:
        return None
    number_by_lane = {
        (network.links[member].name, direction): 2 * number + is_reverse
        for number, members in enumerate(members_by_link.values())
        for member in members
        for is_reverse, direction in enumerate(_DIRECTIONS)
    }
    ends_by_link = network_groups.ends_of(network)
    routes = (network_groups.nodes_on(way, ends_by_link) for group in groups for way in group.ways)
    distinct_routes = list(dict.fromkeys(tuple(number_by_node[node] for node in way) for way in routes))
    ends_of_links = [(first, second) for first, second, _ in members_by_link]
    layout = network_layout.layout(len(nodes), ends_of_links, distinct_routes)
    shown = {
        "nodes": [
            {"name": _common_name(members), "count": len(members), "at": place}
            for members, place in zip(nodes, layout.places, strict=True)
        ],
        "links": _shown_links(network, members_by_link, layout.bends, _words_by_lane(record)),
        "groups": [
            {
                "name": group.name,
                "kind": group.kind,
                "count": group.count,
                "lanes": sorted({number_by_lane[lane] for lane in group.lanes}),
            }
            for group in groups
        ],
        "tiers": layout.tiers,
    }
    return Drawing(shown, number_by_lane)


def _members_by_link(
    network: Network, number_by_node: Mapping[str, int], nodes: Sequence[Sequence[str]]
) -> dict[tuple[int, int, str], list[int]]:
    """The numbers of the network's links that are drawn as one, by its ends and its name."""
    members_by_link: dict[tuple[int, int, str], list[int]] = {}
    for number, link in enumerate(network.links):
        ends = (number_by_node[link.ends[0]], number_by_node[link.ends[1]])
        is_merged = len(nodes[ends[0]]) > 1 or len(nodes[ends[1]]) > 1
        members_by_link.setdefault((*ends, link.group if is_merged else link.name), []).append(number)
    return members_by_link


def _shown_links(
    network: Network,
    members_by_link: Mapping[tuple[int, int, str], Sequence[int]],
    bends: Iterable[Any],
    words_by_lane: Mapping[Lane, str],
) -> list[dict[str, Any]]:
    """The links, as `Drawing` has them."""
    return [
        {
            "name": network.links[members[0]].name if len(members) == 1 else name,
            "count": len(members),
            "ends": [first, second],
            "bends": bends_of_link,
            "about": [words_by_lane.get((network.links[members[0]].name, way), "") for way in _DIRECTIONS],
        }
        for ((first, second, name), members), bends_of_link in zip(members_by_link.items(), bends, strict=True)
    ]


def loads(drawing: Drawing, values: Mapping[Lane, Mapping[str, float]]) -> dict[str, list[Any]]:
    """The values of each metric for each lane: a number, the least and the most of several links, or None."""
    numbers_by_metric: dict[str, list[list[float]]] = defaultdict(
        lambda: [[] for _ in range(2 * len(drawing.shown["links"]))]
    )
    for lane, lane_values in values.items():
        number = drawing.lanes.get(lane)
        for name in SHOWN:
            if number is not None and lane_values.get(name) is not None:
                numbers_by_metric[name][number].append(float(f"{lane_values[name] * _factor_to_shown_unit(name):.4g}"))
    return {
        name: [_number_or_range(numbers) for numbers in numbers_by_metric[name]]
        for name in SHOWN
        if name in numbers_by_metric
    }


def shown_metrics(loads: Iterable[Mapping[str, Sequence[Any]]]) -> list[dict[str, Any]]:
    """The metrics that colour links: ``name``, ``title``, ``unit``, ``percent``, and ``top`` of the scale.

    Where no link was measured, one metric without a name, which no link has.
    """
    described, all_loads = [], list(loads)
    for name in SHOWN:
        metric = metrics.METRICS[name]
        link_values = [value for load in all_loads for value in load.get(name, ()) if value is not None]
        most = max((max(value) if isinstance(value, list) else value for value in link_values), default=None)
        if most is not None:
            top = 1.0 if name == "utilisation" else most
            described.append(
                {"name": name, "title": metric.title, "unit": metric.shown_unit}
                | {"percent": metric.unit == "1", "top": top}
            )
    return described or [{"name": "", "title": "Load", "unit": "", "percent": False, "top": 0.0}]


def variants(row: Combination, drawing: Drawing) -> list[str]:
    """The variants of each group's flows; an empty text for traffic without its own variant."""
    variants_by_group = {group.name: "+".join(dict.fromkeys(group.turns)) for group in network_graph.groups(row)}
    return [
        variants_by_group.get(group["name"], "")
        if group["kind"] == "flows"
        else str(network_graph.value(row, "traffic", group["name"], "variant", ""))
        for group in drawing.shown["groups"]
    ]


def network_of_cell(
    row: Combination, record: Mapping[str, Any], measures: pl.DataFrame, names: Mapping[str, str]
) -> CellNetwork | None:
    """A cell's network; None without a custom topology, or if it is too large to draw.

    ``record`` is the cell's ``run.json``, ``names`` are variants' names for print.
    """
    drawn = drawing(row, record)
    if drawn is None:
        return None
    values_by_lane: dict[Lane, dict[str, float]] = {}
    link_measures = measures.filter(pl.col("metric").cast(pl.String).is_in(SHOWN), pl.col("flow").is_null())
    for link, direction, name, value in link_measures.select("link", "direction", "metric", "value").iter_rows():
        if link is not None:
            values_by_lane.setdefault((link, direction), {})[name] = value
    own_loads = loads(drawn, values_by_lane)
    metrics_on_links = shown_metrics([own_loads])
    own_variants = ["+".join(names.get(turn, turn) for turn in mix.split("+")) for mix in variants(row, drawn)]
    data = {"graph": drawn.shown, "metrics": metrics_on_links, "loads": own_loads, "variants": own_variants}
    heads = [(metric["name"], metric["title"], metric["unit"]) for metric in metrics_on_links]
    return CellNetwork(heads, page_parts.as_json(data))


def _factor_to_shown_unit(name: str) -> float:
    """The factor from a metric's unit to its shown unit; a share stays a share, and its text is in %."""
    metric = metrics.METRICS[name]
    return 1.0 if metric.unit == "1" else metric.scale


def _number_or_range(values: Sequence[float]) -> Any:
    """The value that all have, else the least and the most; None without values."""
    if not values:
        return None
    least, most = min(values), max(values)
    return most if least == most else [least, most]


def _common_name(nodes: Sequence[str]) -> str:
    """A node's name, or the common beginning of several names."""
    equal_letters = itertools.takewhile(lambda letters: len(set(letters)) == 1, zip(*nodes, strict=False))
    common = "".join(letters[0] for letters in equal_letters)
    return common.rstrip("0123456789-_.") if len(nodes) > 1 and common else nodes[0]


def _words_by_lane(record: Mapping[str, Any]) -> dict[Lane, str]:
    """The rate and delay of each link's direction, and its queue, as far as the simulator says them."""
    text_by_lane: dict[Lane, str] = {}
    for flow in record["flows"]:
        for step in flow.get("path") or ():
            rate = "a rate that varies" if step["varies"] else _with_short_unit(step["bandwidth_bps"], "bit/s")
            text_by_lane[step["link"], step["direction"]] = f"{rate}, {_with_short_unit(step['delay_s'], 's')}"
    for link in record["links"]:
        for direction in _DIRECTIONS:
            if device := link.get(direction):
                texts = [
                    text_by_lane.get((link["link"], direction)) or _with_short_unit(device["bandwidth_bps"], "bit/s")
                ]
                if device.get("queue_packets"):
                    texts.append(f"queue of {device['queue_packets']} packets")
                elif device.get("queue_bytes"):
                    texts.append(f"queue of {device['queue_bytes']} bytes")
                if device.get("queue_disc"):
                    texts.append(str(device["queue_disc"]).removeprefix("ns3::"))
                text_by_lane[link["link"], direction] = ", ".join(texts)
    return text_by_lane


def _with_short_unit(value: float, unit: str) -> str:
    """A number in the unit in which it is short."""
    factors = units.SHOWN.get(unit, {unit: 1.0})
    fitting = [name for name, scale in factors.items() if value >= scale]
    best = max(fitting, key=factors.__getitem__, default=min(factors, key=factors.__getitem__))
    return f"{value / factors[best]:.4g} {best}"
