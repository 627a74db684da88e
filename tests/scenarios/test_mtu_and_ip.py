# SPDX-License-Identifier: MIT
"""Packets of up to 9000 bytes, and IPv6, in real ns-3: closed formulas, the audit, tshark."""

import itertools
import json

import polars as pl
import pytest

from tcpsweep.core.sweep import base_network
from tcpsweep.core.sweepfile.network import network_views
from tests.scenarios.test_described_networks import NETWORKS
from tests.support import tshark
from tests.support.cell import audited
from tests.support.networks import described_options, read
from tests.support.printed import refusal

RATE, DELAY = 10e6, 0.02
QUICK = ("--bandwidth=10Mbps", "--delay=20ms", "--duration=8s", "--start_jitter=0s", "--variant=TcpCubic")
IP_BYTES = {4: 20, 6: 40}
TCP_BYTES, PPP_BYTES = 32, 2  # TCP's header with its timestamps; PPP's
# The flow leaves slow start with more than a bandwidth-delay product in flight, and never has less.
FILLED = ("--queue=2bdp", "--ns3::TcpSocket::InitialSlowStartThreshold=90000")
IDLE = {"chain": ("--packet_jitter=0",), "single-link": (), "dumbbell": ("--flows=1", "--packet_jitter=0")}
BOTH = list(itertools.product([1500, 9000], [4, 6]))


def options(mtu, ip):
    """The arguments of a scenario, as a sweep file would give them."""
    return f"--mtu={mtu}", f"--ip={ip}", f"--segment_size={mtu - IP_BYTES[ip] - TCP_BYTES}"


@pytest.mark.parametrize(("mtu", "ip"), BOTH)
@pytest.mark.parametrize("scenario", IDLE)
def test_one_flow_gets_the_payloads_share_of_an_idle_link(program, simulated, tmp_path, scenario, mtu, ip):
    """Goodput is rate × payload / frame; each frame has the MTU and PPP's header."""
    cell = simulated(
        program(scenario), *QUICK, *FILLED, *IDLE[scenario], *options(mtu, ip), "--pcap=all", "--ascii=true"
    )
    payload, frame = mtu - IP_BYTES[ip] - TCP_BYTES, mtu + PPP_BYTES
    derived, (flow,) = cell.record["derived"], cell.record["flows"]
    assert (derived["ip_header_bytes"], derived["wire_packet_bytes"]) == (IP_BYTES[ip], frame)
    assert flow["segment_bytes"] == payload
    assert (":" in flow["source"]) == (ip == 6)
    sent = [row for row in cell.queue("t") if row["time"] > 3]
    assert {row["bytes"] for row in sent} == {frame}
    gaps = {round((later["time"] - row["time"]) * 1e9) for row, later in itertools.pairwise(sent)}
    assert gaps == {round(8 * frame / RATE * 1e9)}
    arrived = [(time, value) for time, value in cell.trace("received_bytes", 0) if time > 3]
    (first_s, before), (last_s, after) = arrived[0], arrived[-1]
    assert 8 * (after - before) / float(last_s - first_s) == pytest.approx(RATE * payload / frame, rel=1e-6)
    monitor = cell.flow_monitor()[0]
    full, short = divmod(int(monitor.get("rxBytes")), mtu)
    assert full <= int(monitor.get("rxPackets")) <= full + 3  # the handshake's are shorter
    assert short < 3 * (IP_BYTES[ip] + 60)
    # A buffer of two BDPs is a whole number of such frames.
    links = 1 if scenario == "single-link" else 2 if scenario == "chain" else 3
    bdp_bytes = RATE / 8 * 2 * (DELAY + (links - 1) * 1e-3)
    assert cell.way()["queue_packets"] == int(2 * bdp_bytes / frame + 0.5)
    assert max(row["delay"] for row in cell.queue("t")) <= (cell.way()["queue_packets"] + 1) * 8 * frame / RATE + 1e-8
    _, packets, checks = audited(cell, tmp_path / "parsed")
    assert checks.filter(~pl.col("agrees")).to_dicts() == []
    assert {"captured_received_bytes", "captured_packets", "ip_bytes", "queueing_delay_s"} <= set(checks["check"])
    data = packets.filter(interface="bottleneck-left", direction="data").collect()
    assert (data["wire_bytes"].max(), data["ip_bytes"].max(), data["payload_bytes"].max()) == (frame, mtu, payload)
    events = pl.read_parquet(tmp_path / "parsed" / "events.parquet")
    assert events["ip_bytes"].max() == mtu
    assert set(events["source"].cast(pl.String).str.contains(":")) == {ip == 6}


