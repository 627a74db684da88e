# SPDX-License-Identifier: MIT
"""The drawings of custom topologies, for each combination with the loads of its links, and the table of links."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import polars as pl

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.section import Section
from tcpsweep.core.report import network_drawing, page_parts
from tcpsweep.core.report.network_drawing import Drawing
from tcpsweep.core.report.network_groups import Lane
from tcpsweep.core.report.sections import finished_runs, table_texts
from tcpsweep.core.sweep import axes, network_graph
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.sweep_record import PlannedSweep, Run
from tcpsweep.core.words import dotted_names, metrics

MOST_VALUES = 100_000  # some hundred kilobytes of the page

_SHOWN = (
    *("binds", "utilisation", "network_queueing_delay_mean_s", "queue_mean_packets"),
    *("congestion_loss", "random_loss", "ecn_marks"),
)
_KEY = ["combination", "link", "direction"]


def drawn_networks(sweep: PlannedSweep, links: pl.DataFrame, finished: Sequence[Run]) -> dict[str, Any] | None:
    """The data with which the page's script draws networks, for combinations with a finished run; None without any.

    - ``axes``, each with ``name``, ``title`` and ``values``
    - ``metrics``, from `network_drawing.shown_metrics`
    - ``graphs``, as `network_drawing.Drawing` has them
    - ``combinations``, each with ``at``, the positions of its values on the axes, the number of its ``graph``, the
      ``variants`` of its groups of flows, ``loads`` from `network_drawing.loads`, and its runs with their ``cells``
    - ``pages``, the prefix of a cell's id in the link to its page, or None
    """
    runs = finished_runs.by_combination(sweep, finished)
    means_by_lane = _means_by_lane(links)
    texts, axis_by_name = sweep.texts, axes.variant_and_network_axes(sweep)
    texts_by_axis = {name: list(dict.fromkeys(row[name] for row in texts)) for name in axis_by_name}
    number_by_graph: dict[str, int] = {}
    drawing_by_structure: dict[str, Drawing | None] = {}
    combinations: list[dict[str, Any]] = []
    values_left = MOST_VALUES
    for combination, repetitions in sorted(runs.items()):
        row = sweep.combinations[combination]
        if not network_graph.has_named_parts(row):
            continue
        structure = json.dumps(
            {name: row[name] for name in row if _changes_structure(name)} | {"ecmp": row.get("ecmp")}
        )
        if structure not in drawing_by_structure:
            drawing_by_structure[structure] = _drawing(sweep, row, repetitions[0])
        drawing = drawing_by_structure[structure]
        values_left -= 0 if drawing is None else len(drawing.lanes)
        if drawing is None or values_left < 0:
            continue
        shown = json.dumps(drawing.shown)
        combinations.append(
            {
                "at": [texts_by_axis[name].index(texts[combination][name]) for name in axis_by_name],
                "graph": number_by_graph.setdefault(shown, len(number_by_graph)),
                "variants": network_drawing.variants(row, drawing),
                "loads": network_drawing.loads(drawing, means_by_lane.get(combination, {})),
                "cells": [[run.run, run.cell] for run in repetitions],
            }
        )
    if not combinations:
        return None
    return {
        "axes": [
            {"name": name, "title": axis.title, "values": texts_by_axis[name]} for name, axis in axis_by_name.items()
        ],
        "metrics": network_drawing.shown_metrics([entry["loads"] for entry in combinations]),
        "graphs": [json.loads(text) for text in number_by_graph],
        "combinations": combinations,
        "pages": page_parts.folder_of_cells(sweep),
    }


def _changes_structure(name: str) -> bool:
    """Whether a parameter changes more of the drawing than its numbers."""
    return name.startswith(dotted_names.PREFIX) and not dotted_names.is_variant(name)


def _drawing(sweep: PlannedSweep, row: Combination, run: Run) -> Drawing | None:
    """The drawing of a run's network; None after an error, because a page without a drawing is better than no page."""
    try:
        record = json.loads((sweep.parquet(run.cell) / "run.json").read_text(encoding="utf-8"))
        return network_drawing.drawing(row, record)
    except (OSError, ValueError, KeyError):
        return None


def _means_by_lane(links: pl.DataFrame) -> dict[int, dict[Lane, dict[str, float]]]:
    """The means of each combination's links."""
    means: dict[int, dict[Lane, dict[str, float]]] = {}
    if not links.is_empty():
        shown = pl.col("metric").cast(pl.String).is_in(network_drawing.SHOWN) & pl.col("mean").is_not_null()
        rows = links.filter(shown).select("combination", "link", "direction", "metric", "mean")
        for combination, link, direction, name, mean in rows.iter_rows():
            means.setdefault(combination, {}).setdefault((link, direction), {})[name] = mean
    return means


class _LinkRow(NamedTuple):  # the means of a link's direction in a combination, as texts
    where: str
    link: str
    direction: str
    means: list[str]


@dataclass(frozen=True)
class LinkTable:
    """The sweep's table of links."""

    metrics: list[tuple[str, str]]  # titles and units
    rows: list[_LinkRow]
    more: int  # rows that are left out


def table_of_links(sweep: PlannedSweep, links: pl.DataFrame) -> LinkTable:
    """The sweep's table of links with its first `table_texts.MOST_ROWS` rows."""
    if links.is_empty():
        return LinkTable([], [], 0)
    texts, measured = axes.variant_and_network_texts(sweep), set(links["metric"])
    # That nothing was marked or lost by chance on any link goes without saying.
    nonzero = set(links.filter(pl.col("mean") > 0)["metric"])
    silent = {"random_loss", "ecn_marks"} - nonzero
    lanes = links.select(_KEY).unique(maintain_order=True)
    if not lanes["combination"].is_duplicated().any():
        silent.add("binds")  # as does that the only link does
    shown = [name for name in _SHOWN if name in measured - silent]
    first_lanes = lanes.head(table_texts.MOST_ROWS)
    shown_means = links.filter(pl.col("metric").is_in(shown)).join(first_lanes, on=_KEY, how="semi")
    text_by_key = {
        (*(row[name] for name in _KEY), row["metric"]): table_texts.mean_and_interval(row)
        for row in shown_means.iter_rows(named=True)
    }
    rows = [
        _LinkRow(
            axes.axes_in_words(texts[combination]),
            link,
            direction,
            [text_by_key.get((combination, link, direction, name), "–") for name in shown],
        )
        for combination, link, direction in first_lanes.rows()
    ]
    heads = [(metrics.METRICS[name].title, metrics.METRICS[name].shown_unit) for name in shown]
    return LinkTable(heads, rows, lanes.height - len(rows))


@dataclass(frozen=True)
class Links:
    """The table of links, and the data with which the page's script draws networks, if any is drawn."""

    table: LinkTable
    drawn: dict[str, Any] | None


def _links(results: SweepResults) -> Links | None:
    swept, means = results.swept, results.table("links")
    links = Links(table_of_links(swept, means), drawn_networks(swept, means, results.finished))
    return links if links.table.rows or links.drawn else None


SECTION = Section(
    "links",
    "report/links.html.jinja",
    _links,
    heading="Links",
    script_data=lambda links: {"networks": links.drawn},
)
FIRST = Section("links_first", "report/links.html.jinja", lambda results: True)
