# SPDX-License-Identifier: MIT
"""Cancel the jobs that a killed run left in SLURM's queue: nobody waits for them, and the next run takes over."""

import contextlib
import subprocess
import time
from pathlib import Path

# Snakemake's executor begins the comments of cells' jobs with one of these.
_COMMENTS = tuple(f"rule_{rule}_wildcards_" for rule in ("simulate", "parse", "measure"))
# SLURM's KillWait is 30 s by default: what does not end by itself is killed then.
PATIENCE_S = 60


class Unreachable(Exception):
    """SLURM does not answer; the user reads it."""


def cancel_left(folder: Path | str) -> int:
    """Cancel this user's jobs of cells that were submitted in a folder, and wait until they have ended.

    The caller holds `run_lock.lock` there, so no run waits for these jobs any more. Cells that they finished stay.

    Returns
    -------
    int
        The number of jobs that were left.

    Raises
    ------
    Unreachable
    """
    jobs = _left(folder)
    if not jobs:
        return 0
    with contextlib.suppress(Unreachable):  # it also fails where a job has just ended: the queue says what is left
        _ask("scancel", *jobs)
    end = time.monotonic() + PATIENCE_S
    while left := sorted(set(jobs) & set(_left(folder))):
        if time.monotonic() > end:
            raise Unreachable(
                f"jobs that an earlier run left do not end: {' '.join(left)}; cancel them with `scancel`, wait until "
                "`squeue --me` does not list them, or ask those who run the cluster; then start again"
            )
        time.sleep(0.5)
    return len(jobs)


def _left(folder: Path | str) -> list[str]:
    """The ids of the jobs that are in the queue, running, or ending."""
    rows = [line.split("|", 2) for line in _ask("squeue", "--me", "--noheader", "--format=%i|%k|%Z").splitlines()]
    here = Path(folder).resolve()
    return [job for job, comment, where in rows if comment.startswith(_COMMENTS) and Path(where).resolve() == here]


def _ask(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    except subprocess.TimeoutExpired:
        raise Unreachable(f"{command[0]} does not answer") from None
    if done.returncode:
        raise Unreachable(f"{command[0]} failed: {done.stderr.strip()}")
    return done.stdout
