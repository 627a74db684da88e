# SPDX-License-Identifier: MIT
"""The table of links: each link's use, and which of several is the bottleneck."""

from typing import Any

import polars as pl

from tcpsweep.report.sections import mean_texts, table_rows
from tcpsweep.sweep import axes
from tcpsweep.sweep.sweep_record import PlannedSweep
from tcpsweep.words import metrics

SHOWN = (
    *("binds", "utilisation", "network_queueing_delay_mean_s", "queue_mean_packets"),
    *("congestion_loss", "random_loss", "ecn_marks"),
)
_KEY = ["combination", "link", "direction"]


def table(sweep: PlannedSweep, links: pl.DataFrame) -> dict[str, Any]:
    """The sweep's table of links as texts: ``metrics``, the heads with title and unit; ``rows``; ``more``.

    Each row has ``where``, ``link``, ``direction`` and ``values``; ``more`` is how many rows are left out after the
    first `table_rows.MOST_ROWS`.
    """
    if links.is_empty():
        return {"metrics": [], "rows": [], "more": 0}
    texts, there = axes.variant_and_network_texts(sweep), set(links["metric"])
    # That nothing was marked or lost by chance on any link goes without saying.
    used = set(links.filter(pl.col("mean") > 0)["metric"])
    silent = {"random_loss", "ecn_marks"} - used
    ways = links.select(_KEY).unique(maintain_order=True)
    if not ways["combination"].is_duplicated().any():
        silent.add("binds")  # as does that the only link does
    shown = [name for name in SHOWN if name in there - silent]
    first = ways.head(table_rows.MOST_ROWS)
    of_first = links.filter(pl.col("metric").is_in(shown)).join(first, on=_KEY, how="semi")
    values = {
        (*(row[name] for name in _KEY), row["metric"]): mean_texts.mean_and_interval(row)
        for row in of_first.iter_rows(named=True)
    }
    rows = [
        {"where": axes.axes_in_words(texts[way[0]]), "link": way[1], "direction": way[2]}
        | {"values": [values.get((*way, name), "–") for name in shown]}
        for way in first.rows()
    ]
    heads = [(metrics.METRICS[name].title, metrics.METRICS[name].shown_unit) for name in shown]
    return {"metrics": heads, "rows": rows, "more": ways.height - len(rows)}
