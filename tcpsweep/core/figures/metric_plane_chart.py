# SPDX-License-Identifier: MIT
"""The static chart of a metric over another metric, such as throughput over delay: a mark for each variant.

Each mark is at both means and has both intervals. Where less is better across and more is better upwards, the title
of the horizontal axis says that better is up and to the left.
"""

from __future__ import annotations

import polars as pl

from tcpsweep.core.figures import charts, metric_chart, paper_chart, plot_scales
from tcpsweep.core.figures.charts import VegaLite
from tcpsweep.core.figures.metric_data import Panels
from tcpsweep.core.figures.plot_scales import Scale
from tcpsweep.core.figures.series_styles import Styles
from tcpsweep.core.words import metrics
from tcpsweep.core.words.metrics import Metric

_FROM_ZERO = 0.3  # an axis begins at 0 where the least value is at most this share of the largest


def chart(panels: Panels, styles: Styles, width: float, choice: metric_chart.Choice = "auto") -> VegaLite:
    """A metric over another one, ``over``, with a panel for each value of the axes of panels, in a width in pixels.

    ``choice`` is the scale of the vertical axis.
    """
    present = set(panels.points["series"].to_list())
    series = [name for name in styles if name in present]
    facets = metric_chart.facets_of(panels, width)
    height = 170.0 if facets is None else min(140.0, max(90.0, 0.8 * width / facets.across))
    x_scale, y_scale = scales(panels, choice)
    title = metric_chart.head(metrics.METRICS[panels.metric])
    room = paper_chart.room(width, paper_chart.extent_of_numbers(y_scale), title, height, facets)
    x_title = f"{panels.axis.head} (← better)" if is_better_up_left(panels) else panels.axis.head
    slots = {
        **paper_chart.size(room.panel, height),
        **paper_chart.level_axis(x_scale, x_title, 7, padding=6),
        **paper_chart.upward_axis(y_scale, room, height, padding=6),
        **paper_chart.of_series(styles, series, paper_chart.legend_below(series, room.legend)),
    }
    tables = {"points": panels.points, **paper_chart.cut_signs(x_scale, y_scale)}
    return metric_chart.whole(charts.kind("metric over metric"), panels, facets, slots, **tables)


def is_better_up_left(panels: Panels) -> bool:
    """Whether less is better across, and more is better upwards."""
    return metrics.METRICS[panels.over].better == "lower" and metrics.METRICS[panels.metric].better == "higher"


def scales(panels: Panels, choice: metric_chart.Choice) -> tuple[Scale, Scale]:
    """The horizontal scale and the vertical one, which hold all means and the whole of their intervals."""
    x_points = panels.points.select(mean="place", low="place_low", high="place_high")
    x_scale = _scale_of(metrics.METRICS[panels.over], x_points, "auto")
    return x_scale, _scale_of(metrics.METRICS[panels.metric], panels.points, choice)


def _scale_of(metric: Metric, points: pl.DataFrame, choice: metric_chart.Choice) -> Scale:
    ends = [end for name in ("mean", "low", "high") for end in points[name].to_list() if end is not None]
    if choice == "log" or (choice == "auto" and metric_chart.is_wide(metric, points["mean"])):
        return plot_scales.logarithmic(ends)
    least, largest = min(ends), max(ends)
    return plot_scales.around(least, largest, zero=least <= _FROM_ZERO * largest)
