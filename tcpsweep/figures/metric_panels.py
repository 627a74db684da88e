# SPDX-License-Identifier: MIT
"""What a figure of a metric against an axis shows: its points, its panels, and what holds for all of them."""

from dataclasses import dataclass, field, replace

import polars as pl

from tcpsweep.analysis import summaries
from tcpsweep.sweep import axes
from tcpsweep.words import metrics

MOST_PANELS = 12


@dataclass(frozen=True)
class Panels:
    """A figure's data.

    ``points`` has a row per point: ``place`` on the axis, ``series`` and its ``variant`` (the cell's) and
    ``flow_variant``, ``column`` and ``row`` of its panel (texts, null where there are none), ``mean``, ``low`` and
    ``high`` in the metric's shown unit, ``runs`` and ``distinct_runs``. ``fixed`` maps axes that no panel varies to the
    value that all points have, ``tied`` names those that change with what is shown, ``silent`` has
    the values of the axis at which there is no point, as no flow carried any data.
    """

    metric: str
    axis: axes.Axis
    points: pl.DataFrame
    columns: axes.Axis | None = None
    rows: axes.Axis | None = None
    fixed: dict = field(default_factory=dict)
    tied: tuple = ()
    silent: tuple = ()

    def levels(self, side):
        """The values of the panels' columns ("column") or rows ("row") that occur, in the axis' order."""
        axis, found = getattr(self, f"{side}s"), set(self.points[side].to_list())
        return [text for text in [*axis.values, axes.UNSET] if text in found] if axis else []


def of(sweep, summary):
    """The panels of every metric against every axis, as far as there is anything to show."""
    every, silent = axes.of(sweep), summaries.silent(summary)
    texts = pl.DataFrame(axes.texts(sweep)).with_columns(combination=pl.int_range(pl.len(), dtype=pl.Int64))
    for metric in metrics.headline(summary["metric"].unique(), sweep.headline):
        values = summary.filter((pl.col("metric") == metric) & pl.col("mean").is_not_null())
        without = pl.col("combination").is_in(silent - set(values["combination"]))
        points = values.select("combination", "flow_variant", "mean", "low", "high", "runs", "distinct_runs").join(
            texts, on="combination", maintain_order="left"
        )
        for axis in every.values():
            there = points.filter(pl.col(axis.name) != axes.UNSET)
            if there.height:
                at = dict.fromkeys(texts.filter(without)[axis.name].to_list())
                empty = tuple(text for text in at if text not in {*there[axis.name], axes.UNSET})
                yield replace(_panels(metric, axis, every, there), silent=empty)


def _panels(metric, axis, every, points):
    """One figure's panels: other axes make columns and rows; those for which there is no room are held at one value."""
    shown = list(dict.fromkeys([axis.name, "variant"]))
    free = [name for name in every if name not in shown]
    tied = [name for name in free if _follows(points, name, shown)]
    free = [name for name in free if name not in tied]
    fixed = {}
    for name in free[2:]:
        fixed[name], points = _hold(points, every[name], axis)
    sides = free[:2]
    while sides and _count(points, sides) > MOST_PANELS:
        name = sides.pop()
        fixed[name], points = _hold(points, every[name], axis)
    if sides:
        # A panel in which the axis does not vary says nothing about it; a star-shaped grid has many.
        varying = pl.col(axis.name).n_unique().over(sides) > 1
        points = points.filter(varying) if points.select(varying.any()).item() else points
    for name in [*sides]:
        if points[name].n_unique() == 1:
            fixed[name] = points[name][0]
            sides.remove(name)
    sides.sort(key=lambda name: points[name].n_unique())
    # The side with more values runs down the page, unless both fit beside each other.
    column, row = (*sides, None, None)[:2]
    place = pl.col(axis.name).replace_strict(axis.values, return_dtype=pl.Float64 if axis.numeric else pl.String)
    pairs = points.select("flow_variant", "variant").rows()
    if axis.name == "variant":
        series = [own or whole for own, whole in pairs]
    else:
        series = [axes.series(own, whole) for own, whole in pairs]
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
            place=place,
            series=pl.Series(series, dtype=pl.String),
            column=pl.col(column) if column else pl.lit(None, dtype=pl.String),
            row=pl.col(row) if row else pl.lit(None, dtype=pl.String),
        ),
        every.get(column),
        every.get(row),
        {name: fixed[name] for name in every if name in fixed},
        tuple(tied),
    )


def _follows(points, name, shown):
    """Whether an axis has one value wherever what is shown has one."""
    return points.group_by(shown).agg(pl.col(name).n_unique())[name].max() == 1


def _count(points, sides):
    count = 1
    for name in sides:
        count *= points[name].n_unique()
    return count


def _hold(points, other, axis):
    """Hold ``other`` at its first value, of those at which the axis varies if there are any."""
    parts = {text: points.filter(pl.col(other.name) == text) for text in [*other.values, axes.UNSET]}
    parts = {text: part for text, part in parts.items() if part.height}
    varying = [text for text, part in parts.items() if part[axis.name].n_unique() > 1]
    held = next(iter(varying or parts))
    return held, parts[held]
