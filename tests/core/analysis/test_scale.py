# SPDX-License-Identifier: MIT
"""Sweeps of any size: tables are made block by block, and the page stays small enough to open."""

from pathlib import Path

import polars as pl
import pytest

from tcpsweep.core.analysis import aggregate, cell_tables, sweep_results
from tcpsweep.core.report import sweep_page
from tcpsweep.core.report.sections import table_texts
from tcpsweep.core.store import layout, removal
from tcpsweep.registry import report
from tcpsweep.registry.tables import TABLES
from tests.support import synthetic

SWEEP = Path(__file__).parent.joinpath("sweeps", "many.yaml").read_text()


@pytest.fixture
def folder(here):
    return synthetic.sweep(SWEEP, lambda row, run: [1e6 + 1e4 * run, 2e6 + 3e4 * run**2])


def tables(folder):
    frames = {path.name: pl.read_parquet(path) for path in sorted(folder.glob("*.parquet"))}
    return frames, {path.name: path.read_bytes() for path in [*folder.glob("*.csv"), *folder.glob("summary.*[mx]")]}


def test_blocks_of_any_size_make_the_same_tables(folder, monkeypatch):
    frames, texts = tables(folder)
    assert frames["flows.parquet"].height == 3 * 2 * 3 * 2
    for runs in (1, 4):
        monkeypatch.setattr(cell_tables, "BLOCK_RUNS", runs)
        aggregate.write_tables(folder, TABLES)
        again, same = tables(folder)
        assert same == texts
        for name, frame in frames.items():
            assert frame.equals(again[name]), name


def test_a_block_holds_whole_combinations(monkeypatch):
    monkeypatch.setattr(cell_tables, "BLOCK_RUNS", 3)
    runs = [(f"{combination}-{run}", combination, run) for combination in range(4) for run in range(2)]
    assert [[run[1] for run in block] for block in cell_tables.blocks(runs)] == [[0, 0, 1, 1], [2, 2, 3, 3], []]


def page_of(folder):
    (folder / "figures.json").write_text("[]")
    sweep_page.write(folder, "reports/many.html", report)
    return Path("reports/many.html").read_text()


def test_a_long_page_is_cut_has_no_figure_and_says_so(folder, monkeypatch):
    monkeypatch.setattr(table_texts, "MOST_ROWS", 3)
    monkeypatch.setattr(sweep_results, "MOST_RUNS", 2)
    page = page_of(folder)
    # 4 rows of single variants and 4 of the mixes' flows, 18 cells.
    assert "<p>And 5 more; <code>summary.csv</code> has them all.</p>" in page
    assert page.count('<th scope="row" data-series="TcpCubic">TcpCubic</th><td data-order=') == 2
    commands = '<a href="../results/sweeps/many/commands.json">commands.json</a>'
    assert f"The commands of 3 of 18 simulations; {commands}" in page
    assert page.count("<dt>dumbbell-") == 3
    # The figure would be too large.
    assert '"points":{}' in page and 'id="explorer"' not in page and "vegaEmbed=" not in page
    summary = pl.read_parquet("results/sweeps/many/summary.parquet").height
    assert f"There is no interactive figure: {summary} means of 18 runs would make this page too large." in page
    assert page.count('href="#explore"') == page.count('id="explore"') == 1
    # So are missing cells.
    for cell in layout.CELLS.iterdir():
        removal.remove(cell)
    page = page_of(folder)
    assert "18 simulations that did not run" in page
    assert "<p>And 15 more.</p>" in page
