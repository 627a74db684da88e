# SPDX-License-Identifier: MIT
"""The answer to `refine`: where the difference of two variants changes its sign."""

from __future__ import annotations

from typing import Any

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.report.answers.answer import MOST_ROWS, Answer, Chart, Parts, Row
from tcpsweep.core.words import capitals
from tcpsweep.features.refine import turning_points_section


def answer(results: SweepResults) -> Answer | None:
    """The crossover with its band in each network, from the sweep's tables ``refined_points`` and ``refined``."""
    section = turning_points_section.section(results)
    if section is None:
        return None
    rows = [
        Row(
            row["where"] or "all",
            "",
            ["; ".join(f"{at}: {what}" for at, what in row["said"])],
            turns=row,
            is_variant=False,
        )
        for row in section["rows"][:MOST_ROWS]
    ]
    chart = Chart(
        f"Crossover over the {section['axis']}",
        "network condition",
        ["crossover (band)"],
        rows,
        ticks=section["ticks"],
        legend="turns",
        more=section["networks"] - len(rows),
        ahead=(section["variant"], section["reference"]),
        colours=tuple(section["colours"]),
    )
    return Answer("refine", _sentence(section), [chart], link="#turning-points")


def _sentence(section: dict[str, Any]) -> Parts:
    names: Parts = [("variant", section["variant"]), ("text", " and "), ("variant", section["reference"])]
    metric = capitals.uncapitalised(section["metric"])
    if section["networks"] == 1:
        (first_words, *_) = section["rows"][0]["said"]
        if section["turning"]:
            crossovers = "; ".join(f"{at}, {what}" for at, what in section["rows"][0]["said"])
            return [("text", f"The crossover in {metric} of "), *names, ("text", f" is at {crossovers}.")]
        return [("text", f"No crossover in {metric} of "), *names, ("text", f": {first_words[0]} {first_words[1]}.")]
    count = f"{section['turning']} of {section['networks']} network conditions"
    return [*names, ("text", f" have a crossover in {metric} over the {section['title']} in {count}.")]
