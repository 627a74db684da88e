# SPDX-License-Identifier: MIT
"""The static chart of a metric against an axis: means with their intervals, a line per series, in panels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import altair as alt
import polars as pl

from tcpsweep.figures import chart_look
from tcpsweep.figures.chart_look import VegaLite, View
from tcpsweep.figures.metric_data import Panels
from tcpsweep.figures.series_styles import Styles
from tcpsweep.sweep.axes import Axis
from tcpsweep.words import metrics
from tcpsweep.words.metrics import Metric

# In pixels: how far points of neighbouring series stand apart, and all of them together at the most.
DODGE, DODGE_SPAN = 3, 14
LOG_SPAN = 30  # the ratio of the largest mean to the least from which on a linear axis hides the small ones
MOST_TICKS, MOST_ACROSS = 6, 3


def chart(panels: Panels, styles: Styles) -> VegaLite:
    """A metric against an axis, with a panel for each value of the other axes."""
    points, metric = panels.points, metrics.METRICS[panels.metric]
    present = set(points["series"].to_list())
    series = [name for name in styles if name in present]
    columns, rows = panels.levels("column"), panels.levels("row")
    wraps = not rows and len(columns) > MOST_ACROSS
    across = MOST_ACROSS if wraps else max(1, len(columns))
    width, height = _panel_size(across, max(1, len(columns)) * max(1, len(rows)))
    by_variant = panels.axis.name == "variant"
    legend = (
        None
        if by_variant and not metric.by_variant
        else chart_look.legend_below(series, across * width, symbolStrokeWidth=0)
    )
    colours, shapes, dashes = (alt.Scale(domain=series, range=[styles[name][i] for name in series]) for i in range(3))
    encodings: dict[str, Any] = {
        "color": alt.Color("series:N", scale=colours, legend=legend),
        "shape": alt.Shape("series:N", scale=shapes, legend=legend),
        "strokeDash": alt.StrokeDash("series:N", scale=dashes, legend=legend),
    }
    layers = means(panels.axis, lambda column: _y(metric, points, column), **encodings)
    # Layers of plain charts are no facets, as altair says that they may be.
    layered = cast(alt.LayerChart, alt.layer(*layers, data=alt.NamedData("points")))
    layered = layered.properties(width=width, height=height)
    marks = points.select(
        "place",
        "series",
        "mean",
        "low",
        "high",
        dodge=_dodge(series, panels.axis),
        column=_heads(panels.columns, columns, "column"),
        row=_heads(panels.rows, rows, "row"),
    )
    return chart_look.vega_lite(_faceted(layered, panels, across if wraps else None), points=marks.sort("place"))


def _faceted(layered: alt.LayerChart, panels: Panels, across: int | None) -> View:
    """The layers in panels; ``across`` is how many stand beside each other where a row of them wraps."""
    columns, rows = panels.levels("column"), panels.levels("row")
    column: dict[str, Any] = {"sort": _texts(panels.columns, columns), "title": None}
    row: dict[str, Any] = {"sort": _texts(panels.rows, rows), "title": None}
    if across:
        # Shared, the axes would also stand where the last row has no panel.
        facet = alt.Facet("column:N", **column)
        wrapped: alt.FacetChart = layered.facet(facet=facet, columns=across).resolve_axis(x="independent")
        return wrapped
    if rows:
        return layered.facet(column=alt.Column("column:N", **column), row=alt.Row("row:N", **row))
    return layered.facet(column=alt.Column("column:N", **column)) if columns else layered


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


def starts_at_zero(metric: Metric) -> bool:
    """Whether a metric's axis begins at 0."""
    return bool(metric.shown_unit) and metric.shown_unit != "ms"


def is_wide(metric: Metric, means: pl.Series) -> bool:
    """Whether a metric's means span so much that their axis is logarithmic."""
    least, largest = _ends(means)
    return bool(metric.shown_unit) and least > 0 and largest > LOG_SPAN * least


def _ends(means: pl.Series) -> tuple[float, float]:
    """The least and the largest of a figure's means."""
    return cast(float, means.min()), cast(float, means.max())


def _dodge(series: list[str], axis: Axis) -> pl.Expr:
    """How many pixels each point stands beside its place, so that the intervals of series do not hide each other."""
    order = pl.col("series").replace_strict({name: i for i, name in enumerate(series)}, return_dtype=pl.Int64)
    if axis.name == "variant":
        order = order.rank("dense").over("place")
    middle, count = (order.max() + order.min()) / 2, order.max() - order.min() + 1
    dodge = (order - middle) * pl.min_horizontal(pl.lit(DODGE), DODGE_SPAN / count)
    return dodge.over("place") if axis.name == "variant" else dodge


def _panel_size(across: int, panels: int) -> tuple[int, int]:
    """A panel's width and height in pixels."""
    if panels == 1:
        return chart_look.COLUMN_WIDTH - 60, 180
    return {1: (chart_look.COLUMN_WIDTH - 60, 120), 2: (190, 150)}.get(across, (165, 130))


def _texts(axis: Axis | None, levels: list[str]) -> list[str]:
    """What the panels' heads say."""
    return [f"{axis.title} {text}" for text in levels] if axis else []


def _heads(axis: Axis | None, levels: list[str], column: str) -> pl.Expr:
    """What the panels' heads say, as an expression of the column that has their values."""
    return (
        pl.col(column).replace_strict(dict(zip(levels, _texts(axis, levels), strict=True))) if levels else pl.lit(None)
    )


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


def _y(metric: Metric, points: pl.DataFrame, column: str) -> alt.Y:
    means = points["mean"]
    least, largest = _ends(means)
    title = f"{metric.title} [{metric.shown_unit}]" if metric.shown_unit else metric.title
    if is_wide(metric, means):
        return alt.Y(f"{column}:Q", title=title, scale=alt.Scale(type="log", clamp=True, domainMin=least / 2))
    if not largest and not least:
        return alt.Y(f"{column}:Q", title=title, scale=alt.Scale(domain=[0, 1], nice=False), axis=alt.Axis(values=[0]))
    return alt.Y(f"{column}:Q", title=title, scale=alt.Scale(zero=starts_at_zero(metric)))
