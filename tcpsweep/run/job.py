# SPDX-License-Identifier: MIT
"""What a worker knows of its job, and what becomes of each cell."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from tcpsweep.run.limits import JobLimits
from tcpsweep.sweep.job_plan import JobPlan


class Outcome(Enum):
    """What became of a cell."""

    ENDED = auto()  # it has its results, or its failure is recorded
    TOO_LARGE = auto()  # it needs more than its job has
    ELSEWHERE = auto()  # another run works on it


@dataclass(frozen=True)
class Job:
    """What a worker knows of its job."""

    plan: JobPlan  # without its cells
    limit: JobLimits
    scratch: Path | str | None  # where to write raw files that nobody wants to keep, instead of `results/raw/`
