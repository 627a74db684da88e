# SPDX-License-Identifier: MIT
"""How many cells a job takes: few when they are long, many when they are short."""

# The least and the most that a job takes: it is worth its start, and the others need not wait for it long. A start is a
# Python here; on a cluster it is two Snakemakes and the scheduler's round.
LOCAL_SECONDS = (4, 300)
CLUSTER_SECONDS = (120, 900)
MOST_JOBS = 2000  # Snakemake plans a job in about 2 ms


def deal(costs, slots, seconds=LOCAL_SECONDS):
    """Deal work into jobs by guided self-scheduling (Polychronopoulos and Kuck, 1987).

    Each job takes a share of what is left, so that starts are few while all slots are busy anyway, and they end
    together. Long work goes first.

    Parameters
    ----------
    costs : dict
        Work to its seconds.
    slots : int
        How many jobs run at a time.
    seconds : (float, float)
        The least and the most that a job takes, as far as a cell of work allows.

    Returns
    -------
    list of list
        The work of each job.
    """
    left = sum(costs.values())
    least = max(seconds[0], left / MOST_JOBS)
    jobs, job, size = [], [], 0.0
    share = None
    for work in sorted(costs, key=costs.get, reverse=True):
        share = share or max(least, min(seconds[1], left / (4 * slots)))
        job.append(work)
        size += costs[work]
        if size >= share:
            jobs.append(job)
            left -= size
            job, size, share = [], 0.0, None
    return [*jobs, job] if job else jobs
