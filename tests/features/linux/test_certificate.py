# SPDX-License-Identifier: MIT
"""Short real sweeps of ns-3's CUBIC next to Linux' in virtual time: a certificate, and a report's first sentence."""

import json
import re
import subprocess

import numpy as np
import polars as pl
import pytest

from tcpsweep.__main__ import run as run_command
from tests.features.linux.conftest import sweep_text
from tests.support import cell_numbers
from tests.support.project import TCPSWEEP, Project

pytestmark = pytest.mark.kernel


def test_a_real_sweep_gets_a_certificate(with_kernel, kernel, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.yaml").write_text(sweep_text("small"))
    subprocess.run([TCPSWEEP, "sweep", "small.yaml"], check=True)
    run_command(["certificate", "small.yaml"])
    said = capfd.readouterr().out
    assert re.search(
        r"^Of 5 comparisons, .*: \d+ % with `corrections: all` \(.*\), \d+ % with `corrections: none` \(.*\)\.$",
        said,
        re.M,
    ), said
    written = json.loads((tmp_path / "reports/certificate-small.json").read_text())
    assert written["linux"] == [{"release": kernel.built.release}]
    assert len(written["comparisons"]) == 10
    goodput = [each for each in written["comparisons"] if each["metric"] == "goodput_bps"]
    # Two flows share 3 Mbit/s less the headers of TCP, IP and PPP: 1448 of 1502 bytes.
    for each in goodput:
        assert each["mean"] == pytest.approx(1.5e6 * 1448 / 1502, rel=0.05)
        assert each["linux_mean"] == pytest.approx(1.5e6 * 1448 / 1502, rel=0.05)
    page = (tmp_path / "reports/certificate-small.html").read_text()
    assert 'href="certificate-small.json"' in page


FROM_S, TO_S = 2.0, 6.0


def drop_share(cell):
    """The share of the packets that the queue dropped, of those that it dropped or sent."""
    rows = pl.read_parquet(cell / "queue.parquet").filter(
        pl.col("direction") == "forward", pl.col("time_s").cast(pl.Float64).is_between(FROM_S, TO_S, closed="right")
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
    (tmp_path / "both.yaml").write_text(sweep_text("both"))
    subprocess.run([TCPSWEEP, "sweep", "both.yaml"], check=True)
    project = Project.at(tmp_path)
    said = cell_numbers.said(project / "results/sweeps/both")
    found = re.fullmatch(
        r"No comparison of Linux with ns-3 has a verdict\. "
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
