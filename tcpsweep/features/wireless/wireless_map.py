# SPDX-License-Identifier: MIT
"""Maps of wireless networks: which maps a sweep has, their nodes, links, ranges and words, and their chart.

They also say which nodes reach their gateway, and why flows carried no data.
"""

from __future__ import annotations

import json
import math
from typing import Any, NamedTuple, TypeAlias, cast

import polars as pl

from tcpsweep.core.figures import charts, paper_chart
from tcpsweep.core.figures.charts import Slots, VegaLite
from tcpsweep.core.figures.series_styles import Style
from tcpsweep.core.store import cell_files
from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.sweep_record import PlannedSweep, value_text

MOST_LOOKED_AT = 1000
IN_REACH, OUT_OF_REACH, GATEWAY = "in reach", "out of reach", "gateway"

_PANEL_PX, _MARGIN_M = 112, 1.0  # of a panel, in pixels; around the nodes, in m
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
    first_cell_of_combination: dict[int, str] = {}
    for cell, combination, _ in sweep.finished():
        if combination < sweep.swept and "stations" in sweep.combinations[combination]:
            first_cell_of_combination.setdefault(combination, cell)
    map_by_nodes: dict[str, Map] = {}
    for combination, cell in list(first_cell_of_combination.items())[:MOST_LOOKED_AT]:
        run = cell_files.record(sweep.parquet(cell))
        nodes_text = json.dumps([[node[name] for name in ("x_m", "y_m", "hears")] for node in run["nodes"]])
        map_by_nodes.setdefault(nodes_text, Map([], cell, run)).combinations.append(combination)
    return list(map_by_nodes.values())


def described(sweep: PlannedSweep, combinations: list[int], run: _Record) -> tuple[str, str]:
    """A map in words: the first combination's place among the sweep's networks, and the caption.

    ``combinations`` are the combinations with the map, ``run`` is a simulator's record of one of them.
    """
    text_by_axis = {name: value_text(sweep.combinations[combinations[0]], name) for name in axes.network_axes(sweep)}
    in_reach, stations = reachable(run), [node for node in run["nodes"] if node["role"] == "station"]
    out_of_reach, other_combinations = sum(node["node"] not in in_reach for node in stations), len(combinations) - 1
    sentences = [
        "Lines join nodes that hear each other, each side on a channel of its own"
        + ("; circles are the gateways' range." if range_m(run) else "."),
        f"{out_of_reach} of {len(stations)} stations are out of their gateway's reach." if out_of_reach else "",
        f"The same at {other_combinations} more combination{'s' * (other_combinations > 1)} of the sweep's."
        if other_combinations
        else "",
        _silent_flows_in_words(silent_flows(run), len(run["flows"])),
    ]
    return axes.axes_in_words(text_by_axis), " ".join(word for word in sentences if word)


def _silent_flows_in_words(reason_by_flow: dict[int, str], flows: int) -> str:
    """The flows without data, by reason."""
    if not reason_by_flow:
        return f"All {flows} flows carried data."
    flows_by_reason: dict[str, list[int]] = {}
    for flow, why in reason_by_flow.items():
        flows_by_reason.setdefault(why, []).append(flow)
    flows_in_words = [f"{', '.join(map(str, which))} ({why})" for why, which in flows_by_reason.items()]
    return f"{len(reason_by_flow)} of {flows} flows carried no data: {'; '.join(flows_in_words)}."


def range_m(run: _Record) -> float | None:
    """The range of a signal, in m; None if the propagation loss gives no such distance."""
    parameters = run["parameters"]
    return float(parameters["coverage"]) if parameters["propagation"] == "RangePropagationLossModel" else None


def points(run: _Record) -> pl.DataFrame:
    """The nodes: ``x`` and ``y`` in m, ``side``, ``label``, and ``state``, one of `_STYLES`."""
    in_reach = reachable(run)
    return pl.DataFrame([_point(node, in_reach) for node in run["nodes"]])


