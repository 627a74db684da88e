# SPDX-License-Identifier: MIT
"""Files that simulations read: no result has an id that stands for another content."""

from pathlib import Path

import pytest

from tcpsweep.core.ns3.engine import Engine
from tcpsweep.core.plan import cell_commands, job_files
from tcpsweep.core.plan.expected_costs import Expected
from tcpsweep.core.plan.plan_record import Plan, Workers
from tcpsweep.core.run import cell_jobs, worker_pool
from tcpsweep.core.store import layout
from tcpsweep.core.sweep import host_programs, input_files
from tcpsweep.core.sweep.cost import Cost
from tests.support.networks import LINE, read

CHANGED = "has changed since the sweep was planned; start the sweep again to use the new file"


@pytest.fixture
def planned(tmp_path, monkeypatch):
    """Plans a simulation of a link with the trace `t`, whose simulator is a line of shell, and returns its plan."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(worker_pool, "run", lambda cells, _, take, *more: ([(cell, take(cell)) for cell in cells], []))
    Path("t").write_text("1\n2\n")

    def planned(line):
        Path("simulator").write_text(f'#!/bin/sh\nfor out; do :; done\n{line}\ntouch "${{out#--out=}}/checksums.txt"\n')
        Path("simulator").chmod(0o755)
        sweep = read(LINE.replace("delay: 20ms", "trace: t") + "runs: [1]\ncapture: {keep_raw: true}\n", tmp_path)
        cells = cell_commands.cells(sweep, "code", Engine(None, "3.44", "0123456789ab"), dict)
        plan = Plan(sweep, cells, "parser", None, tmp_path / "simulator", {})
        costs = [Expected((), Cost(1, 1, 1, 1), Cost(1, 1, 1, 1))]
        jobs = job_files.write(plan, {"simulate": dict.fromkeys(cells, 1.0)}, costs, Workers(), locked=True)
        return layout.stamp(sweep.name, "simulate", jobs["simulate"][0]).with_suffix(".json")

    return planned


def failures():
    return [path.read_text() for path in layout.FAILED.glob("*/log.txt")]


def test_a_simulation_fails_without_result_if_its_file_changed_after_planning(planned, tmp_path):
    plan = planned("touch begun")
    Path("t").write_text("1\n3\n")
    cell_jobs.run(plan)
    assert f"{tmp_path / 't'} {CHANGED}" in failures()[0]
    assert not Path("begun").exists()
    Path("t").unlink()
    cell_jobs.run(plan)
    assert f"{tmp_path / 't'} cannot be read: No such file or directory" in failures()[0]
    assert not list(layout.RAW.glob("*"))


def test_a_simulation_during_which_its_file_changed_is_discarded(planned, tmp_path):
    cell_jobs.run(planned("echo 9 >> t"))
    assert f"{tmp_path / 't'} {CHANGED}" in failures()[0]
    assert not list(layout.RAW.glob("*"))


def test_a_file_that_was_only_touched_is_the_planned_one(planned):
    cell_jobs.run(planned("touch -d yesterday t"))
    assert CHANGED not in failures()[0]  # the simulator writes nothing to parse


def test_the_files_of_a_simulation_are_those_that_its_arguments_name(tmp_path):
    (tmp_path / "send.sh").write_text("sleep 1\n")
    inputs = host_programs.files("sh ./send.sh", tmp_path)
    shell = host_programs.program_path("sh")
    assert input_files.named(["--sender_program=sh ./send.sh", "--receiver_program=none"], inputs) == {
        str(tmp_path / "send.sh"): inputs["./send.sh"].content,
        shell: host_programs.content(Path(shell)),
    }
    assert input_files.named(["--queue=10p"], inputs) == {}
