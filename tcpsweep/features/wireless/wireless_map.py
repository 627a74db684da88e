# SPDX-License-Identifier: MIT
"""Maps of wireless networks: which maps a sweep has, their nodes, links, ranges and words, and their chart.

They also say which nodes reach their gateway, and why flows carried no data.
"""

from __future__ import annotations

import json
import math
from typing import Any, NamedTuple, TypeAlias, cast

import polars as pl

from tcpsweep.core.figures import chart_look
from tcpsweep.core.figures.chart_look import VegaLite, column, marks
from tcpsweep.core.store import cell_files
from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.sweep_record import PlannedSweep, value_text

MOST_LOOKED_AT = 1000
IN_REACH, OUT_OF_REACH, GATEWAY = "in reach", "out of reach", "gateway"

_SIZE, _MARGIN = 112, 1.0  # of a panel, in pixels; around the nodes, in m
# The shape and colour of each state.
_STYLES = {
    IN_REACH: ("circle", "#0072b2"),
    OUT_OF_REACH: ("cross", "#d55e00"),
    GATEWAY: ("square", "#000000"),
}

_Record: TypeAlias = dict[str, Any]
"""A simulator's record of its run, ``run.json``."""


class Map(NamedTuple):
    """A map: the combinations that have it, and a finished cell of the first of them with its run's record."""

    combinations: list[int]
    cell: str
    run: _Record


def maps(sweep: PlannedSweep) -> list[Map]:
    """The different maps of a sweep's networks, in order; only the first `MOST_LOOKED_AT` combinations are read.

    A sweep of wired networks has none.
    """
    first: dict[int, str] = {}
    for cell, combination, _ in sweep.finished():
        if combination < sweep.swept and "stations" in sweep.combinations[combination]:
            first.setdefault(combination, cell)
    found: dict[str, Map] = {}
    for combination, cell in list(first.items())[:MOST_LOOKED_AT]:
        run = cell_files.record(sweep.parquet(cell))
        key = json.dumps([[node[name] for name in ("x_m", "y_m", "hears")] for node in run["nodes"]])
        found.setdefault(key, Map([], cell, run)).combinations.append(combination)
    return list(found.values())


def described(sweep: PlannedSweep, combinations: list[int], run: _Record) -> tuple[str, str]:
    """A map in words: the first combination's place among the sweep's networks, and the caption.

    ``combinations`` are the combinations with the map, ``run`` is a simulator's record of one of them.
    """
    where = {name: value_text(sweep.combinations[combinations[0]], name) for name in axes.network_axes(sweep)}
    found, stations = reachable(run), [node for node in run["nodes"] if node["role"] == "station"]
    without, others = sum(node["node"] not in found for node in stations), len(combinations) - 1
    words = [
        "Lines join nodes that hear each other, each side on a channel of its own"
        + ("; circles are the gateways' range." if range_m(run) else "."),
        f"{without} of {len(stations)} stations are out of their gateway's reach." if without else "",
        f"The same at {others} more combination{'s' * (others > 1)} of the sweep's." if others else "",
        _said(silent_flows(run), len(run["flows"])),
    ]
    return axes.axes_in_words(where), " ".join(word for word in words if word)


def _said(silent: dict[int, str], flows: int) -> str:
    """The flows without data, by reason."""
    if not silent:
        return f"All {flows} flows carried data."
    by_reason: dict[str, list[int]] = {}
    for flow, why in silent.items():
        by_reason.setdefault(why, []).append(flow)
    parts = [f"{', '.join(map(str, which))} ({why})" for why, which in by_reason.items()]
    return f"{len(silent)} of {flows} flows carried no data: {'; '.join(parts)}."


def range_m(run: _Record) -> float | None:
    """The range of a signal, in m; None if the propagation loss gives no such distance."""
    parameters = run["parameters"]
    return float(parameters["coverage"]) if parameters["propagation"] == "RangePropagationLossModel" else None


def points(run: _Record) -> pl.DataFrame:
    """The nodes: ``x`` and ``y`` in m, ``side``, ``label``, and ``state``, one of the three above."""
    found = reachable(run)
    return pl.DataFrame([_point(node, found) for node in run["nodes"]])


def _point(node: _Record, found: set[int]) -> dict[str, Any]:
    is_station = node["role"] == "station"
    reach = IN_REACH if node["node"] in found else OUT_OF_REACH
    return {
        "x": float(node["x_m"]),
        "y": float(node["y_m"]),
        "side": node["side"],
        "label": node["name"].rpartition(" ")[2] if is_station else "",
        "state": reach if is_station else GATEWAY,
    }


