# SPDX-License-Identifier: MIT
"""The answer for variants that are compared: the shown differences; where none was shown, the means."""

from __future__ import annotations

from typing import Any

import polars as pl

from tcpsweep.core.report import common_conditions
from tcpsweep.core.report.answers.answer import Answer, Parts
from tcpsweep.core.report.answers.mean_range import alike, mean_range
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import capitals, metrics, traffic_metrics
from tcpsweep.features.traffic import traffic_findings

MOST = 2  # metrics in a sentence
MOST_NAMED = 3  # variants in a sentence
NOTE = "Means over repetitions. No difference between variants was shown; the verdicts say why."


def answer(sweep: PlannedSweep, summary: pl.DataFrame, findings: list[dict[str, Any]]) -> Answer:
    """The largest finding, or means as a sentence; the score card and the plane are its charts."""
    if any(finding["shown"] for finding in findings):
        return Answer("comparison", [])  # the findings say it
    alone = {number for number, row in enumerate(sweep.texts) if "+" not in row["variant"]}
    flows = summary.filter(pl.col("flow_variant").is_not_null())
    compared = flows.filter(pl.col("combination").is_in(alone)) if alone else flows  # a mix is another competition
    said = [part for name in _named(sweep, compared) for part in _means(sweep, compared, name)]
    return Answer("means", said, note=NOTE if said else "")


def of_traffic(sweep: PlannedSweep, traffic: pl.DataFrame, findings: list[dict[str, Any]]) -> Answer | None:
    """The same for applications' traffic: the first metrics of its first groups; None without traffic."""
    if any(finding["shown"] for finding in findings) or traffic.is_empty():
        return None
    variants = {number: row["variant"] for number, row in enumerate(sweep.texts)}
    named = traffic.with_columns(flow_variant=pl.col("combination").replace_strict(variants, return_dtype=pl.String))
    said: Parts = []
    for name, rows in traffic_findings.groups(sweep, named)[:MOST]:
        first = traffic_metrics.first_metrics(set(rows.drop_nulls("mean")["metric"].cast(pl.String)))
        for metric in first[:MOST]:
            said += [("text", f"{name}, "), *_means(sweep, rows, metric, lower=True)]
    return Answer("means", said, note=NOTE, link="#traffic") if said else None


def _named(sweep: PlannedSweep, summary: pl.DataFrame) -> list[str]:
    """The metrics in the sentence: the first one, and the first delay."""
    names = [*metrics.headline(summary.filter(pl.col("mean").is_not_null())["metric"].unique(), sweep.headline)]
    delays = [name for name in names[1:] if metrics.METRICS[name].unit == "s"]
    return [*names[:1], *sorted(delays, key=lambda name: "p95" not in name)[:1]][:MOST]


def _means(sweep: PlannedSweep, summary: pl.DataFrame, name: str, lower: bool = False) -> Parts:
    """The variants with the most and the least, over the network conditions that all variants have.

    Over several network conditions, a variant has the range of its means.
    """
    common = common_conditions.in_common(sweep, summary.filter(pl.col("metric") == name)).drop_nulls("mean")
    metric = metrics.METRICS[name]
    spans = {
        str(variant): mean_range(rows["mean"].to_list(), name)
        for (variant,), rows in common.partition_by("flow_variant", as_dict=True, maintain_order=True).items()
    }
    ordered = sorted(spans, key=lambda variant: -spans[variant].mean)
    texts = {variant: f"{spans[variant].text(digits=3)} {metric.shown_unit}".rstrip() for variant in ordered}
    if not texts:
        return []
    title = f"{capitals.uncapitalised(metric.title) if lower else metric.title}: "
    values = list(dict.fromkeys(texts.values()))
    if len(values) == 1 < len(texts):
        return [("text", f"{title}{values[0]} with all {len(texts)} variants. ")]
    if len(texts) <= MOST_NAMED:
        return [("text", title), *alike(texts, list(texts)), ("text", ". ")]
    most, least = ([variant for variant in texts if texts[variant] == end] for end in (values[0], values[-1]))
    return [("text", f"{title}from "), *alike(texts, most), ("text", " to "), *alike(texts, least), ("text", ". ")]
