# SPDX-License-Identifier: MIT
"""The table of `ascii.tr`: line by line, compared with the same run's captures, and from damaged files."""

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tcpsweep.parse import ascii_trace
from tcpsweep.words import table_columns
from tests.support import packet_files as files
from tests.support.processes import peak_mb

PLACE = "/NodeList/2/DeviceList/1/$ns3::PointToPointNetDevice"
PPP4 = "ns3::PppHeader (Point-to-Point Protocol: IP (0x0021))"
PPP6 = "ns3::PppHeader (Point-to-Point Protocol: IPv6 (0x0057))"
ETHERNET = "ns3::EthernetHeader ( length/type=0x800, source=00:00:00:00:00:07, destination=00:00:00:00:00:08)"
TAIL = "Payload Fragment [524:1060] ns3::EthernetTrailer (fcs=0)"
TCP = "ns3::TcpHeader (49153 > 50000 [ACK] Seq=1 Ack=1 Win=32768 ns3::TcpOptionTS(1035;1015) ns3::TcpOptionEnd(EOL))"
UDP = "ns3::UdpHeader (length: 2008 49153 > 51000)"
ENDS4 = {"source": "10.0.0.1", "destination": "10.0.3.2"}
ENDS6 = {"source": "fd00::200:ff:fe00:1", "destination": "ff02::1:ff00:5"}
PORTS = {"source_port": 49153, "destination_port": 50000}
DATAGRAM = {"source_port": 49153, "destination_port": 51000}


def ipv4(ecn="Not-ECT", length=588, flags="none"):
    head = f"ns3::Ipv4Header (tos 0x0 DSCP Default ECN {ecn} ttl 63 id 2 protocol 6 offset (bytes) 0 flags [{flags}]"
    return f"{head} length: {length} 10.0.0.1 > 10.0.3.2)"


def ipv6(length=556):
    head = "ns3::Ipv6Header ((Version 6 Traffic class 0x0 DSCP Default Flow Label 0x1 Payload Length"
    return f"{head} {length} Next Header 6 Hop Limit 64 )fd00::200:ff:fe00:1 > ff02::1:ff00:5)"


