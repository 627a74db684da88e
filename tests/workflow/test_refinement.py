# SPDX-License-Identifier: MIT
"""A sweep that finds where a difference turns, in real ns-3, killed between its rounds."""

import signal

import polars as pl
import pytest

from tests.support.project import sweep_started, swept, wait_for

pytestmark = pytest.mark.long

# BBR fills no more than about a bandwidth-delay product of the queue, CUBIC all that there is, and on average less of a
# short one: so the turn lies behind a queue of one.
SWEEP = """\
sweep: turning
scenario: dumbbell
grid: {variant: [TcpCubic, TcpBbr]}
refine:
  axis: queue
  between: 0.5bdp and 8bdp
  where: queueing_delay_mean_s of TcpBbr - TcpCubic changes sign
  to: 60%
repetitions: 5
pages: false
fixed: {flows: 1, bandwidth: 4Mbps, duration: 5s, warmup: 1s, delay: 20ms}
"""


def test_a_sweep_finds_a_turn_round_by_round_and_goes_on_where_it_was_interrupted(project):
    (project / "sweep.yaml").write_text(SWEEP)
    folder = project / "results" / "sweeps" / "turning"
    command = sweep_started(project)
    wait_for((folder / "rounds.json").is_file, command)
    command.send_signal(signal.SIGINT)
    command.communicate()
    text = swept(project)
    (row,) = pl.read_parquet(folder / "refined.parquet").to_dicts()
    assert (row["before"], row["after"], row["reached"]) == (1, -1, True)
    assert 1 <= row["low_edge"] < row["high_edge"] <= 4
    # Five values, at factors of 2 from end to end, and one between the two that the turn lies between.
    values = pl.read_parquet(folder / "refined_points.parquet")["at"].to_list()
    assert len(values) == 6
    assert set(values) > {0.5, 1, 2, 4, 8}
    assert "the sign changes over the queue in 1 of 1 networks, by 6 values" in text
    assert "TcpCubic has more above it" in text
    assert 'id="turning-points"' in (project / "reports" / "turning.html").read_text()
