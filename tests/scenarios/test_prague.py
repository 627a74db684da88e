# SPDX-License-Identifier: MIT
"""TcpPrague by draft-briscoe-iccrg-prague-congestion-control, and its feedback of marks."""

from itertools import pairwise

import polars as pl
import pytest

from tests.support.cell import audited
from tests.support.printed import printed

PRAGUE, DISC = "TcpPrague", "DualPi2QueueDisc"
SEGMENT = 1448  # bytes, in the dumbbell
RTT_S = 0.020


@pytest.fixture(scope="module")
def libraries(library_of):
    """The argument that loads Prague and DualPI2."""
    loaded = [library_of(name)[0].removeprefix("--load=") for name in (PRAGUE, DISC)]
    return f"--load={','.join(loaded)}"


@pytest.fixture(scope="module")
def flow(variant_program, libraries):
    """The events of `tests/programs/prague.cc` for a fraction of lost ACKs: (event, seconds, value)."""

    def flow(lost):
        lines = printed(variant_program("prague"), libraries, f"--lose_acks={lost}").splitlines()
        rows = (line.split() for line in lines)
        return [(event, float(at), float(value)) for event, at, value in rows]

    return {lost: flow(lost) for lost in (0, 0.3)}


@pytest.mark.parametrize("lost", [0, 0.3])
def test_each_marked_byte_is_reported_and_alpha_is_the_moving_average_also_if_acks_are_lost(flow, lost):
    marks, reports = ([value for event, _, value in flow[lost] if event == kind] for kind in "mr")
    assert reports[-1] == sum(marks) > 20000
    # alpha += g (frac - alpha) once a round, with g = 1/16; 1 at the start.
    alpha, acked, marked, updates = 1.0, [0, 0], [0, 0], 0
    for event, _, value in flow[lost]:
        if event == "k":
            acked[1] = max(acked[1], value)
        elif event == "r":
            marked[1] = value
        elif event == "a":
            fraction = (marked[1] - marked[0]) / (acked[1] - acked[0])
            expected = alpha + (fraction - alpha) / 16
            if updates:  # the first round began before the first mark
                assert value == pytest.approx(expected, abs=0.003)
            alpha, acked[0], marked[0] = value, acked[1], marked[1]
            updates += 1
    assert updates > 100


def test_a_mark_reduces_the_window_by_half_of_alpha_once_in_a_round(flow):
    alpha, windows, reductions = 1.0, [], []
    for event, at, value in flow[0]:
        if event == "a":
            alpha = value
        elif event == "w":
            if windows and value < windows[-1]:
                # The reduction comes before alpha's update of the same ACK.
                reductions.append((at, value / windows[-1], 1 - alpha / 2))
            windows.append(value)
    assert len(reductions) > 50
    for _, ratio, expected in reductions[1:]:
        assert ratio == pytest.approx(expected, abs=0.004)
    assert min(b[0] - a[0] for a, b in pairwise(reductions)) > 0.9 * RTT_S


def test_the_window_grows_by_a_segment_each_virtual_round_trip_at_the_virtual_rate(run, libraries):
    def grown(transition):
        """The window's growth per real round trip of 10 ms, in segments, without marks and losses."""
        cell = run(
            *(libraries, f"--variant={PRAGUE}", "--flows=1", "--bandwidth=1Gbps", "--delay=3ms", "--duration=1500ms"),
            *("--queue=10000p", "--traces=cwnd_bytes", "--ns3::TcpSocket::InitialSlowStartThreshold=14480"),
            *("--ns3::TcpSocketBase::Timestamp=false", "--ns3::TcpSocket::DelAckCount=1"),
            f"--ns3::{PRAGUE}::RttTransition={transition}",
            name=str(transition),
        )
        (begin, first), *_, (end, last) = [row for row in cell.trace("cwnd_bytes") if row[0] > 0.5]
        return (last - first) / SEGMENT / (end - begin) * 0.010

    real, virtual = grown(10**6), grown(0)
    assert real == pytest.approx(1, abs=0.1)
    assert virtual / real == pytest.approx((10 / 25) ** 2, rel=0.15)  # as tcp_prague.c, heuristic "rate"


def test_a_loss_halves_the_window(run, libraries):
    cell = run(
        *(libraries, f"--variant={PRAGUE}", "--flows=1", "--bandwidth=10Mbps", "--delay=10ms", "--duration=10s"),
        *("--queue=30p", "--traces=cwnd_bytes", "--corrections=rack_tlp,recovery_exit,window_after_recovery"),
    )
    windows = [value for at, value in cell.trace("cwnd_bytes") if at > 3]
    falls = [after / before for before, after in pairwise(windows) if after < before]
    assert falls
    assert falls == pytest.approx([0.5] * len(falls), abs=0.01)


def test_all_packets_are_ect1_and_no_flag_of_classic_ecn_is_sent(run, libraries, tmp_path):
    cell = run(
        *(libraries, f"--variant={PRAGUE}", "--flows=1", "--bandwidth=20Mbps", "--delay=5ms", "--duration=2s"),
        *(f"--queue_disc={DISC}", "--queue=500p", "--pcap=bottleneck"),
    )
    _, packets, audit = audited(cell, tmp_path / "parsed")
    assert audit["agrees"].all()
    rows = packets.filter(pl.col("payload_bytes") > 0).collect()
    assert set(rows["ecn"]) == {1, 3}


def test_prague_waits_about_a_millisecond_next_to_cubic_which_loses_and_gets_its_share(run, libraries):
    cell = run(
        *(libraries, f"--variant=TcpCubic+{PRAGUE}", "--flows=2", "--bandwidth=40Mbps", "--delay=15ms"),
        *("--duration=20s", f"--queue_disc={DISC}", "--queue=2000p", "--ns3::TcpSocketBase::Timestamp=false"),
    )
    sent = [[row for row in cell.queue("t") if row["flow"] == flow and row["time"] > 8] for flow in (0, 1)]
    cubic, prague = (sum(row["bytes"] for row in rows) for rows in sent)
    assert 0.6 < prague / cubic < 1.7
    delays = sorted(row["delay"] for row in sent[1])
    assert delays[int(0.99 * len(delays))] < 0.0015
    assert {row["flow"] for row in cell.queue("e")} == {0}  # ECN is off for CUBIC, and Prague loses nothing
