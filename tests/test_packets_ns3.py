# SPDX-License-Identifier: MIT
"""The table of packets of files that ns-3 wrote: tshark's fields row by row, FlowMonitor's and the sinks' totals."""

import os
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from decimal import Decimal

import packet_files as files
import polars as pl
import pytest

from tcpsweep import packets


@pytest.fixture(scope="module", params=files.NETWORKS)
def network(request, tmp_path_factory):
    """A network's name, and the folder with its captures."""
    return request.param, files.network(request.param, tmp_path_factory.mktemp("networks") / request.param)


TSHARK = {
    "time": "frame.time_epoch",
    "wire_bytes": "frame.len",
    "captured_bytes": "frame.cap_len",
    "ip4_source": "ip.src",
    "ip4_destination": "ip.dst",
    "ip4_protocol": "ip.proto",
    "ip4_bytes": "ip.len",
    "ip4_header": "ip.hdr_len",
    "ip4_ttl": "ip.ttl",
    "ip_id": "ip.id",
    "ip4_ecn": "ip.dsfield.ecn",
    "ip6_source": "ipv6.src",
    "ip6_destination": "ipv6.dst",
    "ip6_protocol": "ipv6.nxt",
    "ip6_payload": "ipv6.plen",
    "ip6_ttl": "ipv6.hlim",
    "ip6_ecn": "ipv6.tclass.ecn",
    "ip6_fragment": "ipv6.fraghdr.nxt",
    "tcp_source": "tcp.srcport",
    "tcp_destination": "tcp.dstport",
    "tcp_header": "tcp.hdr_len",
    "tcp_payload": "tcp.len",
    "seq": "tcp.seq_raw",
    "ack": "tcp.ack_raw",
    "flags": "tcp.flags",
    "window": "tcp.window_size_value",
    "window_scale": "tcp.options.wscale.shift",
    "tsval": "tcp.options.timestamp.tsval",
    "tsecr": "tcp.options.timestamp.tsecr",
    "sack_left": "tcp.options.sack_le",
    "sack_right": "tcp.options.sack_re",
    "udp_source": "udp.srcport",
    "udp_destination": "udp.dstport",
}


def tshark_lines(path):
    """Tshark's fields of each frame, all that it finds of each."""
    if not shutil.which("tshark"):
        if os.environ.get("CI"):
            pytest.fail("tshark is not installed; `apt-get install tshark`")
        pytest.skip("tshark is not installed; `apt-get install tshark`")
    command = ["tshark", "-n", "-r", path, "-o", "ip.defragment:FALSE", "-o", "ipv6.defragment:FALSE"]
    command += ["-T", "fields", "-E", "occurrence=a", "-E", "aggregator=,"]
    for field in TSHARK.values():
        command += ["-e", field]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        yield dict(zip(TSHARK, line.split("\t"), strict=True))


def by_tshark(fields):
    """The row that the table should have for a frame of tshark's, None for none."""

    def number(name):
        # The first is the outermost header's; ICMP quotes the packet that it is about.
        return int(fields[name].split(",")[0], 0) if fields[name] else None

    version = 4 if fields["ip4_source"] else 6 if fields["ip6_source"] else None
    if not version:
        return None
    row = {"time_s": Decimal(fields["time"]), "wire_bytes": number("wire_bytes")}
    row["captured_bytes"] = number("captured_bytes")
    row["source"], row["destination"] = (
        fields[f"ip{version}_{end}"].split(",")[0] for end in ("source", "destination")
    )
    row["ttl"], row["ecn"] = number(f"ip{version}_ttl"), number(f"ip{version}_ecn")
    if version == 4:
        row |= {"protocol": number("ip4_protocol"), "ip_id": number("ip_id"), "ip_bytes": number("ip4_bytes")}
        payload = row["ip_bytes"] - number("ip4_header")
    else:
        fragment = number("ip6_fragment")
        payload = number("ip6_payload")
        row |= {"protocol": number("ip6_protocol"), "ip_id": None, "ip_bytes": 40 + payload}
        if fragment is not None:
            row["protocol"] = fragment
            payload -= 8
    transport = {6: "tcp", 17: "udp"}.get(row["protocol"])
    is_tcp = transport == "tcp"
    for end in ("source", "destination"):
        row[f"{end}_port"] = number(f"{transport}_{end}") if transport else None
    for name in ("seq", "ack", "flags", "window", "window_scale", "tsval", "tsecr"):
        row[name] = number(name) if is_tcp else None
    for name in ("sack_left", "sack_right"):
        row[name] = [int(edge) for edge in fields[name].split(",")] if is_tcp and fields[name] else None
    if row["source_port"] is not None:
        payload -= number("tcp_header") if is_tcp else 8
        assert not is_tcp or payload == number("tcp_payload")
    row["payload_bytes"] = payload
    return row


