# SPDX-License-Identifier: MIT
"""A static figure of a metric against an axis, or over another metric, with its caption and data."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from tcpsweep.core.figures import metric_chart, metric_data, metric_plane_chart, series_styles
from tcpsweep.core.figures.metric_data import Panels
from tcpsweep.core.figures.picture_files import Figure
from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.sweep_record import Sweep
from tcpsweep.core.words import metrics
from tcpsweep.core.words.mixes import Mix


def figure(
    sweep: Sweep,
    panels: Panels,
    name: str,
    group: str,
    title: str,
    width: float,
    choice: metric_chart.Choice = "auto",
) -> Figure:
    """The figure of a metric's panels, in a width in pixels; ``choice`` is the scale of the metric's axis.

    Its chart and its caption have variants' names for print, its data the sweep file's.
    """
    names = axes.names_for_print(sweep)
    shown = metric_data.printed(panels, names)
    styles = series_styles.printed(series_styles.styles(sweep), names)
    draw = metric_plane_chart.chart if panels.over else metric_chart.chart
    return Figure(
        name,
        group,
        title,
        caption(shown, sweep, choice),
        "metric",
        draw(shown, styles, width, choice),
        metric_data.table(panels),
        width,
        [metric for metric in (panels.metric, panels.over) if metric],
        panels.points["combination"].unique(maintain_order=True).to_list(),
    )


def caption(panels: Panels, sweep: Sweep, choice: metric_chart.Choice = "auto") -> str:
    """Explain a figure's points and bars, and name the values that it fixes; ``choice`` is the requested scale."""
    metric, points = metrics.METRICS[panels.metric], panels.points
    words = []
    sides = [axis.title for axis in (panels.columns, panels.rows) if axis]
    if sides:
        words.append(f"A panel per {' and '.join(sides)}.")
    if panels.fixed:
        words.append(f"All at {axes.axes_in_words(panels.fixed)}.")
    if panels.tied:
        words.append(f"Along with it change {', '.join(axes.title(name, panels.tied) for name in panels.tied)}.")
    if with_variant := panels.with_variant:
        words.append(f"Each variant has its own {', '.join(axes.title(name, with_variant) for name in with_variant)}.")
    kinds = dict.fromkeys([metric.interval, *([metrics.METRICS[panels.over].interval] if panels.over else [])])
    words.append(_intervals(points, sweep.runs_in_words(), list(kinds)))
    short = points.filter(pl.col("runs") < min(sweep.run_counts()[: sweep.swept], default=0)).height
    if short:
        words.append(f"{_points(short)} from fewer runs than the others, because some failed or are missing.")
    if panels.silent:
        words.append(f"No traffic, and no point, at {panels.axis.title} {', '.join(panels.silent)}.")
    if metric.scope == "flow" and any(Mix.parse(variant).is_mixed for variant in points["variant"].unique()):
        words.append("In a mix, each variant's point is the mean of its own flows.")
    if panels.axis.logarithmic and 0 in panels.axis.values.values():
        words.append("The horizontal axis is logarithmic, with a place for 0.")
    if panels.over:
        return " ".join([*words, *_plane(panels, choice)])
    scale = metric_chart.scale_of(metric, points, choice)
    if scale.kind == "log":
        words.append("The metric's axis is logarithmic.")
    if scale.kind == "symlog":
        words.append("The metric's axis is logarithmic, and linear around 0, because some intervals reach it.")
    if metric_chart.is_cut(scale):
        words.append("The metric's axis does not begin at 0.")
    return " ".join(words)


def _plane(panels: Panels, choice: metric_chart.Choice) -> Iterator[str]:
    """Say in which direction better is, and how the axes are scaled."""
    across, up = metric_plane_chart.scales(panels, choice)
    if metric_plane_chart.is_better_up_left(panels):
        yield "Better is up and to the left."
    for name, scale in (("horizontal", across), ("vertical", up)):
        if scale.kind != "linear":
            yield f"The {name} axis is logarithmic."
        elif metric_chart.is_cut(scale):
            yield f"The {name} axis does not begin at 0."


def _intervals(points: pl.DataFrame, runs: str, intervals: list[str]) -> str:
    """Explain the points and bars, and say how many points have no bar."""
    without = points.filter(pl.col("low").is_null())
    alike = without.filter((pl.col("runs") > 1) & (pl.col("distinct_runs") == 1)).height
    single = without.height - alike
    if without.height == points.height and not alike:
        return "Points are single runs and have no interval."
    if alike == points.height:
        return "Points have no interval: their runs are identical, byte for byte (deterministic)."
    kind = " and ".join(metrics.INTERVALS[interval] for interval in intervals)
    text = f"Points are means of {runs} runs, bars their 95 % confidence intervals ({kind})."
    if alike:
        text += f" {_points(alike)} without a bar: identical runs (deterministic)."
    if single:
        text += f" {_points(single)} without a bar: a single run."
    return text


def _points(count: int) -> str:
    return f"{count} point{'s' * (count > 1)}"
