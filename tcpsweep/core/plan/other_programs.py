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
    """The time, and the CPU time that other programs have used on the cores that are ours, in s."""

    at_s: float
    others_s: float

    def slow_down(self, cores: int) -> float:
        """By what factor others that go on as since this reading slow down work on some cores; at least 1."""
        now = reading()
        passed_s = now.at_s - self.at_s
        busy_cores = (now.others_s - self.others_s) / passed_s if passed_s > _LEAST_S else 0.0
        cores_there = len(os.sched_getaffinity(0))
        return max(1.0, (busy_cores + cores) / cores_there) if busy_cores > _LEAST_CORES else 1.0


def reading() -> Reading:
    """A reading to compare with a later one."""
    times = os.times()
    ours_s = times.user + times.system + times.children_user + times.children_system
    return Reading(time.monotonic(), _busy_s(Path("/proc/stat").read_text(encoding="ascii")) - ours_s)


def _busy_s(stat: str) -> float:
    """The CPU time of all programs on the cores that are ours, in s, from the text of ``/proc/stat``."""
    ours = {f"cpu{number}" for number in os.sched_getaffinity(0)}
    ticks = 0
    for name, *counts in map(str.split, stat.splitlines()):
        if name in ours:
            user, nice, system, _idle, _waiting, *interrupts = map(int, counts[:8])
            ticks += user + nice + system + sum(interrupts)
    return ticks / os.sysconf("SC_CLK_TCK")
