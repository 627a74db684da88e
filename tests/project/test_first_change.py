# SPDX-License-Identifier: MIT
"""The four changes of docs/first-change.md: they apply, pass the lint of Python and C++, and do what the page says."""

import shutil
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import tcpsweep
from tests.support.project import Project
from tests.support.recipes import blocks
from tests.support.tools import PATIENCE_S, ROOT

PAGE = "first-change"
BIN = Path(sys.executable).parent
GENERATED = ("docs/reference.md", "config/sweep.schema.json", "ns3-scenarios/lib/options/parameters.h")

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def changed(tmp_path_factory, build_folder):
    """A copy of the project with the page's changes, in which its sweep has run."""
    project = Project(tmp_path_factory.mktemp("project"), build_folder)
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
    for command, file in zip(("reference", "schema", "parameters"), GENERATED, strict=True):
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
    assert shares["mean"].to_list() == [1.0] * 4  # of one flow
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


def test_the_changes_keep_the_form(changed):
    settings = f"--config={ROOT / 'pyproject.toml'}"
    run(
        changed,
        BIN / "ruff",
        "check",
        settings,
        "tcpsweep/core/measure",
        "tcpsweep/core/words",
        "test_largest_share.py",
    )
    run(changed, BIN / "ruff", "format", settings, "--check", "tcpsweep/core/measure", "tcpsweep/core/words")
    run(changed, BIN / "snakefmt", "--check", "rules/ndjson.smk", "Snakefile")
    style = f"--style=file:{ROOT / '.clang-format'}"
    run(changed, BIN / "clang-format", style, "--dry-run", "-Werror", "ns3-scenarios/chain.cc")
