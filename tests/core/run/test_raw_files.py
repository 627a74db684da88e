# SPDX-License-Identifier: MIT
"""When a cell's raw files go."""

from dataclasses import replace
from pathlib import Path

import pytest

from tcpsweep.core.measure import cell_metrics
from tcpsweep.core.run.run_cell import CellFailed, CellTask, run_cell
from tcpsweep.core.store import layout
from tcpsweep.core.sweep.span import Span

# Run times, what has them, and digests of these.
UNEQUAL = {"log.txt", "run.json", "checksums.txt", "SHA256SUMS"}


class Killed(BaseException):
    """What ends a process in the middle of its work."""


@pytest.mark.parametrize("keep_raw", [True, False])
def test_raw_files_that_are_not_kept_are_removed_before_metrics_exist(dumbbell, tmp_path, monkeypatch, keep_raw):
    # With its metrics, a cell is finished: no later run would come back and remove them.
    def killed(*_):
        raise Killed

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cell_metrics, "tables", killed)
    arguments = [str(dumbbell), "--duration=2s", "--start_jitter=0s"]
    with pytest.raises(Killed):
        run_cell(CellTask("cell", arguments, "parser", None, {"metrics": Span(1, 2, [(0, 1e7)])}, keep_raw=keep_raw))
    assert layout.raw("cell").exists() is keep_raw
    assert layout.is_whole(layout.parquet("cell", "parser"))
    assert not layout.is_whole(layout.measured("cell", "parser", "metrics"))


@pytest.mark.parametrize(("keep_raw", "scratch"), [(True, None), (False, None), (False, "scratch")])
@pytest.mark.usefixtures("here")
def test_a_cell_made_again_keeps_its_results_until_it_has_new_ones(dumbbell, keep_raw, scratch):
    arguments, spans = ["--duration=2s", "--start_jitter=0s"], {"m": Span(1, 2)}
    Path("scratch").mkdir()
    task = CellTask("cell", [str(dumbbell), *arguments], "parser", None, spans, keep_raw=keep_raw, scratch=scratch)
    run_cell(task)

    def results():
        return {path: path.read_bytes() for path in layout.RESULTS.rglob("*") if path.is_file()}

    def inodes():
        return {path: path.stat().st_ino for path in results()}

    before, inodes_before = results(), inodes()
    for program, reason in {
        "/bin/false": "ended with exit status 1",
        "/missing": "the program /missing is missing",
    }.items():
        with pytest.raises(CellFailed, match=reason):
            run_cell(replace(task, command=[program, *arguments], again=True))
        assert (results(), inodes()) == (before, inodes_before)
    run_cell(replace(task, again=True))
    assert not set(inodes().values()) & set(inodes_before.values())
    assert {path.name for path, content in results().items() if content != before.pop(path)} <= UNEQUAL
    assert before == {}
    assert layout.raw("cell").exists() is keep_raw
