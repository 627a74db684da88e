# SPDX-License-Identifier: MIT
"""Run the cells of a job in a pool of processes, and go on to the next cell if one fails."""

from __future__ import annotations

import functools
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from tcpsweep.run import real_time, worker_pool
from tcpsweep.run.job import Job, Outcome
from tcpsweep.run.limits import JobLimits
from tcpsweep.store import claims, layout
from tcpsweep.sweep import job_plan
from tcpsweep.sweep.job_plan import PlannedCell


def run(
    plan_file: Path | str,
    limit: JobLimits | None = None,
    scratch: Path | str | None = None,
    workers: int = 1,
    under: int | None = None,
) -> None:
    """Bring the cells of a plan file, the job's `JobPlan`, to Parquet.

    Skip a cell that has its metrics; only parse one that has its raw files. Leave a cell to another run that works on
    it, and come back to it at the end. A cell that fails leaves its log in `results/failed/` and stays missing. If a
    cell needs more than the job has, the job fails at its end instead, unless this is the last attempt. A cell for
    which no time is left has not failed: it stays missing without a log.

    Raw files that nobody wants to keep are written to ``scratch``, instead of `results/raw/`. Several workers take the
    cells in the plan's order. They begin no more once `job_plan.stop_file` is there, or the process ``under`` has
    ended. Raises `SystemExit` if cells need more than the job has, or their processes were killed.
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _end)
    plan = job_plan.read(plan_file)
    job = Job(replace(plan, cells=[]), limit or JobLimits(), scratch)
    may_begin = worker_pool.until(job_plan.stop_file(plan_file), under)
    too_large, lost = 0, []
    for cells, count in real_time.groups(plan.cells, workers):
        more, killed = _run_group(job, cells, count, may_begin)
        too_large += more
        lost += killed
    if lost:
        ids = ", ".join(cell.id for cell in lost)
        sys.exit(f"processes were ended while they were at these cells, which the next run takes again: {ids}")
    if too_large:
        sys.exit(f"{too_large} of the job's cells need more than it has; it has to be tried again with more")


def _end(number: int, frame: object) -> None:
    """End this process in order, and only once: further signals must not disturb what it removes meanwhile."""
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda number, frame: None)  # SIG_IGN would have Python complain of one that is on its way
    sys.exit(128 + number)


def _run_group(
    job: Job, cells: Sequence[PlannedCell], count: int, may_begin: Callable[[], bool]
) -> tuple[int, list[PlannedCell]]:
    """Run cells, ``count`` at a time; how many need more than the job has, and those whose processes were killed."""
    too_large, lost = 0, []
    while cells:
        done, killed = worker_pool.run(cells, count, functools.partial(_take, job), may_begin, _was_killed)
        lost += killed
        too_large += sum(outcome is Outcome.TOO_LARGE for _, outcome in done)
        cells = [cell for cell, outcome in done if outcome is Outcome.ELSEWHERE]
        while cells and all(claims.is_held(cell.id) for cell in cells):
            if not may_begin() or job.limit.is_over():
                print("\n".join(f"{cell.id}\nnot begun: another run is at it" for cell in cells), flush=True)
                return too_large + (0 if job.limit.last else len(cells)), lost
            time.sleep(claims.PAUSE_S)
    return too_large, lost


def _take(job: Job, cell: PlannedCell) -> Outcome:
    # The parent process must not load polars: it starts threads, which a fork would lack.
    from tcpsweep.run import take_cell

    return take_cell.take(job, cell)


def _was_killed(cell: PlannedCell) -> bool:
    """Whether a worker was killed while it had a cell: its claim stays, and nobody holds it."""
    return (layout.CLAIMS / cell.id).exists() and not claims.is_held(cell.id)
