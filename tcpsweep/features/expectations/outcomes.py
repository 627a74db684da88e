# SPDX-License-Identifier: MIT
"""The outcomes of a sweep's expectations, in words for the report and the terminal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.sweep import axes, sweep_tables
from tcpsweep.core.sweep.sweep_record import Sweep
from tcpsweep.core.words import metrics, rounding

MOST_PLACES = 10


@dataclass(frozen=True)
class Outcome:
    """The outcome of an expectation."""

    name: str
    text: str
    places: int  # the number of combinations and variants to which it applies
    holding: int  # the number of these in which it holds
    others: list[str]  # the others, in words

    @property
    def holds(self) -> bool:
        """Whether it holds everywhere."""
        return self.holding == self.places


def outcomes_of(sweep: Sweep, folder: Path | str) -> list[Outcome]:
    """The outcome of each expectation of the sweep in a folder, in its file's order."""
    table = sweep_tables.read(folder, "expectations")
    if table.is_empty():
        return []
    texts = sweep.texts
    outcomes: list[Outcome] = []
    for rows in table.partition_by("expectation", maintain_order=True):
        others = rows.filter(pl.col("finding") != "holds")
        other_texts = [outcome_in_words(row, texts[row["combination"]]) for row in others.iter_rows(named=True)]
        name, text = rows.select("expectation", "that").row(0)
        outcomes.append(Outcome(name, text, rows.height, rows.height - others.height, other_texts))
    return outcomes


def outcome_in_words(row: Mapping[str, Any], texts: Mapping[str, str]) -> str:
    """A row of `judged.judged_expectations` that does not hold, in words.

    Such as "TcpCubic, delay 5ms: fails, 0.71 [0.62, 0.80]".
    """
    where = axes.axes_in_words(texts)
    if row["flow_variant"] not in (None, texts["variant"]):
        where += f", of {row['flow_variant']}"
    metric = metrics.METRICS[row["metric"]]
    shown = rounding.mean_text(row["mean"], row["low"], row["high"], metric.scale, metric.interval)
    unit = f" {metric.shown_unit}" if metric.shown_unit and row["mean"] is not None else ""
    lacking = (row["runs_needed"] or 0) - (row["distinct_runs"] or 0)
    hint = (
        f"; about {lacking} more run{'s' * (lacking > 1)} would show it, if mean and spread stay" if lacking > 0 else ""
    )
    if row["finding"] == "no value":
        return f"{where}: no value in some run, or none finished"
    if row["mean"] is None:
        return f"{where}: {row['finding']}, infinite in some run, because a transfer did not finish"
    return f"{where}: {row['finding']}, {shown}{unit}{hint}"


def outcomes_in_words(outcomes: Sequence[Outcome]) -> str:
    """The number of expectations that hold, and lines for the others, for the terminal; empty without expectations."""
    if not outcomes:
        return ""
    lines = [f"{sum(outcome.holds for outcome in outcomes)} of {len(outcomes)} expectations hold"]
    for outcome in outcomes:
        if outcome.holds:
            continue
        title = outcome.name if outcome.name == outcome.text else f"{outcome.name} ({outcome.text})"
        lines.append(f"  {title}: does not hold in {outcome.places - outcome.holding} of {outcome.places}")
        lines += [f"    {words}" for words in outcome.others[:MOST_PLACES]]
        if len(outcome.others) > MOST_PLACES:
            lines.append(f"    and {len(outcome.others) - MOST_PLACES} more in expectations.csv")
    return "\n".join(lines)


def held_in_words(results: SweepResults) -> list[str]:
    """The number of expectations, if all hold; else, and without any, no line."""
    words = outcomes_in_words(outcomes_of(results.sweep, results.folder))
    return [words] if words and not unmet_in_words(results) else []


def unmet_in_words(results: SweepResults) -> str:
    """The outcomes in words, if any expectation does not hold; empty if all hold."""
    outcomes = outcomes_of(results.sweep, results.folder)
    return "" if all(outcome.holds for outcome in outcomes) else outcomes_in_words(outcomes)
