# SPDX-License-Identifier: MIT
"""A metric's forest plot: its differences between two sweeps with their intervals, a row for each case."""

from collections.abc import Iterator, Sequence
from typing import Any

import altair as alt
import polars as pl

from tcpsweep.applications.comparison import comparison_words, differences
from tcpsweep.figures import chart_look, picture_files
from tcpsweep.words import metrics

MOST_ROWS, ROW_HEIGHT, WIDTH = 40, 16, 300
# Show the finding by shape as well as colour.
MARKS = {
    "higher": ("triangle-right", "#b3490a"),
    "lower": ("triangle-left", "#0b5cad"),
    "the same": ("diamond", "#5b6068"),
    "undecided": ("circle", "#666666"),
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
    text = "B − A: points are differences of means, bars the intervals that the findings follow from, corrected."
    return text if shown == all_rows else f"{text} The {shown} of {all_rows} cases with the least p."


def _chart(rows: pl.DataFrame, metric: metrics.Metric, names: Sequence[str]) -> dict[str, Any]:
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
    legend = alt.Legend(orient="bottom", columns=2, offset=6)
    colour = alt.Color("finding:N", scale=alt.Scale(domain=there, range=colours), legend=legend)
    shape = alt.Shape("finding:N", scale=alt.Scale(domain=there, range=shapes), legend=legend)
    unit = f" [{metric.shown_unit}]" if metric.shown_unit else ""
    x: dict[str, Any] = {"title": f"{metric.title}, difference{unit}", "scale": alt.Scale(zero=True)}
    base = alt.Chart(alt.NamedData("points")).encode(
        y=alt.Y("case:N", sort=labels, title=None, axis=alt.Axis(labelLimit=0, grid=True)), color=colour
    )
    zero = alt.Chart(alt.NamedData("zero")).mark_rule(color="#222", strokeWidth=1).encode(x="at:Q")
    layers = [
        zero,
        base.mark_rule(strokeWidth=1.4).encode(x=alt.X("holm_low:Q", **x), x2="holm_high:Q"),
        base.mark_point(filled=True, size=50, opacity=1).encode(x=alt.X("difference:Q", **x), shape=shape),
    ]
    chart = alt.layer(*layers).properties(width=WIDTH, height=ROW_HEIGHT * len(set(labels)))
    datasets = {"points": points.to_dicts(), "zero": [{"at": 0}]}
    return chart.to_dict(validate=False) | {"config": chart_look.LOOK, "datasets": datasets}
