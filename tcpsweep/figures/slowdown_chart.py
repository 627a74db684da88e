# SPDX-License-Identifier: MIT
"""The static chart of the distribution of slowdowns: the share of flows with as much or more, on logarithmic axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from tcpsweep.figures import paper_chart, plot_scales, series_styles
from tcpsweep.figures.chart_look import VegaLite, column, marks
from tcpsweep.figures.series_styles import Styles

Curve = tuple[Sequence[float], Sequence[float]]
HEIGHT = 160.0
_MOST_TICKS = 6


def chart(curves: Mapping[str, Curve], styles: Styles, width: float) -> VegaLite:
    """The curves of some series from `slowdown_distributions`, in a width in pixels."""
    series = [name for name in styles if name in curves and curves[name][0]]
    points = table({name: curves[name] for name in series}).rename({"flow_variant": "series"})
    x = plot_scales.logarithmic(points["slowdown"].to_list(), _MOST_TICKS)
    y = plot_scales.logarithmic(points["share"].to_list(), _MOST_TICKS)
    title = ["share of flows with as much or more"]
    extent = paper_chart.extent_of_numbers(y)
    legend = paper_chart.legend_below(series, paper_chart.room_below(width, extent, title), **paper_chart.STROKES)
    of_lines = series_styles.of_lines({name: styles[name] for name in series})
    encodings = paper_chart.series_encodings(of_lines, series, legend)
    x_options = {"title": "slowdown", "axis": paper_chart.level_axis(x, 1)}
    y_options = {"title": title, "axis": paper_chart.upward_axis(y, extent, HEIGHT)}
    encoding = {
        "x": column("slowdown:Q", scale=paper_chart.scale_of_numbers(x), **x_options),
        "y": column("share:Q", scale=paper_chart.scale_of_numbers(y), **y_options),
        "order": column("slowdown:Q"),
        "color": encodings["color"],
        "strokeDash": encodings["strokeDash"] | {"legend": legend},
    }
    size = {"width": paper_chart.panel_width(width, extent, title), "height": HEIGHT}
    return paper_chart.with_data(marks("line", encoding, paper_chart.POINTS, strokeWidth=1.4) | size, points=points)


def table(curves: Mapping[str, Curve]) -> pl.DataFrame:
    """The curves as a table to write: ``flow_variant``, ``slowdown``, ``share``."""
    rows = [
        (name, value, share)
        for name, (values, shares) in curves.items()
        for value, share in zip(values, shares, strict=True)
    ]
    schema = {"flow_variant": pl.String, "slowdown": pl.Float64, "share": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")
