# SPDX-License-Identifier: MIT
"""The drawings of custom topologies, for each combination with the loads of its links, and the table of links."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import polars as pl

from tcpsweep.core.report import network_drawing, page_parts
from tcpsweep.core.report.network_drawing import Drawing
from tcpsweep.core.report.network_groups import Lane
from tcpsweep.core.report.sections import finished_runs, table_texts
from tcpsweep.core.sweep import axes, network_graph
from tcpsweep.core.sweep.matching import Settings
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
    values = _values(links)
    texts, every = sweep.texts, axes.variant_and_network_axes(sweep)
    swept = {name: list(dict.fromkeys(row[name] for row in texts)) for name in every}
    graphs: dict[str, int] = {}
    drawings: dict[str, Drawing | None] = {}
    combinations: list[dict[str, Any]] = []
    room = MOST_VALUES
    for combination, repetitions in sorted(runs.items()):
        row = sweep.combinations[combination]
        if not network_graph.is_described(row):
            continue
        alike = json.dumps({name: row[name] for name in row if _matters(name)} | {"ecmp": row.get("ecmp")})
        if alike not in drawings:
            drawings[alike] = _drawing(sweep, row, repetitions[0])
        drawing = drawings[alike]
        room -= 0 if drawing is None else len(drawing.lanes)
        if drawing is None or room < 0:
            continue
        graph = json.dumps(drawing.shown)
        combinations.append(
            {
                "at": [swept[name].index(texts[combination][name]) for name in every],
                "graph": graphs.setdefault(graph, len(graphs)),
                "variants": network_drawing.variants(row, drawing),
                "loads": network_drawing.loads(drawing, values.get(combination, {})),
                "cells": [[run.run, run.cell] for run in repetitions],
            }
        )
    if not combinations:
        return None
    return {
        "axes": [{"name": name, "title": axis.title, "values": swept[name]} for name, axis in every.items()],
        "metrics": network_drawing.shown_metrics([entry["loads"] for entry in combinations]),
        "graphs": [json.loads(text) for text in graphs],
        "combinations": combinations,
        "pages": page_parts.folder_of_cells(sweep),
    }


def _matters(name: str) -> bool:
    """Whether a parameter changes more of the drawing than its numbers."""
    return name.startswith(dotted_names.PREFIX) and not dotted_names.is_variant(name)


def _drawing(sweep: PlannedSweep, row: Settings, run: Run) -> Drawing | None:
    """The drawing of a run's network; None after an error, because a page without a drawing is better than no page."""
    try:
        record = json.loads((sweep.parquet(run.cell) / "run.json").read_text(encoding="utf-8"))
        return network_drawing.drawing(row, record)
    except (OSError, ValueError, KeyError):
        return None


def _values(links: pl.DataFrame) -> dict[int, dict[Lane, dict[str, float]]]:
    """The means of each combination's links."""
    means: dict[int, dict[Lane, dict[str, float]]] = {}
    if not links.is_empty():
        shown = pl.col("metric").cast(pl.String).is_in(network_drawing.SHOWN) & pl.col("mean").is_not_null()
        rows = links.filter(shown).select("combination", "link", "direction", "metric", "mean")
        for combination, link, direction, name, mean in rows.iter_rows():
            means.setdefault(combination, {}).setdefault((link, direction), {})[name] = mean
    return means


def table_of_links(sweep: PlannedSweep, links: pl.DataFrame) -> dict[str, Any]:
    """The sweep's table of links as texts: ``metrics``, the heads with title and unit; ``rows``; ``more``.

    Each row has ``where``, ``link``, ``direction`` and ``values``; ``more`` is how many rows are left out after the
    first `table_texts.MOST_ROWS`.
    """
    if links.is_empty():
        return {"metrics": [], "rows": [], "more": 0}
    texts, measured = axes.variant_and_network_texts(sweep), set(links["metric"])
    # That nothing was marked or lost by chance on any link goes without saying.
    used = set(links.filter(pl.col("mean") > 0)["metric"])
    silent = {"random_loss", "ecn_marks"} - used
    ways = links.select(_KEY).unique(maintain_order=True)
    if not ways["combination"].is_duplicated().any():
        silent.add("binds")  # as does that the only link does
    shown = [name for name in _SHOWN if name in measured - silent]
    first = ways.head(table_texts.MOST_ROWS)
    of_first = links.filter(pl.col("metric").is_in(shown)).join(first, on=_KEY, how="semi")
    values = {
        (*(row[name] for name in _KEY), row["metric"]): table_texts.mean_and_interval(row)
        for row in of_first.iter_rows(named=True)
    }
    rows = [
        {"where": axes.axes_in_words(texts[way[0]]), "link": way[1], "direction": way[2]}
        | {"values": [values.get((*way, name), "–") for name in shown]}
        for way in first.rows()
    ]
    heads = [(metrics.METRICS[name].title, metrics.METRICS[name].shown_unit) for name in shown]
    return {"metrics": heads, "rows": rows, "more": ways.height - len(rows)}
