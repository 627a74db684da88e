# SPDX-License-Identifier: MIT
"""The scenarios other than the dumbbell, in real ns-3: closed formulas, the audit, and published runs."""

import polars as pl
import pytest

from tests.support.cell import audited

QUICK = ("--bandwidth=2Mbps", "--delay=10ms", "--duration=10s", "--start_jitter=0s")
HEADERS, PPP = 52, 2
# As ns-3 was when the studies ran.
OLD = ("--start_jitter=0s", "--socket_buffer=131072", "--ns3::TcpSocket::InitialCwnd=1")
OLD += ("--ns3::TcpL4Protocol::RecoveryType=ns3::TcpClassicRecovery",)


@pytest.fixture
def run(program, simulated):
    """Run a cell of a scenario by hand."""
    return lambda scenario, *arguments: simulated(program(scenario), *arguments)


def transmission_s(payload, rate):
    return (payload + HEADERS + PPP) * 8 / rate


def test_a_chains_packets_take_what_its_links_take(run):
    cell = run("chain", *QUICK, "--access_bandwidth=10Mbps", "--access_delay=30ms", "--packet_jitter=0")
    assert cell.record["derived"]["base_rtt_s"] == [pytest.approx(2 * (0.010 + 0.030))]
    # The SYN, then the answer to its answer, which has no payload and meets empty queues.
    (_, syn_s), (_, acknowledgment_s), *_ = cell.trace("owd_s")
    assert acknowledgment_s == pytest.approx(0.040 + transmission_s(0, 2e6) + transmission_s(0, 10e6), abs=1e-8)
    (flow,) = cell.record["flows"]
    # SYN and SYN-ACK have the same options.
    assert flow["established_s"] == pytest.approx(flow["start_s"] + 2 * syn_s, abs=1e-8)


def test_a_single_links_packets_wait_at_the_sender_alone(run):
    cell = run("single-link", *QUICK, "--queue=10p", "--variant=TcpNewReno")
    assert cell.record["derived"]["base_rtt_s"] == [pytest.approx(0.020)]
    delays = {round(at, 9): delay for at, delay in cell.trace("owd_s")}
    full_s = transmission_s(1448, 2e6)
    assert max(delays.values()) == pytest.approx(0.010 + 11 * full_s, abs=full_s)
    assert max(row["packets"] for row in cell.queue()) == 10
    # What the link carried is what its rate allows, once the window is large enough.
    last = [row for row in cell.queue("t") if row["time"] > 5]
    carried = sum(row["bytes"] for row in last) * 8
    assert carried == pytest.approx(2e6 * (last[-1]["time"] - last[0]["time"]), rel=0.02)


@pytest.mark.parametrize("scenario", ["chain", "single-link"])
def test_the_audit_agrees_with_losses_cbr_flows_and_captures(run, scenario, tmp_path):
    lossy = ("--loss=0.01", "--loss_on=both", "--cbr_flows=2", "--cbr_rate=100kbps", "--pcap=all", "--snaplen=headers")
    cell = run(scenario, *QUICK, *lossy)
    _, _, found = audited(cell, tmp_path / "parsed")
    assert found.filter(~pl.col("agrees")).is_empty()
    assert {"captured_bytes", "captured_received_bytes", "delivered_bytes", "waiting_bytes"} <= set(found["check"])
    assert all(flow["received_packets"] > 100 for flow in cell.record["cbr_flows"])


def test_both_directions_draw_from_one_loss_stream_where_one_is_given(run):
    lossy = ("--loss=0.02", "--loss_on=both")
    own, seven, again, eight = (
        run("single-link", *QUICK, *lossy, f"--loss_stream={stream}").queue("l") for stream in ("own", 7, 7, 8)
    )
    assert seven == again
    assert own != seven != eight


# Goodput in kbit/s of payload, run 1: the result of a plain ns-3.44 program with the study's code.
PLAIN = {
    "default": (4260, "--bandwidth=5Mbps", "--delay=5ms", "--loss=1e-6", "--queue=10p"),
    "fast": (14391, "--bandwidth=50Mbps", "--delay=5ms", "--loss=1e-6", "--queue=10p"),
    "far": (1289, "--bandwidth=5Mbps", "--delay=50ms", "--loss=1e-6", "--queue=10p"),
    "deep-queue": (4497, "--bandwidth=5Mbps", "--delay=5ms", "--loss=1e-6", "--queue=1000p"),
}


@pytest.mark.parametrize("case", PLAIN)
def test_losses_are_those_of_a_program_that_numbers_no_stream(run, case):
    goodput, *network = PLAIN[case]
    fixed = ("--variant=TcpNewReno", "--segment_size=536", "--loss_unit=byte", "--loss_stream=-1", "--duration=10s")
    threshold = "--ns3::TcpSocket::InitialSlowStartThreshold=12000"
    cell = run("single-link", *OLD, *fixed, threshold, *network, "--traces=none", "--queue_trace=false")
    assert cell.record["flows"][0]["received_bytes"] * 8 / 10 / 1000 == pytest.approx(goodput, abs=0.5)


def test_vegas_over_a_chain_comes_to_the_published_segments(run):
    chain = ("--bandwidth=2Mbps", "--delay=45ms", "--access_bandwidth=10Mbps", "--access_delay=45ms")
    buffer = ("--queue_disc=FqCoDelQueueDisc", "--queue=10240p", "--device_queue=100p")
    fixed = ("--variant=TcpVegas", "--segment_size=360", "--packet_jitter=0", "--duration=15s", "--RngRun=0")
    cell = run("chain", *OLD, *chain, *buffer, *fixed)
    assert cell.trace("acked_bytes")[-1][1] == 2131 * 360
