# SPDX-License-Identifier: MIT
# Make the sweep's tables from the cells' Parquet.
from tcpsweep.plan import step_costs
from tcpsweep.store import digests
from tcpsweep.sweep import sweep_tables


rule aggregate:
    input:
        sweep=PLAN.folder / "sweep.json",
        code=PLAN.folder / "code" / "aggregate",
        ended=PLAN.stamps(),
    # Optional tables, for which only some sweeps have rows, come and go with these.
    output:
        tables=[PLAN.folder / name for name in sweep_tables.always()],
        attributes=PLAN.folder / sweep_tables.ATTRIBUTES,
        covered=PLAN.folder / sweep_tables.COVERED,
        digests=PLAN.folder / digests.FILE,
    log:
        PLAN.folder / "logs" / "aggregate.log",
    benchmark:
        PLAN.folder / "logs" / "aggregate.tsv"
    priority: 1  # before pages, because figures and report wait for it
    localrule: True
    threads: step_costs.table_threads(len(PLAN.cells))
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        folder=PLAN.folder,
    # OpenBLAS, NumPy's library for matrices, would begin a thread for each core; they spin while they wait.
    shell:
        "POLARS_MAX_THREADS={threads} OPENBLAS_NUM_THREADS=1 tcpsweep aggregate {params.folder:q} > {log:q} 2>&1"
