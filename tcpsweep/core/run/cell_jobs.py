# SPDX-License-Identifier: MIT
"""Run the cells of a job in a pool of processes. If one fails, go on to the next cell.

A worker claims a cell and makes its results, or records why it failed.
"""

from __future__ import annotations

import contextlib
import functools
import shlex
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from tcpsweep.core.run import worker_pool
from tcpsweep.core.run.job import Job, Outcome
from tcpsweep.core.run.limits import JobLimits
from tcpsweep.core.run.run_cell import CellFailed, CellTask, LimitExceeded, run_cell
from tcpsweep.core.store import claims, layout, removal
from tcpsweep.core.sweep import job_plan
from tcpsweep.core.sweep.job_plan import JobPlan, PlannedCell
from tcpsweep.core.words import sizes_and_times


def run(
    plan_file: Path | str,
    limit: JobLimits | None = None,
    scratch: Path | str | None = None,
    workers: int = 1,
    under: int | None = None,
) -> None:
    """Make the Parquet files and metrics of the cells in a plan file, which holds the job's `JobPlan`.

    Skip a cell that has its metrics. Only parse a cell that has its raw files. If another run works on a cell, leave
    the cell to it and check again at the end. A failed cell leaves its log in `results/failed/` and stays missing. If a
    cell needs more than the job's limits, the job fails at its end instead, unless this is the last attempt. If no time
    is left for a cell, it stays missing without a log, because it has not failed.

    Raw files that are not kept are written to ``scratch`` instead of `results/raw/`. ``workers`` processes take the
    cells in the plan's order. They begin no further cell after `job_plan.stop_file` has appeared or the process
    ``under`` has ended. Raises `SystemExit` if cells need more than the job's limits, or their processes were killed.
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _end)
    plan = job_plan.read(plan_file)
    job = Job(replace(plan, cells=[]), limit or JobLimits(), scratch)
    may_begin = worker_pool.until(job_plan.stop_file(plan_file), under)
    too_large, lost = _run(job, plan.cells, workers, may_begin)
    if lost:
        ids = ", ".join(cell.id for cell in lost)
        sys.exit(f"processes were killed while they ran these simulations; the next run repeats them: {ids}")
    if too_large:
        sys.exit(f"{too_large} of the job's simulations need more memory or time than it has; retry it with more")


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
        outcomes, killed = worker_pool.run(cells, count, functools.partial(take, job), may_begin, _was_killed)
        killed_cells += killed
        too_large += sum(outcome is Outcome.TOO_LARGE for _, outcome in outcomes)
        cells = [cell for cell, outcome in outcomes if outcome is Outcome.ELSEWHERE]
        while cells and all(claims.is_held(cell.id) for cell in cells):
            if not may_begin() or job.limit.is_over():
                print("\n".join(f"{cell.id}\nnot begun: another run works on it" for cell in cells), flush=True)
                return too_large + (0 if job.limit.last else len(cells)), killed_cells
            time.sleep(claims.PAUSE_S)
    return too_large, killed_cells


def _was_killed(cell: PlannedCell) -> bool:
    """Whether a worker was killed while it had a cell: the claim's file exists, but no process holds it."""
    return (layout.CLAIMS / cell.id).exists() and not claims.is_held(cell.id)


class _NotBegun(LimitExceeded):
    """A cell has no result because other cells used up the job's time."""


def take(job: Job, cell: PlannedCell) -> Outcome:
    """Make a cell's results, unless they exist or another run works on it. If the cell fails, record why.

    Existing raw files are parsed and not simulated again.
    """
    if _is_finished(job.plan, cell):
        return Outcome.ENDED
    with claims.claimed(cell.id) as hindrance:
        if isinstance(hindrance, BlockingIOError):
            return Outcome.ELSEWHERE
        if _is_finished(job.plan, cell):  # another run has finished it in the meantime
            return Outcome.ENDED
        _log(cell.id, sys.stdout)
        command = [job.plan.binary, *cell.arguments]
        try:
            if hindrance:
                raise hindrance
            run_cell(_task(job, cell, command))
        except Exception as error:  # any error concerns only this cell: the others go on
            return _outcome(job, cell, command, error)
        with contextlib.suppress(OSError):
            removal.remove(layout.FAILED / cell.id)
        return Outcome.ENDED


def _is_finished(plan: JobPlan, cell: PlannedCell) -> bool:
    return all(layout.is_whole(layout.measured(cell.id, plan.parser, measure)) for measure in cell.measures)


def _task(job: Job, cell: PlannedCell, command: list[str]) -> CellTask:
    limit = job.limit.simulator(cell.seconds / job.plan.seconds)
    if limit.seconds == 0:
        raise _NotBegun("not begun because no time was left in the job")
    plan = job.plan
    keep_raw = plan.keep_raw or layout.is_raw_kept(cell.id)  # existing raw files were kept on purpose
    return CellTask(
        cell=cell.id,
        command=command,
        parser=plan.parser,
        decoder=plan.decoder,
        measures=cell.measures,
        estimated=cell.estimated,
        keep_raw=keep_raw,
        scratch=None if keep_raw else job.scratch,
        limit=limit,
        may_fork=True,
        inputs=cell.inputs,
    )


def _outcome(job: Job, cell: PlannedCell, command: list[str], error: Exception) -> Outcome:
    """The outcome of a cell that failed. Record the failure unless the cell is tried again."""
    if isinstance(error, MemoryError) and job.limit.job_bytes is not None:
        error = LimitExceeded("parsing needs more memory than the job has")
    reason = str(error) if isinstance(error, CellFailed | OSError) else traceback.format_exc()
    if isinstance(error, LimitExceeded):
        cell_time, job_time = (sizes_and_times.time_text(seconds) for seconds in (cell.seconds, job.plan.seconds))
        memory = sizes_and_times.bytes_text(job.plan.memory)
        reason += (
            f"\nEstimate: {cell_time} for this simulation, {job_time} for all of the job, up to {memory} of memory."
        )
    _log(reason, sys.stderr)
    if isinstance(error, LimitExceeded) and not job.limit.last:
        return Outcome.TOO_LARGE
    if not isinstance(error, _NotBegun):
        _record_failure(cell.id, command, reason)
    return Outcome.ENDED


def _record_failure(cell: str, command: list[str], reason: str) -> None:
    try:
        folder = layout.FAILED / cell
        removal.remove(folder)
        folder.mkdir(parents=True)
        (folder / "log.txt").write_text(f"{shlex.join(command)} --out=DIR\n{reason}\n", encoding="utf-8")
    except OSError as error:
        _log(f"{cell}: the failure could not be recorded: {error}", sys.stderr)


def _log(text: str, log: TextIO) -> None:
    """Write to the job's log at once, because others write to it too. A full disk must not end the other cells."""
    with contextlib.suppress(OSError):
        print(text, file=log, flush=True)
