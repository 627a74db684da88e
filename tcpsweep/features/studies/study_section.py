# SPDX-License-Identifier: MIT
"""A study's printed numbers compared with the sweep's own, as dots on a line around 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.section import Section
from tcpsweep.core.report import strips
from tcpsweep.features.studies import study_words
from tcpsweep.features.studies.study_words import NEAR

MOST_ROWS = 24  # shown before the reader asks for the others
LEAST_FACTOR, MOST_FACTOR = 1.25, 10.0
_ROOM = 1.15  # left and right of the outermost dots


def picture(numbers: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """The picture of the rows of `study_words.study_for_page` that have a ratio; None if none has.

    - ``axis``
    - ``band``, the ends of ±5 %
    - ``all``, the places of all ratios
    - ``seen`` and ``others``, the rows by metric, each with its ``number`` and ``strip``, and ``head``, the metric's
      title and unit, if it is its first
    """
    drawn = [number for number in numbers if number["to_printed"]]
    if not drawn:
        return None
    ratios = [number["to_printed"] for number in drawn]
    dots = [
        ratio for ratios_of_number in ratios for ratio in (ratios_of_number["at"], ratios_of_number["mean"]) if ratio
    ]
    axis = strips.of_ratios([max(dot, 1 / dot) * _ROOM for dot in dots], LEAST_FACTOR, MOST_FACTOR)
    metrics = dict.fromkeys((number["title"], number["unit"]) for number in drawn)
    ordered = [(head, number) for head in metrics for number in drawn if (number["title"], number["unit"]) == head]
    rows = [{"number": number, "strip": _strip(axis, number["to_printed"]), "of": head} for head, number in ordered]
    seen = len(rows) if len(rows) <= MOST_ROWS + 2 else MOST_ROWS
    return {
        "axis": axis,
        "band": (axis.x(1 - NEAR), axis.x(1 + NEAR)),
        "all": [axis.x(ratios_of_number["at"] or ratios_of_number["mean"]) for ratios_of_number in ratios],
        "seen": _headed(rows[:seen]),
        "others": _headed(rows[seen:]),
    }


def _headed(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows with ``head``, which only the first row of each metric has."""
    former_heads = [None, *(row["of"] for row in rows)]
    return [
        row | {"head": None if row["of"] == former_head else row["of"]}
        for row, former_head in zip(rows, former_heads, strict=False)
    ]


def _strip(axis: strips.Axis, ratios: Mapping[str, float | None]) -> strips.Strip:
    interval, run_range = (ratios["low"], ratios["high"]), (ratios["least"], ratios["greatest"])
    return strips.strip(axis, ratios["at"], ratios["mean"], interval, run_range)


def _data(results: SweepResults) -> dict[str, Any] | None:
    """`study_words.study_for_page` with its ``picture``; None if the sweep reproduces no study."""
    study = study_words.study_for_page(results.sweep, results.folder)
    return study and study | {"picture": picture(study["numbers"])}


SECTION = Section("published", "features/studies/report/published.html.jinja", _data, heading="Published")
