# SPDX-License-Identifier: MIT
"""How many cells a job takes: few when they are long, many when they are short, ever fewer towards the end."""

from tcpsweep import units

SECONDS_PER_PACKET = 5e-5  # ns-3 3.44 from its wheel with all traces, on one core of a common server
SECONDS_PER_CELL = 0.3  # a simulator's start, and writing its Parquet
LEAST_SECONDS, MOST_SECONDS = 4, 60
MOST_JOBS = 2000  # Snakemake plans a job in about 2 ms


def estimate(row):
    """The CPU seconds that one run of a combination takes, roughly: each packet of the bottleneck costs the same."""
    link_bytes = units.si(row["bandwidth"], "rate") / 8 * units.si(row["duration"], "time")
    asked = row["bytes"] if isinstance(row["bytes"], list) else [row["bytes"]]
    if all(asked):
        link_bytes = min(link_bytes, sum(asked[i % len(asked)] for i in range(row["flows"])))
    packets = link_bytes / (row["segment_size"] + 54)
    return SECONDS_PER_CELL + SECONDS_PER_PACKET * packets


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
