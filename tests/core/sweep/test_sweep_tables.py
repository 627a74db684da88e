# SPDX-License-Identifier: MIT
"""The tables in a sweep's folder: only tables with rows, and none from an earlier version of the sweep."""

from pathlib import Path

import polars as pl
import pytest

from tcpsweep.core.analysis import aggregate
from tcpsweep.core.command_line.terminal import finished_sweep
from tcpsweep.core.contact.tables import AddedTables
from tcpsweep.core.report import sweep_page
from tcpsweep.core.store import digests
from tcpsweep.core.sweep import sweep_record, sweep_tables
from tcpsweep.features.expectations import outcomes
from tcpsweep.registry import report
from tcpsweep.registry.tables import TABLES
from tests.support import synthetic

PLAIN = """\
sweep: small
scenario: dumbbell
grid: {variant: [TcpCubic, TcpNewReno+TcpCubic], bandwidth: [2Mbps, 4Mbps]}
repetitions: 3
fixed: {duration: 40s, warmup: 10s}
"""
ONE = PLAIN.replace("[TcpCubic, TcpNewReno+TcpCubic]", "[TcpCubic]")
FOLDER = Path("results/sweeps/small")


@pytest.fixture
def tables(tmp_path, monkeypatch):
    """Makes up a sweep and its tables; returns the tables in its folder other than the ones that all sweeps have."""
    monkeypatch.chdir(tmp_path)

    def tables(text):
        assert synthetic.sweep(text) == FOLDER
        there = {path.name for path in FOLDER.iterdir() if path.suffix in (".parquet", ".csv", ".md", ".tex")}
        assert there == set(sweep_tables.present_files(FOLDER))
        assert set(sweep_tables.always()) <= there
        return {name.partition(".")[0] for name in there - set(sweep_tables.always())}

    return tables


def test_a_sweep_has_only_tables_with_rows_and_none_of_an_earlier_version(tables):
    assert tables(ONE) == set()
    assert tables(PLAIN) == {"effects", "verdicts"}
    assert tables(PLAIN + "expect: jain >= 0.1\n") == {"effects", "verdicts", "expectations"}
    assert tables(PLAIN) == {"effects", "verdicts"}


def test_a_table_of_another_feature_comes_last_and_goes_with_it_and_files_of_people_stay(tables):
    tables(ONE)
    people = ["mine.csv", "mine.parquet", "notes.csv"]
    for name in people:
        (FOLDER / name).touch()
    other = AddedTables(tables=lambda results: [("other", pl.DataFrame({"value": [1]}))])
    for added, last in (([*TABLES, other], ["other.csv", "other.parquet"]), (TABLES, [])):
        aggregate.write_tables(FOLDER, added)
        present = sweep_tables.present_files(FOLDER)
        assert [name for name in present if name.startswith("other")] == last
        assert present[len(present) - len(last) :] == last
        assert not {*people} & {*present, *digests.read(FOLDER)}
        assert all((FOLDER / name).is_file() for name in people)
    assert not (FOLDER / "other.csv").exists()


def test_who_reads_a_table_that_is_not_there_finds_no_rows(tables):
    tables(ONE)
    sweep = sweep_record.read(FOLDER)
    assert outcomes.outcomes_of(sweep, FOLDER) == []
    assert "CUBIC" in finished_sweep.for_stream(finished_sweep.closing_of_tables(FOLDER).tables)
    (FOLDER / "figures.json").write_text("[]")
    sweep_page.write(FOLDER, Path("reports/small.html"), report)
    page = Path("reports/small.html").read_text()
    assert "summary.parquet" in page
    assert "effects.parquet" not in page
    assert "nodes.csv" not in page


def test_an_absent_table_has_the_columns_that_are_asked_for(tmp_path):
    assert sweep_tables.read(tmp_path, "harm").is_empty()
    assert sweep_tables.read(tmp_path, "published", {"line": int}).columns == ["line"]


def test_numbers_after_many_empty_rows_are_read_as_numbers(tmp_path):
    (tmp_path / "verdicts.csv").write_text("metric,mix,correlation\n" + "jain,,\n" * 200 + "jain,,0.25\n")
    table = sweep_tables.scan_csv(tmp_path / "verdicts.csv").collect()
    assert table["correlation"][-1] == 0.25
    assert table["mix"].null_count() == 201