@pytest.mark.parametrize(("mtu", "ip"), BOTH)
@pytest.mark.parametrize("name", [name for name in NETWORKS if name != "a trace"])
@pytest.mark.long
def test_all_links_of_a_network_agree_in_all_checks(described, tmp_path, name, mtu, ip):
    given = NETWORKS[name]
    links = {link: {"mtu": mtu} | fields for link, fields in given["links"].items()}
    more = (*given.get("more", []), "--duration=4s", "--start_jitter=100ms", *options(mtu, ip)[1:])
    cell = described(links, given["flows"], *more, traffic=given.get("traffic"))
    _, _, checks = audited(cell, tmp_path / "parsed")
    assert checks.filter(~pl.col("agrees")).to_dicts() == []
    assert cell.record["derived"]["wire_packet_bytes"] == mtu + PPP_BYTES


def test_a_hash_chooses_the_same_paths_with_both_ips(described):
    given = NETWORKS["ways of equal length"]
    more = ("--ecmp=true", "--duration=2s", "--segment_size=1000")
    cells = [described(given["links"], given["flows"], *more, f"--ip={ip}", name=f"{ip}") for ip in (4, 6)]
    paths = [[[step["link"] for step in flow["path"]] for flow in cell.record["flows"]] for cell in cells]
    assert paths[0] == paths[1]
    assert len({str(path) for path in paths[0]}) > 4


JUMBO_THEN_NARROW = {
    "lan": {"between": "a,r", "mtu": 9000, "bandwidth": "10Mbps", "delay": "20ms"},
    "wan": {"between": "r,b", "mtu": 1500, "bandwidth": "5Mbps", "delay": "20ms"},
    "other": {"between": "r,c", "mtu": 4000, "bandwidth": "10Mbps", "delay": "20ms"},
    "unused": {"between": "c,d", "mtu": 2000, "bandwidth": "10Mbps", "delay": "20ms"},
}
FLOWS = {"far": {"from": "a", "to": "b"}, "near": {"from": "a", "to": "c"}}


@pytest.mark.parametrize("ip", [4, 6])
def test_the_smallest_mtu_of_a_path_decides_its_segments_and_queues(described, tmp_path, ip):
    traffic = {"short": {"kind": "arrivals", "from": "c", "to": "b", "rate": "5", "sizes": "constant:20000"}}
    headers = IP_BYTES[ip] + TCP_BYTES
    more = (f"--ip={ip}", f"--segment_size={4000 - headers}", "--duration=8s", "--start_jitter=0s")
    cell = described(JUMBO_THEN_NARROW, FLOWS, *more, traffic=traffic)
    assert [flow["segment_bytes"] for flow in cell.record["flows"]] == [1500 - headers, 4000 - headers]
    mtu_over = {"lan": 4000, "wan": 1500, "other": 4000}
    crossed = [link for link in cell.record["links"] if link["forward"] or link["reverse"]]
    assert [link["link"] for link in crossed] == ["lan", "wan", "other"]
    for link in crossed:
        name, frame = link["link"], mtu_over[link["link"]] + PPP_BYTES
        directions = [direction for direction in ("forward", "reverse") if link[direction]]
        rows = [row for direction in directions for row in cell.queue(link=name, direction=direction)]
        assert max(row["bytes"] for row in rows) == frame, name
        assert {link[direction]["queue_packets"] for direction in directions} == {int(link["bdp_bytes"] / frame + 0.5)}
    _, _, checks = audited(cell, tmp_path / "parsed")
    assert checks.filter(~pl.col("agrees")).to_dicts() == []


@pytest.mark.tshark
@pytest.mark.parametrize(("mtu", "ip"), [(9000, 4), (1500, 6), (9000, 6)])
def test_tshark_reads_the_captures_alike(run, mtu, ip):
    disc = ("--ecn=true", "--queue_disc=FqCoDelQueueDisc")
    cell = run(*QUICK, "--duration=3s", *disc, *options(mtu, ip), "--pcap=bottleneck")
    path = cell.folder / "bottleneck-left.pcap"
    rows, summary = tshark.compare(path)
    assert summary.rows == len(rows) > 500
    assert max(row["ip_bytes"] for row in rows) == mtu
    frames = tshark.fields(path, "frame.len", "ipv6.plen" if ip == 6 else "ip.len", "tcp.len")
    length = mtu - (40 if ip == 6 else 0)
    assert [str(mtu + PPP_BYTES), str(length), str(mtu - IP_BYTES[ip] - TCP_BYTES)] in frames
    sent = [row["bytes"] for row in cell.queue("t")]
    assert [int(frame[0]) for frame in frames if int(frame[2]) > 0] == [size for size in sent if size > 200]


