# SPDX-License-Identifier: MIT
# Summarise all simulations: means with intervals, effects and their tests, verdicts.


rule summarise:
    input:
        sweep=PLAN.folder / "sweep.json",
        code=PLAN.folder / "code" / "aggregate",
        simulations=PLAN.stamps(),
    # Optional tables, for which only some sweeps have rows, are made and removed with these. SHA256SUMS is no output:
    # Snakemake would remove it before the job, which reads there what an earlier form of the sweep left.
    output:
        tables=[PLAN.folder / name for name in sweep_tables.always()],
        records=[PLAN.folder / name for name in sweep_tables.BESIDE],
    log:
        PLAN.folder / "logs" / "aggregate.log",
    benchmark:
        PLAN.folder / "logs" / "aggregate.tsv"
    priority: 1  # before pages, because the report waits for it
    threads: step_costs.table_threads(PLAN.simulations)
    resources:
        mem_mb=step_costs.table_mb(PLAN.simulations),
        runtime=step_costs.table_minutes(PLAN.simulations),
    params:
        tcpsweep=RUN.tcpsweep,
        folder=PLAN.folder,
    message:
        f"summarise {PLAN.simulations} simulations in tables"
    # OpenBLAS, NumPy's library for matrices, would start a thread for each core, which spins while it waits.
    shell:
        "POLARS_MAX_THREADS={threads} OPENBLAS_NUM_THREADS=1 "
        "{params.tcpsweep} aggregate {params.folder:q} > {log:q} 2>&1"
