# SPDX-License-Identifier: MIT
"""The numbers of a sweep that carry a sign: ns-3's known defects affect them, or too few round trips were measured."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words.metrics import METRICS, Metric
from tcpsweep.features.corrections import defect_conditions
from tcpsweep.features.corrections.defect_conditions import Defect

SIGN = "⚠"
LEAST_ROUND_TRIPS = 10  # base round trips in the measured time; fewer say little about a congestion control
FEW = Defect(
    name=f"fewer than {LEAST_ROUND_TRIPS} round trips",
    metrics=list(METRICS),
    effect=f"The measured time is shorter than {LEAST_ROUND_TRIPS} of the longest base round trip.",
    source="docs/validity.md",
)
"""The mark of combinations in `PlannedSweep.few_round_trips`: no defect of ns-3, but shown as one."""


class Touched:
    """Finds the defects that affect a sweep's numbers. Results list each once: `FEW`, then in the sweep's order."""

    def __init__(self, sweep: PlannedSweep) -> None:
        few = set(sweep.few_round_trips)
        self._defects = [FEW] * bool(few) + sweep.defects
        if not self._defects:
            return
        defects_by_combination = defect_conditions.by_combination(sweep.defects, sweep.combinations, sweep.ns3_version)
        self._defect_names = [
            frozenset(defect.name for defect in [*defects, *[FEW] * (number in few)])
            for number, defects in enumerate(defects_by_combination)
        ]
        self._metrics_of = {defect.name: defect.touches for defect in self._defects}
        self._variants = [text["variant"] for text in sweep.texts]
        self._networks = axes.network_keys(sweep)
        self._numbers_at: dict[tuple[str, str], list[int]] = {}
        for number, place in enumerate(zip(self._networks, self._variants, strict=True)):
            self._numbers_at.setdefault(place, []).append(number)

    def means(self, metric: str, combinations: Iterable[int]) -> list[Defect]:
        """The defects that affect a metric's means in some combinations."""
        if not self._defects:
            return []
        return self._named(metric, {name for number in combinations for name in self._defect_names[number]})

    def effects(self, rows: Iterable[Mapping[str, Any]]) -> list[Defect]:
        """The defects that affect effects in one metric, rows of the table of effects, on either side."""
        combinations: set[int] = set()
        metric = ""
        for row in rows if self._defects else ():
            metric, combination = row["metric"], row["combination"]
            combinations |= {
                combination,
                *(() if row["mix"] else self._numbers_at.get((self._networks[combination], row["reference"]), ())),
            }
        return self.means(metric, combinations)

    def verdict(self, row: Mapping[str, Any]) -> list[Defect]:
        """The defects that affect a verdict, a row of the table of verdicts, in any of its network conditions."""
        return self.between(row["metric"], *([row["mix"]] if row["mix"] else [row["variant"], row["reference"]]))

    def between(self, metric: str, *variants: str | None) -> list[Defect]:
        """The defects that affect a metric of some variants or mixes, in any of their network conditions."""
        if not self._defects:
            return []
        return self.means(metric, [number for number, variant in enumerate(self._variants) if variant in variants])

    def metric(self, metric: str) -> list[Defect]:
        """The defects that affect a metric in any combination."""
        return self.means(metric, range(len(self._defect_names))) if self._defects else []

    def _named(self, metric: str, names: Collection[str]) -> list[Defect]:
        return [defect for defect in self._defects if defect.name in names and metric in self._metrics_of[defect.name]]


def behind(defects: Iterable[Defect]) -> str:
    """`in_words` in brackets, to follow a sentence; empty without defects."""
    words = in_words(defects)
    return f" [{words}]" if words else ""


def in_words(defects: Iterable[Defect]) -> str:
    """The sign and the names of defects; empty without any."""
    names = [defect.name for defect in defects]
    return f"{SIGN} {', '.join(names)}" if names else ""


def legend(sweep: PlannedSweep, defects: Iterable[Defect]) -> str:
    """The explanation of the sign, for below a table."""
    defect_names = {defect.name for defect in defects}
    names = ", ".join(defect.name for defect in sweep.defects if defect.name in defect_names)
    sentences = [f"{SIGN} {FEW.name} were measured, see {FEW.source}."] if FEW.name in defect_names else []
    sentences += [
        f"{SIGN} touched by known defects of ns-3 {sweep.ns3_version}, see docs/features/known-defects.md: {names}."
    ] * bool(names)
    return f"  ({' '.join(sentences)})"


def sentence(sweep: PlannedSweep, defects: Iterable[Defect]) -> str:
    """A sentence of a caption, which names the defects that affect its means; empty without any."""
    defect_names = dict.fromkeys(defect.name for defect in defects)
    names = ", ".join(name for name in defect_names if name != FEW.name)
    sentences = [FEW.effect] * (FEW.name in defect_names)
    sentences += [f"Known defects of ns-3 {sweep.ns3_version} affect these means: {names}."] * bool(names)
    return " ".join(sentences)


def footnote(sweep: PlannedSweep, metric_by_name: Mapping[str, Metric]) -> str:
    """The defects that affect a table's metrics, in Markdown, a line each; empty without any."""
    touched = Touched(sweep)
    defects_by_title = {metric.title: touched.metric(name) for name, metric in metric_by_name.items()}
    few_words = f"{SIGN} {FEW.effect}" if any(FEW in defects for defects in defects_by_title.values()) else ""
    words_by_title = {
        title: in_words(defect for defect in defects if defect != FEW) for title, defects in defects_by_title.items()
    }
    lines = [f"- {title}: {words}" for title, words in words_by_title.items() if words]
    intro = f"Known defects of ns-3 {sweep.ns3_version} touch some of these means (docs/features/known-defects.md):"
    return "\n".join([*(["", few_words, ""] if few_words else []), *(["", intro, "", *lines, ""] if lines else [])])
