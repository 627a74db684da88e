# SPDX-License-Identifier: MIT
"""The data of a figure that shows a metric against an axis: its points, and their split into panels."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import polars as pl

from tcpsweep.core.analysis import summaries
from tcpsweep.core.sweep import axes, matching, requests
from tcpsweep.core.sweep.requests import MetricFigureRequest
from tcpsweep.core.sweep.sweep_record import UNSET, Sweep
from tcpsweep.core.words import metrics

MOST_PANELS = 12
# Columns with the values of the metric on the horizontal axis; no axis has a space in its name.
_OVER_COLUMNS = {"mean": "over mean", "low": "over low", "high": "over high"}
_PLACE_ENDS = ("place_low", "place_high")


@dataclass(frozen=True)
class Panels:
    """A figure's data."""

    metric: str
    axis: axes.Axis  # the horizontal one
    # A row per point: ``combination``; ``place`` on the axis; ``series``, the ``variant`` of its cell and its
    # ``flow_variant``; ``column`` and ``row`` of its panel (texts, null if the figure has none); ``mean``, ``low`` and
    # ``high`` in the metric's shown unit; ``runs`` and ``distinct_runs``.
    points: pl.DataFrame
    columns: axes.Axis | None = None  # that the panels vary, as do rows
    rows: axes.Axis | None = None
    fixed: dict[str, str] = field(default_factory=dict)  # each axis held at one value, with that value
    tied: tuple[str, ...] = ()  # axes that change together with a shown axis
    with_variant: tuple[str, ...] = ()  # tied axes that go with the variant
    silent: tuple[str, ...] = ()  # the axis' values that have no point because no flow carried any data
    what: str = ""  # the title where the panels show several metrics; empty for the metric's title
    # The metric that the horizontal axis shows, where it shows one. Then ``place`` is its mean, and the points have
    # ``place_low`` and ``place_high``, the ends of its interval, all in its shown unit.
    over: str = ""

    def levels(self, side: Literal["column", "row"]) -> list[str]:
        """The values of the panels' columns or rows that occur, in the axis' order."""
        axis, present = self.columns if side == "column" else self.rows, set(self.points[side].to_list())
        return [text for text in [*axis.values, UNSET] if text in present] if axis else []


def panels(sweep: Sweep, summary: pl.DataFrame, names: Iterable[str] | None = None) -> Iterator[Panels]:
    """The panels of every headline metric, or of the named metrics, against every axis that has points.

    ``summary`` is the sweep's table of that name.
    """
    all_axes, silent = axes.swept_axes(sweep), summaries.silent(summary)
    texts = pl.DataFrame(sweep.texts).with_columns(combination=pl.int_range(pl.len(), dtype=pl.Int64))
    for metric in metrics.headline(summary["metric"].unique(), sweep.headline) if names is None else names:
        points = _points_of(summary, metric, texts)
        without = texts.filter(pl.col("combination").is_in(silent - set(points["combination"])))
        for axis in axes.variant_and_network_axes(sweep).values():
            points_on_axis = points.filter(pl.col(axis.name) != UNSET)
            if points_on_axis.height:
                made = _arranged_panels(metric, axis, all_axes, points_on_axis)
                yield replace(
                    _with_variant_apart(sweep, made), silent=_values_without_traffic(without, points_on_axis, axis)
                )


def requested(sweep: Sweep, summary: pl.DataFrame, request: MetricFigureRequest) -> Panels | None:
    """The panels of a figure that the sweep file asks for, from the table `summary`; None if it has no point."""
    is_plane = requests.is_plane(request, sweep.axes)
    combinations = [number for number, row in enumerate(sweep.own) if matching.is_met(request.where, row)]
    texts = pl.DataFrame(sweep.texts).with_columns(combination=pl.int_range(pl.len(), dtype=pl.Int64))
    texts = texts.filter(pl.col("combination").is_in(combinations))
    all_axes = {name: _axis_within(axis, texts[name].to_list()) for name, axis in axes.swept_axes(sweep).items()}
    axis = _axis_of_metric(request.axis) if is_plane else all_axes[request.axis]
    points = _points_of(summary, request.metric, texts)
    points = _with_second_metric(points, summary, request) if is_plane else points.filter(pl.col(axis.name) != UNSET)
    if not points.height:
        return None
    fixed = {name: texts[name][0] for name in all_axes if texts[name].n_unique() == 1}
    shown = {request.axis, *request.panels, "variant", *fixed}
    column, row = [*request.panels, None, None][:2]
    tied = tuple(name for name in all_axes if name not in shown)
    built = _with_variant_apart(sweep, _panels_of(request.metric, axis, points, all_axes, column, row, fixed, tied))
    if is_plane:
        return replace(built, over=request.axis)
    silent_texts = texts.filter(pl.col("combination").is_in(summaries.silent(summary) - set(points["combination"])))
    return replace(built, silent=_values_without_traffic(silent_texts, points, axis))


