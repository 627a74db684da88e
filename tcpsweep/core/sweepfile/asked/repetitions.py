# SPDX-License-Identifier: MIT
"""The runs of each combination that a sweep file asks for: `repetitions`, `runs`, or as many as `precision` needs."""

from typing import Any

from tcpsweep.core.sweep.rounds import FIRST_RUNS
from tcpsweep.core.sweepfile.keys import sweep_keys

PRECISION, AT_MOST = "precision", "at_most"


def runs(data: dict[str, Any]) -> tuple[int, ...]:
    """The run numbers that each combination may get, from data without `problems`."""
    if PRECISION in data:
        return tuple(range(1, int(data.get(AT_MOST, sweep_keys.default(AT_MOST))) + 1))
    if "runs" in data:
        return tuple(map(int, data["runs"]))
    return tuple(range(1, int(data.get("repetitions", sweep_keys.default("repetitions"))) + 1))


def planned_runs(data: dict[str, Any]) -> int:
    """The number of runs per combination in the first plan."""
    return FIRST_RUNS if PRECISION in data else len(runs(data))
