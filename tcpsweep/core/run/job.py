# SPDX-License-Identifier: MIT
"""A job as its workers see it, and the possible outcomes of a cell."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from tcpsweep.core.run.limits import JobLimits
from tcpsweep.core.sweep.job_plan import JobPlan


class Outcome(Enum):
    """The outcome of a cell."""

    ENDED = auto()  # it has its results, or its failure is recorded
    TOO_LARGE = auto()  # it needs more than the job's limits
    ELSEWHERE = auto()  # another run works on it


@dataclass(frozen=True)
class Job:
    """A job as its workers see it."""

    plan: JobPlan  # without its cells
    limit: JobLimits
    scratch: Path | str | None  # where to write raw files that are not kept, instead of `results/raw/`
