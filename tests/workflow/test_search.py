# SPDX-License-Identifier: MIT
"""A sweep that searches for a network, in real ns-3."""

import json
import signal

import polars as pl
import pytest

from tests.support.project import sweep_started, swept, wait_for

pytestmark = pytest.mark.long

SWEEP = """\
sweep: searched
scenario: dumbbell
grid: {variant: [TcpNewReno]}
search: {worst: utilisation, over: {loss: 0 to 0.1}, cells: 16}
repetitions: 5
pages: false
fixed: {bandwidth: 2Mbps, duration: 5s, warmup: 1s, start_jitter: 100ms, flows: 1}
"""


def test_a_search_goes_on_where_it_was_interrupted_and_its_find_is_a_sweep_that_passes(project):
    (project / "sweep.yaml").write_text(SWEEP)
    folder = project / "results" / "sweeps" / "searched"
    known = folder / "rounds.json"
    command = sweep_started(project)
    wait_for(known.is_file, command)
    command.send_signal(signal.SIGINT)
    command.communicate()
    first = json.loads(known.read_text())["points"]
    text = swept(project)
    points = json.loads(known.read_text())["points"]
    assert points[: len(first)] == first
    table = pl.read_parquet(folder / "search.parquet")
    found = table.filter(pl.col("role") == "found").row(0, named=True)
    assert table["looked"].count() == 8
    assert found["loss"] > 0.01  # losses take from NewReno what they take
    assert found["mean"] < found["high"] < found["bound"]
    assert "found in" in text
    assert 'id="search"' in (project / "reports" / "searched.html").read_text()
    assert "all finished" in swept(project, "results/sweeps/searched/found.yaml")
