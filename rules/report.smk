# SPDX-License-Identifier: MIT
# Draw the figures, write the report and the cells' pages; the last rule, finish, succeeds only if every cell succeeded.


# Plot the figures and write the report. One process does both: two would load the same libraries twice, which takes
# 1 s of CPU time, as long as the work of a small sweep.
rule report:
    input:
        tables=rules.summarise.output,
        asked=PLAN.folder / "asked.json",
        yaml=PLAN.folder / "sweep.yaml",
        commands=PLAN.folder / "commands.json",
        code=PLAN.folder / "code" / "report",
    output:
        index=PLAN.folder / "figures.json",
        figures=report(
            directory(PLAN.folder / "figures"),
            patterns=["{figure}.svg"],
            caption="captions/figure.rst",
            category="Figures",
            subcategory=RUN.figures.group,
            labels=RUN.figures.labels,
        ),
        page=PLAN.report,
        picture=PLAN.picture,
        closing=PLAN.folder / "closing.json",
    log:
        PLAN.folder / "logs" / "report.log",
    benchmark:
        PLAN.folder / "logs" / "report.tsv"
    threads: 1
    resources:
        mem_mb=step_costs.report_mb(len(PLAN.sweep.combinations)),
        runtime=15,
    params:
        tcpsweep=RUN.tcpsweep,
        folder=PLAN.folder,
        page=PLAN.report,
        captions=RUN.figures,
    message:
        "plot figures, and write {output.page}"
    shell:
        "POLARS_MAX_THREADS={threads} {params.tcpsweep} report {params.folder:q} {params.page:q} > {log:q} 2>&1"


# A page for each simulation, beside the tables.
rule pages:
    input:
        sweep=PLAN.folder / "sweep.json",
        commands=PLAN.folder / "commands.json",
        code=PLAN.folder / "code" / "pages",
        simulations=PLAN.stamps(),
    output:
        index=PLAN.folder / "pages.json",
    log:
        PLAN.folder / "logs" / "pages.log",
    benchmark:
        PLAN.folder / "logs" / "pages.tsv"
    threads: RUN.page_workers
    resources:
        mem_mb=step_costs.page_mb(RUN.page_workers),
        runtime=step_costs.page_minutes(PLAN.simulations, RUN.page_workers),
    params:
        tcpsweep=RUN.tcpsweep,
        folder=PLAN.folder,
        place=PLAN.cell_pages,
    message:
        "write a page for each simulation"
    shell:
        "POLARS_MAX_THREADS=1 {params.tcpsweep} pages "
        "{params.folder:q} {params.place:q} --workers {threads} > {log:q} 2>&1"


# Fail if a simulation failed or an expectation does not hold.
rule finish:
    input:
        page=rules.report.output.page,
        closing=rules.report.output.closing,
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
        tcpsweep=RUN.tcpsweep,
        folder=PLAN.folder,
        page=PLAN.report,
        place=PLAN.cell_pages,
    message:
        "check that every simulation has its results"
    shell:
        "{params.tcpsweep} finish {params.folder:q} {params.page:q} {params.place:q} > {log:q} 2>&1"
