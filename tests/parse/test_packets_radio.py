# SPDX-License-Identifier: MIT
"""The table of packets of radio links that ns-3 simulated: tshark's fields row by row, FlowMonitor's totals."""

from collections import Counter

import polars as pl
import pytest

from tcpsweep.parse import packets
from tests.support import packet_files as files
from tests.support import tshark


@pytest.fixture(scope="module", params=files.RADIO_NETWORKS)
def network(request, tmp_path_factory):
    """A network's name, and the folder with its captures."""
    return request.param, files.network(request.param, tmp_path_factory.mktemp("networks") / request.param)


@pytest.mark.native
@pytest.mark.tshark
def test_the_table_is_tsharks_row_by_row(network):
    name, folder = network
    seen = Counter()
    for path in sorted(folder.glob("*.pcap")):
        frame, (summary,) = packets.read(files.library(), {"here": path})
        expected = tshark.rows(path)
        rows = [row for row in expected if row]
        assert summary.incomplete is None
        assert (summary.frames, summary.cut) == (len(expected), 0)
        assert frame.height == len(rows) > 100
        for found, row in zip(frame.to_dicts(), rows, strict=True):
            assert {column: found[column] for column in row} == row
            seen["whole"] += "ttl" in row
            seen["retries"] += found["retry"] is True
            seen["udp"] += found["protocol"] == 17
            seen["later fragments"] += found["source_port"] is None
            seen["ect"] += found["ecn"] > 0
        seen["rows"] += len(rows)
    # In a mesh, packets lose fragments on the way.
    assert seen["whole"] > (0.5 if "mesh" in name else 0.9) * seen["rows"]
    assert bool(seen["retries"]) == name.startswith("wifi")
    assert seen["later fragments"]
    # With IPHC, ns-3 does not move the ECN bits to where RFC 6282 has them.
    assert bool(seen["ect"]) == (name == "lrwpan-hc1")
    # With HC1, ns-3 aligns a next header that is not compressed, RFC 4944 does not: neither finds UDP in fragments.
    assert bool(seen["udp"]) == ("hc1" not in name)


@pytest.mark.native
def test_what_is_no_packet_is_counted_by_what_it_is(network):
    name, folder = network
    (path,) = folder.glob("capture-1-*.pcap")
    _, (summary,) = packets.read(files.library(), {"here": path})
    kinds = {
        "wifi": {"802.11 acknowledgment", "ARP"},
        "wifi-radiotap": {"802.11 beacon", "802.11 association request", "802.11 association response"},
        "wifi-ampdu": {"802.11 block acknowledgment", "802.11 action"},
        "lrwpan-iphc": {"802.15.4 acknowledgment", "6LoWPAN fragment behind the first"},
        "lrwpan-mesh": {"6LoWPAN fragment behind the first"},
    }
    assert kinds.get(name, set()) <= set(summary.others)
    assert summary.headless == 0


@pytest.mark.native
def test_packets_are_flowmonitors_and_the_sinks(network):
    name, folder = network
    frame, _ = packets.read(files.library(), {node: folder / f"capture-{node}-0.pcap" for node in ("0", "2")})
    sinks = dict(line.rsplit(" ", 1) for line in (folder / "sinks.txt").read_text().splitlines())
    compared = 0
    for (source, source_port, destination, port, protocol), total in files.flow_monitor(folder).items():
        if protocol != "6":
            continue
        ends = {"source": source, "source_port": int(source_port), "destination_port": int(port), "protocol": 6}
        flow = frame.filter(pl.col(column) == value for column, value in ends.items())
        order = ("0", "2") if source[-1] == "1" else ("2", "0")  # as addresses begin with 1
        sent, got = (flow.filter(pl.col("interface") == node) for node in order)
        if name.startswith("wifi"):
            # A station hears its packets, and those for it, again and again: from the access point, and as repeats.
            sent, got = sent.unique("ip_id"), got.unique("ip_id")
            assert (sent.height, sent["ip_bytes"].sum()) == (int(total.get("txPackets")), int(total.get("txBytes")))
            assert (got.height, got["ip_bytes"].sum()) == (int(total.get("rxPackets")), int(total.get("rxBytes")))
        if port in ("50000", "50001"):
            payload = got.filter(pl.col("payload_bytes") > 0).unique("seq")["payload_bytes"].sum()
            received = int(sinks[f"{destination} {port}"])
            # Of a packet whose first fragment arrives in a mesh as full as this one, others may be lost.
            assert payload > received if "mesh" in name else payload == received == 30000
        compared += 1
    assert compared == 4


@pytest.mark.native
def test_all_but_repeats_are_the_packets_that_a_station_sent(tmp_path):
    folder = files.network("wifi-adhoc", tmp_path / "wifi-adhoc")
    frame, _ = packets.read(files.library(), {"0": folder / "capture-0-0.pcap"})
    sent = frame.filter(pl.col("source") == "10.0.0.1", pl.col("protocol") == 6)
    totals = [flow for ends, flow in files.flow_monitor(folder).items() if (ends[0], ends[4]) == ("10.0.0.1", "6")]
    assert sent.filter(~pl.col("retry")).height == sum(int(total.get("txPackets")) for total in totals)
    assert sent.filter("retry").height > 0
