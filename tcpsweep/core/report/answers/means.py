# SPDX-License-Identifier: MIT
"""The answer for variants that are compared: the shown differences; where none was shown, the means."""

from __future__ import annotations

import polars as pl

from tcpsweep.core.analysis import traffic_groups
from tcpsweep.core.report import common_conditions
from tcpsweep.core.report.answers.answer import Answer, Finding, Parts
from tcpsweep.core.report.answers.mean_range import alike, mean_range
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import capitals, metrics, traffic_metrics

MOST = 2  # metrics in a sentence
MOST_NAMED = 3  # variants in a sentence
NOTE = "Means over repetitions. No difference between variants was shown; the verdicts say why."


def answer(sweep: PlannedSweep, summary: pl.DataFrame, findings: list[Finding]) -> Answer:
    """The largest finding, or means as a sentence; the score card and the plane are its charts."""
    if any(finding.is_shown for finding in findings):
        return Answer("comparison", [])  # the findings say it
    unmixed = {number for number, row in enumerate(sweep.texts) if "+" not in row["variant"]}
    flows = summary.filter(pl.col("flow_variant").is_not_null())
    compared = flows.filter(pl.col("combination").is_in(unmixed)) if unmixed else flows  # a mix is another competition
    sentence = [
        part for name in _metrics_in_sentence(sweep, compared) for part in _extremes_in_words(sweep, compared, name)
    ]
    return Answer("means", sentence, note=NOTE if sentence else "")


def of_traffic(sweep: PlannedSweep, traffic: pl.DataFrame, findings: list[Finding]) -> Answer | None:
    """The same for applications' traffic: the first metrics of its first groups; None without traffic."""
    if any(finding.is_shown for finding in findings) or traffic.is_empty():
        return None
    variants = {number: row["variant"] for number, row in enumerate(sweep.texts)}
    with_variants = traffic.with_columns(
        flow_variant=pl.col("combination").replace_strict(variants, return_dtype=pl.String)
    )
    sentence: Parts = []
    for group, rows in traffic_groups.groups(sweep, with_variants)[:MOST]:
        first = traffic_metrics.first_metrics(set(rows.drop_nulls("mean")["metric"].cast(pl.String)))
        for metric in first[:MOST]:
            sentence += [("text", f"{group}, "), *_extremes_in_words(sweep, rows, metric, is_lower_case=True)]
    return Answer("means", sentence, note=NOTE, link="#traffic") if sentence else None


def _metrics_in_sentence(sweep: PlannedSweep, summary: pl.DataFrame) -> list[str]:
    """The metrics in the sentence: the first one, and a delay, if possible its 95th percentile."""
    names = [*metrics.headline(summary.filter(pl.col("mean").is_not_null())["metric"].unique(), sweep.headline)]
    delays = [name for name in names[1:] if metrics.METRICS[name].unit == "s"]
    return [*names[:1], *sorted(delays, key=lambda name: "p95" not in name)[:1]][:MOST]


def _extremes_in_words(sweep: PlannedSweep, summary: pl.DataFrame, name: str, is_lower_case: bool = False) -> Parts:
    """The variants with the most and the least, over the network conditions that all variants have.

    Over several network conditions, a variant has the range of its means.
    """
    common = common_conditions.in_common(sweep, summary.filter(pl.col("metric") == name)).drop_nulls("mean")
    metric = metrics.METRICS[name]
    ranges = {
        str(variant): mean_range(rows["mean"].to_list(), name)
        for (variant,), rows in common.partition_by("flow_variant", as_dict=True, maintain_order=True).items()
    }
    ordered = sorted(ranges, key=lambda variant: -ranges[variant].mean)
    texts = {variant: f"{ranges[variant].text(digits=3)} {metric.shown_unit}".rstrip() for variant in ordered}
    if not texts:
        return []
    title = f"{capitals.uncapitalised(metric.title) if is_lower_case else metric.title}: "
    values = list(dict.fromkeys(texts.values()))
    if len(values) == 1 < len(texts):
        return [("text", f"{title}{values[0]} with all {len(texts)} variants. ")]
    if len(texts) <= MOST_NAMED:
        return [("text", title), *alike(texts, list(texts)), ("text", ". ")]
    most, least = ([variant for variant in texts if texts[variant] == end] for end in (values[0], values[-1]))
    return [("text", f"{title}from "), *alike(texts, most), ("text", " to "), *alike(texts, least), ("text", ". ")]
