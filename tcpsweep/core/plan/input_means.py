# SPDX-License-Identifier: MIT
"""Means from files that parameters name: a link's rate, a flow's size."""

import bisect
import functools
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

from tcpsweep.core.sweep.span import OPPORTUNITY_BITS
from tcpsweep.core.sweep.sweep_parts import InputFile
from tcpsweep.core.sweepfile.network import file_contents
from tcpsweep.core.words import units


@functools.lru_cache(maxsize=1000)
def opportunities(file: InputFile, times_s: tuple[float, ...]) -> tuple[int, ...]:
    """The number of delivery opportunities until each of some times, in a trace that repeats."""
    times_ms = Path(file.path).read_bytes().split()
    period_ms = int(times_ms[-1])
    periods_and_rest = (divmod(round(time_s * 1000, 6), period_ms) for time_s in times_s)
    return tuple(
        int(periods) * len(times_ms) + bisect.bisect_right(times_ms, rest, key=int)
        for periods, rest in periods_and_rest
    )


def trace_bps(file: InputFile, duration_s: float) -> float:
    """The mean rate of a link that follows a trace of delivery opportunities."""
    return opportunities(file, (duration_s,))[0] * OPPORTUNITY_BITS / duration_s


def size_bytes(sizes: str, files: Mapping[str, InputFile]) -> float:
    """The mean of a distribution of sizes: from a file, linear between its lines, or by name."""
    return _mean_of_file(files[sizes]) if sizes in files else float(sizes.split(":")[1])


@functools.lru_cache(maxsize=1000)
def _mean_of_file(file: InputFile) -> float:
    sizes = file_contents.sizes(Path(file.path).read_bytes())
    steps = pairwise([(sizes[0][0], 0.0), *sizes])
    return sum((later - share) * (smaller + size) / 2 for (smaller, share), (size, later) in steps) / sizes[-1][1]


def time_s(text: str) -> float:
    """The mean of a time, or of a distribution of times, such as ``exponential:3s``."""
    return float(units.si(str(text).rpartition(":")[2], "time"))
