# SPDX-License-Identifier: MIT
"""What is told of variants that are held against each other: titles and meanings of measures and of scores."""

from typing import NamedTuple


class Measure(NamedTuple):
    """A measure of one variant beside another: its title, and what it says."""

    title: str
    meaning: str


class Score(NamedTuple):
    """What a ranking is by: its title, what it is, and what the first in it has."""

    title: str
    meaning: str
    first: str


MEASURES = {
    "share": Measure("Share of the goodput", "of the row's variant, beside the column's"),
    "harm_goodput": Measure("Harm to goodput", "that the row's variant does to the column's"),
    "harm_delay": Measure("Harm to delay", "that the row's variant does to the column's"),
    "harm_loss": Measure("Harm by losses", "that the row's variant does to the column's"),
}
SCORES = {
    "harm": Score("Harm done", "the mean harm to the goodput of the others", "least first"),
    "share": Score("Share", "the mean share of the goodput beside the others", "most first"),
    "least_share": Score("Least share", "the share beside the one that leaves it least", "most first"),
}


def short(value: float) -> str:
    """A share or a harm as a matrix shows it: two digits behind the point."""
    return f"{round(value, 2) + 0.0:.2f}".replace("-", "−")