def printed(panels: Panels, names: Mapping[str, str]) -> Panels:
    """Panels with names for print, from `axes.names_for_print`; the points' ``variant`` keeps the sweep file's."""

    def of_axis(axis: axes.Axis) -> axes.Axis:
        if axis.name != "variant":
            return axis
        return replace(axis, values={names.get(text, text): names.get(text, text) for text in axis.values})

    sides = {"place": panels.axis, "column": panels.columns, "row": panels.rows}
    columns = ["series", *(column for column, axis in sides.items() if axis and axis.name == "variant")]
    fixed = {name: names.get(text, text) if name == "variant" else text for name, text in panels.fixed.items()}
    return replace(
        panels,
        axis=of_axis(panels.axis),
        columns=panels.columns and of_axis(panels.columns),
        rows=panels.rows and of_axis(panels.rows),
        fixed=fixed,
        silent=tuple(names.get(text, text) for text in panels.silent),
        points=panels.points.with_columns(pl.col(*columns).replace(names)),
    )


def file_name(name: str) -> str:
    """A name with hyphens in place of characters that a file name should not have."""
    return re.sub(r"[^A-Za-z0-9_]+", "-", name)


def table(panels: Panels) -> pl.DataFrame:
    """A figure's data as a table to write: axis, panels, series, then mean and interval in the metric's shown unit.

    A row per point. Units are in brackets after the columns' names; ``low`` and ``high`` are null where a mean has
    no interval.
    """
    metric, axis = metrics.METRICS[panels.metric], panels.axis
    unit = f" [{metric.shown_unit}]" if metric.shown_unit else ""
    sides = {side.name: pl.col(name) for side, name in ((panels.columns, "column"), (panels.rows, "row")) if side}
    place = f"{axis.name} [{axis.unit}]" if axis.unit else axis.name
    ends = ("low", "high") if panels.over else ()
    return panels.points.sort("combination", maintain_order=True).select(
        pl.col("place").alias(place),
        *(pl.col(f"place_{end}").alias(place.replace(axis.name, f"{axis.name} {end}")) for end in ends),
        *(value.alias(name) for name, value in sides.items() if name != axis.name),
        *([pl.col("series")] if axis.name != "variant" else [pl.col("series").alias("flow_variant")]),
        pl.col("mean").alias(f"{panels.metric}{unit}"),
        pl.col("low").alias(f"low{unit}"),
        pl.col("high").alias(f"high{unit}"),
        "runs",
    )


def _points_of(summary: pl.DataFrame, metric: str, texts: pl.DataFrame) -> pl.DataFrame:
    """A metric's means in the combinations of ``texts``, with the axes' values."""
    values = summary.filter((pl.col("metric") == metric) & pl.col("mean").is_not_null())
    columns = ("combination", "flow_variant", "mean", "low", "high", "runs", "distinct_runs")
    return values.select(columns).join(texts, on="combination", maintain_order="left")


def _axis_of_metric(name: str) -> axes.Axis:
    """A metric as a horizontal axis."""
    metric = metrics.METRICS[name]
    return axes.Axis(name, metric.title, metric.shown_unit, {})


def _with_second_metric(points: pl.DataFrame, summary: pl.DataFrame, request: MetricFigureRequest) -> pl.DataFrame:
    """Points with the values of the metric on the horizontal axis; all variants share a value of the whole network."""
    second, metric = metrics.METRICS[request.axis], metrics.METRICS[request.metric]
    second_values = summary.filter((pl.col("metric") == request.axis) & pl.col("mean").is_not_null())
    columns = [(pl.col(name) * second.scale).alias(column) for name, column in _OVER_COLUMNS.items()]
    second_values = second_values.select("combination", pl.col("flow_variant").alias("over variant"), *columns)
    if second.by_variant and metric.by_variant:
        of_variant = second_values.rename({"over variant": "flow_variant"})
        return points.join(of_variant, on=["combination", "flow_variant"], nulls_equal=True, maintain_order="left")
    joined = points.join(second_values, on="combination", maintain_order="left")
    return joined.with_columns(flow_variant=pl.coalesce("flow_variant", "over variant"))


def _values_without_traffic(silent_texts: pl.DataFrame, points: pl.DataFrame, axis: axes.Axis) -> tuple[str, ...]:
    """The values of an axis at which there is no point and no traffic."""
    present = {*points[axis.name], UNSET}
    return tuple(text for text in dict.fromkeys(silent_texts[axis.name].to_list()) if text not in present)


