# SPDX-License-Identifier: MIT
"""Plain Snakemake in a clone: an environment with the locked packages only, without make's set-up and without ns-3."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.harness import PARTS
from tests.support.processes import ran
from tests.support.project import SMALL
from tests.support.tools import ROOT

pytestmark = pytest.mark.long
ONE = SMALL.replace("[TcpNewReno, TcpCubic]", "[TcpNewReno]").replace("[5ms, 10ms]", "[5ms]")
INSTALLS = "tcpsweep: installing ns3=="


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """The `bin` of an environment with the packages of `envs/requirements.txt`, installed by pip as its users do."""
    folder = tmp_path_factory.mktemp("plain") / "environment"
    subprocess.run([sys.executable, "-I", "-m", "venv", folder], check=True)
    pip = [folder / "bin/pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check"]
    subprocess.run([*pip, "-r", ROOT / "envs/requirements.txt"], check=True)
    return folder / "bin"


@pytest.fixture
def clone(tmp_path):
    """A clone with one sweep file; its programs are shared with the other tests."""
    for part in (*PARTS, "pyproject.toml"):
        (tmp_path / part).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, tmp_path / part)
    (tmp_path / "my.yaml").write_text(ONE)
    return tmp_path


def test_a_sweep_runs_from_a_clone_and_ns3_is_installed_when_it_is_first_needed(environment, clone):
    variables = {name: text for name, text in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    variables["PATH"] = os.pathsep.join([str(environment), variables["PATH"]])

    def snakemake(*options, status=0):
        done = ran("snakemake", *options, cwd=clone, env=variables)
        assert done.returncode == status, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout + done.stderr

    linted = snakemake("--lint", "--configfile", "my.yaml", status=1)  # Snakemake demands conda or a container
    assert linted.count(INSTALLS) == 1
    assert "Lints for rule simulate" in linted
    planned = snakemake("-n", "--configfile", "my.yaml")
    assert INSTALLS not in planned
    assert "2 simulations" in planned
    assert "digraph" in snakemake("--rulegraph", "--configfile", "my.yaml")
    text = snakemake("--cores", "2", "--configfile", "my.yaml")
    assert "small: means ± 95 % confidence" in text
    assert (clone / "reports/small.html").is_file()
    # The command has the progress in simulations, without the package being installed.
    (clone / "my.yaml").write_text(ONE.replace("repetitions: 2", "repetitions: 3"))
    done = ran(environment / "python", "-m", "tcpsweep", "sweep", "my.yaml", cwd=clone, env=variables)
    assert done.returncode == 0, done.stderr
    assert ": simulate " not in done.stderr


def test_snakemake_alone_says_what_to_install(clone, tmp_path):
    """A Python that has Snakemake and lacks another package, here PyYAML's companion msgspec."""
    (tmp_path / "without").mkdir()
    (tmp_path / "without/msgspec.py").write_text("raise ModuleNotFoundError(name='msgspec')\n")
    path = os.pathsep.join([str(tmp_path / "without"), str(clone)])
    command = [Path(sys.executable).with_name("snakemake"), "-n", "--configfile", "my.yaml"]
    done = ran(*command, cwd=clone, env=os.environ | {"PYTHONPATH": path})
    assert done.returncode == 1
    assert f"-m pip install -r {clone}/envs/requirements.txt`" in done.stderr
