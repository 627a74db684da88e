# SPDX-License-Identifier: MIT
# Summarise all simulations: means with intervals, effects and their tests, verdicts.


rule summarise:
    input:
        sweep=PLAN.folder / "sweep.json",
        code=PLAN.folder / "code" / "aggregate",
        simulations=PLAN.stamps(),
    # Optional tables, for which only some sweeps have rows, are made and removed with these.
    output:
        tables=[PLAN.folder / name for name in sweep_tables.always()],
        records=[PLAN.folder / name for name in (*sweep_tables.BESIDE, digests.FILE)],
    log:
        PLAN.folder / "logs" / "aggregate.log",
    benchmark:
        PLAN.folder / "logs" / "aggregate.tsv"
    priority: 1  # before pages, because the report waits for it
    localrule: True
    threads: step_costs.table_threads(len(PLAN.cells))
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        tcpsweep=RUN.tcpsweep,
        folder=PLAN.folder,
    message:
        f"summarise {len(PLAN.runs)} runs in tables"
    # OpenBLAS, NumPy's library for matrices, would start a thread for each core, which spins while it waits.
    shell:
        "POLARS_MAX_THREADS={threads} OPENBLAS_NUM_THREADS=1 "
        "{params.tcpsweep} aggregate {params.folder:q} > {log:q} 2>&1"
