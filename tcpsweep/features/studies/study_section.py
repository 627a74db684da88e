# SPDX-License-Identifier: MIT
"""A study's printed numbers compared with the sweep's own, as dots on a line around 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.section import Section
from tcpsweep.core.report import strips
from tcpsweep.core.report.strips import Axis, Strip
from tcpsweep.features.studies import study_words
from tcpsweep.features.studies.study_words import NEAR, Number, ReproducedStudy

MOST_ROWS = 24  # shown before the reader asks for the others
LEAST_FACTOR, MOST_FACTOR = 1.25, 10.0
_ROOM = 1.15  # left and right of the outermost dots


class _Row(NamedTuple):  # a number on the line around 1
    number: Number
    strip: Strip
    head: tuple[str, str] | None  # the metric's title and unit, in its first row


class Picture(NamedTuple):
    """Numbers by metric, each over the printed one."""

    axis: Axis
    band: tuple[float, float]  # the ends of ±5 %
    all: list[float]  # the places of all ratios
    seen: list[_Row]
    others: list[_Row]


@dataclass(frozen=True)
class Published:
    """A study's printed numbers compared with the sweep's own."""

    reproduced: ReproducedStudy
    picture: Picture | None


def picture(numbers: Sequence[Number]) -> Picture | None:
    """The picture of the numbers that have a ratio; None if none has."""
    drawn = [(number, number.to_printed) for number in numbers if number.to_printed]
    if not drawn:
        return None
    dots = [ratio for _, ratios in drawn for ratio in (ratios.at, ratios.mean) if ratio]
    axis = strips.of_ratios([max(dot, 1 / dot) * _ROOM for dot in dots], LEAST_FACTOR, MOST_FACTOR)
    rows_by_metric: dict[tuple[str, str], list[_Row]] = {}
    for number, ratios in drawn:
        interval, run_range = (ratios.low, ratios.high), (ratios.least, ratios.greatest)
        row = _Row(number, strips.strip(axis, ratios.at, ratios.mean, interval, run_range), (number.title, number.unit))
        rows_by_metric.setdefault((number.title, number.unit), []).append(row)
    rows = [row for rows_of_metric in rows_by_metric.values() for row in rows_of_metric]
    seen = len(rows) if len(rows) <= MOST_ROWS + 2 else MOST_ROWS
    places = [axis.x(ratios.at or ratios.mean or 0.0) for _, ratios in drawn]
    return Picture(axis, (axis.x(1 - NEAR), axis.x(1 + NEAR)), places, _headed(rows[:seen]), _headed(rows[seen:]))


def _headed(rows: Sequence[_Row]) -> list[_Row]:
    """The rows, of which only the first of each metric keeps its head."""
    former_heads = [None, *(row.head for row in rows)]
    return [
        row._replace(head=None) if row.head == former_head else row
        for row, former_head in zip(rows, former_heads, strict=False)
    ]


def _published(results: SweepResults) -> Published | None:
    """The section's contents; None if the sweep reproduces no study."""
    reproduced = study_words.reproduced_study(results.sweep, results.folder)
    return Published(reproduced, picture(reproduced.numbers)) if reproduced else None


SECTION = Section("published", "features/studies/report/published.html.jinja", _published, heading="Published")
