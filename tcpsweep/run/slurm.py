# SPDX-License-Identifier: MIT
"""Cancel the jobs that a killed run left in SLURM's queue: no run waits for them, and the next run takes over."""

import contextlib
import subprocess
import time
from pathlib import Path

from tcpsweep.store import layout
from tcpsweep.words.user_error import UserError

_KINDS = ("simulate", "parse", "measure")
# SLURM's KillWait is 30 s by default: then it kills processes that have not ended.
PATIENCE_S = 60


class Unreachable(UserError):
    """SLURM does not answer. The user reads the message."""


def cancel_jobs_in_queue(folder: Path | str, sweep: str) -> int:
    """Cancel this user's jobs of a sweep that were submitted from a folder, and wait until they have ended.

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
    """The ids of the jobs that are waiting, running, or ending."""
    here = Path(folder).resolve()
    # Snakemake's executor writes job comments in this form. The name of a job's plan file is unique to its sweep.
    known = {
        f"rule_{kind}_wildcards_{plan.stem}"
        for kind in _KINDS
        for plan in (here / layout.stamp(sweep, kind, "any")).parent.glob("*.json")
    }
    rows = [line.split("|", 2) for line in _output_of("squeue", "--me", "--noheader", "--format=%i|%k|%Z").splitlines()]
    return [job for job, comment, where in rows if comment in known and Path(where).resolve() == here]


def _output_of(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    except subprocess.TimeoutExpired:
        raise Unreachable(f"{command[0]} does not answer") from None
    if done.returncode:
        raise Unreachable(f"{command[0]} failed: {done.stderr.strip()}")
    return done.stdout
