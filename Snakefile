# SPDX-License-Identifier: MIT
# Name the targets, and include the rules: rules/plan.smk plans what is left of the sweep, each step has its own file.
from snakemake.utils import min_version

min_version("9.27")


report: "rules/captions/workflow.rst"


include: "rules/given.smk"
include: "rules/plan.smk"
include: "rules/terminal.smk"
include: "rules/compile.smk"
include: "rules/grant.smk"
include: "rules/cells.smk"
include: "rules/aggregate.smk"
include: "rules/figures.smk"
include: "rules/report.smk"
include: "rules/snakemake_report.smk"


# As all rules but those of the cells' jobs, it runs where Snakemake does.
rule all:
    input:
        rules.finish.output,
        pages_of_report,
    localrule: True


onstart:
    begin_run()


onsuccess:
    end_run()


onerror:
    end_run(*log)
