# SPDX-License-Identifier: MIT
"""The timeline on a cell's page: what its panels put into the slots of the chart `over_time_chart.panel`.

The panels are the same for all cells, and one file next to the pages holds them. The page's script
(`report/page/cell/timeline.js`) gives each panel its rows. It sets these parameters: ``begin`` and ``until``, the part
of the time that is shown; ``apart``, the highlighted flows; ``top``, the end of the axis of windows. Colours are the
page's custom properties, so that charts follow its scheme, also on paper.
"""

from __future__ import annotations

from typing import Any

from tcpsweep.core.figures import chart_look, charts
from tcpsweep.core.figures.cell_timeline_data import EVENTS
from tcpsweep.core.figures.charts import Slots
from tcpsweep.core.figures.trace_reduction import STATES

HEIGHT, OVERVIEW_HEIGHT = 120, 44
# The custom properties that hold the colours of states and events; the style of cells' pages gives them values.
EVENT_COLOURS = {what: f"--event-{number}" for number, what in enumerate(EVENTS.values())}
STATE_COLOURS = {state: f"--state-{number}" for number, state in STATES.items()}
# Dashes and widths of lines that differ from the others.
_LINES = {"ssthresh": {"dash": chart_look.SSTHRESH_DASH}, "in flight": {"width": 0.7}}
_LINES |= {"rtt": {"width": 0.9}, "in_flight": {"width": 0.9}}
_TIME = {"domainMin": {"expr": "begin"}, "domainMax": {"expr": "until"}, "nice": False, "zero": False}
TIME: Slots = {"x title": None, "x scale": _TIME, "x axis": {"format": ".6~g", "grid": True}, "y title": None}
# A mark's opacity: flows that are not highlighted stay visible.
_FADED = {
    "condition": {"test": "!length(apart) || !isValid(datum.flow) || indexof(apart, datum.flow) >= 0", "value": 1},
    "value": 0.12,
}
_STATE_TOOLTIP = [
    {"field": "state", "type": "nominal"},
    {"field": "t", "type": "quantitative", "title": "from [s]", "format": ".6~g"},
    {"field": "until", "type": "quantitative", "title": "to [s]", "format": ".6~g"},
]
_ALL: Slots = {
    **TIME,
    "width": "container",
    "height": HEIGHT,
    "clip": True,
    "opacity": _FADED,
    "interpolate": "step-after",
    "widths": {"field": "width", "type": "quantitative", "scale": None},
    "state tooltip": _STATE_TOOLTIP,
}
_WINDOW: Slots = {
    "y scale": {"domainMin": 0, "domainMax": {"expr": "top"}, "nice": False},
    "line transform": [{"calculate": "datum.part === 'ssthresh' ? min(datum.v, top) : datum.v", "as": "v"}],
}
# An axis without labels, which takes the same room as the other panels' axes.
_OVERVIEW: Slots = {"height": OVERVIEW_HEIGHT, "y axis": {"labels": False, "ticks": False, "grid": False}}
_PANELS: dict[str, Slots] = {
    "window": _WINDOW,
    "rtt": {"y scale": {"zero": False}},
    "goodput": {},
    "queue": {},
    "delay": {"interpolate": "linear"},
    "jain": {"y scale": {"domain": [0, 1]}},
    # Only imported captures have these two.
    "in_flight": {},
    "seen": {},
    "overview": _OVERVIEW,
}


def timeline() -> dict[str, Any]:
    """The panels for the page's script.

    - ``kinds``: charts with slots, by name
    - ``panels``: each panel's ``kind`` and ``slots``, by name
    - ``lines``: what differs from the other lines, by the name of the trace
    - ``colours``: the colour of each state and event
    - ``params`` and ``config`` of all charts
    """
    params = {"begin": 0, "until": 1, "apart": [], "top": 1}
    return {
        "kinds": {"over time": charts.kind("over time")},
        "panels": {name: {"kind": "over time", "slots": {**_ALL, **slots}} for name, slots in _PANELS.items()},
        "lines": _LINES,
        "colours": {name: f"var({colour})" for name, colour in (STATE_COLOURS | EVENT_COLOURS).items()},
        "params": [{"name": name, "value": value} for name, value in params.items()],
        "config": charts.look("cell page"),
    }
