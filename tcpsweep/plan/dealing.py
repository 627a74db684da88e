# SPDX-License-Identifier: MIT
"""How many cells a job takes: few when they are long, many when they are short."""

from collections.abc import Hashable, Mapping
from typing import TypeVar

Work = TypeVar("Work", bound=Hashable)

# The least and the most seconds of a job: long enough to be worth its start, short enough that nobody waits long for
# the last one. Starting a job means one Python here; on a cluster, two Snakemakes and the scheduler's round.
LOCAL_SECONDS = (4, 300)
CLUSTER_SECONDS = (120, 900)
MOST_JOBS = 2000  # Snakemake plans a job in about 2 ms


def deal(costs: Mapping[Work, float], slots: int, seconds: tuple[float, float] = LOCAL_SECONDS) -> list[list[Work]]:
    """Deal work into jobs by guided self-scheduling (Polychronopoulos and Kuck, 1987).

    Each job takes a share of the work that is left: few starts while all slots are busy anyway, and short jobs last, so
    that all slots end together. Long work goes first.

    Parameters
    ----------
    costs : dict
        Work to its seconds.
    slots : int
        How many jobs run at a time.
    seconds : (float, float)
        The least and the most that a job takes, as far as its single pieces of work allow.

    Returns
    -------
    list of list
        The work of each job.
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
