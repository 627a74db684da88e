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

# What a job takes beside its simulator: Snakemake twice, 150 MB each, and Python with polars and Arrow, 150 MB.
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
class Limits:
    """The limits of a job; a job without any runs on this machine and takes what it needs.

    ``job_bytes`` is the memory of the whole job, ``seconds`` its time, and ``ends`` the time of `time.monotonic` at
    which the scheduler ends it. A job that is not at its ``last`` attempt is tried again with more.
    """

    job_bytes: int | None = None
    seconds: float | None = None
    ends: float | None = None
    last: bool = True

    @property
    def data_bytes(self) -> int | None:
        """The most bytes that a simulator may allocate; None for no limit."""
        return None if self.job_bytes is None else max(0, self.job_bytes - BESIDE_BYTES)

    def simulator_seconds(self, share: float) -> float | None:
        """The time that a simulator may take if it begins now, in s; None for no limit, 0 if it cannot begin.

        A cell's share of the job's time is its share of the job's estimated time, so that a simulator that does not end
        takes no time from the other cells. Part of it is left for parsing, which is not stopped.

        Parameters
        ----------
        share : float
            The cell's share of the job's estimated time.
        """
        if self.ends is None or self.seconds is None:
            return None
        own = share * max(0.0, self.seconds - BESIDE_SECONDS)
        left = self.ends - time.monotonic() - BESIDE_SECONDS - PARSING * own
        return max(0.0, min(left, max(LEAST_SECONDS, (1 - PARSING) * own)))

    def enforce(self) -> None:
        """Cap the memory of this process, and of the program that it executes, at ``data_bytes``."""
        if self.data_bytes is not None:
            resource.setrlimit(resource.RLIMIT_DATA, (self.data_bytes, self.data_bytes))

    def short_of_memory(self, status: int, words: str) -> bool:
        """Whether a simulator with that exit status and those last words wanted more memory than it got."""
        return self.data_bytes is not None and (status == _KILLED or any(text in words for text in _NO_MEMORY))


NONE = Limits()


def of(megabytes: int | None, minutes: float | None, last: bool) -> Limits:
    """The limits of a job that begins now, from what it was granted: memory in MB and minutes, either may be None."""
    return Limits(
        job_bytes=megabytes and megabytes * 1_000_000,
        seconds=minutes and 60 * minutes,
        ends=minutes and time.monotonic() + 60 * minutes,
        last=last,
    )
