# SPDX-License-Identifier: MIT
"""The changes of docs/first-change.md: they apply, pass the lint of Python and C++, and do what the page says."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import tcpsweep
from tests.support.processes import ran
from tests.support.project import Project
from tests.support.recipes import blocks
from tests.support.tools import PATIENCE_S, ROOT

PAGE = "first-change"
BIN = Path(sys.executable).parent
GENERATED = {
    "reference": "docs/reference.md",
    "schema": "config/sweep.schema.json",
    "parameters": "ns3-scenarios/lib/options/parameters.h",
    "commands": "docs/command-line.md",
}
FEATURES = ("largest", "tcp_options", "variant_names")
# Prints the id and the arguments of each simulation of config/config.yaml.
CELLS = """
from pathlib import Path
from tcpsweep.core.ns3.engine import Engine
from tcpsweep.core.plan import cell_commands, checked_sweep
from tcpsweep.registry import connect
connect.connect()
sweep, _ = checked_sweep.expanded(checked_sweep.opened("config/config.yaml"))
for cell in cell_commands.cells(sweep, "code", Engine(Path("ns3"), "3.44", "abc123"), dict):
    print(cell.id, *cell.arguments)
"""

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def changed(tmp_path_factory, build_folder):
    """A copy of the project with the page's changes, in which its sweep has run."""
    project = Project(tmp_path_factory.mktemp("project"), build_folder)
    (project / "cells.txt").write_text(run(project, sys.executable, "-c", CELLS), encoding="utf-8")
    shutil.copytree(ROOT / "docs", project / "docs")
    for number, text in enumerate(blocks("diff", PAGE)):
        (project / f"{number}.diff").write_text(text, encoding="utf-8")
        run(project, "git", "apply", f"{number}.diff")
    test, rule = blocks("python", PAGE)
    (project / "test_largest_share.py").write_text(test, encoding="utf-8")
    (project / "rules" / "ndjson.smk").write_text(rule, encoding="utf-8")
    (sweep,) = blocks("yaml", PAGE)
    (project / "first-change.yaml").write_text(sweep, encoding="utf-8")
    commands = "".join(blocks("console", PAGE))
    for command, file in GENERATED.items():
        assert f"tcpsweep {command} {file}\n" in commands
        run(project, BIN / "tcpsweep", command, file)
    run(project, BIN / "tcpsweep", "sweep", "first-change.yaml")
    return project