def lines(run: _Record) -> pl.DataFrame:
    """A line between each two nodes that hear each other: ``x``, ``y``, ``side``, ``x2``, ``y2``, in m."""
    nodes = run["nodes"]
    by_id = {node["node"]: node for node in nodes}
    rows = [
        (float(node["x_m"]), float(node["y_m"]), node["side"], float(other["x_m"]), float(other["y_m"]))
        for node in nodes
        for other in (by_id[heard] for heard in node["hears"])
        if node["node"] < other["node"] and node["node"] in other["hears"]
    ]
    schema = {"x": pl.Float64, "y": pl.Float64, "side": pl.String, "x2": pl.Float64, "y2": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def circles(run: _Record) -> pl.DataFrame:
    """The gateways' range as points of a circle: ``x``, ``y``, ``side``, ``angle``; none if it is no distance."""
    radius_m = range_m(run)
    rows = [
        (
            node["x_m"] + radius_m * math.cos(math.radians(angle)),
            node["y_m"] + radius_m * math.sin(math.radians(angle)),
            node["side"],
            angle,
        )
        for node in run["nodes"]
        if node["role"] != "station" and radius_m
        for angle in range(0, 361, 5)
    ]
    schema = {"x": pl.Float64, "y": pl.Float64, "side": pl.String, "angle": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def map_chart(run: _Record) -> VegaLite:
    """The map of a run's network, each side in a panel."""
    nodes = points(run)
    states = [state for state in _STYLES if state in nodes["state"].to_list()]
    sides = list(dict.fromkeys(nodes["side"]))
    panels = [_panel(side, nodes.filter(pl.col("side") == side), states) for side in sides]
    return chart_look.with_data({"hconcat": panels}, points=nodes, lines=lines(run), circles=circles(run))


def _panel(side: str, nodes: pl.DataFrame, states: list[str]) -> VegaLite:
    """One side, with as many metres across as up, so that circles are round."""
    ends = {name: (cast(float, nodes[name].min()), cast(float, nodes[name].max())) for name in "xy"}
    span = max(high - low for low, high in ends.values()) / 2 + _MARGIN
    middle = {name: (high + low) / 2 for name, (low, high) in ends.items()}
    place = {
        name: column(
            f"{name}:Q", title=f"{name} [m]", scale={"domain": [at - span, at + span], "nice": False, "zero": False}
        )
        for name, at in middle.items()
    }
    shapes, colours = ({"domain": states, "range": [_STYLES[state][i] for state in states]} for i in (0, 1))
    legend = chart_look.legend_below(states, _SIZE)
    other_end = {"x2": {"field": "x2"}, "y2": {"field": "y2"}}
    state = {
        "shape": column("state:N", scale=shapes, legend=legend),
        "color": column("state:N", scale=colours, legend=legend),
    }
    label = {"text": column("label:N")}
    hearing, ranges, points_of_side = ({"name": name} for name in ("lines", "circles", "points"))
    layers = [
        marks("rule", place | other_end, hearing, color="#ccc", clip=True),
        marks("line", place | {"order": column("angle:Q")}, ranges, color="#888", strokeDash=[4, 3], clip=True),
        marks("point", place | state, points_of_side, filled=True, size=40, opacity=1),
        marks("text", place | label, points_of_side, dx=7, dy=-6, fontSize=8),
    ]
    of_side = {"transform": [{"filter": f"datum.side === '{side}'"}]}
    return {"layer": [layer | of_side for layer in layers], "width": _SIZE, "height": _SIZE, "title": side}


def reachable(run: _Record) -> set[int]:
    """The nodes with a path to their side's gateway, whose hops join nodes that hear each other in both directions.

    Returns their ns-3 ids. To an access point a path has one hop, to the router of a mesh at most one more than its
    radius, the parameter ``mesh_radius_left`` or ``mesh_radius_right``.
    """
    hears = {node["node"]: set(node["hears"]) for node in run["nodes"]}
    found: set[int] = set()
    for gateway in (node for node in run["nodes"] if node["role"] != "station"):
        hops = int(run["parameters"].get(f"mesh_radius_{gateway['side']}", 0)) + 1
        ring = {gateway["node"]}
        found |= ring
        for _ in range(hops):
            ring = {other for node in ring for other in hears[node] - found if node in hears[other]}
            found |= ring
    return found


def silent_flows(run: _Record) -> dict[int, str]:
    """The flows that carried no data, each with the reason in words."""
    nodes, found = {node["node"]: node for node in run["nodes"]}, reachable(run)
    return {flow["flow"]: _why(flow, nodes, found) for flow in run["flows"] if not flow["received_bytes"]}


def _why(flow: _Record, nodes: dict[int, _Record], found: set[int]) -> str:
    """Why a flow carried no data; ``nodes`` are by their ids, ``found`` are the nodes that reach their gateway."""
    gateways = {node["side"]: node for node in nodes.values() if node["role"] != "station"}
    for end, name in (("source", "sender"), ("destination", "receiver")):
        node = nodes[flow[f"{end}_node"]]
        gateway = gateways[node["side"]]["role"]
        if node["node"] not in found:
            return f"the {name} is out of its {gateway}'s reach"
        if gateway == "access point" and node["associated_s"] is None:
            return f"the {name} is in reach of its access point, but has not associated"
    if flow["established_s"] is None:
        return "both ends are in reach, but the connection was not established"
    return "the connection was established, but no data arrived"
