# SPDX-License-Identifier: MIT
"""Only changed parts run again: the tests count Snakemake's jobs and the jobs' cells."""

import fcntl
import json
import os
import shutil
import signal

import pytest

from tests.support.project import KEPT, SMALL, edit, programs, simulators, wait_for

ADDED = KEPT.replace("5ms, 10ms", "5ms, 10ms, 15ms")


def test_a_finished_sweep_runs_nothing(copy_of_finished):
    ran = copy_of_finished.run(sweep=KEPT)
    assert (ran.status, ran.jobs) == (0, {})
    assert "8 simulations, all finished" in ran.text


def test_adding_a_value_reruns_only_its_cells_and_taking_it_back_none(copy_of_finished):
    target = copy_of_finished.tables()
    ran = copy_of_finished.run(target, sweep=ADDED)
    assert len(ran.simulated) == 4
    assert all("-15ms-" in cell for cell in ran.simulated)
    back = copy_of_finished.run(target, sweep=KEPT)
    assert (back.simulated, back.parsed) == (set(), set())
    assert "summarise" in back.jobs  # the tables follow
    # Nothing of earlier plans: the stamp of the program, and the plan and the stamp of the finished simulations.
    assert len(list(copy_of_finished.folder.glob("results/sweeps/small/jobs/*/*"))) == 3
    assert set(back.jobs) <= {"summarise"}


@pytest.mark.long
def test_two_sweeps_that_share_cells_never_rerun_each_others(copy_of_finished):
    other = KEPT.replace("sweep: small", "sweep: other").replace("5ms, 10ms", "10ms, 20ms")
    ran = copy_of_finished.run(copy_of_finished.tables("other"), sweep=other, name="other.yaml")
    assert len(ran.simulated) == 4
    assert all("-20ms-" in cell for cell in ran.simulated)
    assert copy_of_finished.run(sweep=KEPT).jobs == {}
    assert copy_of_finished.run(copy_of_finished.tables("other"), sweep=other, name="other.yaml").jobs == {}


@pytest.mark.long
def test_a_comment_a_touched_file_and_a_deleted_build_rerun_nothing(copy_of_finished):
    scenario = copy_of_finished / "ns3-scenarios" / "dumbbell.cc"
    scenario.write_text(scenario.read_text() + "\n// A comment.\n/* And\n another. */\n")
    parser = copy_of_finished / "tcpsweep" / "core" / "parse" / "raw_files.py"
    parser.write_text(parser.read_text() + "\n# A comment.\n")
    for path in [*(copy_of_finished / "ns3-scenarios").rglob("*"), *(copy_of_finished / "tcpsweep").rglob("*.py")]:
        os.utime(path)
    assert copy_of_finished.run(sweep=KEPT).jobs == {}
    # The pages show commands that name the folder of the programs, which is another one now.
    (copy_of_finished / "build").unlink()
    assert set(copy_of_finished.run(sweep=KEPT).jobs) <= {"report", "pages", "finish", "all"}


@pytest.mark.long
def test_a_real_edit_of_a_scenario_reruns_its_cells_and_taken_back_none(copy_of_finished):
    scenario = copy_of_finished / "ns3-scenarios" / "dumbbell.cc"
    before = scenario.read_text()
    scenario.write_text(before + "\nnamespace\n{\n[[maybe_unused]] int g_unused = 1;\n}\n")
    planned = copy_of_finished.run("-n", copy_of_finished.tables(), sweep=KEPT)
    assert planned.jobs["compile"] == 1
    assert planned.jobs["simulate"] >= 1
    assert planned.text.count("8 simulations, 8 left")
    scenario.write_text(before)
    back = copy_of_finished.run(copy_of_finished.tables(), sweep=KEPT)
    assert set(back.jobs) <= {"summarise"}


def test_an_edit_of_the_parser_parses_kept_raw_files_and_simulates_nothing(copy_of_finished):
    edit(
        copy_of_finished / "tcpsweep" / "core" / "parse" / "raw_files.py",
        "INFINITE_SSTHRESH = 2**32 - 1",
        "INFINITE_SSTHRESH = 4294967294 + 1",
    )
    ran = copy_of_finished.run(copy_of_finished.tables(), sweep=KEPT)
    assert ran.simulated == set()
    assert len(ran.parsed) == 8
    assert set(ran.jobs) == {"parse", "summarise"}


@pytest.mark.long
def test_another_warm_up_measures_again_and_the_old_one_keeps_its_metrics(copy_of_finished):
    ran = copy_of_finished.run(copy_of_finished.tables(), sweep=KEPT.replace("warmup: 1s", "warmup: 2s"))
    assert ran.status == 0, ran.text
    assert set(ran.jobs) == {"measure", "summarise"}
    assert set(copy_of_finished.run(copy_of_finished.tables(), sweep=KEPT).jobs) <= {"summarise"}


@pytest.mark.long
@pytest.mark.parametrize(
    ("module", "rules"),
    [
        ("core/measure/rates_and_delays", {"measure", "summarise", "report", "pages", "finish", "all"}),
        ("core/analysis/aggregate", {"summarise", "report", "finish", "all"}),
        ("core/report/sweep_page", {"report", "finish", "all"}),
        ("core/figures/cell_timeline_data", {"pages", "finish", "all"}),
    ],
)
def test_an_edit_of_a_later_step_reruns_that_step_and_what_follows(copy_of_finished, module, rules):
    path = copy_of_finished / "tcpsweep" / f"{module}.py"
    path.write_text(path.read_text() + "\nUNUSED = 1\n")
    assert set(copy_of_finished.run("-n", sweep=KEPT).jobs) == rules


