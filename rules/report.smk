# SPDX-License-Identifier: MIT
# Write the report and the cells' pages; the last step, finish, succeeds only if every cell did.
from tcpsweep.plan import step_costs


rule report:
    input:
        tables=rules.aggregate.output,
        figures=rules.figures.output.index,
        yaml=PLAN.folder / "sweep.yaml",
        commands=PLAN.folder / "commands.json",
        code=PLAN.folder / "code" / "report",
    output:
        page=PLAN.report,
        picture=PLAN.picture,
    log:
        PLAN.folder / "logs" / "report.log",
    benchmark:
        PLAN.folder / "logs" / "report.tsv"
    localrule: True
    threads: 1
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        folder=PLAN.folder,
    shell:
        "POLARS_MAX_THREADS={threads} tcpsweep report {params.folder:q} {output.page:q} > {log:q} 2>&1"


rule pages:
    input:
        sweep=PLAN.folder / "sweep.json",
        commands=PLAN.folder / "commands.json",
        code=PLAN.folder / "code" / "pages",
        ended=PLAN.stamps(),
    output:
        index=PLAN.folder / "pages.json",
    log:
        PLAN.folder / "logs" / "pages.log",
    benchmark:
        PLAN.folder / "logs" / "pages.tsv"
    localrule: True
    threads: step_costs.page_workers(len(PLAN.cells), CORES)
    resources:
        mem_mb=4000,
        runtime=120,
    params:
        folder=PLAN.folder,
        place=PLAN.cell_pages,
    shell:
        "POLARS_MAX_THREADS=1 tcpsweep pages {params.folder:q} {params.place:q} --workers {threads} > {log:q} 2>&1"


rule finish:
    input:
        page=rules.report.output.page,
        pages=rules.pages.output.index,
    output:
        complete=PLAN.folder / "complete",
    log:
        PLAN.folder / "logs" / "finish.log",
    benchmark:
        PLAN.folder / "logs" / "finish.tsv"
    localrule: True
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        folder=PLAN.folder,
        place=PLAN.cell_pages,
    shell:
        "tcpsweep finish {params.folder:q} {input.page:q} {params.place:q} > {log:q} 2>&1"
