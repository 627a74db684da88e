# SPDX-License-Identifier: MIT
"""tcpsweep inside another workflow: as a module of Snakemake, and deployed from a repository by snakedeploy."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.harness import PARTS
from tests.support.processes import ran
from tests.support.project import CELL, edit
from tests.support.tools import ROOT

BIN = Path(sys.executable).parent
OUTER = f"""\
rule mine:
    input: "results/sweeps/small/summary.csv", "reports/small.html", "results/sweeps/small/complete"
    output: "lines"
    shell: "wc -l < {{input[0]}} > {{output}}"

module tcpsweep:
    snakefile: "{ROOT}/Snakefile"
    config: {{"sweep_file": "my.yaml"}}

use rule * from tcpsweep as tcpsweep_*
"""
DEPLOY = "from snakedeploy.deploy import deploy; from pathlib import Path; import sys; \
deploy(sys.argv[1], name=None, tag=sys.argv[2], branch=None, dest_path=Path(sys.argv[3]))"
# Its logger's plugin, which Snakemake imports before it reads a Snakefile, is a part of the package.
WITHOUT_PACKAGE = "import sys; from snakemake import cli; \
sys.modules['tcpsweep.core.command_line.main'] = None; cli.main(sys.argv[1:])"
# No machine contacts this host: git is configured to find its repositories in a folder.
HOST = "https://github.com/"


def snakemake(folder, *options, environment=None, command=(BIN / "snakemake",)):
    done = ran(*command, "--cores", "2", *options, cwd=folder, env=os.environ | (environment or {}))
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def outer(tmp_path):
    """A folder with a workflow that uses tcpsweep's, and a sweep file."""
    (tmp_path / "Snakefile").write_text(OUTER)
    (tmp_path / "my.yaml").write_text(CELL)
    return tmp_path


@pytest.mark.long
def test_another_workflow_has_a_sweep_made_in_its_own_folder_and_goes_on_with_its_tables(outer, dumbbell, program):
    program("inspect")
    before = [(ROOT / name).exists() for name in ("results", "reports", "lines")]
    status, text = snakemake(outer)
    assert status == 0, text
    assert (outer / "lines").read_text().strip() == "2"  # the names and a row
    assert {path.name for path in outer.iterdir()} >= {"results", "reports"}
    assert [(ROOT / name).exists() for name in ("results", "reports", "lines")] == before
    assert "small: means" in text  # the final messages of the handlers in tcpsweep's Snakefile
    assert "localrules directive" not in text


UNFIT = {
    '{"sweep_file": "my.yaml"}': (
        "{}",
        'a module has to name its sweep file: `config: {"sweep_file": "my-sweep.yaml"}`',
    ),
    "my.yaml": ("mine.yaml", "mine.yaml: cannot be read: No such file or directory; sweep files there are my.yaml"),
    "config:": ('replace_prefix: {"results": "made"}\n    config:', "a module's `replace_prefix:` has no effect"),
}


@pytest.mark.long
@pytest.mark.parametrize("old", UNFIT)
def test_settings_that_a_module_lacks_or_ignores_are_reported(outer, old):
    new, told = UNFIT[old]
    edit(outer / "Snakefile", old, new)
    status, text = snakemake(outer, "-n")
    assert status == 1
    assert told in text


@pytest.mark.long
def test_a_python_without_the_package_is_told_which_to_take(outer):
    status, text = snakemake(outer, "-n", command=(sys.executable, "-c", WITHOUT_PACKAGE))
    assert status == 1
    assert f"{sys.executable} has no module tcpsweep.core.command_line.main: install the packages of a clone" in text
    assert f"`{sys.executable} -m pip install -r {ROOT}/envs/requirements.txt`" in text


TWO = """\
rule mine:
    input:
        *["{0}/results/sweeps/small/summary.csv".format(name) for name in ("one", "two")]
    params: folders=[row["folder"] for row in one.RUN.simulations()]
    output: "folders"
    shell: "echo {params.folders} > {output}"
"""
MODULE = """
module NAME:
    snakefile: "ROOT/Snakefile"
    prefix: "NAME"
    config: {"sweep_file": "NAME.yaml"}

use rule * from NAME as NAME_*
"""


@pytest.mark.long
def test_two_modules_in_one_workflow_have_their_results_below_their_prefixes(tmp_path, dumbbell, program):
    program("inspect")
    modules = "".join(MODULE.replace("ROOT", str(ROOT)).replace("NAME", name) for name in ("one", "two"))
    (tmp_path / "Snakefile").write_text(modules + TWO)
    for name, delay in {"one": "5ms", "two": "6ms"}.items():
        (tmp_path / f"{name}.yaml").write_text(CELL.replace("5ms", delay))
    status, text = snakemake(tmp_path, "mine")
    assert status == 0, text
    (folder,) = (tmp_path / "folders").read_text().split()
    assert (tmp_path / folder / "flows.parquet").is_file()
    for name in ("one", "two"):
        assert len(list((tmp_path / name / "results" / "cells").iterdir())) == 1
    assert not (tmp_path / "results").exists()


def git(folder, *arguments):
    named = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org"]
    subprocess.run(["git", *named, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def hosted(tmp_path):
    """The environment that finds a repository of tcpsweep at a host, with the tags v1 and, with other rules, v2."""
    repository = tmp_path / "hosted" / "somebody" / "tcpsweep"
    repository.mkdir(parents=True)
    for part in [part for part in PARTS if (ROOT / part).is_dir()]:
        shutil.copytree(ROOT / part, repository / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "Snakefile", repository)
    git(repository, "init", "-q")
    for tag in ("v1", "v2"):
        git(repository, "add", "-A")
        git(repository, "commit", "-qm", tag)
        git(repository, "tag", tag)
        edit(repository / "rules" / "report.smk", "threads: 1", "threads: 2")
    found = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": f"url.file://{tmp_path}/hosted/.insteadOf"}
    return found | {"GIT_CONFIG_VALUE_0": HOST, "XDG_CACHE_HOME": str(tmp_path / "cache"), "GITHUB_TOKEN": ""}


@pytest.mark.long
def test_snakedeploy_starts_a_folder_in_which_the_sweep_runs_and_another_version_is_refused(
    hosted, installed, tmp_path, dumbbell, program
):
    program("inspect")
    environment = installed("trials") | hosted
    for tag in ("v1", "v2"):
        deployed = [sys.executable, "-c", DEPLOY, f"{HOST}somebody/tcpsweep", tag, tmp_path / tag]
        subprocess.run(deployed, env=environment, check=True, capture_output=True)
    (tmp_path / "v1" / "config" / "config.yaml").write_text(CELL)
    status, text = snakemake(tmp_path / "v1", "results/sweeps/small/summary.csv", environment=hosted)
    assert status == 0, text
    assert "small: means" in text
    assert (tmp_path / "v1" / "results" / "sweeps" / "small" / "summary.csv").is_file()

    status, text = snakemake(tmp_path / "v2", "-n", environment=hosted)
    assert status == 1
    assert "somebody/tcpsweep" in text
    assert f"@v2 and this Python's package in {ROOT}" in text
