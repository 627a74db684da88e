# SPDX-License-Identifier: MIT
"""If internal files in results/ are damaged, planning and running work as if they were missing."""

import json

import pytest

from tests.support.project import step

pytestmark = pytest.mark.long

FOLDER = "results/sweeps/small"


def test_every_damaged_file_of_the_stores_own_is_made_again(copy_of_finished):
    right = {
        name: (copy_of_finished / FOLDER / name).read_bytes() for name in ("sweep.json", "sweep.yaml", "asked.json")
    }
    for name, content in {
        "sweep.json": b"\xff",
        "sweep.yaml": b"\xff",
        "commands.json": b"\xff",
        "covered.json": b"{",
        "asked.json": b"\xff",
        "closing.json": b"{",
        "code/report": b"\xff",
        "complete": b'{"a": 1}',
        "logs/expected.json": b"5",
        "logs/report.tsv": b"\xff",
    }.items():
        assert (copy_of_finished / FOLDER / name).is_file(), name
        (copy_of_finished / FOLDER / name).write_bytes(content)
    (copy_of_finished / "results/sweeps/small/.lock").write_bytes(b"\xff")
    shared = (copy_of_finished / "build").resolve()
    copy_of_finished.own_build(*shared.glob("ns*/inspect-*/inspect"), *shared.glob("ns*/dumbbell-*/dumbbell"))
    for path in (
        copy_of_finished / "build/libraries.kept",
        *(copy_of_finished / "build").glob("ns*/*/catalogue*.kept"),
    ):
        path.write_text("{")
    done = step(copy_of_finished, "sweep", "sweep.yaml")
    assert "Traceback" not in done.stdout + done.stderr
    assert done.returncode == 0, done.stderr
    assert {name: (copy_of_finished / FOLDER / name).read_bytes() for name in right} == right
    for name in ("covered.json", "commands.json"):
        assert len(json.loads((copy_of_finished / FOLDER / name).read_text())) == 8
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
