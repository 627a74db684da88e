# SPDX-License-Identifier: MIT
"""A sweep watched from outside: before it begins, while it runs, after a failure, and with damaged files."""

import fcntl
import os
import re
import socket
import subprocess

import polars as pl
import pytest

from tcpsweep.core.words import rounding
from tests.support.processes import ran
from tests.support.project import SMALL, TCPSWEEP, step, wait_for
from tests.support.tools import PATIENCE_S

pytestmark = pytest.mark.long


def state_of_files(project):
    """Every file and folder of the results, with its size and the time of its last change."""
    places = [project / "results", *(project / "results").rglob("*")]
    found = [(str(place), place.lstat()) for place in places]
    return [(name, about.st_size, about.st_mtime_ns) for name, about in found]


def looked_once(project):
    """What one look says; it must change nothing and leave no traceback."""
    before = state_of_files(project)
    said = step(project, "watch", "small", "--once")
    assert state_of_files(project) == before
    assert not said.returncode, said.stdout + said.stderr
    assert "Traceback" not in said.stdout + said.stderr
    return said.stdout


def test_a_sweep_is_watched_from_before_it_begins_to_its_end(project, dumbbell):
    (project / "sweep.yaml").write_text(SMALL)
    command = [TCPSWEEP, "watch", "sweep.yaml", "--every", "1"]
    printed = project / "printed.txt"
    with printed.open("w") as file:
        watch = subprocess.Popen(command, cwd=project.folder, env=project.environment, stdout=file, stderr=file)
    try:
        wait_for(lambda: "small: not started: no results/sweeps/small" in printed.read_text(), watch)
        assert dumbbell.is_file()  # what `refuse` stands before
        project.refuse("TcpCubic*--delay=10ms*RngRun=2")
        ran = project.run()
        assert ran.status == 1
        failed = looked_once(project)
        assert "is not running: 1 of 8 simulations have no result" in failed
        assert "7/8 simulations · 1 failed" in failed
        assert "the reason it failed" in failed
        assert re.search(r"TcpCubic +delay 10ms +1/2", failed)
        wait_for(lambda: "simulations · " in printed.read_text(), watch)
    finally:
        watch.kill()
        watch.wait(PATIENCE_S)
    assert "Traceback" not in printed.read_text()


def test_a_sweep_that_has_not_started_and_a_file_that_is_refused_end_with_status_1(project):
    missing = step(project, "watch", "nosuch", "--once")
    assert (missing.returncode, "not started" in missing.stdout) == (1, True)
    (project / "wrong.yaml").write_text(SMALL.replace("grid:", "gird:", 1))
    refused = step(project, "watch", "wrong.yaml", "--once")
    assert (refused.returncode, "did you mean 'grid'" in refused.stderr) == (1, True)


def test_its_means_are_those_of_the_tables(copy_of_finished):
    summary = pl.read_parquet(copy_of_finished / "results/sweeps/small/summary.parquet")
    goodput = summary.filter(metric="goodput_bps").sort("combination")
    text = looked_once(copy_of_finished)
    assert "small\n  is finished\n" in text
    assert "8/8 simulations" in text
    for mean, low, high in goodput.select("mean", "low", "high").iter_rows():
        assert f"2/2   {rounding.mean_text(mean, low, high, 1e-6)} " in text


def test_who_runs_it_is_read_and_its_lock_not_taken(copy_of_finished):
    place = copy_of_finished / "results/sweeps/small/.lock"
    (copy_of_finished / "results/sweeps/small/complete").unlink()
    place.write_text(f"the sweep small, process {os.getpid()} on {socket.gethostname()}")
    assert "is not running: its last rules have not ended" in looked_once(copy_of_finished)
    with place.open("r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        text = looked_once(copy_of_finished)
        assert f"all simulations have ended; process {os.getpid()} is making tables, figures and the report\n" in text
    place.write_text("the sweep small, process 4711 on another-machine")
    assert "seems to be running: process 4711 on another-machine, whose state is unknown" in looked_once(
        copy_of_finished
    )


def test_damaged_and_half_written_files_are_said_and_left_alone(copy_of_finished):
    folder = copy_of_finished / "results/sweeps/small"
    measures = next((copy_of_finished / "results/cells").glob("dumbbell-*/*/measured-*/measures.parquet"))
    measures.write_bytes(measures.read_bytes()[:-50])
    text = looked_once(copy_of_finished)
    assert "8/8 simulations · 1 damaged since they were made" in text
    assert "1/2" in text
    (folder / ".lock").write_bytes(b"\xff\x00 nobody")
    for path in folder.glob("jobs/*/*.json"):
        path.write_text("{")
    assert "8/8" in looked_once(copy_of_finished)
    record = (folder / "sweep.json").read_bytes()
    (folder / "sweep.json").write_bytes(record[: len(record) // 2])
    assert "not started" not in looked_once(copy_of_finished)


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        (["none.yaml"], 1, "expected a sweep file, a sweep's name, or its folder"),
        (["results/sweeps/none"], 1, "expected a sweep file, a sweep's name, or its folder"),
        ([""], 1, "expected a sweep file, a sweep's name, or its folder"),
        (["none", "--every", "0"], 2, "expected a number of seconds from 1 to 86400"),
    ],
)
def test_what_names_no_sweep_or_pause_is_refused(here, arguments, status, told):
    said = ran(TCPSWEEP, "watch", *arguments, "--once")
    assert said.returncode == status
    assert told in said.stderr
    assert not list(here.iterdir())
