# SPDX-License-Identifier: MIT
"""The results of a sweep's traffic: a table for each group, the figures' data, and the overview's first findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import polars as pl

from tcpsweep.core.analysis import traffic_groups
from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.section import Section
from tcpsweep.core.figures.charts import Slots
from tcpsweep.core.report.sections import explorer, finished_runs, score_card, table_texts
from tcpsweep.core.report.sections.results import Results, Row
from tcpsweep.core.report.sections.score_card import Card
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
_LOG: dict[str, Any] = {"type": "log", "nice": False}
_UP = {"y scale": _LOG, "y axis": {"format": ".4~g", "tickCount": 6}}
# Slots of the charts of slowdowns, by the class of sizes and as a distribution.
_SIZES: Slots = {
    "x title": "size of the flows",
    "x axis": {"grid": True, "labelAngle": 0, "labelLimit": 0},
    "y title": "slowdown",
    **_UP,
}
_DISTRIBUTION: Slots = {
    "x title": "slowdown",
    "x scale": _LOG,
    "x axis": {"format": ".4~g", "tickCount": 8},
    "y title": "share of flows with as much or more",
    **_UP,
}


class Group(NamedTuple):
    """A group of traffic, with the table of its means."""

    name: str
    kind: str
    table: Results


@dataclass(frozen=True)
class Traffic:
    """A sweep's traffic, and the data that the page's script draws."""

    groups: list[Group]
    drawn: dict[str, Any] | None  # from `data_of_traffic`


def groups_with_tables(sweep: PlannedSweep, traffic: pl.DataFrame, finished: Sequence[Run]) -> list[Group]:
    """The groups with their tables of the first `table_texts.MOST_ROWS` rows."""
    if traffic.is_empty():
        return []
    axis_by_name, texts, kind_by_group = axes.swept_axes(sweep), sweep.texts, traffic_groups.kinds(sweep)
    network_axes = axes.network_axes(sweep)
    links_by_combination = finished_runs.links(sweep, finished)
    groups = []
    for name, rows in traffic_groups.groups(sweep, traffic):
        metric_names = _shown_metrics(rows)
        row_by_key = {(row["combination"], row["metric"]): row for row in rows.iter_rows(named=True)}
        combinations = sorted(set(rows["combination"].to_list()))
        runs_by_combination = dict(rows.group_by("combination").agg(pl.col("runs").max()).iter_rows())
        rows_of_table = [
            Row(
                combination,
                table_texts.sortable(network_axes, texts[combination]),
                texts[combination]["variant"],
                texts[combination]["variant"],
                str(runs_by_combination[combination]),
                [_text(row_by_key.get((combination, metric))) for metric in metric_names],
                links_by_combination.get(combination, [])[:_MOST_LINKS],
            )
            for combination in combinations[: table_texts.MOST_ROWS]
        ]
        axis_titles = [axes.title(axis, list(axis_by_name)) for axis in network_axes]
        heads = [(metrics.METRICS[metric].title, metrics.METRICS[metric].shown_unit) for metric in metric_names]
        table = Results(axis_titles, heads, rows_of_table, len(combinations) - len(rows_of_table))
        groups.append(Group(name, kind_by_group.get(name, ""), table))
    return groups


def _shown_metrics(rows: pl.DataFrame) -> list[str]:
    """A group's metrics, first the metrics with which tables begin; sizes have a figure of their own."""
    without_sizes = {each for each in rows["metric"] if not each.endswith(tuple(size_classes.BYTES))}
    first = traffic_metrics.first_metrics(without_sizes)
    return [*first, *(each for each in metrics.METRICS if each in without_sizes and each not in first)]


def _text(row: Mapping[str, Any] | None) -> tuple[str, str]:
    """A mean and its interval, as texts; ∞ and the number of runs with an infinite value if there are any."""
    if row is None:
        return "–", ""
    if row["infinite_runs"]:
        return INFINITE, f"in {row['infinite_runs']} of {row['runs']} runs"
    mean, _, interval = table_texts.mean_and_interval(row).partition(" ")
    return mean, interval


