# SPDX-License-Identifier: MIT
"""The rules' use of Snakemake: the logger plugin, the profile's setting for clusters, and linting."""

import fcntl
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
import yte
from snakemake_interface_logger_plugins.registry import LoggerPluginRegistry

from tcpsweep.core.workflow import snakemake_messages
from tests.support.processes import ran
from tests.support.project import KEPT, SNAKEMAKE
from tests.support.tools import ROOT

PROFILES = {path.parent.name: yaml.safe_load(path.read_text()) for path in ROOT.glob("profiles/*/config.yaml")}


def test_snakemake_finds_our_logger_and_no_profile_needs_it():
    assert not any("logger" in profile for profile in PROFILES.values())
    plugin = LoggerPluginRegistry().get_plugin("tcpsweep")
    assert plugin.log_handler is snakemake_messages.LogHandler
    assert plugin.settings_cls is None


@pytest.mark.long
def test_without_our_logger_snakemake_has_the_terminal_and_the_summary_is_shown(copy_of_finished):
    command = [SNAKEMAKE, "--cores", "2", "-R", "finish", "--configfile", "sweep.yaml"]
    done = ran(*command, cwd=copy_of_finished.folder, env=copy_of_finished.environment)
    text = done.stdout + done.stderr
    assert done.returncode == 0, text
    assert "check that every simulation has its results" in text  # Snakemake's own handler
    assert "small: means ± 95 % confidence" in text


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_says_where_jobs_run(name):
    elsewhere = PROFILES[name].get("executor", "local") != "local"
    assert PROFILES[name].get("config", {}) == ({"on_cluster": True} if elsewhere else {})


def slurm_profile():
    return yte.process_yaml((ROOT / "profiles" / "slurm" / "config.yaml").read_text())


@pytest.mark.long
def test_a_profile_with_its_plugin_is_a_profile():
    assert slurm_profile()["executor"] == "slurm"


def test_a_profile_without_its_plugin_says_so_in_a_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "snakemake_executor_plugin_slurm", None)
    with pytest.raises(SystemExit, match=r"^profiles/slurm: snakemake-executor-plugin-slurm is not installed; see"):
        slurm_profile()


@pytest.mark.long
def test_jobs_that_would_run_elsewhere_though_the_profile_does_not_say_so_are_refused(copy_of_finished):
    process = copy_of_finished.start("-R", "finish", "--executor", "slurm", "--jobs", "2")
    text, _ = process.communicate()
    assert process.returncode == 1
    assert "jobs would run on other machines, but the profile lacks `config: {on_cluster: true}`" in text
    assert "Traceback" not in text


def files(folder):
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


@pytest.mark.long
def test_linting_leaves_results_as_they_are_and_waits_for_no_run(copy_of_finished, tmp_path):
    (copy_of_finished / "sweep.yaml").write_text(KEPT.replace("5ms, 10ms", "5ms, 20ms"))
    (copy_of_finished / "results/sweeps/small/.submitted").touch()  # whose jobs a run would cancel
    before = files(copy_of_finished / "results")
    command, environment = copy_of_finished.command("--lint", "--configfile", "sweep.yaml")
    with (copy_of_finished / "results/sweeps/small/.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = ran(*command, cwd=copy_of_finished.folder, env=environment)
    said = done.stdout + done.stderr
    assert "Lints for rule simulate" in said
    titles = set(re.findall(r"^    \* (.*):$", said, re.MULTILINE))
    assert titles == {"Specify a conda environment or container for each rule."}
    assert "tcpsweep: " not in said
    assert files(copy_of_finished / "results") == before


@pytest.mark.long
def test_linting_in_an_empty_folder_makes_nothing_there(tmp_path):
    command = [Path(sys.executable).with_name("snakemake"), "--snakefile", ROOT / "Snakefile", "--lint"]
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert [path.name for path in tmp_path.iterdir()] == [".snakemake"]  # its log
