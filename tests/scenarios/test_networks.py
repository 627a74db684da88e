# SPDX-License-Identifier: MIT
"""The dumbbell's other networks in real ns-3, against closed formulas."""

import itertools
import math

import pytest

QUICK = ("--bandwidth=2Mbps", "--delay=10ms", "--duration=10s", "--start_jitter=100ms", "--queue=30p")
FULL = 1448 + 52 + 2


def rate(rows, start, end):
    """Bit/s of the queue trace's rows between two times."""
    return sum(row["bytes"] for row in rows if start < row["time"] <= end) * 8 / (end - start)


@pytest.mark.parametrize("disc", ["FqCoDelQueueDisc", "CoDelQueueDisc", "RedQueueDisc"])
def test_ecn_marks_where_the_disc_would_drop(run, disc):
    arguments = (*QUICK, f"--queue_disc={disc}", "--queue=200p", "--duration=20s", "--variant=TcpNewReno")
    without = run(*arguments, name="without")
    marking = run(*arguments, "--ecn=true", name="with")
    assert without.way()["mark_packets"] == 0
    assert marking.way()["mark_packets"] == len(marking.queue("m")) > 5
    assert marking.way()["drop_packets"] < without.way()["drop_packets"]
    assert marking.record["settings"]["ns3::TcpSocketBase::UseEcn"] == "On"
    # A mark lowers the window without a loss: state 2 is CWR.
    assert 2 in {state for _, state in marking.trace("congestion_state")}


def test_flows_join_and_leave_at_their_times_and_never_join_too_late(run):
    cell = run(*QUICK, "--start=0s,3s", "--stop=6s,0s", "--start_jitter=0s", "--variant=TcpNewReno")
    first, second = cell.record["flows"]
    assert (first["start_s"], first["stop_s"]) == (0, 6)
    assert (second["start_s"], second["stop_s"]) == (3, None)
    # What waits in the queue of 30 packets, the one in transmission, and the way there.
    last = 6 + 31 * FULL * 8 / 2e6 + 0.01
    assert 5.9 < max(row["time"] for row in cell.queue("t") if row["flow"] == 0) < last
    assert min(row["time"] for row in cell.queue("t") if row["flow"] == 1) > 3
    assert max(time for time, _ in cell.trace("cwnd_bytes", 0)) <= 6
    assert rate([row for row in cell.queue("t") if row["flow"] == 1], 7, 10) > 0.95 * 2e6
    late = ("--stop=1s,0s", "--start_stagger=0s", "--start=500ms", "--start_jitter=5s", "--RngRun=2")
    first, second = run(*QUICK, *late, name="late").record["flows"]
    assert first["start_s"] > 1 and first["received_bytes"] == 0
    assert second["received_bytes"] > 0


def test_reverse_flows_take_the_other_direction(run, measured):
    cell = run(*QUICK, "--reverse_flows=2", "--variant=TcpNewReno+TcpCubic+TcpLinuxReno", "--bytes=0,0,100000,0")
    flows = cell.record["flows"]
    assert [flow["direction"] for flow in flows] == ["forward", "forward", "reverse", "reverse"]
    assert [flow["variant"] for flow in flows] == ["TcpNewReno", "TcpCubic", "TcpLinuxReno", "TcpNewReno"]
    assert all(flow["source"].startswith("10.1.") for flow in flows[:2])
    assert all(flow["source"].startswith("10.2.") for flow in flows[2:])
    assert flows[2]["received_bytes"] == 100_000
    assert flows[3]["received_bytes"] > 500_000
    assert {row["flow"] for row in cell.queue("t")} == {-1, 0, 1}

    parsed, found = measured(cell, 2.0, 10.0)
    assert set(parsed.queues["bottleneck", "reverse"]["flow"]) == {-1, 2, 3}
    assert parsed.flows["direction"].to_list() == [flow["direction"] for flow in flows]
    # Both directions carry more than only the forward one: counted together, they would exceed 1.
    assert 0.5 < found[None, "utilisation"] <= 1.001
    x = [found[flow, "goodput_bps"] for flow in (0, 1)]
    assert found[None, "jain"] == pytest.approx(sum(x) ** 2 / (2 * sum(v * v for v in x)))


