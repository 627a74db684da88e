# SPDX-License-Identifier: MIT
"""Results in other people's tools: notebooks, DuckDB, and tables with a data dictionary.

All tools are real, from `.venv-notebooks`. The sweep of docs/recipes.md is used instead of `quick-look`.
"""

import hashlib
import json
import os
import subprocess

import polars as pl
import pytest

import tcpsweep
from tcpsweep.applications.archive import data_package
from tests.support.project import step
from tests.support.recipes import blocks
from tests.support.tools import ROOT, made

pytestmark = pytest.mark.long


def run(name, *arguments, cwd, **options):
    """Run a program of `.venv-notebooks` and return its output."""
    environment = os.environ | {"PATH": f"{made('notebooks')}:{os.environ['PATH']}"}
    command = [made("notebooks") / name, *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


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
ASK = """
import json, sys, duckdb
answers = []
for query in json.load(sys.stdin):
    found = duckdb.sql(query)
    answers.append(found and [dict(zip(found.columns, row)) for row in found.fetchall()])
json.dump(answers, sys.stdout, default=str)
"""


def test_the_queries_run_and_agree_with_polars(recipes, tmp_path):
    (tmp_path / "results").symlink_to(recipes / "results")
    answers = json.loads(run("python", "-c", ASK, cwd=tmp_path, input=json.dumps(QUERIES)))
    means, pivoted, windows, _ = answers
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


def test_frictionless_finds_no_fault_and_the_dictionary_for_people_is_that_for_programs(exported):
    """Types, enums, keys between tables, sizes and digests."""
    said = json.loads(run("frictionless", "validate", data_package.FILE, "--json", cwd=exported))
    assert said["valid"], said
    assert said["stats"]["errors"] == 0
    text = (exported / data_package.README).read_text(encoding="utf-8")
    package = json.loads((exported / data_package.FILE).read_text(encoding="utf-8"))
    for resource in package["resources"]:
        data = (exported / resource["path"]).read_bytes()
        assert resource["bytes"] == len(data)
        assert resource["hash"] == f"sha256:{hashlib.sha256(data).hexdigest()}"
        heads = data.decode().partition("\n")[0].split(",")
        assert [field["name"] for field in resource["schema"]["fields"]] == heads
        for field in resource["schema"]["fields"]:
            assert f"| `{field['name']}` | {field['description']}" in text.replace("\\|", "|")


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
