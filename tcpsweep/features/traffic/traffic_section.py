# SPDX-License-Identifier: MIT
"""The results of a sweep's traffic: a table for each group, the figures' data, and the overview's first findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from tcpsweep.core.figures import explorer_charts
from tcpsweep.core.report.sections import explorer, finished_runs, score_card, table_texts
from tcpsweep.core.report.strips import Axis
from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.sweep_record import PlannedSweep, Run
from tcpsweep.core.words import capitals, metrics, rounding, size_classes, traffic_metrics
from tcpsweep.features.traffic import slowdown_distributions, traffic_figures, traffic_findings

MOST_COLUMNS = 8  # of the overview's table
MOST_VALUES = 100_000  # some megabytes of the page
MOST_CURVES = 300
INFINITE = "∞"
_MOST_LINKS = 20


def tables(sweep: PlannedSweep, traffic: pl.DataFrame, finished: Sequence[Run]) -> list[dict[str, Any]]:
    """A table for each group.

    - ``name`` and ``kind`` of the group
    - ``axes`` and ``metrics``, the heads
    - ``rows``, each with ``variant``, ``axes`` (text and place on the axis), ``runs``, ``values`` as texts, and
      ``cells``, runs with their links
    - ``more``, how many rows are left out
    """
    if traffic.is_empty():
        return []
    every, texts, of_kind = axes.swept_axes(sweep), sweep.texts, traffic_findings.kinds(sweep)
    others = axes.network_axes(sweep)
    pages = finished_runs.links(sweep, finished)
    found = []
    for name, rows in traffic_findings.groups(sweep, traffic):
        shown = _shown_metrics(rows)
        values = {(row["combination"], row["metric"]): row for row in rows.iter_rows(named=True)}
        keys = sorted(set(rows["combination"].to_list()))
        runs = dict(rows.group_by("combination").agg(pl.col("runs").max()).iter_rows())
        found.append(
            {
                "name": name,
                "kind": of_kind.get(name, ""),
                "axes": [axes.title(each, list(every)) for each in others],
                "metrics": [(metrics.METRICS[each].title, metrics.METRICS[each].shown_unit) for each in shown],
                "rows": [
                    {
                        "variant": texts[key]["variant"],
                        "axes": table_texts.sortable(others, texts[key]),
                        "runs": runs[key],
                        "values": [_text(values.get((key, each))) for each in shown],
                        "cells": pages.get(key, [])[:_MOST_LINKS],
                    }
                    for key in keys[: table_texts.MOST_ROWS]
                ],
                "more": max(0, len(keys) - table_texts.MOST_ROWS),
            }
        )
    return found


def _shown_metrics(rows: pl.DataFrame) -> list[str]:
    """A group's metrics, first the metrics with which tables begin; sizes have a figure of their own."""
    there = {each for each in rows["metric"] if not each.endswith(tuple(size_classes.BYTES))}
    first = traffic_metrics.first_metrics(there)
    return [*first, *(each for each in metrics.METRICS if each in there and each not in first)]


def _text(row: Mapping[str, Any] | None) -> tuple[str, str]:
    """A mean and its interval, as texts; where some runs have no finite value, their number."""
    if row is None:
        return "–", ""
    if row["infinite_runs"]:
        return INFINITE, f"in {row['infinite_runs']} of {row['runs']} runs"
    mean, _, interval = table_texts.mean_and_interval(row).partition(" ")
    return mean, interval


