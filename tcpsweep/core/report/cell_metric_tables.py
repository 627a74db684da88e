# SPDX-License-Identifier: MIT
"""The tables with a cell's metrics on its page, the most common ones first."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import polars as pl

from tcpsweep.core.figures import cell_timeline_data
from tcpsweep.core.words import metrics, traffic_metrics
from tcpsweep.core.words.metrics import Metric


class Row(NamedTuple):
    """A metric: its title, its unit, its values as texts, its formula, and whether it is a headline one."""

    title: str
    unit: str
    texts: list[str]
    formula: str
    first: bool


class Table(NamedTuple):
    """Metrics of several flows or links: their names, and rows with a text for each of them."""

    names: list[str]
    rows: list[Row]


def network(measures: pl.DataFrame, headline: Iterable[str] | None) -> list[Row]:
    """The metrics of the network, and of variants as a whole; ``headline`` metrics first, None for the usual ones."""
    values_by_metric: dict[str, list[tuple[str | None, float]]] = {}
    for flow, variant, name, value in _measured_values(measures):
        if flow is None:
            values_by_metric.setdefault(name, []).append((variant, value))
    return [
        _row(metric, [value], first, f"{metric.title}, {variant}" if variant else metric.title)
        for name, metric, first in _headline_first(values_by_metric, headline)
        for variant, value in values_by_metric[name]
    ]


def flows(
    measures: pl.DataFrame, flows: pl.DataFrame, headline: Iterable[str] | None, printed: Mapping[str, str]
) -> Table:
    """The metrics of the flows; ``printed`` are variants' names for print."""
    label_by_flow = dict(zip(flows["flow"], cell_timeline_data.labels(flows, printed), strict=True))
    value_by_key = {(flow, name): value for flow, _, name, value in _measured_values(measures) if flow is not None}
    measured = {flow for flow, _ in value_by_key}
    flow_numbers = [flow for flow in label_by_flow if flow in measured]
    rows = [
        _row(metric, [value_by_key.get((flow, name)) for flow in flow_numbers], first)
        for name, metric, first in _headline_first({metric for _, metric in value_by_key}, headline)
    ]
    return Table([label_by_flow[flow] for flow in flow_numbers], rows)


def links(measures: pl.DataFrame) -> Table:
    """The metrics of links, which are named with their directions."""
    of_links = measures.filter(pl.col("link").is_not_null())
    rows = of_links.select("link", "direction", "metric", "value").iter_rows()
    value_by_key = {((link, direction), name): value for link, direction, name, value in rows}
    lanes = list(dict.fromkeys(lane for lane, _ in value_by_key))
    metric_names = {metric for _, metric in value_by_key} - ({"binds"} if len(lanes) == 1 else set())
    shown = [
        _row(metric, [value_by_key.get((lane, name)) for lane in lanes], True)
        for name, metric, _ in _headline_first(metric_names, ["binds", "utilisation"])
    ]
    names = [link if direction == "forward" else f"{link}, reverse" for link, direction in lanes]
    return Table(names, shown)


def traffic(measures: pl.DataFrame) -> list[tuple[str, list[Row]]]:
    """Each group of traffic with its metrics, which have one text each."""
    groups = []
    of_traffic = measures.filter(pl.col("traffic").is_not_null())
    for (group,), rows_of_group in of_traffic.partition_by("traffic", as_dict=True, maintain_order=True).items():
        value_by_metric = dict(rows_of_group.select(pl.col("metric").cast(pl.String), "value").iter_rows())
        rows = [
            _row(metric, [value_by_metric[name]], first)
            for name, metric, first in _headline_first(value_by_metric, traffic_metrics.first_metrics(value_by_metric))
        ]
        groups.append((str(group), rows))
    return groups


def _measured_values(measures: pl.DataFrame) -> list[tuple[int | None, str | None, str, float]]:
    """Flow, variant, metric and value of each row about flows or the whole network, not about a link or traffic."""
    shown = measures.filter(pl.col("link").is_null(), pl.col("traffic").is_null())
    return shown.select("flow", "variant", "metric", "value").rows()


def _headline_first(present: Iterable[str], headline: Iterable[str] | None) -> list[tuple[str, Metric, bool]]:
    """The metrics that are present: name, metric, and whether it is a headline metric; these come first."""
    present_names = set(present)
    first = metrics.headline(present_names, headline)
    rest = {name: metric for name, metric in metrics.METRICS.items() if name in present_names and name not in first}
    return [(name, metric, name in first) for name, metric in (first | rest).items()]


def _row(metric: Metric, values: Iterable[float | None], first: bool, title: str = "") -> Row:
    return Row(
        title or metric.title, metric.shown_unit, [_text(value, metric) for value in values], metric.formula, first
    )


def _text(value: float | None, metric: Metric) -> str:
    if value is None:
        return "–"
    return "∞" if math.isinf(value) else f"{value * metric.scale:.4g}"
