# SPDX-License-Identifier: MIT
"""The kinds of charts, each a function without arguments that returns a chart of altair; `KINDS` lists them by name.

Paper and pages have the same charts. Means with their intervals have a row per point, with ``place``, ``mean``,
``low``, ``high``, ``series``, and ``dodge``, how far a mark is moved sideways from its place, in pixels.
"""

from __future__ import annotations

from typing import Any

import altair as alt

from tcpsweep.core.figures import over_time_chart
from tcpsweep.core.figures.chart_theme import COLOUR, DASH, MARK, SHAPE, across, layered, rows, slot, up

_DODGE = alt.ExprRef("datum.dodge")
_CAP: dict[str, Any] = {"size": 5, "thickness": 1.2}
_DASHED: dict[str, Any] = {"color": slot("soft"), "strokeDash": [4, 3]}
_TOOLTIP = slot("tooltip")


def means_over_numbers() -> alt.LayerChart:
    """Means above an axis of numbers, joined by lines, with their names at the lines' ends where these have rows."""
    return layered(_cut(), _fair(up), *_upright(across("place")), *_names_at_ends())


def means_over_names() -> alt.LayerChart:
    """Means above names."""
    return layered(_fair(up), *_upright(_names_across()))


def means_of_variants() -> alt.LayerChart:
    """Means above the variants' names, without lines from one to the next."""
    return layered(_fair(up), *_upright(_names_across())[1:])


def means_beside_names() -> alt.LayerChart:
    """Means to the right of names, with level intervals."""
    base = alt.Chart().encode(y=_names_up(), color=COLOUR, tooltip=_TOOLTIP)
    cap = base.mark_tick(orient="vertical", yOffset=_DODGE, **_CAP)
    return layered(
        _cut_across(),
        _fair(across),
        base.mark_rule(strokeWidth=1.2, yOffset=_DODGE).encode(x=across("low"), x2="high"),
        cap.encode(x=across("low")),
        cap.encode(x=across("high")),
        base.mark_point(size=34, yOffset=_DODGE, **MARK).encode(x=across("mean"), shape=SHAPE),
    )


def metric_over_metric() -> alt.LayerChart:
    """Marks at the means of two metrics; ``place_low`` and ``place_high`` are the ends of the interval across."""
    base = alt.Chart().encode(color=COLOUR, tooltip=_TOOLTIP)
    level, upright = base.mark_tick(orient="vertical", **_CAP), base.mark_tick(orient="horizontal", **_CAP)
    rule = base.mark_rule(strokeWidth=1.2)
    return layered(
        _cut(),
        _cut_across(),
        rule.encode(x=across("place"), y=up("low"), y2="high"),
        rule.encode(y=up("mean"), x=across("place_low"), x2="place_high"),
        upright.encode(x=across("place"), y=up("low")),
        upright.encode(x=across("place"), y=up("high")),
        level.encode(y=up("mean"), x=across("place_low")),
        level.encode(y=up("mean"), x=across("place_high")),
        base.mark_point(size=60, **MARK).encode(x=across("place"), y=up("mean"), shape=SHAPE),
    )


def plane_of_networks() -> alt.LayerChart:
    """Means of networks, small, the mean over networks, large and named, and the frontier of the large ones.

    Rows have ``kind`` ("network", "mean" or "frontier"), ``x``, ``y``, ``series``, ``order`` along the frontier; names
    have ``label``, and ``align``, ``dx`` and ``dy`` from the mark.
    """
    base = alt.Chart().encode(x=across("x"), y=up("y"))
    point = base.encode(color=COLOUR, shape=SHAPE, tooltip=_TOOLTIP)
    line = base.mark_line(interpolate="step-after", strokeDash=[4, 3], strokeWidth=1.4, stroke=slot("soft"))
    beside: dict[str, Any] = {name: alt.ExprRef(f"datum.{name}") for name in ("align", "dx", "dy")}
    names = rows("names").mark_text(
        fontWeight=slot("name weight"), fontSize=slot("name size"), baseline=slot("baseline"), **beside
    )
    # Fonts of figures lack the arrow up and left.
    better: dict[str, Any] = {"text": "← better, ↑ better", "anchor": "start", "frame": "group", "fontSize": 11}
    return layered(
        _of_kind("frontier", line.encode(order="order:Q")),
        _of_kind("network", point.mark_point(filled=True, size=26, opacity=0.45)),
        _of_kind("mean", point.mark_point(filled=True, size=150, opacity=1)),
        _cut(),
        names.encode(x=across("x"), y=up("y"), text="label:N", color=alt.Color("colour:N", scale=None)),
        title=alt.TitleParams(**better, fontWeight="normal", color=slot("title colour")),
        autosize=slot("autosize"),
    )


