# SPDX-License-Identifier: MIT
"""Run the cells of a job in a pool of processes. If one fails, go on to the next cell.

A worker claims a cell and makes its results, or records why it failed.
"""

from __future__ import annotations

import functools
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from tcpsweep.core.run import worker_pool
from tcpsweep.core.run.job import Job, Outcome
from tcpsweep.core.run.limits import JobLimits
from tcpsweep.core.store import claims, layout
from tcpsweep.core.sweep import job_plan
from tcpsweep.core.sweep.job_plan import PlannedCell


def run(
    plan_file: Path | str,
    limit: JobLimits | None = None,
    scratch: Path | str | None = None,
    workers: int = 1,
    under: int | None = None,
    only: str | None = None,
) -> None:
    """Make the Parquet files and metrics of the cells in a plan file, which holds the job's `JobPlan`.

    Skip a cell that has its metrics. Only parse a cell that has its raw files. If another run works on a cell, leave
    the cell to it and check again at the end. A failed cell leaves its log in `results/failed/` and stays missing. If a
    cell needs more than the job's limits, the job fails at its end instead, unless this is the last attempt. If no time
    is left for a cell, it stays missing without a log, because it has not failed.

    Raw files that are not kept are written to ``scratch`` instead of `results/raw/`. ``workers`` processes take the
    cells in the plan's order. They begin no further cell after `job_plan.stop_file` has appeared or the process
    ``under`` has ended. ``only`` names a cell, which is made again if it exists, and all others are left out. Raises
    `SystemExit` if cells need more than the job's limits, if their processes were killed, or if a cell failed that was
    to be made again.
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _end)
    plan = job_plan.read(plan_file)
    job = Job(replace(plan, cells=[], again=plan.again or only is not None), limit or JobLimits(), scratch)
    may_begin = worker_pool.until(job_plan.stop_file(plan_file), under)
    cells = [cell for cell in plan.cells if only in (None, cell.id)]
    too_large, lost = _run(job, cells, workers, may_begin)
    if lost:
        ids = ", ".join(cell.id for cell in lost)
        sys.exit(f"processes were killed while they ran these simulations; the next run repeats them: {ids}")
    if too_large:
        sys.exit(f"{too_large} of the job's simulations need more memory or time than it has; retry it with more")
    logs = [log for cell in cells if (log := layout.FAILED / cell.id / "log.txt").is_file()]
    if job.plan.again and logs:  # no later rule would fail, because earlier results stay
        more = f", and {len(logs) - 1} more" if logs[1:] else ""
        sys.exit(f"{logs[0].parent.name} failed; its log: {logs[0]}{more}")


def _end(number: int, frame: object) -> None:
    """End this process in order, and only once: further signals must not interrupt its cleaning up."""
    for ending in (signal.SIGTERM, signal.SIGINT):
        signal.signal(ending, lambda number, frame: None)  # with SIG_IGN, Python complains about a pending signal
    sys.exit(128 + number)


def _run(
    job: Job, cells: Sequence[PlannedCell], count: int, may_begin: Callable[[], bool]
) -> tuple[int, list[PlannedCell]]:
    """Run cells, ``count`` at a time.

    Returns how many need more than the job's limits, and the cells whose processes were killed.
    """
    too_large, killed_cells = 0, []
    while cells:
        outcomes, killed = worker_pool.run(cells, count, functools.partial(_take, job), may_begin, _was_killed)
        killed_cells += killed
        too_large += sum(outcome is Outcome.TOO_LARGE for _, outcome in outcomes)
        cells = [cell for cell, outcome in outcomes if outcome is Outcome.ELSEWHERE]
        while cells and all(claims.is_held(cell.id) for cell in cells):
            if not may_begin() or job.limit.is_over():
                print("\n".join(f"{cell.id}\nnot begun: another run works on it" for cell in cells), flush=True)
                return too_large + (0 if job.limit.last else len(cells)), killed_cells
            time.sleep(claims.PAUSE_S)
    return too_large, killed_cells


def _take(job: Job, cell: PlannedCell) -> Outcome:
    # The parent process must not load polars: it starts threads, which a fork would lack.
    from tcpsweep.core.run import take_cell

    return take_cell.take(job, cell)


def _was_killed(cell: PlannedCell) -> bool:
    """Whether a worker was killed while it had a cell: the claim's file exists, but no process holds it."""
    return (layout.CLAIMS / cell.id).exists() and not claims.is_held(cell.id)
