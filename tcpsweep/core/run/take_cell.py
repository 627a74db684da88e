# SPDX-License-Identifier: MIT
"""Take a cell of a job in a worker: claim it, make its results, or record why it failed.

It loads polars, so that only workers import it.
"""

from __future__ import annotations

import contextlib
import shlex
import sys
import traceback
from typing import TextIO

from tcpsweep.core.run.job import Job, Outcome
from tcpsweep.core.run.run_cell import CellFailed, CellTask, LimitExceeded, run_cell
from tcpsweep.core.store import claims, layout, removal
from tcpsweep.core.sweep.job_plan import JobPlan, PlannedCell
from tcpsweep.core.words import rounding


class _NotBegun(LimitExceeded):
    """A cell has no result because other cells used up the job's time."""


def take(job: Job, cell: PlannedCell) -> Outcome:
    """Make a cell's results, unless they exist or another run works on it. If the cell fails, record why.

    Existing raw files are parsed and not simulated again. A job to simulate ``again`` replaces existing results as
    soon as it has new ones.
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
    return not plan.again and all(
        layout.is_whole(layout.measured(cell.id, plan.parser, measure)) for measure in cell.measures
    )


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
        expected=(cell.kind, cell.estimated),
        keep_raw=keep_raw,
        scratch=None if keep_raw else job.scratch,
        limit=limit,
        may_fork=True,
        inputs=cell.inputs,
        again=plan.again,
    )


def _outcome(job: Job, cell: PlannedCell, command: list[str], error: Exception) -> Outcome:
    """The outcome of a cell that failed. Record the failure unless the cell is tried again."""
    if isinstance(error, MemoryError) and job.limit.job_bytes is not None:
        error = LimitExceeded("parsing needs more memory than the job has")
    reason = str(error) if isinstance(error, CellFailed | OSError) else traceback.format_exc()
    if isinstance(error, LimitExceeded):
        cell_time, job_time = (rounding.time_text(seconds) for seconds in (cell.seconds, job.plan.seconds))
        memory = rounding.bytes_text(job.plan.memory)
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
    """Write to the job's log at once, because others write to it too. A full disk must not end the other cells.

    The line goes out in one piece: `print` may write its end by itself, after another process's line.
    """
    with contextlib.suppress(OSError):
        log.write(f"{text}\n")
        log.flush()
