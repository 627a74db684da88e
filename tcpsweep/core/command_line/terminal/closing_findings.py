# SPDX-License-Identifier: MIT
"""A sweep's findings for the terminal's last lines: a sign for each row of its table, and findings in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from tcpsweep.core.analysis import findings
from tcpsweep.core.report.answers.answer import Finding, plain
from tcpsweep.core.report.sections import effect_words
from tcpsweep.core.sweep import caveats
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words.printed_names import variant_name

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
    is_compared = pl.col("mix").is_not_null() | (pl.col("reference") == (baseline or ""))
    rows = effects.filter(is_compared & (pl.col("metric") == metric)).iter_rows(named=True)
    return {(row["combination"], row["variant"]): row for row in rows}


def sign(rows: Iterable[dict[str, Any]]) -> str:
    """The sign of a single effect with its size, or the number of network conditions for each sign; may be empty."""
    rows = list(rows)
    if len(rows) == 1 and rows[0]["finding"] in SHOWN:
        return effect_words.signed(rows[0])
    counts = Counter(SIGNS.get(row["finding"], UNTESTED) for row in rows)
    if len(rows) == 1:
        return next(iter(counts))
    return " ".join(
        f"{counts[symbol]}{symbol}" for symbol in (*dict.fromkeys(SIGNS.values()), UNTESTED) if counts[symbol]
    )


def legend(
    title: str, baseline: str | None, rows: Iterable[dict[str, Any]], is_single: bool, names: Mapping[str, str]
) -> str:
    """The meaning of signs, for a legend; ``is_single`` says whether a sign is for a single network condition."""
    mixes = [bool(row["mix"]) for row in rows]
    reference = variant_name(baseline or "", names)
    compared_with = [f"the baseline's, {reference}, in the same network condition"] * (not all(mixes))
    compared_with += ["the other variant's in a mix, A+B"] * any(mixes)
    counted = "" if is_single else ", with the number of network conditions"
    shown = "+5% −5% ×2" if is_single else "+ −"
    marks = f"{shown} shown to be more or less, = equivalent, ? inconclusive, {UNTESTED} not tested{counted}"
    return f"{title} is compared with {' and '.join(compared_with)}, run by run: {marks}."


def finding_lines(sweep: PlannedSweep, largest: Iterable[Finding]) -> list[str]:
    """The first findings of the report's overview, a line each."""
    return [f"{plain(finding.parts, sweep.names).rstrip('.')}.{caveats.behind(finding.touched)}" for finding in largest]
