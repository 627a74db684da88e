# SPDX-License-Identifier: MIT
# Name the targets, and include the rules: rules/start.smk plans the remaining work, and each step has its own file.
from snakemake.utils import min_version

min_version("9.27")


report: "rules/captions/workflow.rst"


include: "rules/start.smk"
include: "rules/compile.smk"
include: "rules/cells.smk"
include: "rules/summarise.smk"
include: "rules/report.smk"
include: "rules/reported_pages.smk"


# Like all rules except those of the batches, it runs where Snakemake does.
rule all:
    input:
        rules.finish.output,
        pages_of_report,
    localrule: True


onstart:
    RUN.begin(log)


onsuccess:
    RUN.end()


onerror:
    RUN.end(log)
