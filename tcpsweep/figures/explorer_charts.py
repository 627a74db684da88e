# SPDX-License-Identifier: MIT
"""The charts of the report's explorer, as templates: the page's scripts add their data, sizes, titles and series.

``report.sections.explorer`` collects them and their data; the scripts in ``report/page/report`` fill them in and draw
them. A tooltip's columns are ``series``, ``where``, ``value`` and ``runs``.
"""

from __future__ import annotations

from typing import Any

import altair as alt

from tcpsweep.figures import metric_marks, plane_marks
from tcpsweep.figures.chart_look import VegaLite
from tcpsweep.sweep.axes import Axis

_LEGEND: dict[str, Any] = {"orient": "bottom", "symbolStrokeWidth": 0}
_LOG: dict[str, Any] = {"type": "log", "nice": False}
_HEADS = {"series": "variant", "where": "at", "value": "value", "runs": "runs"}


def _template(*layers: alt.Chart, **resolve: Any) -> VegaLite:
    """Layers as Vega-Lite alone, without altair's own look."""
    chart = alt.layer(*layers)
    if resolve:
        chart = chart.resolve_scale(**resolve)
    made: VegaLite = chart.to_dict(validate=False)
    shown: list[VegaLite] = [{key: layer[key] for key in layer if key != "data"} for layer in made["layer"]]
    return {"layer": shown} | ({"resolve": made["resolve"]} if resolve else {})


def _series() -> dict[str, Any]:
    """The encodings of the column ``series``; the scripts fill in their scales."""
    made = {"color": alt.Color, "shape": alt.Shape, "strokeDash": alt.StrokeDash}
    encodings: dict[str, Any] = {
        name: channel("series:N", legend=alt.Legend(**_LEGEND)) for name, channel in made.items()
    }
    return encodings | {"tooltip": _tooltip()}


def _tooltip() -> list[alt.Tooltip]:
    return [alt.Tooltip(f"{name}:N", title=title) for name, title in _HEADS.items()]


def lines(axis: Axis) -> VegaLite:
    """A metric's means with their intervals against an axis; lines join them unless the axis is the variant's.

    Data: a row per point with ``place`` on the axis, ``mean``, ``low``, ``high``, ``series``, ``dodge`` in pixels.
    """
    if axis.numeric:
        place = metric_marks.place_on_numbers(axis)
    else:
        names = alt.Axis(grid=True, labelAngle=-35, labelLimit=0)
        title = None if axis.name == "variant" else axis.head
        place = alt.X("place:N", title=title, sort=list(axis.values), axis=names)
    return _template(*metric_marks.upright(place, {"title": None}, _series(), lines=axis.name != "variant"))


def heat_map() -> VegaLite:
    """A metric's means by variant and network; the script sets the colours' scale.

    Data: a row per field with ``variant``, ``network``, ``mean``, ``label`` (the value, with a sign where a difference
    is shown) in the colour ``ink``.
    """
    wide = alt.Axis(labelLimit=260)
    base = alt.Chart().encode(
        x=alt.X("network:N", sort=None, title=None, axis=wide),
        y=alt.Y("variant:N", sort=None, title=None, axis=wide),
        tooltip=_tooltip(),
    )
    legend = alt.Legend(gradientLength=200, orient="top")
    boxes = base.mark_rect().encode(color=alt.Color("mean:Q", scale=alt.Scale(scheme="viridis"), legend=legend))
    texts = base.mark_text(fontSize=12).encode(text="label:N", color=alt.Color("ink:N", scale=None))
    return _template(boxes, texts, color="independent")


def networks() -> VegaLite:
    """One network's panel of small multiples: every variant's mean with its interval; the script makes the panels.

    Data: a row per series and network with ``network``, ``series``, ``mean``, ``low``, ``high``.
    """
    series, hidden = _series(), alt.Axis(grid=True, labels=False, ticks=False)
    y = alt.Y("series:N", title=None, sort=None, axis=hidden)
    base = alt.Chart().encode(y=y, color=series["color"], tooltip=_tooltip())
    interval = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", title=None), x2="high")
    mean = base.mark_point(filled=True, size=60, opacity=1).encode(x=alt.X("mean:Q", title=None), shape=series["shape"])
    return _template(interval, mean)


def over_time() -> VegaLite:
    """One quantity of runs over time in one variant's panel; the script makes a panel a variant, a row a quantity.

    Data: a row per point with ``time``, ``value``, ``series``, ``flow``, and ``faint``, whether the flow is not its
    variant's first.
    """
    marks = alt.Chart().mark_line(strokeWidth=1, clip=True, interpolate="linear")
    few = alt.Axis(tickCount=4)
    chart = marks.encode(
        x=alt.X("time:Q", title=None, axis=few, scale=alt.Scale(nice=False)),
        y=alt.Y("value:Q", title=None, axis=few),
        color=alt.Color("series:N", legend=None),
        detail="flow:N",
        opacity=alt.condition("datum.faint", alt.value(0.45), alt.value(1)),
    )
    made: VegaLite = chart.to_dict(validate=False)
    return {name: made[name] for name in ("mark", "encoding")}


