# SPDX-License-Identifier: MIT
"""The report's figures of flows that arrive: their slowdown by the classes of their sizes, and its distribution."""

from __future__ import annotations

from typing import Any

from tcpsweep.figures import explorer_template
from tcpsweep.figures.chart_look import VegaLite
from tcpsweep.figures.explorer_template import end, field, view

_SLOWDOWN: dict[str, Any] = {"type": "log", "nice": False}


def sizes() -> VegaLite:
    """The slowdown against the class of sizes, as a template; the script makes a panel for each percentile.

    The script's data: a row per series, percentile and class, with ``size``, ``mean``, ``low``, ``high``, ``series``,
    ``dodge`` in pixels, and the tooltip's columns.
    """
    series = explorer_template.series()
    x = field("size:N", title="size of the flows", sort=None, axis={"grid": True, "labelAngle": 0, "labelLimit": 0})
    base = {"x": x, "color": series["color"], "tooltip": explorer_template.tooltip()}
    axis = {"format": ".4~g", "tickCount": 6}
    low, mean = (
        base | {"y": field(f"{name}:Q", title="slowdown", scale=dict(_SLOWDOWN), axis=axis)} for name in ("low", "mean")
    )
    beside: dict[str, Any] = {"xOffset": {"expr": "datum.dodge"}}
    return {
        "layer": [
            view("line", mean | {"strokeDash": series["strokeDash"]}, strokeWidth=1.4, **beside),
            view("rule", low | {"y2": end("high")}, strokeWidth=1.2, **beside),
            view("point", mean | {"shape": series["shape"]}, filled=True, size=34, opacity=1, **beside),
        ]
    }


def distribution() -> VegaLite:
    """The share of flows with a slowdown or more against it, as a template.

    The script's data: a row per series and point, with ``slowdown``, ``share``, ``series``, and the tooltip's columns.
    """
    series = explorer_template.series()
    x = field("slowdown:Q", title="slowdown", scale=dict(_SLOWDOWN), axis={"format": ".4~g", "tickCount": 8})
    y = field(
        "share:Q",
        title="share of flows with as much or more",
        scale=dict(_SLOWDOWN),
        axis={"format": ".4~g", "tickCount": 6},
    )
    lines = {"x": x, "y": y, "color": series["color"], "strokeDash": series["strokeDash"]}
    return {
        "layer": [
            view("line", lines, strokeWidth=1.8),
            view("point", lines | {"tooltip": explorer_template.tooltip()}, filled=True, size=60, opacity=0),
        ]
    }
