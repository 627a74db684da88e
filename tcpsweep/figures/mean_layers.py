# SPDX-License-Identifier: MIT
"""Means with their intervals against an axis as layers of Vega-Lite, for the report's explorer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import altair as alt

from tcpsweep.sweep.axes import Axis

MOST_TICKS = 6  # of an axis of numbers: up to so many values, each has a tick


def means(
    axis: Axis,
    y: Callable[[str], alt.Y],
    color: alt.Color,
    shape: alt.Shape,
    strokeDash: alt.StrokeDash,
    **encodings: Any,
) -> list[alt.Chart]:
    """The layers of means with their intervals against an axis; lines join the means unless the axis is the variant's.

    Parameters
    ----------
    axis : Axis
    y : callable
        The vertical encoding of a column, ``mean``, ``low`` or ``high``.
    color, shape, strokeDash
        The encodings of the series.
    **encodings
        Others, which all layers have.
    """
    # What stands beside its place is moved on the screen; the data keeps the place.
    beside: dict[str, Any] = {"xOffset": alt.expr("datum.dodge")}
    base = alt.Chart().encode(x=_x(axis), color=color, **encodings)
    cap = base.mark_tick(orient="horizontal", size=5, thickness=1.2, **beside)
    layers = [
        base.mark_rule(strokeWidth=1.2, **beside).encode(y=y("low"), y2="high:Q"),
        cap.encode(y=y("low")),
        cap.encode(y=y("high")),
        base.mark_point(filled=True, size=34, opacity=1, **beside).encode(y=y("mean"), shape=shape),
    ]
    if axis.name != "variant":
        line = base.mark_line(strokeWidth=1.4, **beside).encode(y=y("mean"), strokeDash=strokeDash)
        layers.insert(0, line)
    return layers


def _x(axis: Axis) -> alt.X:
    if not axis.numeric:
        return alt.X(
            "place:N",
            title=None if axis.name == "variant" else axis.head,
            sort=list(axis.values),
            axis=alt.Axis(labelAngle=-35, labelLimit=0, grid=True),
        )
    numbers = sorted(axis.values.values())
    options: dict[str, Any] = {"values": numbers} if len(numbers) <= MOST_TICKS else {}
    scale: dict[str, Any] = {"nice": False, "padding": 12}
    if axis.logarithmic and numbers[0] > 0:
        scale |= {"type": "log"}
    elif axis.logarithmic:
        # Zero has its place a step left of the least positive value.
        scale |= {"type": "symlog", "constant": next(number for number in numbers if number > 0)}
        options = {"values": numbers}
    else:
        scale |= {"zero": False}
    return alt.X("place:Q", title=axis.head, scale=alt.Scale(**scale), axis=alt.Axis(format=".6~g", **options))
