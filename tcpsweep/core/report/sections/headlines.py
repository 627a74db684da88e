# SPDX-License-Identifier: MIT
"""The findings that the overview names: the largest effects that are shown, each with its figure."""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from typing import Any

import polars as pl

from tcpsweep.core.analysis import findings, verdict_words
from tcpsweep.core.report.answers.answer import Finding
from tcpsweep.core.report.sections import effect_words
from tcpsweep.core.sweep import compared_variants
from tcpsweep.core.sweep.caveats import Touching
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import metrics

MOST = 3
SHOWN = ("higher", "lower")
_STATISTIC = re.compile(r"_(mean|p\d+)_s$")
_FEW = 0.01  # a share of packets of which a multiple means little
UNTESTED = "; only means, not tested"
TOO_FEW = "; only means, with too few repetitions for a verdict"


def largest(
    sweep: PlannedSweep, effects: pl.DataFrame, names: Collection[str] | None = None, of: str = ""
) -> list[Finding]:
    """The largest effects relative to the baseline, and within mixes, in the primary metrics.

    Effects of one metric, variant and direction are one finding; its rank is the mean over all networks of the
    logarithm of the ratio to the reference, 0 where nothing is shown. One metric, or the mean and percentiles of the
    same values, leads one finding before any has two. Effects that could not be tested count with their means, and the
    words say so.
    ``names`` are the metrics in place of the metrics with which tables begin. ``of`` names the compared objects, such
    as " of flows", for the words that say that nothing is shown.

    At most `MOST`; if nothing is shown, one finding that says so.
    """
    if effects.is_empty():
        return []
    is_compared = pl.col("mix").is_not_null() | pl.col("reference").is_in(compared_variants.references(sweep)[:1])
    headline = list(metrics.headline(metrics.METRICS, sweep.headline) if names is None else names)
    primary = effects.filter(is_compared & pl.col("metric").is_in(headline))
    effects_by_key: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    network_counts: dict[tuple[str, ...], int] = {}
    for row in map(of_means, primary.iter_rows(named=True)):
        key: tuple[str, ...] = (
            row["metric"],
            row["variant"],
            row["reference"],
            row["mix"] or "",
            row.get("simulator") or "",
        )
        network_counts[key] = network_counts.get(key, 0) + 1
        if row["finding"] in SHOWN:
            effects_by_key.setdefault((*key, row["finding"]), []).append(row)
    # A finding's rank; the largest of each metric comes first.
    ranks = {key: sum(map(ratio, rows)) / network_counts[key[:5]] for key, rows in effects_by_key.items()}
    ranked = sorted(effects_by_key, key=lambda key: -ranks[key])
    first_of_family = {_family_of(key[0]): key for key in reversed(ranked)}
    ranked.sort(key=lambda key: key != first_of_family[_family_of(key[0])])
    if not ranked:
        is_tested = bool(primary["finding"].is_in(list(findings.TESTS.values())).any())
        nothing = Finding([("text", _nothing_shown(primary, of))], "#verdicts", 0.0, is_tested, is_shown=False)
        return [nothing] if primary.height else []
    touched = Touching(sweep)
    return [
        Finding(
            [
                *effect_words.sentence(effects_by_key[key], network_counts[key[:5]]),
                ("text", _untested_note(effects_by_key[key])),
            ],
            f"#explore?kind=heat+map&metric={key[0]}",
            ranks[key],
            is_tested=any("why" not in row for row in effects_by_key[key]),
            is_shown=True,
            of_mix=bool(key[3]) and key[0] == "goodput_bps",
            touched=touched.effects(effects_by_key[key]),
        )
        for key in ranked[:MOST]
    ]


def _family_of(metric: str) -> str:
    """A key that the mean and the percentiles of the same values share."""
    return _STATISTIC.sub("", metric)


def of_means(row: dict[str, Any]) -> dict[str, Any]:
    """An effect; one that could not be tested gets the finding that its means suggest, and ``why`` it was not."""
    mean, reference = row["mean"], row["reference_mean"]
    if row["finding"] in findings.TESTS.values() or mean is None or reference is None or mean == reference:
        return row
    share = (mean - reference) / reference if reference > 0 and row["smallest_value"] == 0 else None
    if abs(mean - reference) <= verdict_words.smallest_at(row, reference):
        return row  # less than the smallest effect of interest
    finding = "higher" if mean > reference else "lower"
    return row | {"finding": finding, "difference": mean - reference, "effect": share, "why": row["finding"]}


def _untested_note(rows: list[dict[str, Any]]) -> str:
    """How many effects of a finding are differences of means without a test; empty if all are tested."""
    untested = [row for row in rows if "why" in row]
    if not untested:
        return ""
    if len(untested) < len(rows):
        return f"; {len(untested)} of these only means, not tested"
    return TOO_FEW if any(row["why"] == findings.TOO_FEW for row in rows) else UNTESTED


def ratio(row: dict[str, Any]) -> float:
    """An effect's size: the logarithm of the ratio; for shares of packets, of the ratio of these and `_FEW` more."""
    added = _FEW if metrics.METRICS[row["metric"]].shown_unit == "%" else 0.0
    mean, reference = (row["mean"] or 0.0) + added, (row["reference_mean"] or 0.0) + added
    if mean <= 0 or reference <= 0:
        return 1.0
    return min(5.0, abs(math.log(mean / reference)))


def _nothing_shown(primary: pl.DataFrame, of: str) -> str:
    tested = primary.filter(pl.col("finding").is_in(["same", "undecided", findings.TOO_FEW]))
    same, too_few = (tested.filter(pl.col("finding") == name).height for name in ("same", findings.TOO_FEW))
    if too_few and too_few == tested.height:
        return f"{too_few} of {primary.height} comparisons{of} have too few repetitions for a verdict."
    if not tested.height:
        return f"None of {primary.height} comparisons{of} could be tested; the tables say why."
    counts = f"{same} of {tested.height} comparisons{of} are equivalent, the others inconclusive"
    return f"No relevant difference was shown: {counts}."