def _axis_within(axis: axes.Axis, texts: list[str]) -> axes.Axis:
    """An axis with only the values that occur."""
    present = set(texts)
    return replace(axis, values={text: place for text, place in axis.values.items() if text in present})


def _arranged_panels(metric: str, axis: axes.Axis, all_axes: dict[str, axes.Axis], points: pl.DataFrame) -> Panels:
    """One figure's panels: two other axes make columns and rows; axes without room are held at one value."""
    shown = list(dict.fromkeys([axis.name, "variant"]))
    other_axes = [name for name in all_axes if name not in shown]
    tied_axes = [name for name in other_axes if _follows(points, name, shown)]
    other_axes = [name for name in other_axes if name not in tied_axes]
    fixed = {}
    for name in other_axes[2:]:
        fixed[name], points = _hold_axis(points, all_axes[name], axis)
    sides = other_axes[:2]
    while math.prod(points[name].n_unique() for name in sides) > MOST_PANELS:
        name = sides.pop()
        fixed[name], points = _hold_axis(points, all_axes[name], axis)
    if sides:
        # A panel in which the axis does not vary says nothing about it; a star-shaped grid has many.
        varying = pl.col(axis.name).n_unique().over(sides) > 1
        points = points.filter(varying) if points.select(varying.any()).item() else points
    for name in [*sides]:
        if points[name].n_unique() == 1:
            fixed[name] = points[name][0]
            sides.remove(name)
    sides.sort(key=lambda name: points[name].n_unique())
    # The side with more values runs down the page, unless both fit side by side.
    column, row = [*sides, None, None][:2]
    ordered = {name: fixed[name] for name in all_axes if name in fixed}
    return _panels_of(metric, axis, points, all_axes, column, row, ordered, tuple(tied_axes))


def _panels_of(
    metric: str,
    axis: axes.Axis,
    points: pl.DataFrame,
    all_axes: dict[str, axes.Axis],
    column: str | None,
    row: str | None,
    fixed: dict[str, str],
    tied: tuple[str, ...],
) -> Panels:
    """The record of panels, its points in the metric's shown unit."""
    if _OVER_COLUMNS["mean"] in points:
        places = {
            name: pl.col(column) for name, column in zip(("place", *_PLACE_ENDS), _OVER_COLUMNS.values(), strict=True)
        }
    else:
        place_type = pl.Float64 if axis.numeric else pl.String
        places = {"place": pl.col(axis.name).replace_strict(axis.values, return_dtype=place_type)}
    pairs = points.select("flow_variant", "variant").rows()
    if axis.name == "variant":
        series = [flow_variant or variant for flow_variant, variant in pairs]
    else:
        series = [axes.series(flow_variant, variant) for flow_variant, variant in pairs]
    scale = metrics.METRICS[metric].scale
    return Panels(
        metric,
        axis,
        points.select(
            "combination",
            "variant",
            "flow_variant",
            "runs",
            "distinct_runs",
            pl.col("mean", "low", "high") * scale,
            **places,
            series=pl.Series(series, dtype=pl.String),
            column=pl.col(column) if column else pl.lit(None, dtype=pl.String),
            row=pl.col(row) if row else pl.lit(None, dtype=pl.String),
        ),
        all_axes[column] if column else None,
        all_axes[row] if row else None,
        fixed,
        tied,
    )


def _follows(points: pl.DataFrame, name: str, shown: list[str]) -> bool:
    """Whether an axis has one value for each combination of the shown values."""
    most: int = points.group_by(shown).agg(pl.col(name).n_unique()).select(pl.col(name).max()).item()
    return most == 1


def _with_variant_apart(sweep: Sweep, panels: Panels) -> Panels:
    """Panels with the axes that go with the variant moved out of `tied`."""
    with_variant = tuple(name for name in panels.tied if name in sweep.with_variant)
    return replace(
        panels, tied=tuple(name for name in panels.tied if name not in with_variant), with_variant=with_variant
    )


def _hold_axis(points: pl.DataFrame, held_axis: axes.Axis, axis: axes.Axis) -> tuple[str, pl.DataFrame]:
    """The value to hold ``held_axis`` at: the first at which the axis varies, else its first; and the points there."""
    points_by_value = {text: points.filter(pl.col(held_axis.name) == text) for text in [*held_axis.values, UNSET]}
    points_by_value = {text: part for text, part in points_by_value.items() if part.height}
    varying = [text for text, part in points_by_value.items() if part[axis.name].n_unique() > 1]
    held = next(iter(varying or points_by_value))
    return held, points_by_value[held]
