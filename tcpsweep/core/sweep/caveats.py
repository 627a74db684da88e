# SPDX-License-Identifier: MIT
"""The numbers of a sweep that carry a sign, because a caveat applies: `sweep_parts.Caveat` says why, and where."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.sweep_parts import Caveat
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words.metrics import FAMILIES, METRICS, Metric

SIGN = "⚠"
LEAST_ROUND_TRIPS = 10  # base round trips in the measured time; fewer say little about a congestion control
FEW = f"fewer than {LEAST_ROUND_TRIPS} round trips"
"""The name of the only caveat that is no known defect of ns-3."""
PAGE_OF_DEFECTS = "docs/features/known-defects.md"


def few_round_trips(combinations: list[int]) -> Caveat:
    """The caveat of all numbers of combinations that are measured for few of their longest base round trip."""
    effect = f"The measured time is shorter than {LEAST_ROUND_TRIPS} of the longest base round trip."
    return Caveat(FEW, [*METRICS], effect, "docs/validity.md", combinations)


def metrics(caveat: Caveat) -> set[str]:
    """The names of the metrics that a caveat touches."""
    return {name for metric in caveat.metrics for name in FAMILIES.get(metric, [metric])}


def of_defects(caveats: Iterable[Caveat]) -> list[Caveat]:
    """The known defects of ns-3 among caveats."""
    return [caveat for caveat in caveats if caveat.name != FEW]


class Touching:
    """Finds the caveats that touch a sweep's numbers. Results list each once, in the sweep's order."""

    def __init__(self, sweep: PlannedSweep) -> None:
        self._caveats = sweep.caveats
        if not self._caveats:
            return
        shown = range(len(sweep.combinations))
        self._numbers = {caveat.name: {*shown}.intersection(caveat.combinations) for caveat in self._caveats}
        self._metrics = {caveat.name: metrics(caveat) for caveat in self._caveats}
        self._variants = [text["variant"] for text in sweep.texts]
        self._networks = axes.network_keys(sweep)
        self._numbers_at: dict[tuple[str, str], list[int]] = {}
        for number, place in enumerate(zip(self._networks, self._variants, strict=True)):
            self._numbers_at.setdefault(place, []).append(number)

    def means(self, metric: str, combinations: Iterable[int]) -> list[Caveat]:
        """The caveats that touch a metric's means in some combinations."""
        numbers = {*combinations}
        return [caveat for caveat in self.metric(metric) if not numbers.isdisjoint(self._numbers[caveat.name])]

    def effects(self, rows: Iterable[Mapping[str, Any]]) -> list[Caveat]:
        """The caveats that touch effects in one metric, rows of the table of effects, on either side."""
        combinations: set[int] = set()
        metric = ""
        for row in rows if self._caveats else ():
            metric, combination = row["metric"], row["combination"]
            combinations |= {
                combination,
                *(() if row["mix"] else self._numbers_at.get((self._networks[combination], row["reference"]), ())),
            }
        return self.means(metric, combinations)

    def verdict(self, row: Mapping[str, Any]) -> list[Caveat]:
        """The caveats that touch a verdict, a row of the table of verdicts, in any of its network conditions."""
        return self.between(row["metric"], *([row["mix"]] if row["mix"] else [row["variant"], row["reference"]]))

    def between(self, metric: str, *variants: str | None) -> list[Caveat]:
        """The caveats that touch a metric of some variants or mixes, in any of their network conditions."""
        if not self._caveats:
            return []
        return self.means(metric, [number for number, variant in enumerate(self._variants) if variant in variants])

    def metric(self, metric: str) -> list[Caveat]:
        """The caveats that touch a metric in any combination."""
        return [
            caveat for caveat in self._caveats if metric in self._metrics[caveat.name] and self._numbers[caveat.name]
        ]


def behind(caveats: Iterable[Caveat]) -> str:
    """`in_words` in brackets, to follow a sentence; empty without caveats."""
    words = in_words(caveats)
    return f" [{words}]" if words else ""


def in_words(caveats: Iterable[Caveat]) -> str:
    """The sign and the names of caveats; empty without any."""
    names = [caveat.name for caveat in caveats]
    return f"{SIGN} {', '.join(names)}" if names else ""


def legend(sweep: PlannedSweep, names: Collection[str]) -> str:
    """The explanation of the sign, for a legend below a table; ``names`` are those of the caveats in it."""
    shown = [caveat for caveat in sweep.caveats if caveat.name in names]
    defects = ", ".join(defect.name for defect in of_defects(shown))
    sentences = [f"{SIGN} {few.name} were measured, see {few.source}." for few in shown if few.name == FEW]
    sentences += [
        f"{SIGN} touched by known defects of ns-3 {sweep.ns3_version}, see {PAGE_OF_DEFECTS}: {defects}."
    ] * bool(defects)
    return " ".join(sentences)


def sentence(sweep: PlannedSweep, caveats: Iterable[Caveat]) -> str:
    """A sentence of a caption, which names the caveats that touch its means; empty without any."""
    caveat_by_name = {caveat.name: caveat for caveat in caveats}
    names = ", ".join(defect.name for defect in of_defects(caveat_by_name.values()))
    sentences = [caveat_by_name[FEW].effect] if FEW in caveat_by_name else []
    sentences += [f"Known defects of ns-3 {sweep.ns3_version} affect these means: {names}."] * bool(names)
    return " ".join(sentences)


def footnote(sweep: PlannedSweep, metric_by_name: Mapping[str, Metric]) -> str:
    """The caveats that touch a table's metrics, in Markdown, a line each; empty without any."""
    touching = Touching(sweep)
    caveats_by_title = {metric.title: touching.metric(name) for name, metric in metric_by_name.items()}
    few_words = {f"{SIGN} {few.effect}" for caveats in caveats_by_title.values() for few in caveats if few.name == FEW}
    words_by_title = {title: in_words(of_defects(caveats)) for title, caveats in caveats_by_title.items()}
    lines = [f"- {title}: {words}" for title, words in words_by_title.items() if words]
    intro = f"Known defects of ns-3 {sweep.ns3_version} touch some of these means ({PAGE_OF_DEFECTS}):"
    return "\n".join([*(["", *few_words, ""] if few_words else []), *(["", intro, "", *lines, ""] if lines else [])])
