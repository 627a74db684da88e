# SPDX-License-Identifier: MIT
"""`tcpsweep sweep` forks the steps after the cells from one process; Snakemake by itself runs each by its command."""

import shutil

import pytest

from tests.support.project import step

pytestmark = pytest.mark.slow


def test_forked_steps_write_what_their_commands_write_by_themselves(finished, copy_of_finished):
    for made in ("results/sweeps", "reports"):
        shutil.rmtree(copy_of_finished / made)
    done = step(copy_of_finished, "sweep", "sweep.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    right = [*(finished / "reports").rglob("*"), *(finished / "results/sweeps/small").glob("[a-zS]*")]
    right += (finished / "results/sweeps/small/figures").iterdir()
    for file in right:
        if file.is_file():
            name = file.relative_to(finished.folder)
            assert (copy_of_finished / name).read_bytes() == file.read_bytes(), name
