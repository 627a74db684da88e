# SPDX-License-Identifier: MIT
"""The data centre in real ns-3: the collapse and cure of config/incast.yaml, and DCTCP's threshold at each link."""

import pytest

from tests.support.networks import commands, read
from tests.support.tools import ROOT


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
    text = text.replace("repetitions: 10", "runs: [1]").replace("[1, 4, 8, 16, 32]", "[1, 8]")
    found = {}
    for row, cell in cells(text, "--traces=none", "--queue_trace=false", "--flow_monitor=false"):
        (answers,) = cell.record["traffic"]
        key = row["preset"], row["variant"], row["network.traffic.answers.hosts"]
        found[key] = answers["received_bytes"] * 8 / 1.5 / 1e9
        # 8 answers take 17 ms at the link's rate; with a timeout of 200 ms at its end, a round has a tenth of it.
        # The last round begins within the 1.5 s and ends after them.
        assert answers["finished"] == answers["begun"]
        if key == ("linux", "TcpCubic", 8):  # some rounds of DCTCP get by without a timeout
            assert answers["finished"] <= 1.5 / 0.2 + 1
    for variant in ("TcpCubic", "TcpDctcp"):
        assert min(found["linux", variant, 1], found["datacentre", variant, 1]) > 0.8
        assert found["linux", variant, 8] < 0.12
        assert found["datacentre", variant, 8] > 0.5


def test_each_link_of_a_network_marks_at_its_own_threshold(cells):
    """A packet that finds K or more in the queue as it is now is marked, and no other (Alizadeh et al. 2010, 3.1)."""
    text = """\
sweep: s
scenario: network
network:
  links:
    first: {between: [a, b], delay: 2ms, queue_disc: red, ecn: true, ecn_threshold: 10p, queue: 100p}
    second: {between: [b, c], delay: 2ms, queue_disc: red, ecn: true, ecn_threshold: 25p, queue: 100p}
  flows:
    near: {from: a, to: b, variant: dctcp}
    far: {from: b, to: c, variant: dctcp, count: 2}
fixed: {duration: 10s, warmup: 1s}
runs: [1]
"""
    ((_, cell),) = cells(text)
    for link, threshold in (("first", 10), ("second", 25)):
        marked, sent = cell.queue("m", link=link), cell.queue("t", link=link)
        assert len(marked) > 50 and not cell.queue("d", "e", link=link)
        assert min(row["packets"] for row in marked) >= threshold
        # What is above the threshold is marked, so that the queue stays there.
        assert max(row["packets"] for row in sent if row["time"] > 3) < threshold + 10


MANY = """\
sweep: many
scenario: network
network:
  links:
    server: {between: ["server{i}", switch], count: 40, bandwidth: 1Gbps, delay: 20us, jitter: 10us, queue: none}
    client: {between: [switch, client], bandwidth: 1Gbps, delay: 20us, queue: 100p, queue_disc: red, ecn: true, \
ecn_threshold: 20p, back: {queue: none, queue_disc: none, ecn: false, ecn_threshold: none}}
  traffic:
    answers: {kind: incast, from: "server{i}", to: client, hosts: 20, bytes: 50000, persistent: true, times: 50}
fixed: {variant: TcpDctcp, preset: datacentre, duration: 1s, warmup: 0s}
attributes:
  ns3::TcpSocket::InitialCwnd: 2
  ns3::TcpSocket::DelAckCount: 1
  ns3::TcpSocketBase::MinRto: 10ms
  ns3::TcpSocketBase::ClockGranularity: 10ms
runs: [1]
"""


def test_no_sender_of_an_incast_stops_for_good_with_windows_of_two_segments(cells):
    ((_, cell),) = cells(MANY, "--traces=none", "--queue_trace=false", "--flow_monitor=false")
    (answers,) = cell.record["traffic"]
    assert (answers["finished"], answers["begun"]) == (50, 50)
