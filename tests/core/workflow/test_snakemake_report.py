# SPDX-License-Identifier: MIT
"""Snakemake's own report of a sweep: its figures with their captions, and pages with working links."""

import html
import json
import re
import zipfile

import pytest


@pytest.mark.long
def test_snakemakes_report_has_all_figures_with_captions_and_pages_that_lead_to_each_other(copy_of_finished):
    ran = copy_of_finished.run("--report", "told.zip")
    assert ran.status == 0, ran.text
    assert "Missing metadata" not in ran.text
    with zipfile.ZipFile(copy_of_finished / "told.zip") as packed:
        names = {name.partition("/data/raw/")[2].partition("/")[2]: name for name in packed.namelist()}
        index = packed.read("told/report.html").decode()
        page = packed.read(names["small.html"]).decode()
    figures = json.loads((copy_of_finished / "results/sweeps/small/figures.json").read_text())
    assert len(figures) > 5
    assert {name for name in names if name.endswith(".svg")} == {f"{figure['name']}.svg" for figure in figures}
    told = html.unescape(index.replace("\\n", " "))
    for figure in figures:
        assert figure["caption"] in told
        assert f'"{figure["title"]}"' in told
    links = set(re.findall(r'href="(small_files/[^"#]+)"', page))
    assert len(links) >= 8  # the cells
    assert links <= names.keys()
