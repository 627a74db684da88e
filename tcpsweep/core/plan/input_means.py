# SPDX-License-Identifier: MIT
"""Means from files and distributions, such as a link's rate or a flow's size, to estimate a cell's load."""

import bisect
import functools
import math
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


@functools.lru_cache(maxsize=1000)
def schedule_bps(file: InputFile, first_bps: float, duration_s: float, repeat_s: float) -> float:
    """The mean rate of a link that follows a schedule and begins with ``first_bps``."""
    changes = [(0.0, first_bps), *_changes(file)]
    end_s = repeat_s or duration_s
    until = [*(time_s for time_s, _ in changes[1:]), math.inf]
    bits = total_s = 0.0
    for (since_s, rate_bps), next_s in zip(changes, until, strict=True):
        length_s = max(0.0, min(next_s, end_s, duration_s) - since_s)
        bits, total_s = bits + length_s * rate_bps, total_s + length_s
    return bits / total_s if total_s else first_bps


def _changes(file: InputFile) -> list[tuple[float, float]]:
    """The times at which a schedule changes the rate, with the new rates."""
    rows = file_contents.schedule(Path(file.path).read_bytes()).rows
    return [(time_s, float(units.si(row["bandwidth"], "rate"))) for time_s, row in rows if "bandwidth" in row]


def size_bytes(sizes: str, file: InputFile | None) -> float:
    """The mean of a distribution of sizes: from a file, linear between its lines, or by name."""
    return _mean_of_file(file) if file else float(sizes.split(":")[1])


@functools.lru_cache(maxsize=1000)
def _mean_of_file(file: InputFile) -> float:
    rows = file_contents.sizes(Path(file.path).read_bytes())
    total = rows[-1][1]
    mean, smaller, smaller_share = 0.0, rows[0][0], 0.0
    for size, share in rows:
        mean += (share - smaller_share) / total * (smaller + size) / 2
        smaller, smaller_share = size, share
    return mean


def time_s(text: str) -> float:
    """The mean of a time, or of a distribution of times, such as ``exponential:3s``."""
    return float(units.si(text.rpartition(":")[2], "time"))
