# SPDX-License-Identifier: MIT
"""The frontier of goodput, delay and losses of each network: a scatter of the variants, and their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from tcpsweep.core.figures import charts, series_styles
from tcpsweep.core.figures.charts import VegaLite
from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import metrics
from tcpsweep.core.words.metrics import Metric
from tcpsweep.features.pairs import pair_record, pair_tables


def chart() -> dict[str, VegaLite]:
    """The scatter, ``chart``, and its ``slots``; the page's script adds the marks, titles and series."""
    from tcpsweep.features.pairs import pair_kinds  # altair takes long

    clearness = {"condition": {"test": "datum.size >= 0.5", "value": 1}, "value": 0.5}
    slots = {
        "y scale": {"zero": False},
        "size scale": {"domain": [0, 1], "range": [30, 220]},
        "clearness": clearness,
        "tooltip": {"field": "value", "type": "nominal", "title": "means"},
    }
    return {"chart": charts.built(pair_kinds.frontier), "slots": slots}


def frontiers(sweep: PlannedSweep, frontier: pl.DataFrame) -> list[dict[str, Any]]:
    """Each network's scatter and table.

    - ``where``
    - ``x`` and ``y``, the axes' titles
    - ``is_log``, whether the axis of delays can be logarithmic
    - ``marks``, each with its ``variant``, the ``number`` of its colour and its ``shape``, its delay ``x`` and goodput
      ``y``, its ``size``, the probability that it is on the frontier, this as a ``percent`` text, and all three as a
      text, ``value``
    - ``heads`` and ``rows`` of the table
    - ``runs``
    """
    sections, names = [], axes.names_for_print(sweep)
    for where, table in pair_tables.by_network(sweep, frontier).items():
        rows = table.rows(named=True)
        goodput, delay, loss = _shown_metrics(rows[0])
        drawn = [_mark(sweep, names, row, delay, goodput) for row in rows]
        sections.append(
            {
                "where": where,
                "x": f"{delay.title} [{delay.shown_unit}]",
                "y": f"{goodput.title} [{goodput.shown_unit}]",
                "is_log": all(mark["x"] > 0 for mark in drawn),
                "marks": drawn,
                "heads": [goodput.title, delay.title, loss.title, "on the frontier"],
                "rows": [(row["variant"], _texts(row)) for row in rows],
                "runs": rows[0]["runs"],
            }
        )
    return sections


def _shown_metrics(row: dict[str, Any]) -> tuple[Metric, Metric, Metric]:
    return metrics.METRICS["goodput_bps"], metrics.METRICS[row["delay_metric"]], metrics.METRICS["congestion_loss"]


def _mark(
    sweep: PlannedSweep, names: Mapping[str, str], row: dict[str, Any], delay: Metric, goodput: Metric
) -> dict[str, Any]:
    probability = row["probability"]
    return {
        "variant": row["variant"],
        "number": pair_record.of(sweep).index(row["variant"]),
        "shape": series_styles.styles(sweep)[row["variant"]].shape,
        "x": row["mean_delay_s"] * delay.scale,
        "y": row["goodput_bps"] * goodput.scale,
        "size": float(row["on_frontier"]) if probability is None else probability,
        "percent": "" if probability is None else _percent(probability),
        "value": ", ".join([names[row["variant"]], *_texts(row)]),
    }


def _percent(probability: float) -> str:
    if 0 < probability < 0.01:
        return "<1 %"
    return ">99 %" if 0.99 < probability < 1 else f"{probability * 100:.0f} %"


def _texts(row: dict[str, Any]) -> list[str]:
    """A variant's means with their units, and the probability, as texts."""
    means = zip((row["goodput_bps"], row["mean_delay_s"], row["congestion_loss"]), _shown_metrics(row), strict=True)
    texts = [f"{value * metric.scale:.3g} {metric.shown_unit}".strip() for value, metric in means]
    yes_or_no = "yes" if row["on_frontier"] else "no"
    return [*texts, yes_or_no if row["probability"] is None else _percent(row["probability"])]
