# SPDX-License-Identifier: MIT
"""Sweeps on a real SLURM with two nodes: whatever happens to jobs, no cell is lost or completed twice.

Snakemake polls SLURM less and less often, so the runs that do not disturb its daemons run concurrently.
"""

import contextlib
import fcntl
import os
import shutil
import signal
import subprocess
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.processes import ran
from tests.support.programs import replace
from tests.support.project import SMALL, Project, edit
from tests.support.tools import PATIENCE_S, ROOT, lacking

pytestmark = pytest.mark.slurm
CLUSTER = ROOT / "tests" / "support" / "cluster.sh"
CONF = Path("/etc/slurm/slurm.conf")
PROGRAMS = {"munged": "munge", "slurmctld": "slurmctld", "slurmd": "slurmd", "sbatch": "slurm-client"}
SWEEP = SMALL.replace("delay: [5ms, 10ms]", "delay: [5ms]")  # four cells, in one job
ON_SLURM = ["--workflow-profile", "profiles/slurm", "--slurm-init-seconds-before-status-checks", "1"]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """A SLURM; returns what does to it as the arguments of `cluster.sh` say."""
    if missing := [package for program, package in PROGRAMS.items() if not shutil.which(program)]:
        lacking(*missing)
    folder = tmp_path_factory.mktemp("slurm") / "cluster"

    def cluster(command, *name):
        return ran(CLUSTER, command, folder, *name)

    started = cluster("start")
    if started.returncode:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(started.stderr)
    yield cluster
    cluster("stop")


@pytest.fixture(scope="module")
def new_project(tmp_path_factory, build_folder, dumbbell):
    """Makes a project whose simulators wait before run 2 as long as there is `hold`, and list in `ended` what ended."""

    def new_project(name):
        project = Project(tmp_path_factory.mktemp(name), None)
        shutil.copytree(build_folder, project / "build", symlinks=True)
        program = project / "build" / dumbbell.relative_to(build_folder.resolve())
        waits = 'case "$*" in *RngRun=2*) while [ -e hold ]; do sleep 0.2; done;; esac'
        replace(program, ["#!/bin/sh", waits, f'{dumbbell} "$@" && echo "${{*%--out=*}}" >> ended'])
        (project / "sweep.yaml").write_text(SWEEP)
        return project

    return new_project


class Run:
    """A run of Snakemake that goes on."""

    def __init__(self, project, *arguments):
        self.project = project
        self.output = project / "output.txt"
        with self.output.open("a") as output:
            command, environment = project.command("-p", project.tables(), *ON_SLURM, *arguments)
            streams = {"stdin": subprocess.DEVNULL, "stdout": output, "stderr": subprocess.STDOUT}
            command += ["--configfile", "sweep.yaml"]
            self.process = subprocess.Popen(command, cwd=project.folder, env=environment, **streams)

    def wait_for(self, found):
        """Wait until something is found, and return it; a text is searched in the output."""
        end = time.monotonic() + PATIENCE_S
        while True:
            text = self.output.read_text()
            if result := found in text if isinstance(found, str) else found():
                return result
            assert self.process.poll() is None, text
            assert time.monotonic() < end, f"waited in vain\n{text}"
            time.sleep(0.2)

    def end(self):
        """Wait for the end; returns the exit status."""
        return self.process.wait(PATIENCE_S)


def held(project, *arguments):
    """A run whose first cells are done, and whose next one waits; and the job that it waits in."""
    (project / "hold").touch()
    run = Run(project, *arguments)
    run.wait_for(lambda: len(ended(project)) >= 1 and simulators(project))
    return run, jobs(project)[-1]


def release(project):
    (project / "hold").unlink()


def ended(project):
    """The commands of the simulations that came to their end, and how often."""
    with contextlib.suppress(FileNotFoundError):
        return Counter((project / "ended").read_text().splitlines())
    return Counter()


