# SPDX-License-Identifier: MIT
"""Lock a sweep for this run of Snakemake, clean up after killed runs, and plan the remaining work.

No run waits for the jobs that a killed run left in SLURM's queue, so the next run cancels them.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NoReturn

from tcpsweep.core.plan import plan, plan_words
from tcpsweep.core.plan.plan_record import Plan, Workers
from tcpsweep.core.store import cell_files, claims, layout, locks, removal, snakemake_files, state_files
from tcpsweep.core.words import control_characters
from tcpsweep.core.words.user_error import UserError
from tcpsweep.core.workflow.snakemake_api import Invocation

# This environment variable has each sweep file's sweep and run, in JSON, for a job on another machine. Snakemake passes
# it on (`envvars:`).
PLANNED = "TCPSWEEP_PLANNED"

_KINDS = ("simulate", "parse", "measure")
# SLURM's KillWait is 30 s by default: then it kills processes that have not ended.
PATIENCE_S = 60


def planned(sweep_file: Path, asked: Invocation, temporary: Path) -> tuple[Plan, list[Any]]:
    """The plan of a sweep file, and this run's locks, which hold as long as the list of them exists.

    A job on another machine plans nothing: it needs only its plan file, and the sweep file may have changed in the
    meantime. Linting plans nothing either. ``temporary`` is the temporary folder of this Snakemake.
    """
    held: list[Any] = []
    try:
        if asked.is_linted:
            return plan.without_work(sweep_file), held
        if not asked.is_main:
            return plan.outline(*_submitted_sweeps()[str(sweep_file.absolute())]), held
        if asked.runs and (why := locks.why_alone()):
            tell(f"tcpsweep: only one run at a time can use results/: {why}")
        if asked.runs:
            check_reports()
        return _planned_under_locks(sweep_file, asked, temporary, held), held
    except UserError as error:
        stop(error if asked.is_main else f"tcpsweep: {error}")
    except KeyboardInterrupt:
        stop("\ninterrupted")


def check_reports() -> None:
    """Raise `UserError` if the report of a sweep cannot be written, before anything is simulated."""
    place = layout.REPORTS if layout.REPORTS.is_dir() else Path.cwd()
    if not os.access(place, os.W_OK | os.X_OK, effective_ids=True):
        raise UserError(
            f"{layout.REPORTS.absolute()} cannot be written, and the report goes there: make it a folder, or a link to "
            "one, in which you may write"
        )


def _planned_under_locks(sweep_file: Path, asked: Invocation, temporary: Path, held: list[Any]) -> Plan:
    """Make the plan and describe it on the terminal. A dry run goes on without a lock that another run holds."""

    def hold(lock: Callable[[], AbstractContextManager[object]]) -> bool:
        try:
            held.append(lock())
        except locks.Busy as error:
            if asked.runs:
                stop(f"tcpsweep: {error}")
            return False
        return True

    def lock_sweep(sweep: str) -> bool:
        if not (has_locks and hold(lambda: locks.sweep(sweep))):
            return False
        _clean_up(sweep, asked, temporary)
        return True

    has_locks = hold(locks.programs) and hold(lambda: locks.store(holder=f"the run of {sweep_file}"))
    prepared = plan.prepare(
        sweep_file,
        Workers(
            asked.slots, asked.on_cluster, asked.batch_cores if asked.on_cluster else asked.cores, asked.batch_cores
        ),
        lock=lock_sweep,
        runs=asked.runs,
    )
    run = secrets.token_hex(8)
    if asked.runs and asked.on_cluster:
        layout.submitted(prepared.sweep.name).write_text(run, encoding="utf-8")
    os.environ[PLANNED] = json.dumps(_submitted_sweeps() | {str(sweep_file.absolute()): (prepared.sweep.name, run)})
    tell(plan_words.describe(prepared))
    if asked.lists:
        tell(plan_words.cells(prepared))
    return prepared


def _submitted_sweeps() -> dict[str, tuple[str, str]]:
    """Each sweep file to the name of its sweep and the run that submitted this process or will submit jobs."""
    sweeps: dict[str, tuple[str, str]] = json.loads(os.environ.get(PLANNED, "{}"))
    return sweeps


def _clean_up(sweep: str, asked: Invocation, temporary: Path) -> None:
    """Clean up after killed runs of a sweep. The caller holds its lock."""
    if asked.runs and (asked.on_cluster or layout.submitted(sweep).is_file()):
        _cancel_jobs(sweep)
    if not locks.why_alone():  # otherwise the next job with such a cell cleans up
        claims.clear()
    if asked.runs:
        locks.await_steps(sweep)
        snakemake_files.bring_back_times(sweep)
        for words in cell_files.clear_damaged():
            tell(f"tcpsweep: {words}")
        is_only_run = asked.folder == Path() and locks.is_only_run()  # elsewhere, other folders' runs are not known
        with contextlib.chdir(asked.started_in):
            snakemake_files.clear(sweep, is_only_run, asked.folder)
        snakemake_files.note_temporary(sweep, temporary)


def _cancel_jobs(sweep: str) -> None:
    """Cancel the jobs that a killed run left in SLURM's queue, because the new plan has their cells again."""
    if shutil.which("squeue"):
        try:
            left = cancel_jobs_in_queue(Path.cwd(), sweep)
        except Unreachable as error:
            if layout.submitted(sweep).is_file():
                stop(f"tcpsweep: {error}")
            left = 0  # no run was killed, and jobs may go to another scheduler
        if left:
            tell(f"tcpsweep: cancelled {left} job{'s' * (left > 1)} that an earlier run left in the queue")
        if locks.why_alone():
            claims.clear(nobody_works=True)
    removal.remove(layout.submitted(sweep))


