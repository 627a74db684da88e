# SPDX-License-Identifier: MIT
"""Files from the future: a clock that was set back leaves them, and Snakemake takes all that is made now for older."""

import contextlib
import os
import time
from pathlib import Path

from tcpsweep.store import layout

_STEP_NS = 1_000_000


def bring_back(sweep: str) -> None:
    """Give the files of a sweep that are from the future times up to now, in the order that they have.

    The caller has `run_lock.sweep`.
    """
    folder, now = layout.SWEEPS / sweep, time.time_ns()
    paths = [*folder.glob("*"), *folder.glob("code/*"), *folder.glob("figures/.*"), *layout.REPORTS.glob(f"{sweep}.*")]
    times: dict[int, list[Path]] = {}
    for path in paths:
        with contextlib.suppress(OSError):
            if (when := path.stat().st_mtime_ns) > now:
                times.setdefault(when, []).append(path)
    for place, when in enumerate(sorted(times, reverse=True)):
        for path in times[when]:
            with contextlib.suppress(OSError):
                os.utime(path, ns=(now - place * _STEP_NS,) * 2)
