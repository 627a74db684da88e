# SPDX-License-Identifier: MIT
"""The end of a run without flows: a table for each group of traffic, and the findings."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import polars as pl

from tcpsweep.core.command_line.terminal import closing_findings
from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import capitals, metrics, printed_names, rounding, traffic_metrics
from tcpsweep.core.words.aligned import aligned

_NAMES = {"unfinished_share": "unfinished", "transfers": "transfers"}
MOST_FINDINGS = 4


class _Group(NamedTuple):
    """A group of traffic: its rows of the sweep's tables `traffic` and `traffic_effects`."""

    means: pl.DataFrame
    effects: pl.DataFrame


def tables(sweep: PlannedSweep, traffic: pl.DataFrame, effects: pl.DataFrame, most: int) -> list[str]:
    """A table for each group of traffic, below its name, and the meaning of the signs.

    ``traffic`` and ``effects`` are the sweep's tables `traffic` and `traffic_effects`. Up to ``most`` combinations have
    a row each. With more, each variant has a row with its smallest and largest mean.
    """
    found, signed = [], []
    for (name,), rows in traffic.partition_by("traffic", as_dict=True, maintain_order=True).items():
        own = effects if effects.is_empty() else effects.filter(pl.col("traffic") == name)
        text, signs = _table(sweep, _Group(rows, own), most)
        found.append(f"{name}:\n{text}")
        signed += signs
    if signed:
        each = len(sweep.combinations) <= most
        what = "the first metric of each table"
        found.append(closing_findings.legend(what, sweep.baseline, signed, each, sweep.names))
    return found


def findings(verdicts: pl.DataFrame) -> list[str]:
    """The first shown differences in the tables' first metrics, a line each, from `traffic_verdicts`."""
    told = []
    for (name,), rows in verdicts.partition_by("traffic", as_dict=True, maintain_order=True).items():
        first = traffic_metrics.first_metrics(set(rows["metric"]))
        for row in rows.filter(pl.col("higher") + pl.col("lower") > 0).iter_rows(named=True):
            if row["metric"] in first:
                told.append(f"{name}, {_title(row['metric'])}: {row['verdict']}")
    more = [f"{len(told) - MOST_FINDINGS} more in traffic_verdicts.csv"] if len(told) > MOST_FINDINGS else []
    return told[:MOST_FINDINGS] + more


def _table(sweep: PlannedSweep, group: _Group, most: int) -> tuple[str, list[dict[str, Any]]]:
    """A group's table, and the effects behind its signs."""
    texts, shown, rows = sweep.texts, axes.network_axes(sweep), group.means
    each = len(texts) <= most
    names = [*shown] if each else []
    columns = traffic_metrics.first_metrics(set(rows["metric"]))
    values = {(row["combination"], row["metric"]): row for row in rows.iter_rows(named=True)}
    lines: dict[tuple[str, ...], list[int]] = {}
    for combination in sorted(set(rows["combination"].to_list())):
        # The whole network's variant, because the traffic's own may be the same next to flows of any variant.
        said = texts[combination]
        variant = printed_names.mix_name(said["variant"], sweep.names)
        lines.setdefault((variant, *(said[name] for name in names)), []).append(combination)
    of_variants = closing_findings.signs(group.effects, columns[0], sweep.baseline) if columns else {}
    signs = {combination: row for (combination, _), row in of_variants.items()}
    told = [["variant", *(axes.title(name, shown) for name in names), *(_head(name) for name in columns)]]
    for line, combinations in lines.items():
        told.append([*line, *(_text([values.get((c, name)) for c in combinations], name, each) for name in columns)])
        if signs:
            told[-1].append(closing_findings.sign(signs[c] for c in combinations if c in signs))
    told[0] += ["compared"] if signs else []
    return aligned(told), list(signs.values())


def _head(name: str) -> str:
    unit = metrics.METRICS[name].shown_unit
    return f"{_title(name)} [{unit}]" if unit else _title(name)


def _title(name: str) -> str:
    metric = metrics.METRICS[name]
    title = _NAMES.get(name, capitals.uncapitalised(metric.title))
    for rank in ("50th", "95th", "99th"):
        title = title.replace(f", {rank} percentile", f" p{rank[:2]}")
    return title


def _text(found: Sequence[dict[str, Any] | None], name: str, each: bool) -> str:
    """A mean with its interval, or the smallest and largest of several; ∞ if a run's value is infinite."""
    metric = metrics.METRICS[name]
    there = [row for row in found if row is not None]
    if not there:
        return "–"
    if each and not there[0]["infinite_runs"]:
        mean, low, high = (there[0][name] for name in ("mean", "low", "high"))
        return rounding.mean_text(mean, low, high, metric.scale, metric.interval)
    if each:
        return f"∞ in {there[0]['infinite_runs']} of {there[0]['runs']} runs"
    means = [row["mean"] * metric.scale for row in there if row["mean"] is not None]
    ends = [f"{min(means):.4g}", f"{max(means):.4g}"] if means else ["∞"]
    if any(row["infinite_runs"] for row in there):
        ends = [ends[0], "∞"]
    return ends[0] if len(set(ends)) == 1 else " to ".join(ends)
