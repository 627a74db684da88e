# SPDX-License-Identifier: MIT
# The folder of the pages, for Snakemake's own report (`snakemake --report`).
# Snakemake finds the captions of a rule next to its file, but not captions that an input function names.
PAGE_CAPTION = workflow.current_basedir.join("captions/page.rst")


def pages_of_report(wildcards):
    caption = PAGE_CAPTION
    return [ancient(report(folder, caption=caption, **RUN.reported_pages)) for folder in RUN.reported_folders()]
