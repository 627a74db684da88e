# SPDX-License-Identifier: MIT
"""The timeline on a cell's page: interactive views, one below the other, of everything in the cell's traces."""

from __future__ import annotations

import functools
from typing import Any

import altair as alt

from tcpsweep.figures import cell_timeline_data, chart_look
from tcpsweep.figures.cell_timeline_data import Rows
from tcpsweep.figures.chart_look import VegaLite, View
from tcpsweep.sweep.matching import Combination
from tcpsweep.words import quantities

MARKS = dict(zip(cell_timeline_data.EVENTS.values(), chart_look.PALETTE[1:], strict=False))
HEIGHT, OVERVIEW_HEIGHT = 110, 36
_PLAIN = alt.value(chart_look.PALETTE[6])  # the colour of what all flows share


def chart(data: dict[str, Rows], row: Combination) -> VegaLite:
    """The timeline: a view of each flow's windows, and below them views of what the flows share.

    An interval chosen in the uppermost view is what the others show. Flows chosen in the legend stand out.

    Parameters
    ----------
    data : dict of str to list of dict
        From `cell_timeline_data.reduced`.
    row : dict
        The cell's parameters.

    Returns
    -------
    dict
        Vega-Lite; the page's script gives the views their width.
    """
    flows = dict.fromkeys(line["flow"] for name in ("cwnd", "goodput", "rtt") for line in data.get(name, ()))
    return _views(tuple(data), tuple(flows), float(quantities.si(row["duration"], "time"))) | {"datasets": data}


@functools.cache  # it takes longer than the rest of a page, and is the same for most cells of a sweep
def _views(data: tuple[str, ...], flows: tuple[str, ...], end_s: float) -> VegaLite:
    """The chart without its data, which has these names and flows."""
    brush = alt.selection_interval(name="brush", encodings=["x"])
    colours = chart_look.colours(len(flows))
    colour = alt.Color(
        "flow:N",
        title="flow",
        scale=alt.Scale(domain=list(flows), range=colours),
        legend=alt.Legend(orient="top", symbolType="stroke"),
    )
    chosen = alt.selection_point(name="chosen", fields=["flow"], bind="legend", toggle="true")
    faded = alt.condition(chosen, alt.value(1), alt.value(0.08))
    whole = alt.X("t:Q", title="time [s]", scale=alt.Scale(domain=[0, end_s], nice=False))
    x = alt.X("t:Q", title=None, scale=alt.Scale(domain=brush, nice=False), axis=alt.Axis(format=".6~g"))
    y = alt.Y("v:Q")

    views: list[View] = []
    for number, flow in enumerate(flows if "cwnd" in data else ()):
        views.append(_windows(flow, colours[number], data, x, legend=number == 0, faded=faded))
    if "rtt" in data:
        views.append(_lines("rtt", "RTT [ms]", x, y.scale(zero=False), colour).encode(opacity=faded))
    if "goodput" in data:
        views.append(_lines("goodput", "goodput [Mbit/s]", x, y, colour).encode(opacity=faded))
    if "queue" in data:
        length = _lines("queue", "queue [packets]", x, y, _PLAIN)
        marked = [_marks(x)] if "events" in data else []
        views.append(alt.layer(length, *marked).resolve_scale(color="independent"))
    if "delay" in data:
        views.append(_lines("delay", "queueing delay [ms]", x, y, _PLAIN, held=False))
    if "jain" in data:
        index = _lines("jain", "Jain's index", x, y.scale(domain=[0, 1]), _PLAIN)
        views.append(index.encode(detail="flow:N", tooltip=["t:Q", "v:Q"]))
    views = [view.properties(height=HEIGHT) for view in views]
    top = "goodput" if "goodput" in data else next(name for name in data if name not in ("states", "events"))
    overview = _lines(top, "all", whole, alt.Y("v:Q", axis=None), colour).encode(opacity=faded)
    overview = overview.properties(height=OVERVIEW_HEIGHT).add_params(brush, chosen)
    stacked = alt.vconcat(overview, alt.vconcat(*views, spacing=6).resolve_scale(x="shared"), spacing=10)
    return stacked.to_dict(validate=False) | {"config": chart_look.LOOK}


def _lines(name: str, title: str, x: alt.X, y: alt.Y, colour: Any, held: bool = True, **mark: Any) -> alt.Chart:
    """The lines of a trace.

    Parameters
    ----------
    name : str
        The trace's name in the data.
    title : str
        The title of the vertical axis.
    x, y, colour
        Encodings.
    held : bool
        Whether a value holds until the next.
    **mark
        Options of the lines.
    """
    style: dict[str, Any] = {"strokeWidth": 1, "clip": True} | ({"interpolate": "step-after"} if held else {}) | mark
    marks = alt.Chart(alt.NamedData(name)).transform_flatten(["t", "v"]).mark_line(**style)
    lines: alt.Chart = marks.encode(x=x, y=y.title(title), color=colour, tooltip=["flow:N", "t:Q", "v:Q"])
    return lines


def _windows(flow: str, colour: str, data: tuple[str, ...], x: alt.X, legend: bool, faded: Any) -> View:
    """The view of a flow's windows, with its congestion states behind them and, if asked for, their legend."""
    states = (
        alt.Chart(alt.NamedData("states"))
        .mark_rect(clip=True)
        .encode(
            x=x,
            x2="until:Q",
            color=alt.Color(
                "state:N",
                title="congestion state",
                scale=alt.Scale(domain=list(chart_look.SHADES), range=list(chart_look.SHADES.values())),
                legend=alt.Legend(orient="top", symbolOpacity=1) if legend else None,
            ),
            tooltip=["state:N", "t:Q", "until:Q"],
        )
    )
    # The colour and the other options of each line, the one on top last.
    looks: dict[str, tuple[str, dict[str, Any]]] = {
        "in flight": ("#999999", {"strokeWidth": 0.6}),
        "ssthresh": (colour, {"strokeDash": chart_look.SSTHRESH_DASH}),
        "cwnd": (colour, {}),
    }
    parts = [states] if "states" in data else []
    y = alt.Y("v:Q", scale=alt.Scale(zero=False))
    for name, (own, mark) in looks.items():
        if name in data:
            parts.append(_lines(name, f"{flow} [segments]", x, y, alt.value(own), **mark).encode(opacity=faded))
    of_flow = alt.datum.flow == flow
    view: View = alt.layer(*(part.transform_filter(of_flow) for part in parts)).resolve_scale(color="independent")
    return view


def _marks(x: alt.X) -> alt.Chart:
    """Drops, marks and losses along the upper edge of the queue."""
    colours = alt.Scale(domain=list(MARKS), range=list(MARKS.values()))
    ticks = alt.Chart(alt.NamedData("events")).mark_tick(clip=True, height=10, thickness=1, orient="vertical")
    marks: alt.Chart = ticks.encode(
        x=x,
        y=alt.value(5),
        color=alt.Color("what:N", title="packets", scale=colours, legend=alt.Legend(orient="top")),
        tooltip=["what:N", "t:Q", "packets:Q"],
    )
    return marks
