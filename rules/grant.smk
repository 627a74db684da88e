# SPDX-License-Identifier: MIT
# The memory and time that a job of cells is granted on a cluster: its cells' expected needs with a margin, and more on
# each further attempt. A job on a node reads the same needs from the same plan file.
import functools
import math
import os
import shlex

from tcpsweep.run import limits
from tcpsweep.sweep import job_plan

ATTEMPTS = 3
# The main process tries again, not the one on the node; on this machine, trying again gains nothing.
RETRIES = ATTEMPTS - 1 if ON_CLUSTER and workflow.is_main_process else 0
# Estimates follow from a cell's parameters, not from how its variant behaves.
MEMORY_MARGIN = 2
# Nodes may be slower than the machine that cells' times were measured on, and share memory and caches with other jobs.
TIME_MARGIN = 3
LEAST_MINUTES = 5
# On this machine, a job holds very many cells, and each core takes the next of them.
JOB_CORES = 1 if ON_CLUSTER else CORES


@functools.cache
def needs(plan_file):
    """The CPU seconds of a job's cells together, and the memory of the largest in bytes."""
    job = job_plan.read(plan_file)
    return job.seconds, job.memory


def turn(wildcards):
    """The priority of a job: jobs begin in the order in which they were dealt, the longest first."""
    return -PLAN.turns.get(wildcards.job, 0)


def granted_mb(wildcards, input, attempt):
    """The memory of a job, for its largest cell."""
    return math.ceil((limits.BESIDE_BYTES + attempt * MEMORY_MARGIN * needs(input.plan)[1]) / 1e6)


def granted_minutes(wildcards, input, attempt):
    """The time of a job, in minutes."""
    return LEAST_MINUTES + math.ceil(attempt * TIME_MARGIN * needs(input.plan)[0] / 60)


def number_of_attempt(wildcards, attempt):
    """The attempt's number, as a resource: functions for params do not get it."""
    return attempt


def options_of_job(wildcards, resources):
    """The options that tell a job what it was granted and where its scratch is; on this machine, who takes its cells."""
    if not ON_CLUSTER:
        return shlex.join(["--workers", str(JOB_CORES), "--under", str(os.getpid())])
    options = ["--memory", resources.mem_mb, "--minutes", resources.runtime, "--scratch", resources.tmpdir]
    options += ["--last-attempt"] * (resources.attempt >= ATTEMPTS)
    return shlex.join(map(str, options))