@pytest.mark.native
@pytest.mark.tshark
def test_the_table_is_tsharks_row_by_row(network):
    name, folder = network
    seen = {"sack": 0, "ce": 0, "no ip": 0, "ports": 0, "retransmitted": 0}
    for path in sorted(folder.glob("*.pcap")):
        frame, (summary,) = packets.read(files.library(), {"here": path})
        expected = [by_tshark(fields) for fields in tshark_lines(path)]
        rows = [row for row in expected if row]
        assert summary.incomplete is None
        assert summary.frames == len(expected)
        assert frame.height == len(rows) > 100
        sent = set()
        for found, row in zip(frame.to_dicts(), rows, strict=True):
            found = {column: found[column] for column in row}
            if name == "cut" and found != row:
                # Of an option that was cut off, tshark shows the edges that are there.
                assert row["captured_bytes"] < row["wire_bytes"]
                assert found["sack_left"] is None
                row |= {"sack_left": None, "sack_right": None}
            assert found == row
            seen["sack"] += found["sack_left"] is not None
            seen["ce"] += found["ecn"] == 3
            seen["ports"] += found["source_port"] is None
            key = (found["source"], found["source_port"], found["seq"])
            seen["retransmitted"] += bool(found["payload_bytes"]) and found["seq"] is not None and key in sent
            sent.add(key)
        seen["no ip"] += len(expected) - len(rows)
    assert seen["retransmitted"]
    assert seen["ports"]
    assert bool(seen["sack"]) == (name != "cut")
    assert bool(seen["ce"]) == name.endswith("-ecn")
    assert bool(seen["no ip"]) == (not name.startswith("ipv6"))


def flow_monitor(folder):
    """FlowMonitor's totals by a flow's ends."""
    root = ElementTree.parse(folder / "flow.xml").getroot()
    totals = {flow.get("flowId"): flow for flow in root.find("FlowStats")}
    flows = [flow for kind in root for flow in kind if kind.tag.endswith("Classifier")]
    ends = ("sourceAddress", "sourcePort", "destinationAddress", "destinationPort", "protocol")
    return {
        tuple(flow.get(end) for end in ends): totals[flow.get("flowId")]
        for flow in flows
        if flow.get("flowId") in totals
    }


@pytest.mark.native
def test_throughput_is_flowmonitors_and_the_sinks(network):
    _, folder = network
    frame, _ = packets.read(files.library(), {str(node): folder / f"capture-{node}-0.pcap" for node in (0, 1, 4, 5)})
    ends = ["source", "source_port", "destination", "destination_port", "protocol"]
    totals = flow_monitor(folder)
    compared = 0
    for key, total in totals.items():
        protocol = int(key[-1])
        if protocol != 6:  # of a datagram in fragments, the capture has the first one's ports only
            continue
        wanted = dict(zip(ends, [key[0], int(key[1]), key[2], int(key[3]), 6], strict=True))
        flow = frame.filter(pl.col(name) == value for name, value in wanted.items())
        # Senders are the nodes 0 and 1, the receivers' bus shows all that goes over it at each of them.
        is_data = wanted["destination_port"] in (50000, 50001)
        number = (wanted["destination_port"] if is_data else wanted["source_port"]) - 50000
        at = {"sender": str(number), "receiver": str(4 + number)}
        sent = flow.filter(pl.col("interface").cast(pl.String) == at["sender" if is_data else "receiver"])
        got = flow.filter(pl.col("interface").cast(pl.String) == at["receiver" if is_data else "sender"])
        assert (sent.height, sent["ip_bytes"].sum()) == (int(total.get("txPackets")), int(total.get("txBytes")))
        assert (got.height, got["ip_bytes"].sum()) == (int(total.get("rxPackets")), int(total.get("rxBytes")))
        compared += 1
        if is_data:
            payload = got.filter(pl.col("payload_bytes") > 0).unique("seq")["payload_bytes"].sum()
            sinks = dict(line.rsplit(" ", 1) for line in (folder / "sinks.txt").read_text().splitlines())
            assert payload == int(sinks[f"{wanted['destination']} {wanted['destination_port']}"]) == 300000
    assert compared == 4
