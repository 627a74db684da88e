# SPDX-License-Identifier: MIT
"""A static figure of a metric against an axis, or over another metric, with its caption and data."""

from __future__ import annotations

from tcpsweep.figures import metric_caption, metric_chart, metric_data, metric_plane_chart, series_styles
from tcpsweep.figures.metric_data import Panels
from tcpsweep.figures.picture_files import Figure
from tcpsweep.sweep import axes
from tcpsweep.sweep.sweep_record import Sweep


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
        metric_caption.caption(shown, sweep, choice),
        "metric",
        draw(shown, styles, width, choice),
        metric_data.table(panels),
        width,
        [metric for metric in (panels.metric, panels.over) if metric],
        panels.points["combination"].unique(maintain_order=True).to_list(),
    )
