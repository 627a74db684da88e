# SPDX-License-Identifier: MIT
"""Means with their intervals as marks, the same in the page's explorer and on paper.

Their data: a row per point with ``place``, ``mean``, ``low``, ``high``, ``series``, and ``dodge``, how far a mark is
moved sideways from its place, in pixels.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from tcpsweep.core.figures.chart_look import VegaLite, column, marks
from tcpsweep.core.sweep.axes import Axis

_DODGE = {"expr": "datum.dodge"}
_CAP_LOOK: dict[str, Any] = {"size": 5, "thickness": 1.2}


MOST_TICKS = 6  # of an axis of numbers: up to this number of values, each has a tick
NUMBER = "format(datum.value, datum.value && abs(datum.value) < 1e-4 ? '.3~e' : '.6~g')"
"""An axis' format for numbers: very small ones are powers of ten."""
EDGE: dict[str, Any] = {"stroke": "white", "strokeWidth": 0.6}
"""A thin edge on paper, which separates a mark from the marks that it covers."""


def place_on_numbers(axis: Axis, room: float | None = None) -> VegaLite:
    """The place of points on an axis of numbers; ``room`` is how wide it is, if that is known, in pixels."""
    numbers = sorted(set(axis.values.values()))
    scale: dict[str, Any] = {"nice": False, "padding": 12}
    ticks: dict[str, Any] = {"values": numbers} if len(numbers) <= MOST_TICKS or axis.logarithmic else {}
    if axis.logarithmic and numbers[0] > 0:
        scale |= {"type": "log"}
    elif axis.logarithmic:
        # Zero has its place a step left of the least positive value.
        scale |= {"type": "symlog", "constant": next(number for number in numbers if number > 0)}
    else:
        scale |= {"zero": False}
        ticks = ticks or ({"tickCount": int(room / 34)} if room else {})
    axis_of_place = {"labelExpr": NUMBER, "labelOverlap": "parity"} | ticks
    return column("place:Q", title=axis.head, scale=scale, axis=axis_of_place)


def upright(
    place: VegaLite,
    values: VegaLite,
    series: VegaLite,
    lines: bool,
    caps: bool = True,
    edge: Mapping[str, Any] = MappingProxyType({}),
) -> list[VegaLite]:
    """Means above their places, with upright intervals.

    ``lines`` says whether lines join the means, ``caps`` whether intervals have caps at their ends. ``place`` is the
    encoding of places, ``values`` are options of the vertical axis' encoding; ``series`` are the encodings of a series:
    ``color``, ``shape``, ``strokeDash``, and perhaps ``tooltip``. ``edge`` is a mark's edge: `EDGE` on paper.
    """
    low, mean, high = (column(f"{name}:Q", **values) for name in ("low", "mean", "high"))
    base = _colour_and_tooltip(series) | {"x": place}
    dash, shape = {"strokeDash": series["strokeDash"]}, {"shape": series["shape"]}
    line = marks("line", base | {"y": mean} | dash, strokeWidth=1.4, xOffset=_DODGE)
    interval = base | {"y": low, "y2": {"field": "high"}}
    caps_at_ends = [
        marks("tick", base | {"y": end}, orient="horizontal", xOffset=_DODGE, **_CAP_LOOK) for end in (low, high)
    ]
    return [
        *([line] if lines else []),
        marks("rule", interval, strokeWidth=1.2, xOffset=_DODGE),
        *(caps_at_ends if caps else []),
        marks("point", base | {"y": mean} | shape, filled=True, size=34, opacity=1, xOffset=_DODGE, **edge),
    ]


def in_rows(place: VegaLite, values: VegaLite, series: VegaLite) -> list[VegaLite]:
    """Means to the right of their places on paper, with level intervals; `upright` explains the arguments."""
    low, mean, high = (column(f"{name}:Q", **values) for name in ("low", "mean", "high"))
    base = _colour_and_tooltip(series) | {"y": place}
    shape = {"shape": series["shape"]}
    return [
        marks("rule", base | {"x": low, "x2": {"field": "high"}}, strokeWidth=1.2, yOffset=_DODGE),
        *(marks("tick", base | {"x": end}, orient="vertical", yOffset=_DODGE, **_CAP_LOOK) for end in (low, high)),
        marks("point", base | {"x": mean} | shape, filled=True, size=34, opacity=1, yOffset=_DODGE, **EDGE),
    ]


def crossed(across: VegaLite, up: VegaLite, series: VegaLite) -> list[VegaLite]:
    """Marks on paper at the means of two metrics, with the intervals of both.

    Their data have ``place_low`` and ``place_high`` as well, the ends of the interval across. ``across`` and ``up`` are
    options of the axes' encodings, ``series`` is as for `upright`.
    """
    x, x_low, x_high = (column(f"{name}:Q", **across) for name in ("place", "place_low", "place_high"))
    y, y_low, y_high = (column(f"{name}:Q", **up) for name in ("mean", "low", "high"))
    base, shape = _colour_and_tooltip(series), {"shape": series["shape"]}
    upright_interval = base | {"x": x, "y": y_low, "y2": {"field": "high"}}
    level_interval = base | {"y": y, "x": x_low, "x2": {"field": "place_high"}}
    return [
        marks("rule", upright_interval, strokeWidth=1.2),
        marks("rule", level_interval, strokeWidth=1.2),
        *(marks("tick", base | {"x": x, "y": end}, orient="horizontal", **_CAP_LOOK) for end in (y_low, y_high)),
        *(marks("tick", base | {"y": y, "x": end}, orient="vertical", **_CAP_LOOK) for end in (x_low, x_high)),
        marks("point", base | {"x": x, "y": y} | shape, filled=True, size=60, opacity=1, **EDGE),
    ]


def fair_share(value: float, *, upright: bool, scale: Any) -> VegaLite:
    """A dashed line at the value of a fair share, level if values run ``upright``; ``scale`` is Vega-Lite's."""
    place = {"y" if upright else "x": {"datum": value, "type": "quantitative", "scale": scale}}
    return marks("rule", place, {"values": [{}]}, color="#666", strokeDash=[4, 3], strokeWidth=1)


def _colour_and_tooltip(series: VegaLite) -> VegaLite:
    return {name: series[name] for name in ("color", "tooltip") if name in series}
