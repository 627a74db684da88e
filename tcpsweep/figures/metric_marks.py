# SPDX-License-Identifier: MIT
"""Means with their intervals as marks, the same in the page's explorer and on paper.

Their data: a row per point with ``place``, ``mean``, ``low``, ``high``, ``series``, and ``dodge``, how far a mark is
moved beside its place, in pixels.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import altair as alt

from tcpsweep.sweep.axes import Axis

_BESIDE = alt.ExprRef("datum.dodge")
_CAP: dict[str, Any] = {"size": 5, "thickness": 1.2}


MOST_TICKS = 6  # of an axis of numbers: up to so many values, each has a tick
NUMBER = "format(datum.value, datum.value && abs(datum.value) < 1e-4 ? '.3~e' : '.6~g')"
"""What an axis shows of a number: a very small one as a power of ten."""
EDGE: dict[str, Any] = {"stroke": "white", "strokeWidth": 0.6}
"""A thin edge on paper, which parts a mark from those that it covers."""


def place_on_numbers(axis: Axis, room: float | None = None) -> alt.X:
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
    axis_of_place = alt.Axis(labelExpr=NUMBER, labelOverlap="parity", **ticks)
    return alt.X("place:Q", title=axis.head, scale=alt.Scale(**scale), axis=axis_of_place)


def upright(
    place: alt.X,
    values: Mapping[str, Any],
    series: Mapping[str, Any],
    lines: bool,
    caps: bool = True,
    edge: Mapping[str, Any] = MappingProxyType({}),
) -> list[alt.Chart]:
    """Means above their places, with upright intervals.

    Parameters
    ----------
    place : altair.X
    values : dict
        Options of altair's for the vertical axis.
    series : dict
        The encodings of a series: ``color``, ``shape``, ``strokeDash``, and perhaps ``tooltip``.
    lines : bool
        Whether lines join the means.
    caps : bool
        Whether intervals have caps at their ends.
    edge : dict
        The edge of a mark: `EDGE` on paper.
    """
    low, mean, high = (alt.Y(f"{name}:Q", **values) for name in ("low", "mean", "high"))
    base = _base(series).encode(x=place)
    drawn = [base.mark_line(strokeWidth=1.4, xOffset=_BESIDE).encode(y=mean, strokeDash=series["strokeDash"])]
    drawn = drawn if lines else []
    drawn.append(base.mark_rule(strokeWidth=1.2, xOffset=_BESIDE).encode(y=low, y2="high"))
    if caps:
        cap = base.mark_tick(orient="horizontal", xOffset=_BESIDE, **_CAP)
        drawn += [cap.encode(y=low), cap.encode(y=high)]
    points = base.mark_point(filled=True, size=34, opacity=1, xOffset=_BESIDE, **edge)
    return [*drawn, points.encode(y=mean, shape=series["shape"])]


def in_rows(place: alt.Y, values: Mapping[str, Any], series: Mapping[str, Any]) -> list[alt.Chart]:
    """Means beside their places on paper, with level intervals; the arguments are those of `upright`."""
    low, mean, high = (alt.X(f"{name}:Q", **values) for name in ("low", "mean", "high"))
    base = _base(series).encode(y=place)
    cap = base.mark_tick(orient="vertical", yOffset=_BESIDE, **_CAP)
    points = base.mark_point(filled=True, size=34, opacity=1, yOffset=_BESIDE, **EDGE)
    return [
        base.mark_rule(strokeWidth=1.2, yOffset=_BESIDE).encode(x=low, x2="high"),
        cap.encode(x=low),
        cap.encode(x=high),
        points.encode(x=mean, shape=series["shape"]),
    ]


def crossed(across: Mapping[str, Any], up: Mapping[str, Any], series: Mapping[str, Any]) -> list[alt.Chart]:
    """Marks on paper at the means of two metrics, with the intervals of both.

    Their data have ``place_low`` and ``place_high`` as well, the ends of the interval across.

    Parameters
    ----------
    across, up : dict
        Options of altair's for the axes.
    series : dict
        As for `upright`.
    """
    x = {name: alt.X(f"{name}:Q", **across) for name in ("place", "place_low", "place_high")}
    y = {name: alt.Y(f"{name}:Q", **up) for name in ("mean", "low", "high")}
    base = _base(series)
    of_y, of_x = base.encode(x=x["place"]), base.encode(y=y["mean"])
    points = base.mark_point(filled=True, size=60, opacity=1, **EDGE)
    return [
        of_y.mark_rule(strokeWidth=1.2).encode(y=y["low"], y2="high"),
        of_x.mark_rule(strokeWidth=1.2).encode(x=x["place_low"], x2="place_high"),
        *(of_y.mark_tick(orient="horizontal", **_CAP).encode(y=y[end]) for end in ("low", "high")),
        *(of_x.mark_tick(orient="vertical", **_CAP).encode(x=x[f"place_{end}"]) for end in ("low", "high")),
        points.encode(x=x["place"], y=y["mean"], shape=series["shape"]),
    ]


def _base(series: Mapping[str, Any]) -> alt.Chart:
    chart: alt.Chart = alt.Chart().encode(**{name: series[name] for name in ("color", "tooltip") if name in series})
    return chart
