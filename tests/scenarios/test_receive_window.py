# SPDX-License-Identifier: MIT
"""The window that a receiver offers, in real ns-3."""

import pytest

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


# How many ACKs Linux 6.12 in virtual time had sent when it had received so many segments of this flow: while its window
# grows, it acknowledges each segment, and later each second one.
LINUX_ACKS = {33: 29, 273: 266, 443: 423, 547: 476, 691: 604}


def test_the_window_grows_when_linux_grows_it(run):
    """The growth depends on what the application reads in a round trip, and shows in the number of ACKs."""
    cell = run(
        *("--flows=1", "--variant=TcpLinuxReno", "--bandwidth=10Mbps", "--delay=40ms", "--queue=4bdp"),
        *("--duration=1.6s", "--start_jitter=0s", "--packet_jitter=0", "--socket_buffer=4MB"),
        *("--ns3::TcpSocket::InitialCwnd=10", "--ns3::TcpSocket::DelAckCount=2"),
        "--corrections=prr,quick_ack,rack_tlp,receive_window,recovery_exit,reno",
    )
    acked = [value / 1448 for _, value in cell.trace("acked_bytes") if value]
    found = {segments: sum(value <= segments for value in acked) for segments in LINUX_ACKS}
    assert found == pytest.approx(LINUX_ACKS, abs=5)
