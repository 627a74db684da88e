# SPDX-License-Identifier: MIT
"""The first sentence of a report on Linux next to ns-3, with its number, from a short real sweep in virtual time."""

import re
import subprocess

import numpy as np
import polars as pl
import pytest

from tests.support import cell_numbers
from tests.support.project import TCPSWEEP, Project

pytestmark = pytest.mark.kernel
SWEEP = """\
sweep: both
scenario: dumbbell
grid: {variant: [TcpCubic], stack: [ns-3, linux]}
repetitions: 2
pages: false
fixed: {flows: 1, bandwidth: 4Mbps, delay: 20ms, queue: 0.5bdp, preset: linux, time: virtual, duration: 6s, warmup: 2s}
"""
FROM_S, TO_S = 2.0, 6.0


def drop_share(cell):
    """The share of the packets that the queue dropped, of those that it dropped or sent."""
    rows = pl.read_parquet(cell / "queue.parquet").filter(
        pl.col("direction") == "forward",
        pl.col("time_s").cast(pl.Float64).is_between(FROM_S, TO_S, closed="right"),
    )
    event = rows["event"].cast(pl.String)
    dropped = event.str.starts_with("drop").sum()
    return dropped / (dropped + (event == "transmit").sum())


MEASURES = {
    "goodput per flow": lambda cell: cell_numbers.goodput_bps(cell, FROM_S, TO_S),
    "mean queueing delay": lambda cell: cell_numbers.sent(cell, FROM_S, TO_S)[1].mean(),
    "congestion loss": drop_share,
}


def test_linux_next_to_ns3_is_answered_with_the_largest_ratio_of_means(with_kernel, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "both.yaml").write_text(SWEEP)
    subprocess.run([TCPSWEEP, "sweep", "both.yaml"], check=True)
    project = Project.at(tmp_path)
    said = cell_numbers.said(project / "results/sweeps/both")
    found = re.fullmatch(
        r"No comparison of Linux with ns-3 could be tested\. "
        r"In the means, TcpCubic's ([\w' ]+) differs most: Linux' is ([0-9.]+) times ns-3's\.",
        said,
    )
    assert found, said
    ratios = {}
    for name, measure in MEASURES.items():
        ours, kernels = (
            np.mean([measure(cell) for cell in cell_numbers.cells(project, "both", stack=stack).values()])
            for stack in ("ns-3", "linux")
        )
        ratios[name] = kernels / ours
    assert float(found[2]) == pytest.approx(ratios[found[1]], rel=0.02)
    assert found[1] == max(ratios, key=lambda name: abs(np.log(ratios[name])))
