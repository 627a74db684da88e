# SPDX-License-Identifier: MIT
"""Deal cells into batches: few long cells or many short ones in each."""

from collections.abc import Hashable, Mapping
from typing import TypeVar

Work = TypeVar("Work", bound=Hashable)

# The least and the most seconds of a batch on a cluster. Its start needs two Snakemakes and a round of the scheduler,
# so it should not be too short; and nobody should wait long for the last one.
CLUSTER_SECONDS = (120, 900)
MOST_JOBS = 2000  # Snakemake plans a batch in about 2 ms
# On this machine, a batch has all cores, which wait for each other only at its end. Each process holds its plan.
LOCAL_CELLS = 20_000


def in_order(costs: Mapping[Work, float]) -> list[list[Work]]:
    """Deal work, with its seconds, into batches that run one after the other on all cores, the longest work first."""
    work = sorted(costs, key=lambda work: costs[work], reverse=True)
    return [work[first : first + LOCAL_CELLS] for first in range(0, len(work), LOCAL_CELLS)]


def deal(costs: Mapping[Work, float], slots: int) -> list[list[Work]]:
    """Deal work into batches by guided self-scheduling (Polychronopoulos and Kuck, 1987).

    Each batch takes a share of the remaining work: large batches first, so that there are few starts, and short ones
    last, so that all slots end together. Long work goes first. ``costs`` are the work's seconds, ``slots`` the number
    of batches that run at a time. A batch takes `CLUSTER_SECONDS`, as far as single pieces of work allow.
    """
    shortest, longest = CLUSTER_SECONDS
    left = sum(costs.values())
    least = max(shortest, left / MOST_JOBS)
    jobs: list[list[Work]] = []
    job: list[Work] = []
    size, share = 0.0, None
    for work in sorted(costs, key=lambda work: costs[work], reverse=True):
        share = share or max(least, min(longest, left / (4 * slots)))
        job.append(work)
        size += costs[work]
        if size >= share:
            jobs.append(job)
            left -= size
            job, size, share = [], 0.0, None
    return [*jobs, job] if job else jobs