def plane_of_runs() -> alt.LayerChart:
    """Each run as a point, each series with its ellipse.

    Rows have ``kind`` ("run", "mean" or "ellipse"), ``x``, ``y``, ``series``, ``network``, and ``order`` of the points
    of an ellipse.
    """
    base = alt.Chart().encode(x=across("x"), y=up("y"), color=COLOUR)
    point = base.encode(shape=SHAPE, tooltip=_TOOLTIP)
    ellipse = base.mark_line(strokeWidth=1.4, fill=None)
    return layered(
        _of_kind("ellipse", ellipse.encode(order="order:Q", strokeDash=DASH, detail="network:N")),
        _of_kind("run", point.mark_point(filled=True, size=16, opacity=0.6)),
        _of_kind("mean", point.mark_point(filled=True, size=90, opacity=1)),
    )


def matrix() -> alt.LayerChart:
    """A box for each ``column`` and ``row``, in a colour of its ``mean``, with ``label`` in the colour ``ink``."""
    x = alt.X("column:N", sort=slot("columns"), title=slot("x title"), axis=slot("x axis"))
    y = alt.Y("row:N", sort=slot("rows"), title=slot("y title"), axis=slot("y axis"))
    base = alt.Chart().encode(x=x, y=y, tooltip=_TOOLTIP, opacity=slot("clearness"))
    box = base.mark_rect(stroke=slot("edge"), strokeWidth=slot("box edge width"), invalid=None)
    value = alt.Color("mean:Q", title=slot("value title"), scale=slot("value colours"), legend=slot("value legend"))
    ink = alt.Color("ink:N", scale=None)
    text = alt.Chart(name=slot("labels")).mark_text(fontSize=slot("label size"))
    label = text.encode(x=x, y=y, tooltip=_TOOLTIP, opacity=slot("clearness"), text="label:N", color=ink)
    return layered(box.encode(color=value), label, resolve=alt.Resolve(scale=alt.ScaleResolveMap(color="independent")))


def networks() -> alt.LayerChart:
    """One network's panel: every variant's mean with its interval, in a row without a label."""
    hidden = alt.Axis(grid=True, labels=False, ticks=False)
    y = alt.Y("series:N", title=None, sort=slot("series"), axis=hidden)
    base = alt.Chart().encode(y=y, color=COLOUR, tooltip=_TOOLTIP)
    return layered(
        base.mark_rule(strokeWidth=2).encode(x=across("low"), x2="high"),
        base.mark_point(filled=True, size=60, opacity=1).encode(x=across("mean"), shape=SHAPE),
    )


def shares() -> alt.LayerChart:
    """Bars of the ``part`` (of 1) of a mix's goodput that each variant gets in a ``network``.

    Rows also have ``middle`` of the part, ``order``, and ``label`` in the colour ``ink``; the rows ``fair`` have
    ``fair``, an equal share.
    """
    y = alt.Y("network:N", title=None, sort=None, axis=alt.Axis(labelLimit=260))
    percent = alt.Axis(format="%", tickCount=slot("ticks"))
    part = alt.X("part:Q", stack="zero", title=slot("x title"), axis=percent, scale=alt.Scale(domain=[0, 1]))
    bar = alt.Chart().mark_bar(stroke=slot("panel"), strokeWidth=1.5)
    text = alt.Chart().mark_text(fontSize=11, fontWeight="bold")
    return layered(
        bar.encode(x=part, y=y, color=COLOUR, order="order:Q", tooltip=_TOOLTIP),
        text.encode(x="middle:Q", y=y, text="label:N", color=alt.Color("ink:N", scale=None)),
        rows("fair").mark_rule(strokeDash=[4, 3], strokeWidth=1.5).encode(x="fair:Q"),
        autosize=slot("autosize"),
    )


def distribution() -> alt.LayerChart:
    """Curves of the ``share`` at a ``place`` or a larger one, by ``series``."""
    base = alt.Chart().encode(x=across("place"), y=up("share"), color=COLOUR)
    line = base.mark_line(strokeWidth=1.4).encode(strokeDash=DASH, order="place:Q")
    # Points that nobody sees carry the tooltips.
    point = rows("tips").mark_point(filled=True, size=60, opacity=0)
    return layered(line, point.encode(x=across("place"), y=up("share"), color=COLOUR, tooltip=_TOOLTIP))


def differences() -> alt.LayerChart:
    """A forest plot: the ``difference`` of each ``case`` with its interval from ``holm_low`` to ``holm_high``."""
    case = alt.Y("case:N", sort=slot("cases"), title=None, axis=alt.Axis(labelLimit=0, grid=True))
    base = alt.Chart().encode(y=case, color=COLOUR)
    return layered(
        rows("zero").mark_rule(color="#222", strokeWidth=1).encode(x="at:Q"),
        base.mark_rule(strokeWidth=1.4).encode(x=across("holm_low"), x2="holm_high"),
        base.mark_point(filled=True, size=50, opacity=1).encode(x=across("difference"), shape=SHAPE),
    )


def wrapped_panels() -> alt.FacetChart:
    """A panel for each ``column``, as many in a row as have room; a figure puts its ``spec`` in."""
    return _panels(alt.Facet("column:N", **_heads("column")), columns=slot("across"))


