# SPDX-License-Identifier: MIT
"""Captures at the stations of wireless scenarios, compared with FlowMonitor and the cell without captures."""

import json
import struct

import polars as pl
import pytest

from tcpsweep.core.run import cell_costs
from tests.support import packet_files as files
from tests.support.cell import audited, estimated

# Flows start when stations have joined, 0.12 s on: before that, nothing goes on the air.
NETWORK = ("--start=200ms", "--stations=3", "--flows=4", "--bandwidth=10Mbps", "--delay=2ms")
NETWORK += ("--segment_size=1024", "--duration=3s")
LOW_RATE = ("--stations=3", "--flows=4", "--bandwidth=1Mbps", "--delay=1ms", "--start=1s", "--duration=30s")
# One without aggregation and one with it.
STANDARDS = {
    "802.11a": ("--standard=802.11a", "--rate_control=AarfWifiManager"),
    "802.11ac": ("--standard=802.11ac", "--rate_control=IdealWifiManager"),
}
HEADERS_BYTES = 20 + (24 + 6 + 2 + 4) + 8 + 60 + 60


@pytest.fixture
def run(program, simulated):
    """Run a cell of the Wi-Fi dumbbell by hand."""
    return lambda *arguments, name=None: simulated(program("wifi-dumbbell"), *NETWORK, *arguments, name=name)


@pytest.mark.long
def test_captures_change_nothing_of_what_is_simulated(run):
    plain, captured = run(name="plain"), run("--pcap=all", name="captured")
    for name in ("traces.columns", "queue.columns", "flow.xml"):
        assert (plain.folder / name).read_bytes() == (captured.folder / name).read_bytes(), name
    assert plain.record["events"] == captured.record["events"]
    (bottleneck,) = run("--pcap=bottleneck").record["captures"]
    assert bottleneck["interface"] == "bottleneck-left"


def at_both_ends(cell, flows, packets):
    """Each flow, with its packets of data at its source and at its destination."""
    for flow, record in zip(flows.iter_rows(named=True), cell.record["flows"], strict=True):
        data = packets.filter(flow=flow["flow"], direction="data")
        yield flow, *(data.filter(interface=record[f"{end}_interface"]) for end in ("source", "destination"))


def is_complete(cell):
    """Check that every interface has its capture, by its link type."""
    listed = {capture["interface"]: capture["link_type"] for capture in cell.record["captures"]}
    radios = [f"{end}{number}" for end in ("sender", "receiver") for number in range(3)]
    radios += ["left-access-point", "right-access-point"]
    wired = ("bottleneck-left", "bottleneck-right")
    assert listed == dict.fromkeys(wired, files.PPP) | dict.fromkeys(radios, files.RADIOTAP)
    assert {f"{interface}.pcap" for interface in listed} == {path.name for path in cell.folder.glob("*.pcap")}
    assert {flow["source_interface"] for flow in cell.record["flows"]} <= set(listed)


@pytest.mark.parametrize("standard", ["802.11a", pytest.param("802.11ac", marks=pytest.mark.long)])
def test_every_interface_has_its_capture_and_packets_at_stations_are_flowmonitors(run, tmp_path, standard):
    cell = run("--pcap=all", *STANDARDS[standard])
    is_complete(cell)
    parsed, table, checks = audited(cell, tmp_path)
    for flow, sent, got in at_both_ends(cell, parsed.flows, table):
        # A retransmitted frame contains a packet that already exists, with the same IP identification.
        firsts, unique = sent.filter(~pl.col("retry")).collect(), got.unique("ip_id").collect()
        assert (firsts.height, firsts["ip_bytes"].sum()) == (flow["tx_packets"], flow["tx_bytes"])
        assert (unique.height, unique["ip_bytes"].sum()) == (flow["rx_packets"], flow["rx_bytes"])
    assert table.select(pl.col("retry").sum()).collect().item() > 0
    assert checks["agrees"].all()
    found = {capture["interface"]: capture for capture in json.loads((tmp_path / "run.json").read_text())["captures"]}
    assert found["sender0"]["cut"] == 0
    assert struct.unpack_from("<I", (cell.folder / "sender0.pcap").read_bytes(), 16) == (HEADERS_BYTES,)
    assert {"802.11 beacon", "802.11 acknowledgment", "ARP"} <= found["sender0"]["others"].keys()


@pytest.mark.long
def test_packets_in_a_mesh_are_between_flowmonitors(program, simulated, tmp_path):
    cell = simulated(program("lrwpan-dumbbell"), *LOW_RATE, "--pcap=all")
    links = {capture["interface"]: capture["link_type"] for capture in cell.record["captures"]}
    assert set(links.values()) == {files.PPP, files.LR_WPAN}
    assert [name for name in links if links[name] == files.PPP] == ["bottleneck-left", "bottleneck-right"]
    parsed, table, checks = audited(cell, tmp_path)
    same = ["seq", "ack", "flags", "tsval", "tsecr", "ip_bytes"]
    for flow, *ends in at_both_ends(cell, parsed.flows, table):
        sent, got = (end.unique(same).collect() for end in ends)
        # What leaves IP need not get through the radio, and a packet whose first fragment arrives not to IP.
        assert 0 < sent.height <= flow["tx_packets"]
        assert got.height >= flow["rx_packets"] > 0
        payload = got.filter(pl.col("payload_bytes") > 0).unique("seq")["payload_bytes"].sum()
        assert payload >= flow["received_bytes"]
    assert checks["agrees"].all()


@pytest.mark.long
@pytest.mark.parametrize("snaplen", ["headers", "full"])
def test_captures_cost_what_they_write(run, snaplen):
    given = {"stations": 10, "flows": 10, "bandwidth": "1Mbps", "segment_size": 1024, "duration": "25s"}
    cell = run("--pcap=all", f"--snaplen={snaplen}", *(f"--{name}={value}" for name, value in given.items()))
    expected = estimated("wifi-dumbbell", given | {"delay": "2ms"}, f"{{pcap: all, snaplen: {snaplen}}}")
    assert 0.5 < expected.raw_bytes / cell_costs.folder_bytes(cell.folder) < 2
