# SPDX-License-Identifier: MIT
"""Files of runs: those that Snakemake keeps do not grow with the number of runs, and a new clock keeps their order."""

import base64
import os
import tempfile
import time
from pathlib import Path

import pytest

from tcpsweep.core.store import layout, snakemake_files


@pytest.fixture(autouse=True)
def sweep(here):
    """An empty folder with a sweep."""
    (layout.SWEEPS / "s").mkdir(parents=True)


def test_the_newest_logs_stay_and_those_of_runs_that_go_on():
    snakemake_files.LOGS.mkdir(parents=True)
    logs = [snakemake_files.LOGS / f"2026-01-{day:02}T0.snakemake.log" for day in range(1, 30)]
    for log in logs:
        log.touch()
    runs = snakemake_files.in_use([logs[0]])
    scripts = snakemake_files.FOLDER / "tmp.abc"
    scripts.mkdir()
    snakemake_files.clear("s")
    assert scripts.is_dir()
    assert sorted(snakemake_files.LOGS.iterdir()) == [logs[0], *logs[-snakemake_files.MOST_LOGS :]]
    runs[0].close()
    snakemake_files.clear("s", is_only_run=True)
    assert not scripts.exists()
    assert sorted(snakemake_files.LOGS.iterdir()) == logs[-snakemake_files.MOST_LOGS :]


def test_marks_of_a_sweeps_jobs_go_and_others_stay():
    def mark(path):
        name = snakemake_files.FOLDER / "incomplete" / base64.urlsafe_b64encode(str(path).encode()).decode()
        name.parent.mkdir(parents=True, exist_ok=True)
        name.touch()
        return name

    job = mark(layout.stamp("s", "simulate", "abc"))
    others = [mark(layout.stamp("t", "simulate", "abc")), mark("results/sweeps/s/summary.parquet")]
    strange = snakemake_files.FOLDER / "incomplete" / "migration_underway"
    strange.touch()
    of_module = mark(Path("one") / layout.stamp("s", "simulate", "abc"))
    snakemake_files.clear("s")
    assert not job.exists()
    assert all(path.exists() for path in [*others, strange, of_module])
    snakemake_files.clear("s", root=Path("one"))
    assert not of_module.exists()


def test_the_temporary_folder_of_a_killed_run_is_removed_by_the_next():
    runs = [Path(tempfile.mkdtemp(prefix="snakemake")) for _ in range(2)]
    try:
        snakemake_files.note_temporary("s", runs[0])
        assert runs[0].is_dir()
        snakemake_files.note_temporary("s", runs[1])
        assert [run.is_dir() for run in runs] == [False, True]
        (layout.SWEEPS / "s" / layout.TEMPORARY).write_text(f'["", "{Path.cwd()}"]')
        snakemake_files.note_temporary("s", runs[1])
        assert Path.cwd().is_dir()
    finally:
        runs[1].rmdir()


def test_files_from_the_future_are_brought_back_in_their_order():
    names = ["past", "code/report", "figures/.snakemake_timestamp", "sweep.json"]
    paths = [layout.SWEEPS / "s" / name for name in names]
    now = time.time()
    for path, when in zip(paths, (-100, 3600, 3600, 3601), strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        os.utime(path, (now + when, now + when))
    snakemake_files.bring_back_times("s")
    times = [path.stat().st_mtime for path in paths]
    assert times[0] == now - 100
    assert now - 1 < times[1] == times[2] < times[3] <= time.time()
