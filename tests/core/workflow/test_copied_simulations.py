# SPDX-License-Identifier: MIT
"""Two machines that share nothing run parts of a sweep; one copies the other's simulations, as the docs say."""

import shutil
import subprocess

import pytest

from tests.support.damage import turn_a_bit
from tests.support.processes import ran
from tests.support.project import SMALL, TCPSWEEP
from tests.support.recipes import blocks
from tests.support.tools import tool

pytestmark = pytest.mark.long

SWEEP = SMALL.replace("duration: 3s, warmup: 1s", "duration: 1s, warmup: 0s").replace("[5ms, 10ms]", "[5ms]")
RUNS = {"first": "runs: [1, 2]", "second": "runs: [3, 4]"}


@pytest.fixture(scope="module")
def machines(tmp_path_factory, dumbbell, program):
    """A folder for each machine, with its simulations and no tables."""
    program("inspect")
    above = tmp_path_factory.mktemp("machines")
    for name, runs in RUNS.items():
        (above / name).mkdir()
        (above / name / "small.yaml").write_text(SWEEP.replace("repetitions: 2", runs))
        done = tcpsweep(above / name, "sweep", "small.yaml", "--until", "simulate", "-q")
        assert done.returncode == 0, done.stdout + done.stderr
        assert len(cells(above / name)) == 4
        assert not list(above.glob("*/results/sweeps/small/summary.*"))
    return above


@pytest.fixture
def study(machines, tmp_path):
    """A copy of both machines' folders; the first has the whole sweep's file."""
    shutil.copytree(machines, tmp_path / "study")
    (tmp_path / "study/first/small.yaml").write_text(SWEEP.replace("repetitions: 2", "repetitions: 4"))
    return tmp_path / "study"


def tcpsweep(folder, *arguments):
    return ran(TCPSWEEP, *arguments, cwd=folder)


def cells(folder):
    """The folders of Parquet, in the order of their names."""
    return sorted(folder.glob("results/cells/*/*"))


def contents_of(folder, pattern):
    return {path.relative_to(folder): path.read_bytes() for path in folder.glob(pattern) if path.is_file()}


def copied(study, name="tar"):
    """Run the command of `docs/other-machines.md` that copies with this program."""
    tool(name)
    lines = "".join(blocks("sh", "other-machines")).splitlines()
    (line,) = [line for line in lines if "second" in line and name in line]
    command = line.replace("ssh second ", "").replace("second:", "").replace("study/", f"{study}/second/")
    subprocess.run(["bash", "-c", command], cwd=study / "first", check=True)


def finished_tables(folder):
    """The tables of the whole sweep, after `verify` has compared all files."""
    verified = tcpsweep(folder, "verify", "small")
    assert verified.returncode == 0, verified.stdout
    assert "8 simulations" in verified.stdout
    return contents_of(folder, "results/sweeps/small/*.parquet")


@pytest.mark.parametrize("name", ["rsync", "tar"])
def test_copied_simulations_are_not_simulated_again_and_files_that_are_there_stay(study, name):
    first = study / "first"
    before = contents_of(first, "results/cells/**/*")
    shutil.copytree(cells(first)[0].parent, study / "second/results/cells" / cells(first)[0].parent.name)
    twice = study / "second" / cells(first)[0].relative_to(first) / "run.json"
    twice.write_text("{}")  # as from a machine that took another time
    copied(study, name)
    assert before.items() <= contents_of(first, "results/cells/**/*").items()
    done = tcpsweep(first, "sweep", "small.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "small: 8 kept" in done.stderr
    finished_tables(first)


def test_what_was_copied_in_part_or_is_damaged_or_of_another_version_is_made_again(study):
    """The tables are those of simulations that were copied whole."""
    whole = study / "whole"
    shutil.copytree(study / "first", whole / "first")
    shutil.copytree(study / "second", whole / "second")
    copied(whole)
    assert tcpsweep(whole / "first", "sweep", "small.yaml").returncode == 0
    metrics, traces, half, other = cells(study / "second")
    turn_a_bit(next(metrics.glob("measured-*")) / "measures.parquet")
    turn_a_bit(traces / "traces.parquet")
    for path in half.iterdir():  # as if the copy ended after the first file of the folder
        if path.name != "SHA256SUMS":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    other.rename(other.with_name("0123456789ab"))
    copied(study)
    done = tcpsweep(study / "first", "sweep", "small.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    for name in ("measures.parquet", "traces.parquet"):
        assert f"{name}: differs from its checksum" in done.stdout + done.stderr
    assert finished_tables(study / "first") == finished_tables(whole / "first")