def grid_of_panels() -> alt.FacetChart:
    """A panel for each ``column`` and ``row``; a figure puts its ``spec`` in."""
    row = alt.Row("row:N", **_heads("row"))
    return _panels(alt.FacetMapping(column=alt.Column("column:N", **_heads("column")), row=row))


def panels_side_by_side() -> alt.FacetChart:
    """A panel for each ``column``, all in one row; a figure puts its ``spec`` in."""
    return _panels(alt.FacetMapping(column=alt.Column("column:N", **_heads("column"))))


def panels_below_each_other() -> alt.FacetChart:
    """A panel for each ``row``; a figure puts its ``spec`` in."""
    return _panels(alt.FacetMapping(row=alt.Row("row:N", **_heads("row"))))


def _heads(side: str) -> dict[str, Any]:
    return {"sort": slot(f"{side}s"), "title": slot("heads"), "header": slot(f"{side} header")}


def _panels(facet: Any, **options: Any) -> alt.FacetChart:
    options |= {name: slot(name) for name in ("title", "resolve", "spacing")}
    return alt.FacetChart(data=alt.NamedData("points"), spec=alt.Chart().mark_point(), facet=facet, **options)


def _upright(place: alt.X) -> list[alt.Chart]:
    """Means above their places: lines, intervals with caps, marks; a sign at the upper edge for infinite ones."""
    base = alt.Chart().encode(x=place, color=COLOUR, tooltip=_TOOLTIP)
    cap = base.mark_tick(orient="horizontal", xOffset=_DODGE, **_CAP)
    sign = alt.Chart(name=slot("infinite")).mark_text(text="∞", fontSize=17, xOffset=_DODGE)
    infinite = sign.transform_filter("datum.mean === null")
    return [
        base.mark_line(strokeWidth=1.4, xOffset=_DODGE).encode(y=up("mean"), strokeDash=DASH),
        base.mark_rule(strokeWidth=1.2, xOffset=_DODGE).encode(y=up("low"), y2="high"),
        cap.encode(y=up("low")),
        cap.encode(y=up("high")),
        base.mark_point(size=34, xOffset=_DODGE, **MARK).encode(y=up("mean"), shape=SHAPE),
        infinite.encode(x=place, y=alt.value(8), color=COLOUR, tooltip=_TOOLTIP),
    ]


def _names_at_ends() -> list[alt.Chart]:
    """The names of lines after their ends, ``down`` pixels below them, with a mark and a stroke that leads to it."""
    down, colours = alt.ExprRef("datum.down"), alt.Color("colour:N", scale=None)
    base = rows("ends").encode(y=up("mean"), color=colours)
    name = base.mark_text(align="left", baseline="middle", fontSize=9, dy=down)
    return [
        base.mark_rule(strokeWidth=0.7, y2Offset=down).encode(
            x=alt.value(slot("stroke from")), x2=alt.value(slot("stroke to")), y2="mean"
        ),
        base.mark_point(size=34, yOffset=down, **MARK).encode(x=alt.value(slot("mark at")), shape="series:N"),
        name.encode(x=alt.value(slot("name at")), text="series:N", color=alt.value("#222")),
    ]


def _names_across() -> alt.X:
    return alt.X("place:N", sort=slot("names"), title=slot("x title"), axis=slot("x axis"))


def _names_up() -> alt.Y:
    return alt.Y("place:N", sort=slot("names"), title=slot("y title"), axis=slot("y axis"))


def _of_kind(kind: str, layer: alt.Chart) -> Any:
    return layer.transform_filter(f"datum.kind == '{kind}'")


def _fair(direction: Any) -> Any:
    """A dashed line at the value of a fair share; ``direction`` is `up` or `across`."""
    channel, name = (alt.YDatum, "y") if direction is up else (alt.XDatum, "x")
    place = channel(slot("fair"), type="quantitative", scale=slot(f"{name} scale"))
    return rows("fair").mark_rule(strokeWidth=1, **_DASHED).encode(**{name: place})


def _cut() -> Any:
    """The sign that the vertical axis does not begin at zero: two short strokes across its beginning."""
    sign = rows("cut").encode(x=alt.value(0.0), y=alt.value(slot("foot")))
    return sign.mark_text(text="//", fontSize=9, angle=90)


def _cut_across() -> Any:
    """The same for the horizontal axis."""
    sign = rows("cut across").encode(x=alt.value(5.0), y=alt.value(slot("height")))
    return sign.mark_text(text="//", fontSize=9, angle=0)


KINDS = {
    "means over numbers": means_over_numbers,
    "means over names": means_over_names,
    "means of variants": means_of_variants,
    "means beside names": means_beside_names,
    "metric over metric": metric_over_metric,
    "plane of networks": plane_of_networks,
    "plane of runs": plane_of_runs,
    "matrix": matrix,
    "networks": networks,
    "shares": shares,
    "distribution": distribution,
    "differences": differences,
    "over time": over_time_chart.panel,
    "wrapped panels": wrapped_panels,
    "grid of panels": grid_of_panels,
    "panels side by side": panels_side_by_side,
    "panels below each other": panels_below_each_other,
}
