# SPDX-License-Identifier: MIT
"""Titles and descriptions of the measures and scores in comparisons of pairs of variants."""

from typing import NamedTuple

from tcpsweep.core.words import rounding


class Measure(NamedTuple):
    """A measure of one variant competing with another: its title, and its description."""

    title: str
    meaning: str


class Score(NamedTuple):
    """A ranking's criterion: its title, its description, and its order."""

    title: str
    meaning: str
    first: str


MEASURES = {
    "share": Measure("Share of the goodput", "of the row's variant, competing with the column's"),
    "harm_goodput": Measure("Harm to goodput", "that the row's variant does to the column's"),
    "harm_delay": Measure("Harm to delay", "that the row's variant does to the column's"),
    "harm_loss": Measure("Harm by losses", "that the row's variant does to the column's"),
}
SCORES = {
    "harm": Score("Harm done", "the mean harm to the other variants' goodput", "least first"),
    "share": Score("Share", "the mean share of the goodput against the other variants", "most first"),
    "least_share": Score("Least share", "the smallest share against any other variant", "most first"),
}


def short(value: float) -> str:
    """A share or a harm for a matrix, with two decimals."""
    return rounding.with_minus(f"{round(value, 2) + 0.0:.2f}")
