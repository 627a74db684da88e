# SPDX-License-Identifier: MIT
"""Damaged files in results/ are made again by the next run, or reported, and never used in a table."""

import contextlib
import random
import shutil
from pathlib import Path

import pytest

from tcpsweep.core.analysis import aggregate
from tcpsweep.core.store import cell_files, layout
from tcpsweep.core.sweep import failures, sweep_record, sweep_tables
from tcpsweep.registry.tables import TABLES
from tests.mutations import damage, seeds
from tests.support import synthetic
from tests.support.project import step

pytestmark = pytest.mark.long
SWEEP = """
sweep: small
scenario: dumbbell
grid: {variant: [TcpCubic, TcpNewReno], delay: [10ms, 20ms, 30ms]}
repetitions: 3
fixed: {flows: 2, duration: 5s, warmup: 1s}
"""
TOGETHER = 6  # files that are damaged before something looks


def tables(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*") if path.suffix in (".parquet", ".csv")}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A sweep that no test changes."""
    with contextlib.chdir(tmp_path_factory.mktemp("made")):
        synthetic.sweep(SWEEP, goodput)
        return Path.cwd()


def goodput(row, run):
    return [1e6 + 1e4 * run, 2e6]


@pytest.mark.parametrize("seed", seeds(24)[::TOGETHER])
def test_a_damaged_file_of_a_cell_is_in_no_table_and_is_made_again(made, tmp_path, monkeypatch, seed):
    rng, store = random.Random(seed), tmp_path / "store"
    shutil.copytree(made, store)
    monkeypatch.chdir(store)
    folder = layout.SWEEPS / "small"
    right, sweep = tables(folder), sweep_record.read(folder)
    files = sorted(path for path in layout.CELLS.rglob("*") if path.is_file())
    done = [damage.spoil(rng, victim, files) for victim in rng.sample(files, TOGETHER)]
    aggregate.write_tables(folder, TABLES)
    covered = sweep_tables.covered(folder)
    names = {failure.cell for failure in failures.failures(folder)}
    assert names == {run.cell for run in sweep.cells} - {run.cell for run in covered}, done
    rows = sweep_tables.read(folder, "runs")
    assert {(run.combination, run.run) for run in covered} == set(rows.select("combination", "run").rows()), done
    whole = sweep_tables.read(made / folder, "runs")
    kept = whole.join(rows.select("combination", "run").unique(), on=["combination", "run"], how="semi")
    assert rows.drop("counts").equals(kept.drop("counts")), done
    # Damage in files that the tables do not read is found by their readers, or by verifying.
    for run in covered:
        for place in (sweep.parquet(run.cell), sweep.measured(run)):
            with contextlib.suppress(cell_files.Damaged):
                cell_files.check(place)
    cell_files.clear_damaged()
    for run in sweep.cells:
        if not layout.is_whole(sweep.parquet(run.cell)) or not layout.is_whole(sweep.measured(run)):
            shutil.rmtree(layout.CELLS / run.cell, ignore_errors=True)
            shutil.rmtree(layout.raw(run.cell), ignore_errors=True)
    synthetic.sweep(SWEEP, goodput)
    assert tables(folder) == right, done


@pytest.mark.parametrize("seed", seeds(1))
def test_a_store_damaged_everywhere_is_right_after_running_again(copy_of_finished, seed):
    rng = random.Random(seed)
    folder = copy_of_finished / "results/sweeps/small"
    right = tables(folder)
    groups = [
        *([path] for path in sorted(folder.iterdir()) if path.is_file() and path.name not in right),
        *(sorted(path for path in folder.rglob("*") if path.is_file() and path.parent.name == name) for name in PARTS),
        [folder / name for name in right],
        *([path for path in cell.rglob("*") if path.is_file()] for cell in copy_of_finished.cells()[:3]),
    ]
    done = [damage.spoil(rng, rng.choice(group), []) for group in groups if group]
    for _ in range(3):
        ran = step(copy_of_finished, "sweep", "sweep.yaml")
        assert "Traceback" not in ran.stdout + ran.stderr, (done, ran.stdout, ran.stderr)
        verified = step(copy_of_finished, "verify", "small")
        assert "Traceback" not in verified.stdout + verified.stderr, (done, verified)
        if not ran.returncode and not verified.returncode:
            break
    assert not ran.returncode, (done, ran.stderr[-3000:])
    assert not verified.returncode, (done, verified.stdout)
    assert tables(folder) == right, done


PARTS = ("code", "figures", "jobs", "logs")


@pytest.mark.parametrize("part", range(4))
def test_files_of_a_sweep_that_are_no_text_are_made_again_and_end_no_command(copy_of_finished, part):
    folder = copy_of_finished / "results/sweeps/small"
    right = tables(folder)
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix not in (".parquet", ".csv")]
    for path in [path for path in files if path.parent.name != "figures"][part::4]:
        path.write_bytes(b"\xff\xfe" + path.read_bytes())
    ran = step(copy_of_finished, "sweep", "sweep.yaml")
    assert "Traceback" not in ran.stdout + ran.stderr, ran.stderr
    assert not ran.returncode, ran.stderr
    assert tables(folder) == right
