# SPDX-License-Identifier: MIT
"""The first sentence of two kinds of reports, with its numbers, from short real sweeps."""

import re
from pathlib import Path

import numpy as np
import pytest

from tests.support import cell_numbers

pytestmark = pytest.mark.long
SWEEPS = Path(__file__).with_name("sweeps")
FROM_S, TO_S = 2.0, 5.0
NUMBER = r"([0-9.]+)"


def test_a_home_is_answered_with_its_fullest_link_and_each_groups_goodput(project):
    ran = project.run(project.tables("home"), sweep=(SWEEPS / "home.yaml").read_text())
    assert ran.status == 0, ran.text
    said = cell_numbers.said(project / "results/sweeps/home")
    found = re.fullmatch(
        rf"The fullest link is (\w+): {NUMBER} % of it is used, with {NUMBER} ms of queueing delay\. "
        rf"In download, goodput per flow is {NUMBER} Mbit/s with TcpCubic\. "
        rf"In upload, goodput per flow is {NUMBER} Mbit/s with TcpCubic\.",
        said,
    )
    assert found, said
    cells = cell_numbers.cells(project, "home").values()
    assert len(cells) == 2
    rate_bps = {"downlink": 5e6, "uplink": 1e6}
    used, waits = {}, {}
    for link in rate_bps:
        packets = [cell_numbers.sent(cell, FROM_S, TO_S, link) for cell in cells]
        used[link] = np.mean([wire.sum() * 8 / rate_bps[link] / (TO_S - FROM_S) for wire, _ in packets])
        waits[link] = np.mean([wait.mean() for _, wait in packets])
    link = found[1]
    assert used[link] > max(used.values()) - 0.01
    assert cell_numbers.about(found[2], 100 * min(1.0, used[link]))
    assert cell_numbers.about(found[3], 1e3 * waits[link])
    for text, flows in ((found[4], (0, 1)), (found[5], (2,))):
        goodputs = [cell_numbers.goodput_bps(cell, FROM_S, TO_S, flow) for cell in cells for flow in flows]
        assert cell_numbers.about(text, np.mean(goodputs) / 1e6)


def test_a_cellular_trace_is_answered_with_late_packets(project):
    ran = project.run(project.tables("radio"), sweep=(SWEEPS / "radio.yaml").read_text())
    assert ran.status == 0, ran.text
    said = cell_numbers.said(project / "results/sweeps/radio")
    means = {}
    for variant in ("TcpCubic", "TcpVegas"):
        late = []
        for cell in cell_numbers.cells(project, "radio", variant=variant).values():
            time_s, owd_s = cell_numbers.trace(cell, "owd_s")
            late.append(cell_numbers.smallest_that(0.95, owd_s[(time_s > FROM_S) & (time_s <= TO_S)]))
        means[variant] = np.mean(late)
    told = re.findall(rf"{NUMBER} ms with (Tcp\w+)", said.partition(". ")[0])
    assert [variant for _, variant in told] == sorted(means, key=means.get), said
    for text, variant in told:
        assert cell_numbers.about(text, 1e3 * means[variant])
