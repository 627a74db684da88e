# SPDX-License-Identifier: MIT
"""The charts of the report's explorer, as templates: the page's scripts add their data, sizes, titles and series.

``report.sections.explorer`` collects them and their data; the scripts in ``report/page/report`` fill them in and draw
them. A tooltip's columns are ``series``, ``where``, ``value`` and ``runs``.
"""

from __future__ import annotations

from typing import Any

from tcpsweep.core.figures import metric_marks, plane_marks
from tcpsweep.core.figures.chart_look import VegaLite, column, marks
from tcpsweep.core.sweep.axes import Axis

_LEGEND: dict[str, Any] = {"orient": "bottom", "symbolStrokeWidth": 0}
_LOG: dict[str, Any] = {"type": "log", "nice": False}
_HEADS = {"series": "variant", "where": "at", "value": "value", "runs": "runs"}


def _series() -> VegaLite:
    """The encodings of the column ``series``; the scripts fill in their scales."""
    channels = {name: column("series:N", legend=_LEGEND) for name in ("color", "shape", "strokeDash")}
    return channels | {"tooltip": _tooltip()}


def _tooltip() -> list[VegaLite]:
    return [column(f"{name}:N", title=title) for name, title in _HEADS.items()]


def lines(axis: Axis) -> VegaLite:
    """A metric's means with their intervals against an axis; lines join them unless the axis is the variant's.

    Data: a row per point with ``place`` on the axis, ``mean``, ``low``, ``high``, ``series``, ``dodge`` in pixels.
    """
    if axis.numeric:
        place = metric_marks.place_on_numbers(axis)
    else:
        names = {"grid": True, "labelAngle": -35, "labelLimit": 0}
        title = None if axis.name == "variant" else axis.head
        place = column("place:N", title=title, sort=list(axis.values), axis=names)
    return {"layer": metric_marks.upright(place, {"title": None}, _series(), lines=axis.name != "variant")}


def heat_map() -> VegaLite:
    """A metric's means by variant and network; the script sets the colours' scale.

    Data: a row per field with ``variant``, ``network``, ``mean``, ``label`` (the value, with a sign where a difference
    is shown) in the colour ``ink``.
    """
    wide = {"sort": None, "title": None, "axis": {"labelLimit": 260}}
    base = {"x": column("network:N", **wide), "y": column("variant:N", **wide), "tooltip": _tooltip()}
    legend = {"gradientLength": 200, "orient": "top"}
    box = base | {"color": column("mean:Q", scale={"scheme": "viridis"}, legend=legend)}
    text = base | {"text": column("label:N"), "color": column("ink:N", scale=None)}
    own_colours = {"scale": {"color": "independent"}}
    return {"layer": [marks("rect", box), marks("text", text, fontSize=12)], "resolve": own_colours}


def networks() -> VegaLite:
    """One network's panel of small multiples: every variant's mean with its interval; the script makes the panels.

    Data: a row per series and network with ``network``, ``series``, ``mean``, ``low``, ``high``.
    """
    series, hidden = _series(), {"grid": True, "labels": False, "ticks": False}
    y = column("series:N", title=None, sort=None, axis=hidden)
    base = {"y": y, "color": series["color"], "tooltip": _tooltip()}
    interval = base | {"x": column("low:Q", title=None), "x2": {"field": "high"}}
    mean = base | {"x": column("mean:Q", title=None), "shape": series["shape"]}
    return {"layer": [marks("rule", interval, strokeWidth=2), marks("point", mean, filled=True, size=60, opacity=1)]}


def over_time() -> VegaLite:
    """One quantity of runs over time in one variant's panel; the script makes a panel a variant, a row a quantity.

    Data: a row per point with ``time``, ``value``, ``series``, ``flow``, and ``faint``, whether the flow is not its
    variant's first.
    """
    few = {"tickCount": 4}
    encoding = {
        "x": column("time:Q", title=None, axis=few, scale={"nice": False}),
        "y": column("value:Q", title=None, axis=few),
        "color": column("series:N", legend=None),
        "detail": column("flow:N"),
        "opacity": {"condition": {"test": "datum.faint", "value": 0.45}, "value": 1},
    }
    return marks("line", encoding, strokeWidth=1, clip=True, interpolate="linear")


