# SPDX-License-Identifier: MIT
"""A wireless network's nodes: where they stand, who hears whom, and which flows never start, and why."""

import json
import math

import altair as alt
import polars as pl

from tcpsweep.figures import charts
from tcpsweep.store import layout
from tcpsweep.sweep import axes

MOST_MAPS = 12
MOST_LOOKED_AT = 1000
SIZE, MARGIN = 260, 1.0
# What is told of a node, with shape and colour.
STATES = {
    "in reach": ("circle", "#0072b2"),
    "out of reach": ("cross", "#d55e00"),
    "gateway": ("square", "#000000"),
}
_STATE = {True: "in reach", False: "out of reach"}


def reachable(run):
    """The nodes that a path of nodes that hear each other, in both directions, joins to their side's gateway.

    Parameters
    ----------
    run : dict
        A simulator's record, with ``nodes``.

    Returns
    -------
    set of int
        Their ns-3 ids. To an access point a path has one hop, to the router of a mesh one more than its radius, the
        parameter ``mesh_radius_left`` or ``mesh_radius_right``.
    """
    hears = {node["node"]: set(node["hears"]) for node in run["nodes"]}
    found = set()
    for gateway in (node for node in run["nodes"] if node["role"] != "station"):
        hops = int(run["parameters"].get(f"mesh_radius_{gateway['side']}", 0)) + 1
        ring = {gateway["node"]}
        found |= ring
        for _ in range(hops):
            ring = {other for node in ring for other in hears[node] - found if node in hears[other]}
            found |= ring
    return found


def silent_flows(run):
    """The flows that carried no data, and why.

    Parameters
    ----------
    run : dict
        A simulator's record, with ``nodes``.

    Returns
    -------
    dict
        Flow to the reason in words.
    """
    nodes, found = {node["node"]: node for node in run["nodes"]}, reachable(run)
    return {flow["flow"]: _why(flow, nodes, found) for flow in run["flows"] if not flow["received_bytes"]}


def _why(flow, nodes, found):
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


def maps(sweep):
    """The different maps that a sweep's networks have, as far as its first combinations go, in their order.

    Returns
    -------
    list of (list of int, str, dict)
        The combinations that have the map, and of the first of them a finished cell and its run's record. Empty for a
        sweep whose networks have cables only.
    """
    found, first = {}, {}
    for cell, combination, _ in sweep.finished():
        if combination < sweep.swept and "stations" in sweep.combinations[combination]:
            first.setdefault(combination, cell)
    for combination, cell in list(first.items())[:MOST_LOOKED_AT]:
        run = json.loads((layout.parquet(cell, sweep.parser) / "run.json").read_text(encoding="utf-8"))
        key = json.dumps([[node[name] for name in ("x_m", "y_m", "hears")] for node in run["nodes"]])
        found.setdefault(key, ([], cell, run))[0].append(combination)
    return list(found.values())


def described(sweep, combinations, run):
    """Where the network of a map stands among the sweep's, and what is to be said below the map."""
    varied = [name for name in axes.of(sweep) if name != "variant"]
    where = {name: axes.text(sweep.combinations[combinations[0]], name) for name in varied}
    found, stations = reachable(run), [node for node in run["nodes"] if node["role"] == "station"]
    without, others = sum(node["node"] not in found for node in stations), len(combinations) - 1
    words = [
        "Lines join nodes that hear each other, each side on a channel of its own"
        + ("; circles are the gateways' range." if _range(run) else "."),
        f"{without} of {len(stations)} stations are out of their gateway's reach." if without else "",
        f"The same at {others} more combination{'s' * (others > 1)} of the sweep's." if others else "",
        _said(silent_flows(run), len(run["flows"])),
    ]
    return axes.said(where), " ".join(word for word in words if word)


