# SPDX-License-Identifier: MIT
# What `snakemake --report` shows besides the outputs of rules that are marked for it.
from tcpsweep.report import in_snakemake

# Snakemake finds a rule's own captions beside its file, but not those that an input function names.
PAGE_CAPTION = workflow.current_basedir.join("captions/page.rst")


def pages_of_report(wildcards):
    """The folder of the pages, for Snakemake's own report: no job's output, because other sweeps' pages lie there too."""
    if not PLAN.report.is_file():
        return []
    marked = report(
        PLAN.report.parent,
        patterns=in_snakemake.page_patterns(PLAN.sweep.name, len(PLAN.cells)),
        caption=PAGE_CAPTION,
        category="Pages",
        subcategory=in_snakemake.page_group,
        labels=in_snakemake.page_labels,
    )
    return ancient(marked)
