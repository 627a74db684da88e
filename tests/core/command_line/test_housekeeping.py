# SPDX-License-Identifier: MIT
"""Running a single cell, and removing files that are no longer needed."""

import shutil

import pytest

from tests.support.project import KEPT, step


def test_a_cell_that_was_planned_runs_and_is_shown(copy_of_finished):
    cell = copy_of_finished.cells()[0]
    shutil.rmtree(cell.parent)
    shutil.rmtree(copy_of_finished / "results" / "raw" / cell.parent.name)
    done = step(copy_of_finished, "cell", cell.parent.name[-12:])
    assert done.returncode == 0, done.stderr
    assert f"{cell.parent.name}, run now: " in done.stdout
    assert "mean_delay_ms" in done.stdout
    assert str(cell.relative_to(copy_of_finished.folder)) in done.stdout
    assert cell.is_dir()
    assert copy_of_finished.run("-n", copy_of_finished.tables(), sweep=KEPT).simulated == set()
    # One that nobody planned is told with those that come near.
    done = step(copy_of_finished, "cell", "dumbbell-TcpCubic-2Mbps-11ms")
    assert done.returncode == 1
    assert "no planned sweep has such a simulation; these:\n  dumbbell-TcpCubic-2Mbps-10ms" in done.stderr
    done = step(copy_of_finished, "cell", "TcpCubic")
    assert "4 simulations have this in their id" in done.stderr
    assert "Traceback" not in done.stderr
    assert "which simulation?" in step(copy_of_finished, "cell", "").stderr


@pytest.mark.long
def test_prune_removes_what_no_sweep_asks_for_and_only_after_a_yes(copy_of_finished, program):
    copy_of_finished.own_build(program("dumbbell"), program("inspect"))
    broken = copy_of_finished / "ns3-scenarios" / "variants" / "TcpMine.cc"
    broken.write_text('#include "gone.h"\n', encoding="utf-8")  # which stops nothing
    asked = step(copy_of_finished, "prune")
    assert "Files that these sweeps need stay: small." in asked.stdout
    assert "nothing to remove" in asked.stdout
    broken.unlink()
    cell = copy_of_finished.cells()[0]
    step(copy_of_finished, "cell", cell.parent.name, "--keep")
    assert "simulations run again: 1 with" in step(copy_of_finished, "prune", answer="y\n").stdout
    assert sorted(path.name for path in cell.parent.iterdir()) == [cell.name]
    copy_of_finished.run(copy_of_finished.tables(), sweep=KEPT.replace("5ms, 10ms", "10ms"))
    assert len(copy_of_finished.cells()) == 8
    asked = step(copy_of_finished, "prune")
    assert "Parquet of simulations: 4 with" in asked.stdout
    assert "raw files: 4 with" in asked.stdout
    assert "nothing removed" in asked.stdout
    assert len(copy_of_finished.cells()) == 8
    assert "removed" in step(copy_of_finished, "prune", answer="y\n").stdout
    assert len(copy_of_finished.cells()) == 4
    assert all("-10ms-" in cell.parent.name for cell in copy_of_finished.cells())


@pytest.mark.long
def test_clean_removes_what_its_name_says(copy_of_finished):
    assert "removed" in step(copy_of_finished, "clean", "reports", answer="yes\n").stdout
    assert not list((copy_of_finished / "reports").glob("*.*"))
    assert not list((copy_of_finished / "reports").glob("*_files"))
    kept = step(copy_of_finished, "clean", "results", answer="").stdout
    assert "all simulations and tables of all sweeps" in kept
    assert "nothing removed" in kept
    assert "removed" in step(copy_of_finished, "clean", "logs", answer="y\n").stdout
    assert not (copy_of_finished / ".snakemake" / "log").exists()
    assert copy_of_finished.cells()
    (copy_of_finished / "results" / "README.md").touch()
    step(copy_of_finished, "clean", "results", answer="y\n")
    assert {path.name for path in (copy_of_finished / "results").iterdir()} <= {"README.md", ".lock"}
    assert (copy_of_finished / "results" / "README.md").exists()
    assert step(copy_of_finished, "clean", "everything").returncode == 2
