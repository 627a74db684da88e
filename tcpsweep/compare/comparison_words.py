# SPDX-License-Identifier: MIT
"""A comparison in words: its findings, its cases, and what changed in each metric."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from tcpsweep.analysis import verdict_words
from tcpsweep.compare import differences
from tcpsweep.sweep import axes
from tcpsweep.words import metrics

NOT_TESTED = "not tested"


def label(finding: str) -> str:
    """A finding in few words; every reason not to test has the same ones."""
    if finding not in differences.FINDINGS:
        return NOT_TESTED
    return "no difference shown" if finding == "none" else finding


def case(row: Mapping[str, Any], names: Iterable[str]) -> str:
    """The case that a row of `differences.differences` is about: the flows' variant, and the place on the axes."""
    place = {name: row[name] for name in names if name != "variant"}
    whole = row.get("variant")
    variant = [axes.series(row["flow_variant"], whole) if whole else row["flow_variant"]]
    return ", ".join(text for text in [*variant, axes.said(place)] if text) or "all"


def verdicts(table: pl.DataFrame) -> dict[str, str]:
    """What changed in each metric, in words.

    Parameters
    ----------
    table : DataFrame
        From `differences.differences`.

    Returns
    -------
    dict
        Each metric's sentence, such as "higher in 3 of 30 cases; no difference shown in 27"; headline metrics first.
    """
    found, there = {}, set(table["metric"].unique())
    for name in sorted(metrics.METRICS, key=lambda name: not metrics.METRICS[name].headline):
        if name not in there:
            continue
        findings = table.filter(pl.col("metric") == name)["finding"]
        found[name] = said(Counter(findings.to_list()))
    return found


def said(counts: Mapping[str, int]) -> str:
    """Counts of findings as a sentence."""
    total = sum(counts.values())
    parts = [f"{label(name)} in {counts[name]}" for name in differences.FINDINGS if name in counts]
    untested = [f"{text} in {counts[name]}" for name, text in verdict_words.WORDS.items() if name in counts]
    if untested:
        parts.append(f"not tested: {', '.join(untested)}")
    # Only the first count names the total.
    head, *rest = parts
    first, comma, others = head.partition(",")
    return "; ".join([f"{first} of {total} case{'s' * (total > 1)}{comma}{others}", *rest])