def _said(silent, flows):
    """Which flows carried nothing, by reason."""
    if not silent:
        return f"All {flows} flows carried data."
    of_reasons = {}
    for flow, why in silent.items():
        of_reasons.setdefault(why, []).append(flow)
    parts = [f"{', '.join(map(str, which))} ({why})" for why, which in of_reasons.items()]
    return f"{len(silent)} of {flows} flows carried no data: {'; '.join(parts)}."


def _range(run):
    """How far a signal is heard, in m, where that is a distance."""
    parameters = run["parameters"]
    return float(parameters["coverage"]) if parameters["propagation"] == "RangePropagationLossModel" else None


def chart(run):
    """Both sides' nodes on the plane, in metres, each side in a panel, as Vega-Lite."""
    points, lines = _points(run), _lines(run["nodes"])
    circles = _circles(run["nodes"], _range(run))
    states = [state for state in STATES if state in points["state"].to_list()]
    sides = list(dict.fromkeys(points["side"]))
    panels = [_panel(side, points.filter(pl.col("side") == side), states) for side in sides]
    return charts.finished(alt.hconcat(*panels), points=points, lines=lines, circles=circles)


def _points(run):
    found = reachable(run)
    return pl.DataFrame(
        [
            {
                "x": float(node["x_m"]),
                "y": float(node["y_m"]),
                "side": node["side"],
                "label": node["name"].rpartition(" ")[2] if node["role"] == "station" else "",
                "state": "gateway" if node["role"] != "station" else _STATE[node["node"] in found],
            }
            for node in run["nodes"]
        ]
    )


def _lines(nodes):
    """A line between each two nodes that hear each other."""
    by_id = {node["node"]: node for node in nodes}
    rows = [
        (float(node["x_m"]), float(node["y_m"]), node["side"], float(other["x_m"]), float(other["y_m"]))
        for node in nodes
        for other in map(by_id.get, node["hears"])
        if node["node"] < other["node"] and node["node"] in other["hears"]
    ]
    schema = {"x": pl.Float64, "y": pl.Float64, "side": pl.String, "x2": pl.Float64, "y2": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _circles(nodes, range_m):
    """The gateways' range, as points of a circle each; none where it is no distance."""
    rows = [
        (
            node["x_m"] + range_m * math.cos(math.radians(angle)),
            node["y_m"] + range_m * math.sin(math.radians(angle)),
            node["side"],
            angle,
        )
        for node in nodes
        if node["role"] != "station" and range_m
        for angle in range(0, 361, 5)
    ]
    schema = {"x": pl.Float64, "y": pl.Float64, "side": pl.String, "angle": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _panel(side, points, states):
    """One side, as many metres to the right as up, so that circles are round."""
    span = max(points[name].max() - points[name].min() for name in "xy") / 2 + MARGIN
    middle = {name: (points[name].max() + points[name].min()) / 2 for name in "xy"}
    scales = {name: alt.Scale(domain=[at - span, at + span], nice=False, zero=False) for name, at in middle.items()}
    x, y = (alt.X("x:Q", title="x [m]", scale=scales["x"]), alt.Y("y:Q", title="y [m]", scale=scales["y"]))
    shapes, colours = (alt.Scale(domain=states, range=[STATES[state][i] for state in states]) for i in (0, 1))
    legend = charts.legend_below(states, SIZE)

    def of(name):
        return alt.Chart(alt.NamedData(name)).transform_filter(f"datum.side === '{side}'")

    layers = [
        of("lines").mark_rule(color="#ccc", clip=True).encode(x, y, x2="x2:Q", y2="y2:Q"),
        of("circles").mark_line(color="#888", strokeDash=[4, 3], clip=True).encode(x, y, order="angle:Q"),
        of("points")
        .mark_point(filled=True, size=70, opacity=1)
        .encode(
            x,
            y,
            shape=alt.Shape("state:N", scale=shapes, legend=legend),
            color=alt.Color("state:N", scale=colours, legend=legend),
        ),
        of("points").mark_text(dx=10, dy=-8, fontSize=9).encode(x, y, text="label:N"),
    ]
    return alt.layer(*layers).properties(width=SIZE, height=SIZE, title=side)
