# SPDX-License-Identifier: MIT
"""The resources of jobs: memory, time and disk on a cluster, cores on this machine.

A job of cells on a cluster gets its cells' estimated needs with a margin, and more on each further attempt. The
Snakemake on the other machine reads the same needs from the same plan file.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tcpsweep.core.plan import plan_words
from tcpsweep.core.plan.plan_record import Plan
from tcpsweep.core.run import limits
from tcpsweep.core.store import layout
from tcpsweep.core.sweep import job_plan
from tcpsweep.core.sweep.job_plan import JobPlan
from tcpsweep.core.workflow.snakemake_api import Invocation

ATTEMPTS = 3
# Estimates use a cell's parameters, not the behaviour of its variant.
MEMORY_MARGIN = 2
# Nodes may be slower than the machine that measured the cells' times, and they share memory and caches with other jobs.
TIME_MARGIN = 3
DISK_MARGIN = 2
LEAST_MINUTES = 5


@functools.cache
def _job(plan_file: str) -> JobPlan:
    """A job without its cells."""
    return replace(job_plan.read(plan_file), cells=[])


@dataclass(frozen=True)
class JobResources:
    """The functions and numbers in the rules for jobs of cells. Snakemake passes their arguments by name."""

    plan: Plan
    asked: Invocation
    folder: Path  # of `results/`, as in `Run`

    @property
    def retries(self) -> int:
        """The number of retries of a job. There are none on this machine, where nothing changes, nor on a node."""
        return ATTEMPTS - 1 if self.asked.on_cluster and self.asked.is_main else 0

    @property
    def threads(self) -> int:
        """The cores of a job. Each core takes the next of a job's many cells."""
        return self.asked.batch_cores if self.asked.on_cluster else self.asked.cores

    def priority(self, wildcards: Any) -> int:
        """The priority of a job: jobs begin in the order of the plan, the longest first."""
        return -self.plan.turns.get(wildcards.job, 0)

    def memory_mb(self, wildcards: Any, input: Any, attempt: int) -> int:
        """The memory of a job on a cluster, for its largest cell on each core."""
        cell_bytes = attempt * MEMORY_MARGIN * _job(input.plan).memory
        return math.ceil((limits.beside_bytes(self.asked.batch_cores) + self.asked.batch_cores * cell_bytes) / 1e6)

    def minutes(self, wildcards: Any, input: Any, attempt: int) -> int:
        """The time of a job."""
        job = _job(input.plan)
        seconds = max(job.seconds / self.asked.batch_cores, job.longest_s)
        return LEAST_MINUTES + math.ceil(attempt * TIME_MARGIN * seconds / 60)

    def disk_mb(self, wildcards: Any, input: Any) -> int:
        """The disk of a job on a node, for the raw files of its largest cell on each core."""
        return math.ceil(self.asked.batch_cores * DISK_MARGIN * _job(input.plan).raw_bytes / 1e6)

    def attempt(self, wildcards: Any, attempt: int) -> int:
        """The number of the attempt, as a resource, because functions for params do not get it."""
        return attempt

    def last_attempt(self, wildcards: Any, resources: Any) -> str:
        """The option of `tcpsweep cells` on the last attempt."""
        return "--last-attempt" if resources.attempt >= ATTEMPTS else ""

    def cells(self, wildcards: Any, input: Any) -> str:
        """A batch in words, for the message of its job."""
        return plan_words.batch(self.plan, [cell.id for cell in job_plan.read(input.plan).cells])

    def plan_of_cell(self, wildcards: Any) -> Path:
        """The plan file of the batch that has a cell. Without one, the words after which Snakemake ends."""
        plan_files = (self.folder / self.plan.folder / layout.JOBS).glob("*/*.json")
        with_cell = (
            file for file in plan_files if any(cell.id == wildcards.cell for cell in job_plan.read(file).cells)
        )
        missing = self.folder / f"{self.plan.sweep.name} has no simulation {wildcards.cell}"
        return next(with_cell, missing).relative_to(self.folder)
