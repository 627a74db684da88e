# SPDX-License-Identifier: MIT
"""Cancel the jobs that a killed run left in SLURM's queue: nobody waits for them, and the next run takes over."""

import contextlib
import subprocess
import time
from pathlib import Path

from tcpsweep.store import layout
from tcpsweep.words.user_error import UserError

_KINDS = ("simulate", "parse", "measure")
# SLURM's KillWait is 30 s by default: what does not end by itself is killed then.
PATIENCE_S = 60


class Unreachable(UserError):
    """SLURM does not answer; the user reads it."""


def cancel_jobs_in_queue(folder: Path | str, sweep: str) -> int:
    """Cancel this user's jobs of a sweep's cells that were submitted in a folder, and wait until they have ended.

    The caller holds `run_lock.sweep` there, so no run waits for these jobs any more. Cells that they finished stay.
    Returns the number of jobs that were left. Raises `Unreachable`.
    """
    jobs = _jobs_in_queue(folder, sweep)
    if not jobs:
        return 0
    with contextlib.suppress(Unreachable):  # it also fails where a job has just ended: the queue says what is left
        _output_of("scancel", *jobs)
    end = time.monotonic() + PATIENCE_S
    while left := sorted(set(jobs) & set(_jobs_in_queue(folder, sweep))):
        if time.monotonic() > end:
            raise Unreachable(
                f"jobs that an earlier run left do not end: {' '.join(left)}; cancel them with `scancel`, wait until "
                "`squeue --me` does not list them, or ask those who run the cluster; then start again"
            )
        time.sleep(0.5)
    return len(jobs)


def _jobs_in_queue(folder: Path | str, sweep: str) -> list[str]:
    """The ids of the jobs that are in the queue, running, or ending."""
    here = Path(folder).resolve()
    # As Snakemake's executor writes the comments of jobs. A job's plan file has a name that no other sweep's has.
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