def run(project, *command):
    done = subprocess.run(
        command, cwd=project.folder, env=project.environment, capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_metric_and_the_axis_are_in_tables_and_reference(changed):
    run(changed, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_largest_share.py")
    summary = tcpsweep.open("first-change", changed.folder).summary.collect()
    shares = summary.filter(pl.col("metric") == "largest_share")
    assert sorted(shares["ack_jitter_s"].unique()) == [0, 0.02]
    assert shares["mean"].to_list() == [1.0] * 8  # of one flow
    assert "`largest_share`" in (changed / "docs" / "reference-metrics.md").read_text(encoding="utf-8")
    assert "`ack_jitter`" in (changed / "docs" / "reference-parameters.md").read_text(encoding="utf-8")


def test_the_axis_does_what_it_says(changed):
    """An ACK that waits a uniform time up to 20 ms adds to round trips, and nothing to one-way delays of data."""
    summary = tcpsweep.open("first-change", changed.folder).summary.collect()
    rtts = summary.filter(pl.col("metric") == "rtt_mean_s").group_by("ack_jitter_s").agg(pl.col("mean").mean())
    found = dict(rtts.rows())
    assert found[0.02] > found[0]


def test_the_charts_have_the_darker_grid_and_the_rule_wrote_the_means(changed):
    figures = list((changed / "results/sweeps/first-change/figures").glob("*.svg"))
    assert any("#c8c8c8" in figure.read_text(encoding="utf-8") for figure in figures)
    written = pl.read_ndjson(changed / "results/sweeps/first-change/summary.ndjson")
    assert written.height == tcpsweep.open("first-change", changed.folder).summary.collect().height


def test_the_question_has_its_table_its_figure_and_the_first_answer(changed):
    folder = changed / "results/sweeps/first-change"
    table = tcpsweep.open("first-change", changed.folder).table("largest").collect()
    assert sorted(table["flow_variant"]) == ["TcpCubic", "TcpNewReno"]
    assert table["mean"].is_sorted(descending=True)
    assert "largest.parquet" in (folder / "SHA256SUMS").read_text(encoding="utf-8")
    assert (folder / "figures" / "largest.svg").is_file()
    answer = "has the largest goodput per flow:"
    assert answer in run(changed, BIN / "tcpsweep", "sweep", "first-change.yaml")
    assert answer in (changed / "reports/first-change.html").read_text(encoding="utf-8")


def test_a_sweep_that_asks_no_more_has_no_table_of_the_question(changed):
    text = (changed / "first-change.yaml").read_text(encoding="utf-8")
    (changed / "first-change.yaml").write_text(text.replace("largest: goodput_bps", ""), encoding="utf-8")
    run(changed, BIN / "tcpsweep", "sweep", "first-change.yaml")
    assert not list((changed / "results/sweeps/first-change").glob("largest.*"))
    (changed / "first-change.yaml").write_text(text, encoding="utf-8")
    run(changed, BIN / "tcpsweep", "sweep", "first-change.yaml")
    assert (changed / "results/sweeps/first-change/largest.csv").is_file()


def test_the_question_refuses_a_wrong_metric(changed):
    text = (changed / "first-change.yaml").read_text(encoding="utf-8")
    (changed / "wrong.yaml").write_text(text.replace("goodput_bps", "goodput"), encoding="utf-8")
    checked = ran(BIN / "tcpsweep", "check", "wrong.yaml", cwd=changed.folder, env=changed.environment)
    assert checked.returncode == 1
    assert (
        "largest: there is no metric 'goodput'; expected a metric in which variants" in checked.stdout + checked.stderr
    )


def test_the_ingredient_is_in_half_of_the_commands_and_changes_no_other(changed):
    commands = json.loads((changed / "results/sweeps/first-change/commands.json").read_text(encoding="utf-8"))
    options = {f"--ns3::TcpSocketBase::{name}=false" for name in ("Sack", "Timestamp", "WindowScaling")}
    with_options = [options <= set(command.split()) for command in commands.values()]
    assert with_options.count(True) == with_options.count(False) == 8
    assert not any("tcp_options" in command for command in commands.values())
    assert run(changed, sys.executable, "-c", CELLS) == (changed / "cells.txt").read_text(encoding="utf-8")


def test_the_command_lists_the_variants(changed):
    assert run(changed, BIN / "tcpsweep", "variants", "first-change") == "TcpCubic\nTcpNewReno\n"
    assert "tcpsweep variants" in (changed / "docs" / "command-line.md").read_text(encoding="utf-8")


def test_features_are_folders_and_lines_of_the_registry():
    """The diffs below "A feature" change nothing else than the schema of a parameter."""
    text = (ROOT / "docs" / f"{PAGE}.md").read_text(encoding="utf-8")
    files = re.findall(r"^\+\+\+ b/(\S+)$", text[text.index("## A feature") :], re.MULTILINE)
    places = ("tcpsweep/registry/", *(f"tcpsweep/features/{name}/" for name in FEATURES))
    assert [file for file in files if not file.startswith(places)] == ["config/schema.yaml"]


def test_the_changes_keep_the_form(changed):
    settings, mypy_cache = f"--config={ROOT / 'pyproject.toml'}", f"--cache-dir={ROOT / '.mypy_cache'}"
    run(
        changed,
        BIN / "ruff",
        "check",
        settings,
        "tcpsweep",
        "test_largest_share.py",
    )
    run(changed, BIN / "ruff", "format", settings, "--check", "tcpsweep")
    run(changed, BIN / "lint-imports", settings, "--no-cache")
    run(changed, BIN / "mypy", settings.replace("config", "config-file", 1), mypy_cache, "tcpsweep")
    run(changed, BIN / "snakefmt", "--check", "rules/ndjson.smk", "Snakefile")
    style = f"--style=file:{ROOT / '.clang-format'}"
    run(changed, BIN / "clang-format", style, "--dry-run", "-Werror", "ns3-scenarios/chain.cc")
