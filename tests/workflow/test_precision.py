# SPDX-License-Identifier: MIT
"""A sweep that runs until its means are as precise as asked, in real ns-3."""

import signal

import polars as pl
import pytest

from tests.support.project import sweep_started, swept, wait_for

pytestmark = pytest.mark.long

SWEEP = """\
sweep: precise
scenario: dumbbell
grid:
  variant: [TcpNewReno, TcpCubic]
  loss: [0, 0.01]
precision: {goodput_bps: 4%}
at_most: 24
pages: false
fixed: {bandwidth: 2Mbps, duration: 6s, warmup: 1s, start_jitter: 100ms, flows: 1}
"""


def rows(project):
    return pl.read_parquet(project / "results" / "sweeps" / "precise" / "precision.parquet")


def test_a_sweep_goes_round_by_itself_and_on_where_it_was_interrupted(project):
    (project / "sweep.yaml").write_text(SWEEP)
    known = project / "results" / "sweeps" / "precise" / "rounds.json"
    command = sweep_started(project)
    wait_for(known.is_file, command)
    command.send_signal(signal.SIGINT)
    command.communicate()
    text = swept(project)
    table = rows(project)
    runs = dict(table.group_by("loss").agg(pl.col("runs").unique()).iter_rows())
    # Without loss all runs are alike enough after ten; with it both variants have the runs that the wider one needs.
    assert runs[0.0] == [10]
    assert len(runs[0.01]) == 1
    assert 10 < runs[0.01][0] <= 24
    assert table.filter(~pl.col("reached"))["runs"].to_list() in ([], [24], [24, 24])
    assert "as precise as asked after 10 to" in text
    assert 'id="precision"' in (project / "reports" / "precise.html").read_text()
    assert "all finished" in swept(project)
    (project / "sweep.yaml").write_text(SWEEP.replace("[0, 0.01]", "[0]"))
    swept(project)
    known.write_text("{")  # damaged or lost, where no run is missing either: it is told anew
    swept(project)
    assert rows(project)["runs"].unique().to_list() == [10]
