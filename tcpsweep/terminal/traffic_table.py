# SPDX-License-Identifier: MIT
"""The tables that a run without flows ends with: what the traffic of each group did."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from tcpsweep.sweep import axes
from tcpsweep.sweep.sweep_record import PlannedSweep
from tcpsweep.words import metrics, rounding, traffic_metrics
from tcpsweep.words.aligned import aligned

_NAMES = {"unfinished_share": "unfinished", "transfers": "transfers"}


def tables(sweep: PlannedSweep, traffic: pl.DataFrame, most: int) -> list[str]:
    """A table for each group of traffic, below its name.

    Parameters
    ----------
    sweep : PlannedSweep
    traffic : DataFrame
        The sweep's table of that name.
    most : int
        How many combinations have a row each; of more, each variant has one with the least and the greatest mean.
    """
    found = []
    for (name,), rows in traffic.partition_by("traffic", as_dict=True, maintain_order=True).items():
        found.append(f"{name}:\n{_table(sweep, rows, most)}")
    return found


def _table(sweep: PlannedSweep, rows: pl.DataFrame, most: int) -> str:
    texts, shown = axes.texts(sweep), axes.of(sweep)
    each = len(texts) <= most
    names = [name for name in shown if name != "variant"] if each else []
    columns = traffic_metrics.first(set(rows["metric"]))
    values = {(row["combination"], row["metric"]): row for row in rows.iter_rows(named=True)}
    lines: dict[tuple[str, ...], list[int]] = {}
    own = rows.select("combination", "flow_variant").unique(maintain_order=True)
    for combination, variant in axes.in_order(own.rows(), texts):
        lines.setdefault((variant, *(texts[combination][name] for name in names)), []).append(combination)
    head = ["variant", *(axes.title(name, shown) for name in names), *(_head(name) for name in columns)]
    told = [head]
    for line, combinations in lines.items():
        told.append([*line, *(_text([values.get((c, name)) for c in combinations], name, each) for name in columns)])
    return aligned(told)


def _head(name: str) -> str:
    metric = metrics.METRICS[name]
    title = _NAMES.get(name, metric.title[0].lower() + metric.title[1:])
    for rank in ("50th", "95th", "99th"):
        title = title.replace(f", {rank} percentile", f" p{rank[:2]}")
    return f"{title} [{metric.shown_unit}]" if metric.shown_unit else title


def _text(found: Sequence[dict[str, Any] | None], name: str, each: bool) -> str:
    """A mean with its interval, or the least and the greatest of several; ∞ where a run's value is infinite."""
    metric = metrics.METRICS[name]
    there = [row for row in found if row is not None]
    if not there:
        return "–"
    if each and not there[0]["infinite_runs"]:
        mean, low, high = (there[0][name] for name in ("mean", "low", "high"))
        return rounding.shown(mean, low, high, metric.scale, metric.interval)
    if each:
        return f"∞ in {there[0]['infinite_runs']} of {there[0]['runs']} runs"
    means = [row["mean"] * metric.scale for row in there if row["mean"] is not None]
    ends = [f"{min(means):.4g}", f"{max(means):.4g}"] if means else ["∞"]
    if any(row["infinite_runs"] for row in there):
        ends = [ends[0], "∞"]
    return ends[0] if len(set(ends)) == 1 else " to ".join(ends)
