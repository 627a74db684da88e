# SPDX-License-Identifier: MIT
"""Cells with this machine's kernel. If it allows no hosts, the tests fail in CI and are skipped elsewhere."""

import subprocess

import pytest

from tcpsweep.linux import kernel
from tcpsweep.run import real_time
from tests.support.cell import Cell
from tests.support.tools import forbidden


@pytest.fixture(scope="session")
def linux():
    """This machine's kernel."""
    found = kernel.find()
    if found.hindrance:
        forbidden(f"no hosts with this kernel's TCP: {found.hindrance}")
    return found


@pytest.fixture(scope="session")
def in_time(linux):
    """Run a command and return its output. Try again if the machine was too busy for real time."""

    def in_time(command):
        for _ in range(real_time.ATTEMPTS):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != real_time.TOO_LATE:
                break
        else:  # refused, as expected
            pytest.skip(f"this machine is too busy for real time: {done.stderr.strip()}")
        assert done.returncode == 0, done.stderr
        return done.stdout

    return in_time


@pytest.fixture(scope="module")
def cell_of(in_time, tmp_path_factory):
    """A cell of a program, in real time."""

    def cell_of(program, *arguments):
        folder = tmp_path_factory.mktemp("cell")
        in_time([program, *arguments, f"--out={folder}"])
        return Cell(folder)

    return cell_of


@pytest.fixture(scope="module")
def kernel_cell(cell_of, dumbbell):
    """A cell of the dumbbell with the kernel's TCP."""
    return lambda *arguments: cell_of(dumbbell, "--stack=linux", *arguments)
