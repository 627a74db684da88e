# SPDX-License-Identifier: MIT
"""Whole rotations: runs in which each flow of a mix has each variant equally often.

Runs within a rotation differ in the variants' positions, not only by chance. So the replicate is a whole rotation, not
a run. Rotations begin with run 1. If a combination's variants keep their positions, its rotations have one run.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from tcpsweep.core.sweep import assignment
from tcpsweep.core.sweep.matching import Combination


def lengths(combinations: Iterable[Combination]) -> list[int]:
    """The number of runs in a rotation of each combination."""
    return [assignment.period(row) for row in combinations]


def longest(combinations: Iterable[Combination]) -> int:
    """The number of runs after which the rotations of all combinations end together."""
    return math.lcm(*set(lengths(combinations)))


def whole(runs: Sequence[int], length: int) -> int:
    """The number of whole rotations among runs."""
    if length == 1:
        return len(runs)
    return sum(count == length for count in Counter((run - 1) // length for run in set(runs)).values())


def rounded_up(runs: int, length: int) -> int:
    """The smallest number of runs, from run 1, that makes whole rotations and is at least ``runs``."""
    return -(-runs // length) * length
