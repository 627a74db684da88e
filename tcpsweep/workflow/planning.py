# SPDX-License-Identifier: MIT
"""Lock a sweep for this run of Snakemake, take over what killed runs left, and plan what is left to do."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from tcpsweep.plan import plan, plan_words
from tcpsweep.plan.plan_record import Plan
from tcpsweep.run import slurm
from tcpsweep.store import cell_files, claims, file_times, layout, run_lock, snakemake_files
from tcpsweep.words.user_error import UserError
from tcpsweep.workflow.snakemake_api import Invocation
from tcpsweep.workflow.stop import stop, tell

# Names the sweep in the environment of a job on another machine, which Snakemake hands on (`envvars:`).
PLANNED = "TCPSWEEP_PLANNED"


def planned(sweep_file: Path, asked: Invocation, temporary: Path) -> tuple[Plan, list[Any]]:
    """The plan of a sweep file, and the locks that this run holds as long as they are referred to.

    A job on another machine plans nothing: its plan file says all that it needs, and the sweep file may have changed
    meanwhile. Linting plans nothing either. ``temporary`` is the temporary folder of this Snakemake.
    """
    locks: list[Any] = []
    try:
        if asked.is_linted:
            return plan.without_work(sweep_file), locks
        if not asked.is_main:
            return plan.outline(os.environ.get(PLANNED, "")), locks
        if asked.runs and (why := run_lock.is_alone()):
            tell(f"tcpsweep: results/ takes one run at a time, as {why}")
        return _planned_under_locks(sweep_file, asked, temporary, locks), locks
    except UserError as error:
        stop(error if asked.is_main else f"tcpsweep: {error}")
    except KeyboardInterrupt:
        stop("\ninterrupted")


def _planned_under_locks(sweep_file: Path, asked: Invocation, temporary: Path, locks: list[Any]) -> Plan:
    """The plan, described on the terminal; a dry run goes on without a lock that another run holds."""

    def hold(lock: Callable[[], AbstractContextManager[object]]) -> bool:
        try:
            locks.append(lock())
        except run_lock.Busy as error:
            if asked.runs:
                stop(f"tcpsweep: {error}")
            return False
        return True

    def begin(sweep: str) -> bool:
        if not (shares and hold(lambda: run_lock.sweep(sweep))):
            return False
        _take_over(sweep, asked, temporary)
        return True

    shares = hold(run_lock.programs) and hold(lambda: run_lock.store(holder=f"the run of {sweep_file}"))
    found = plan.prepare(sweep_file, asked.slots, asked.on_cluster, lock=begin, cores=asked.cores)
    if asked.runs and asked.on_cluster and any(found.jobs.values()):
        layout.submitted(found.sweep.name).touch()
    os.environ[PLANNED] = found.sweep.name
    tell(plan_words.describe(found))
    if asked.lists:
        tell(plan_words.cells(found))
    return found


def _take_over(sweep: str, asked: Invocation, temporary: Path) -> None:
    """Clear what killed runs of a sweep left; the caller has its lock."""
    if asked.runs and (asked.on_cluster or layout.submitted(sweep).is_file()):
        _cancel_jobs(sweep)
    if not run_lock.is_alone():  # else the next job with a killed job's cell clears what that left
        claims.clear()
    if asked.runs:
        run_lock.await_steps(sweep)
        file_times.bring_back(sweep)
        for words in cell_files.clear_damaged():
            tell(f"tcpsweep: {words}")
        snakemake_files.clear(sweep, run_lock.is_only_run())
        snakemake_files.note_temporary(sweep, temporary)


def _cancel_jobs(sweep: str) -> None:
    """Cancel the jobs that a killed run of the sweep left in SLURM's queue, because their cells are planned again."""
    if shutil.which("squeue"):
        try:
            left = slurm.cancel_jobs_in_queue(Path.cwd(), sweep)
        except slurm.Unreachable as error:
            if layout.submitted(sweep).is_file():
                stop(f"tcpsweep: {error}")
            left = 0  # no run was killed, and jobs may go to another scheduler
        if left:
            tell(f"tcpsweep: cancelled {left} job{'s' * (left > 1)} that an earlier run left in the queue")
        if run_lock.is_alone():
            claims.clear(nobody_works=True)
    layout.submitted(sweep).unlink(missing_ok=True)
