# SPDX-License-Identifier: MIT
"""Cells with this machine's kernel; where it gives no hosts, they are left out by name, and fail in CI."""

import os
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
        words = f"no hosts with this kernel's TCP: {found.hindrance}"
        pytest.fail(words) if os.environ.get("CI") else pytest.skip(words)
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
        assert done.returncode == 0, done.stderr
        return Cell(folder)

    return kernel_cell
