# SPDX-License-Identifier: MIT
"""The timeline on a cell's page: the charts of everything in the cell's traces, without their data.

They are the same for all cells, and lie once beside the pages. The page's script (`report/page/cell/timeline.js`) gives
each its rows, in which ``colour`` is the flow's colour as CSS, and sets these parameters: ``begin`` and ``until``, the
part of the time that is shown; ``apart``, the flows that stand out; ``top``, the end of the axis of windows. Colours
are the page's custom properties, so that charts follow its scheme, also on paper.
"""

from __future__ import annotations

from typing import Any

import altair as alt

from tcpsweep.figures import cell_timeline_colours, chart_look
from tcpsweep.figures.chart_look import VegaLite, View

HEIGHT, OVERVIEW_HEIGHT = 120, 44
_LABELS = 46  # pixels for the labels of all vertical axes, so that the plots begin at the same place
_TEXT = {"labelFontSize": 11, "labelColor": "var(--soft)", "labelFont": "inherit"}
LOOK: VegaLite = {
    "font": chart_look.FONT,
    "background": None,
    "padding": {"left": 0, "top": 6, "right": 2, "bottom": 0},
    "aria": False,
    "axis": _TEXT | {"domain": False, "gridColor": "var(--line)", "tickColor": "var(--line)"},
    "axisY": {"minExtent": _LABELS, "maxExtent": _LABELS, "tickCount": 4},
    "axisX": {"labelSeparation": 12, "labelFlush": True},
    "view": {"stroke": "var(--line)"},
    "tick": {"opacity": 1},
}


def charts() -> dict[str, VegaLite]:
    """The charts, each by the name of its panel, as Vega-Lite without data.

    A chart's layers name the rows that they show, as `cell_timeline_data.reduced` does; of lines the script makes a row
    a point.
    """
    y = alt.Y("v:Q", title=None)
    panels: dict[str, View] = {
        "window": _windows(),
        "rtt": _lines("rtt", y.scale(zero=False), strokeWidth=0.9),
        "goodput": alt.layer(_starving(), _lines("goodput", y)),
        "queue": alt.layer(_lines("queue", y), _events()),
        "delay": _lines("delay", y, held=False),
        "jain": _lines("jain", y.scale(domain=[0, 1])),
        # Of imported captures alone.
        "in_flight": _lines("in_flight", y, strokeWidth=0.9),
        "seen": alt.layer(_lines("seen", y), _sent_again(y)),
    }
    shown = [alt.param(name="begin", value=0), alt.param(name="until", value=1)]
    found = {
        name: view.properties(width="container", height=HEIGHT).add_params(*shown, _apart())
        for name, view in panels.items()
    }
    whole = alt.X("t:Q", title=None, scale=_time(), axis=_seconds())
    overview = _lines("overview", alt.Y("v:Q", axis=_no_labels()), x=whole)
    found["overview"] = overview.properties(width="container", height=OVERVIEW_HEIGHT).add_params(*shown, _apart())
    return {name: view.to_dict(validate=False) | {"config": LOOK} for name, view in found.items()}


def _apart() -> alt.Parameter:
    return alt.param(name="apart", value=[])


def _time() -> alt.Scale:
    return alt.Scale(domainMin=alt.ExprRef("begin"), domainMax=alt.ExprRef("until"), nice=False, zero=False)


def _seconds() -> alt.Axis:
    return alt.Axis(format=".6~g", grid=True)


def _no_labels() -> alt.Axis:
    """An axis that only takes the room of the others."""
    return alt.Axis(labels=False, ticks=False, grid=False, title=None)


def _x() -> alt.X:
    return alt.X("t:Q", title=None, scale=_time(), axis=_seconds())


