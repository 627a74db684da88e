# SPDX-License-Identifier: MIT
"""What a job on a cluster may take: its simulators are stopped before the scheduler stops the job."""

import subprocess
import sys

import pytest

from tcpsweep.core.parse import raw_files
from tcpsweep.core.run import cell_jobs, limits, worker_pool
from tcpsweep.core.run.limits import JobLimits
from tcpsweep.core.store import digests, layout
from tcpsweep.core.sweep import job_plan
from tcpsweep.core.sweep.cost import Cost
from tcpsweep.core.sweep.job_plan import JobPlan, PlannedCell
from tcpsweep.core.sweep.span import Span
from tests.support.processes import ends_soon, is_alive

NEED_MORE = "of the job's simulations need more memory or time than it has"
QUICK = ["--duration=2s", "--start_jitter=0s"]
MANY_FLOWS = [*QUICK, "--flows=1000"]  # which take 80 MB
BESIDE_MB = limits.BESIDE_BYTES // 1_000_000


@pytest.fixture
def job(tmp_path, monkeypatch):
    """Runs a job of cells, each given by its command's arguments."""
    monkeypatch.chdir(tmp_path)
    # In this process, whose polars has threads, which no fork would have.
    monkeypatch.setattr(worker_pool, "run", lambda cells, _, take, *more: ([(cell, take(cell)) for cell in cells], []))

    def job(program, cells, **options):
        common = {"m": Span(None, 1.0)}, (), Cost(1, 1, 1, 1), 8 / len(cells)
        planned = [PlannedCell(name, tuple(arguments), *common) for name, arguments in cells.items()]
        text = job_plan.encoded(JobPlan(str(program), "p", None, False, 8, 2_000_000, planned))
        (tmp_path / "plan.json").write_text(text)
        cell_jobs.run(tmp_path / "plan.json", **options)

    return job


@pytest.fixture
def script(tmp_path):
    """A simulator that is a line of Python, with the cell's arguments as `arguments`."""

    def script(line):
        program = tmp_path / "script.py"
        program.write_text(f"#!{sys.executable}\nimport os, sys, time\n*arguments, out = sys.argv[1:]\n{line}\n")
        program.chmod(0o755)
        return program

    return script


def limited(megabytes=None, minutes=None, last=False):
    """The limits of a job with so much memory for its simulators, or of so many minutes."""
    return JobLimits.begin(megabytes and BESIDE_MB + megabytes, minutes, last=last)


def failed():
    return {path.parent.name: path.read_text() for path in layout.FAILED.glob("*/log.txt")}


@pytest.mark.long
def test_ns3_that_needs_more_memory_than_its_job_has_is_tried_again_and_fails_the_last_time(job, dumbbell):
    with pytest.raises(SystemExit, match=f"1 {NEED_MORE}"):
        job(dumbbell, {"a": MANY_FLOWS}, limit=limited(50))
    assert failed() == {}
    job(dumbbell, {"a": MANY_FLOWS}, limit=limited(50, last=True))
    assert "the simulator needs more than the 50 MB of memory that its job has left" in failed()["a"]
    assert "Estimate: 8 s for this simulation, 8 s for all of the job, up to 2 MB of memory" in failed()["a"]


def test_where_next_to_nothing_is_left_no_simulator_is_begun_as_it_could_not_say_why_it_ends(job, script):
    program = script("print('begun')")
    job(program, {"a": []}, limit=limited(49, last=True))
    assert "the job has 49 MB of memory for a simulator, which needs at least 50 MB" in failed()["a"]
    assert "begun" not in failed()["a"]


def test_messages_of_programs_without_memory_are_recognised(job, script):
    words = [
        "terminate called after throwing an instance of 'std::bad_alloc'",
        "FATAL ERROR: Out of memory trying to allocate internal tcmalloc data",
        "libns3-core.so: failed to map segment from shared object",
        "cannot allocate TLS data structures for initial thread",
    ]
    program = script("print(*arguments)\nsys.exit(127)")
    with pytest.raises(SystemExit, match=f"4 {NEED_MORE}"):
        job(program, {str(number): [line] for number, line in enumerate(words)}, limit=limited(100))


def test_parsing_that_gets_no_memory_is_tried_again_but_not_where_there_is_no_limit(job, dumbbell, monkeypatch):
    def parsed(*arguments):
        raise MemoryError

    monkeypatch.setattr(raw_files, "cell", parsed)
    with pytest.raises(SystemExit, match=f"1 {NEED_MORE}"):
        job(dumbbell, {"a": QUICK}, limit=limited(1000))
    assert failed() == {}
    job(dumbbell, {"a": QUICK})
    assert "MemoryError" in failed()["a"]


