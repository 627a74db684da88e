# SPDX-License-Identifier: MIT
"""The limits of a job on a cluster, and how its simulators are kept within them.

A scheduler ends a whole job that takes too much memory or time. Stopping its simulator a little earlier shows which
cell it was, and leaves the job's other cells their time.
"""

from __future__ import annotations

import resource
import time
from dataclasses import dataclass

from tcpsweep.sweep.cost import PARSING

# What a job takes next to its simulator: Snakemake twice, 150 MB each, Python, 30 MB, and Python with polars, 150 MB.
BESIDE_BYTES = 500_000_000
# Time that a job may have spent before its command began, and that it takes to end: Snakemake starts twice, on a
# shared file system.
BESIDE_SECONDS = 60
# A simulator with few flows takes about 30 MB. One that gets far less may end before it can say why.
LEAST_DATA_BYTES = 50_000_000
# Enough to start a simulator from a slow shared file system.
LEAST_SECONDS = 20
# How a simulator ends when it gets no more memory: messages of the C++ library, of tcmalloc and of the loader (for
# libraries and for threads), and the kernel's signal.
_NO_MEMORY = ("bad_alloc", "ut of memory", "annot allocate memory", "failed to map segment", "annot allocate TLS")
_KILLED = -9


@dataclass(frozen=True)
class SimulatorLimits:
    """The most that a simulator may take: bytes that it allocates and seconds that it runs, None for no limit."""

    data_bytes: int | None = None
    seconds: float | None = None

    def enforce(self) -> None:
        """Cap the memory of this process, and of the program that it executes, at ``data_bytes``."""
        if self.data_bytes is not None:
            resource.setrlimit(resource.RLIMIT_DATA, (self.data_bytes, self.data_bytes))

    def is_short_of_memory(self, status: int, log: str) -> bool:
        """Whether a simulator with that exit status and that log wanted more memory than it got."""
        return self.data_bytes is not None and (status == _KILLED or any(text in log for text in _NO_MEMORY))


NONE = SimulatorLimits()


@dataclass(frozen=True)
class JobLimits:
    """The limits of a job; a job without any runs on this machine and takes what it needs.

    ``job_bytes`` is the memory of the whole job, ``seconds`` its time, and ``ends`` the time of `time.monotonic` at
    which the scheduler ends it. A job that is not at its ``last`` attempt is tried again with more.
    """

    job_bytes: int | None = None
    seconds: float | None = None
    ends: float | None = None
    last: bool = True

    @classmethod
    def begin(cls, megabytes: int | None, minutes: float | None, last: bool) -> JobLimits:
        """The limits of a job that begins now with this memory and time, either may be None."""
        if minutes is None:
            return cls(megabytes and megabytes * 1_000_000, last=last)
        return cls(megabytes and megabytes * 1_000_000, 60 * minutes, time.monotonic() + 60 * minutes, last)

    def simulator(self, share: float) -> SimulatorLimits:
        """The limits of a simulator that begins now; 0 seconds if it cannot begin.

        A cell's share of the job's time is its share of the job's estimated time, so that a simulator that does not end
        takes no time from the other cells. Part of it is left for parsing, which is not stopped.
        """
        data_bytes = None if self.job_bytes is None else max(0, self.job_bytes - BESIDE_BYTES)
        if self.ends is None or self.seconds is None:
            return SimulatorLimits(data_bytes)
        own = share * max(0.0, self.seconds - BESIDE_SECONDS)
        left = self.ends - time.monotonic() - BESIDE_SECONDS - PARSING * own
        return SimulatorLimits(data_bytes, max(0.0, min(left, max(LEAST_SECONDS, (1 - PARSING) * own))))

    def is_over(self) -> bool:
        """Whether no time is left for a simulator."""
        return self.simulator(1).seconds == 0
