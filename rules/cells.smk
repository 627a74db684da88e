# SPDX-License-Identifier: MIT
# The simulations. A batch, the job of these rules, holds many of them: a simulation may take a tenth of a second, less
# than Python takes to start and load what parses and measures. Here a batch has all cores; on a cluster it has minutes
# of work. Its plan file lists the simulations. Its stamp says that it ended, also if some failed, so that the others
# still get tables and a report; rule finish names the failures. A simulation that has ended is never lost: its results
# are a folder that was renamed into place. Batches of finished simulations have their stamps, and run only if forced.

import os

# A job on a cluster keeps its simulators within what it was granted. A job here ends with this Snakemake.
WITHIN = f"--under {os.getpid()}"
if RUN.asked.on_cluster:
    WITHIN = "--memory {resources.mem_mb} --minutes {resources.runtime} {params.last} --scratch {resources.tmpdir:q}"


# Start ns-3, parse what it wrote, and measure.
rule simulate:
    input:
        plan=JOBS / "simulate" / "{job}.json",
        programs=ancient(PLAN.programs("compile")),
        decoder=ancient(PLAN.programs("decoder")),
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
        disk_mb=RUN.jobs.disk_mb,
        attempt=RUN.jobs.attempt,
    params:
        tcpsweep=RUN.tcpsweep,
        cells=RUN.jobs.cells,
        only="",
        last=RUN.jobs.last_attempt,
    message:
        "simulate {params.cells}"
    shell:
        "POLARS_MAX_THREADS=1 OPENBLAS_NUM_THREADS=1 "
        f"{{params.tcpsweep}} cells {RUN.back}{{input.plan}} {{params.only}} --workers {{threads}} {WITHIN} > {{log}} 2>&1"


# Parse raw files that were kept, because the code that parses them has changed; and measure.
use rule simulate as parse with:
    input:
        plan=JOBS / "parse" / "{job}.json",
        decoder=ancient(PLAN.programs("decoder")),
    output:
        stamp=touch(JOBS / "parse" / "{job}.done"),
    log:
        JOBS / "parse" / "{job}.log",
    benchmark:
        JOBS / "parse" / "{job}.tsv"
    message:
        "parse {params.cells}"


# Measure again, because the warm-up or the code of metrics has changed.
use rule simulate as measure with:
    input:
        plan=JOBS / "measure" / "{job}.json",
    output:
        stamp=touch(JOBS / "measure" / "{job}.done"),
    log:
        JOBS / "measure" / "{job}.log",
    benchmark:
        JOBS / "measure" / "{job}.tsv"
    message:
        "measure {params.cells}"


# One simulation by the name of a file of its results: snakemake results/cells/ID/PARSER/flows.parquet
# Snakemake removes no file marked `update` before the job, so that a failure leaves the earlier results.
use rule simulate as simulation with:
    input:
        plan=RUN.jobs.plan_of_cell,
        programs=ancient(PLAN.programs("compile")),
        decoder=ancient(PLAN.programs("decoder")),
    output:
        update(layout.CELLS / "{cell}" / PLAN.parser / "flows.parquet"),
        update(layout.CELLS / "{cell}" / PLAN.parser / "flow_monitor.parquet"),
        update(layout.CELLS / "{cell}" / PLAN.parser / "queue.parquet"),
        update(layout.CELLS / "{cell}" / PLAN.parser / "traces.parquet"),
    log:
        JOBS / "simulation" / "{cell}.log",
    benchmark:
        JOBS / "simulation" / "{cell}.tsv"
    priority: 0
    params:
        tcpsweep=RUN.tcpsweep,
        only="--cell {cell}",
        last=RUN.jobs.last_attempt,
    message:
        "simulate {wildcards.cell}"
