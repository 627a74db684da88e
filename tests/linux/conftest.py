# SPDX-License-Identifier: MIT
"""Cells with this machine's kernel; where it gives no hosts, or has no time, they are left out by name."""

import subprocess

import pytest

from tcpsweep.linux import kernel
from tcpsweep.run import real_time
from tests.support.cell import Cell


@pytest.fixture(scope="session")
def linux():
    """This machine's kernel."""
    found = kernel.find()
    if found.hindrance:
        pytest.skip(f"no hosts with this kernel's TCP: {found.hindrance}")
    return found


@pytest.fixture(scope="module")
def kernel_cell(linux, dumbbell, tmp_path_factory):
    """A cell of the dumbbell with the kernel's TCP; tried again where the machine was too busy for real time."""

    def kernel_cell(*arguments):
        folder = tmp_path_factory.mktemp("cell")
        for _ in range(real_time.ATTEMPTS):
            command = [dumbbell, "--stack=linux", *arguments, f"--out={folder}"]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != real_time.TOO_LATE:
                break
        else:  # it was refused as it has to be
            pytest.skip(f"this machine is too busy for real time: {done.stderr.strip()}")
        assert done.returncode == 0, done.stderr
        return Cell(folder)

    return kernel_cell