def test_a_limit_is_on_what_is_allocated_so_a_megabyte_below_it_fits(job, script):
    program = script("bytearray(int(arguments[0]))\nprint('fitted')\nsys.exit(1)")
    limit = limited(100, last=True)
    job(program, {"fits": ["60_000_000"], "exceeds": ["101_000_000"]}, limit=limit)
    assert "fitted" in failed()["fits"]
    assert "fitted" not in failed()["exceeds"]


def test_a_simulator_that_the_kernel_kills_for_memory_is_tried_again_but_not_where_there_is_no_limit(job, script):
    program = script("os.kill(os.getpid(), 9)")
    with pytest.raises(SystemExit):
        job(program, {"a": []}, limit=limited(100))
    assert failed() == {}
    job(program, {"a": []})
    assert "SIGKILL" in failed()["a"]


def test_a_simulator_that_does_not_end_is_stopped_and_takes_no_time_of_the_cells_after_it(job, script, monkeypatch):
    """Of 10 s, half is for each cell, and of that cost.PARSING, a fifth, for parsing."""
    monkeypatch.setattr(limits, "BESIDE_SECONDS", 50)
    monkeypatch.setattr(limits, "LEAST_SECONDS", 0)
    program = script("time.sleep(int(arguments[0]))\nprint('slept')\nsys.exit(1)")
    cells = {"endless": ["60"], "next": ["2"]}
    with pytest.raises(SystemExit, match=f"1 {NEED_MORE}"):
        job(program, cells, limit=limited(minutes=1))
    assert failed().keys() == {"next"}
    job(program, cells, limit=limited(minutes=1, last=True))
    assert "the simulator did not end within its 4 s of the job's time" in failed()["endless"]
    assert "slept" in failed()["next"]


def test_a_cell_for_which_no_time_is_left_waits_for_the_next_attempt_and_has_not_failed_at_the_last(
    job, script, monkeypatch, capsys
):
    monkeypatch.setattr(limits, "BESIDE_SECONDS", 58)  # 2 s are left, less than LEAST_SECONDS
    program = script("time.sleep(60)")
    with pytest.raises(SystemExit, match=f"2 {NEED_MORE}"):
        job(program, {"long": [], "waits": []}, limit=limited(minutes=1))
    assert failed() == {}
    job(program, {"long": [], "waits": []}, limit=limited(minutes=1, last=True))
    assert failed().keys() == {"long"}
    assert "waits\n" in capsys.readouterr().out


def test_a_killed_jobs_files_of_a_cell_are_removed_when_the_cell_begins_again(job, script, tmp_path):
    left = [layout.CELLS / "a" / ".p.node1.1", layout.RAW / ".a.node1.1", layout.RAW / ".b.node1.1"]
    for folder in left:
        folder.mkdir(parents=True)
    layout.CLAIMS.mkdir()
    (layout.CLAIMS / "a").touch()
    job(script("sys.exit(1)"), {"a": []}, scratch=tmp_path)
    assert [folder.is_dir() for folder in left] == [False, False, True]


def test_raw_files_go_to_the_scratch_folder_unless_they_are_to_be_kept(job, script, tmp_path):
    program = script("print(out)\nsys.exit(1)")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    job(program, {"a": []}, scratch=scratch)
    assert f"--out={scratch}/tcpsweep-cell-" in failed()["a"]
    assert not list(scratch.iterdir())
    layout.raw("kept").mkdir(parents=True)
    digests.write(layout.raw("kept"))
    job(program, {"kept": []}, scratch=scratch)
    assert "results/raw/kept/checksums.txt" in failed()["kept"]


def test_a_cell_by_way_of_scratch_is_the_same_to_the_byte(job, dumbbell, tmp_path):
    made = {}
    for name, scratch in {"a": None, "b": tmp_path}.items():
        job(dumbbell, {name: QUICK}, scratch=scratch)
        place = layout.parquet(name, "p")
        made[name] = {path.name: path.read_bytes() for path in place.glob("*.parquet")}
    assert len(made["a"]) >= 4
    assert made["a"] == made["b"]
    assert not layout.raw("b").is_dir()


def test_a_simulator_ends_with_the_process_that_started_it(script, tmp_path):
    program = script("print(os.getpid(), flush=True)\ntime.sleep(60)")
    code = (
        "import sys; from pathlib import Path; from tcpsweep.core.run import limits, run_cell;"
        "from tcpsweep.registry import connect; connect.connect();"
        "run_cell.simulate_in(Path(sys.argv[1]), [sys.argv[2]], limits.SimulatorLimits(seconds=60))"
    )
    process = subprocess.Popen([sys.executable, "-c", code, tmp_path, program])
    log = tmp_path / "log.txt"
    ends_soon(lambda: not (log.is_file() and log.read_text().strip()))
    process.kill()
    process.wait()
    ends_soon(lambda: is_alive(int(log.read_text())))
