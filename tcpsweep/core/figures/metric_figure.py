# SPDX-License-Identifier: MIT
"""A static figure of a metric against an axis, or over another metric, with its caption and data."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from tcpsweep.core.figures import metric_chart, metric_data, metric_plane_chart, plot_scales, series_styles
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
    sentences = []
    panel_titles = [axis.title for axis in (panels.columns, panels.rows) if axis]
    if panel_titles:
        sentences.append(f"A panel per {' and '.join(panel_titles)}.")
    if panels.fixed:
        sentences.append(f"All at {axes.axes_in_words(panels.fixed)}.")
    if panels.tied:
        sentences.append(f"Along with it change {', '.join(axes.title(name, panels.tied) for name in panels.tied)}.")
    if with_variant := panels.with_variant:
        sentences.append(
            f"Each variant has its own {', '.join(axes.title(name, with_variant) for name in with_variant)}."
        )
    kinds = dict.fromkeys([metric.interval, *([metrics.METRICS[panels.over].interval] if panels.over else [])])
    sentences.append(_interval_sentences(points, sweep.runs_in_words(), list(kinds)))
    incomplete = points.filter(pl.col("runs") < min(sweep.run_counts()[: sweep.swept], default=0)).height
    if incomplete:
        sentences.append(
            f"{_points_in_words(incomplete)} from fewer runs than the others, because some failed or are missing."
        )
    if panels.silent:
        sentences.append(f"No traffic, and no point, at {panels.axis.title} {', '.join(panels.silent)}.")
    if metric.scope == "flow" and any(Mix.parse(variant).is_mixed for variant in points["variant"].unique()):
        sentences.append("In a mix, each variant's point is the mean of its own flows.")
    if panels.axis.logarithmic and 0 in panels.axis.values.values():
        sentences.append("The horizontal axis is logarithmic, with a place for 0.")
    if panels.over:
        return " ".join([*sentences, *_plane_sentences(panels, choice)])
    scale = metric_chart.scale_of(metric, points, choice)
    if scale.kind == "log":
        sentences.append("The metric's axis is logarithmic.")
    if scale.kind == "symlog":
        sentences.append("The metric's axis is logarithmic, and linear around 0, because some intervals reach it.")
    if plot_scales.is_cut(scale):
        sentences.append("The metric's axis does not begin at 0.")
    return " ".join(sentences)


def _plane_sentences(panels: Panels, choice: metric_chart.Choice) -> Iterator[str]:
    """Say in which direction better is, and how the axes are scaled."""
    across, up = metric_plane_chart.scales(panels, choice)
    if metric_plane_chart.is_better_up_left(panels):
        yield "Better is up and to the left."
    for name, scale in (("horizontal", across), ("vertical", up)):
        if scale.kind != "linear":
            yield f"The {name} axis is logarithmic."
        elif plot_scales.is_cut(scale):
            yield f"The {name} axis does not begin at 0."


def _interval_sentences(points: pl.DataFrame, runs: str, intervals: list[str]) -> str:
    """Explain the points and bars, and say how many points have no bar."""
    unbarred = points.filter(pl.col("low").is_null())
    identical = unbarred.filter((pl.col("runs") > 1) & (pl.col("distinct_runs") == 1)).height
    singles = unbarred.height - identical
    if unbarred.height == points.height and not identical:
        return "Points are single runs and have no interval."
    if identical == points.height:
        return "Points have no interval: their runs are identical, byte for byte (deterministic)."
    kind = " and ".join(metrics.INTERVALS[interval] for interval in intervals)
    text = f"Points are means of {runs} runs, bars their 95 % confidence intervals ({kind})."
    if identical:
        text += f" {_points_in_words(identical)} without a bar: identical runs (deterministic)."
    if singles:
        text += f" {_points_in_words(singles)} without a bar: a single run."
    return text


def _points_in_words(count: int) -> str:
    return f"{count} point{'s' * (count > 1)}"