def test_cbr_flows_send_at_their_rate_in_their_time(run):
    size, start, stop = 500, 2, 7
    cbr = ("--cbr_flows=2", "--cbr_rate=200kbps", f"--cbr_packet_size={size}", "--cbr_start=2s", "--cbr_stop=7s")
    cell = run(*QUICK, "--flows=1", "--bytes=1000", *cbr)
    # A packet an interval, the first one interval after the start; the second flow is half an interval late.
    interval = size * 8 / 200e3
    for offset, flow in zip((0, interval / 2), cell.record["cbr_flows"], strict=True):
        assert flow["start_s"] == pytest.approx(start + offset, abs=1e-9)
        assert abs(flow["sent_packets"] - (stop - start - offset) / interval) <= 1
        assert flow["received_packets"] == flow["sent_packets"]
    packets = [row for row in cell.queue("t") if row["bytes"] == size + 20 + 8 + 2]
    assert {row["flow"] for row in packets} == {-1}
    assert len(packets) == sum(flow["sent_packets"] for flow in cell.record["cbr_flows"])
    assert start < packets[0]["time"] < packets[-1]["time"] < stop + 0.02
    assert len(cell.record["flows"]) == 1


@pytest.mark.parametrize("burst", [2, 5])
def test_burst_losses_come_in_rows_and_keep_their_probability(run, burst):
    loss = 0.05
    # A source that does not answer to losses, so that the link's packets are independent of them; it ends early
    # enough for its last packets to arrive.
    cbr = ("--cbr_flows=1", "--cbr_rate=1Mbps", "--cbr_packet_size=100", "--cbr_stop=39s", "--packet_jitter=0")
    cell = run(*QUICK, *cbr, "--flows=1", "--bytes=1000", "--duration=40s", f"--loss={loss}", f"--loss_burst={burst}")
    (flow,) = cell.record["cbr_flows"]
    carried, lost = len(cell.queue("t")), len(cell.queue("l"))
    of_cbr = len([row for row in cell.queue("l", "d") if row["flow"] < 0])
    assert flow["sent_packets"] - flow["received_packets"] == of_cbr
    # Losses of one burst occur together: their variance is about the burst's length times independent losses' variance.
    assert abs(lost - carried * loss) < 4 * math.sqrt(carried * loss * burst)
    gap = 100 * 8 / 1e6
    times = [row["time"] for row in cell.queue("l")]
    together = sum(b - a < 1.5 * gap for a, b in itertools.pairwise(times)) / lost
    # A packet after a lost one survives if a burst began B packets before it and none has begun since. With the
    # probability q of a beginning, (1 - q)^B = 1 - loss, so these are q (1 - loss) of all packets.
    begins = 1 - (1 - loss) ** (1 / burst)
    expected = 1 - begins * (1 - loss) / loss
    assert together == pytest.approx(expected, abs=4 * math.sqrt(expected * (1 - expected) / lost))


def test_the_bottleneck_changes_at_the_step(run):
    step = ("--step_time=5s", "--step_bandwidth=1Mbps", "--step_delay=40ms")
    cell = run(*QUICK, *step, "--variant=TcpNewReno", "--flows=1", "--access_delay=1ms")
    assert cell.record["links"][0]["over_time"] == [
        {"from_s": 0, "bandwidth_bps": 2_000_000, "delay_s": 0.01},
        {"from_s": 5, "bandwidth_bps": 1_000_000, "delay_s": 0.04},
    ]
    carried = cell.queue("t")
    least = min(delay for time, delay in cell.trace("owd_s") if time > 5.5)
    assert least >= 0.042 + FULL * 8 / 1e6
    assert min(delay for time, delay in cell.trace("owd_s") if time < 5) < 0.042
    assert rate(carried, 6, 10) == pytest.approx(1e6, rel=0.02)


@pytest.mark.parametrize(
    ("time", "step", "mean"),
    [(6, "bandwidth=1Mbps", (4 * 2e6 + 4 * 1e6) / 8), (1, "bandwidth=1Mbps", 1e6), (6, "delay=30ms", 2e6)],
)
def test_capacity_is_the_mean_over_the_measured_time(run, measured, time, step, mean):
    cell = run(*QUICK, f"--step_time={time}s", f"--step_{step}")
    _, found = measured(cell, 2.0, 10.0)
    part = 2 * FULL * 8 / 8 / mean  # of a packet at an end of the time, a part counts
    assert found[None, "utilisation"] == pytest.approx(rate(cell.queue("t"), 2, 10) / mean, abs=part)