def simulators(project):
    """The simulators that wait."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            command = (process / "cmdline").read_bytes().split(b"\0")
            if (process / "cwd").readlink() == project.folder and command[0] == b"/bin/sh" and b"--RngRun=2" in command:
                found.append(process.name)
    return found


def jobs(project):
    """The ids of the jobs that were ever submitted in the project."""
    queue = ran("squeue", "--states=all", "--noheader", "--format=%i %Z")
    rows = [line.split() for line in queue.stdout.splitlines()]
    return sorted((job for job, folder in rows if folder == str(project.folder)), key=int)


def state(job):
    """What SLURM says of a job, such as RUNNING."""
    return ran("squeue", "--noheader", "--format=%T", "--states=all", "--jobs", job).stdout.strip()


def node_of(job):
    """The node on which a job runs; empty while it waits."""
    return ran("squeue", "--noheader", "--format=%N", "--states=RUNNING", "--jobs", job).stdout.strip()


def each_cell_ended_once(project):
    # A job that was killed outright leaves a folder whose name begins with a dot.
    cells = [cell for cell in project.cells() if not cell.name.startswith(".")]
    return len(cells) == 4 and sorted(ended(project).values()) == [1, 1, 1, 1]


def on_slurm_and_here(project):
    """Two jobs, then the same cells without SLURM in a folder of their own."""
    edit(
        project / "tcpsweep" / "core" / "plan" / "job_files.py",
        "CLUSTER_SECONDS = (120, 900)",
        "CLUSTER_SECONDS = (0.1, 900)",
    )
    run = Run(project)
    assert run.end() == 0, run.output.read_text()
    (project / "results").rename(project / "on-slurm")
    here = project.run(project.tables())
    assert here.status == 0, here.text
    return project


def more_than_it_was_granted(project):
    """SLURM ends the first attempt for its memory; a cell of the second outlasts it; the third is the last."""
    edit(project / "tcpsweep" / "core" / "run" / "limits.py", "BESIDE_SECONDS = 60", "BESIDE_SECONDS = 50")
    (project / "hold").touch()
    resources = ["simulate:mem_mb=(100, 1500, 1500)[attempt - 1]", "simulate:runtime=(1, 1, 5)[attempt - 1]"]
    run = Run(project, "--set-resources", *resources)
    run.wait_for(lambda: len(jobs(project)) == 3)
    release(project)
    return project, run.end(), run.output.read_text()


def cancelled(project):
    """Somebody cancels the job."""
    run, job = held(project)
    subprocess.run(["scancel", job], check=True)
    run.wait_for("Trying to restart job")
    release(project)
    return project, run.end(), run.output.read_text()


def killed(project):
    """Snakemake is killed, and started again with its job in flight."""
    run, job = held(project)
    run.process.send_signal(signal.SIGKILL)
    run.process.wait()
    run = Run(project)
    run.wait_for("cancelled 1 job that an earlier run left in the queue")
    left = state(job)
    release(project)
    return project, run.end(), left


def killed_at_its_tables(project):
    """Snakemake is killed, and started again with the job of its tables in flight, which waits for a lock."""
    run = Run(project)
    run.wait_for(lambda: ended(project))
    with (project / "results" / "sweeps" / "small" / ".steps").open("a") as steps:
        fcntl.flock(steps, fcntl.LOCK_EX)
        run.wait_for(lambda: len(jobs(project)) == 2)
        run.process.send_signal(signal.SIGKILL)
        run.process.wait()
        job, run = jobs(project)[-1], Run(project)
        run.wait_for("cancelled 1 job that an earlier run left in the queue")
        left = state(job)
    return project, run.end(), left


def interrupted(project):
    """Somebody types Ctrl-C."""
    run, job = held(project)
    run.process.send_signal(signal.SIGINT)
    status = run.end()
    end = time.monotonic() + PATIENCE_S
    while (simulators(project) or state(job) == "COMPLETING") and time.monotonic() < end:
        time.sleep(0.2)
    return project, status, state(job)


@pytest.fixture(scope="module")
def side_by_side(cluster, new_project):
    """What came of the stories, each with a project of its own."""
    stories = [on_slurm_and_here, more_than_it_was_granted, cancelled, killed, killed_at_its_tables, interrupted]
    with ThreadPoolExecutor(len(stories)) as pool:
        return {story: pool.submit(story, new_project(story.__name__)) for story in stories}


def files(folder):
    """All tables of cells and of the sweep, by their path."""
    found = [*folder.glob("cells/*/*/*.parquet"), *folder.glob("cells/*/*/*/*.parquet")]
    found += [*folder.glob("sweeps/*/*.parquet"), *folder.glob("sweeps/*/*.csv")]
    return {path.relative_to(folder): path.read_bytes() for path in found}


def test_a_sweep_comes_to_the_same_bytes_as_without_slurm(side_by_side):
    project = side_by_side[on_slurm_and_here].result()
    assert len(jobs(project)) >= 2
    there, here = files(project / "on-slurm"), files(project / "results")
    assert len(there) > 4 * 4
    assert there == here


def test_jobs_that_need_more_memory_and_more_time_are_tried_again_with_more(side_by_side):
    project, status, text = side_by_side[more_than_it_was_granted].result()
    assert status == 0, text
    assert text.count("Trying to restart job") == 2
    assert each_cell_ended_once(project), ended(project)


def test_a_job_that_somebody_cancels_is_submitted_again(side_by_side):
    project, status, text = side_by_side[cancelled].result()
    assert status == 0, text
    assert each_cell_ended_once(project), ended(project)


@pytest.mark.parametrize("story", [killed, killed_at_its_tables])
def test_snakemake_killed_and_started_again_cancels_what_is_in_flight_and_goes_on(side_by_side, story):
    project, status, left = side_by_side[story].result()
    assert status == 0, (project / "output.txt").read_text()
    assert left == "CANCELLED"
    assert each_cell_ended_once(project), ended(project)


def test_ctrl_c_cancels_the_jobs_and_leaves_finished_cells(side_by_side):
    project, status, left = side_by_side[interrupted].result()
    assert status != 0
    assert left == "CANCELLED"
    assert not simulators(project)
    assert len(ended(project)) >= 1
    assert max(ended(project).values()) == 1


def test_the_scheduler_is_restarted_and_a_node_is_lost_whose_job_goes_on_at_the_other(
    cluster, side_by_side, new_project
):
    for story in side_by_side.values():
        story.exception()  # it has ended, and SLURM's daemons are nobody else's
    project = new_project("daemons")
    run, job = held(project)
    cluster("kill", "slurmctld")
    assert cluster("daemon", "slurmctld").returncode == 0
    run.wait_for(lambda: state(job) == "RUNNING")
    assert simulators(project)
    lost = node_of(job)
    cluster("kill", lost)
    run.wait_for(lambda: not simulators(project))
    run.wait_for(lambda: node_of(job) not in ("", lost))
    release(project)
    assert run.end() == 0, run.output.read_text()
    assert cluster("daemon", lost).returncode == 0
    assert len(jobs(project)) == 2  # this one, which SLURM started again, and the one for the tables
    assert each_cell_ended_once(project), ended(project)


def test_no_second_slurm_is_started_beside_one(cluster, tmp_path):
    def refused():
        started = ran(CLUSTER, "start", tmp_path / "second")
        assert started.returncode == 1
        return started.stderr

    before = CONF.read_text()
    assert "tests that still run use one" in refused()
    try:
        CONF.write_text(before.partition("\n")[2])
        assert "this machine has a SLURM of its own, which stays as it is" in refused()
    finally:
        CONF.write_text(before)
