# SPDX-License-Identifier: MIT
"""How much other programs on this machine slow down a sweep, from the CPU time that they use while it is planned."""

import contextlib
import os
import time
from dataclasses import dataclass
from pathlib import Path

_LEAST_S = 0.1  # the kernel counts CPU time in steps of 10 ms
_LEAST_CORES = 0.25  # less is the operating system's own work
_ALL_BUSY = 0.9  # the share of the cores' time from which on none is idle


@dataclass(frozen=True)
class Reading:
    """The time, and CPU times since the machine and this process began, in s."""

    at_s: float
    all_s: float  # of all programs on the cores that this process may use
    ours_s: float  # of this process and its children
    ran_s: float = 0.0  # of this thread
    waited_s: float = 0.0  # for which this thread waited for a core

    def slow_down(self, cores: int) -> float:
        """By what factor others that go on as since this reading slow down work on some cores; at least 1.

        If no core is idle, others may want more than they get. Then the time that this thread waits for a core tells
        how many programs share the cores.
        """
        now, core_count = reading(), len(os.sched_getaffinity(0))
        passed_s = now.at_s - self.at_s
        if passed_s < _LEAST_S:
            return 1.0
        all_s, ran_s = now.all_s - self.all_s, now.ran_s - self.ran_s
        others = (all_s - (now.ours_s - self.ours_s)) / passed_s
        if all_s > _ALL_BUSY * core_count * passed_s and ran_s > 0:
            others = max(others, core_count * (1 + (now.waited_s - self.waited_s) / ran_s) - 1)
        return max(1.0, (others + cores) / core_count) if others > _LEAST_CORES else 1.0


def reading() -> Reading:
    """The reading of now."""
    times, ran_ns, waited_ns = os.times(), "0", "0"
    with contextlib.suppress(OSError):  # not all kernels tell it
        ran_ns, waited_ns, _ = Path("/proc/thread-self/schedstat").read_text(encoding="ascii").split()
    ours_s = times.user + times.system + times.children_user + times.children_system
    all_s = _busy_s(Path("/proc/stat").read_text(encoding="ascii"))
    return Reading(time.monotonic(), all_s, ours_s, int(ran_ns) / 1e9, int(waited_ns) / 1e9)


def _busy_s(stat: str) -> float:
    """The CPU time of all programs on the cores that are ours, in s, from the text of ``/proc/stat``."""
    ours = {f"cpu{number}" for number in os.sched_getaffinity(0)}
    ticks = 0
    for name, *counts in map(str.split, stat.splitlines()):
        if name in ours:
            user, nice, system, _idle, _waiting, *interrupts = map(int, counts[:8])
            ticks += user + nice + system + sum(interrupts)
    return ticks / os.sysconf("SC_CLK_TCK")
