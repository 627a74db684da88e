# SPDX-License-Identifier: MIT
"""The table of packets: small files with known fields, files of ns-3, the written table, and the decoder library."""

import resource
import shutil
import struct
from collections import Counter
from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest

from tcpsweep.core.identity import cpp_code
from tcpsweep.core.parse import packet_decoder, packets
from tcpsweep.core.store import compiled_programs
from tcpsweep.core.store.compiled_programs import BuildError
from tcpsweep.core.words import table_columns
from tests.support import packet_files as files
from tests.support import tshark
from tests.support.packet_files import FLOW, decoded, rows
from tests.support.project import edit

# --- small files ---


def test_every_field_of_every_kind_of_packet(tmp_path):
    data, _ = files.sample()
    frame, summary = decoded(data, tmp_path)
    assert dict(frame.schema) == dict(pl.Schema(table_columns.schema("packets")))
    told = pl.read_csv(Path(__file__).with_name("sample.csv"), comment_prefix="#", schema_overrides={"sack": pl.String})
    edges = pl.concat_str(*(pl.col(f"sack_{end}").list.eval(pl.element().cast(pl.String)).list.join(" ")
                            for end in ("left", "right")), separator=" ")  # fmt: skip
    found = frame.with_columns(pl.col("source", "destination", "interface").cast(pl.String), edges.alias("sack"))
    assert found.select(told.columns).cast(dict(told.schema)).rows() == told.rows()
    assert (summary.frames, summary.rows, summary.cut, summary.headless) == (8, 7, 0, 0)
    assert summary.others == {"ARP": 1}


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("nanoseconds", [False, True])
def test_both_byte_orders_and_both_units_of_time(tmp_path, order, nanoseconds):
    frames = [files.ppp(files.ipv4(files.tcp())), files.ppp(files.ipv6(files.udp(), files.UDP))]
    step = 1_500_000_001 if nanoseconds else 1_500_001
    found = rows(files.pcap(frames, order=order, nanoseconds=nanoseconds, step=step), tmp_path)
    scale = Decimal(10**9 if nanoseconds else 10**6)
    assert [row["time_s"] for row in found] == [step / scale, 2 * step / scale]
    assert [row["protocol"] for row in found] == [6, 17]


def test_frames_without_ip_are_counted_by_kind(tmp_path):
    ethernet = [files.ethernet(bytes(28), 0x0806), *2 * [files.ethernet(bytes(50), 0x88CC)]]
    ethernet.append(files.ethernet(b"\x42\x42\x03" + bytes(40), 43))
    frame, summary = decoded(files.pcap(ethernet, files.ETHERNET), tmp_path)
    assert frame.is_empty()
    assert (summary.frames, summary.rows) == (4, 0)
    assert summary.others == {"ARP": 1, "EtherType 0x88cc": 2, "LLC": 1}
    for link, frame, kind in ((files.PPP, b"\xc0\x21", "PPP protocol 0xc021"), (files.RAW_IP, b"\x10", "IP version 1")):
        assert decoded(files.pcap([frame + bytes(8)], link), tmp_path)[1].others == {kind: 1}


def test_extension_headers_lead_to_the_ports(tmp_path):
    options = struct.pack(">BB6x", 60, 0)  # hop by hop, then destination options of 16 bytes, then TCP
    packet = files.ipv6(options + struct.pack(">BB14x", files.TCP, 1) + files.tcp(b"abc"), 0)
    (row,) = rows(files.pcap([files.ppp(packet)]), tmp_path)
    assert (row["protocol"], row["destination_port"], row["payload_bytes"]) == (6, 50000, 3)


