# SPDX-License-Identifier: MIT
"""The disk space that a sweep needs, and whether there is as much."""

import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass

from tcpsweep.store import layout
from tcpsweep.sweep.cost import Cost
from tcpsweep.sweep.sweep_record import Capture
from tcpsweep.words.sizes_and_times import bytes_text

IGNORED = "TCPSWEEP_IGNORE_SPACE"  # the environment variable that lets a sweep begin that does not fit


@dataclass(frozen=True)
class Needed:
    """The bytes that a sweep adds to ``results/``.

    Attributes
    ----------
    parquet : float
        Of Parquet, which stays.
    raw : float
        The most bytes of raw files that are there at a time.
    kept : bool
        Whether raw files stay.
    """

    parquet: float
    raw: float
    kept: bool

    @property
    def total(self) -> float:
        """The most that there is at any time."""
        return self.parquet + self.raw


def needed(capture: Capture, simulated: Iterable[Cost], parsed: Iterable[Cost], slots: int) -> Needed:
    """What a sweep still needs.

    Parameters
    ----------
    capture : Capture
    simulated, parsed : iterable of Cost
        What the cells will take that are still to be simulated, and those that are only to be parsed.
    slots : int
        How many are simulated at a time.

    Returns
    -------
    Needed
    """
    simulated = list(simulated)
    raw = sorted((cost.raw_bytes for cost in simulated), reverse=True)
    kept = capture.keep_raw
    return Needed(sum(cost.parquet_bytes for cost in (*simulated, *parsed)), sum(raw if kept else raw[:slots]), kept)


def lacking(wanted: Needed) -> str | None:
    """Why the sweep does not fit on the disk; None where it does, or where `IGNORED` is set."""
    if os.environ.get(IGNORED):
        return None
    layout.RESULTS.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(layout.RESULTS).free
    if wanted.total <= free:
        return None
    raw = "raw files, which `keep_raw` keeps" if wanted.kept else "raw files of the cells that run at a time"
    return (
        f"the sweep needs about {bytes_text(wanted.total)} of disk, "
        f"{bytes_text(wanted.parquet)} of Parquet and {bytes_text(wanted.raw)} of {raw}; "
        f"{layout.RESULTS.absolute()} has {bytes_text(free)} left. "
        f"`make prune` removes what no sweep asks for; {IGNORED}=1 begins anyway"
    )
