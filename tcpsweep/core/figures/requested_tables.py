# SPDX-License-Identifier: MIT
"""The tables that a sweep file asks for: their numbers as CSV, and as LaTeX for people to read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from tcpsweep.core.sweep import axes, matching
from tcpsweep.core.sweep.requests import TableRequest
from tcpsweep.core.sweep.sweep_record import Sweep, value_text
from tcpsweep.core.words import markup, metrics, rounding, spreadsheet_text

FORMATS = ("csv", "tex")
INDEX = "tables.json"


@dataclass(frozen=True)
class Table:
    """A table."""

    name: str  # of its files
    title: str
    caption: str
    heads: list[str]  # with units in brackets
    rows: list[list[str]]  # as people read them
    words: list[bool]  # which columns hold words
    # The same rows as numbers: for each metric its mean in its shown unit and, with intervals, ``low`` and ``high``.
    numbers: pl.DataFrame
    metrics: list[str]  # that it shows, and in which combinations
    combinations: list[int]


def requested_table(sweep: Sweep, summary: pl.DataFrame, request: TableRequest, name: str) -> Table | None:
    """A table that the sweep file asks for, from the table `summary`; None if no mean is there.

    A variant in a mix has a row of its own, unless all metrics are of the whole network. ``name`` is the
    name of its files.
    """
    shown = {column: metrics.METRICS[column] for column in request.columns if column in metrics.METRICS}
    values = summary.filter(pl.col("metric").is_in(list(shown)) & pl.col("mean").is_not_null())
    means_by_key = {tuple(row[:3]): row[3:] for row in values.select(*_MEAN_KEY, "mean", "low", "high").iter_rows()}
    runs_by_combination = dict(summary.group_by("combination").agg(pl.col("runs").max()).iter_rows())
    by_variant = any(metric.by_variant for metric in shown.values())
    text_rows, number_rows, combinations = [], [], []
    names = axes.names_for_print(sweep)
    for combination, row in enumerate(sweep.own):
        if combination not in runs_by_combination or not matching.is_met(request.where, row):
            continue
        mix = row.mix
        for flow_variant in mix.variants if by_variant else [None]:
            texts, numbers = _row(request, shown, row, flow_variant, combination, means_by_key, names)
            combinations.append(combination)
            text_rows.append(texts)
            number_rows.append(numbers)
    if not number_rows or not values.height:
        return None
    heads = [_head(column, sweep) for column in request.columns]
    is_words = [column not in shown for column in request.columns]
    caption = _caption(
        sweep, request, shown, {runs_by_combination[key] for key in runs_by_combination if key < sweep.swept}
    )
    table = pl.DataFrame(number_rows, infer_schema_length=None)
    return Table(
        name, request.title, caption, heads, text_rows, is_words, table, [*shown], list(dict.fromkeys(combinations))
    )


_MEAN_KEY = ("combination", "flow_variant", "metric")


def _row(
    request: TableRequest,
    shown: dict[str, metrics.Metric],
    row: matching.Combination,
    flow_variant: str | None,
    combination: int,
    means_by_key: dict[tuple[Any, ...], tuple[Any, ...]],
    names: Mapping[str, str],
) -> tuple[list[str], dict[str, Any]]:
    """A row as texts, with the variants' ``names`` for print, and as numbers."""
    texts: list[str] = []
    numbers: dict[str, Any] = {}
    for column in request.columns:
        if column not in shown:
            text = axes.series(flow_variant, row.variant) if column == "variant" else value_text(row, column)
            texts.append(names.get(text, text) if column == "variant" else text)
            numbers[column] = text
            continue
        metric = shown[column]
        mean, low, high = means_by_key.get(
            (combination, flow_variant if metric.by_variant else None, column), (None, None, None)
        )
        texts.append(_mean_in_words(request, column, metric, mean, low, high))
        unit = f" [{metric.shown_unit}]" if metric.shown_unit else ""
        ends = {"": mean} | ({" low": low, " high": high} if request.intervals else {})
        numbers |= {
            f"{column}{end}{unit}": None if value is None else value * metric.scale for end, value in ends.items()
        }
    return texts, numbers


def _mean_in_words(
    request: TableRequest,
    column: str,
    metric: metrics.Metric,
    mean: float | None,
    low: float | None,
    high: float | None,
) -> str:
    """A mean, with its interval unless the table goes without."""
    digits = request.digits.get(column)
    if mean is None or digits is None:
        whole = rounding.mean_text(mean, low, high, metric.scale, metric.interval)
        return whole if request.intervals else whole.partition(" ")[0]
    text = f"{mean * metric.scale:.{digits}f}"
    if not request.intervals or low is None or high is None:
        return text
    if metric.interval == "bootstrap":
        return f"{text} [{low * metric.scale:.{digits}f}, {high * metric.scale:.{digits}f}]"
    return f"{text} ± {(high - low) / 2 * metric.scale:.{digits}f}"


def _head(column: str, sweep: Sweep) -> str:
    if metric := metrics.METRICS.get(column):
        return f"{metric.title} [{metric.shown_unit}]" if metric.shown_unit else metric.title
    texts = dict.fromkeys(value_text(row, column) for row in sweep.own)
    _, place_by_text = axes.placed(list(texts))
    # Values that carry their unit, such as 20ms, need none in the head.
    is_plain = not any(text[-1:].isalpha() or isinstance(place, str) for text, place in place_by_text.items())
    unit = sweep.plain_units.get(column, "") if is_plain else ""
    title = axes.title(column, sweep.axes)
    return f"{title} [{unit}]" if unit and unit != "1" else title


def _caption(sweep: Sweep, request: TableRequest, shown: dict[str, metrics.Metric], runs: set[int]) -> str:
    """The values that all rows share, and the meaning of the numbers."""
    rows = [row for row in sweep.own if matching.is_met(request.where, row)]
    names = [name for name in sweep.axes if name not in request.columns]
    common_values = {
        name: value_text(rows[0], name) for name in names if len({value_text(row, name) for row in rows}) == 1
    }
    common_values = {name: text for name, text in common_values.items() if len(sweep.axes[name]) > 1}
    words = [f"All at {axes.axes_in_words(common_values, axes.names_for_print(sweep))}."] if common_values else []
    if runs == {1}:
        return " ".join([*words, "Single runs, without intervals."])
    interval_words = list(dict.fromkeys(metrics.INTERVALS[metric.interval] for metric in shown.values()))
    interval = f", with their 95 % confidence intervals ({' and '.join(interval_words)})" if request.intervals else ""
    return " ".join([*words, f"Means of {max(runs)} runs{interval}."])


def write(table: Table, folder: Path) -> list[str]:
    """Write a table's files to a folder. Returns their names, in the order of `FORMATS`."""
    names = [f"{table.name}.{kind}" for kind in FORMATS]
    spreadsheet_text.harmless(table.numbers).write_csv(folder / names[0])
    tex = markup.table(table.name, table.title, table.caption, table.heads, table.rows, table.words)
    (folder / names[1]).write_text(tex, encoding="utf-8")
    return names
