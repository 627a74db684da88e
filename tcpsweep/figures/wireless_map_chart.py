# SPDX-License-Identifier: MIT
"""The chart of a wireless network: its nodes on a plane in metres, who hears whom, and the gateways' range."""

from __future__ import annotations

from typing import cast

import altair as alt
import polars as pl

from tcpsweep.figures import chart_look, wireless_map_data
from tcpsweep.figures.chart_look import VegaLite, View
from tcpsweep.figures.wireless_reach import Record

SIZE, MARGIN = 112, 1.0  # of a panel, in pixels; around the nodes, in m
# The shape and colour of each state.
STYLES = {
    wireless_map_data.IN_REACH: ("circle", "#0072b2"),
    wireless_map_data.OUT_OF_REACH: ("cross", "#d55e00"),
    wireless_map_data.GATEWAY: ("square", "#000000"),
}


def chart(run: Record) -> VegaLite:
    """The map of a run's network, each side in a panel.

    Parameters
    ----------
    run : dict
        A simulator's record, with ``nodes``.
    """
    points = wireless_map_data.points(run)
    states = [state for state in STYLES if state in points["state"].to_list()]
    sides = list(dict.fromkeys(points["side"]))
    panels = [_panel(side, points.filter(pl.col("side") == side), states) for side in sides]
    lines, circles = wireless_map_data.lines(run), wireless_map_data.circles(run)
    return chart_look.vega_lite(alt.hconcat(*panels), points=points, lines=lines, circles=circles)


def _panel(side: str, points: pl.DataFrame, states: list[str]) -> View:
    """One side, with as many metres across as up, so that circles are round."""
    ends = {name: (cast(float, points[name].min()), cast(float, points[name].max())) for name in "xy"}
    span = max(high - low for low, high in ends.values()) / 2 + MARGIN
    middle = {name: (high + low) / 2 for name, (low, high) in ends.items()}
    scales = {name: alt.Scale(domain=[at - span, at + span], nice=False, zero=False) for name, at in middle.items()}
    x, y = (alt.X("x:Q", title="x [m]", scale=scales["x"]), alt.Y("y:Q", title="y [m]", scale=scales["y"]))
    shapes, colours = (alt.Scale(domain=states, range=[STYLES[state][i] for state in states]) for i in (0, 1))
    legend = chart_look.legend_below(states, SIZE)

    def of(name: str) -> alt.Chart:
        return alt.Chart(alt.NamedData(name)).transform_filter(f"datum.side === '{side}'")

    layers = [
        of("lines").mark_rule(color="#ccc", clip=True).encode(x, y, x2="x2:Q", y2="y2:Q"),
        of("circles").mark_line(color="#888", strokeDash=[4, 3], clip=True).encode(x, y, order="angle:Q"),
        of("points")
        .mark_point(filled=True, size=40, opacity=1)
        .encode(
            x,
            y,
            shape=alt.Shape("state:N", scale=shapes, legend=legend),
            color=alt.Color("state:N", scale=colours, legend=legend),
        ),
        of("points").mark_text(dx=7, dy=-6, fontSize=8).encode(x, y, text="label:N"),
    ]
    return alt.layer(*layers).properties(width=SIZE, height=SIZE, title=side)