def test_a_packet_of_9000_bytes_takes_six_opportunities_of_a_trace(described, tmp_path):
    trace = tmp_path / "steady.trace"
    trace.write_text("10\n")  # 1500 bytes each 10 ms: 1.2 Mbit/s
    links = {"radio": {"between": "a,b", "mtu": 9000, "trace": trace, "queue": "10p"}}
    window = ("--ns3::TcpSocket::InitialCwnd=2", "--ns3::TcpSocket::InitialSlowStartThreshold=45000")
    more = (*window, "--segment_size=8948", "--duration=5s", "--start_jitter=0s")
    cell = described(links, {"one": FLOWS["far"]}, *more)
    sent = [row["time"] for row in cell.queue("t") if row["bytes"] == 9002 and row["time"] > 2]
    assert {round((later - time) * 1e3) for time, later in itertools.pairwise(sent)} == {60}


REFUSED = """\
--mtu=575: --mtu: expected a whole number from 576 to 9000, got '575'
--mtu=9001: --mtu: expected a whole number from 576 to 9000, got '9001'
--ip=5: --ip: expected 4 or 6, got '5'
--ip=6 --mtu=1279 --segment_size=500: --mtu: IPv6 needs links that carry 1280 bytes or more; got 1279
--ip=6: --segment_size: expected at most 1428 bytes, so that no packet is larger than the link's MTU of 1500, got '1448'
--mtu=9000 --segment_size=8949: --segment_size: expected at most 8948 bytes
--mtu=9000 --cbr_flows=1 --cbr_packet_size=8973: --cbr_packet_size: expected a whole number from 1 to 8972
--mtu=1000 --segment_size=900 --cbr_flows=1: --cbr_packet_size: expected a whole number from 1 to 972
--ip=6 --segment_size=1428 --stack=linux: --ip: Linux' hosts have IPv4 only; got 6
--ns3::PointToPointNetDevice::Mtu=9000: ns3::PointToPointNetDevice::Mtu
"""


@pytest.mark.parametrize("line", REFUSED.splitlines())
def test_packets_that_do_not_fit_are_refused(refused, line):
    arguments, _, told = line.partition(": ")
    assert told in refused(*arguments.split())


def test_the_links_of_a_network_are_named(program):
    things = described_options(links=JUMBO_THEN_NARROW | {"lan": {"between": "a,r", "mtu": 1000}}, flows=FLOWS)
    assert "--links.lan.mtu: IPv6 needs links that carry 1280 bytes" in refusal(program("network"), *things, "--ip=6")


def test_codel_keeps_a_packet_of_the_links_size(run, dumbbell):
    """As in Linux, where it drops nothing while at most a packet of the device's MTU waits."""
    disc = ("--queue_disc=CoDelQueueDisc", "--duration=1s", "--flows=1")
    assert run(*disc).record["settings"]["ns3::CoDelQueueDisc::MinBytes"] == "1500"
    wide = run(*disc, *options(9000, 4), name="wide").record["settings"]
    assert wide["ns3::CoDelQueueDisc::MinBytes"] == "9000"
    own = run(*disc, *options(9000, 4), "--ns3::CoDelQueueDisc::MinBytes=100", name="own").record["settings"]
    assert own["ns3::CoDelQueueDisc::MinBytes"] == "100"
    fair = run("--queue_disc=FqCoDelQueueDisc", "--duration=1s", "--flows=1", *options(9000, 4), name="fair").record
    assert fair["settings"]["ns3::FqCoDelQueueDisc::DropBatchSize"] == "64"


@pytest.mark.parametrize("ip", [4, 6])
def test_python_plans_the_segments_and_queues_that_ns3_has(described, ip):
    links = {name: link | {"between": link["between"].split(",")} for name, link in JUMBO_THEN_NARROW.items()}
    network = json.dumps({"links": links, "flows": FLOWS})
    (row,) = read(f"sweep: s\nscenario: network\nfixed: {{ip: {ip}}}\nnetwork: {network}\n").combinations
    assert row["segment_size"] == 4000 - IP_BYTES[ip] - TCP_BYTES
    cell = described(JUMBO_THEN_NARROW, FLOWS, f"--ip={ip}", f"--segment_size={row['segment_size']}", "--duration=1s")
    network = network_views.network_of(row)
    for number, link in enumerate(network.links):
        topology = network_views.topology_of(row, number, network)
        planned = base_network.in_queue(network_views.link_as_bottleneck(row, link, True), "1bdp", topology)
        (record,) = (each for each in cell.record["links"] if each["link"] == link.name)
        if record["forward"]:
            assert planned == (record["forward"]["queue_packets"], "p"), link.name
