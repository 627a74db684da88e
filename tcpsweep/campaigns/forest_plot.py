# SPDX-License-Identifier: MIT
"""A metric's forest plot: its differences between two sweeps with their intervals, a row for each case."""

from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl

from tcpsweep.campaigns import comparison_words, differences
from tcpsweep.figures import chart_look, picture_files
from tcpsweep.figures.chart_look import VegaLite, column, marks
from tcpsweep.words import metrics

MOST_ROWS, ROW_HEIGHT, WIDTH = 40, 16, 300
# Show the finding by shape as well as colour.
MARKS = {
    "higher": ("triangle-right", "#b3490a"),
    "lower": ("triangle-left", "#0b5cad"),
    "equivalent": ("diamond", "#5b6068"),
    "inconclusive": ("circle", "#666666"),
    "identical": ("square", "#666666"),
    comparison_words.NOT_TESTED: ("cross", "#aaaaaa"),
}


def forest_plots(table: pl.DataFrame, names: Sequence[str]) -> Iterator[picture_files.Figure]:
    """A figure for each headline metric in a table from `differences.differences`.

    ``names`` are the parameters and attributes that combinations are matched by.
    """
    for name, metric in metrics.headline(table["metric"]).items():
        rows = table.filter((pl.col("metric") == name) & pl.col("difference").is_not_null())
        if rows.height:
            shown = differences.surest(rows, MOST_ROWS)
            caption = _caption(rows.height, shown.height)
            yield picture_files.Figure(
                name, metric.title, metric.title, caption, "metric", _chart(shown, metric, names)
            )


def _caption(all_rows: int, shown: int) -> str:
    text = "B − A: points are differences of means, bars the corrected intervals on which the findings are based."
    return text if shown == all_rows else f"{text} The {shown} of {all_rows} cases with the smallest p."


def _chart(rows: pl.DataFrame, metric: metrics.Metric, names: Sequence[str]) -> VegaLite:
    """Differences as Vega-Lite, a row each."""
    labels = [comparison_words.case(row, names) for row in rows.iter_rows(named=True)]
    findings = [comparison_words.label(finding) for finding in rows["finding"]]
    points = rows.select(
        pl.col("difference", "holm_low", "holm_high") * metric.scale,
        case=pl.Series(labels, dtype=pl.String),
        finding=pl.Series(findings, dtype=pl.String),
    )
    there = [name for name in MARKS if name in findings]
    shapes, colours = ([MARKS[name][i] for name in there] for i in (0, 1))
    legend = {"orient": "bottom", "columns": 2, "offset": 6}
    shape = {"shape": column("finding:N", scale={"domain": there, "range": shapes}, legend=legend)}
    unit = f" [{metric.shown_unit}]" if metric.shown_unit else ""
    x: dict[str, Any] = {"title": f"{metric.title}, difference{unit}", "scale": {"zero": True}}
    base = {
        "y": column("case:N", sort=labels, title=None, axis={"labelLimit": 0, "grid": True}),
        "color": column("finding:N", scale={"domain": there, "range": colours}, legend=legend),
    }
    interval = base | {"x": column("holm_low:Q", **x), "x2": {"field": "holm_high"}}
    difference = base | {"x": column("difference:Q", **x)} | shape
    layers = [
        marks("rule", {"x": column("at:Q")}, {"values": [{"at": 0}]}, color="#222", strokeWidth=1),
        marks("rule", interval, strokeWidth=1.4),
        marks("point", difference, filled=True, size=50, opacity=1),
    ]
    size = {"width": WIDTH, "height": ROW_HEIGHT * len(set(labels))}
    return chart_look.with_data({"data": {"name": "points"}, "layer": layers} | size, points=points)
