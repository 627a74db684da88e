# SPDX-License-Identifier: MIT
"""Runs on a cluster, as far as they can be tested without one; test_slurm.py has one."""

import errno
import fcntl
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tcpsweep.core.plan import plan
from tcpsweep.core.store import layout, locks
from tcpsweep.core.words.user_error import UserError
from tcpsweep.core.workflow import planning
from tests.support.project import SMALL, step


@pytest.fixture
def queue(tmp_path, monkeypatch):
    """A SLURM with only a queue: jobs and the folders that they were submitted in; `scancel` logs its calls.

    Jobs are batches of a run called earlier, but the one that makes tables, of which ``tables`` is the run.
    """
    folder = tmp_path / "slurm"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)

    def queue(jobs, scancel, tables="another"):
        rows = "".join(f"{job}|earlier|rule_simulate_wildcards_{job}|{where}\n" for job, where in jobs.items())
        rows += f"99|{tables}|rule_summarise|/elsewhere\n"
        (folder / "jobs").write_text(rows)
        for name, line in {"squeue": f"cat {folder}/jobs", "scancel": scancel.format(jobs=folder / "jobs")}.items():
            (folder / name).write_text(f"#!/bin/sh\n{line}\n")
            (folder / name).chmod(0o755)

    return queue


def planned(folder, *jobs):
    """Make up the plan files of a sweep's jobs, and of another's."""
    for sweep, job in [*(("s", job) for job in jobs), ("other", "6")]:
        plan_file = folder / layout.stamp(sweep, "simulate", job).with_suffix(".json")
        plan_file.parent.mkdir(parents=True, exist_ok=True)
        plan_file.touch()


def test_jobs_that_were_submitted_here_are_cancelled_whatever_scancel_says_if_they_are_gone(queue, tmp_path):
    planned(tmp_path, "7", "8")
    queue({"6": tmp_path, "7": tmp_path, "8": tmp_path / "elsewhere"}, "sed -i /^7/d {jobs}; exit 1")
    assert planning.cancel_jobs_in_queue(tmp_path, "s") == 1
    assert planning.cancel_jobs_in_queue(tmp_path, "s") == 0


def test_a_job_without_a_batch_is_cancelled_if_it_is_of_the_killed_run(queue, tmp_path):
    planned(tmp_path, "7")
    queue({}, "sed -i /^99/d {jobs}", tables="tcpsweep_9d8c")
    submitted = tmp_path / layout.submitted("s")
    for text, count in (("run", 0), ("run\ntcpsweep_1a2b", 0), ("run\ntcpsweep_9d8c", 1)):
        submitted.write_text(text)
        assert planning.cancel_jobs_in_queue(tmp_path, "s") == count


def test_a_step_of_a_killed_run_that_still_works_is_waited_for_aloud(here, capsys):
    (layout.SWEEPS / "s").mkdir(parents=True)
    with (layout.SWEEPS / "s" / locks._STEPS_LOCK).open("a") as file, ThreadPoolExecutor() as pool:
        fcntl.flock(file, fcntl.LOCK_SH)
        waits = pool.submit(locks.await_steps, "s")
        with pytest.raises(TimeoutError):
            waits.result(0.5)
        fcntl.flock(file, fcntl.LOCK_UN)
        waits.result(5)
    told = "tcpsweep: a killed run of the sweep s left a job that makes tables, the report or pages; waiting for it\n"
    assert capsys.readouterr().err == told


def test_jobs_that_do_not_end_are_named_with_what_to_do(queue, tmp_path, monkeypatch):
    monkeypatch.setattr(planning, "PATIENCE_S", 1)
    planned(tmp_path, "7", "9")
    queue({"7": tmp_path, "9": tmp_path}, "sed -i /^7/d {jobs}")
    with pytest.raises(planning.Unreachable, match="do not end: 9; cancel them with `scancel`"):
        planning.cancel_jobs_in_queue(tmp_path, "s")


def test_a_file_system_without_locks_is_not_taken_for_another_run(tmp_path, monkeypatch):
    def flock(file, operation):
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    monkeypatch.chdir(tmp_path)
    with (
        locks.sweep("s"),
        pytest.raises(locks.Busy, match=f"is in use by the sweep s, process {os.getpid()} on "),
    ):
        locks.sweep("s")
    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(locks.Busy, match="cannot be locked: Function not implemented; results/ has to be on"):
        locks.store()


@pytest.mark.long
def test_jobs_on_this_machine_are_not_taken_for_a_cluster_and_a_killed_run_is_taken_over(project, queue, monkeypatch):
    here = project.run("-n", "-p", "-j", "8", project.tables(), sweep=SMALL)
    assert "tcpsweep cells results/sweeps/small/jobs/simulate/" in here.text
    assert "--memory" not in here.text
    there = project.run("-n", "-p", "--workflow-profile", "profiles/slurm", project.tables())
    assert "--memory" in there.text
    assert "--scratch" in there.text

    monkeypatch.chdir(project.folder)
    layout.submitted("small").write_text("run\ntcpsweep_9d8c")
    left = next(Path("results/sweeps/small/jobs/simulate").glob("*.json")).stem
    planned = project / "results" / "sweeps" / "small" / "sweep.json"
    (project / "sweep.yaml").write_text("sweep: another")
    assert plan.outline("small", "run").sweep.name == "small"
    with pytest.raises(UserError, match="the run that submitted this job has ended"):
        plan.outline("small", "an earlier run")
    refused = step(project, "clean", "results", answer="y\n")
    assert "batches of small, whose run on a cluster was killed, may still run" in refused.stderr
    assert planned.is_file()

    queue({left: project.folder}, "rm {jobs}; touch {jobs}")
    ran = project.run(planned.relative_to(project.folder), sweep=SMALL)
    assert "cancelled 1 job that an earlier run left in the queue" in ran.text
    assert not layout.submitted("small").exists()
    with pytest.raises(UserError, match="the run that submitted this job has ended"):
        plan.outline("small", "run")
