# SPDX-License-Identifier: MIT
"""Keep the simulators of a job on a cluster within the job's limits.

A scheduler ends the whole job if it takes too much memory or time. Stopping the simulator a little earlier shows
which cell took too much, and leaves time for the job's other cells.
"""

from __future__ import annotations

import resource
import time
from dataclasses import dataclass

from tcpsweep.core.sweep.cost import PARSING

# Memory of a job without its simulator: two Snakemakes with 150 MB each, Python with 30 MB, and polars with 150 MB.
BESIDE_BYTES = 500_000_000
# Memory of each further process that runs cells, without its simulator: polars.
_PROCESS_BYTES = 150_000_000
# Time of a job before its command begins and after it ends: Snakemake starts twice, from a shared file system.
BESIDE_SECONDS = 60
# A simulator with few flows takes about 30 MB. With much less, it may end before it can print why.
LEAST_DATA_BYTES = 50_000_000
# Enough to start a simulator from a slow shared file system.
LEAST_SECONDS = 20
# Signs that a simulator ran out of memory: messages of the C++ library, of tcmalloc and of the loader (for libraries
# and for threads), and the kernel's signal.
_NO_MEMORY = ("bad_alloc", "ut of memory", "annot allocate memory", "failed to map segment", "annot allocate TLS")
_KILLED = -9


@dataclass(frozen=True)
class SimulatorLimits:
    """A simulator's limits: the bytes that it may allocate and the seconds that it may run; None for no limit."""

    data_bytes: int | None = None
    seconds: float | None = None

    def enforce(self) -> None:
        """Limit the memory of this process, and of the program that it executes, to ``data_bytes``."""
        if self.data_bytes is not None:
            resource.setrlimit(resource.RLIMIT_DATA, (self.data_bytes, self.data_bytes))

    def is_short_of_memory(self, status: int, log: str) -> bool:
        """Whether a simulator with this exit status and log ran out of memory."""
        return self.data_bytes is not None and (status == _KILLED or any(text in log for text in _NO_MEMORY))


NONE = SimulatorLimits()


def beside_bytes(processes: int) -> int:
    """The memory of a job without its simulators, by the number of processes that run cells."""
    return BESIDE_BYTES + (processes - 1) * _PROCESS_BYTES


@dataclass(frozen=True)
class JobLimits:
    """The limits of a job. A job that runs on this machine has none.

    ``job_bytes`` is the memory of the whole job, and ``seconds`` is its time. The scheduler ends it at ``ends``, in
    `time.monotonic`'s time. If ``last`` is false, the job will be tried again with higher limits. It runs as many
    cells at a time as it has ``processes``.
    """

    job_bytes: int | None = None
    seconds: float | None = None
    ends: float | None = None
    last: bool = True
    processes: int = 1

    @classmethod
    def begin(cls, megabytes: int | None, minutes: float | None, last: bool, processes: int = 1) -> JobLimits:
        """The limits of a job that begins now with this memory and time; each may be None."""
        if minutes is None:
            return cls(megabytes and megabytes * 1_000_000, last=last, processes=processes)
        end = time.monotonic() + 60 * minutes
        return cls(megabytes and megabytes * 1_000_000, 60 * minutes, end, last, processes)

    def simulator(self, share: float) -> SimulatorLimits:
        """The limits of a simulator that begins now; 0 seconds if it cannot begin.

        ``share`` is the cell's share of the job's estimated time, and it gets the same share of the job's time limit.
        So a simulator that does not end takes no time from the other cells. Part of the time is reserved for parsing,
        which is not stopped.
        """
        data_bytes = None
        if self.job_bytes is not None:
            data_bytes = max(0, self.job_bytes - beside_bytes(self.processes)) // self.processes
        if self.ends is None or self.seconds is None:
            return SimulatorLimits(data_bytes)
        cell_seconds = min(1, share * self.processes) * max(0.0, self.seconds - BESIDE_SECONDS)
        left = self.ends - time.monotonic() - BESIDE_SECONDS - PARSING * cell_seconds
        return SimulatorLimits(data_bytes, max(0.0, min(left, max(LEAST_SECONDS, (1 - PARSING) * cell_seconds))))

    def is_over(self) -> bool:
        """Whether no time is left for a simulator."""
        return self.simulator(1).seconds == 0
