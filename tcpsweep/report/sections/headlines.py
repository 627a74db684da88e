# SPDX-License-Identifier: MIT
"""The findings that the overview names: the largest effects that are shown, each with its figure."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from typing import Any

import polars as pl

from tcpsweep.analysis import comparisons, findings, verdict_words
from tcpsweep.report.sections import effect_words
from tcpsweep.sweep.sweep_record import PlannedSweep
from tcpsweep.sweep.touched_numbers import Touched
from tcpsweep.words import metrics, rounding

MOST = 3
_STATISTIC = re.compile(r"_(mean|p\d+)_s$")
UNTESTED = "; only means, not tested"
TOO_FEW = "; only means, with too few repetitions for a verdict"


def largest(
    sweep: PlannedSweep, effects: pl.DataFrame, names: Collection[str] | None = None, of: str = ""
) -> list[dict[str, Any]]:
    """The largest effects relative to the baseline, and within mixes, that are shown in the primary metrics.

    Effects of one metric, variant and direction are one finding; its rank is the mean over all networks of the
    logarithm of the ratio to the reference, 0 where nothing is shown. One metric, or the mean and percentiles of the
    same values, leads one finding before any has two. Where no comparison could be tested, only the means are given,
    and the words say so. If means differ more in networks that could not be tested, the finding names those means.
    ``names`` are the metrics in place of the metrics with which tables begin. ``of`` names the compared objects, such
    as " of flows", for the words that say that nothing is shown.

    Each has ``parts`` of the sentence, as `effect_words.sentence`; ``link`` to its figure; ``size``, its rank; whether
    it is ``tested``, or only means; ``shown``; ``touched``, the known defects of ns-3 that touch it. At most `MOST`;
    if nothing is shown, one finding that says so.
    """
    if effects.is_empty():
        return []
    own = pl.col("mix").is_not_null() | pl.col("reference").is_in(comparisons.references(sweep)[:1])
    first = list(metrics.headline(metrics.METRICS, sweep.headline) if names is None else names)
    primary = effects.filter(own & pl.col("metric").is_in(first))
    untested = not primary["finding"].is_in(list(findings.TESTS.values())).any()
    groups: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    counts: dict[tuple[str, ...], int] = {}
    without: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    every = primary.iter_rows(named=True)
    for row in map(_of_means, every) if untested else every:
        key: tuple[str, ...] = (
            row["metric"],
            row["variant"],
            row["reference"],
            row["mix"] or "",
            row.get("simulator") or "",
        )
        counts[key] = counts.get(key, 0) + 1
        if row["finding"] in ("higher", "lower"):
            groups.setdefault((*key, row["finding"]), []).append(row)
        elif row["finding"] not in findings.TESTS.values():
            without.setdefault(key, []).append(row)
    # A finding's rank; the largest of each metric comes first.
    sizes = {key: sum(map(_ratio, rows)) / counts[key[:5]] for key, rows in groups.items()}
    ranked = sorted(groups, key=lambda key: -sizes[key])
    largest_of = {_values_of(key[0]): key for key in reversed(ranked)}
    ranked.sort(key=lambda key: key != largest_of[_values_of(key[0])])
    if not ranked:
        none: dict[str, Any] = {"parts": [("text", _nothing(primary, of))], "link": "#verdicts"}
        none |= {"size": 0.0, "tested": not untested, "shown": False, "touched": []}
        return [none] if primary.height else []
    touched = Touched(sweep)
    return [
        {
            "parts": [
                *effect_words.sentence(groups[key], counts[key[:5]]),
                ("text", _why_means(groups[key]) if untested else _farther(groups[key], without.get(key[:5], ()))),
            ],
            "link": f"#explore?kind=heat+map&metric={key[0]}",
            "size": sizes[key],
            "tested": not untested,
            "shown": True,
            "touched": touched.effects(groups[key]),
        }
        for key in ranked[:MOST]
    ]


def _values_of(metric: str) -> str:
    """A key that the mean and the percentiles of the same values share."""
    return _STATISTIC.sub("", metric)


def _of_means(row: dict[str, Any]) -> dict[str, Any]:
    """An effect that could not be tested, with the finding that its means suggest."""
    mean, reference = row["mean"], row["reference_mean"]
    if mean is None or reference is None or mean == reference:
        return row
    share = (mean - reference) / reference if reference > 0 and row["smallest_value"] == 0 else None
    if abs(mean - reference) <= verdict_words.smallest_at(row, reference):
        return row  # less than the smallest effect of interest
    finding = "higher" if mean > reference else "lower"
    return row | {"finding": finding, "difference": mean - reference, "effect": share, "why": row["finding"]}


def _why_means(rows: list[dict[str, Any]]) -> str:
    """Why a finding has only means."""
    return TOO_FEW if any(row["why"] == findings.TOO_FEW for row in rows) else UNTESTED


def _farther(tested: list[dict[str, Any]], untested: Sequence[dict[str, Any]]) -> str:
    """The means of the untested comparison that differ most, if they differ more than those of any tested one."""
    known = [row for row in untested if row["mean"] is not None and row["reference_mean"] is not None]
    if not known or max(map(_ratio, known)) <= max(map(_ratio, tested)):
        return ""
    row = max(known, key=_ratio)
    metric = metrics.METRICS[row["metric"]]
    mean, reference = (rounding.significant(row[name] * metric.scale) for name in ("mean", "reference_mean"))
    pair = f"{mean} and {reference} {metric.shown_unit}".rstrip()
    return f"; no verdict in {len(untested)}, with means as far apart as {pair}"


def _ratio(row: dict[str, Any]) -> float:
    """An effect's size: the logarithm of the ratio."""
    mean, reference = row["mean"] or 0.0, row["reference_mean"] or 0.0
    if mean <= 0 or reference <= 0:
        return 1.0
    return min(5.0, abs(math.log(mean / reference)))


def _nothing(primary: pl.DataFrame, of: str) -> str:
    tested = primary.filter(pl.col("finding").is_in(["same", "undecided", findings.TOO_FEW]))
    same, few = (tested.filter(pl.col("finding") == name).height for name in ("same", findings.TOO_FEW))
    if few and few == tested.height:
        return f"{few} of {primary.height} comparisons{of} have too few repetitions for a verdict."
    if not tested.height:
        return f"None of {primary.height} comparisons{of} could be tested; the tables say why."
    counts = f"{same} of {tested.height} comparisons{of} are equivalent, the others inconclusive"
    return f"No relevant difference was shown: {counts}."
