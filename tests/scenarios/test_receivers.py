# SPDX-License-Identifier: MIT
"""What receivers do, in real ns-3: which segments they acknowledge at once, and the window that they offer."""

import itertools
import statistics
from pathlib import Path

import pytest
import yaml

SEGMENT = 1000


@pytest.fixture(scope="module")
def grown(window):
    """The times at which a window in slow start, on an empty path of 100 ms, has grown by a segment or more."""
    options = {"variant": "TcpNewReno", "ack_every": 2, "duration": "1s", "threshold": 1000}

    def grown(corrections):
        rows = window(corrections=corrections, **options)
        return [time for what, time, value in rows if what == "w" and value >= 11 * SEGMENT]

    return grown


def test_the_first_segments_and_all_while_the_receivers_window_grows_have_an_ack_of_their_own(grown):
    """NewReno's window grows by a segment for each ACK. The first two round trips bring 10 and 20 segments."""
    times = grown("quick_ack")
    rounds = [len([time for time in times if begin < time < begin + 0.05]) for begin in (0.19, 0.29, 0.39)]
    # 16 at once, besides 8 that let the window grow to its first buffer; then an ACK for two
    first, second = 10, 14 + (20 - 14) // 2
    third = 20 + second  # by then, the application has read more than before in a round trip
    assert rounds == pytest.approx([first, second, third], abs=2)
    # In ns-3 as it is, ACKs are delayed from the second segment on.
    assert len([time for time in grown("none") if time < 0.25]) == 5


GAP = 60


def reported(transfer, corrections, gap=GAP, segments=200):
    """After how many segments behind the gap each ACK came, with its time in ms."""
    found = transfer(corrections, {gap: 1}, segments=segments)
    blocks = [(time, divmod(value, 100000)) for time, value in found.of("b")]
    return [(time, end - gap - 1) for time, (begin, end) in blocks if begin == gap + 1]


def test_after_three_duplicate_acks_an_ack_comes_each_millisecond(transfer):
    """A segment arrives each 0.84 ms, and an ACK waits for 1.1 ms: so it is for two segments."""
    acks = reported(transfer, "prr,rack_tlp,sack_compression")
    counts = [count for _, count in acks]
    assert counts[:3] == [1, 2, 3]
    assert counts[3:] == list(range(5, counts[-1] + 1, 2))
    assert len(counts) > 10
    waits = [after - before for (before, _), (after, _) in itertools.pairwise(acks[2:])]
    assert min(waits) >= 1
    assert statistics.median(waits) <= 2
    # ns-3 as it is acknowledges each segment.
    counts = [count for _, count in reported(transfer, "prr,rack_tlp")]
    assert counts == list(range(1, len(counts) + 1))
    assert len(counts) > 20


def test_behind_a_gap_the_last_segment_of_a_write_waits_for_its_ack_like_others(transfer):
    """In Linux, tcp_cleanup_rbuf() looks at PSH. Around segment 150, the window of the receiver is constant."""
    of_all = {"gap": 150, "segments": 155}  # the application's data end with the fourth segment behind the gap
    acks = reported(transfer, "prr,quick_ack,rack_tlp,sack_compression", **of_all)
    assert [count for _, count in acks] == [1, 2, 3, 4]
    assert acks == reported(transfer, "prr,rack_tlp,sack_compression", **of_all)
    at_once = reported(transfer, "prr,quick_ack,rack_tlp", **of_all)
    assert [acks[3][0] - at_once[3][0], *(acks[index][0] - at_once[index][0] for index in range(3))] == [1, 0, 0, 0]


BUFFER = 131072 * 160 // 256  # bytes for data in Linux' first buffer: a segment of 1,448 bytes takes 2,304
BBR = "bbr,rack_tlp,rate_sample,window_after_recovery"
LOST = 12


def sent_until_repaired(transfer, corrections):
    """How many segments were sent before one arrived that was lost four times."""
    found = transfer(corrections, {LOST: 4}, segments=2000, variant="TcpBbr")
    arrived = found.sent[LOST][4]
    return sum(times[0] < arrived for times in found.sent.values())


def test_while_the_application_waits_for_a_segment_the_window_does_not_move(transfer):
    """When the last ACK before the gap was sent, the application had not yet read its segment."""
    end = LOST * 1000 + BUFFER - 1000
    assert sent_until_repaired(transfer, f"{BBR},receive_window") == end // 1000
    # ns-3 as it is offers its whole buffer.
    assert sent_until_repaired(transfer, BBR) > 1.5 * BUFFER // 1000


def test_the_window_grows_when_linux_grows_it(run):
    """The growth depends on what the application reads in a round trip, and shows in the number of ACKs."""
    cell = run(
        *("--flows=1", "--variant=TcpLinuxReno", "--bandwidth=10Mbps", "--delay=40ms", "--queue=4bdp"),
        *("--duration=1.6s", "--start_jitter=0s", "--packet_jitter=0", "--socket_buffer=4MB"),
        *("--ns3::TcpSocket::InitialCwnd=10", "--ns3::TcpSocket::DelAckCount=2"),
        "--corrections=prr,quick_ack,rack_tlp,receive_window,recovery_exit,reno",
    )
    acked = [value / 1448 for _, value in cell.trace("acked_bytes") if value]
    expected = yaml.safe_load(Path(__file__).with_name("linux.yaml").read_text())["acks"]
    found = {segments: sum(value <= segments for value in acked) for segments in expected}
    assert found == pytest.approx(expected, abs=2)
