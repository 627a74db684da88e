# SPDX-License-Identifier: MIT
"""The state of a sweep that looks for crossovers, for the terminal."""

from __future__ import annotations

import sys
from pathlib import Path

from tcpsweep.core.sweep import axes, rounds, sweep_tables
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words.aligned import aligned, terminal_width
from tcpsweep.features.refine import turning_data, turning_points_section

MOST_NETWORKS = 20


def state(sweep: PlannedSweep, folder: Path) -> str:
    """The number of network conditions with a crossover, and of values to follow; after the last round, each crossover.

    Empty before the first results.
    """
    tables = (sweep_tables.read(folder, name) for name in ("refined_points", "refined"))
    turning = turning_data.turning_points(sweep, *tables)
    if turning is None:
        return ""
    looked_at = sum(network.values for network in turning.networks)
    with_turn = sum(bool(network.turns) for network in turning.networks)
    difference = f"{turning.metric}, {turning.ahead[1]} less {turning.ahead[-1]}"
    where = f"over the {turning.axis.title} in {with_turn} of {len(turning.networks)} network conditions"
    words = f"{difference}: the sign changes {where}, by {looked_at} values"
    more_values = len(rounds.read_rounds(folder, sweep.asked).points) - len(sweep.points)
    if more_values > 0:
        return f"{words}; {more_values} more follow{'s' * (more_values == 1)}"
    rows = []
    for network in turning.networks[:MOST_NETWORKS]:
        for number, (at, what) in enumerate(turning_points_section.words_on_network(turning, network, sweep)):
            rows.append(["" if number else axes.axes_in_words(network.place) or "all", at, what])
    left = len(turning.networks) - MOST_NETWORKS
    more = [f"  and {left} more network conditions, in the report"] if left > 0 else []
    return "\n".join([words, aligned(rows, terminal_width(sys.stderr)), *more])
