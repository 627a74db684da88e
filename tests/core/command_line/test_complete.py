# SPDX-License-Identifier: MIT
"""Running `make sweep` again: a finished sweep's summary is printed at once, and Snakemake runs unfinished parts."""

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from tcpsweep.core.command_line.terminal import finished_sweep
from tcpsweep.core.plan import plan
from tcpsweep.core.store import completion_record, digests
from tcpsweep.core.sweep import sweep_tables
from tests.support.project import KEPT, step

REPORT = "reports/small.html"
FOLDER = "results/sweeps/small"
# Files of a finished sweep, and the rules that make them.
MADE_BY = {
    REPORT: "report",
    f"{FOLDER}/figures.json": "report",
    f"{FOLDER}/pages.json": "pages",
    f"{FOLDER}/complete": "finish",
    f"{FOLDER}/summary.csv": "summarise",
}


def sweep(project, *options):
    """What `make sweep` runs, and whether Snakemake had a part in it."""
    shutil.rmtree(project / ".snakemake", ignore_errors=True)
    done = step(project, "sweep", "sweep.yaml", *options)
    assert "Traceback" not in done.stdout + done.stderr
    return done, (project / ".snakemake").is_dir()


def test_what_is_finished_is_said_without_snakemake(copy_of_finished):
    done, asked = sweep(copy_of_finished)
    assert (done.returncode, asked) == (0, False)
    assert "8 simulations, all finished\n" in done.stdout
    assert done.stdout.count(REPORT) == 1
    assert "goodput [Mbit/s]" in done.stdout


def test_a_record_of_an_older_version_is_read_and_its_words_are_made_again(copy_of_finished, monkeypatch):
    """Older versions recorded each form of the closing table as one text."""
    monkeypatch.chdir(copy_of_finished.folder)
    folder = Path(FOLDER)
    said = finished_sweep.closing_if_finished("sweep.yaml")
    made, texts = completion_record.read(folder).made, {"table": "of an older version", "bars": "of an older version"}
    digest = hashlib.sha256(json.dumps([made, texts], sort_keys=True).encode()).hexdigest()
    (folder / "complete").write_text(json.dumps({"made": made, "tables": texts, "digest": digest}))
    (folder / "closing.json").write_text(json.dumps({"tables": texts, "unmet": ""}))
    assert completion_record.read(folder) == completion_record.Completion(made, [])
    assert finished_sweep.closing(folder) == finished_sweep.closing_of_tables(folder)
    assert not finished_sweep.closing_table(folder)
    made["report"][f"{FOLDER}/closing.json"] = digests.file_digest(folder / "closing.json")
    digest = hashlib.sha256(json.dumps([made, texts], sort_keys=True).encode()).hexdigest()
    (folder / "complete").write_text(json.dumps({"made": made, "tables": texts, "digest": digest}))
    assert finished_sweep.closing_if_finished("sweep.yaml") == said
    done = step(copy_of_finished, "verify", FOLDER)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
def test_what_somebody_removed_or_altered_at_equal_size_is_made_again(copy_of_finished, monkeypatch):
    monkeypatch.chdir(copy_of_finished.folder)
    kept = copy_of_finished / "kept"
    for path in MADE_BY:
        assert finished_sweep.closing_if_finished("sweep.yaml")
        (copy_of_finished / path).rename(kept)
        assert not finished_sweep.closing_if_finished("sweep.yaml"), path
        kept.rename(copy_of_finished / path)
    for path, rule in MADE_BY.items():
        (copy_of_finished / path).rename(kept)
        assert rule in copy_of_finished.run("-n").jobs, path
        kept.rename(copy_of_finished / path)
    table = copy_of_finished / FOLDER / "summary.csv"
    right = table.read_text()
    for spoil in (
        lambda: [(copy_of_finished / path).unlink() for path in MADE_BY],
        lambda: table.write_text(right.replace("2", "7", 1)),
    ):
        spoil()
        done, asked = sweep(copy_of_finished)
        assert (done.returncode, asked) == (0, True)
        assert all((copy_of_finished / path).is_file() for path in MADE_BY)
        assert table.read_text() == right
        assert sweep(copy_of_finished)[1] is False


def test_a_cell_that_is_gone_makes_a_sweep_unfinished(copy_of_finished, monkeypatch):
    monkeypatch.chdir(copy_of_finished.folder)
    shutil.rmtree(copy_of_finished.cells()[0].parent)
    assert not finished_sweep.closing_if_finished("sweep.yaml")


def test_tables_without_simulations_that_another_run_made_meanwhile_are_not_finished(copy_of_finished, monkeypatch):
    monkeypatch.chdir(copy_of_finished.folder)
    covered = Path(FOLDER) / sweep_tables.COVERED
    assert plan.unchanged("sweep.yaml")
    covered.write_text(json.dumps(json.loads(covered.read_text())[1:]))
    assert not plan.unchanged("sweep.yaml")
    done = step(copy_of_finished, "finish", FOLDER, REPORT, "reports/small_files")
    assert (done.returncode, done.stderr.strip()) == (1, sweep_tables.STALE)


@pytest.mark.long
def test_a_sweep_file_that_changed_is_no_longer_finished(copy_of_finished, monkeypatch):
    monkeypatch.chdir(copy_of_finished.folder)
    for changed in (KEPT.replace("scenario:", "title: Small\nscenario:"), KEPT.replace("repetitions: 2", "runs: [1]")):
        (copy_of_finished / "sweep.yaml").write_text(changed)
        assert not finished_sweep.closing_if_finished("sweep.yaml")
    assert sweep(copy_of_finished)[1]
    assert not sweep(copy_of_finished)[1]


def test_mistakes_are_told_as_ever(copy_of_finished):
    (copy_of_finished / "sweep.yaml").write_text(KEPT.replace("repetitions:", "repetition:"))
    done, asked = sweep(copy_of_finished)
    assert (done.returncode, asked) == (1, False)
    assert "sweep.yaml" in done.stderr
    assert "repetitions" in done.stderr
    (copy_of_finished / "sweep.yaml").write_text("sweep: [")
    for options in ([], ["-n"]):
        done, asked = sweep(copy_of_finished, *options)
        assert (done.returncode, asked) == (1, False)
        assert "sweep.yaml:1" in done.stderr


@pytest.mark.long
def test_closing_words_that_are_not_those_of_a_run_are_not_said(copy_of_finished, monkeypatch):
    monkeypatch.chdir(copy_of_finished.folder)
    complete = copy_of_finished / FOLDER / "complete"
    right = complete.read_text()
    for damaged in (
        '{"made": {}, "table": "WRONG 99 Mbit/s"}',
        '{"made": {}, "tables": {"table": "WRONG 99 Mbit/s", "bars": ""}, "digest": ""}',
        '{"a": 1}',
        right.replace("goodput [Mbit/s]", "WRONG 99 Mbit/s"),
    ):
        complete.write_text(damaged)
        assert not finished_sweep.closing_if_finished("sweep.yaml"), damaged
    done, asked = sweep(copy_of_finished)
    assert (done.returncode, asked) == (0, True)
    assert "WRONG" not in done.stdout + done.stderr
    assert complete.read_text() == right
