# SPDX-License-Identifier: MIT
# Draw static figures (SVG, PNG and PDF) from the tables and from a few cells' traces.


rule figures:
    input:
        tables=rules.aggregate.output,
        asked=PLAN.folder / "asked.json",
        code=PLAN.folder / "code" / "figures",
    output:
        index=PLAN.folder / "figures.json",
        pictures=directory(PLAN.folder / "figures"),
    log:
        PLAN.folder / "logs" / "figures.log",
    benchmark:
        PLAN.folder / "logs" / "figures.tsv"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        folder=PLAN.folder,
    shell:
        "POLARS_MAX_THREADS={threads} tcpsweep figures {params.folder:q} > {log:q} 2>&1"
