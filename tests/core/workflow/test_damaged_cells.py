# SPDX-License-Identifier: MIT
"""Damaged cells are reported by the run that reads them and are in none of its tables; the next run repairs them.

Internal files that became folders are as if they were missing.
"""

import shutil

import pytest

from tests.support.project import CELL, KEPT, step

pytestmark = pytest.mark.long


FOLDER = "results/sweeps/small"


def tables(project):
    return {path.name: path.read_bytes() for path in sorted((project / FOLDER).glob("*.parquet"))}


def test_damaged_cells_are_named_are_in_no_table_and_are_made_again(copy_of_finished):
    right = tables(copy_of_finished)
    cells = copy_of_finished.cells()
    measured = [next(cell.glob("measured-*")) for cell in cells]
    bit = bytearray((measured[0] / "measures.parquet").read_bytes())
    bit[len(bit) // 2] ^= 4
    (measured[0] / "measures.parquet").write_bytes(bit)
    (cells[1] / "run.json").write_text("{")
    shutil.copy(measured[4] / "audit.parquet", measured[2] / "audit.parquet")
    # What one look finds missing. The raw files are there, but one cell's are not.
    shutil.rmtree(measured[3])
    measured[3].mkdir()
    shutil.rmtree(measured[4])
    measured[4].touch()
    shutil.rmtree(cells[5])
    raw = copy_of_finished / "results/raw" / cells[5].parent.name
    shutil.rmtree(raw)
    raw.touch()

    ran = copy_of_finished.run(sweep=KEPT)
    assert ran.status != 0
    assert ran.simulated == {cells[5].parent.name}
    said = ran.text.partition("3 of 8 simulations have no result")[2]
    for cell, name in zip(cells[:3], ["measures.parquet", "run.json", "audit.parquet"], strict=True):
        assert f"{cell.parent.name} is damaged; the next run makes it again:" in said
        assert f"{name}: differs from its checksum" in said
    verified = step(copy_of_finished, "verify", "small")
    assert verified.returncode == 1
    assert "3 simulations" in verified.stdout

    ran = copy_of_finished.run(copy_of_finished.tables(), sweep=KEPT)
    assert ran.status == 0, ran.text
    assert ran.simulated == set()
    assert ran.parsed == {cells[1].parent.name}
    assert tables(copy_of_finished) == right


def test_one_command_names_damaged_cells_and_makes_them_again(copy_of_finished):
    right = tables(copy_of_finished)
    for cell in copy_of_finished.cells():
        (next(cell.glob("measured-*")) / "measures.parquet").write_bytes(b"")
    for table in (copy_of_finished / FOLDER).glob("*.parquet"):
        table.unlink()
    done = step(copy_of_finished, "sweep", "sweep.yaml")
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert said.count("8 of 8 simulations have no result") == 1
    assert "tcpsweep: running again, to repeat the damaged simulations\n" in said
    assert tables(copy_of_finished) == right
    again = step(copy_of_finished, "sweep", "sweep.yaml")
    assert "8 simulations, all finished" in again.stdout


def test_files_of_a_sweep_that_became_folders_are_made_again(copy_of_finished):
    folder = copy_of_finished / FOLDER
    places = [*folder.iterdir(), *(folder / "logs").iterdir()]
    wrong = [path for path in places if path.is_file() and not path.name.startswith(".")]
    for path in wrong:
        path.unlink()
        path.mkdir()
    done = step(copy_of_finished, "sweep", "sweep.yaml")
    assert done.returncode == 0, done.stderr
    assert [path for path in wrong if path.is_dir()] == []
    assert step(copy_of_finished, "verify", "small").returncode == 0


def test_a_missing_file_of_any_kind_is_made_again_by_the_same_command_and_a_dry_run_says_so(project):
    second = CELL.replace("duration: 3s, warmup: 1s", "duration: 1s, warmup: 0s")
    capture = "capture: {pcap: bottleneck, ascii: true}\npages: false\nfixed:"
    made = project.run(project.tables(), sweep=second.replace("fixed:", capture))
    assert "1 simulated" in made.text
    (cell,) = project.cells()
    kept = {path.relative_to(cell): path.read_bytes() for path in cell.rglob("*.parquet")}
    parquet = [
        cell / name for name in ("SHA256SUMS", "run.json", "traces.parquet", "packets.parquet", "events.parquet")
    ]
    for path in [*parquet, next(cell.glob("measured-*/audit.parquet"))]:
        path.unlink()
        dry = step(project, "sweep", "sweep.yaml", "-n").stderr
        ran = project.run(project.tables())
        assert f"{path.relative_to(project.folder)}: missing: made again" in ran.text
        if path in parquet:
            assert "1 left, because files of 1 are missing or damaged: " in dry
            assert "would run:" in dry
            assert ran.simulated == {cell.parent.name}
        else:
            assert "would be measured again (nothing is simulated):" in dry
            assert "1 only measured again" in ran.text
        assert {path.relative_to(cell): path.read_bytes() for path in cell.rglob("*.parquet")} == kept
