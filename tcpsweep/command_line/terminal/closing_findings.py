# SPDX-License-Identifier: MIT
"""A sweep's findings for the terminal's last lines: a sign for each row of its table, and findings in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import polars as pl

from tcpsweep.analysis import findings, verdict_words
from tcpsweep.report.sections import effect_words, verdicts
from tcpsweep.sweep import touched_numbers
from tcpsweep.sweep.sweep_record import PlannedSweep
from tcpsweep.words import metrics

MOST_MIXES = 3
SHOWN = ("higher", "lower")
# The signs of findings. With a single network condition, a shown effect's size replaces the sign.
SIGNS = {"higher": "+", "lower": "−", "same": "=", "undecided": "?", findings.TOO_FEW: "?"}
UNTESTED = "·"


def signs(effects: pl.DataFrame, metric: str, baseline: str | None) -> dict[tuple[int, str], dict[str, Any]]:
    """The effects in a metric, compared with the baseline, and between a mix's variants.

    Maps the number of a combination and a flow's variant to the row of ``effects``.
    """
    if effects.is_empty():
        return {}
    own = pl.col("mix").is_not_null() | (pl.col("reference") == (baseline or ""))
    rows = effects.filter(own & (pl.col("metric") == metric)).iter_rows(named=True)
    return {(row["combination"], row["variant"]): row for row in rows}


def sign(rows: Iterable[dict[str, Any]]) -> str:
    """The sign of a single effect with its size, or the number of network conditions for each sign; may be empty."""
    rows = list(rows)
    if len(rows) == 1 and rows[0]["finding"] in SHOWN:
        return effect_words.signed(rows[0])
    counts = Counter(SIGNS.get(row["finding"], UNTESTED) for row in rows)
    if len(rows) == 1:
        return next(iter(counts))
    return " ".join(f"{counts[each]}{each}" for each in (*dict.fromkeys(SIGNS.values()), UNTESTED) if counts[each])


def legend(title: str, baseline: str | None, rows: Iterable[dict[str, Any]], each: bool) -> str:
    """The meaning of a table's signs; ``each`` says whether a sign is for a single network condition."""
    mixes = [bool(row["mix"]) for row in rows]
    of = [f"the baseline's, {baseline}, in the same network condition"] * (not all(mixes))
    of += ["the other variant's in a mix, A+B"] * any(mixes)
    counted = "" if each else ", with the number of network conditions"
    marks = f"+ − shown to be more or less, = equivalent, ? inconclusive, {UNTESTED} not tested{counted}"
    return f"  ({title} is compared with {' and '.join(of)}, run by run: {marks}.)"


def finding_lines(
    sweep: PlannedSweep, effects: pl.DataFrame, largest: Iterable[dict[str, Any]], metric: str
) -> list[str]:
    """The first findings of the report's overview, and a line on each mix in the sweep's first metric."""
    found = [
        f"{_plain(finding['parts']).rstrip('.')}.{touched_numbers.behind(finding['touched'])}" for finding in largest
    ]
    mixes = _mixes(effects, metric, touched_numbers.Touched(sweep))
    return [*(text for text in found if not any(text in mix for mix in mixes)), *mixes]


def _mixes(effects: pl.DataFrame, metric: str, touched: touched_numbers.Touched | None = None) -> list[str]:
    """The comparison of the variants in each mix."""
    if effects.is_empty():
        return []
    inside = effects.filter(pl.col("mix").is_not_null() & (pl.col("metric") == metric))
    told = []
    for (mix,), part in inside.partition_by("mix", as_dict=True, maintain_order=True).items():
        rows = part.rows(named=True)
        networks = len({row["combination"] for row in rows})
        counts = Counter(row["finding"] for row in rows)
        finding, _ = counts.most_common(1)[0]
        shown = [row for row in rows if row["finding"] == finding]
        if finding in SHOWN:
            words = _plain(effect_words.sentence(shown, networks))
        else:
            title = metrics.METRICS[metric].title.lower()
            where = f" in {len(shown)} of {networks} network conditions" if networks > 1 else ""
            said = f"{effect_words.found(shown[0])}{where}"
            if finding in ("undecided", findings.TOO_FEW):
                said += _needed(shown)
            elif finding in verdict_words.REASONS:
                said = f"not compared{where}, {verdict_words.REASONS[finding]}"
            words = f"{rows[0]['variant']} competing with {rows[0]['reference']}: {title} {said}"
        at = f", flows over {rows[0]['link']}" if rows[0].get("link") else ""
        told.append(f"Mix {mix}{at}: {words}.{touched_numbers.behind(touched.effects(rows) if touched else [])}")
    more = [f"{len(told) - MOST_MIXES} more mixes are in the report."] if len(told) > MOST_MIXES else []
    return told[:MOST_MIXES] + more


def _needed(rows: list[dict[str, Any]]) -> str:
    """The number of runs that would decide undecided differences; empty if unknown, or if there are enough."""
    most = max((row["runs_needed"] or 0 for row in rows), default=0)
    if most <= max((row["distinct_runs"] or 0 for row in rows), default=0):
        return ""
    count = f"about {most}" if most <= verdicts.MOST_RUNS else f"more than {verdicts.MOST_RUNS}"
    return f"; {count} repetitions would decide it"


def _plain(parts: Iterable[tuple[str, str]]) -> str:
    return "".join(text for _, text in parts)
