# SPDX-License-Identifier: MIT
# The page that a person opens, and the last step, which succeeds only if every cell did.


rule report:
    input:
        tables=rules.aggregate.output,
        figures=rules.figures.output.index,
        yaml=PLAN.folder / "sweep.yaml",
        commands=PLAN.folder / "commands.json",
        code=PLAN.folder / "code" / "report",
    output:
        page=PLAN.report,
    log:
        PLAN.folder / "logs" / "report.log",
    benchmark:
        PLAN.folder / "logs" / "report.tsv"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        command=TCPSWEEP,
        folder=PLAN.folder,
    shell:
        "POLARS_MAX_THREADS={threads} {params.command} report {params.folder:q} {output.page:q} > {log:q} 2>&1"


rule finish:
    input:
        page=rules.report.output.page,
    output:
        complete=touch(PLAN.folder / "complete"),
    log:
        PLAN.folder / "logs" / "finish.log",
    benchmark:
        PLAN.folder / "logs" / "finish.tsv"
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        command=TCPSWEEP,
        folder=PLAN.folder,
    shell:
        "{params.command} finish {params.folder:q} > {log:q} 2>&1"
