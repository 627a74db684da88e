# SPDX-License-Identifier: MIT
"""The time–sequence diagram as Vega-Lite, without its data; `sequence_data.layer_rows` has its rows."""

from __future__ import annotations

from tcpsweep.core.figures import chart_look
from tcpsweep.core.figures.cell_timeline_chart import LOOK
from tcpsweep.core.figures.chart_look import VegaLite, column, marks

HEIGHT = 380
COLOURS = {"new": "--ink", "retransmitted": "--event-0", "late": "--event-2"}
ACK_COLOUR, EDGE_COLOUR, SACK_COLOUR, IDLE_COLOUR = "--event-3", "--event-1", "--event-2", "--state-1"
_PARAMS = [{"name": "begin", "value": 0}, {"name": "until", "value": 1}, {"name": "apart", "value": []}]
_TIME = {"domainMin": {"expr": "begin"}, "domainMax": {"expr": "until"}, "nice": False, "zero": False}
_X = column("t:Q", title=None, scale=_TIME, axis={"format": ".6~g", "grid": True})
_Y = {"title": None, "scale": {"zero": False, "nice": False}}
# Bytes outside the visible time take no room on their axis.
_SHOWN = [{"filter": "datum.t >= begin && datum.t <= until"}]


def chart() -> VegaLite:
    """The diagram, with the parameters of `cell_timeline_chart.charts`."""
    idle = {"x": _X, "x2": {"field": "until"}, "tooltip": [column("t:Q", title="idle from [s]"), column("until:Q")]}
    lines = {"x": _X, "y": column("v:Q", **_Y), "detail": column("line:N")}
    bars = {"x": _X, "y": column("low:Q", **_Y), "y2": {"field": "high"}}
    signs = {
        "x": _X,
        "y": {"value": 8},
        "text": column("sign:N"),
        "tooltip": [column("what:N", title="event"), column("t:Q", title="time [s]", format=".7~g")],
    }
    about_segment = [
        column("what:N", title="segment"),
        column("t:Q", title="time [s]", format=".7~g"),
        column("low:Q", title="from [kB]", format=",.6~g"),
        column("high:Q", title="to [kB]", format=",.6~g"),
    ]
    scale = {"domain": list(COLOURS), "range": [f"var({name})" for name in COLOURS.values()]}
    coloured = bars | {"stroke": column("what:N", scale=scale, legend=None), "tooltip": about_segment}
    layers = [
        marks("rect", idle, {"name": "idle"}, clip=True, fill=f"var({IDLE_COLOUR})"),
        _line("edges", lines, EDGE_COLOUR),
        _line("acks", lines, ACK_COLOUR),
        _shown(marks("rule", bars, {"name": "sacks"}, clip=True, stroke=f"var({SACK_COLOUR})", strokeWidth=2)),
        _shown(marks("rule", coloured, {"name": "segments"}, clip=True, strokeWidth=2)),
        _shown(marks("text", signs, {"name": "signals"}, fill="var(--ink)", fontSize=11, fontWeight="bold")),
    ]
    return {
        "layer": layers,
        "height": HEIGHT,
        "width": "container",
        "params": _PARAMS,
        "config": LOOK | {"axisY": LOOK["axisY"] | {"tickCount": 6}, "font": chart_look.FONT},
    }


def _line(name: str, encoding: VegaLite, colour: str) -> VegaLite:
    options = {"interpolate": "step-after", "strokeWidth": 1.3, "clip": True, "stroke": f"var({colour})"}
    return _shown(marks("line", encoding, {"name": name}, **options))


def _shown(layer: VegaLite) -> VegaLite:
    return layer | {"transform": _SHOWN}
