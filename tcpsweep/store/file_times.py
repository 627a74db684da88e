# SPDX-License-Identifier: MIT
"""Correct files from the future. If a clock was set back, Snakemake takes newly made files for older ones."""

import contextlib
import os
import time
from pathlib import Path

from tcpsweep.store import layout

_STEP_NS = 1_000_000


def bring_back(sweep: str) -> None:
    """Set the times of a sweep's files from the future to times up to now, and keep their order.

    The caller holds `run_lock.sweep`.
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
