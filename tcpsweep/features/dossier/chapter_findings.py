# SPDX-License-Identifier: MIT
"""The findings of a chapter: the candidate compared with each reference in the same role.

A comparison takes two combinations of a sweep that differ in the variant with the candidate's role. This variant either
has all flows, or competes with another variant, whose flows are then measured. Runs are paired by their numbers. All
comparisons of a chapter are one family, corrected together.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from tcpsweep.core.analysis import aggregate, comparisons, findings, paired_runs
from tcpsweep.core.statistics import effect_tests
from tcpsweep.core.sweep import axes, rotations, sweep_tables
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import metrics
from tcpsweep.features.dossier.chapters import REFERENCES, Asked, Chapter

SWEPT = {"asked": pl.Int64, "network": pl.String} | comparisons.PAIR
_KEY = ["pair", "combination", "reference_combination", "own", "reference_own"]


def findings_of_chapter(
    chapter: Chapter, candidate: str, folders: Mapping[str, tuple[PlannedSweep, Path]]
) -> list[dict[str, Any]]:
    """The findings of a chapter, a dict for each asked finding, reference and network, from the sweeps with tables.

    The keys are the columns of `findings.tested`, ``asked``, the finding's number in the chapter, and ``network``, the
    values of the sweep's axes in words.
    """
    sums_of_findings = [
        sums
        for number, asked in enumerate(chapter.findings)
        if asked.sweep in folders and (sums := _sums(asked, number, candidate, *folders[asked.sweep])).height
    ]
    if not sums_of_findings:
        return []
    judged = findings.of_family(pl.concat(sums_of_findings, how="diagonal").with_columns(finding=findings.why_not()))
    missing_columns = [pl.lit(None, pl.Float64).alias(name) for name in findings.TESTED if name not in judged.columns]
    order = list(REFERENCES)
    rank = pl.col("reference").replace_strict({name: place for place, name in enumerate(order)}, return_dtype=pl.Int64)
    return judged.with_columns(*missing_columns).sort("asked", rank, "combination").to_dicts()


def _sums(asked: Asked, number: int, candidate: str, sweep: PlannedSweep, folder: Path) -> pl.DataFrame:
    """The sums of the paired runs that answer an asked finding, with its threshold.

    A run counts as finished if it has a value of any metric.
    """
    compared = pairs(asked, number, candidate, sweep)
    values = _values(asked, sweep, folder)
    if compared.is_empty() or values.is_empty():
        return pl.DataFrame()
    any_value = {"metric": pl.lit("any"), "digest": pl.lit(""), "value": pl.lit(0.0)}
    any_value |= dict.fromkeys(paired_runs.FLAGS, pl.lit(True))
    any_value["link"] = pl.lit(None, pl.String)
    any_values = values.select("combination", "flow_variant", "run").unique().with_columns(**any_value)
    lengths = rotations.lengths(sweep.combinations)
    finished = paired_runs.finished_runs(paired_runs.paired(any_values, compared.select(_KEY), lengths))
    measured = values.filter(pl.col("metric").cast(pl.String) == asked.metric, pl.col("value").is_not_null())
    if asked.whole:
        measured = measured.with_columns(counts=pl.lit(True))
    sums = paired_runs.sums(paired_runs.paired(measured, compared.select(_KEY), lengths), [], finished)
    sums = sums.with_columns(metric=pl.lit(asked.metric)).join(compared, on="pair", maintain_order="left")
    return paired_runs.with_lost(sums, paired_runs.lost(measured, sweep.run_counts())).with_columns(
        smallest_share=pl.lit(asked.threshold.share),
        smallest_value=pl.lit(asked.threshold.absolute),
        smallest_origin=pl.lit(asked.threshold.origin),
    )


def pairs(asked: Asked, number: int, candidate: str, sweep: PlannedSweep) -> pl.DataFrame:
    """The combinations to compare for an asked finding.

    The table has the columns of `comparisons.pairs`, ``pair``, ``asked`` and ``network``.
    """
    texts = axes.network_texts(sweep)
    networks: dict[str, dict[frozenset[str], int]] = {}
    for combination, key in enumerate(axes.network_keys(sweep)[: sweep.swept]):
        if any(texts[combination].get(name) != value for name, value in asked.where.items()):
            continue
        turns = frozenset(sweep.combinations[combination].mix.turns)
        networks.setdefault(key, {})[turns] = combination
    is_of_flows = metrics.METRICS[asked.metric].by_variant
    rows = []
    for network in networks.values():
        candidate_at = network.get(_variants_with(asked, candidate))
        for reference in REFERENCES:
            reference_at = network.get(_variants_with(asked, reference))
            if candidate_at is None or reference_at is None or reference == candidate:
                continue
            whose = (asked.beside or candidate, asked.beside or reference) if is_of_flows else (None, None)
            words = axes.axes_in_words(
                {name: text for name, text in texts[candidate_at].items() if len(sweep.axes.get(name, ())) > 1}
            )
            rows.append((number, words, candidate_at, reference_at, candidate, reference, asked.beside, *whose, None))
    return pl.DataFrame(rows, schema=SWEPT, orient="row").with_row_index("pair")


def _variants_with(asked: Asked, variant: str) -> frozenset[str]:
    """The variants of the combination in which ``variant`` has the candidate's role."""
    return frozenset(filter(None, (variant, asked.beside)))


def _values(asked: Asked, sweep: PlannedSweep, folder: Path) -> pl.DataFrame:
    """The replicates: a row for each run and metric, with the columns of `summaries.by_run`."""
    if asked.traffic is None:
        return sweep_tables.read(folder, "runs")
    traffic_runs = aggregate.of_runs(sweep)["traffic_runs"]
    return (
        traffic_runs.filter(pl.col("traffic") == asked.traffic)
        .drop("traffic")
        .with_columns(link=pl.lit(None, pl.String))
    )


def verdict(asked: Asked, row: Mapping[str, Any]) -> str:
    """The verdict on a finding: "better", "worse", "equivalent" (within the threshold) or "undecided"."""
    if row["finding"] in ("higher", "lower"):
        return "better" if row["finding"] == asked.better else "worse"
    return "equivalent" if row["finding"] == findings.TESTS[effect_tests.SAME] else "undecided"


def is_no_worse(asked: Asked, row: Mapping[str, Any]) -> bool:
    """Whether a finding's interval ends before the threshold on the worse side; its other end may be anywhere."""
    low, high = interval(asked, row)
    if low is None or high is None:
        return False
    bound = asked.threshold.share or asked.threshold.absolute
    return bool(low > -bound) if asked.better == "higher" else bool(high < bound)


def interval(asked: Asked, row: Mapping[str, Any]) -> tuple[float | None, float | None]:
    """The corrected interval of the difference in the threshold's unit: share of the reference, or metric's unit."""
    names = ("effect_low", "effect_high") if asked.threshold.share else ("holm_low", "holm_high")
    low, high = (row[name] for name in names)
    return low, high


def size(asked: Asked, row: Mapping[str, Any]) -> float | None:
    """The difference in the threshold's unit."""
    difference: float | None = row["effect"] if asked.threshold.share else row["difference"]
    return difference
