# SPDX-License-Identifier: MIT
"""The data centre in real ns-3: the collapse and cure of config/incast.yaml, and DCTCP's threshold at each link."""

import pytest

from tests.support.networks import commands, read
from tests.support.tools import ROOT

PLAIN = ("--traces=none", "--queue_trace=false", "--flow_monitor=false")
SWEEPS = ROOT / "tests" / "scenarios" / "sweeps"


@pytest.fixture
def cells(program, simulated):
    """Run the first repetition of each combination of a sweep file; returns its row and its files."""

    def cells(text, *arguments):
        sweep = read(text, str(ROOT / "config"))
        for row, cell in zip(sweep.own, commands(sweep), strict=True):
            yield row, simulated(program("network"), *cell.arguments, *arguments)

    return cells


@pytest.mark.long
def test_incasts_goodput_collapses_with_linux_timers_and_not_with_a_data_centres(cells):
    """Phanishayee et al., FAST 2008: a round waits for the timeout of the sender that lost all it had sent."""
    text = (ROOT / "config" / "incast.yaml").read_text().partition("figures:")[0]
    text = text.replace("repetitions: 10", "runs: [1]").replace("[1, 4, 8, 16, 32]", "[1, 16]")
    found = {}
    for row, cell in cells(text, *PLAIN):
        (answers,) = cell.record["traffic"]
        key = row["preset"], row["variant"], row["network.traffic.answers.hosts"]
        found[key] = answers["received_bytes"] * 8 / 1.5 / 1e9
        # 16 answers take 34 ms at the link's rate; with a timeout of 200 ms at its end, a round has a seventh of it.
        # The last round begins within the 1.5 s and ends after them.
        assert answers["finished"] == answers["begun"]
        if key == ("linux", "TcpCubic", 16):  # some rounds of DCTCP get by without a timeout
            assert answers["finished"] <= 1.5 / 0.2 + 1
    for variant in ("TcpCubic", "TcpDctcp"):
        assert min(found["linux", variant, 1], found["datacentre", variant, 1]) > 0.8
        assert found["linux", variant, 16] < 0.25
        assert found["datacentre", variant, 16] > 0.5


def test_each_link_of_a_network_marks_at_its_own_threshold(cells):
    """A packet that finds K or more in the queue as it is now is marked, and no other (Alizadeh et al. 2010, 3.1)."""
    ((_, cell),) = cells((SWEEPS / "two-thresholds.yaml").read_text())
    for link, threshold in (("first", 10), ("second", 25)):
        marked, sent = cell.queue("m", link=link), cell.queue("t", link=link)
        assert len(marked) > 50 and not cell.queue("d", "e", link=link)
        assert min(row["packets"] for row in marked) >= threshold
        # What is above the threshold is marked, so that the queue stays there.
        assert max(row["packets"] for row in sent if row["time"] > 3) < threshold + 10


def test_no_sender_of_an_incast_stops_for_good_with_windows_of_two_segments(cells):
    ((_, cell),) = cells((SWEEPS / "many-servers.yaml").read_text(), *PLAIN)
    (answers,) = cell.record["traffic"]
    assert (answers["finished"], answers["begun"]) == (50, 50)
