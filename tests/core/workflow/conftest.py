# SPDX-License-Identifier: MIT
"""A finished sweep's archive, its use on another machine, and what comes with a plugin or a tool."""

import os
import subprocess
import sys
import zipfile

import pytest

from tests.support.processes import ran
from tests.support.project import TCPSWEEP, step
from tests.support.tools import ROOT


@pytest.fixture(scope="session")
def archived(once, finished):
    """The finished small sweep's archive. Tests only read it."""

    def make(folder):
        done = step(finished, "archive", "small", "--to", str(folder / "new" / "small.zip"), "--author", "A. Student")
        assert done.returncode == 0, done.stderr
        assert "8 simulations" in done.stdout

    return once("archived", make) / "new" / "small.zip"


@pytest.fixture
def unpacked(archived, tmp_path):
    """The archive, unpacked to be changed."""
    with zipfile.ZipFile(archived) as packed:
        packed.extractall(tmp_path / "unpacked")
    return tmp_path / "unpacked"


@pytest.fixture
def repacked(unpacked, tmp_path):
    """Packs the changed folder as an archive."""

    def repacked():
        with zipfile.ZipFile(tmp_path / "changed.zip", "w") as packed:
            for path in sorted(unpacked.rglob("*")):
                if path.is_file():
                    packed.write(path, path.relative_to(unpacked).as_posix())
        return tmp_path / "changed.zip"

    return repacked


@pytest.fixture
def verified(finished, tmp_path):
    """What `tcpsweep verify` does with a file, in a folder of its own, where the simulators are compiled."""

    def verified(file, *options, build=finished.folder / "build"):
        (tmp_path / "work").mkdir(exist_ok=True)
        environment = os.environ | {"TCPSWEEP_BUILD": str(build.resolve())}
        return ran(TCPSWEEP, "verify", file, *options, cwd=tmp_path / "work", env=environment)

    return verified


@pytest.fixture
def installed(tmp_path):
    """Installs what a file of `envs/` names; the environment in which Python finds it."""

    def installed(name):
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes", "--target"]
        subprocess.run([*pip, tmp_path / "installed", "-r", ROOT / "envs" / f"{name}.txt"], check=True)
        return os.environ | {"PYTHONPATH": str(tmp_path / "installed")}

    return installed
