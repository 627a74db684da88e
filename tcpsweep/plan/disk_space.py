# SPDX-License-Identifier: MIT
"""The disk space that a sweep needs, beside what there is."""

import os
import shutil
from dataclasses import dataclass

from tcpsweep.store import layout
from tcpsweep.words import units

IGNORED = "TCPSWEEP_IGNORE_SPACE"  # the environment variable that lets a sweep begin that does not fit


@dataclass(frozen=True)
class Needed:
    """Bytes that come to ``results/``: Parquet, which stays, and raw files, as many as there are at a time."""

    parquet: float
    raw: float
    kept: bool

    @property
    def total(self):
        """The most that there is at any time."""
        return self.parquet + self.raw


def needed(capture, simulated, parsed, slots):
    """What a sweep needs besides what is there.

    Parameters
    ----------
    capture : dict
        The sweep's key ``capture``.
    simulated, parsed : list of costs.Cost
        What the cells will take that are to be simulated, or only to be parsed.
    slots : int
        How many are simulated at a time.

    Returns
    -------
    Needed
    """
    raw = sorted((cost.raw_bytes for cost in simulated), reverse=True)
    kept = capture.keep_raw
    return Needed(sum(cost.parquet_bytes for cost in (*simulated, *parsed)), sum(raw if kept else raw[:slots]), kept)


def lacking(wanted):
    """Why the sweep does not fit on the disk; None where it does, or where nobody is to ask."""
    if os.environ.get(IGNORED):
        return None
    layout.RESULTS.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(layout.RESULTS).free
    if wanted.total <= free:
        return None
    raw = "raw files, which `keep_raw` keeps" if wanted.kept else "raw files of the cells that run at a time"
    return (
        f"the sweep needs about {units.bytes_text(wanted.total)} of disk, "
        f"{units.bytes_text(wanted.parquet)} of Parquet and {units.bytes_text(wanted.raw)} of {raw}; "
        f"{layout.RESULTS.absolute()} has {units.bytes_text(free)} left. "
        f"`make prune` removes what no sweep asks for; {IGNORED}=1 begins anyway"
    )
