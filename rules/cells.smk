# SPDX-License-Identifier: MIT
# The missing cells, in jobs: a plan file holds a job's cells, a stamp says that the job has ended. A failed cell does
# not fail its job, so that the others still get tables and a report; rule finish says what failed.


rule simulate:
    input:
        plan="results/plans/simulate/{job}.json",
        programs=PLAN.compiled("compile"),
        decoder=PLAN.compiled("decoder"),
    output:
        stamp=touch("results/plans/simulate/{job}.done"),
    log:
        "results/logs/simulate/{job}.log",
    benchmark:
        "results/benchmarks/simulate/{job}.tsv"
    priority: turn
    retries: RETRIES
    threads: JOB_CORES
    resources:
        mem_mb=granted_mb,
        runtime=granted_minutes,
        attempt=number_of_attempt,
    params:
        options=options_of_job,
    shell:
        "POLARS_MAX_THREADS=1 tcpsweep cells {input.plan} {params.options} > {log} 2>&1"


rule parse:
    input:
        plan="results/plans/parse/{job}.json",
        decoder=PLAN.compiled("decoder"),
    output:
        stamp=touch("results/plans/parse/{job}.done"),
    log:
        "results/logs/parse/{job}.log",
    benchmark:
        "results/benchmarks/parse/{job}.tsv"
    priority: turn
    retries: RETRIES
    threads: JOB_CORES
    resources:
        mem_mb=granted_mb,
        runtime=granted_minutes,
        attempt=number_of_attempt,
    params:
        options=options_of_job,
    shell:
        "POLARS_MAX_THREADS=1 tcpsweep cells {input.plan} {params.options} > {log} 2>&1"


# Only metrics are missing, because the warm-up or their code has changed.
use rule parse as measure with:
    input:
        plan="results/plans/measure/{job}.json",
    output:
        stamp=touch("results/plans/measure/{job}.done"),
    log:
        "results/logs/measure/{job}.log",
    benchmark:
        "results/benchmarks/measure/{job}.tsv"