def card(results: SweepResults) -> Card | None:
    """The score card with the columns of all groups, where there are no flows; None elsewhere."""
    if not results.begins_with_traffic:
        return None
    sweep, traffic = results.swept, results.table("traffic")
    effects = results.table("traffic_effects", {"traffic": pl.String})
    groups, texts = traffic_groups.groups(sweep, traffic), sweep.texts
    most_of_group = max(1, MOST_COLUMNS // max(1, len(groups)))
    first_metrics = {name: traffic_metrics.first_metrics(set(rows["metric"]))[:most_of_group] for name, rows in groups}
    columns = [(name, each) for name in first_metrics for each in first_metrics[name]][:MOST_COLUMNS]
    cards = {}
    for name, rows in groups:
        own_rows = effects if effects.is_empty() else effects.filter(pl.col("traffic") == name)
        cards[name] = score_card.card(sweep, rows, own_rows, [each for group, each in columns if group == name])
    lines = list(dict.fromkeys((row.variant, row.about) for group_card in cards.values() for row in group_card.rows))
    shown_variants = [group_card.reference for group_card in cards.values() if group_card.reference][:1]
    shown_variants = shown_variants or list(dict.fromkeys(row["variant"] for row in texts))
    mean_axes = {} if lines else {column: _axis_of_means(traffic, *column) for column in columns}
    means = []
    for variant in shown_variants:
        numbers = [number for number, row in enumerate(texts) if row["variant"] == variant]
        own_rows = traffic.filter(pl.col("combination").is_in(numbers))
        means.append((variant, [_mean(own_rows, *column, mean_axes.get(column)) for column in columns]))
    links = [traffic_findings.link(name, each) for name, each in columns]
    return Card(
        metrics=[(each, _head(name, each), link) for (name, each), link in zip(columns, links, strict=True)],
        cell_links=links,
        rows=[score_card.Row(*line, [_cell_of(cards[name], line, each) for name, each in columns]) for line in lines],
        reference=shown_variants[0] if lines else None,
        means=means,
        axes=[mean_axes.get(column) for column in columns],
        constant=[],
        width=max((group_card.width for group_card in cards.values()), default=0),
        height=score_card.HEIGHT,
        longest=score_card.longest_name(row["variant"] for row in texts),
        networks=next((group_card.networks for group_card in cards.values() if group_card.networks), []),
    )


def _head(name: str, metric: str) -> str:
    return f"{name}: {capitals.uncapitalised(metrics.METRICS[metric].title)}"


def _cell_of(card: Card, line: tuple[str, Any], name: str) -> score_card.Cell | None:
    """A variant's cell in a column of a group's card."""
    metric_names = [metric for metric, *_ in card.metrics]
    row = next((row for row in card.rows if (row.variant, row.about) == line), None)
    return row.cells[metric_names.index(name)] if row and name in metric_names else None


def _metric_rows(traffic: pl.DataFrame, group: str, name: str) -> pl.DataFrame:
    return traffic.filter(pl.col("traffic") == group, pl.col("metric") == name)


def _axis_of_means(traffic: pl.DataFrame, group: str, name: str) -> Axis:
    return score_card.axis_of_means(_metric_rows(traffic, group, name), name, metrics.METRICS[name])


def _mean(own: pl.DataFrame, group: str, name: str, axis: Axis | None) -> score_card.Mean:
    """A variant's mean or means; ∞ where a run has no finite value."""
    rows, metric = _metric_rows(own, group, name), metrics.METRICS[name]
    if rows.is_empty() or not rows["infinite_runs"].sum():
        return score_card.mean_of(rows, metric, axis)
    known_means = rows["mean"].drop_nulls().to_list()
    end_texts = [rounding.significant(min(known_means) * metric.scale)] if known_means else []
    return score_card.Mean(f"{'–'.join([*end_texts, INFINITE])} {metric.shown_unit}".rstrip())


def data_of_traffic(sweep: PlannedSweep, traffic: pl.DataFrame, finished: Sequence[Run]) -> dict[str, Any] | None:
    """The data that the page's script draws; None without traffic, or with too much of it.

    - ``groups``, each with ``name``, ``kind``, its ``metrics`` in their order, ``axis``, which the figure begins with,
      or None, ``points``: of each metric and of each percentile in a class of sizes, rows of combination, mean, low,
      high, runs and runs that are infinite
    - ``curves``, by the combination's number, from `slowdown_distributions`
    - ``metrics``, in words
    - ``ranks`` and ``sizes``, in words
    - ``slots`` of the charts of sizes and of distributions
    """
    if traffic.is_empty() or traffic.height > MOST_VALUES:
        return None
    kind_by_group = traffic_groups.kinds(sweep)
    runs_by_combination = finished_runs.by_combination(sweep, finished)
    curves_by_group: dict[str, dict[int, Any]] = {}
    if "arrivals" in kind_by_group.values():
        for combination in sorted(runs_by_combination)[:MOST_CURVES]:
            for name, curve in slowdown_distributions.curves(sweep, runs_by_combination[combination]).items():
                curves_by_group.setdefault(name, {})[combination] = curve
    groups, shown_metrics = [], set()
    for name, rows in traffic_groups.groups(sweep, traffic):
        present = set(rows["metric"])
        shown = _shown_metrics(rows)
        shown_metrics |= {*shown}
        sized = [f"slowdown_{rank}_{size}" for rank in traffic_figures.RANKS for size in size_classes.BYTES]
        groups.append(
            {
                "name": name,
                "kind": kind_by_group.get(name, ""),
                "metrics": shown,
                "axis": _first_axis(sweep, name),
                "points": {each: _points(rows, each) for each in [*shown, *sized] if each in present},
                "curves": curves_by_group.get(name, {}),
            }
        )
    return {
        "groups": groups,
        "metrics": {name: explorer.described(name, False) for name in metrics.METRICS if name in shown_metrics},
        "ranks": traffic_figures.RANKS,
        "sizes": size_classes.WORDS,
        "slots": {"sizes": _SIZES, "distribution": _DISTRIBUTION},
    }


def _first_axis(sweep: PlannedSweep, name: str) -> str | None:
    """The axis that a group's figure begins with: a numeric axis of its own, hosts first, else another numeric axis.

    Without a numeric axis it is any other one, the variant last.
    """
    axis_by_name = axes.variant_and_network_axes(sweep)
    own_axes = [
        each for each in axis_by_name if each.startswith(f"network.traffic.{name}.") and axis_by_name[each].numeric
    ]
    own_axes.sort(key=lambda each: not each.endswith(".hosts"))
    numeric_axes = [each for each, axis in axis_by_name.items() if axis.numeric]
    other_axes = [each for each in axis_by_name if each != "variant"]
    return next(iter([*own_axes, *numeric_axes, *other_axes, *axis_by_name]), None)


def _points(rows: pl.DataFrame, name: str) -> list[list[Any]]:
    """A metric's points, as `data_of_traffic` says, in the metric's shown unit."""
    scale = metrics.METRICS[name].scale
    metric_rows = rows.filter(pl.col("metric") == name)
    found = []
    for combination, mean, low, high, runs, infinite in metric_rows.select(
        "combination", "mean", "low", "high", "runs", "infinite_runs"
    ).iter_rows():
        mean_and_ends = (mean, table_texts.lower_end(name, mean, low), high)
        shown_values = [None if value is None else float(f"{value * scale:.5g}") for value in mean_and_ends]
        found.append([combination, *shown_values, runs, infinite])
    return found


def _traffic(results: SweepResults) -> Traffic | None:
    """The section's contents; None without traffic."""
    swept, traffic, finished = results.swept, results.table("traffic"), results.finished
    drawn = data_of_traffic(swept, traffic, finished) if results.is_interactive else None
    groups = groups_with_tables(swept, traffic, finished)
    return Traffic(groups, drawn) if groups else None


SECTION = Section(
    "traffic",
    "features/traffic/report/traffic.html.jinja",
    lambda results: None if results.begins_with_traffic else _traffic(results),
    heading="Traffic",
    script="features/traffic/report/traffic.js",
    script_data=lambda traffic: {"traffic": traffic.drawn} if traffic.drawn else {},
)
LEADING = replace(SECTION, data=lambda results: _traffic(results) if results.begins_with_traffic else None)