def _point(node: _Record, in_reach: set[int]) -> dict[str, Any]:
    is_station = node["role"] == "station"
    station_state = IN_REACH if node["node"] in in_reach else OUT_OF_REACH
    return {
        "x": float(node["x_m"]),
        "y": float(node["y_m"]),
        "side": node["side"],
        "label": node["name"].rpartition(" ")[2] if is_station else "",
        "state": station_state if is_station else GATEWAY,
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
    from tcpsweep.features.wireless import wireless_kinds  # altair takes long

    nodes = points(run)
    states = [state for state in _STYLES if state in nodes["state"].to_list()]
    tables = {"points": nodes.rename({"state": "series"}), "lines": lines(run), "circles": circles(run)}
    sides, panels = list(dict.fromkeys(nodes["side"])), []
    for side in sides:
        of_side = {name: table.filter(pl.col("side") == side) for name, table in tables.items()}
        panels.append(({**_place(of_side["points"]), **_legend(states, _PANEL_PX * len(sides)), "side": side}, of_side))
    return charts.several("hconcat", charts.built(wireless_kinds.side_of_map), panels)


def _place(nodes: pl.DataFrame) -> Slots:
    """The slots of the axes of one side, with as many metres across as up, so that circles are round."""
    ranges = {name: (cast(float, nodes[name].min()), cast(float, nodes[name].max())) for name in "xy"}
    half_width_m = max(high - low for low, high in ranges.values()) / 2 + _MARGIN_M
    slots: dict[str, Any] = {"width": _PANEL_PX, "height": _PANEL_PX}
    for name, (low, high) in ranges.items():
        middle = (high + low) / 2
        domain = [middle - half_width_m, middle + half_width_m]
        slots |= {f"{name} title": f"{name} [m]", f"{name} scale": {"domain": domain, "nice": False, "zero": False}}
    return slots


def _legend(states: list[str], width: float) -> Slots:
    styles = {state: Style(_STYLES[state][1], _STYLES[state][0], []) for state in states}
    return paper_chart.of_series(styles, states, paper_chart.legend_below(states, width))


def reachable(run: _Record) -> set[int]:
    """The nodes with a path to their side's gateway, whose hops join nodes that hear each other in both directions.

    Returns their ns-3 ids. To an access point a path has one hop, to the router of a mesh at most one more than its
    radius, the parameter ``mesh_radius_left`` or ``mesh_radius_right``.
    """
    hears = {node["node"]: set(node["hears"]) for node in run["nodes"]}
    reached: set[int] = set()
    for gateway in (node for node in run["nodes"] if node["role"] != "station"):
        hops = int(run["parameters"].get(f"mesh_radius_{gateway['side']}", 0)) + 1
        ring = {gateway["node"]}
        reached |= ring
        for _ in range(hops):
            ring = {other for node in ring for other in hears[node] - reached if node in hears[other]}
            reached |= ring
    return reached


def silent_flows(run: _Record) -> dict[int, str]:
    """The flows that carried no data, each with the reason in words."""
    nodes, in_reach = {node["node"]: node for node in run["nodes"]}, reachable(run)
    return {
        flow["flow"]: _reason_of_silence(flow, nodes, in_reach) for flow in run["flows"] if not flow["received_bytes"]
    }


def _reason_of_silence(flow: _Record, nodes: dict[int, _Record], in_reach: set[int]) -> str:
    """Why a flow carried no data; ``nodes`` are by their ids, ``in_reach`` are the nodes that reach their gateway."""
    gateway_by_side = {node["side"]: node for node in nodes.values() if node["role"] != "station"}
    for end, name in (("source", "sender"), ("destination", "receiver")):
        node = nodes[flow[f"{end}_node"]]
        gateway = gateway_by_side[node["side"]]["role"]
        if node["node"] not in in_reach:
            return f"the {name} is out of its {gateway}'s reach"
        if gateway == "access point" and node["associated_s"] is None:
            return f"the {name} is in reach of its access point, but has not associated"
    if flow["established_s"] is None:
        return "both ends are in reach, but the connection was not established"
    return "the connection was established, but no data arrived"
