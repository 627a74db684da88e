# SPDX-License-Identifier: MIT
"""When a cell's raw files go."""

import pytest

from tcpsweep.core.measure import cell_metrics
from tcpsweep.core.run.run_cell import CellTask, run_cell
from tcpsweep.core.store import layout
from tcpsweep.core.sweep.span import Span


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
