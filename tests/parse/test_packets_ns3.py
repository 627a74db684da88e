# SPDX-License-Identifier: MIT
"""The table of packets of files that ns-3 wrote: tshark's fields row by row, FlowMonitor's and the sinks' totals."""

import polars as pl
import pytest

from tcpsweep.parse import packets
from tests.support import packet_files as files
from tests.support import tshark


@pytest.fixture(scope="module", params=files.NETWORKS)
def network(request, tmp_path_factory):
    """A network's name, and the folder with its captures."""
    return request.param, files.network(request.param, tmp_path_factory.mktemp("networks") / request.param)


@pytest.mark.native
@pytest.mark.tshark
def test_the_table_is_tsharks_row_by_row(network):
    name, folder = network
    seen = {"sack": 0, "ce": 0, "no ip": 0, "ports": 0, "retransmitted": 0}
    for path in sorted(folder.glob("*.pcap")):
        frame, (summary,) = packets.read(files.library(), {"here": path})
        expected = tshark.rows(path)
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


@pytest.mark.native
def test_throughput_is_flowmonitors_and_the_sinks(network):
    _, folder = network
    frame, _ = packets.read(files.library(), {str(node): folder / f"capture-{node}-0.pcap" for node in (0, 1, 4, 5)})
    ends = ["source", "source_port", "destination", "destination_port", "protocol"]
    totals = files.flow_monitor(folder)
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
