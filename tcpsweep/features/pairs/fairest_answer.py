# SPDX-License-Identifier: MIT
"""The answer to `pairs`: the variants by how near their harm is to their competitors' harm to themselves.

A variant is called the fairest only if its interval excludes that of the next one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import polars as pl

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.report import strips
from tcpsweep.core.report.answers.answer import Answer, Chart, Parts, Row
from tcpsweep.features.pairs import pair_ranking, pair_record, pair_tables, pair_words

MEASURE = "harm_goodput"
MOST_TIED = 3  # variants in the sentence if none is shown to be the fairest
NOTE = (
    "Fairest: the variant whose harm to another's goodput is nearest to the harm that the other does to itself. "
    "0 is the same harm, 1 is all of the goodput; means over the other variants, with 95 % intervals."
)


@dataclass(frozen=True)
class Harm:
    """The harm that a variant does, less each other variant's harm to itself, and its share of the goodput."""

    more: dict[str, float]
    share: float | None

    @property
    def away(self) -> float:
        """The mean distance from the other variants' harm to themselves."""
        return sum(map(abs, self.more.values())) / len(self.more)


class Distance(NamedTuple):
    """A variant's distance from the others' harm to themselves, with the ends of its interval, if there is one."""

    mean: float
    low: float | None = None
    high: float | None = None

    def below(self, other: Distance) -> bool:
        """Whether the two intervals show that it is smaller."""
        return self.high is not None and other.low is not None and self.high < other.low

    @property
    def text(self) -> str:
        """The distance with its interval."""
        if self.low is None or self.high is None:
            return pair_words.short(self.mean)
        return f"{pair_words.short(self.mean)} [{pair_words.short(self.low)}, {pair_words.short(self.high)}]"


def answer(results: SweepResults) -> Answer | None:
    """The order, from the sweep's tables ``pairs`` and ``ranking``; None where no pair has a harm."""
    sweep, table, ranking = results.sweep, results.table("pairs"), results.table("ranking")
    means = {} if table.is_empty() else _means(table)
    harms = {one: harm for one in pair_record.of(sweep) if (harm := _harm(one, pair_record.of(sweep), means))}
    if not harms:
        return None
    distances = {one: Distance(harm.away) for one, harm in harms.items()} | _distances_over_networks(ranking, harms)
    order = sorted(harms, key=lambda one: distances[one].mean)
    axis = strips.of_differences(more for harm in harms.values() for more in harm.more.values())
    rows = [_row(one, harms[one], axis) for one in order]
    heads = ["harm minus the others' own", "smallest to largest", "share of goodput"]
    title, over = "Harm to the others' goodput, minus their own", "the others"
    chart = Chart(title, "variant", heads, rows, axis, legend="spans", over=over)
    return Answer("pairs", _sentence(order, distances), [chart], NOTE, "#pairs")


def _distances_over_networks(ranking: pl.DataFrame, variants: Collection[str]) -> dict[str, Distance]:
    """Each known variant's distance over all networks, if all of them have one."""
    if ranking.is_empty():
        return {}
    rows = ranking.filter(pl.col("by") == pair_ranking.FAIR)
    over_all = rows.filter(pl.col("networks") == pl.col("networks").max())
    columns = ("variant", "score", "score_low", "score_high")
    distances = {variant: Distance(*ends) for variant, *ends in over_all.select(columns).iter_rows()}
    return distances if distances.keys() == set(variants) else {}


def _means(table: pl.DataFrame) -> Mapping[tuple[str, str, str], float]:
    """Each measure's mean over the networks by variant and competitor."""
    rows = pair_tables.over_networks(table).drop_nulls("mean")
    return {
        (measure, one, other): mean
        for measure, one, other, mean in rows.select("measure", "variant", "beside", "mean").rows()
    }


def _harm(one: str, variants: list[str], means: Mapping[tuple[str, str, str], float]) -> Harm | None:
    others = [other for other in variants if other != one]
    keys = [((MEASURE, one, other), (MEASURE, other, other), other) for other in others]
    more = {other: means[key] - means[own_key] for key, own_key, other in keys if key in means and own_key in means}
    shares = [means[pair_tables.SHARE, one, other] for other in others if (pair_tables.SHARE, one, other) in means]
    return Harm(more, sum(shares) / len(shares) if shares else None) if more else None


def _row(variant: str, harm: Harm, axis: strips.Axis) -> Row:
    values = list(harm.more.values())
    mean, least, most = sum(values) / len(values), min(values), max(values)
    ends = "" if len(values) == 1 else f"{pair_words.short(least)} to {pair_words.short(most)}"
    share = "–" if harm.share is None else pair_words.short(harm.share)
    return Row(variant, "", [pair_words.short(mean), ends, share], strips.strip(axis, mean, span=(least, most)))


def _sentence(order: list[str], distances: Mapping[str, Distance]) -> Parts:
    if len(order) < 2:
        return [("text", "Harm to others' goodput differs from their own by "), *_with_distances(order, distances)]
    is_fairest = distances[order[0]].below(distances[order[1]])
    if not is_fairest:
        shown = order[:MOST_TIED]
        parts: Parts = [("text", "No variant is shown to be the fairest. Their harm to the others' goodput differs ")]
        return [*parts, ("text", "from the harm that these do to themselves by "), *_with_distances(shown, distances)]
    parts = [("variant", order[0]), ("text", " is the fairest: its harm to the others' goodput differs by ")]
    parts += [("text", f"{distances[order[0]].text} from the harm that they do to themselves")]
    if not distances[order[-2]].below(distances[order[-1]]):
        return [*parts, ("text", "; next is "), ("variant", order[1]), ("text", f", by {distances[order[1]].text}.")]
    last: Parts = [("variant", order[-1]), ("text", f" is the least fair, by {distances[order[-1]].text}.")]
    return [*parts, ("text", "; "), *last]


def _with_distances(order: list[str], distances: Mapping[str, Distance]) -> Parts:
    """Variants, each with its distance."""
    parts: Parts = []
    for position, variant in enumerate(order):
        separator = "" if not position else " and " if position == len(order) - 1 else ", "
        parts += [("text", f"{separator}{distances[variant].text} ("), ("variant", variant), ("text", ")")]
    return [*parts, ("text", ".")]