class Unreachable(UserError):
    """SLURM does not answer. The user reads the message."""


def cancel_jobs_in_queue(folder: Path | str, sweep: str) -> int:
    """Cancel this user's jobs of a sweep whose results are in a folder, and wait until they have ended.

    The caller holds `locks.sweep` there, so no run waits for these jobs any more. Their finished cells stay. Returns
    the number of jobs that were in the queue. Raises `Unreachable`.
    """
    jobs = _jobs_in_queue(folder, sweep)
    if not jobs:
        return 0
    with contextlib.suppress(Unreachable):  # it also fails if a job has just ended: ask the queue
        _output_of("scancel", *jobs)
    end = time.monotonic() + PATIENCE_S
    while left := sorted(set(jobs) & set(_jobs_in_queue(folder, sweep))):
        if time.monotonic() > end:
            raise Unreachable(
                f"jobs of an earlier run do not end: {' '.join(left)}; cancel them with `scancel`, wait until "
                "`squeue --me` does not list them, or ask the cluster's administrators; then start again"
            )
        time.sleep(0.5)
    return len(jobs)


def _jobs_in_queue(folder: Path | str, sweep: str) -> list[str]:
    """The ids of the jobs that are waiting, running, or ending.

    All jobs of a run have the name in `layout.submitted`, if the run has come so far. Batches are also known by their
    comments, which Snakemake's executor writes in this form, and by the folder that they were submitted in. The name
    of a batch's plan file is unique to its sweep.
    """
    submit_folder = Path(folder).resolve()
    submitted = submit_folder / layout.submitted(sweep)
    names = (state_files.read_text(submitted) or "").splitlines()[1:]
    comments = {
        f"rule_{kind}_wildcards_{plan.stem}"
        for kind in _KINDS
        for plan in (submit_folder / layout.stamp(sweep, kind, "any")).parent.glob("*.json")
    }
    queue = _output_of("squeue", "--me", "--noheader", "--format=%i|%j|%k|%Z").splitlines()
    return [
        job
        for job, name, comment, job_folder in (line.split("|", 3) for line in queue)
        if name in names or (comment in comments and Path(job_folder).resolve() == submit_folder)
    ]


def _output_of(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    except subprocess.TimeoutExpired:
        raise Unreachable(f"{command[0]} does not answer") from None
    if done.returncode:
        raise Unreachable(f"{command[0]} failed: {done.stderr.strip()}")
    return done.stdout


def stop(message: object) -> NoReturn:
    """End Snakemake with a message and without a traceback."""
    tell(str(message))
    sys.exit(1)


def tell(message: str) -> None:
    """Print a line on standard error, at once, with escapes in place of characters that a terminal obeys."""
    print(control_characters.escaped(message), file=sys.stderr, flush=True)