def overview() -> VegaLite:
    """The share of the link against the queueing delay, for all networks; better is up and to the left.

    Data: as `plane_marks.layers` has it, with ``label`` of the means; the script also sets titles and scales.
    """
    x = column("x:Q", title=None, scale={})
    y = column("y:Q", title=None, scale={})
    series = {name: column("series:N", legend=_LEGEND) for name in ("color", "shape")} | {"tooltip": _tooltip()}
    name = {"x": x, "y": y, "text": column("label:N")}
    names = marks("text", name, fontSize=11, fontWeight="bold", color="var(--ink)")
    layers = [*plane_marks.layers(x, y, series, "var(--soft)"), plane_marks.of_kind("mean") | names]
    return {"layer": layers, "title": plane_marks.BETTER | {"color": "var(--soft)"}}


def shares() -> VegaLite:
    """The share of a mix's goodput that each of its variants gets, in each network.

    Data: a row per variant of a mix and network with ``network``, ``series``, ``part`` (of 1), ``middle`` of its bar,
    ``label`` in the colour ``ink``.
    """
    y = column("network:N", title=None, sort=None, axis={"labelLimit": 260})
    percent = {"axis": {"format": "%", "tickCount": 5}, "scale": {"domain": [0, 1]}}
    x = column("part:Q", stack="zero", title="share of the goodput", **percent)
    bar = {"x": x, "y": y, "color": _series()["color"], "order": column("order:Q"), "tooltip": _tooltip()}
    text = {"x": column("middle:Q"), "y": y, "text": column("label:N"), "color": column("ink:N", scale=None)}
    return {
        "layer": [
            marks("bar", bar),
            marks("text", text, fontSize=11, fontWeight="bold"),
            marks("rule", {"x": column("fair:Q")}, strokeDash=[4, 3], strokeWidth=1.5),
        ]
    }


def throughput_delay() -> VegaLite:
    """Each run as a point, each series with its ellipse; better is up and to the left.

    Data: rows with ``kind`` ("run", "mean" or "ellipse"), ``delay``, ``rate``, ``series``, ``network``, and for the
    points of an ellipse their ``order``.
    """
    series = _series()
    base = {
        "x": column("delay:Q", title=None, scale={"zero": False}),
        "y": column("rate:Q", title=None, scale={"zero": False}),
        "color": series["color"],
    }
    along = {"order": column("order:Q"), "strokeDash": series["strokeDash"], "detail": column("network:N")}
    point = base | {"shape": series["shape"], "tooltip": _tooltip()}
    return {
        "layer": [
            plane_marks.of_kind("ellipse") | marks("line", base | along, strokeWidth=1.4, fill=None),
            plane_marks.of_kind("run") | marks("point", point, filled=True, size=16, opacity=0.6),
            plane_marks.of_kind("mean") | marks("point", point, filled=True, size=90, opacity=1),
        ]
    }


def slowdown_by_size() -> VegaLite:
    """The slowdown of flows that arrive against the class of sizes; the script makes a panel for each percentile.

    Data: a row per series, percentile and class, with ``size``, ``mean``, ``low``, ``high``, ``series``, ``dodge`` in
    pixels.
    """
    names = {"grid": True, "labelAngle": 0, "labelLimit": 0}
    y = {"title": "slowdown", "scale": _LOG, "axis": {"format": ".4~g", "tickCount": 6}}
    place = column("size:N", title="size of the flows", sort=None, axis=names)
    return {"layer": metric_marks.upright(place, y, _series(), lines=True, caps=False)}


def slowdown_distribution() -> VegaLite:
    """The share of flows with at least a slowdown, against the slowdown.

    Data: a row per series and point, with ``slowdown``, ``share``, ``series``.
    """
    series, up = _series(), "share of flows with as much or more"
    base = {
        "x": column("slowdown:Q", title="slowdown", scale=_LOG, axis={"format": ".4~g", "tickCount": 8}),
        "y": column("share:Q", title=up, scale=_LOG, axis={"format": ".4~g", "tickCount": 6}),
        "color": series["color"],
        "strokeDash": series["strokeDash"],
    }
    point = marks("point", base | {"tooltip": _tooltip()}, filled=True, size=60, opacity=0)
    return {"layer": [marks("line", base, strokeWidth=1.8), point]}