def lead(sweep: PlannedSweep, traffic: pl.DataFrame, effects: pl.DataFrame) -> dict[str, Any]:
    """The overview's first part where there are no flows: a `score_card.card` with the columns of all groups."""
    groups, texts = traffic_findings.groups(sweep, traffic), sweep.texts
    most = max(1, MOST_COLUMNS // max(1, len(groups)))
    first = {name: traffic_metrics.first_metrics(set(rows["metric"]))[:most] for name, rows in groups}
    columns = [(name, each) for name in first for each in first[name]][:MOST_COLUMNS]
    cards = {}
    for name, rows in groups:
        own = effects if effects.is_empty() else effects.filter(pl.col("traffic") == name)
        cards[name] = score_card.card(sweep, rows, own, [each for of, each in columns if of == name])
    lines = list(dict.fromkeys((row.variant, row.about) for card in cards.values() for row in card["rows"]))
    names = [card["reference"] for card in cards.values() if card["rows"]][:1]
    names = names or list(dict.fromkeys(row["variant"] for row in texts))
    drawn = {} if lines else {column: _axis_of_means(traffic, *column) for column in columns}
    means = []
    for variant in names:
        here = [number for number, row in enumerate(texts) if row["variant"] == variant]
        own = traffic.filter(pl.col("combination").is_in(here))
        means.append((variant, [_mean(own, *column, drawn.get(column)) for column in columns]))
    return {
        "metrics": [(each, _head(name, each), traffic_findings.link(name, each)) for name, each in columns],
        "rows": [
            score_card.Row(*line, [_cell_of(cards[name], line, each) for name, each in columns]) for line in lines
        ],
        "reference": names[0] if lines else None,
        "means": means,
        "axes": [drawn.get(column) for column in columns],
        "constant": [],
        "width": max((card["width"] for card in cards.values()), default=0),
        "height": score_card.HEIGHT,
        "longest": score_card.longest_name(row["variant"] for row in texts),
        "kinds": set().union(*(card["kinds"] for card in cards.values())),
        "has_bars": any(card["has_bars"] for card in cards.values()),
        "touched": any(card["touched"] for card in cards.values()),
        "networks": next((card["networks"] for card in cards.values() if card["networks"]), []),
    }


def _head(name: str, metric: str) -> str:
    return f"{name}: {capitals.uncapitalised(metrics.METRICS[metric].title)}"


def _cell_of(card: dict[str, Any], line: tuple[str, Any], name: str) -> score_card.Cell | None:
    """A variant's cell in a column of a group's card."""
    columns = [metric for metric, *_ in card["metrics"]]
    row = next((row for row in card["rows"] if (row.variant, row.about) == line), None)
    return row.cells[columns.index(name)] if row and name in columns else None


def _of(traffic: pl.DataFrame, group: str, name: str) -> pl.DataFrame:
    return traffic.filter(pl.col("traffic") == group, pl.col("metric") == name)


def _axis_of_means(traffic: pl.DataFrame, group: str, name: str) -> Axis:
    return score_card.axis_of_means(_of(traffic, group, name), name, metrics.METRICS[name])


def _mean(own: pl.DataFrame, group: str, name: str, axis: Axis | None) -> score_card.Mean:
    """A variant's mean or means; ∞ where a run has no finite value."""
    rows, metric = _of(own, group, name), metrics.METRICS[name]
    if rows.is_empty() or not rows["infinite_runs"].sum():
        return score_card.mean_of(rows, metric, axis)
    known = rows["mean"].drop_nulls().to_list()
    ends = [rounding.significant(min(known) * metric.scale)] if known else []
    return score_card.Mean(f"{'–'.join([*ends, INFINITE])} {metric.shown_unit}".rstrip())


def data_of_traffic(sweep: PlannedSweep, traffic: pl.DataFrame, finished: Sequence[Run]) -> dict[str, Any] | None:
    """The data that the page's script draws; None without traffic, or with too much of it.

    - ``groups``, each with ``name``, ``kind``, its ``metrics`` in their order, ``axis``, which the figure begins with,
      or None, ``points``: of each metric and of each percentile in a class of sizes, rows of combination, mean, low,
      high, runs and runs that are infinite
    - ``curves``, by the combination's number, from `slowdown_distributions`
    - ``metrics``, in words
    - ``ranks`` and ``sizes``, in words
    - ``charts``
    """
    if traffic.is_empty() or traffic.height > MOST_VALUES:
        return None
    of_kind = traffic_findings.kinds(sweep)
    runs = finished_runs.by_combination(sweep, finished)
    curves: dict[str, dict[int, Any]] = {}
    if "arrivals" in of_kind.values():
        for combination in sorted(runs)[:MOST_CURVES]:
            for name, curve in slowdown_distributions.curves(sweep, runs[combination]).items():
                curves.setdefault(name, {})[combination] = curve
    groups, named = [], set()
    for name, rows in traffic_findings.groups(sweep, traffic):
        there = set(rows["metric"])
        shown = _shown_metrics(rows)
        named |= {*shown}
        sized = [f"slowdown_{rank}_{size}" for rank in traffic_figures.RANKS for size in size_classes.BYTES]
        groups.append(
            {
                "name": name,
                "kind": of_kind.get(name, ""),
                "metrics": shown,
                "axis": _axis(sweep, name),
                "points": {each: _points(rows, each) for each in [*shown, *sized] if each in there},
                "curves": curves.get(name, {}),
            }
        )
    return {
        "groups": groups,
        "metrics": {name: explorer.described(name, False) for name in metrics.METRICS if name in named},
        "ranks": traffic_figures.RANKS,
        "sizes": size_classes.WORDS,
        "charts": {
            "sizes": explorer_charts.slowdown_by_size(),
            "distribution": explorer_charts.slowdown_distribution(),
        },
    }


def _axis(sweep: PlannedSweep, name: str) -> str | None:
    """A group's most informative axis: an axis of its own, first the number of its hosts, else a numeric axis."""
    every = axes.variant_and_network_axes(sweep)
    own = [each for each in every if each.startswith(f"network.traffic.{name}.") and every[each].numeric]
    own.sort(key=lambda each: not each.endswith(".hosts"))
    numbers = [each for each, axis in every.items() if axis.numeric]
    others = [each for each in every if each != "variant"]
    return next(iter([*own, *numbers, *others, *every]), None)


def _points(rows: pl.DataFrame, name: str) -> list[list[Any]]:
    scale = metrics.METRICS[name].scale
    own = rows.filter(pl.col("metric") == name)
    found = []
    for combination, mean, low, high, runs, infinite in own.select(
        "combination", "mean", "low", "high", "runs", "infinite_runs"
    ).iter_rows():
        known = (mean, table_texts.lower_end(name, mean, low), high)
        ends = [None if value is None else float(f"{value * scale:.5g}") for value in known]
        found.append([combination, *ends, runs, infinite])
    return found
