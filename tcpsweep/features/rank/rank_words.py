# SPDX-License-Identifier: MIT
"""A ranking in words: the answer, and the texts of its table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from tcpsweep.core.words import rounding
from tcpsweep.core.words.aligned import Part
from tcpsweep.features.rank import scores
from tcpsweep.features.rank.ranking import RANKED, Ranking

_NO_VALUE = "–"
_LONGEST_LINE = 300  # characters
_SHORT_HEADS = ("place", "candidate", "score", "goodput", "delay", "loss", "Jain", "harm", "verdict")
HEADS = ("place", "candidate", "score", *scores.TITLES.values(), "against the baseline")


def for_terminal(ranking: Ranking) -> list[Part]:
    """The answer, a table of the places, and the candidates without one."""
    parts: list[Part] = [answer(ranking), *hidden(ranking), audited(ranking)]
    if placed := rows(ranking):
        parts += [[[*_SHORT_HEADS, "remark"], *placed], legend(ranking)]
    if unplaced := without_place(ranking):
        parts.append(
            [["without a place", "state", "why"], *[[name, state, _line(why)] for name, state, why in unplaced]]
        )
    return [part for part in parts if part]


def legend(ranking: Ranking) -> str:
    """How to read the table."""
    baseline = ranking.request.baseline
    return (
        f"score: 0 is {baseline}, +1 twice as good, over {ranking.networks['network'].n_unique()} networks; "
        f"goodput to Jain: the change from {baseline}; harm: the change of {baseline}'s goodput next to the candidate; "
        "in parentheses: the interval, or the places that are possible"
    )


def _line(text: str) -> str:
    """The begin of a text's first line; an ellipsis stands for the rest."""
    first = text.partition("\n")[0][:_LONGEST_LINE]
    return first if first == text else f"{first} …"


def answer(ranking: Ranking) -> str:
    """The first sentence."""
    table, baseline = ranking.table, ranking.request.baseline
    ranked = table.filter(pl.col("state") == RANKED)
    if ranked.is_empty():
        return f"None of {_candidates(table.height)} has a place."
    first = ranked.row(0, named=True)
    sentence = f"{first['candidate']} is first of {_candidates(table.height)}, with a score of {score(first)}"
    return f"{sentence} against {baseline}: {verdict(first, baseline)}. {together(table)}"


def together(table: pl.DataFrame) -> str:
    """Which candidates are not told apart from the first."""
    rivals = table.filter(pl.col("first_place") == 1).height
    if table["place"].count() == 1:
        return "No other one has a place."
    if rivals == 1:
        return "It is shown better than every other one."
    return f"It is not told apart from {rivals - 1} more: each of these {rivals} may be the first."


def verdict(row: Mapping[str, Any], baseline: str) -> str:
    """The verdict against the baseline, such as "better than TcpCubic"."""
    if row["verdict"] == "equivalent":
        return f"equivalent to {baseline}"
    if row["verdict"] in ("better", "worse"):
        return f"{row['verdict']} than {baseline}"
    return (
        "too few networks for a verdict" if row["verdict"] == "too few networks" else f"not told apart from {baseline}"
    )


def hidden(ranking: Ranking) -> list[str]:
    """What the hidden networks say, a sentence for each candidate that was asked about."""
    baseline, sentences = ranking.request.baseline, []
    for row in ranking.table.filter(pl.col("hidden_verdict").is_not_null()).iter_rows(named=True):
        if row["hidden"] is None:
            sentences.append(f"{row['candidate']} has no score in a hidden network: it failed or sent nothing there.")
            continue
        size = rounding.signed(row["hidden"], 2)
        about = verdict({"verdict": row["hidden_verdict"]}, baseline)
        if row["hidden_margin"] is None:  # the answer is the training score
            sentences.append(f"The hidden networks agree with {row['candidate']}'s score of {size}: {about}.")
            continue
        margin = rounding.significant(row["hidden_margin"], 2)
        sentences.append(f"On hidden networks, {row['candidate']} has {size} ± {margin}: {about}.")
    if sentences and ranking.questions_left is not None:
        left = ranking.questions_left
        sentences.append(f"The hidden networks answer {left} more question{'' if left == 1 else 's'}.")
    return sentences


def audited(ranking: Ranking) -> str:
    """How many candidates the audit looked at, and what it found."""
    of_audit = ranking.table.filter(pl.col("audit").is_not_null())
    found = of_audit.filter(pl.col("audit") != "")
    if of_audit.is_empty():
        return ""
    if found.is_empty():
        return f"The audit found nothing in {_candidates(of_audit.height)}."
    return f"The audit found something in {found.height} of {_candidates(of_audit.height)}, which have no place."


def rows(ranking: Ranking) -> list[list[str]]:
    """The table's texts, a row for each candidate with a place, in the order of `HEADS` and with the remark last."""
    return [
        [
            place(row),
            row["candidate"],
            score(row),
            *(ratio(row[name]) for name in scores.TITLES),
            row["verdict"] or _NO_VALUE,
            row["words"],
        ]
        for row in ranking.table.filter(pl.col("place").is_not_null()).iter_rows(named=True)
    ]


def without_place(ranking: Ranking) -> list[list[str]]:
    """The candidates without a place: name, state and reason."""
    unplaced = ranking.table.filter(pl.col("place").is_null())
    return [[row["candidate"], row["state"], row["words"]] for row in unplaced.iter_rows(named=True)]


def place(row: Mapping[str, Any]) -> str:
    """A place with its interval, such as "2 (1 to 4)"."""
    if row["first_place"] == row["last_place"]:
        return str(row["place"])
    return f"{row['place']} ({row['first_place']} to {row['last_place']})"


def score(row: Mapping[str, Any]) -> str:
    """A mean score with its interval, such as "+0.84 (+0.62 to +1.1)"."""
    if row["mean"] is None:
        return _NO_VALUE
    size = rounding.signed(row["mean"], 2)
    ends = [row["low"], row["high"]]
    return size if None in ends else f"{size} ({' to '.join(rounding.signed(end, 2) for end in ends)})"


def ratio(value: float | None) -> str:
    """A ratio to the baseline as a change, such as "+12 %"."""
    return _NO_VALUE if value is None else f"{rounding.signed((value - 1) * 100, 2)} %"


def _candidates(number: int) -> str:
    return f"{number} candidate{'' if number == 1 else 's'}"
