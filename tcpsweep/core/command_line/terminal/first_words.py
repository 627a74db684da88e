# SPDX-License-Identifier: MIT
"""Messages before a sweep begins: its size, its time, and the output to expect."""

import os
from pathlib import Path

from tcpsweep.core.sweep.sweep_record import Sweep
from tcpsweep.core.words import rounding


def before_set_up(sweep: Sweep) -> str:
    """The message during the set-up of .venv, from only the sweep file."""
    from tcpsweep.core.plan import expected_costs, step_costs

    cores = len(os.sched_getaffinity(0))
    cells = sum(sweep.run_counts())
    steps = step_costs.estimate(sweep, cells, 0, cores)
    costs = [expected_costs.estimate(row, sweep.capture, sweep.inputs)[1] for row in sweep.combinations]
    cells_s = sum(count * cost.seconds for count, cost in zip(sweep.run_counts(), costs, strict=True))
    seconds = cells_s / min(cores, cells or 1) + step_costs.together_s(steps, cells, cores)
    first = " at first" if sweep.counts or sweep.open_axes else ""
    takes = f"about {rounding.time_text(seconds)} on {cores} core{'s' * (cores > 1)}"
    return f"tcpsweep: {sweep.name}: {sweep.counted()}, {cells} simulations{first}; {takes}, after the set-up"


def before_planning(path: Path) -> str:
    """The message while a sweep is planned; empty for an unreadable file, which planning reports."""
    from tcpsweep.core.sweepfile.document import yaml_document

    try:
        data = yaml_document.read(path).data
    except yaml_document.Mistakes:
        return ""
    name = data.get("sweep") if isinstance(data, dict) else None
    if not isinstance(name, str):
        return ""
    return (
        f"tcpsweep: {name}: looking for the work that is left. Then: its size and time, a line of progress, "
        "a table, the findings, and the report's path"
    )
