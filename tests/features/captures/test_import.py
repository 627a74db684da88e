# SPDX-License-Identifier: MIT
"""`tcpsweep import`: results from other people's captures, and messages for files that are not captures."""

import gzip
import json
import os
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import tcpsweep
from tcpsweep.__main__ import run as run_command
from tcpsweep.core.frames import finding
from tcpsweep.core.store import digests
from tcpsweep.core.words import table_columns
from tcpsweep.features.captures import (
    captured_connection,
    captured_metrics,
    captured_packets,
    import_metrics,
    imported_files,
    opened_import,
)
from tests.features.captures.imports import FLOW_XML, here, imported, metrics, page  # noqa: F401
from tests.support import packet_files as files
from tests.support import pcapng, tshark
from tests.support.recipes import blocks
from tests.support.told_connection import PACKETS, RECEIVER, TOLD, connection, pcap

EPOCH_S = 1_700_000_000


def refused(*arguments):
    """What is said where an import ends with an error, and that nothing is left of it."""
    with pytest.raises(SystemExit) as error:
        run_command(["import", *map(str, arguments)])
    assert not list(Path().glob("results/imported/*"))
    assert not list(Path().glob("reports/*"))
    assert isinstance(error.value.code, str)
    assert "\n" not in error.value.code
    return error.value.code


@pytest.mark.parametrize("isn", [1000, 2**32 - 15_500], ids=["from 1000", "round the end"])
@pytest.mark.parametrize("begin_s", [0, EPOCH_S], ids=["simulated", "real"])
def test_everything_that_happened_to_a_connection_is_told(isn, begin_s):
    opened = imported(pcap(connection(isn), begin_s=begin_s))
    (flow,) = opened.flows.to_dicts()
    assert {name: flow[name] for name in TOLD} == pytest.approx(TOLD, rel=1e-6)
    length_s = flow["stop_s"] - flow["start_s"]
    assert flow["start_s"] == 0
    assert flow["goodput_bps"] == pytest.approx(8000 * PACKETS / length_s)
    assert flow["throughput_bps"] == pytest.approx(flow["sent_ip_bytes"] * 8 / length_s)
    assert (flow["source"], flow["destination_port"], flow["protocol"]) == ("10.0.0.1", RECEIVER[1], 6)
    first = opened.packets.select("time", "time_s").first().collect().row(0)
    assert first[1] == 0
    assert opened.record["began_ns"] == (begin_s * 10**9 or None)
    assert first[0] is None if not begin_s else first[0].timestamp() == EPOCH_S
    assert set(import_metrics.METRICS) >= set(opened.table("measures").collect()["metric"])
    last = dict(opened.traces.group_by("metric").agg(pl.col("value").last()).collect().iter_rows())
    assert last["acked_bytes"] == last["received_bytes"] == 1000 * PACKETS
    assert last["retransmitted_bytes"] == TOLD["retransmitted_bytes"]
    assert last["sent_bytes"] == TOLD["sent_payload_bytes"]
    held = opened.traces.filter(pl.col("metric") == "in_flight_bytes").collect()["value"]
    assert (held.min(), held.max()) == (0, 4000)


def test_connections_one_after_the_other_with_the_same_ends_are_a_flow():
    flow = metrics(connection(times=3))
    sums = {name: 3 * TOLD[name] for name in TOLD if name.endswith(("_bytes", "_packets", "_acks"))}
    assert {name: flow[name] for name in sums} == sums
    assert flow["rtt_mean_s"] == pytest.approx(0.02)


def test_data_alone_and_acks_alone_are_told(capsys):
    whole = connection()
    data = [each for each in whole if each[1][12:16] == bytes([10, 0, 0, 1])]
    flow = metrics(data)
    assert (flow["received_payload_bytes"], flow["retransmitted_packets"]) == (1000 * PACKETS, 4 - 1)
    assert not {"acked_bytes", "duplicate_acks", "rtt_mean_s", "handshake_s"} & set(flow)
    opened = imported(pcap([each for each in whole if each not in data]), name="acks.pcap")
    assert opened.record["flows"] == []
    assert "There are no flows: no packet carries payload" in capsys.readouterr().out


def test_what_a_capture_missed_is_said(capsys):
    whole = connection()
    flow = metrics([each for place, each in enumerate(whole) if place not in (5, 7)])
    assert (flow["unseen_bytes"], flow["acked_bytes"]) == (2000, 1000 * PACKETS)
    assert "Of 1 flow, payload was acknowledged that was not captured" in capsys.readouterr().out


