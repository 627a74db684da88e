# SPDX-License-Identifier: MIT
"""The answer to `pairs`: the variants by how near their harm is to their competitors' harm to themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from tcpsweep.analysis import pairs
from tcpsweep.report import strips
from tcpsweep.report.answers.answer import Answer, Chart, Parts, Row
from tcpsweep.sweep.sweep_record import PlannedSweep
from tcpsweep.words import pair_words

MEASURE = "harm_goodput"
NOTE = (
    "Fairest: the variant whose harm to another's goodput is nearest to the harm that the other does to itself. "
    "0 is the same harm, 1 is all of the goodput; means over the other variants."
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


def answer(sweep: PlannedSweep, table: pl.DataFrame) -> Answer | None:
    """The ranking, from the sweep's table ``pairs``; None where no pair has a harm."""
    means = {} if table.is_empty() else _means(table)
    found = {one: harm for one in sweep.pairs if (harm := _harm(one, sweep.pairs, means))}
    if not found:
        return None
    order = sorted(found, key=lambda one: found[one].away)
    axis = strips.of_differences(more for harm in found.values() for more in harm.more.values())
    rows = [_row(one, found[one], axis) for one in order]
    heads = ["harm beside the others' own", "least to most", "share of goodput"]
    chart = Chart("Harm to the others' goodput, beside their own", "variant", heads, rows, axis, legend="spans")
    return Answer("pairs", _sentence(order, found), [chart], NOTE, "#pairs")


def _means(table: pl.DataFrame) -> Mapping[tuple[str, str, str], float]:
    """Each measure's mean over the networks by variant and competitor."""
    rows = pairs.over_networks(table).drop_nulls("mean")
    return {
        (measure, one, other): mean
        for measure, one, other, mean in rows.select("measure", "variant", "beside", "mean").rows()
    }


def _harm(one: str, variants: list[str], means: Mapping[tuple[str, str, str], float]) -> Harm | None:
    others = [other for other in variants if other != one]
    keys = [((MEASURE, one, other), (MEASURE, other, other), other) for other in others]
    more = {other: means[done] - means[own] for done, own, other in keys if done in means and own in means}
    shares = [means[pairs.SHARE, one, other] for other in others if (pairs.SHARE, one, other) in means]
    return Harm(more, sum(shares) / len(shares) if shares else None) if more else None


def _row(one: str, harm: Harm, axis: strips.Axis) -> Row:
    values = list(harm.more.values())
    mean, least, most = sum(values) / len(values), min(values), max(values)
    ends = "" if len(values) == 1 else f"{pair_words.short(least)} to {pair_words.short(most)}"
    share = "–" if harm.share is None else pair_words.short(harm.share)
    return Row(one, "", [pair_words.short(mean), ends, share], strips.strip(axis, mean, span=(least, most)))


def _sentence(order: list[str], found: Mapping[str, Harm]) -> Parts:
    first, last = order[0], order[-1]
    said: Parts = [("variant", first), ("text", " is the fairest: its harm to the others' goodput differs by ")]
    said += [("text", f"{pair_words.short(found[first].away)} from the harm that they do to themselves")]
    if len(order) < 2:
        return [*said, ("text", ".")]
    return [
        *said,
        ("text", "; "),
        ("variant", last),
        ("text", f" is the least fair, by {pair_words.short(found[last].away)}."),
    ]
