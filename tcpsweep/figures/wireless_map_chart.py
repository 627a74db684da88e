# SPDX-License-Identifier: MIT
"""The chart of a wireless network: nodes on a plane in metres, which of them hear each other, the gateways' range."""

from __future__ import annotations

from typing import cast

import polars as pl

from tcpsweep.figures import chart_look, wireless_map_data
from tcpsweep.figures.chart_look import VegaLite, column, marks
from tcpsweep.figures.wireless_reach import Record

SIZE, MARGIN = 112, 1.0  # of a panel, in pixels; around the nodes, in m
# The shape and colour of each state.
STYLES = {
    wireless_map_data.IN_REACH: ("circle", "#0072b2"),
    wireless_map_data.OUT_OF_REACH: ("cross", "#d55e00"),
    wireless_map_data.GATEWAY: ("square", "#000000"),
}


def chart(run: Record) -> VegaLite:
    """The map of a run's network, each side in a panel."""
    points = wireless_map_data.points(run)
    states = [state for state in STYLES if state in points["state"].to_list()]
    sides = list(dict.fromkeys(points["side"]))
    panels = [_panel(side, points.filter(pl.col("side") == side), states) for side in sides]
    lines, circles = wireless_map_data.lines(run), wireless_map_data.circles(run)
    return chart_look.with_data({"hconcat": panels}, points=points, lines=lines, circles=circles)


def _panel(side: str, points: pl.DataFrame, states: list[str]) -> VegaLite:
    """One side, with as many metres across as up, so that circles are round."""
    ends = {name: (cast(float, points[name].min()), cast(float, points[name].max())) for name in "xy"}
    span = max(high - low for low, high in ends.values()) / 2 + MARGIN
    middle = {name: (high + low) / 2 for name, (low, high) in ends.items()}
    place = {
        name: column(
            f"{name}:Q", title=f"{name} [m]", scale={"domain": [at - span, at + span], "nice": False, "zero": False}
        )
        for name, at in middle.items()
    }
    shapes, colours = ({"domain": states, "range": [STYLES[state][i] for state in states]} for i in (0, 1))
    legend = chart_look.legend_below(states, SIZE)
    other_end = {"x2": {"field": "x2"}, "y2": {"field": "y2"}}
    state = {
        "shape": column("state:N", scale=shapes, legend=legend),
        "color": column("state:N", scale=colours, legend=legend),
    }
    label = {"text": column("label:N")}
    lines, circles, points_of_side = ({"name": name} for name in ("lines", "circles", "points"))
    layers = [
        marks("rule", place | other_end, lines, color="#ccc", clip=True),
        marks("line", place | {"order": column("angle:Q")}, circles, color="#888", strokeDash=[4, 3], clip=True),
        marks("point", place | state, points_of_side, filled=True, size=40, opacity=1),
        marks("text", place | label, points_of_side, dx=7, dy=-6, fontSize=8),
    ]
    of_side = {"transform": [{"filter": f"datum.side === '{side}'"}]}
    return {"layer": [layer | of_side for layer in layers], "width": SIZE, "height": SIZE, "title": side}
