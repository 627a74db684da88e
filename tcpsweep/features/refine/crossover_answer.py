# SPDX-License-Identifier: MIT
"""The answer to `refine`: where the difference of two variants changes its sign."""

from __future__ import annotations

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.report.answers.answer import MOST_ROWS, Answer, Chart, Parts, Row
from tcpsweep.core.words import capitals
from tcpsweep.features.refine import turning_points_section
from tcpsweep.features.refine.turning_points_section import TurningPoints


def answer(results: SweepResults) -> Answer | None:
    """The crossover with its band in each network, from the sweep's tables ``refined_points`` and ``refined``."""
    section = turning_points_section.section(results)
    if section is None:
        return None
    rows = [
        Row(
            where or "all",
            "",
            ["; ".join(f"{at}: {what}" for at, what in strip.said)],
            turns=strip,
            is_variant=False,
        )
        for where, strip, _ in section.rows[:MOST_ROWS]
    ]
    chart = Chart(
        f"Crossover over the {section.turning.axis.head}",
        "network condition",
        ["crossover (band)"],
        rows,
        ticks=section.ticks,
        legend="turns",
        more=len(section.turning.networks) - len(rows),
        ahead=(section.asked.variant, section.asked.reference),
        colours=section.colours,
    )
    return Answer("refine", _sentence(section), [chart], link="#turning-points")


def _sentence(section: TurningPoints) -> Parts:
    names: Parts = [("variant", section.asked.variant), ("text", " and "), ("variant", section.asked.reference)]
    metric, networks = capitals.uncapitalised(section.turning.metric), len(section.turning.networks)
    if networks == 1:
        (first_words, *_) = said = section.rows[0][1].said
        if section.turned:
            crossovers = "; ".join(f"{at}, {what}" for at, what in said)
            return [("text", f"The crossover in {metric} of "), *names, ("text", f" is at {crossovers}.")]
        return [("text", f"No crossover in {metric} of "), *names, ("text", f": {first_words[0]} {first_words[1]}.")]
    count = f"{section.turned} of {networks} network conditions"
    return [*names, ("text", f" have a crossover in {metric} over the {section.turning.axis.title} in {count}.")]
