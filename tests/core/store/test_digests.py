# SPDX-License-Identifier: MIT
"""A file in results/ that has changed since it was written is never read as if it were intact."""

import contextlib
import random
import shutil
import subprocess
from pathlib import Path

import pytest

import tcpsweep
from tcpsweep.core.analysis import aggregate
from tcpsweep.core.store import cell_files, digests, layout, removal
from tcpsweep.core.sweep import failures, sweep_record, sweep_tables
from tcpsweep.registry.tables import TABLES
from tests.support import synthetic

SWEEP = Path(__file__).parent.joinpath("sweeps", "small.yaml").read_text()


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A sweep that no test changes."""
    with contextlib.chdir(tmp_path_factory.mktemp("made")):
        synthetic.sweep(SWEEP, lambda row, run: [1e6 + 1e4 * run, 2e6])
        return Path.cwd()


@pytest.fixture
def folder(made, tmp_path, monkeypatch):
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return layout.SWEEPS / "small"


@pytest.fixture
def sweep(folder):
    return sweep_record.read(folder)


def turn_a_bit(path, seed=1):
    content = bytearray(path.read_bytes())
    where = random.Random(seed).randrange(len(content) * 8)
    content[where // 8] ^= 1 << where % 8
    path.write_bytes(content)


DAMAGE = {
    "a bit": turn_a_bit,
    "truncated": lambda path: path.write_bytes(path.read_bytes()[:-7]),
    "empty": lambda path: path.write_bytes(b""),
    "removed": lambda path: path.unlink(),
    "a folder": lambda path: (path.unlink(), path.mkdir()),
}


@pytest.mark.parametrize(
    "name", ["measures.parquet", "audit.parquet", "flow_monitor.parquet", "run.json", "SHA256SUMS", "../SHA256SUMS"]
)
def test_a_damaged_cell_is_named_is_in_no_table_and_is_made_again(folder, sweep, name):
    damaged = dict(zip(sweep.cells, DAMAGE, strict=False))
    for run, how in damaged.items():
        places = [sweep.measured(run) / name, sweep.parquet(run.cell) / name]
        DAMAGE[how](next(path for path in places if path.is_file()))
    aggregate.write_tables(folder, TABLES)
    right = {(run.combination, run.run) for run in sweep.cells if run not in damaged}
    for table in ("runs", "flows", "audit"):
        assert set(sweep_tables.read(folder, table).select("combination", "run").rows()) == right, table
    assert sweep_tables.covered(folder) == {*sweep.cells} - damaged.keys()
    assert {failure.cell for failure in failures.failures(folder)} == {run.cell for run in damaged}
    cell_files.clear_damaged()
    only_metrics = name in ("measures.parquet", "audit.parquet", "SHA256SUMS")
    for run in damaged:
        assert not layout.is_whole(sweep.measured(run)), run
        assert layout.is_whole(sweep.parquet(run.cell)) == only_metrics, run
    assert not layout.names_in(layout.DAMAGED)


@pytest.mark.parametrize("what", ["measures.parquet", "measured", "cell"])
def test_files_of_another_cell_are_refused(folder, sweep, what):
    one, other = sweep.cells[0], sweep.cells[5]
    measured = [sweep.measured(run) for run in (one, other)]
    places = {"measures.parquet": [folder / "measures.parquet" for folder in measured], "measured": measured}
    to, taken = (places | {"cell": [sweep.parquet(run.cell) for run in (one, other)]})[what]
    copy = shutil.copytree if taken.is_dir() else shutil.copy
    removal.remove(to)
    copy(taken, to)
    aggregate.write_tables(folder, TABLES)
    assert sweep_tables.covered(folder) == {*sweep.cells} - {one}


def test_people_who_open_a_sweep_read_no_damaged_file(folder, sweep):
    turn_a_bit(sweep.parquet(sweep.cells[2].cell) / "queue.parquet")
    opened = tcpsweep.open("small")
    assert opened.traces.collect().height > 0
    with pytest.raises(cell_files.Damaged, match=r"queue\.parquet: differs from its checksum"):
        opened.queue.collect()
    assert layout.names_in(layout.DAMAGED) == [layout.damage_mark(sweep.cells[2].cell, sweep.parser)]
    turn_a_bit(folder / "runs.parquet")
    with pytest.raises(digests.Differs, match=r"runs\.parquet: differs from its checksum"):
        sweep_tables.read(folder, "runs")


@pytest.mark.parametrize("is_metric", [True, False])
def test_planning_notes_a_finished_cell_that_lacks_a_file(sweep, is_metric):
    def sound_runs():
        return cell_files.sound_runs(sweep.cells, sweep.parser, sweep.measures)

    assert sound_runs() == sound_runs() == sweep.cells
    first = sweep.cells[0]
    file = sweep.measured(first) / "audit.parquet" if is_metric else sweep.parquet(first.cell) / "queue.parquet"
    file.unlink()
    assert sound_runs() == sweep.cells[1:] == sweep.finished()
    (note,) = layout.DAMAGED.iterdir()
    assert note.read_text() == f"{file}: missing\n"


def test_a_cell_that_is_right_again_stays(sweep, folder):
    place = sweep.parquet(sweep.cells[0].cell)
    cell_files.note_damage(place, ["a disk did not answer"])
    assert len(sweep.finished()) == len(sweep.cells) - 1
    assert cell_files.clear_damaged() == []
    assert len(sweep.finished()) == len(sweep.cells)


def test_sha256sum_reads_the_digests_too_and_they_hold_of_results_that_moved(tmp_path, sweep, folder):
    for place in (sweep.parquet(sweep.cells[0].cell), sweep.measured(sweep.cells[0]), folder):
        done = subprocess.run(["sha256sum", "-c", digests.FILE], cwd=place, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done
        assert not done.stderr
    moved = shutil.copytree(tmp_path / "results", tmp_path / "elsewhere")
    assert digests.file_problems(moved / sweep.measured(sweep.cells[0]).relative_to(layout.RESULTS)) == []


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text.replace("a", "b", 1),
        lambda text: text.rpartition("\n")[0].rpartition("\n")[0] + "\n",
        lambda text: text + text.splitlines()[-1] + "x\n",
        lambda text: text.partition("\n")[2],
        lambda text: "\0" + text,
        lambda text: text + "\xff",
        lambda text: "",
    ],
)
def test_damaged_digests_are_no_digests(tmp_path, damage):
    place = tmp_path / "results" / "raw" / "cell"
    place.mkdir(parents=True)
    for name in ("one", "two"):
        (place / name).write_text(name)
    digests.write(place)
    assert digests.file_problems(place) == []
    path = place / digests.FILE
    path.write_bytes(damage(path.read_text()).encode("latin-1"))
    assert digests.file_problems(place)
