# SPDX-License-Identifier: MIT
# The missing cells, in jobs: a plan file holds a job's cells, a stamp says that the job has ended. A failed cell does
# not fail its job, so that the others still get tables and a report; rule finish says what failed.


rule simulate:
    input:
        plan=JOBS / "simulate" / "{job}.json",
        programs=PLAN.compiled("compile"),
        decoder=PLAN.compiled("decoder"),
    output:
        stamp=touch(JOBS / "simulate" / "{job}.done"),
    log:
        JOBS / "simulate" / "{job}.log",
    benchmark:
        JOBS / "simulate" / "{job}.tsv"
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
        "POLARS_MAX_THREADS=1 OPENBLAS_NUM_THREADS=1 tcpsweep cells {input.plan} {params.options} > {log} 2>&1"


rule parse:
    input:
        plan=JOBS / "parse" / "{job}.json",
        decoder=PLAN.compiled("decoder"),
    output:
        stamp=touch(JOBS / "parse" / "{job}.done"),
    log:
        JOBS / "parse" / "{job}.log",
    benchmark:
        JOBS / "parse" / "{job}.tsv"
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
        "POLARS_MAX_THREADS=1 OPENBLAS_NUM_THREADS=1 tcpsweep cells {input.plan} {params.options} > {log} 2>&1"


# Only metrics are missing, because the warm-up or their code has changed.
use rule parse as measure with:
    input:
        plan=JOBS / "measure" / "{job}.json",
    output:
        stamp=touch(JOBS / "measure" / "{job}.done"),
    log:
        JOBS / "measure" / "{job}.log",
    benchmark:
        JOBS / "measure" / "{job}.tsv"
