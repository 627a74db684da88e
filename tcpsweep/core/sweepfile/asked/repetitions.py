# SPDX-License-Identifier: MIT
"""The runs of each combination that a sweep file asks for: `repetitions`, `runs`, or as many as `precision` needs."""

from tcpsweep.core.sweep.rounds import FIRST_RUNS
from tcpsweep.core.sweepfile.keys import sweep_keys
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile

PRECISION, AT_MOST = "precision", "at_most"


def runs(file: SweepFile) -> tuple[int, ...]:
    """The run numbers that each combination of a sweep file may get."""
    if file.has(PRECISION):
        return tuple(range(1, int(file.data.get(AT_MOST, sweep_keys.default(AT_MOST))) + 1))
    return tuple(file.keys.runs or range(1, file.keys.repetitions + 1))


def planned_runs(file: SweepFile) -> int:
    """The number of runs per combination in the first plan."""
    return FIRST_RUNS if file.has(PRECISION) else len(runs(file))
