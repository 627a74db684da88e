# SPDX-License-Identifier: MIT
"""Compare the disk space that a sweep needs with the free space."""

import os
import shutil
from collections.abc import Sequence
from typing import NamedTuple

from tcpsweep.store import layout
from tcpsweep.sweep.cost import Cost
from tcpsweep.sweep.sweep_parts import Capture
from tcpsweep.words.sizes_and_times import bytes_text

IGNORED = "TCPSWEEP_IGNORE_SPACE"  # the environment variable that starts a sweep even if it does not fit


class Needed(NamedTuple):
    """The bytes that a sweep adds to ``results/``."""

    parquet: float  # permanent
    raw: float  # raw files, at their peak
    kept: bool  # whether raw files are kept


def needed(capture: Capture, simulated: Sequence[Cost], parsed: Sequence[Cost], slots: int) -> Needed:
    """The disk space that a sweep still needs, for ``slots`` simulations at a time and for cells only to parse."""
    raw = sorted((cost.raw_bytes for cost in simulated), reverse=True)
    parquet = sum(cost.parquet_bytes for cost in (*simulated, *parsed))
    return Needed(parquet, sum(raw if capture.keep_raw else raw[:slots]), capture.keep_raw)


def lacking(wanted: Needed) -> str | None:
    """Why the sweep does not fit on the disk; None if it does, or if `IGNORED` is set."""
    if os.environ.get(IGNORED):
        return None
    layout.RESULTS.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(layout.RESULTS).free
    total = wanted.parquet + wanted.raw
    if total <= free:
        return None
    raw = "raw files, because of `keep_raw`" if wanted.kept else "raw files of the simulations that run at a time"
    return (
        f"the sweep needs about {bytes_text(total)} of disk, "
        f"{bytes_text(wanted.parquet)} of Parquet and {bytes_text(wanted.raw)} of {raw}; "
        f"{layout.RESULTS.absolute()} has {bytes_text(free)} left. "
        f"`tcpsweep prune` removes results that no sweep needs; {IGNORED}=1 starts anyway"
    )
