# SPDX-License-Identifier: MIT
"""Several flows on one host, in real ns-3: each has its own congestion control, ports, counts and end."""

import polars as pl
import pytest

from tests.support.cell import audited
from tests.support.printed import refusal

# A link that no flow fills, so that none of them meets another.
WIDE = ("--bandwidth=1Gbps", "--delay=25ms", "--queue=10000p", "--duration=4s", "--start_jitter=0s")
WIDE += ("--ns3::TcpSocket::InitialSlowStartThreshold=14480", "--start_stagger=10ms")


@pytest.fixture(params=["4", "6"])
def ip(request):
    return request.param


@pytest.fixture
def run(variant_program, simulated, ip):
    """Run a cell whose flows all begin at one host and end at another."""
    command = (variant_program("shared-hosts"), f"--ip={ip}", "--segment_size=1000")
    return lambda *arguments, name=None: simulated(*command, *arguments, name=name)


def test_each_flow_has_its_own_congestion_control(run):
    together = run(*WIDE, "--flows=4", "--variant=TcpNewReno+TcpIllinois", name="together")
    assert [flow["variant"] for flow in together.record["flows"]] == ["TcpNewReno", "TcpIllinois"] * 2
    assert together.record["settings"]["ns3::TcpL4Protocol::SocketType"] == "ns3::TcpIllinois+ns3::TcpNewReno"
    reached = {
        variant: run(*WIDE, "--flows=1", f"--variant={variant}", name=variant).trace("cwnd_bytes", 0)[-1][1]
        for variant in ("TcpNewReno", "TcpIllinois")
    }
    assert reached["TcpIllinois"] > 2 * reached["TcpNewReno"]
    for flow in together.record["flows"]:
        alone = reached[flow["variant"]]
        assert together.trace("cwnd_bytes", flow["flow"])[-1][1] == pytest.approx(alone, rel=0.05)


def test_each_receiver_echoes_marks_as_its_flow_wants(run, tmp_path):
    # DCTCP's receiver tells of each marked packet by itself (RFC 8257, 3.2), NewReno's of each until the sender says
    # that it has answered, a round trip of acknowledgments later (RFC 3168, 6.1.3). Marks here come one by one.
    red = {"MinTh": 2, "MaxTh": 390, "LInterm": 20, "QW": 1, "UseHardDrop": "false"}
    cell = run(
        *("--bandwidth=10Mbps", "--delay=25ms", "--queue=400p", "--duration=10s", "--start_jitter=0s", "--pcap=all"),
        *("--flows=2", "--variant=TcpDctcp+TcpNewReno", "--ecn=true", "--queue_disc=RedQueueDisc"),
        *(f"--ns3::RedQueueDisc::{name}={value}" for name, value in red.items()),
    )
    _, packets, _ = audited(cell, tmp_path / "parsed")
    at_receiver = packets.filter(interface="bottleneck-right").collect()
    echoes = pl.col("flags").and_(64) > 0
    for flow, least, most in ((0, 0.5, 2), (1, 5, 100)):
        own = at_receiver.filter(pl.col("flow") == flow)
        marked = own.filter(pl.col("direction") == "data", pl.col("ecn") == 3).height
        echoed = own.filter(pl.col("direction") == "ack", echoes, pl.col("flags").and_(2) == 0).height
        assert marked >= 5
        assert least < echoed / marked < most


def test_flows_between_the_same_hosts_are_told_apart(run, tmp_path):
    cell = run(
        *("--bandwidth=5Mbps", "--delay=10ms", "--queue=30p", "--duration=6s", "--start_jitter=500ms", "--pcap=all"),
        *("--flows=3", "--reverse_flows=2", "--variant=TcpNewReno+TcpCubic", "--loss=1e-3"),
        *("--cbr_flows=1", "--cbr_rate=100kbps"),
    )
    flows = cell.record["flows"]
    assert [flow["destination_port"] for flow in flows] == [5000, 5001, 5002, 5000, 5001]
    assert [flow["source_port"] for flow in flows] == [49153, 49154, 49155, 49153, 49154]
    parsed, _, checks = audited(cell, tmp_path / "parsed")
    assert checks.filter(~pl.col("agrees")).to_dicts() == []
    assert {"captured_received_bytes", "delivered_packets", "captured_sink_bytes"} <= set(checks["check"])
    assert parsed.flows["tx_packets"].to_list() == [int(monitor.get("txPackets")) for monitor in cell.flow_monitor()]
    assert parsed.flows["ack_rx_packets"].min() > 100


@pytest.mark.parametrize("cbr", [0, 1])
def test_a_flow_leaves_and_the_others_of_its_host_stay(run, cbr):
    others = (*WIDE, "--flows=3", "--reverse_flows=1", "--variant=TcpNewReno", f"--cbr_flows={cbr}")
    staying, leaving = run(*others, name="stay"), run(*others, "--stop=0s,2s,0s,0s", name="leave")
    assert leaving.record["flows"][1]["stop_s"] == 2
    # The link is wide enough for the longest queue to be gone by then.
    assert max(row["time"] for row in leaving.queue("t") if row["flow"] == 1) < 2.01
    assert max(row["time"] for row in staying.queue("t") if row["flow"] == 1) > 3.9
    for flow in (0, 2, 3):
        ends = [cell.record["flows"][flow]["received_bytes"] for cell in (staying, leaving)]
        assert ends[1] == pytest.approx(ends[0], rel=0.01)
    if cbr:
        assert leaving.record["cbr_flows"] == staying.record["cbr_flows"]


def test_headers_are_those_of_its_ip(run, variant_program, ip):
    ip_header = {"4": 20, "6": 40}[ip]
    cell = run(*WIDE, "--flows=1", "--bytes=50000", "--traces=ip_sent_bytes,owd_s")
    derived = cell.record["derived"]
    # TCP's 20 B and its timestamps' 12 B, PPP's 2 B.
    assert derived["ip_header_bytes"] == ip_header
    assert derived["wire_packet_bytes"] == 1000 + ip_header + 32 + 2
    assert {row["bytes"] for row in cell.queue("t") if row["bytes"] > 200} == {derived["wire_packet_bytes"]}
    assert max(delay for _, delay in cell.trace("owd_s")) >= 0.025 + derived["wire_packet_bytes"] * 8e-9
    largest = 1500 - ip_header - 32
    told = refusal(variant_program("shared-hosts"), f"--ip={ip}", f"--segment_size={largest + 1}")
    assert f"at most {largest} bytes" in told
