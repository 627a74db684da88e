# SPDX-License-Identifier: MIT
"""Results in other people's tools: notebooks, DuckDB, and tables with a data dictionary.

All tools are real. The sweep of docs/recipes.md is used instead of `quick-look`.
"""

import json
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import tcpsweep
from tests.support.project import step
from tests.support.recipes import blocks
from tests.support.tools import ROOT, module

pytestmark = pytest.mark.long


def run(name, *arguments, cwd):
    """Run a program next to this Python."""
    command = [Path(sys.executable).with_name(name), *arguments]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


# --- Notebooks. ---


@pytest.fixture
def notebooks(recipes, tmp_path):
    """The notebooks next to results, changed to open the sweep in them."""
    (tmp_path / "results").symlink_to(recipes / "results")
    (tmp_path / "notebooks").mkdir()
    for path in (ROOT / "notebooks").iterdir():
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            assert text.count("quick-look") == 1, path
            (tmp_path / "notebooks" / path.name).write_text(text.replace("quick-look", "recipes"))
    return tmp_path / "notebooks"


def test_the_notebooks_run_and_hold_no_results(notebooks):
    """`marimo export` fails if a cell does."""
    for name in ("marimo", "nbclient", "ipykernel"):
        module(name)
    run("marimo", "export", "html", "explore.py", "--output", "explore.html", cwd=notebooks)
    assert "TcpNewReno+TcpCubic" in (notebooks / "explore.html").read_text()
    before = json.loads((notebooks / "own-metric.ipynb").read_text())["cells"]
    assert not [cell for cell in before if cell.get("outputs") or cell.get("execution_count")]
    run("jupyter-execute", "--inplace", "own-metric.ipynb", cwd=notebooks)
    cells = [cell for cell in json.loads((notebooks / "own-metric.ipynb").read_text())["cells"] if "outputs" in cell]
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    assert all(cell["outputs"] for cell in cells)


# --- DuckDB. ---

QUERIES = blocks("sql")


def answer(query):
    relation = module("duckdb").sql(query)
    return relation and [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]


def test_the_queries_run_and_agree_with_polars(recipes, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results").symlink_to(recipes / "results")
    means, pivoted, windows, _ = map(answer, QUERIES)
    sweep = tcpsweep.open("recipes", recipes.folder)
    goodput = sweep.summary.filter(pl.col("metric") == "goodput_bps").collect()
    assert sorted(row["mbps"] for row in means) == sorted((goodput["mean"] / 1e6).round(2))
    assert len(pivoted) == 3 * 2
    assert {"TcpNewReno", "TcpCubic", "TcpNewReno+TcpCubic"} <= set(pivoted[0])
    held = sweep.traces.filter(pl.col("metric") == "cwnd_bytes", pl.col("value") < 2**31)
    rows = held.group_by("combination", "flow_variant").agg(pl.col("value").max() / 1448).collect()
    assert len(windows) == rows.height
    assert (tmp_path / "jain.csv").read_text().count("\n") > 1


# --- Tables with a data dictionary. ---


@pytest.fixture(scope="module")
def exported(recipes, tmp_path_factory):
    place = tmp_path_factory.mktemp("exported") / "tables"
    done = step(recipes, "export", "recipes", "--to", str(place))
    assert done.returncode == 0, done.stderr
    return place


def test_an_export_has_the_tables_as_polars_has_them(exported, recipes):
    sweep = tcpsweep.open("recipes", recipes.folder)
    assert {path.stem for path in exported.glob("*.csv")} == {"summary", "effects", "runs", "flows", "metrics"}
    read = pl.read_csv(exported / "summary.csv", infer_schema_length=None)
    own = sweep.summary.collect()
    assert read["mean"].to_list() == own["mean"].to_list()
    assert read.columns == own.columns
    assert set(pl.read_csv(exported / "metrics.csv")["metric"]) >= set(own["metric"])


def test_the_readme_describes_the_columns_of_the_tables(exported):
    lines = (exported / "README.md").read_text(encoding="utf-8").splitlines()
    heads = [head for path in exported.glob("*.csv") for head in pl.read_csv(path, n_rows=0).columns]
    assert sorted(line.split("`")[1] for line in lines if line.startswith("| `")) == sorted(heads)


def test_a_folder_of_something_else_is_left_alone(recipes, tmp_path):
    (tmp_path / "mine.txt").touch()
    done = step(recipes, "export", "recipes", "--to", str(tmp_path))
    assert done.returncode == 1
    assert "already exists" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_the_pages_python_reads_the_tables(exported, monkeypatch):
    monkeypatch.chdir(exported.parent)
    (code,) = blocks("python", "data")
    exec(compile(code, "docs/data.md", "exec"), names := {})
    assert names["goodput"].height == 8  # four combinations of one variant, two of two
