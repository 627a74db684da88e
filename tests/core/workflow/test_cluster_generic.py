# SPDX-License-Identifier: MIT
"""A sweep whose jobs go to another scheduler: here, a command that starts each of them in the background."""

import pytest

from tests.support.processes import ran
from tests.support.project import CELL, TCPSWEEP
from tests.support.tools import ROOT

# Notes a job's resources, as qsub receives them, and prints the job's id.
SUBMIT = 'echo "$1 $2 $3" >> submitted; setsid sh "$4" > /dev/null 2>&1 & echo $!'


@pytest.mark.long
def test_a_sweep_runs_by_a_command_that_submits_scripts(installed, dumbbell, program, tmp_path):
    program("inspect")
    (tmp_path / "my.yaml").write_text(CELL)
    (tmp_path / "submit.sh").write_text(SUBMIT)
    submit = f"sh {tmp_path}/submit.sh {{threads}} {{resources.mem_mb}} {{resources.runtime}}"
    options = ["--workflow-profile", ROOT / "profiles" / "cluster-generic", "--cluster-generic-submit-cmd", submit]
    options += ["--seconds-between-status-checks", "1", "--latency-wait", "5"]
    command = [TCPSWEEP, "sweep", "my.yaml", *options, "results/sweeps/small/summary.csv"]
    done = ran(*command, cwd=tmp_path, env=installed("cluster-generic"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "results/sweeps/small/summary.csv").is_file()
    (granted,) = (tmp_path / "submitted").read_text().splitlines()  # one cell, one job; all else ran here
    threads, megabytes, minutes = map(int, granted.split())
    assert (threads, minutes) == (1, 6)
    assert 500 < megabytes < 2000
    assert not (tmp_path / "results/sweeps/small/.submitted").exists()