def test_shares_of_two_flows_and_of_udp():
    other = connection(source=("10.0.0.3", 49153), begin_ms=400, times=2)
    datagrams = [(40_000 * n, files.ipv4(files.udp(b"y" * 100, 7000, 7001), files.UDP)) for n in range(100)]
    opened = imported(pcap(connection(times=2), other, datagrams))
    asked = opened.flows.select("protocol", "received_payload_bytes", "retransmitted_packets")
    assert asked.rows() == [(6, 80_000, 6), (6, 80_000, 6), (17, 10_000, None)]
    assert opened.flows["goodput_bps"][2] == pytest.approx(8 * 10_000 / 3.96)
    windows = opened.table("fairness").collect()
    assert windows.height
    assert windows["jain"].is_between(1 / 3, 1).all()


def test_a_flow_that_was_captured_twice_is_measured_where_most_was_seen():
    near, behind = connection(), [each for place, each in enumerate(connection()) if place not in (5, 7, 9)]
    Path("near.pcap").write_bytes(pcap(near))
    Path("behind.pcap").write_bytes(pcap([(time_us + 5000, packet) for time_us, packet in behind]))
    run_command(["import", "behind.pcap", "near.pcap", "--name", "both"])
    opened = tcpsweep.open_import("both")
    assert [flow["interface"] for flow in opened.record["flows"]] == ["near"]
    assert opened.flows["acked_bytes"].to_list() == [1000 * PACKETS]
    assert opened.packets.collect().height == len(near) + len(behind)


def test_flows_are_measured_alike_whatever_fits_into_memory(monkeypatch):
    ends = [("10.0.0.1", 40000 + number) for number in range(5)]
    data = pcap(*(connection(source=source) for source in ends))
    whole = imported(data, "--name", "whole").flows
    monkeypatch.setattr(captured_packets, "_BATCH_ROWS", 100)
    assert imported(data, "--name", "pieces").flows.equals(whole)
    monkeypatch.setattr(captured_metrics, "MOST_FLOWS", 2)
    few = imported(data, "--name", "few")
    assert few.flows["goodput_bps"].null_count() == 3
    assert few.flows["throughput_bps"].null_count() == 0
    assert "the packets of the 2 with the most payload" in page("few")


def test_no_packets_make_an_empty_told():
    integers, flags = np.zeros(0, np.int64), np.zeros(0, bool)
    none = captured_packets.Packets(np.zeros(0), *[integers] * 7, *[flags] * 2, integers)
    told = captured_connection.followed_connection(none, none)
    assert (told.sent_again, told.handshake_s, len(told.rtt_s)) == (0, None, 0)


@pytest.mark.tshark
def test_wireshark_counts_the_same():
    other = connection(source=("10.0.0.3", 40000), isn=2**32 - 3000, begin_ms=7)
    flows = imported(pcap(connection(), other)).flows
    fields = [f"tcp.analysis.{name}" for name in ("retransmission", "out_of_order", "duplicate_ack", "ack_rtt")]
    counts = tshark.analysed(Path("capture.pcap"), "tcp.srcport", fields)
    for port, told in ((49153, flows.row(0, named=True)), (40000, flows.row(1, named=True))):
        sent, back = counts[str(port)], counts["5001"]
        # Wireshark counts a late packet as a retransmission if it came within less than a round trip, and vice versa.
        assert len(sent[fields[0]]) + len(sent.get(fields[1], ())) == told["retransmitted_packets"] + 1
    assert len(back[fields[2]]) == flows["duplicate_acks"].sum()
    assert min(map(float, back[fields[3]])) == pytest.approx(flows["rtt_min_s"].min(), abs=2e-6)


def test_flow_monitors_file_gives_its_numbers_by_their_own_names_also_beside_a_capture(capsys):
    run_command(["import", str(FLOW_XML), "--name", "monitored"])
    opened = tcpsweep.open_import("monitored")
    printed = opened.table("flow_monitor").collect()
    rates = printed.filter(pl.col("direction") == "data").sort("flow")["rx_bitrate_bps"]
    assert printed["direction"].to_list().count("data") == opened.flows.height
    assert opened.flows["receive_bitrate_bps"].to_list() == rates.to_list()
    assert {"delivery_ratio", "owd_mean_s", "tx_packets"} <= set(opened.flows.columns)
    assert "receive bit rate [Mbit/s]" in capsys.readouterr().out
    assert "FlowMonitor" in page("monitored")
    assert "IP throughput" not in page("monitored")
    beside = imported(pcap(connection()), str(FLOW_XML), named="capture")  # of other flows
    assert beside.flows["tx_packets"].to_list() == [None]
    assert beside.table("flow_monitor").collect()["flow"].null_count() == 4


