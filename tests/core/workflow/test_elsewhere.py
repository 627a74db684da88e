# SPDX-License-Identifier: MIT
"""Sweeps started from a folder outside the project, with the Snakemake of a .venv that is not active."""

import os
import re
import sys
from pathlib import Path

import pytest

from tests.support.processes import ran
from tests.support.project import CELL
from tests.support.tools import ROOT

pytestmark = pytest.mark.long
BIN = Path(sys.executable).parent


@pytest.fixture
def elsewhere(tmp_path):
    """An empty folder but for a sweep file, and the environment of a shell that knows nothing of .venv."""
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "my.yaml").write_text(CELL)
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    path = [folder for folder in kept["PATH"].split(os.pathsep) if Path(folder) != BIN]
    return tmp_path / "here", kept | {"PATH": os.pathsep.join(path)}


def run(elsewhere, *command):
    folder, environment = elsewhere
    done = ran(*command, cwd=folder, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def rules(text):
    return set(re.findall(r"\(Rule: (\w+)\)", text))


def made(folder):
    """What lies in a folder, below what Snakemake itself leaves there."""
    return {path.name for path in folder.iterdir()} - {".snakemake", "my.yaml"}


def test_another_folder_gets_the_results_and_compiles_nothing_that_is_compiled(elsewhere, dumbbell, program):
    program("inspect")
    before = made(ROOT)
    options = ["--cores", "2", "--configfile", "my.yaml", "-p"]
    text = run(elsewhere, BIN / "snakemake", "--snakefile", ROOT / "Snakefile", *options)
    assert rules(text) == {"simulate", "summarise", "report", "pages", "finish", "all"}
    folder, _ = elsewhere
    assert made(folder) == {"results", "reports"}
    assert made(ROOT) == before
    assert "report: reports/small.html" in text
    assert (folder / "reports" / "small.html").is_file()
    # The short way says that there is nothing left; it would leave what Snakemake leaves.
    text = run(elsewhere, BIN / "tcpsweep", "sweep", "my.yaml")
    assert "1 simulation, all finished\n" in text
    assert text.count("reports/small.html") == 1
    # And the command in the report runs where it is typed.
    table = (folder / "results" / "sweeps" / "small" / "commands.json").read_text()
    assert f"&& {dumbbell.parent.parent.parent}/ns3.44-" in table


def test_the_option_directory_is_where_results_go(elsewhere, dumbbell, program, tmp_path):
    program("inspect")
    target = "results/sweeps/small/summary.parquet"
    options = ["--cores", "2", "--configfile", "my.yaml", "--directory", tmp_path / "there", "-p", target]
    text = run(elsewhere, BIN / "snakemake", "--snakefile", ROOT / "Snakefile", *options)
    assert rules(text) == {"simulate", "summarise"}
    assert made(elsewhere[0]) == set()
    assert made(tmp_path / "there") == {"results"}
    assert (tmp_path / "there" / target).is_file()


def test_a_slurm_profile_is_found_from_any_folder_by_its_name(elsewhere):
    text = run(elsewhere, BIN / "tcpsweep", "sweep", "my.yaml", "--workflow-profile", "slurm", "-n", "-p")
    assert "--memory" in text


def test_the_package_of_another_clone_is_refused(project, elsewhere):
    command = [BIN / "snakemake", "--snakefile", project / "Snakefile", "--cores", "1", "--configfile", "my.yaml", "-n"]
    done = ran(*command, cwd=elsewhere[0], env=elsewhere[1])
    assert done.returncode == 1
    assert (
        f"this Python has the package of {ROOT}, but the rules are in {project.folder}; run `make setup` there"
        in done.stderr
    )