def _lines(name: str, y: alt.Y, held: bool = True, x: alt.X | None = None, **mark: Any) -> alt.Chart:
    """The lines of a trace; ``held`` if a value holds until the next, ``mark`` are options of the lines."""
    style: dict[str, Any] = {"strokeWidth": 1.2, "clip": True} | ({"interpolate": "step-after"} if held else {}) | mark
    marks = alt.Chart(alt.NamedData(name)).mark_line(**style)
    lines: alt.Chart = marks.encode(
        x=x or _x(),
        y=y,
        stroke=alt.Stroke("colour:N", scale=None),
        detail="line:N",
        opacity=_faded(),
    )
    return lines


def _faded() -> Any:
    """How strongly a mark is drawn: flows that do not stand out are there still."""
    chosen = "!length(apart) || !isValid(datum.flow) || indexof(apart, datum.flow) >= 0"
    return alt.condition(chosen, alt.value(1), alt.value(0.12))


def _windows() -> View:
    """A flow's windows, with its congestion states behind them."""
    states = (
        alt.Chart(alt.NamedData("states"))
        .mark_rect(clip=True)
        .encode(
            x=_x(),
            x2="until:Q",
            color=alt.Color(
                "state:N",
                scale=alt.Scale(
                    domain=list(cell_timeline_colours.STATES),
                    range=[f"var({name})" for name in cell_timeline_colours.STATES.values()],
                ),
                legend=None,
            ),
            tooltip=[
                alt.Tooltip("state:N"),
                alt.Tooltip("t:Q", title="from [s]", format=".6~g"),
                alt.Tooltip("until:Q", title="to [s]", format=".6~g"),
            ],
        )
    )
    y = alt.Y("v:Q", title=None, scale=alt.Scale(domainMin=0, domainMax=alt.ExprRef("top"), nice=False))
    layers = (
        states,
        _lines("in flight", y, strokeWidth=0.7),
        _lines("ssthresh", y, strokeDash=chart_look.SSTHRESH_DASH).transform_calculate(v="min(datum.v, top)"),
        _lines("cwnd", y),
    )
    windows: View = alt.layer(*layers).add_params(alt.param(name="top", value=1)).resolve_scale(color="independent")
    return windows


def _starving() -> alt.Chart:
    """Bars along the lower edge of the goodput where flows starve."""
    bars = alt.Chart(alt.NamedData("starved")).mark_rule(clip=True, strokeWidth=5, strokeCap="butt")
    marks: alt.Chart = bars.encode(
        x=_x(),
        x2="until:Q",
        y=alt.value(alt.ExprRef("height - 4 - 6 * datum.place")),
        stroke=alt.Stroke("colour:N", scale=None),
        opacity=_faded(),
        tooltip=[
            alt.Tooltip("name:N", title="starved flow"),
            alt.Tooltip("t:Q", title="from [s]"),
            alt.Tooltip("until:Q", title="to [s]"),
        ],
    )
    return marks


def _sent_again(y: alt.Y) -> alt.Chart:
    """Marks where packets were sent again."""
    points = alt.Chart(alt.NamedData("again")).mark_point(clip=True, size=36, strokeWidth=1.4, shape="cross")
    marks: alt.Chart = points.encode(
        x=_x(),
        y=y,
        stroke=alt.Stroke("colour:N", scale=None),
        opacity=_faded(),
        tooltip=[
            alt.Tooltip("name:N", title="flow"),
            alt.Tooltip("t:Q", title="time [s]"),
            alt.Tooltip("packets:Q", title="packets sent again"),
        ],
    )
    return marks


def _events() -> alt.Chart:
    """Drops, marks and losses along the upper edge of the queue."""
    ticks = alt.Chart(alt.NamedData("events")).mark_tick(clip=True, height=10, thickness=1.2, orient="vertical")
    colours = alt.Scale(
        domain=list(cell_timeline_colours.EVENTS),
        range=[f"var({name})" for name in cell_timeline_colours.EVENTS.values()],
    )
    marks: alt.Chart = ticks.encode(
        x=_x(),
        y=alt.value(5),
        color=alt.Color("what:N", scale=colours, legend=None),
        tooltip=["what:N", alt.Tooltip("t:Q", title="time [s]"), "packets:Q"],
    )
    return marks
