# SPDX-License-Identifier: MIT
# The missing cells, in jobs: a plan file holds a job's cells, its stamp says that it has ended. A cell that fails does
# not fail its job, so that the tables and the report of the others are made; rule finish says what failed. On a cluster,
# a job is granted what its cells are thought to need, and is tried again with more when that was too little.
import functools
import json
import math
import shlex

from tcpsweep import limits

ATTEMPTS = 3
# Estimates follow the rate, not what a variant does with it: half of the cells need more than theirs.
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


rule simulate:
    input:
        plan="results/plans/simulate/{job}.json",
        program=ancient(PLAN.binary),
        variants=ancient(PLAN.libraries),
        decoder=ancient(PLAN.decoder or []),
    output:
        stamp=touch("results/plans/simulate/{job}.done"),
    log:
        "results/logs/simulate/{job}.log",
    benchmark:
        "results/benchmarks/simulate/{job}.tsv"
    # The main process tries again, not the one on the node.
    retries: ATTEMPTS - 1 if ON_CLUSTER and workflow.is_main_process else 0
    threads: 1
    resources:
        mem_mb=granted_mb,
        runtime=granted_minutes,
        attempt=number_of_attempt,
    params:
        command=TCPSWEEP,
        options=options_of_job,
    shell:
        "POLARS_MAX_THREADS={threads} {params.command} cells {input.plan} {params.options} > {log} 2>&1"


rule parse:
    input:
        plan="results/plans/parse/{job}.json",
        decoder=ancient(PLAN.decoder or []),
    output:
        stamp=touch("results/plans/parse/{job}.done"),
    log:
        "results/logs/parse/{job}.log",
    benchmark:
        "results/benchmarks/parse/{job}.tsv"
    retries: ATTEMPTS - 1 if ON_CLUSTER and workflow.is_main_process else 0
    threads: 1
    resources:
        mem_mb=granted_mb,
        runtime=granted_minutes,
        attempt=number_of_attempt,
    params:
        command=TCPSWEEP,
        options=options_of_job,
    shell:
        "POLARS_MAX_THREADS={threads} {params.command} cells {input.plan} {params.options} > {log} 2>&1"


# Only metrics are missing, as the warm-up or their code has changed.
use rule parse as measure with:
    input:
        plan="results/plans/measure/{job}.json",
    output:
        stamp=touch("results/plans/measure/{job}.done"),
    log:
        "results/logs/measure/{job}.log",
    benchmark:
        "results/benchmarks/measure/{job}.tsv"
