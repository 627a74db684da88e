# SPDX-License-Identifier: MIT
"""Sweeps in rounds, in real ns-3, interrupted between rounds: for a precision, a crossover and a search."""

import re
import shutil
import signal
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import scipy.stats

from tests.support import cell_numbers
from tests.support.project import edit, sweep_started, swept, wait_for

pytestmark = pytest.mark.long
SWEEPS = Path(__file__).with_name("sweeps")


def interrupted(project, name):
    """Begin a sweep, and interrupt it once its next round is known; its folder."""
    shutil.copy(SWEEPS / f"{name}.yaml", project / "sweep.yaml")
    folder = project / "results" / "sweeps" / name
    command = sweep_started(project)
    wait_for((folder / "rounds.json").is_file, command)
    command.send_signal(signal.SIGINT)
    command.communicate()
    return folder


def test_a_sweep_runs_until_its_means_are_as_precise_as_asked(project):
    folder = interrupted(project, "precise")
    text = swept(project)
    table = pl.read_parquet(folder / "precision.parquet")
    runs = dict(table.group_by("loss").agg(pl.col("runs").unique()).iter_rows())
    # Without loss all runs are alike enough after ten; with it both variants have the runs that the wider one needs.
    assert runs[0.0] == [10]
    assert len(runs[0.01]) == 1
    assert 10 < runs[0.01][0] <= 24
    assert table.filter(~pl.col("reached"))["runs"].to_list() in ([], [24], [24, 24])
    assert "requested precision reached after 10 to" in text
    # The half-width of Student's interval of the goodputs that the receivers' bytes show, a share of the mean.
    cells = cell_numbers.cells(project, "precise", variant="TcpCubic", loss=0.01)
    goodputs = np.array([cell_numbers.goodput_bps(cell, 1, 6) for cell in cells.values()])
    half = scipy.stats.t.ppf(0.975, len(goodputs) - 1) * scipy.stats.sem(goodputs)
    row = table.filter(metric="goodput_bps", flow_variant="TcpCubic", loss=0.01).row(0, named=True)
    assert (row["mean"], row["half_width"]) == pytest.approx((goodputs.mean(), half), rel=1e-6)
    assert row["reached"] == (half <= 0.04 * goodputs.mean())
    assert 'id="precision"' in (project / "reports" / "precise.html").read_text()
    assert "all finished" in swept(project)
    edit(project / "sweep.yaml", "[0, 0.01]", "[0]")
    swept(project)
    (folder / "rounds.json").write_text("{")  # damaged or lost, although no run is missing: it is reported again
    swept(project)
    assert pl.read_parquet(folder / "precision.parquet")["runs"].unique().to_list() == [10]


def test_a_sweep_finds_where_a_difference_turns(project):
    folder = interrupted(project, "turning")
    text = swept(project)
    (row,) = pl.read_parquet(folder / "refined.parquet").to_dicts()
    assert (row["before"], row["after"], row["reached"]) == (1, -1, True)
    assert 1 <= row["low_edge"] < row["high_edge"] <= 4
    # Five values, at factors of 2 from end to end, and one between the two that the turn lies between.
    values = pl.read_parquet(folder / "refined_points.parquet")["at"].to_list()
    assert len(values) == 6
    assert set(values) > {0.5, 1, 2, 4, 8}
    assert "the sign changes over the queue in 1 of 1 network conditions, by 6 values" in text
    assert "TcpCubic has more above it" in text
    said = cell_numbers.said(folder)
    assert said.startswith("The crossover in mean queueing delay of TcpBbr and TcpCubic is at ")
    edges = [cell_numbers.written(row[edge]) for edge in ("low_edge", "high_edge")]
    assert f"({edges[0]} to {edges[1]} BDP)" in said
    # BBR's packets wait longer below the band and shorter above it, by the waits in the queue.
    for edge, sign in ((row["low_edge"], 1), (row["high_edge"], -1)):
        waits = {
            variant: np.mean([cell_numbers.sent(cell, 1, 5)[1].mean() for cell in cells.values()])
            for variant in ("TcpBbr", "TcpCubic")
            if (cells := cell_numbers.cells(project, "turning", variant=variant, queue=f"{edge:.4g}bdp"))
        }
        assert (waits["TcpBbr"] - waits["TcpCubic"]) * sign > 0
    assert 'id="turning-points"' in (project / "reports" / "turning.html").read_text()


def test_a_search_finds_a_network_and_its_find_is_a_sweep_that_passes(project):
    folder = interrupted(project, "searched")
    text = swept(project)
    table = pl.read_parquet(folder / "search.parquet")
    found = table.filter(pl.col("role") == "found").row(0, named=True)
    assert table["looked"].count() == 8
    assert found["loss"] > 0.01  # losses take from NewReno what they take
    assert found["mean"] < found["high"] < found["bound"]
    assert "found in" in text
    said = re.search(r"is loss ([0-9.]+) ?%?: ([0-9.]+) .* in 5 fresh runs\.", cell_numbers.said(folder))
    cells = cell_numbers.cells(project, "searched", loss=found["loss"])
    fresh = [cells[run] for run in sorted(cells)[-5:]]
    used = np.mean([cell_numbers.sent(cell, 1, 5)[0].sum() * 8 / 2e6 / 4 for cell in fresh])
    assert found["mean"] == pytest.approx(used, rel=0.01)
    assert cell_numbers.about(said[2], used * (100 if used < 1 < float(said[2]) else 1))
    assert 'id="search"' in (project / "reports" / "searched.html").read_text()
    assert "all finished" in swept(project, "results/sweeps/searched/found.yaml")
