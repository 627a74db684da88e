# SPDX-License-Identifier: MIT
"""A comparison in words: its findings, its cases, and the changes in each metric."""

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from tcpsweep.core.analysis import findings, verdict_words
from tcpsweep.core.campaigns import differences
from tcpsweep.core.sweep import axes
from tcpsweep.core.words import metrics

NOT_TESTED = "not tested"
# Where the word differs from the table's.
_LABELS = {"same": "equivalent", "undecided": "inconclusive", findings.TOO_FEW: "inconclusive"}


def label(finding: str) -> str:
    """A finding in a few words; all reasons for an untested case have the same label."""
    return _LABELS.get(finding, finding if finding in differences.FINDINGS else NOT_TESTED)


def case(row: Mapping[str, Any], names: Iterable[str]) -> str:
    """The case that a row of `differences.differences` is about: the variant, the place on the axes, the link."""
    axis_values = {name: row[name] for name in names if name != "variant"}
    variant_or_mix = row.get("variant")
    flow_words = [axes.series(row["flow_variant"], variant_or_mix) if variant_or_mix else row["flow_variant"]]
    link = f"link {row['link']}" if row["link"] else ""
    return ", ".join(text for text in [*flow_words, axes.axes_in_words(axis_values), link] if text) or "all"


def verdicts(table: pl.DataFrame) -> dict[str, str]:
    """The changes in each metric from `differences.differences`, in words; headline metrics first.

    An example sentence is "higher in 3 of 30 cases, by 4 to 9 % (2.5 to 12); inconclusive in 27 (−3 to +5 %)".
    """
    name_in_counts = {"steady_b": "steady", "steady_a": "reference_steady"}
    name_in_counts |= {"steady_shown_b": "steady_shown", "steady_shown_a": "reference_steady_shown"}
    name_in_counts |= {"lost_runs_b": "lost_runs", "lost_runs_a": "reference_lost_runs"}
    rows = verdict_words.counted(table.rename(name_in_counts), ["metric"])
    identical = dict(table.filter(pl.col("finding") == "identical").group_by("metric").len().iter_rows())
    sentences = {
        row["metric"]: sentence(row | {"identical": identical.get(row["metric"], 0)}) for row in rows.to_dicts()
    }
    primary = set(table.filter(pl.col("family") == findings.PRIMARY)["metric"])
    return {
        name: sentences[name] for name in sorted(metrics.METRICS, key=lambda n: n not in primary) if name in sentences
    }


def sentence(row: dict[str, Any]) -> str:
    """A sentence for a row of `verdict_words.counted`, with the number of ``identical`` cases."""
    total = row["networks"]
    clauses: list[str] = []
    for finding in differences.FINDINGS:
        if count := row[finding]:
            what = f"equivalent within {verdict_words.bound(row)}" if finding == "same" else label(finding)
            of = f" of {total} case{'s' * (total > 1)}" if not clauses else ""
            size = "" if finding == "identical" else verdict_words.size(row, finding)
            clauses.append(f"{what} in {count}{of}{', ' if finding in ('higher', 'lower') else ' '}{size}".rstrip())
    of = f" of {total} case{'s' * (total > 1)}"
    if few_words := verdict_words.too_few(row, "" if clauses else of):
        clauses.append(few_words)
    if untested := verdict_words.untested(row, "B", "A"):
        of = "" if clauses else of
        reason, bracket, sides = untested[0].partition(" (")
        clauses.append(
            f"not tested: {', '.join([reason + of + bracket + sides, *untested[1:]])}{verdict_words.means_alone(row)}"
        )
    return "; ".join([*clauses, *verdict_words.doubts(row, "B", "A")])
