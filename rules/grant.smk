# SPDX-License-Identifier: MIT
# What a job of cells is granted on a cluster: what its cells are thought to need, with a margin, and more of that when it
# was too little. A job on a node reads the same from the same plan file.
import functools
import json
import math
import shlex

from tcpsweep.run import limits

ATTEMPTS = 3
# The main process tries again, not the one on the node; on this machine, nothing is to be had by that.
RETRIES = ATTEMPTS - 1 if ON_CLUSTER and workflow.is_main_process else 0
# Estimates follow from a cell's parameters, not from what its variant does with them.
MEMORY_MARGIN = 2
# Nodes are slower than that on which a cell's time was measured, and share their memory and caches with other jobs.
TIME_MARGIN = 3
LEAST_MINUTES = 5


@functools.cache
def needs(plan_file):
    """The CPU seconds of a job's cells, and the most bytes of memory of any of them."""
    with open(plan_file, encoding="utf-8") as file:
        plan = json.load(file)
    return plan["seconds"], plan["memory"]


def turn(wildcards):
    """The priority of a job: they begin in the order in which they were dealt, the longest first."""
    return -PLAN.turns.get(wildcards.job, 0)


def granted_mb(wildcards, input, attempt):
    """The memory of a job, for its largest cell."""
    return math.ceil((limits.BESIDE_BYTES + attempt * MEMORY_MARGIN * needs(input.plan)[1]) / 1e6)


def granted_minutes(wildcards, input, attempt):
    """The time of a job."""
    return LEAST_MINUTES + math.ceil(attempt * TIME_MARGIN * needs(input.plan)[0] / 60)


def number_of_attempt(wildcards, attempt):
    """Which attempt it is, as parameters cannot know."""
    return attempt


def options_of_job(wildcards, resources):
    """What a job must know of what it was granted, and where its scratch is; nothing on this machine."""
    if not ON_CLUSTER:
        return ""
    options = ["--memory", resources.mem_mb, "--minutes", resources.runtime, "--scratch", resources.tmpdir]
    options += ["--last-attempt"] * (resources.attempt >= ATTEMPTS)
    return shlex.join(map(str, options))
