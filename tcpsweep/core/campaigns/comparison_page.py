# SPDX-License-Identifier: MIT
"""The comparison of two sweeps, written as tables, figures and one page that needs no other file.

A forest plot has the differences of a metric with their intervals, a row for each case.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import polars as pl

from tcpsweep.core.campaigns import comparison_picture, comparison_words, differences, two_sweeps
from tcpsweep.core.campaigns.two_sweeps import Match, Side
from tcpsweep.core.figures import charts, paper_chart, picture_files
from tcpsweep.core.figures.charts import VegaLite
from tcpsweep.core.figures.series_styles import Style
from tcpsweep.core.report import page_libraries, page_parts
from tcpsweep.core.store import layout, removal, whole_files
from tcpsweep.core.store.whole_files import write_whole
from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.sweep_record import UNSET
from tcpsweep.core.words import metrics, rounding, spreadsheet_text, thresholds

FOLDER = layout.RESULTS / "comparisons"
TABLES = ("compare.csv", "compare.parquet")
MOST_ROWS = 100
KINDS = {name: name for name in comparison_picture.FINDINGS} | {
    "same": "equivalent",
    "undecided": "inconclusive",
    "untested": "not tested",
}

_MOST_ROWS, _ROW_HEIGHT, _WIDTH = 40, 16, 300
# Show the finding by shape as well as colour.
_MARKS = {
    "higher": ("triangle-right", "#b3490a"),
    "lower": ("triangle-left", "#0b5cad"),
    "equivalent": ("diamond", "#5b6068"),
    "inconclusive": ("circle", "#666666"),
    "identical": ("square", "#666666"),
    comparison_words.NOT_TESTED: ("cross", "#aaaaaa"),
}


def write(given_a: str, given_b: str, *, whole: bool = False) -> tuple[Path, pl.DataFrame, int, int]:
    """Compare two sweeps, given as for `two_sweeps.read_side`, and write the tables, the figures and the page.

    Returns the page; the table from `differences.differences`; how many cells are identical to the byte, and how many
    both sweeps have. Raises `UserError` and `yaml_document.Mistakes`.
    """
    a, b = (two_sweeps.read_side(given, whole=whole) for given in (given_a, given_b))
    matched = two_sweeps.match(a, b)
    table = differences.differences(a, b, matched)
    alike, cells = two_sweeps.identical(a, b, matched)
    name = f"{a.sweep.name}-{b.sweep.name}"
    folder, page = FOLDER / name, layout.REPORTS / f"compare-{name}.html"
    removal.remove(folder)
    (folder / "figures").mkdir(parents=True)
    figures = list(_forest_plots(table, matched.names))
    for figure in figures:
        picture_files.render(figure, folder / "figures")
    with whole_files.written_whole(folder / "compare.parquet") as file:
        table.write_parquet(file)
    with whole_files.written_whole(folder / "compare.csv") as file:
        spreadsheet_text.harmless(table).write_csv(file)
    write_whole(page, render(a, b, matched, table, (alike, cells), figures, folder, page))
    return page, table, alike, cells


def render(
    a: Side,
    b: Side,
    matched: Match,
    table: pl.DataFrame,
    alike: tuple[int, int],
    figures: Sequence[picture_files.Figure],
    folder: Path,
    page: Path,
) -> str:
    """The page as text; ``alike`` is from `two_sweeps.identical`, the ``figures`` lie in ``folder``."""

    def link(path: str) -> str:
        return quote(os.path.relpath(folder / path, page.parent))

    def links(figure: picture_files.Figure) -> list[tuple[str, str]]:
        return [(kind.upper(), link(f"figures/{figure.name}.{kind}")) for kind in picture_files.FORMATS]

    changed = differences.changed(table)
    shown_rows = differences.surest(changed, MOST_ROWS)
    headline = metrics.headline(metrics.METRICS, b.sweep.headline)
    sentences = comparison_words.verdicts(table)
    pictures = comparison_picture.pictures(table, matched.names)
    contents = {
        "a": a,
        "b": b,
        "matched": matched,
        "alike": alike[0],
        "cells": alike[1],
        "paired": two_sweeps.is_paired(a, b),
        "least_alike": thresholds.LEAST_ALIKE,
        "pictures": pictures,
        "kinds": {kind: says for kind, says in KINDS.items() if any(kind in picture["counts"] for picture in pictures)},
        "sentences": sentences,
        "verdicts": [(metrics.METRICS[name].title, text, name in headline) for name, text in sentences.items()],
        "shown": [shown_row(row, matched.names) for row in shown_rows.iter_rows(named=True)],
        "more": changed.height - shown_rows.height,
        "files": [(name, link(name)) for name in TABLES],
        "figures": {figure.name: links(figure) for figure in figures},
        "left_a": _places(a, matched.only_a, matched.names),
        "left_b": _places(b, matched.only_b, matched.names),
        "data": page_parts.as_json({}),
        "library": None,
        "tables_library": page_libraries.table_library(),
    }
    return page_parts.render("compare/compare.html.jinja", contents)


def shown_row(row: dict[str, Any], names: Iterable[str]) -> dict[str, str]:
    """A row of `differences.differences` with its numbers as text."""
    metric = metrics.METRICS[row["metric"]]
    low, high = (row[name] * metric.scale for name in ("holm_low", "holm_high"))
    return {
        "title": metric.title,
        "unit": metric.shown_unit,
        "case": comparison_words.case(row | {"link": None}, names),
        "link": row["link"] or "",
        "a": rounding.significant(row["mean_a"] * metric.scale, 4),
        "b": rounding.significant(row["mean_b"] * metric.scale, 4),
        "difference": rounding.signed(row["difference"] * metric.scale),
        "interval": f"{rounding.signed(low)} to {rounding.signed(high)}",
        "effect": "–" if row["effect"] is None else f"{rounding.signed(row['effect'] * 100)} %",
        "p": f"{row['beyond_holm']:.2g}",
    }


def _places(side: Side, combinations: Iterable[int], names: Iterable[str]) -> list[str]:
    """Combinations of a side, given by their numbers, in words: their values on the axes."""
    return [axes.axes_in_words({name: side.values[n].get(name, UNSET) for name in names}) for n in combinations]


def _forest_plots(table: pl.DataFrame, names: Sequence[str]) -> Iterator[picture_files.Figure]:
    """A figure for each headline metric in a table from `differences.differences`.

    ``names`` are the parameters and attributes that combinations are matched by.
    """
    for metric_name, metric in metrics.headline(table["metric"]).items():
        rows = table.filter((pl.col("metric") == metric_name) & pl.col("difference").is_not_null())
        if rows.height:
            shown_rows = differences.surest(rows, _MOST_ROWS)
            caption = _caption(rows.height, shown_rows.height)
            yield picture_files.Figure(
                metric_name, metric.title, metric.title, caption, "metric", _chart(shown_rows, metric, names)
            )


def _caption(all_rows: int, shown_rows: int) -> str:
    text = "B − A: points are differences of means, bars the corrected intervals on which the findings are based."
    return text if shown_rows == all_rows else f"{text} The {shown_rows} of {all_rows} cases with the smallest p."


def _chart(rows: pl.DataFrame, metric: metrics.Metric, names: Sequence[str]) -> VegaLite:
    """Differences as Vega-Lite, a row each."""
    labels = [comparison_words.case(row, names) for row in rows.iter_rows(named=True)]
    findings = [comparison_words.label(finding) for finding in rows["finding"]]
    points = rows.select(
        pl.col("difference", "holm_low", "holm_high") * metric.scale,
        case=pl.Series(labels, dtype=pl.String),
        series=pl.Series(findings, dtype=pl.String),
    )
    shown = [name for name in _MARKS if name in findings]
    styles = {name: Style(_MARKS[name][1], _MARKS[name][0], []) for name in shown}
    unit = f" [{metric.shown_unit}]" if metric.shown_unit else ""
    slots = {
        **paper_chart.size(_WIDTH, _ROW_HEIGHT * len(set(labels))),
        **paper_chart.of_series(styles, shown, {"orient": "bottom", "columns": 2, "offset": 6}),
        "x title": f"{metric.title}, difference{unit}",
        "x scale": {"zero": True},
        "cases": labels,
    }
    return charts.filled(charts.kind("differences"), slots, points=points, zero=[{"at": 0}])