FRAGMENT = "ns3::Ipv6ExtensionFragmentHeader (( nextHeader = 17 length = 0 offset = 0 MF = 1 identification = 5 ))"
QUOTE = "ns3::Icmpv4Header (type=11, code=1) ns3::Icmpv4TimeExceeded (" + ipv4()[17:-1] + " org data=0 0)"
LINES = {
    "enqueue": (f"+ 1.5 {PLACE}/TxQueue/Enqueue {PPP4} {ipv4()} {TCP}", ENDS4 | PORTS | {"ip_bytes": 588}),
    "dequeue": (f"- 1.5 {PLACE}/TxQueue/Dequeue {PPP4} {ipv4()} {TCP}", {"event": "dequeue"}),
    "queue drop": (f"d 1.5 {PLACE}/TxQueue/Drop {PPP4} {ipv4()} {TCP}", {"event": "drop"}),
    "loss": (f"d 1.5 {PLACE}/PhyRxDrop {PPP4} {ipv4()} {TCP}", {"event": "loss", "time_s": 1.5}),
    "receive": (f"r 1e-05 {PLACE}/MacRx {PPP4} {ipv4()} {TCP}", {"event": "receive", "time_s": 1e-5}),
    "transmit": (f"t 2 {PLACE}/MacTx {PPP4} {ipv4()} {TCP}", {"event": "transmit", "node": 2, "device": 1}),
    "ECT in brackets": (f"r 1 {PLACE}/MacRx {PPP4} {ipv4('ECT (0)')} {TCP} Payload (size=536)", ENDS4 | PORTS),
    "CE": (f"r 1 {PLACE}/MacRx {PPP4} {ipv4('CE')} {TCP}", ENDS4 | PORTS),
    "Ethernet": (f"r 1 {PLACE}/MacRx {ETHERNET} {ipv4()} {TCP} {TAIL}", ENDS4 | PORTS | {"ip_bytes": 588}),
    "LLC": (f"r 1 {PLACE}/MacRx {ETHERNET} ns3::LlcSnapHeader (type 0x800) {ipv4()} {TCP} {TAIL}", ENDS4 | PORTS),
    "first fragment": (
        f"r 1 {PLACE}/MacRx {PPP4} {ipv4(flags='MF')} {UDP} Payload (size=9)",
        ENDS4 | DATAGRAM | {"payload_bytes": 9},
    ),
    "later fragment": (f"r 1 {PLACE}/MacRx {PPP4} {ipv4()} Payload Fragment [0:9]", ENDS4 | {"source_port": None}),
    "payload of three writes": (
        f"r 1 {PLACE}/MacRx {PPP4} {ipv4()} {TCP} Payload Fragment [90:100] Payload (size=20) Payload Fragment [0:3]",
        PORTS | {"payload_bytes": 33},
    ),
    "ICMP quotes ports": (f"r 1 {PLACE}/MacRx {PPP4} {ipv4(length=56)} {QUOTE}", {"source_port": None, "ip_bytes": 56}),
    "IPv6": (f"r 1 {PLACE}/MacRx {PPP6} {ipv6()} {TCP}", ENDS6 | PORTS | {"ip_bytes": 596}),
    "IPv6 extension": (f"r 1 {PLACE}/MacRx {PPP6} {ipv6()} {FRAGMENT} {UDP}", ENDS6 | DATAGRAM),
    # As EnableAsciiIpv4 and EnableAsciiIpv6 write: by interfaces of IP, with places or without.
    "sent by IP": (
        f"t 1.5 /NodeList/2/$ns3::Ipv4L3Protocol/Tx(1) {ipv4()} {TCP} Payload (size=536)",
        ENDS4 | PORTS | {"event": "transmit", "node": 2, "device": 1, "ip_bytes": 588, "payload_bytes": 536},
    ),
    "received by IP": (
        f"r 1.5 /NodeList/2/$ns3::Ipv6L3Protocol/Rx(3) {ipv6()} {TCP}",
        ENDS6 | PORTS | {"event": "receive", "node": 2, "device": 3, "ip_bytes": 596},
    ),
    "dropped by IP": (
        f"d 1.5 /NodeList/2/$ns3::Ipv4L3Protocol/Drop(1) {ipv4()} {UDP}",
        ENDS4 | DATAGRAM | {"event": "drop", "node": 2, "device": 1},
    ),
    "dropped by ARP": (
        "d 1.5 /NodeList/2/$ns3::ArpL3Protocol/Drop ns3::ArpHeader (hardware type: Ethernet)",
        {"event": "drop", "node": 2, "device": None, "source": None},
    ),
    "of one interface": (f"t 1.5 {ipv4()} {TCP}", ENDS4 | PORTS | {"event": "transmit", "node": None, "device": None}),
    "ARP": (
        f"r 1 {PLACE}/MacRx {ETHERNET} ns3::ArpHeader (hardware type: Ethernet)",
        {"source": None, "node": 2, "payload_bytes": 0},
    ),
}


def decoded(text, folder):
    """What a trace of this text holds, rows and summary."""
    path = folder / "ascii.tr"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return files.read_trace(path)


@pytest.mark.parametrize(("line", "expected"), LINES.values(), ids=LINES)
def test_a_line_is_a_row(tmp_path, line, expected):
    frame, summary = decoded(line + "\n", tmp_path)
    assert dict(frame.schema) == dict(pl.Schema(table_columns.schema("events")))
    (row,) = frame.to_dicts()
    assert {name: row[name] for name in expected} == expected
    assert (summary.lines, summary.rows, summary.unknown, summary.incomplete) == (1, 1, 0, None)


GOOD = LINES["enqueue"][0] + "\n"


@pytest.mark.parametrize(
    "line",
    [
        "",
        "x 1 " + GOOD[6:-1],
        "+ now " + GOOD[6:-1],
        "+ 1.5.5 " + GOOD[6:-1],
        "+ 1.5 ns3::PppHeader (Point-to-Point Protocol: IP (0x0021))",
        GOOD[:-1].replace("NodeList/2/", "NodeList/12345678901/"),
        GOOD[:-1].replace("+ 1.5", "+ 1e999"),
        "\udcff\udcfe\x00",
    ],
)
def test_other_lines_are_counted(tmp_path, line):
    text = (GOOD + GOOD + line + "\n" + GOOD + line + "\n").encode(errors="surrogateescape")
    frame, summary = decoded(text, tmp_path)
    assert frame.height == summary.rows == 3
    assert (summary.lines, summary.unknown) == (5, 2)


