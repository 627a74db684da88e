# SPDX-License-Identifier: MIT
"""Where a difference turns, as far as is known after a round, for the terminal."""

from pathlib import Path

from tcpsweep.figures import turning_data
from tcpsweep.report.sections import turning_points
from tcpsweep.sweep import axes, rounds, sweep_record, sweep_tables
from tcpsweep.words.aligned import aligned

MOST_NETWORKS = 20


def text(folder: Path) -> str:
    """How many networks have a turn, and how many values follow; after the last round, where each turn is.

    Empty if the sweep asks for no refinement, or nothing is known yet.
    """
    sweep = sweep_record.read(folder)
    tables = (sweep_tables.read(folder, name) for name in ("refined_points", "refined"))
    turning = turning_data.of(sweep, *tables) if sweep.refinement else None
    if turning is None:
        return ""
    looked_at = sum(network.values for network in turning.networks)
    having = sum(bool(network.turns) for network in turning.networks)
    difference = f"{turning.metric}, {turning.ahead[1]} less {turning.ahead[-1]}"
    where = f"over the {turning.axis.title} in {having} of {len(turning.networks)} networks"
    words = f"{difference}: the sign changes {where}, by {looked_at} values"
    more = len(rounds.read(folder, sweep.asked).points) - len(sweep.points)
    if more > 0:
        return f"{words}; {more} more follow{'s' * (more == 1)}"
    rows = []
    for network in turning.networks[:MOST_NETWORKS]:
        for number, (at, what) in enumerate(turning_points.said(turning, network, sweep)):
            rows.append(["" if number else axes.said(network.place) or "all", at, what])
    left = len(turning.networks) - MOST_NETWORKS
    return "\n".join([words, aligned(rows), *([f"  and {left} networks more, in the report"] if left > 0 else [])])
