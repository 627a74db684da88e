# SPDX-License-Identifier: MIT
"""The disk space that a sweep still needs, and whether the disk has it."""

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tcpsweep.core.store import layout
from tcpsweep.core.sweep.cost import Cost
from tcpsweep.core.words.rounding import bytes_text

IGNORED = "TCPSWEEP_IGNORE_SPACE"  # the environment variable that starts a sweep even if it does not fit


@dataclass(frozen=True)
class NeededSpace:
    """The bytes that a sweep adds to ``results/``."""

    parquet: float  # permanent
    raw: float  # raw files, at their peak
    keeps_raw: bool

    @property
    def total(self) -> float:
        """The most bytes at a time."""
        return self.parquet + self.raw

    def problem(self) -> str:
        """Why the sweep does not fit on the disk; empty if it does, or if `IGNORED` is set."""
        free = shutil.disk_usage(layout.RESULTS if layout.RESULTS.is_dir() else Path()).free
        if os.environ.get(IGNORED) or self.total <= free:
            return ""
        of_these = ", because of `keep_raw`" if self.keeps_raw else " of the simulations that run at a time"
        return (
            f"the sweep needs about {bytes_text(self.total)} of disk, "
            f"{bytes_text(self.parquet)} of Parquet and {bytes_text(self.raw)} of raw files{of_these}; "
            f"{layout.RESULTS.absolute()} has {bytes_text(free)} left. "
            f"`tcpsweep prune` removes results that no sweep needs; {IGNORED}=1 starts anyway"
        )


def needed_space(simulated: Sequence[Cost], parsed: Sequence[Cost], slots: int, keeps_raw: bool) -> NeededSpace:
    """The space for cells to simulate, of which ``slots`` run at a time on this disk, and for cells only to parse."""
    raw = sorted((cost.raw_bytes for cost in simulated), reverse=True)
    parquet = sum(cost.parquet_bytes for cost in (*simulated, *parsed))
    return NeededSpace(parquet, sum(raw if keeps_raw else raw[:slots]), keeps_raw)
