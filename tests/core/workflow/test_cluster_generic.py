# SPDX-License-Identifier: MIT
"""A sweep whose jobs go to another scheduler: here, a command that starts each of them in the background."""

import pytest

from tcpsweep.core.plan import step_costs
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
    granted = [[*map(int, line.split())] for line in (tmp_path / "submitted").read_text().splitlines()]
    (threads, megabytes, minutes), tables = granted  # one cell, one job; its program was compiled here
    assert (threads, minutes) == (1, 6)
    assert 500 < megabytes < 2000
    assert tables[1] == step_costs.table_mb(1)
    assert not (tmp_path / "results/sweeps/small/.submitted").exists()