def overview() -> VegaLite:
    """All networks at once, the share of the link against the queueing delay; better is up and to the right.

    Data: as `plane_marks.marks` has it, with ``label`` of the means; the script also sets titles and scales.
    """
    x = alt.X("x:Q", title=None, scale=alt.Scale(reverse=True))
    y = alt.Y("y:Q", title=None, scale=alt.Scale())
    series = {name: channel("series:N", legend=None) for name, channel in (("color", alt.Color), ("shape", alt.Shape))}
    name = (
        alt.Chart()
        .transform_filter("datum.kind == 'mean'")
        .mark_text(fontSize=11, fontWeight="bold", color="var(--ink)")
    )
    marks = plane_marks.marks(x, y, series | {"tooltip": _tooltip()}, "var(--soft)")
    return _template(*marks, name.encode(x=x, y=y, text="label:N"))


def shares() -> VegaLite:
    """What part of a mix's goodput each of its variants gets, in each network.

    Data: a row per variant of a mix and network with ``network``, ``series``, ``part`` (of 1), ``middle`` of its bar,
    ``label`` in the colour ``ink``.
    """
    y = alt.Y("network:N", title=None, sort=None, axis=alt.Axis(labelLimit=260))
    x = alt.X(
        "part:Q",
        stack="zero",
        title="share of the goodput",
        axis=alt.Axis(format="%", tickCount=5),
        scale=alt.Scale(domain=[0, 1]),
    )
    bars = alt.Chart().mark_bar().encode(x=x, y=y, color=_series()["color"], order="order:Q", tooltip=_tooltip())
    texts = alt.Chart().mark_text(fontSize=11, fontWeight="bold")
    texts = texts.encode(x="middle:Q", y=y, text="label:N", color=alt.Color("ink:N", scale=None))
    fair = alt.Chart().mark_rule(strokeDash=[4, 3], strokeWidth=1.5).encode(x="fair:Q")
    return _template(bars, texts, fair)


def throughput_delay() -> VegaLite:
    """Each run as a point, each series with its ellipse; delay grows to the left, so better is up and to the right.

    Data: rows with ``kind`` ("run", "mean" or "ellipse"), ``delay``, ``rate``, ``series``, ``network``, and for the
    points of an ellipse their ``order``.
    """
    series = _series()
    base = alt.Chart().encode(
        x=alt.X("delay:Q", title=None, scale=alt.Scale(reverse=True, zero=False)),
        y=alt.Y("rate:Q", title=None, scale=alt.Scale(zero=False)),
        color=series["color"],
    )
    ellipse = base.transform_filter("datum.kind == 'ellipse'").mark_line(strokeWidth=1.4, fill=None)
    points = base.encode(shape=series["shape"], tooltip=_tooltip())
    return _template(
        ellipse.encode(order="order:Q", strokeDash=series["strokeDash"], detail="network:N"),
        points.transform_filter("datum.kind == 'run'").mark_point(filled=True, size=16, opacity=0.6),
        points.transform_filter("datum.kind == 'mean'").mark_point(filled=True, size=90, opacity=1),
    )


def slowdown_by_size() -> VegaLite:
    """The slowdown of flows that arrive against the class of sizes; the script makes a panel for each percentile.

    Data: a row per series, percentile and class, with ``size``, ``mean``, ``low``, ``high``, ``series``, ``dodge`` in
    pixels.
    """
    names = alt.Axis(grid=True, labelAngle=0, labelLimit=0)
    y = {"title": "slowdown", "scale": alt.Scale(**_LOG), "axis": alt.Axis(format=".4~g", tickCount=6)}
    place = alt.X("size:N", title="size of the flows", sort=None, axis=names)
    return _template(*metric_marks.upright(place, y, _series(), lines=True, caps=False))


def slowdown_distribution() -> VegaLite:
    """The share of flows with a slowdown or more against it.

    Data: a row per series and point, with ``slowdown``, ``share``, ``series``.
    """
    series, log = _series(), alt.Scale(**_LOG)
    base = alt.Chart().encode(
        x=alt.X("slowdown:Q", title="slowdown", scale=log, axis=alt.Axis(format=".4~g", tickCount=8)),
        y=alt.Y(
            "share:Q",
            title="share of flows with as much or more",
            scale=log,
            axis=alt.Axis(format=".4~g", tickCount=6),
        ),
        color=series["color"],
        strokeDash=series["strokeDash"],
    )
    points = base.mark_point(filled=True, size=60, opacity=0).encode(tooltip=_tooltip())
    return _template(base.mark_line(strokeWidth=1.8), points)
