# SPDX-License-Identifier: MIT
"""What is recorded of a simulation that cannot run."""

import io
import sys
from pathlib import Path

import pytest

from tcpsweep.core.run import take_cell
from tcpsweep.core.run.job import Job
from tcpsweep.core.run.limits import JobLimits
from tcpsweep.core.store import layout
from tcpsweep.core.sweep.cost import Cost
from tcpsweep.core.sweep.job_plan import JobPlan, PlannedCell
from tcpsweep.core.sweep.span import Span


@pytest.fixture
def failure(here):
    """Takes a simulation with a program, and returns the reason why it failed."""

    def failure(program):
        plan = JobPlan(str(program), "parser", None, True, 1, 1, [])
        cell = PlannedCell("cell", (), {"m": Span(None, 1.0)}, (), Cost(1, 1, 1, 1), 1)
        take_cell.take(Job(plan, JobLimits(), None), cell)
        return (layout.FAILED / "cell" / "log.txt").read_text().partition("\n")[2]

    return failure


def test_a_missing_program_is_named_and_blames_no_files(failure, tmp_path):
    assert failure(tmp_path / "dumbbell") == (
        f"the program {tmp_path}/dumbbell is missing; start the sweep again, or on a cluster, set TCPSWEEP_BUILD to a "
        "folder that all nodes see\n"
    )


@pytest.mark.parametrize("folder", [layout.raw("cell"), layout.parquet("cell", "parser")])
def test_damaged_files_without_a_program_to_make_them_again_are_said_to_be_damaged(failure, tmp_path, folder):
    folder.mkdir(parents=True)
    assert failure(tmp_path / "dumbbell").startswith("its files were damaged and have been removed; the next run simul")
    assert not folder.exists()


def test_a_log_that_cannot_be_written_hides_no_failure(failure, tmp_path, monkeypatch):
    for stream in ("stdout", "stderr"):
        full = Path("/dev/full").open("wb", buffering=0)  # noqa: SIM115 (monkeypatch undoes it)
        monkeypatch.setattr(sys, stream, io.TextIOWrapper(full, write_through=True))
    with pytest.raises(OSError, match="No space left"):
        print("…", flush=True)
    assert failure("/bin/false") == "the simulator ended with exit status 1\n"


def test_a_line_of_the_log_goes_out_in_one_piece():
    written = []

    class Log(io.StringIO):
        def write(self, text):
            written.append(text)

    take_cell._log("cell", Log())
    assert written == ["cell\n"]
