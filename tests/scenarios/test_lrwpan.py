# SPDX-License-Identifier: MIT
"""Two networks of 802.15.4 with 6LoWPAN in real ns-3: whom a signal reaches by hand, FlowMonitor, the audit."""

import math

import polars as pl
import pytest

from tcpsweep.core.run import cell_costs
from tcpsweep.features.wireless import wireless_map
from tests.support.cell import audited, estimated
from tests.support.networks import mistakes, read

# The published study's network, and a time that lets a connection be tried four times.
STUDY = ("--bandwidth=1Mbps", "--delay=1ms", "--flows=10", "--packet_rate=500", "--start=1s", "--start_jitter=0s")
STUDY += ("--variant=TcpNewReno", "--duration=30s")
STATIONS, COLUMNS = 10, 3
pytestmark = pytest.mark.long


@pytest.fixture
def run(program, simulated):
    return lambda *arguments, name=None: simulated(program("lrwpan-dumbbell"), *arguments, name=name)


def place(number):
    return number % COLUMNS, number // COLUMNS


def reached(first, coverage, radius):
    """The stations of a side that packets get to from its router, in 1 + radius hops of a coverage, both by hand."""
    router, near = first + STATIONS, {first + STATIONS}
    for _ in range(1 + radius):
        side = range(first, first + STATIONS + 1)
        near |= {n for n in side for m in near if math.dist(place(n), place(m)) <= coverage}
    return {number - first for number in near - {router}}


def test_flows_over_two_meshes_carry_data_that_all_count_alike(run, tmp_path):
    small = ("--flows=3", "--stations=3", "--packet_rate=2", "--duration=40s", "--start_jitter=1s")
    cell = run(*small, "--pcap=bottleneck")
    assert all(flow["received_bytes"] > 1000 for flow in cell.record["flows"])
    assert all(flow["start_s"] < flow["established_s"] < 40 for flow in cell.record["flows"])
    assert [flow["source"] for flow in cell.record["flows"]] == [f"fd00:0:0:1::{i}" for i in (2, 3, 4)]
    # 802.15.4 takes at least as long as 250 kbit/s allow for a segment with its headers, twice.
    segment_s = (100 + 12 + 20) * 8 / 250e3
    full = [delay for (_, size), (_, delay) in zip(sizes(cell), cell.trace("owd_s"), strict=True) if size == 172]
    assert min(full) > 2 * segment_s
    parsed, _, checks = audited(cell, tmp_path / "parsed")
    assert checks.filter(~pl.col("agrees")).to_dicts() == []
    assert {"ip_bytes", "owd_sum_s", "delivered_packets", "waiting_bytes"} <= set(checks["check"])
    for flow, monitor in zip(parsed.flows.iter_rows(named=True), cell.flow_monitor(), strict=True):
        assert (flow["tx_packets"], flow["rx_bytes"]) == (int(monitor.get("txPackets")), int(monitor.get("rxBytes")))
    # The bottleneck carries only flows: data towards the receivers, each packet with its flow.
    assert {row["flow"] for row in cell.queue("t")} == {0, 1, 2}


def sizes(cell):
    """The size of each packet that came, over all flows in the order of their arrival."""
    last = {}
    for flow, total in cell.rows("ip_received_bytes"):
        yield flow, int(total) - last.get(flow, 0)
        last[flow] = int(total)


@pytest.mark.parametrize(("coverage", "published"), [(1, 13), (2, 18)])
def test_stations_out_of_reach_carry_nothing(run, tmp_path, coverage, published):
    cell = run(*STUDY, f"--coverage={coverage}", "--duration=62s")
    senders, receivers = reached(0, coverage, 10), reached(STATIONS + 1, coverage, 1)
    expected = {i for i in range(STATIONS) if i in senders and i in receivers}
    found = {flow["flow"] for flow in cell.record["flows"] if flow["established_s"] is not None}
    assert found == expected
    joined = wireless_map.reachable(cell.record)  # as in the report's map
    ends = {flow["flow"]: {flow["source_node"], flow["destination_node"]} for flow in cell.record["flows"]}
    assert {flow for flow, nodes in ends.items() if nodes <= joined} == expected
    # Every sender's IP sends its SYN: the observed flows are these, and the acknowledgments of the answered ones.
    parsed, _, checks = audited(cell, tmp_path / "parsed")
    assert checks.filter(~pl.col("agrees")).to_dicts() == []
    flows = parsed.flows
    assert (flows["tx_packets"] > 0).sum() + (flows["ack_tx_packets"] > 0).sum() == published
    assert set(flows.filter(pl.col("rx_packets") > 0)["flow"]) == expected


def test_a_radius_of_none_reaches_only_neighbours(run):
    cell = run(*STUDY, "--coverage=1", "--mesh_radius_left=0", "--mesh_radius_right=10")
    left = {flow for flow in reached(0, 1, 0) if any(row["flow"] == flow for row in cell.queue("t"))}
    assert {row["flow"] for row in cell.queue("t")} == left == {7, 9}


def test_a_sweep_file_has_its_own_default_and_its_own_largest_segment():
    text = "sweep: s\nscenario: lrwpan-dumbbell\nfixed: "
    assert read(f"{text}{{duration: 60s}}").combinations[0]["segment_size"] == 100
    (told,) = mistakes(f"{text}{{segment_size: 1209}}")
    assert "1209 B and 72 B of headers exceed the MTU of 1280 B; at most 1208 B fit" in told


@pytest.mark.parametrize("stations", [10, 40])
def test_the_estimate_is_near_what_a_cell_takes(run, stations):
    """Within a factor of four: how much of the air TCP uses is a matter of its losses."""
    cell = run(*STUDY, f"--stations={stations}", f"--flows={stations}", "--duration=60s")
    fixed = {"bandwidth": "1Mbps", "delay": "1ms", "packet_rate": 500, "duration": "60s"}
    expected = estimated("lrwpan-dumbbell", fixed | {"flows": stations, "stations": stations})
    assert 1 / 4 < expected.seconds / cell.record["cpu_s"] < 4
    assert 1 / 4 < expected.raw_bytes / cell_costs.folder_bytes(cell.folder) < 4
    assert expected.memory > cell.record["peak_rss_bytes"]


def test_nodes_stand_and_hear_as_they_are_asked_to(run):
    cell = run(*STUDY, "--coverage=2", "--spacing=1.5", "--duration=1s")
    nodes = cell.record["nodes"]
    assert [node["name"] for node in nodes[9:12]] == ["sender 9", "left router", "receiver 0"]
    for number, node in enumerate(nodes):
        x, y = place(number)
        assert (node["x_m"], node["y_m"]) == (1.5 * x, 1.5 * y)
        near = {
            other["node"]
            for other in nodes
            if other is not node and other["side"] == node["side"]
            if math.dist((node["x_m"], node["y_m"]), (other["x_m"], other["y_m"])) <= 2
        }
        assert set(node["hears"]) == near
        assert node["associated_s"] is None
