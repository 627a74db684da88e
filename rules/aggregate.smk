# SPDX-License-Identifier: MIT
# From the cells' Parquet to the sweep's tables.


rule aggregate:
    input:
        sweep=PLAN.folder / "sweep.json",
        code=PLAN.folder / "code" / "aggregate",
        ended=PLAN.stamps(),
    output:
        flows=PLAN.folder / "flows.parquet",
        summary=PLAN.folder / "summary.parquet",
        csv=PLAN.folder / "summary.csv",
        markdown=PLAN.folder / "summary.md",
        latex=PLAN.folder / "summary.tex",
        effects=PLAN.folder / "effects.parquet",
        effects_csv=PLAN.folder / "effects.csv",
        verdicts=PLAN.folder / "verdicts.csv",
        audit=PLAN.folder / "audit.parquet",
        audit_csv=PLAN.folder / "audit.csv",
        runs=PLAN.folder / "runs.parquet",
        expectations=PLAN.folder / "expectations.parquet",
        expectations_csv=PLAN.folder / "expectations.csv",
        harm=PLAN.folder / "harm.parquet",
        harm_csv=PLAN.folder / "harm.csv",
        published=PLAN.folder / "published.parquet",
        published_csv=PLAN.folder / "published.csv",
        published_ranks=PLAN.folder / "published_ranks.parquet",
        published_ranks_csv=PLAN.folder / "published_ranks.csv",
        published_winners=PLAN.folder / "published_winners.parquet",
        published_winners_csv=PLAN.folder / "published_winners.csv",
        published_claims=PLAN.folder / "published_claims.parquet",
        published_claims_csv=PLAN.folder / "published_claims.csv",
        flow_monitor=PLAN.folder / "flow_monitor.parquet",
        flow_monitor_csv=PLAN.folder / "flow_monitor.csv",
        nodes=PLAN.folder / "nodes.parquet",
        nodes_csv=PLAN.folder / "nodes.csv",
        covered=PLAN.folder / "covered.json",
    log:
        PLAN.folder / "logs" / "aggregate.log",
    benchmark:
        PLAN.folder / "logs" / "aggregate.tsv"
    priority: 1  # before pages, as figures and report wait for it
    localrule: True
    threads: 2
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        folder=PLAN.folder,
    shell:
        "POLARS_MAX_THREADS={threads} tcpsweep aggregate {params.folder:q} > {log:q} 2>&1"