def test_flows_have_numbers_and_directions_and_those_that_cannot_be_are_named(tmp_path):
    there = files.ipv4(files.tcp())
    back = files.ipv4(files.tcp(source=50000, destination=49153), source="10.0.0.2", destination="10.0.0.1")
    other = files.ipv4(files.tcp(source=49154))
    datagram = files.ipv4(files.udp(source=49153, destination=50000), files.UDP)
    data = files.pcap([files.ppp(packet) for packet in (there, back, other, datagram)])
    found = [(row["flow"], row["direction"]) for row in rows(data, tmp_path, [FLOW])]
    assert found == [(3, "data"), (3, "ack"), (-1, None), (-1, None)]
    found = [(row["flow"], row["direction"]) for row in rows(data, tmp_path, [FLOW | {"protocol": "udp"}])]
    assert found == [(-1, None), (-1, None), (-1, None), (3, "data")]
    with pytest.raises(packets.CaptureError, match=r"'10\.0\.0' is no IP address"):
        decoded(data, tmp_path, [FLOW | {"source": "10.0.0"}])
    with pytest.raises(packets.CaptureError, match="flows 3 and 4 have the same addresses and ports"):
        decoded(data, tmp_path, [FLOW, FLOW | {"flow": 4}])


def test_addresses_are_written_as_rfc_5952_says(tmp_path):
    texts = ["::", "::1", "2001:db8::1:0:0:1", "2001:db8:0:1:1:1:1:1", "fe80::a", "::ffff:1.2.3.4"]
    data = files.pcap([files.ppp(files.ipv6(b"", 59, text, "ff02::1")) for text in texts])
    assert [row["source"] for row in rows(data, tmp_path)] == texts


# --- into Parquet ---


def test_the_written_table_equals_the_decoded_one(tmp_path, monkeypatch):
    monkeypatch.setattr(packets, "BLOCK_ROWS", 2)
    data, _ = files.sample()
    captures = {"left": tmp_path / "left.pcap", "right": tmp_path / "right.pcap", "none": tmp_path / "none.pcap"}
    captures["left"].write_bytes(data)
    captures["right"].write_bytes(data[:-5])
    captures["none"].write_bytes(data[: files.FILE_HEADER])
    frame, summaries = files.read(captures, [FLOW])
    assert packets.write(files.library(), captures, tmp_path / "packets.parquet", [FLOW]) == summaries
    assert pl.read_parquet(tmp_path / "packets.parquet").equals(frame)
    assert frame["interface"].cast(pl.String).to_list() == ["left"] * 7 + ["right"] * 6
    assert [summary.rows for summary in summaries] == [7, 6, 0]
    assert [bool(summary.incomplete) for summary in summaries] == [False, True, False]
    assert len(list(tmp_path.iterdir())) == 4
    assert packets.write(files.library(), {}, tmp_path / "empty.parquet") == []
    empty = pl.read_parquet(tmp_path / "empty.parquet")
    assert dict(empty.schema) == dict(pl.Schema(table_columns.schema("packets")))


def test_any_number_of_interfaces_takes_one_open_file(tmp_path):
    path = tmp_path / "capture.pcap"
    path.write_bytes(files.sample()[0])
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (len(list(Path("/proc/self/fd").iterdir())) + 20, hard))
    try:
        captures = {str(number): path for number in range(100)}
        summaries = packets.write(files.library(), captures, tmp_path / "packets.parquet")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert sum(summary.rows for summary in summaries) == 700


def test_nothing_is_written_when_a_capture_is_refused(tmp_path):
    good, bad, out = tmp_path / "good.pcap", tmp_path / "bad.pcap", tmp_path / "packets.parquet"
    good.write_bytes(files.sample()[0])
    bad.write_bytes(b"no capture")
    with pytest.raises(packets.CaptureError, match=r"bad\.pcap: offset 0: not a pcap or pcapng file"):
        packets.write(files.library(), {"good": good, "bad": bad}, out)
    with pytest.raises(FileNotFoundError, match=r"none\.pcap"):
        packets.write(files.library(), {"good": good, "none": tmp_path / "none.pcap"}, out)
    assert {path.name for path in tmp_path.iterdir()} == {"good.pcap", "bad.pcap"}


# --- the library ---


@pytest.fixture
def code(tmp_path):
    """A copy of the decoder's code."""
    cpp_code.cpp_id.cache_clear()
    yield shutil.copytree(packet_decoder.NATIVE, tmp_path / "native")
    cpp_code.cpp_id.cache_clear()