@pytest.mark.parametrize("block", [1, 7, 100, 1 << 20])
def test_blocks_of_any_size_make_the_same_table(tmp_path, monkeypatch, block):
    text = "".join(line + "\n" for line, _ in LINES.values()) + "what?\n"
    whole = decoded(text, tmp_path)[0]
    monkeypatch.setattr(ascii_trace, "BLOCK_BYTES", block)
    frame, summary = decoded(text, tmp_path)
    # A line that is longer than two blocks is not read in full.
    assert summary.lines == len(LINES) + 1
    assert (summary.unknown == 1) == (block >= 100)
    if block > 100:
        assert frame.equals(whole)


def test_a_file_cut_anywhere_has_the_lines_before(tmp_path):
    text = GOOD * 3
    whole, _ = decoded(text, tmp_path)
    for size in range(0, len(text), 5):
        frame, summary = decoded(text[:size], tmp_path)
        lines = text[:size].count("\n")
        assert frame.equals(whole[:lines])
        at_end = size == lines * len(GOOD)
        assert summary.incomplete == (
            None if at_end else f"{tmp_path}/ascii.tr: line {lines + 1}: the file ends within it"
        )


@given(st.data())
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damaged_bytes_are_decoded_or_counted(tmp_path, data):
    text = bytearray("".join(line + "\n" for line, _ in LINES.values()).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(text) - 1))
        text[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    frame, summary = decoded(bytes(text), tmp_path)
    assert summary.lines == bytes(text).count(b"\n")
    assert frame.height == summary.rows == summary.lines - summary.unknown
    assert frame["event"].null_count() == frame["time_s"].null_count() == 0


def test_the_written_table_equals_the_decoded_one(tmp_path):
    text = "".join(line + "\n" for line, _ in LINES.values())
    frame, summary = decoded(text, tmp_path)
    assert ascii_trace.write(tmp_path / "ascii.tr", tmp_path / "ascii.parquet") == summary
    assert pl.read_parquet(tmp_path / "ascii.parquet").equals(frame)
    with pytest.raises(FileNotFoundError, match=r"none\.tr"):
        ascii_trace.write(tmp_path / "none.tr", tmp_path / "none.parquet")
    assert not (tmp_path / "none.parquet").exists()


# --- files that ns-3 wrote ---


@pytest.fixture(scope="module", params=["ipv4", "ipv4-ecn", "ipv6"])
def network(request, tmp_path_factory):
    """A folder with the trace and the captures of a network."""
    return files.network(request.param, tmp_path_factory.mktemp("networks") / request.param)


@pytest.mark.long
@pytest.mark.native
def test_a_device_sends_and_receives_what_its_capture_shows(network):
    frame, summary = files.read_trace(network / "ascii.tr")
    assert (summary.unknown, summary.incomplete) == (0, None)
    columns = ["source", "source_port", "destination", "destination_port", "ip_bytes"]
    # The devices of point-to-point links; a capture shows what leaves the queue and what arrives.
    for node, device in [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (3, 0)]:
        captured, _ = files.read({"here": network / f"capture-{node}-{device}.pcap"})
        traced = frame.filter(
            pl.col("node") == node, pl.col("device") == device, pl.col("event").is_in(["dequeue", "receive"])
        )
        assert captured.height > 100
        assert traced.select(columns).equals(captured.select(columns))
        # Six significant digits here, microseconds that are cut off there.
        assert ((traced["time_s"] - captured["time_s"]).abs() <= 5e-6 * captured["time_s"] + 1e-6).all()


WRITE = """
import sys
from pathlib import Path
from tcpsweep.parse import ascii_trace
ascii_trace.write(sys.argv[1], Path(sys.argv[2]))
"""


@pytest.mark.long
@pytest.mark.native
def test_a_long_trace_takes_little_memory(tmp_path):
    data = (files.network("ipv4", tmp_path / "ipv4") / "ascii.tr").read_bytes()
    (tmp_path / "long.tr").write_bytes(data * 30)
    assert peak_mb(WRITE, tmp_path / "long.tr", tmp_path / "long.parquet") < 300


def test_a_line_without_end_takes_no_more_memory_than_two_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr(ascii_trace, "BLOCK_BYTES", 1000)
    frame, summary = decoded(GOOD + "+ 1 " + "x" * 100_000 + "\n" + GOOD, tmp_path)
    assert frame.height == 2
    assert (summary.lines, summary.unknown) == (3, 1)
