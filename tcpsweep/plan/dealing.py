# SPDX-License-Identifier: MIT
"""How many cells a job takes: few when they are long, many when they are short."""

from collections.abc import Hashable, Mapping
from typing import TypeVar

Work = TypeVar("Work", bound=Hashable)

# The least and the most seconds of a job on a cluster: long enough to be worth its start, which means two Snakemakes
# and the scheduler's round, short enough that nobody waits long for the last one.
CLUSTER_SECONDS = (120, 900)
MOST_JOBS = 2000  # Snakemake plans a job in about 2 ms
# On this machine, a job has all cores, and these wait for each other only at its end. Each process holds its plan.
LOCAL_CELLS = 20_000


def in_order(costs: Mapping[Work, float]) -> list[list[Work]]:
    """Deal work, with its seconds, into jobs that run one after the other, each on all cores: the longest first."""
    work = sorted(costs, key=lambda work: costs[work], reverse=True)
    return [work[first : first + LOCAL_CELLS] for first in range(0, len(work), LOCAL_CELLS)]


def deal(costs: Mapping[Work, float], slots: int, seconds: tuple[float, float] = CLUSTER_SECONDS) -> list[list[Work]]:
    """Deal work into jobs by guided self-scheduling (Polychronopoulos and Kuck, 1987).

    Each job takes a share of the work that is left: few starts while all slots are busy anyway, and short jobs last, so
    that all slots end together. Long work goes first. ``costs`` are the work's seconds, ``slots`` the number of jobs
    that run at a time, ``seconds`` the least and the most that a job takes, as far as its single pieces of work allow.
    """
    left = sum(costs.values())
    least = max(seconds[0], left / MOST_JOBS)
    jobs: list[list[Work]] = []
    job: list[Work] = []
    size, share = 0.0, None
    for work in sorted(costs, key=lambda work: costs[work], reverse=True):
        share = share or max(least, min(seconds[1], left / (4 * slots)))
        job.append(work)
        size += costs[work]
        if size >= share:
            jobs.append(job)
            left -= size
            job, size, share = [], 0.0, None
    return [*jobs, job] if job else jobs
