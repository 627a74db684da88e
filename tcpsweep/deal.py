# SPDX-License-Identifier: MIT
"""How many cells a job takes: few when they are long, many when they are short."""

LEAST_SECONDS, MOST_SECONDS = 4, 60
MOST_JOBS = 2000  # Snakemake plans a job in about 2 ms


def deal(costs, cores):
    """Deal work into jobs by guided self-scheduling (Polychronopoulos and Kuck, 1987).

    Each job takes a share of what is left, so that starts are few while all cores are busy anyway, and the cores end
    together. Long work goes first.

    Parameters
    ----------
    costs : dict
        Work to its seconds.
    cores : int

    Returns
    -------
    list of list
        The work of each job.
    """
    left = sum(costs.values())
    least = max(LEAST_SECONDS, left / MOST_JOBS)
    jobs, job, size = [], [], 0.0
    share = None
    for work in sorted(costs, key=costs.get, reverse=True):
        share = share or max(least, min(MOST_SECONDS, left / (4 * cores)))
        job.append(work)
        size += costs[work]
        if size >= share:
            jobs.append(job)
            left -= size
            job, size, share = [], 0.0, None
    return [*jobs, job] if job else jobs
