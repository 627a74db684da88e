# SPDX-License-Identifier: MIT
"""The timeline on a cell's page: the charts of everything in the cell's traces, without their data.

They are the same for all cells, and one file next to the pages holds them. The page's script
(`report/page/cell/timeline.js`) gives each chart its rows, in which ``colour`` is the flow's colour as CSS. It sets
these parameters: ``begin`` and ``until``, the part of the time that is shown; ``apart``, the highlighted flows;
``top``, the end of the axis of windows. Colours are the page's custom properties, so that charts follow its scheme,
also on paper.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tcpsweep.core.figures import chart_look
from tcpsweep.core.figures.cell_timeline_data import EVENTS
from tcpsweep.core.figures.chart_look import VegaLite, column, marks
from tcpsweep.core.figures.trace_reduction import STATES

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
# The custom properties that hold the colours of states and events; the style of cells' pages gives them values.
EVENT_COLOURS = {what: f"--event-{number}" for number, what in enumerate(EVENTS.values())}
STATE_COLOURS = {state: f"--state-{number}" for number, state in STATES.items()}
_SHOWN = [{"name": "begin", "value": 0}, {"name": "until", "value": 1}, {"name": "apart", "value": []}]
_TIME = {"domainMin": {"expr": "begin"}, "domainMax": {"expr": "until"}, "nice": False, "zero": False}
_X = column("t:Q", title=None, scale=_TIME, axis={"format": ".6~g", "grid": True})
_UNTIL = {"field": "until"}
_COLOUR = column("colour:N", scale=None)
# A mark's opacity: flows that are not highlighted stay visible.
_FADED = {
    "condition": {"test": "!length(apart) || !isValid(datum.flow) || indexof(apart, datum.flow) >= 0", "value": 1},
    "value": 0.12,
}


def charts() -> dict[str, VegaLite]:
    """The charts, each by the name of its panel, as Vega-Lite without data.

    A chart's layers name the rows that they show, as `cell_timeline_data.reduced` does; of lines the script makes a row
    a point.
    """
    y = column("v:Q", title=None)
    panels = {
        "window": _windows_and_states(),
        "rtt": _lines("rtt", y | {"scale": {"zero": False}}, strokeWidth=0.9),
        "goodput": {"layer": [_starving_bars(), _lines("goodput", y)]},
        "queue": {"layer": [_lines("queue", y), _event_ticks()]},
        "delay": _lines("delay", y, held=False),
        "jain": _lines("jain", y | {"scale": {"domain": [0, 1]}}),
        # Only imported captures have these two.
        "in_flight": _lines("in_flight", y, strokeWidth=0.9),
        "seen": {"layer": [_lines("seen", y), _retransmission_marks(y)]},
    }
    views = {name: view | {"height": HEIGHT} for name, view in panels.items()}
    # An axis without labels, which takes the same room as the other panels' axes.
    no_labels = {"labels": False, "ticks": False, "grid": False, "title": None}
    views["overview"] = _lines("overview", column("v:Q", axis=no_labels)) | {"height": OVERVIEW_HEIGHT}
    shared = {"width": "container", "config": LOOK}
    return {name: view | shared | {"params": [*view.get("params", []), *_SHOWN]} for name, view in views.items()}


def _lines(name: str, y: VegaLite, held: bool = True, **options: Any) -> VegaLite:
    """The lines of a trace; ``held`` if a value holds until the next, ``options`` are the lines' options."""
    style: dict[str, Any] = {"strokeWidth": 1.2, "clip": True} | ({"interpolate": "step-after"} if held else {})
    encoding = {"x": _X, "y": y, "stroke": _COLOUR, "detail": column("line:N"), "opacity": _FADED}
    return marks("line", encoding, {"name": name}, **style | options)


def _windows_and_states() -> VegaLite:
    """A flow's windows, with its congestion states in the background."""
    states = {
        "x": _X,
        "x2": _UNTIL,
        "color": column("state:N", scale=_by_property(STATE_COLOURS), legend=None),
        "tooltip": [
            column("state:N"),
            column("t:Q", title="from [s]", format=".6~g"),
            column("until:Q", title="to [s]", format=".6~g"),
        ],
    }
    y = column("v:Q", title=None, scale={"domainMin": 0, "domainMax": {"expr": "top"}, "nice": False})
    threshold = _lines("ssthresh", y, strokeDash=chart_look.SSTHRESH_DASH)
    layers = [
        marks("rect", states, {"name": "states"}, clip=True),
        _lines("in flight", y, strokeWidth=0.7),
        threshold | {"transform": [{"calculate": "min(datum.v, top)", "as": "v"}]},
        _lines("cwnd", y),
    ]
    own_colours = {"scale": {"color": "independent"}}
    return {"layer": layers, "params": [{"name": "top", "value": 1}], "resolve": own_colours}


def _by_property(properties: Mapping[str, str]) -> VegaLite:
    """A scale of colours that are custom properties of the page."""
    return {"domain": list(properties), "range": [f"var({name})" for name in properties.values()]}


def _starving_bars() -> VegaLite:
    """Bars along the lower edge of the goodput where flows starve."""
    encoding = {
        "x": _X,
        "x2": _UNTIL,
        "y": {"value": {"expr": "height - 4 - 6 * datum.place"}},
        "stroke": _COLOUR,
        "opacity": _FADED,
        "tooltip": [
            column("name:N", title="starved flow"),
            column("t:Q", title="from [s]"),
            column("until:Q", title="to [s]"),
        ],
    }
    return marks("rule", encoding, {"name": "starved"}, clip=True, strokeWidth=5, strokeCap="butt")


def _retransmission_marks(y: VegaLite) -> VegaLite:
    """Marks where packets were retransmitted."""
    encoding = {
        "x": _X,
        "y": y,
        "stroke": _COLOUR,
        "opacity": _FADED,
        "tooltip": [
            column("name:N", title="flow"),
            column("t:Q", title="time [s]"),
            column("packets:Q", title="packets sent again"),
        ],
    }
    return marks("point", encoding, {"name": "again"}, clip=True, size=36, strokeWidth=1.4, shape="cross")


def _event_ticks() -> VegaLite:
    """Drops, marks and losses along the upper edge of the queue."""
    encoding = {
        "x": _X,
        "y": {"value": 5},
        "color": column("what:N", scale=_by_property(EVENT_COLOURS), legend=None),
        "tooltip": [column("what:N"), column("t:Q", title="time [s]"), column("packets:Q")],
    }
    return marks("tick", encoding, {"name": "events"}, clip=True, height=10, thickness=1.2, orient="vertical")
