# SPDX-License-Identifier: MIT
"""Whole rotations: as many runs as it takes until each flow of a mix has had each variant equally often.

Within a rotation, runs differ by who has which place, and not only by chance. So not a run but a whole rotation is the
replicate. Rotations begin with run 1; those of a combination whose variants keep their places are of one run.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from tcpsweep.sweep import assignment
from tcpsweep.sweep.matching import Combination


def lengths(combinations: Iterable[Combination]) -> list[int]:
    """How many runs a rotation of each combination has."""
    return [assignment.period(row) for row in combinations]


def longest(combinations: Iterable[Combination]) -> int:
    """After how many runs the rotations of all combinations end together."""
    return math.lcm(*set(lengths(combinations)))


def whole(runs: Sequence[int], length: int) -> int:
    """How many whole rotations there are among runs."""
    if length == 1:
        return len(runs)
    return sum(count == length for count in Counter((run - 1) // length for run in set(runs)).values())


def rounded_up(runs: int, length: int) -> int:
    """The least number of runs, from run 1 on, that are whole rotations and not fewer than given."""
    return -(-runs // length) * length
