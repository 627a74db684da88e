# SPDX-License-Identifier: MIT
"""A sender's packets, retransmissions and limits, compared with tshark's analysis of the same cell's capture."""

import itertools

import pytest

from tests.support import tshark

QUICK = ("--bandwidth=2Mbps", "--delay=10ms", "--duration=20s", "--start_jitter=100ms", "--flows=1")


def numbers(path, where, *names):
    """The fields of the packets that a display filter finds, as whole numbers."""
    return [tuple(map(int, row)) for row in tshark.fields(path, *names, where=where)]


def last(cell, name):
    return max((value for _, value in cell.trace(name)), default=0)


@pytest.mark.tshark
@pytest.mark.parametrize("variant", ["TcpNewReno", "TcpCubic", "TcpBbr"])
@pytest.mark.parametrize("options", [("--loss=0.02",), ("--queue=5p",), ("--loss=0.05", "--loss_on=both")])
def test_retransmissions_equal_tsharks(run, variant, options):
    cell = run(*QUICK, *options, f"--variant={variant}", "--pcap=all", "--segment_size=1000")
    highest = again = 0
    for seq, size in numbers(cell.folder / "sender0.pcap", "tcp.len > 0", "tcp.seq", "tcp.len"):
        again += max(0, min(highest, seq + size) - seq)
        highest = max(highest, seq + size)
    assert last(cell, "retransmitted_bytes") == again > 0
    # tshark reports retransmissions that the receiver has already acknowledged: at most the duplicates there.
    spurious = numbers(cell.folder / "sender0.pcap", "tcp.analysis.spurious_retransmission", "tcp.len")
    assert sum(size for (size,) in spurious) <= last(cell, "duplicate_bytes")
    held, twice = set(), 0
    came = "tcp.len > 0 && tcp.dstport == 5000"
    for seq, size in numbers(cell.folder / "receiver0.pcap", came, "tcp.seq", "tcp.len"):
        for begin in range(seq, seq + size, 8):
            twice += 8 * (begin in held)
            held.add(begin)
    assert last(cell, "duplicate_bytes") == twice


# Everything that a flow of this length sends is on the wire before the end.
ENDS = ("--bytes=300000", "--duration=30s")


@pytest.mark.tshark
@pytest.mark.parametrize("options", [(), ("--loss=0.02",), ("--loss=0.05", "--loss_on=both", "--queue=5p")])
def test_sent_packets_equal_tsharks_count(run, options):
    cell = run(*QUICK, *ENDS, *options, "--variant=TcpNewReno", "--pcap=all", "--segment_size=1000")
    sent = numbers(cell.folder / "sender0.pcap", "tcp.dstport == 5000", "tcp.len", "ip.len")
    assert last(cell, "sent_bytes") == sum(payload for payload, _ in sent) >= 300_000
    assert last(cell, "ip_sent_bytes") == sum(size for _, size in sent)
    assert last(cell, "sent_packets") == len(sent)


@pytest.mark.tshark
def test_each_row_of_sent_packets_is_the_total_until_then(run):
    cell = run(*QUICK, "--variant=TcpCubic", "--loss=0.01", "--pcap=all")
    sent = tshark.fields(cell.folder / "sender0.pcap", "frame.time_epoch", "tcp.len", where="tcp.dstport == 5000")
    packets = [(float(time), int(size)) for time, size in sent]
    rows = cell.trace("sent_bytes")
    assert len(rows) > 150
    for time, value in rows:
        # From IP to the sender's link a packet waits for those before it: a window on 1 Gbit/s, below a millisecond.
        least, most = (sum(size for sent, size in packets if sent <= until) for until in (time, time + 1e-3))
        assert least <= value <= most
        assert round(time * 10) == pytest.approx(time * 10, abs=1e-9)


