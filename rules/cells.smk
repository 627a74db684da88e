# SPDX-License-Identifier: MIT
# The missing cells, in batches: a plan file holds a batch's cells, and a stamp marks its end. A failed cell does not
# fail its batch, so that the other cells still get tables and a report; rule finish names the failures.


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
    priority: RUN.jobs.priority
    retries: RUN.jobs.retries
    threads: RUN.jobs.threads
    resources:
        mem_mb=RUN.jobs.memory_mb,
        runtime=RUN.jobs.minutes,
        attempt=RUN.jobs.attempt,
    params:
        tcpsweep=RUN.tcpsweep,
        options=RUN.jobs.options,
    shell:
        "POLARS_MAX_THREADS=1 OPENBLAS_NUM_THREADS=1 {params.tcpsweep} cells {input.plan} {params.options} > {log} 2>&1"


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
    priority: RUN.jobs.priority
    retries: RUN.jobs.retries
    threads: RUN.jobs.threads
    resources:
        mem_mb=RUN.jobs.memory_mb,
        runtime=RUN.jobs.minutes,
        attempt=RUN.jobs.attempt,
    params:
        tcpsweep=RUN.tcpsweep,
        options=RUN.jobs.options,
    shell:
        "POLARS_MAX_THREADS=1 OPENBLAS_NUM_THREADS=1 {params.tcpsweep} cells {input.plan} {params.options} > {log} 2>&1"


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
