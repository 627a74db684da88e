# SPDX-License-Identifier: MIT
"""What a job on a cluster may take, and how its simulators are kept below that.

A scheduler ends a whole job that takes too much memory or time. A simulator that is stopped a little earlier says
which cell it was, and leaves the others of the job their time.
"""

from __future__ import annotations

import resource
import time
from dataclasses import dataclass

from tcpsweep.sweep.cost import PARSING

# What a job takes beside its simulator: Snakemake twice, 150 MB each, and Python with polars, 130 MB.
BESIDE_BYTES = 500_000_000
# What it may have spent before its command began, and takes to end: Snakemake starts twice, on a shared file system.
BESIDE_SECONDS = 60
# A simulator of few flows takes about 30 MB. One that gets far less may end before it can say why.
LEAST_DATA_BYTES = 50_000_000
# The start of a simulator alone, from a shared file system that is slow.
LEAST_SECONDS = 20
# How a simulator ends that gets no more memory: the C++ library's words, tcmalloc's, the loader's (of libraries, of
# threads), and the kernel's signal.
_NO_MEMORY = ("bad_alloc", "ut of memory", "annot allocate memory", "failed to map segment", "annot allocate TLS")
_KILLED = -9


@dataclass(frozen=True)
class Limits:
    """The limits of a job; without any, it is on this machine and takes what it needs.

    ``job_bytes`` is the memory of the whole job, ``seconds`` its time, and ``ends`` the time of `time.monotonic` at
    which the scheduler ends it. A job that is not at its ``last`` attempt is tried again with more.
    """

    job_bytes: int | None = None
    seconds: float | None = None
    ends: float | None = None
    last: bool = True

    @property
    def data_bytes(self) -> int | None:
        """The most that a simulator may allocate; None is as much as it likes."""
        return None if self.job_bytes is None else max(0, self.job_bytes - BESIDE_BYTES)

    def simulator_seconds(self, share: float) -> float | None:
        """How long a simulator that begins now may take; None is as long as it likes, 0 is that it cannot begin.

        A cell has as much of the job's time as it has of the job's estimated time, so that one that does not end takes
        nothing of the others'. Part of it is left for parsing, which is not stopped.

        Parameters
        ----------
        share : float
            The cell's part of the job's estimated time.
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