@pytest.mark.long
def test_a_deleted_cell_is_redone_also_when_its_jobs_stamp_is_there(copy_of_finished):
    stamps = list((copy_of_finished / "results/sweeps/small/jobs").rglob("*.done"))
    assert stamps
    for gone in copy_of_finished.cells()[:2]:
        shutil.rmtree(gone)
        shutil.rmtree(copy_of_finished / "results" / "raw" / gone.parent.name)
        ran = copy_of_finished.run(copy_of_finished.tables(), sweep=KEPT)
        assert ran.simulated == {gone.parent.name}
    # The whole sweep again, dealt into the very jobs of the first time, whose stamps are there.
    for gone in copy_of_finished.cells():
        shutil.rmtree(gone)
    shutil.rmtree(copy_of_finished / "results" / "raw")
    assert len(copy_of_finished.run(copy_of_finished.tables(), sweep=KEPT).simulated) == 8


@pytest.mark.long
def test_same_seed_same_bytes_whatever_the_cores(copy_of_finished):
    def tables():
        found = copy_of_finished.folder.glob("results/cells/*/*/*.parquet")
        return {path.parent.parent.name + path.name: path.read_bytes() for path in found}

    before = tables()
    assert len(before) == 8 * 4
    shutil.rmtree(copy_of_finished / "results" / "cells")
    shutil.rmtree(copy_of_finished / "results" / "raw")
    copy_of_finished.run("--cores", "1", copy_of_finished.tables(), sweep=KEPT)
    assert tables() == before


@pytest.mark.long
def test_deleted_figures_are_drawn_again(copy_of_finished):
    shutil.rmtree(copy_of_finished / "results" / "sweeps" / "small" / "figures")
    assert "report" in copy_of_finished.run("-n", sweep=KEPT).jobs


@pytest.mark.long
def test_kept_raw_files_outlive_a_sweep_that_does_not_keep_them(copy_of_finished):
    parser = copy_of_finished / "tcpsweep" / "core" / "parse" / "raw_files.py"
    edit(parser, "INFINITE_SSTHRESH = 2**32 - 1", "INFINITE_SSTHRESH = 4294967295")
    other = SMALL.replace("sweep: small", "sweep: other")
    ran = copy_of_finished.run(copy_of_finished.tables("other"), sweep=other, name="other.yaml")
    assert len(ran.parsed) == 8
    assert len(list((copy_of_finished / "results" / "raw").iterdir())) == 8


@pytest.mark.long
def test_a_dry_run_leaves_a_running_sweep_its_plan(copy_of_finished):
    table = copy_of_finished / "results" / "sweeps" / "small" / "sweep.json"
    before = table.read_bytes()
    with (copy_of_finished / "results/sweeps/small/.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        planned = copy_of_finished.run("-n", sweep=ADDED)
    assert planned.status == 0
    assert planned.jobs["simulate"] >= 1
    assert table.read_bytes() == before


LONGER = SMALL.replace("duration: 3s", "duration: 40s").replace("repetitions: 2", "repetitions: 4")


def test_kill_9_of_a_simulator_fails_its_cell_alone_and_the_next_run_mends_it(project):
    (project / "sweep.yaml").write_text(SMALL.replace("duration: 3s", "duration: 30s"))
    process = project.start(project.tables())
    wait_for(lambda: simulators(project.folder), process)
    victims = simulators(project.folder)[:1]
    assert set(programs(project.folder)) > set(victims), "it was not forked from another"
    os.kill(victims[0], signal.SIGKILL)
    process.communicate()
    assert len(project.cells()) == 7
    (failed,) = (project / "results" / "failed").iterdir()
    assert "SIGKILL" in (failed / "log.txt").read_text()
    ran = project.run(project.tables())
    assert ran.simulated == {failed.name}
    assert len(project.cells()) == 8
    assert not list((project / "results" / "failed").iterdir())


@pytest.mark.long
def test_the_longest_cells_begin_first(project):
    long = SMALL.replace("delay: [5ms, 10ms]", "bandwidth: [1Mbps, 5Mbps, 20Mbps]")
    long = long.replace("bandwidth: 2Mbps, duration: 3s", "duration: 600s")
    project.run("-n", sweep=long)
    (job,) = project.folder.glob("results/sweeps/small/jobs/simulate/*.json")
    seconds = [cell["seconds"] for cell in json.loads(job.read_text())["cells"]]
    assert len(seconds) == 12
    assert seconds == sorted(seconds, reverse=True)
    assert seconds[0] > 5 * seconds[-1]


@pytest.mark.long
def test_a_run_that_is_asked_to_end_ends_with_the_cells_that_run(project):
    (project / "sweep.yaml").write_text(LONGER)
    process = project.start(project.tables())
    wait_for(project.cells, process)
    process.terminate()
    text, _ = process.communicate()
    assert process.returncode == 1
    assert "simulations have no result" in text
    assert "failed" not in text
    assert 1 <= len(project.cells()) < 16
    assert not list((project / "results").rglob("*.stop"))