def test_sent_packets_are_recorded_when_a_flow_leaves_or_ends(run):
    cell = run(*QUICK, "--flows=2", "--bytes=0,100000", "--stop=7.03s,0s", "--variant=TcpNewReno")
    for name in ("sent_bytes", "ip_sent_bytes", "sent_packets"):
        assert cell.trace(name, 0)[-1][0] == 7.03
    finish = cell.record["flows"][1]["finish_s"]
    repeats = max((value for _, value in cell.trace("retransmitted_bytes", 1)), default=0)
    assert [value for time, value in cell.trace("sent_bytes", 1) if time <= finish][-1] == 100_000 + repeats


def test_a_timeout_is_counted_each_time_the_timer_runs_out(run):
    # All data is lost from 5 s on, because the bottleneck's rate falls so low that nothing arrives any more.
    cell = run(*QUICK, "--step_time=5s", "--step_bandwidth=1bps", "--variant=TcpNewReno", "--duration=40s")
    times = [time for time, _ in cell.trace("timeouts") if time > 5]
    # The minimum is 1 s, and each one is twice the one before (RFC 6298, 5.5).
    gaps = [b - a for a, b in itertools.pairwise(times)]
    assert gaps[:3] == pytest.approx([gaps[0], 2 * gaps[0], 4 * gaps[0]], rel=0.02)
    assert last(cell, "timeouts") == len(cell.trace("timeouts"))


def test_small_buffers_limit_the_sender_and_large_ones_do_not(run):
    large = run(*QUICK, "--variant=TcpNewReno", name="large")
    for cause in ("receiver", "application", "send_buffer"):
        assert last(large, f"{cause}_limited_s") < 0.2
    # Eight segments in a round trip of 24 ms: 8 * 1448 B * 8 / 24 ms = 3.9 Mbit/s of 20.
    cell = run(*QUICK, "--bandwidth=20Mbps", "--socket_buffer=11584", "--variant=TcpNewReno")
    (flow,) = cell.record["flows"]
    # Both buffers have this size. Everything in the send buffer was sent, so Linux, too, names the send buffer.
    assert last(cell, "send_buffer_limited_s") > 0.9 * (20 - flow["start_s"])


def test_a_long_limit_counts_while_it_lasts(run):
    # From 5.03 s on, no segment and no ACK arrives, so nothing changes until the timer expires a second later.
    cell = run(*QUICK, "--socket_buffer=11584", "--step_time=5.03s", "--step_bandwidth=1bps", "--variant=TcpNewReno")
    rows = [(time, value) for time, value in cell.trace("send_buffer_limited_s") if 5.2 < time < 5.85]
    assert [time for time, _ in rows] == pytest.approx([5.3, 5.4, 5.5, 5.6, 5.7, 5.8])
    assert [b - a for (_, a), (_, b) in itertools.pairwise(rows)] == pytest.approx(5 * [0.1])


def test_a_flow_that_has_sent_all_is_limited_by_its_application(run):
    # The last window of a limited flow waits for its acknowledgments with no data after it.
    cell = run(*QUICK, "--bytes=20000", "--variant=TcpNewReno", "--delay=100ms")
    (flow,) = cell.record["flows"]
    assert 0.1 < last(cell, "application_limited_s") <= flow["finish_s"] - flow["start_s"] + 0.3
    assert last(cell, "receiver_limited_s") == 0


def test_a_full_send_buffer_limits_the_flow_and_not_the_application(run):
    """400 kB cover a third of 100 Mbit/s × 204 ms, and the application always has more data."""
    cell = run("--bandwidth=100Mbps", "--delay=100ms", "--socket_buffer=400kB", "--flows=1", "--duration=10s")
    (flow,) = cell.record["flows"]
    limited_s = cell.trace("send_buffer_limited_s")[-1][1]
    # Not in the handshake, nor in the slow start, which takes some 6 round trips.
    assert 10 - flow["start_s"] - 10 * 0.204 < limited_s < 10 - flow["start_s"]
    assert not cell.trace("application_limited_s") or cell.trace("application_limited_s")[-1][1] < 0.01
