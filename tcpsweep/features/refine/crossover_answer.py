# SPDX-License-Identifier: MIT
"""The answer to `refine`: where the difference of two variants changes its sign."""

from __future__ import annotations

from typing import Any

import polars as pl

from tcpsweep.core.report.answers.answer import MOST_ROWS, Answer, Chart, Parts, Row
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import capitals
from tcpsweep.features.refine import turning_points_section


def answer(sweep: PlannedSweep, points: pl.DataFrame, turns: pl.DataFrame) -> Answer | None:
    """The crossover with its band in each network, from the sweep's tables ``refined_points`` and ``refined``."""
    told = turning_points_section.turning_by_network(sweep, points, turns)
    if told is None:
        return None
    rows = [
        Row(
            row["where"] or "all",
            "",
            ["; ".join(f"{at}: {what}" for at, what in row["said"])],
            turns=row,
            is_variant=False,
        )
        for row in told["rows"][:MOST_ROWS]
    ]
    chart = Chart(
        f"Crossover over the {told['axis']}",
        "network condition",
        ["crossover (band)"],
        rows,
        ticks=told["ticks"],
        legend="turns",
        more=told["networks"] - len(rows),
        ahead=(told["variant"], told["reference"]),
        colours=tuple(told["colours"]),
    )
    return Answer("refine", _sentence(told), [chart], link="#turning-points")


def _sentence(told: dict[str, Any]) -> Parts:
    names: Parts = [("variant", told["variant"]), ("text", " and "), ("variant", told["reference"])]
    metric = capitals.uncapitalised(told["metric"])
    if told["networks"] == 1:
        (said, *_) = told["rows"][0]["said"]
        if told["turning"]:
            found = "; ".join(f"{at}, {what}" for at, what in told["rows"][0]["said"])
            return [("text", f"The crossover in {metric} of "), *names, ("text", f" is at {found}.")]
        return [("text", f"No crossover in {metric} of "), *names, ("text", f": {said[0]} {said[1]}.")]
    count = f"{told['turning']} of {told['networks']} network conditions"
    return [*names, ("text", f" have a crossover in {metric} over the {told['title']} in {count}.")]