def test_the_library_is_compiled_once_and_again_when_its_code_changes(code, monkeypatch):
    first = files.library()
    assert sorted(path.name for path in first.parent.iterdir()) == [compiled_programs.RECORD, "libtcpsweep-packets.so"]
    stamp = first.stat().st_mtime_ns
    assert packet_decoder.library() == packet_decoder.place() == first
    assert first.stat().st_mtime_ns == stamp
    cpp_code.cpp_id.cache_clear()
    monkeypatch.setattr(packet_decoder, "NATIVE", code)
    assert packet_decoder.place() == first
    cpp_code.cpp_id.cache_clear()
    edit(code / "transport.cc", "TCP = 6", "TCP = 7")
    assert packet_decoder.place() != first


def test_a_library_that_does_not_compile_is_explained(code, tmp_path, monkeypatch):
    monkeypatch.setattr(packet_decoder, "NATIVE", code)
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "build"))
    with (code / "CMakeLists.txt").open("a") as file:
        file.write('message(FATAL_ERROR "no, thanks")\n')
    with pytest.raises(BuildError, match=r"does not compile; (?s:.*)no, thanks"):
        packet_decoder.library()
    assert not list((tmp_path / "build").glob("packets-*/"))


# --- ns-3's files, wired and wireless ---


def compared(name, folder):
    """Compare all captures of a network with tshark; returns counts of rows by content and of other frames."""
    seen, others = Counter(), set()
    for path in sorted(files.network(name, folder / name).glob("*.pcap")):
        rows, summary = tshark.compare(path)
        assert len(rows) > 100
        others |= set(summary.others)
        sent = set()
        for row in rows:
            key = (row["source"], row["source_port"], row["seq"])
            seen["again"] += bool(row["payload_bytes"]) and row["seq"] is not None and key in sent
            sent.add(key)
            seen["sack"] += row["sack_left"] is not None
            seen["ce"] += row["ecn"] == 3
            seen["ect"] += row["ecn"] is not None and row["ecn"] > 0
            seen["retries"] += row["retry"] is True
            seen["udp"] += row["protocol"] == 17
            seen["without ports"] += row["source_port"] is None
    return seen, others


@pytest.mark.native
@pytest.mark.tshark
@pytest.mark.parametrize("name", files.NETWORKS)
def test_the_table_of_a_wired_network_is_tsharks_row_by_row(tmp_path, name):
    seen, others = compared(name, tmp_path)
    assert seen["again"] and seen["without ports"]
    assert bool(seen["sack"]) == (name != "cut")
    assert bool(seen["ce"]) == name.endswith("-ecn")
    assert bool(others) == (not name.startswith("ipv6"))


# What is no packet and is counted by its name.
OTHERS = {
    "wifi": {"802.11 acknowledgment", "ARP"},
    "wifi-radiotap": {"802.11 beacon", "802.11 association request", "802.11 association response"},
    "wifi-ampdu": {"802.11 block acknowledgment", "802.11 action"},
    "lrwpan-iphc": {"802.15.4 acknowledgment", "6LoWPAN fragment behind the first"},
    "lrwpan-mesh": {"6LoWPAN fragment behind the first"},
}


@pytest.mark.native
@pytest.mark.tshark
@pytest.mark.parametrize("name", files.RADIO_NETWORKS)
def test_the_table_of_a_radio_network_is_tsharks_row_by_row(tmp_path, name):
    seen, others = compared(name, tmp_path)
    assert bool(seen["retries"]) == name.startswith("wifi")
    assert seen["without ports"]
    # With IPHC, ns-3 does not move the ECN bits to where RFC 6282 has them.
    assert bool(seen["ect"]) == (name == "lrwpan-hc1")
    # With HC1, ns-3 aligns a next header that is not compressed, RFC 4944 does not: neither finds UDP in fragments.
    assert bool(seen["udp"]) == ("hc1" not in name)
    assert OTHERS.get(name, set()) <= others
