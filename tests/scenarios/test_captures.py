# SPDX-License-Identifier: MIT
"""What the dumbbell captures: pcap files, ns-3's ascii trace, an animation."""

import struct
import xml.etree.ElementTree as ElementTree

import pytest

from tcpsweep.core.sweepfile.combinations import grid
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.core.sweepfile.keys import schema_check
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tests.support.networks import commands

QUICK = ("--bandwidth=2Mbps", "--delay=10ms", "--duration=4s", "--start_jitter=100ms")
HEADERS_BYTES = 2 + 60 + 60
NANOSECONDS_MAGIC = 0xA1B23C4D
PPP_LINKTYPE = 9


def captured(path):
    """A pcap file's link type, snapshot length and the most bytes that it has of a packet."""
    data = path.read_bytes()
    magic, _, _, _, _, snaplen, link_type = struct.unpack_from("<IHHiIII", data)
    assert magic == NANOSECONDS_MAGIC
    longest, offset = 0, 24
    while offset < len(data):
        _, _, kept, _ = struct.unpack_from("<IIII", data, offset)
        longest, offset = max(longest, kept), offset + 16 + kept
    assert offset == len(data)
    return link_type, snaplen, longest


def names(cell, ending):
    return sorted(path.name for path in cell.folder.iterdir() if path.name.endswith(ending))


@pytest.fixture(scope="module")
def plain(kept):
    return kept("dumbbell", *QUICK)


@pytest.fixture(scope="module")
def whole(kept):
    """A cell with all captures."""
    return kept("dumbbell", *QUICK, "--pcap=all", "--snaplen=full", "--ascii=true", "--anim=true")


def test_nothing_is_captured_unless_asked_for_and_captures_change_nothing(plain, whole):
    assert plain.record["captures"] == []
    assert names(plain, (".pcap", ".tr", ".xml")) == ["flow.xml"]
    for name in ("traces.columns", "queue.columns", "flow.xml"):
        assert (plain.folder / name).read_bytes() == (whole.folder / name).read_bytes(), name
    assert plain.record["events"] == whole.record["events"]


def test_every_interface_has_its_capture_and_is_listed(whole):
    listed = {capture["file"]: capture for capture in whole.record["captures"] if capture["file"].endswith("pcap")}
    assert sorted(listed) == names(whole, ".pcap")
    kinds = ("sender", "receiver", "left-to-sender", "right-to-receiver")
    ends = [f"{kind}{flow}" for kind in kinds for flow in range(2)]
    assert set(listed) == {f"{name}.pcap" for name in ("bottleneck-left", "bottleneck-right", *ends)}
    assert all(file == f"{capture['interface']}.pcap" for file, capture in listed.items())
    assert len({(capture["node"], capture["device"]) for capture in listed.values()}) == len(listed)


@pytest.mark.parametrize(("snaplen", "most"), [("60", 60), ("headers", HEADERS_BYTES), ("full", 65535)])
def test_a_capture_keeps_as_much_of_a_packet_as_asked_for(run, snaplen, most):
    cell = run(*QUICK, "--pcap=bottleneck", f"--snaplen={snaplen}")
    assert names(cell, ".pcap") == ["bottleneck-left.pcap"]
    assert captured(cell.folder / "bottleneck-left.pcap") == (PPP_LINKTYPE, most, min(most, 1502))


def test_the_ascii_trace_shows_headers_and_every_transmission(whole):
    lines = (whole.folder / "ascii.tr").read_text().splitlines()
    assert {line[0] for line in lines} >= {"+", "-", "r"}
    left = "/NodeList/0/DeviceList/1/$ns3::PointToPointNetDevice/TxQueue/Dequeue"
    sent = [line for line in lines if line[0] == "-" and left in line]
    assert len(sent) == whole.way()["sent_packets"]
    assert all("ns3::TcpHeader (" in line for line in sent)


def test_the_animation_has_labelled_nodes_and_every_transmission(whole):
    root = ElementTree.parse(whole.folder / "anim.xml").getroot()
    labels = {node.get("id"): node.get("descr") for node in root.findall("nu[@p='d']")}
    places = {labels[node.get("id")]: (node.get("locX"), node.get("locY")) for node in root.findall("node")}
    expected = {"left router", "right router", "sender 0", "sender 1", "receiver 0", "receiver 1"}
    assert set(places) == expected
    assert len(set(places.values())) == len(expected)
    assert len(root.findall("link")) == 5
    ends = {label: number for number, label in labels.items()}
    way = (ends["left router"], ends["right router"])
    moves = [move for move in root.findall("p") if (move.get("fId"), move.get("tId")) == way]
    for move, row in zip(moves, whole.queue("t"), strict=True):
        assert float(move.get("fbTx")) == row["time"]
        assert float(move.get("lbTx")) == pytest.approx(row["time"] + row["bytes"] * 8 / 2e6, abs=2e-9)
        assert float(move.get("lbRx")) == pytest.approx(float(move.get("lbTx")) + 0.01, abs=2e-9)


def sweep(capture):
    document = yaml_document.parse(f"sweep: s\nscenario: dumbbell\ncapture: {capture}\n", "f")
    assert schema_check.problems(document.data) == []
    return grid.expand(SweepFile(document.data))


def test_a_capture_is_part_of_a_cells_identity_and_its_absence_is_not():
    def cell(capture):
        return commands(sweep(capture)[0])[0]

    assert cell("{pcap: none, snaplen: full, ascii: false, anim: false, keep_raw: true}").id == cell("{}").id
    asked = cell("{pcap: all, snaplen: 96, ascii: true, anim: true, keep_raw: true}")
    assert asked.id != cell("{}").id
    assert {"--pcap=all", "--snaplen=96", "--ascii=true", "--anim=true"} <= set(asked.arguments)
    assert "--flow_monitor=false" in cell("{flow_monitor: false}").arguments
    assert cell("{flow_monitor: false}").id != cell("{flow_monitor: true}").id == cell("{}").id
    text = cell("{text: true, keep_raw: true}")
    assert text.id == cell("{}").id
    assert "--text=true" in text.arguments


def test_captures_that_would_be_removed_unread_and_wrong_lengths_are_refused():
    for asked in ("anim: true", "text: true"):
        assert "keep_raw: true" in sweep(f"{{{asked}}}")[1][0].message
        assert sweep(f"{{{asked}, keep_raw: true}}")[1] == []
    for snaplen in ("0", "65536", "header", "true"):
        document = yaml_document.parse(f"sweep: s\nscenario: dumbbell\ncapture: {{snaplen: {snaplen}}}\n", "f")
        assert schema_check.problems(document.data)[0].path == ("capture", "snaplen")