def test_an_ascii_trace_becomes_events_and_nodes():
    place = "/NodeList/2/DeviceList/1/$ns3::PointToPointNetDevice"
    ip = "ns3::Ipv4Header (tos 0x0 DSCP Default ECN Not-ECT ttl 63 id 2 protocol 6 offset (bytes) 0 flags [none]"
    line = f"{ip} length: 588 10.0.0.1 > 10.0.3.2)"
    text = "".join(f"{sign} {at} {place}/TxQueue/{what} {line}\n" for sign, at, what in (("+", 1, "E"), ("-", 2, "D")))
    opened = imported(text.encode() + b"what?\n", name="ascii.tr")
    assert opened.table("events").collect()["event"].to_list() == ["enqueue", "dequeue"]
    assert opened.table("nodes").collect()["sent_packets"].to_list() == [1]
    assert "1 of the 3 lines of ascii.tr are not events" in page("ascii")
    ipv4 = f"t 1 /NodeList/2/$ns3::Ipv4L3Protocol/Tx(1) {line}\n".encode()
    assert "nodes" not in {path.stem for path in imported(ipv4, name="ip.tr").folder.iterdir()}


def test_files_that_are_no_captures_are_refused_in_one_message():
    whole = pcap(connection())
    bad = {
        "text.pcap": (b"hello", "not a pcap or pcapng file"),
        "empty.pcap": (b"", "the file is empty"),
        "text.pcap.gz": (gzip.compress(b"hello"), "not a pcap or pcapng file"),
        "cut.pcap.gz": (gzip.compress(whole)[:-30], "the gzip file cannot be unpacked to its end"),
        "half.gz": (gzip.compress(whole)[:12], "the gzip file cannot be unpacked to its end"),
        "link.pcap": (files.pcap([], 147), "link type 147, expected 0 (BSD's loopback)"),
        "arp.pcap": (files.pcap([files.ethernet(bytes(28), 0x0806)], files.ETHERNET), "found ARP (1)"),
        "none.pcapng": (pcapng.section(), "expected packets of IP, found no packets"),
        "cut.pcap": (whole[:-3], f"within a packet; --partial imports the {len(connection()) - 1} packets before"),
        "flow.xml": (b"<FlowMonitor><FlowStats>", "line 1, column"),
        "lies.xml": (FLOW_XML.read_bytes().replace(b'rxBytes="', b'rxBytes="x', 1), "rxBytes is 'x"),
        "port.xml": (FLOW_XML.read_bytes().replace(b'sourcePort="', b'sourcePort="9', 1), "sourcePort is '949153'"),
        "time.xml": (FLOW_XML.read_bytes().replace(b'ns"', b'"', 1), "is '+"),
        "end.xml": (FLOW_XML.read_bytes().replace(b"sourceAddress", b"x", 1), "a flow has no sourceAddress"),
        "none.xml": (b"<FlowMonitor></FlowMonitor>", "expected flows, found none"),
        "cut.tr": (b"t 1 /NodeList/2/what", "the file ends within it"),
        "no.tr": (b"t 1 /NodeList/2/what\n", "expected an event of a device or of IP"),
    }
    for name, (data, text) in bad.items():
        Path(name).write_bytes(data)
        said = refused(name)
        assert said.startswith(name)
        assert text in said
    assert "there is no such file" in refused("nothing.pcap")
    assert "is a folder" in refused(".")
    os.mkfifo("pipe")
    assert "is no regular file" in refused("pipe")
    Path("good.pcap").write_bytes(whole)
    assert "is given twice" in refused("good.pcap", Path("good.pcap").absolute())
    assert "--name: expected letters" in refused("good.pcap", "--name", "a/b")
    assert "cut.pcap" in refused("good.pcap", "cut.pcap")
    assert "is a second flow monitor" in refused(FLOW_XML, FLOW_XML.with_name("ipv6.xml"))


def test_a_file_without_permission_is_named(monkeypatch):
    Path("capture.pcap").write_bytes(pcap(connection()))

    def denied(*_, **__):
        raise PermissionError(13, "Permission denied", "capture.pcap")

    # Root, which tests may run as, reads everything.
    monkeypatch.setattr(imported_files, "_begin", denied)
    assert refused("capture.pcap") == "capture.pcap: cannot be read: Permission denied"


