# SPDX-License-Identifier: MIT
# Draw static figures (SVG, PNG and PDF) from the tables and from a few cells' traces.
from tcpsweep.report import in_snakemake

FIGURES = in_snakemake.Figures(PLAN.folder)


rule figures:
    input:
        tables=rules.aggregate.output,
        asked=PLAN.folder / "asked.json",
        code=PLAN.folder / "code" / "figures",
    output:
        index=PLAN.folder / "figures.json",
        pictures=report(
            directory(PLAN.folder / "figures"),
            patterns=["{figure}.svg"],
            caption="captions/figure.rst",
            category="Figures",
            subcategory=FIGURES.group,
            labels=FIGURES.labels,
        ),
    log:
        PLAN.folder / "logs" / "figures.log",
    benchmark:
        PLAN.folder / "logs" / "figures.tsv"
    localrule: True
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        folder=PLAN.folder,
        captions=FIGURES,
    shell:
        "POLARS_MAX_THREADS={threads} tcpsweep figures {params.folder:q} > {log:q} 2>&1"
