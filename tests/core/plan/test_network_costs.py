# SPDX-License-Identifier: MIT
"""The expected load of custom topologies, compared with formulas and real ns-3 runs."""

import pytest

from tcpsweep.core.plan import expected_costs, input_means, packet_counts
from tcpsweep.core.sweep.sweep_parts import InputFile
from tests.support.networks import commands, read
from tests.support.tools import ROOT

TRACE = ROOT / "config" / "traces" / "cellular.trace"
HOSTS = "hosts: {between: ['h{i}', x], count: 4, bandwidth: 100Mbps, delay: 1ms, queue: 100p}"
MID = "mid: {between: [x, y], bandwidth: 10Mbps, delay: 5ms, queue: 100p}"
NEAR = "near: {between: [s, x], bandwidth: 20Mbps, delay: 2ms}"
RADIO = f"radio: {{between: [x, y], bandwidth: 100Mbps, delay: 20ms, queue: 100p, trace: {TRACE}}}"
TO_Y, FROM_Y = "from: 'h{i}', to: y, hosts: 4", "from: y, to: 'h{i}', hosts: 4"
PAGE = "main: 'constant:20kB', object: 'constant:20kB', objects: 5"
OF_TRAFFIC = {
    "small flows": f"kind: arrivals, {TO_Y}, rate: 200, sizes: 'constant:4kB'",
    "a load": f"kind: arrivals, {TO_Y}, load: 0.5, link: mid, sizes: 'exponential:10kB'",
    "incast": f"kind: incast, {TO_Y}, bytes: 32kB",
    "videos": f"kind: video, {FROM_Y}, bitrates: [1Mbps, 3Mbps]",
    "calls": f"kind: realtime, {TO_Y}",
    "bursts": f"kind: on-off, {TO_Y}, rate: 1Mbps",
    "pages": f"kind: web, {FROM_Y}, think: 'constant:200ms', {PAGE}",
}
NETWORKS = {
    "flows over two links": ([NEAR, MID], ["f: {from: s, to: y, count: 2}"], []),
    "a trace": ([RADIO], ["f: {from: x, to: y}"], []),
    **{name: ([HOSTS, MID], [], [f"t: {{{said}}}"]) for name, said in OF_TRAFFIC.items()},
}


def text(links, flows, traffic, duration="10s"):
    parts = {"links": links, "flows": flows, "traffic": traffic}
    lines = [f"  {kind}:\n" + "".join(f"    {each}\n" for each in said) for kind, said in parts.items() if said]
    fixed = f"fixed: {{variant: cubic, duration: {duration}, warmup: 0s, start_jitter: 0s}}\nruns: [1]\n"
    return "sweep: s\nscenario: network\nnetwork:\n" + "".join(lines) + fixed


@pytest.mark.parametrize("name", NETWORKS)
def test_packets_are_those_that_links_carried(program, simulated, name):
    sweep = read(text(*NETWORKS[name]))
    (command,) = commands(sweep)
    cell = simulated(program("network"), *command.arguments)
    ways = [link[direction] for link in cell.record["links"] for direction in ("forward", "reverse")]
    carried = sum(way["sent_packets"] for way in ways if way)
    # For flows, ns-3 traces only the direction of their data; for traffic, both, with an ACK for two packets.
    acks = 0 if name == "calls" or not NETWORKS[name][2] else 0.5
    expected = packet_counts.load(sweep.combinations[0], inputs=sweep.inputs)
    assert 1 / 1.5 < (1 + acks) * expected.crossings / carried < 1.5
    _, cost = expected_costs.estimate(sweep.combinations[0], sweep.capture, sweep.inputs)
    assert cost.memory > cell.record["peak_rss_bytes"]


def test_a_link_with_a_trace_has_the_mean_of_its_opportunities(tmp_path):
    file = InputFile(str(tmp_path / "t"), "c")
    (tmp_path / "t").write_text("".join(f"{time}\n" for time in (100, 100, 400, 1000)))
    assert input_means.trace_bps(file, 1.0) == 4 * 12000
    # In half of the second that comes after, three of four.
    assert input_means.trace_bps(file, 1.5) == pytest.approx(7 * 12000 / 1.5)


def test_sizes_have_the_mean_of_their_distribution(tmp_path):
    file = InputFile(str(tmp_path / "t"), "c")
    (tmp_path / "t").write_text("1000 0\n3000 50\n7000 100\n")
    assert input_means.size_bytes("t", {"t": file}) == 0.5 * 2000 + 0.5 * 5000
    assert input_means.size_bytes("exponential:20000", {}) == 20000


def test_flows_are_limited_by_time_applications_and_losses():
    def packets(flow, link=MID):
        return packet_counts.load(read(text([link], [flow], [])).combinations[0]).packets

    full = 10e6 / 8 / 1502
    assert packets("f: {from: x, to: y}") == pytest.approx(10 * full)
    assert packets("f: {from: x, to: y, start: 2s, stop: 6s}") == pytest.approx(4 * full)
    assert packets("f: {from: x, to: y, start: 2s, stop: 60s}") == pytest.approx(8 * full)
    assert packets("f: {from: x, to: y, packet_rate: 50}") == 500
    assert packets("f: {from: x, to: y, bytes: 144800}") == 100
    # Mathis: √(3 / 2p) segments in each round trip of 10 ms, and ten losses before.
    lossy = packets("f: {from: x, to: y}", MID.replace("queue: 100p", "loss: 0.04"))
    assert lossy == pytest.approx(1000 * 37.5**0.5 + 250)


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("arrivals", "rate: 10"),
        ("arrivals", "load: 0.1, link: mid"),
        *((kind, "start: 1s") for kind in ("incast", "on-off", "web", "video", "realtime")),
    ],
)
def test_each_kind_of_traffic_has_a_load_by_default(kind, more):
    sweep = read(text([MID], [], [f"t: {{kind: {kind}, from: x, to: y, {more}}}"]))
    load = packet_counts.load(sweep.combinations[0])
    assert 0 < load.packets == load.crossings <= 10 * 10e6 / 8 / 200
