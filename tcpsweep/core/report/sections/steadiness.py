# SPDX-License-Identifier: MIT
"""Warm-up, variants that are not in steady state, and identical runs: the limits of trust in the means."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from tcpsweep.core.analysis import group_values, stationarity
from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.section import Section
from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import metrics, rounding, units
from tcpsweep.core.words.thresholds import LEAST_EPOCHS, LEAST_RUNS, LEVEL, STEADY_TREND


def warmup(sweep: PlannedSweep, summary: pl.DataFrame) -> str:
    """The way in which the warm-up's end is set or found, in words."""
    requested = {units.value_text(row["warmup"]) for row in sweep.combinations}
    words = [f"{text}, given" for text in sorted(requested - {"auto"})]
    if "auto" in requested:
        ends_s = summary.filter(pl.col("metric") == "warmup_s")["mean"].drop_nulls().to_list()
        means = f", means of {min(ends_s):.3g} to {max(ends_s):.3g} s" if ends_s else ""
        missed = "where none was found, half the time, and its variants are steady only if shown to be level"
        words.append(f"found in each run by MSER-5{means}; {missed}")
    return "; ".join(words)


def unsteady(sweep: PlannedSweep, sides: pl.DataFrame) -> list[tuple[str, str, str, str]]:
    """The combinations and variants that are not in steady state, in all metrics or in one that drifts.

    Each has the combination in words, the variant, the reason, and the remedy. ``sides`` is from `group_values.sides`.
    """
    texts = axes.variant_and_network_texts(sweep)
    return [
        (axes.axes_in_words(texts[row["combination"]]), row["flow_variant"], *_reason_and_remedy(row))
        for row in sides.filter(pl.col("why").is_not_null()).iter_rows(named=True)
    ]


def not_shown(sides: pl.DataFrame) -> int:
    """How many variants of combinations are compared, though their steady state is not shown."""
    shown = pl.all_horizontal(f"{trend}_shown" for trend in stationarity.TRENDS)
    return sides.filter(pl.col("why").is_null(), ~shown).height


def advice(sweep: PlannedSweep, flows: pl.DataFrame) -> str:
    """Advice on variants that are not in steady state, in one line: each reason, its number of variants, the remedy."""
    count_by_reason = Counter(group_values.sides(sweep, flows)["why"].drop_nulls().to_list())
    clauses = [
        f"{_REASON[reason]} in {count_by_reason[reason]}: {_REMEDY[reason]}"
        for reason in _REASON
        if count_by_reason[reason]
    ]
    return "; ".join(clauses)


_REASON = {
    stationarity.FEW_EPOCHS: "few congestion epochs",
    stationarity.DRIFTING: "a drift that all runs share",
    stationarity.NOT_LEVEL: "not shown to be level",
    stationarity.UNKNOWN: "unknown",
}
_REMEDY = {
    stationarity.FEW_EPOCHS: "a longer duration",
    stationarity.DRIFTING: "a longer warmup",
    stationarity.NOT_LEVEL: "more repetitions, or a longer duration",
    stationarity.UNKNOWN: "the traces of payload and congestion states",
}


def _reason_and_remedy(row: Mapping[str, Any]) -> tuple[str, str]:
    """The reason why a side is not in steady state, and the remedy, in words; ``row`` is from `group_values.sides`."""
    why, epochs, remedy = row["why"], row["epochs"] or 0.0, _REMEDY[row["why"]]
    if why == stationarity.UNKNOWN:
        return "the traces that show it were not captured, or its flows sent nothing", remedy
    change = ""
    if row["low"] is not None and row["rotations"] >= LEAST_RUNS:
        title = metrics.METRICS[row["shape"]].title.lower()
        change = f"{title} {_percent(row['mean'])} ({_percent(row['low'])} to {_percent(row['high'])})"
    if why == stationarity.FEW_EPOCHS:
        epochs_in_words = f"{epochs:.2g} congestion epoch{'s' * (epochs != 1)} a flow"
        if epochs < LEAST_EPOCHS:
            remedy = f"a duration {max(1.1, LEAST_EPOCHS / epochs):.2g} times as long after the warm-up"
        return f"{epochs_in_words}, and not shown to be level: {change}" if change else epochs_in_words, remedy
    if change:
        return change, remedy
    return f"not level in single runs, and too few runs to show it; {LEAST_RUNS} are needed", remedy


def _percent(share: float) -> str:
    return rounding.with_minus(f"{share * 100:+.1f} %")


def repeated(sweep: PlannedSweep, flows: pl.DataFrame) -> list[tuple[str, int, int]]:
    """The combinations with runs that are identical to the byte: in words, distinct runs, runs."""
    texts = axes.variant_and_network_texts(sweep)
    counts = flows.group_by("combination", maintain_order=True).agg(
        distinct=pl.col("digest").n_unique(), runs=pl.col("run").n_unique()
    )
    return [
        (axes.axes_in_words(texts[number]), distinct, runs)
        for number, distinct, runs in counts.iter_rows()
        if distinct < runs
    ]


@dataclass(frozen=True)
class Steady:
    """Which variants are not in steady state, which runs are identical, and the bounds of both."""

    unsteady: list[tuple[str, str, str, str]]
    not_shown: int
    repeated: list[tuple[str, int, int]]
    least_epochs: float = LEAST_EPOCHS
    level: str = f"{LEVEL:.0%}"
    steady_trend: str = f"{STEADY_TREND:.0%}"


def _steady(results: SweepResults) -> Steady:
    sweep, sides = results.sweep, group_values.sides(results.sweep, results.flows)
    return Steady(unsteady(sweep, sides), not_shown(sides), repeated(sweep, results.flows))


SECTION = Section("steady", "report/method_steady.html.jinja", _steady)
