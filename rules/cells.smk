# SPDX-License-Identifier: MIT
# The missing cells, in batches: a plan file holds a batch's cells, and a stamp marks its end. A failed cell does not
# fail its batch, so that the other cells still get tables and a report; rule finish names the failures.


rule simulate:
    input:
        plan=RUN.jobs_folder / "simulate" / "{job}.json",
        programs=PLAN.compiled("compile"),
        decoder=PLAN.compiled("decoder"),
    output:
        stamp=touch(RUN.jobs_folder / "simulate" / "{job}.done"),
    log:
        RUN.jobs_folder / "simulate" / "{job}.log",
    benchmark:
        RUN.jobs_folder / "simulate" / "{job}.tsv"
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
        plan=RUN.jobs_folder / "parse" / "{job}.json",
        decoder=PLAN.compiled("decoder"),
    output:
        stamp=touch(RUN.jobs_folder / "parse" / "{job}.done"),
    log:
        RUN.jobs_folder / "parse" / "{job}.log",
    benchmark:
        RUN.jobs_folder / "parse" / "{job}.tsv"
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
        plan=RUN.jobs_folder / "measure" / "{job}.json",
    output:
        stamp=touch(RUN.jobs_folder / "measure" / "{job}.done"),
    log:
        RUN.jobs_folder / "measure" / "{job}.log",
    benchmark:
        RUN.jobs_folder / "measure" / "{job}.tsv"
