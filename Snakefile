# SPDX-License-Identifier: MIT
# Name the targets, and include the rules: rules/plan.smk plans what is left of the sweep, each step has its own file.
from snakemake.utils import min_version

min_version("9.27")


include: "rules/plan.smk"
include: "rules/terminal.smk"
include: "rules/compile.smk"
include: "rules/grant.smk"
include: "rules/cells.smk"
include: "rules/aggregate.smk"
include: "rules/figures.smk"
include: "rules/report.smk"


# All but the cells' jobs run where Snakemake does.
localrules:
    all,
    compile,
    decoder,
    aggregate,
    figures,
    report,
    pages,
    finish,


rule all:
    default_target: True
    input:
        rules.finish.output,


onstart:
    begin_run()


onsuccess:
    end_run()


onerror:
    end_run(*log)
