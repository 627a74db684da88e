# SPDX-License-Identifier: MIT
"""The end of a run without flows: a table for each group of traffic, and the findings."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import polars as pl

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.command_line.terminal import closing_findings, summary_table
from tcpsweep.core.sweep import axes, sweep_tables
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import capitals, metrics, printed_names, rounding, traffic_metrics
from tcpsweep.core.words.aligned import Part

_SHORT_TITLES = {"unfinished_share": "unfinished", "transfers": "transfers"}
MOST_FINDINGS = 4


class _Group(NamedTuple):
    """A group of traffic: its rows of the sweep's tables `traffic` and `traffic_effects`."""

    means: pl.DataFrame
    effects: pl.DataFrame


def tables(results: SweepResults) -> list[Part]:
    """A table for each group of traffic, below its name; empty without traffic.

    Up to `summary_table.MOST_COMBINATIONS` combinations have a row each. With more, each variant has a row with its
    smallest and largest mean. The meaning of the signs follows, unless the table of measured flows has signs, too. If
    no flow was measured, the first findings follow, a line each.
    """
    sweep, traffic, most = results.sweep, results.table("traffic"), summary_table.MOST_COMBINATIONS
    if traffic.is_empty():
        return []
    effects = results.table("traffic_effects", {"traffic": pl.String})
    parts: list[Part] = []
    signed_effects: list[dict[str, Any]] = []
    for (name,), rows in traffic.partition_by("traffic", as_dict=True, maintain_order=True).items():
        own_effects = effects if effects.is_empty() else effects.filter(pl.col("traffic") == name)
        table, signs = _table(sweep, _Group(rows, own_effects), most)
        parts += [f"{name}:", table]
        signed_effects += signs
    if signed_effects and not summary_table.has_signs(results):
        has_all_rows = len(sweep.combinations) <= most
        compared = "the first metric of each table"
        legend = closing_findings.legend(compared, sweep.baseline, signed_effects, has_all_rows, sweep.names)
        parts.append(f"  ({legend})")
    verdicts = results.folder / "traffic_verdicts.csv"
    if verdicts.is_file() and results.has_no_flows:
        parts += findings(sweep_tables.scan_csv(verdicts).collect())
    return parts


def findings(verdicts: pl.DataFrame) -> list[str]:
    """The first shown differences in the tables' first metrics, a line each, from `traffic_verdicts`."""
    sentences = []
    for (name,), rows in verdicts.partition_by("traffic", as_dict=True, maintain_order=True).items():
        first_metrics = traffic_metrics.first_metrics(set(rows["metric"]))
        for row in rows.filter(pl.col("higher") + pl.col("lower") > 0).iter_rows(named=True):
            if row["metric"] in first_metrics:
                sentences.append(f"{name}, {_title(row['metric'])}: {row['verdict']}")
    more = [f"{len(sentences) - MOST_FINDINGS} more in traffic_verdicts.csv"] if len(sentences) > MOST_FINDINGS else []
    return sentences[:MOST_FINDINGS] + more


def _table(sweep: PlannedSweep, group: _Group, most: int) -> tuple[list[list[str]], list[dict[str, Any]]]:
    """A group's table, and the effects behind its signs; up to ``most`` combinations have a row each."""
    texts, network_axes, rows = sweep.texts, axes.network_axes(sweep), group.means
    each = len(texts) <= most
    axis_names = [*network_axes] if each else []
    columns = traffic_metrics.first_metrics(set(rows["metric"]))
    means = {(row["combination"], row["metric"]): row for row in rows.iter_rows(named=True)}
    lines: dict[tuple[str, ...], list[int]] = {}
    for combination in sorted(set(rows["combination"].to_list())):
        # The whole network's variant, because the traffic's own may be the same next to flows of any variant.
        text_by_axis = texts[combination]
        variant = printed_names.mix_name(text_by_axis["variant"], sweep.names)
        lines.setdefault((variant, *(text_by_axis[name] for name in axis_names)), []).append(combination)
    effect_by_line = closing_findings.signs(group.effects, columns[0], sweep.baseline) if columns else {}
    effects = {combination: row for (combination, _), row in effect_by_line.items()}
    table = [["variant", *(axes.title(name, network_axes) for name in axis_names), *(_head(name) for name in columns)]]
    for line, combinations in lines.items():
        table.append([*line, *(_text([means.get((c, name)) for c in combinations], name, each) for name in columns)])
        if effects:
            table[-1].append(closing_findings.sign(effects[c] for c in combinations if c in effects))
    table[0] += [summary_table.SIGNS_HEAD] if effects else []
    return table, list(effects.values())


def _head(name: str) -> str:
    unit = metrics.METRICS[name].shown_unit
    return f"{_title(name)} [{unit}]" if unit else _title(name)


def _title(name: str) -> str:
    metric = metrics.METRICS[name]
    title = _SHORT_TITLES.get(name, capitals.uncapitalised(metric.title))
    for rank in ("50th", "95th", "99th"):
        title = title.replace(f", {rank} percentile", f" p{rank[:2]}")
    return title


def _text(rows: Sequence[dict[str, Any] | None], name: str, is_one: bool) -> str:
    """A mean with its interval, or the smallest and largest of several; ∞ if a run's value is infinite."""
    metric = metrics.METRICS[name]
    present_rows = [row for row in rows if row is not None]
    if not present_rows:
        return "–"
    if is_one and not present_rows[0]["infinite_runs"]:
        mean, low, high = (present_rows[0][name] for name in ("mean", "low", "high"))
        return rounding.mean_text(mean, low, high, metric.scale, metric.interval)
    if is_one:
        return f"∞ in {present_rows[0]['infinite_runs']} of {present_rows[0]['runs']} runs"
    means = [row["mean"] * metric.scale for row in present_rows if row["mean"] is not None]
    ends = [f"{min(means):.4g}", f"{max(means):.4g}"] if means else ["∞"]
    if any(row["infinite_runs"] for row in present_rows):
        ends = [ends[0], "∞"]
    return ends[0] if len(set(ends)) == 1 else " to ".join(ends)