def test_a_part_of_a_file_is_imported_where_it_is_asked_for(capsys):
    opened = imported(pcap(connection())[:-3], "--partial")
    assert opened.packets.collect().height == len(connection()) - 1
    assert "capture.pcap is imported in part: offset" in capsys.readouterr().out
    assert "is imported in part" in page()


def test_what_is_damaged_no_ip_or_from_an_end_to_itself_is_no_flow_and_said(capsys):
    lies = files.ipv4(b"abc", files.UDP)
    itself = files.ipv4(files.udp(b"abc", 53, 53), files.UDP, "10.0.0.1", "10.0.0.1")
    opened = imported(pcap(connection(), [(4, itself), (5, lies), (6, b"\x10" + bytes(20))]))
    assert (len(opened.record["flows"]), opened.packets.collect().height) == (1, len(connection()) + 2)
    said = capsys.readouterr().out
    assert f"1 of the {len(connection()) + 3} frames of capture.pcap contradict themselves, the first at offset" in said
    assert "Not IP in capture.pcap: IP version 1 (1)." in said
    assert {name: opened.flows[name][0] for name in TOLD} == pytest.approx(TOLD, rel=1e-6)


def test_an_import_is_made_again_of_the_same_files_and_of_no_others():
    first = imported(pcap(connection()))
    before = (first.folder / "traces.parquet").read_bytes()
    again = imported(pcap(connection()))
    assert (again.folder / "traces.parquet").read_bytes() == before
    assert digests.file_problems(again.folder) == []
    Path("other.pcap").write_bytes(pcap(connection()))
    with pytest.raises(SystemExit, match=r"is the import of .*/capture\.pcap; write another --name"):
        run_command(["import", "other.pcap", "--name", "capture"])
    assert sorted(path.name for path in Path("results/imported").iterdir()) == ["capture"]
    for table in (path.stem for path in again.folder.glob("*.parquet")):
        assert dict(again.table(table).collect_schema()) == dict(pl.Schema(table_columns.schema(table)))


def test_the_pages_python_opens_an_import():
    imported(pcap(connection()), "--name", "upload")
    (code,) = blocks("python", "features/import")
    exec(compile(code, "docs/features/import.md", "exec"), names := {})
    assert names["upload"].flows.height == 1


def test_damaged_and_missing_tables_are_named():
    opened = imported(pcap(connection()))
    with pytest.raises(opened_import.NoImport, match="did you mean 'packets'"):
        opened.table("packet")
    with pytest.raises(opened_import.NoImport, match="did you mean 'capture'"):
        tcpsweep.open_import("captur")
    with pytest.raises(finding.NoSweep, match=r"it is an import: `tcpsweep\.open_import` opens it"):
        tcpsweep.open("capture")
    path = opened.folder / "traces.parquet"
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    with pytest.raises(digests.Differs, match=r"traces\.parquet: differs from its checksum"):
        opened.table("traces")


def test_the_record_says_what_was_in_each_interface():
    data = pcapng.sample()
    opened = imported(data, name="capture.pcapng")
    record = json.loads((opened.folder / imported_files.RECORD).read_text())
    (file,) = record["files"]
    assert (file["frames"], file["interfaces"]) == (7, ["eth0", "ppp0", "", "own"])
    assert set(opened.packets.collect()["interface"]) == {"capture:eth0", "capture:ppp0", "capture:2"}


def test_hostile_names_do_not_reach_the_page():
    blocks = [pcapng.section(), pcapng.interface(files.RAW_IP, name="<script>alert(1)</script>")]
    blocks.append(pcapng.interface(files.RAW_IP))  # a second one, so that the page names interfaces
    for number, flow in enumerate((connection(), connection(source=("10.0.0.3", 40000)))):
        blocks += [pcapng.packet(packet, time_us, number) for time_us, packet in flow]
    imported(b"".join(blocks), name="capture.pcapng")
    assert "<script>alert" not in page()
    assert "&lt;script&gt;alert" in page()


def test_a_packet_without_a_time_counts_for_no_flow():
    frames = [packet for _, packet in connection()]
    data = pcapng.section() + pcapng.interface(files.RAW_IP) + b"".join(map(pcapng.simple_packet, frames))
    opened = imported(data, name="capture.pcapng")
    assert opened.packets.collect()["time_s"].null_count() == len(frames)
    assert opened.flows["sent_payload_bytes"].to_list() == [TOLD["sent_payload_bytes"]]
