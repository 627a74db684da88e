# SPDX-License-Identifier: MIT
"""How much other programs on this machine slow down a sweep, from the CPU time that they use while it is planned."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

_LEAST_S = 0.1  # the kernel counts CPU time in steps of 10 ms
_LEAST_CORES = 0.25  # less is the operating system's own work


@dataclass(frozen=True)
class Reading:
    """The time, and CPU times since the machine and this process began, in s."""

    at_s: float
    all_s: float  # of all programs on the cores that this process may use
    ours_s: float  # of this process and its children

    def slow_down(self, cores: int) -> float:
        """By what factor others that go on as since this reading slow down work on some cores; at least 1."""
        now, core_count = reading(), len(os.sched_getaffinity(0))
        passed_s = now.at_s - self.at_s
        if passed_s < _LEAST_S:
            return 1.0
        others = (now.all_s - self.all_s - (now.ours_s - self.ours_s)) / passed_s
        return max(1.0, (others + cores) / core_count) if others > _LEAST_CORES else 1.0


def reading() -> Reading:
    """The reading of now."""
    times = os.times()
    ours_s = times.user + times.system + times.children_user + times.children_system
    all_s = _busy_s(Path("/proc/stat").read_text(encoding="ascii"))
    return Reading(time.monotonic(), all_s, ours_s)


def _busy_s(stat: str) -> float:
    """The CPU time of all programs on the cores that are ours, in s, from the text of ``/proc/stat``."""
    ours = {f"cpu{number}" for number in os.sched_getaffinity(0)}
    ticks = 0
    for name, *counts in map(str.split, stat.splitlines()):
        if name in ours:
            user, nice, system, _idle, _waiting, *interrupts = map(int, counts[:8])
            ticks += user + nice + system + sum(interrupts)
    return ticks / os.sysconf("SC_CLK_TCK")
