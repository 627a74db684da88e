# SPDX-License-Identifier: MIT
"""The lines of the report's explorer: a metric's means with their intervals against an axis."""

from __future__ import annotations

from typing import Any

from tcpsweep.figures import explorer_template
from tcpsweep.figures.chart_look import VegaLite
from tcpsweep.figures.explorer_template import end, field, view
from tcpsweep.sweep.axes import Axis

MOST_TICKS = 6  # of an axis of numbers: up to so many values, each has a tick


def chart(axis: Axis) -> VegaLite:
    """The lines against an axis, as a template; they join the means unless the axis is the variant's.

    The script's data: a row per point with ``place`` on the axis, ``mean``, ``low``, ``high``, ``series``, ``dodge``
    in pixels, and the tooltip's columns.
    """
    series = explorer_template.series()
    base = {"x": _x(axis), "color": series["color"], "tooltip": explorer_template.tooltip()}
    low, high, mean = (base | {"y": field(f"{column}:Q", title=None)} for column in ("low", "high", "mean"))
    # What stands beside its place is moved on the screen; the data keeps the place.
    beside: dict[str, Any] = {"xOffset": {"expr": "datum.dodge"}}
    cap: dict[str, Any] = {"orient": "horizontal", "size": 5, "thickness": 1.2} | beside
    layers = [
        view("rule", low | {"y2": end("high")}, strokeWidth=1.2, **beside),
        view("tick", low, **cap),
        view("tick", high, **cap),
        view("point", mean | {"shape": series["shape"]}, filled=True, size=34, opacity=1, **beside),
    ]
    if axis.name != "variant":
        layers.insert(0, view("line", mean | {"strokeDash": series["strokeDash"]}, strokeWidth=1.4, **beside))
    return {"layer": layers}


def _x(axis: Axis) -> VegaLite:
    if not axis.numeric:
        return field(
            "place:N",
            title=None if axis.name == "variant" else axis.head,
            sort=list(axis.values),
            axis={"grid": True, "labelAngle": -35, "labelLimit": 0},
        )
    numbers = sorted(axis.values.values())
    options: dict[str, Any] = {"values": numbers} if len(numbers) <= MOST_TICKS else {}
    scale: dict[str, Any] = {"nice": False, "padding": 12}
    if axis.logarithmic and numbers[0] > 0:
        scale |= {"type": "log"}
    elif axis.logarithmic:
        # Zero has its place a step left of the least positive value.
        scale = {"constant": next(number for number in numbers if number > 0)} | scale | {"type": "symlog"}
        options = {"values": numbers}
    else:
        scale |= {"zero": False}
    return field("place:Q", title=axis.head, scale=scale, axis={"format": ".6~g", **options})
