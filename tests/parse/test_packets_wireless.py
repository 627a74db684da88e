# SPDX-License-Identifier: MIT
"""Frames of 802.11 and of 802.15.4 with 6LoWPAN, packed byte by byte as their standards say."""

import struct

import pytest

from tcpsweep.parse import packets
from tests.support import packet_files as files
from tests.support import tshark
from tests.support.packet_files import SEGMENT, decoded, rows

QOS, HT_CONTROL, ADDRESS = b"\x05\x00", bytes(4), b"\xa4" * 6
BODY = files.llc(SEGMENT)
# What a frame of 802.11 is called, its header's first two bytes, and what it has behind the first 24.
WIFI = {
    "to the access point": files.wifi(BODY),
    "from the access point": files.wifi(BODY, control=0x0208),
    "without one": files.wifi(BODY, control=0x0008),
    "between access points": files.wifi(BODY, control=0x0308, between=ADDRESS),
    "QoS": files.wifi(BODY, control=0x0188, between=QOS),
    "QoS between access points": files.wifi(BODY, control=0x0388, between=ADDRESS + QOS),
    "with HT control": files.wifi(BODY, control=0x8188, between=QOS + HT_CONTROL),
    "with more data": files.wifi(BODY, control=0x2208),
    "IPv6": files.wifi(files.llc(files.ipv6(files.tcp(b"abc")))),
}


@pytest.mark.parametrize("frame", WIFI.values(), ids=WIFI)
def test_the_headers_of_802_11(tmp_path, frame):
    for link, captured in (
        (files.WIFI, frame),
        (files.RADIOTAP, files.radiotap(frame)),
        (files.RADIOTAP, files.radiotap(frame, tsft=True)),
    ):
        (row,) = rows(files.pcap([captured], link), tmp_path)
        assert (row["destination_port"], row["payload_bytes"], row["retry"]) == (50000, 3, False)
        assert row["wire_bytes"] == row["captured_bytes"] == len(frame)


def test_padding_behind_the_header_is_passed_over_where_radiotap_tells(tmp_path):
    frame = files.wifi(BODY, control=0x0188, between=QOS + b"\xff\xff")
    (row,) = rows(files.pcap([files.radiotap(frame, flags=0x30)], files.RADIOTAP), tmp_path)
    assert row["payload_bytes"] == 3


def test_a_frame_that_is_sent_again_says_so(tmp_path):
    data = files.pcap([files.wifi(BODY), files.wifi(BODY, control=0x0908)], files.WIFI)
    assert [row["retry"] for row in rows(data, tmp_path)] == [False, True]
    assert rows(files.pcap([files.ppp(SEGMENT)]), tmp_path)[0]["retry"] is None


def test_a_packet_in_fragments_of_802_11_is_at_the_first(tmp_path):
    packet = files.ipv4(files.tcp(b"x" * 100))
    whole = files.llc(packet)
    data = files.pcap(
        [files.wifi(whole[:80], control=0x0508, sequence=16), files.wifi(whole[80:], sequence=17)], files.WIFI
    )
    frame, summary = decoded(data, tmp_path)
    (row,) = frame.to_dicts()
    assert (row["ip_bytes"], row["payload_bytes"], row["wire_bytes"]) == (140, 100, 24 + 80 + 4)
    assert summary.others == {"802.11 fragment behind the first": 1}


OTHER_WIFI = {
    "802.11 association request": files.wifi(bytes(20), control=0x0000),
    "802.11 probe response": files.wifi(bytes(20), control=0x0050),
    "802.11 beacon": files.wifi(bytes(20), control=0x0080),
    "802.11 acknowledgment": struct.pack("<HH6s", 0x00D4, 0, ADDRESS) + bytes(4),
    "802.11 RTS": struct.pack("<HH12s", 0x00B4, 100, 2 * ADDRESS) + bytes(4),
    "802.11 CTS": struct.pack("<HH6s", 0x00C4, 50, ADDRESS) + bytes(4),
    "802.11 block acknowledgment": struct.pack("<HH12s", 0x0094, 0, 2 * ADDRESS) + bytes(16),
    "802.11 null data": files.wifi(b"", control=0x0148),
    "802.11 QoS null data": files.wifi(b"", control=0x01C8, between=QOS),
    "802.11 encrypted data": files.wifi(bytes(40), control=0x4108),
    "802.11 A-MSDU": files.wifi(bytes(14) + BODY, control=0x0188, between=b"\x80\x00"),
    "802.11 of another version": files.wifi(BODY, control=0x0109),
    "802.11 type 3 subtype 5": files.wifi(BODY, control=0x005C),
    "ARP": files.wifi(files.llc(bytes(28), 0x0806)),
    "LLC": files.wifi(b"\x42\x42\x03" + bytes(40)),
}


def test_what_is_no_packet_on_802_11_is_counted_by_what_it_is(tmp_path):
    for link, frames in (
        (files.WIFI, list(OTHER_WIFI.values())),
        (files.RADIOTAP, [files.radiotap(frame) for frame in OTHER_WIFI.values()]),
    ):
        frame, summary = decoded(files.pcap(frames, link), tmp_path)
        assert frame.is_empty()
        assert summary.others == dict.fromkeys(OTHER_WIFI, 1)
    _, summary = decoded(files.pcap([files.radiotap(files.wifi(BODY), flags=0x50)], files.RADIOTAP), tmp_path)
    assert summary.others == {"802.11 with a wrong checksum": 1}


# --- 802.15.4 and 6LoWPAN ---

TCP = files.tcp(b"abc")
UDP = files.udp(b"abcde")
PREFIX = bytes.fromhex("fd00000000000001")
LOWER = bytes.fromhex("0a0b0c0d0e0f1011")
GLOBAL, OTHER_GLOBAL = PREFIX + LOWER, PREFIX + bytes(7) + b"\x22"
SHORT_1, SHORT_2 = "fe80::ff:fe00:1", "fe80::ff:fe00:2"
MESH = bytes.fromhex("b3 0005 0006")
# Of a frame from the short address 1 to 2: what it carries, and the source, the destination, the protocol, the hop
# limit, the ECN bits and the payload of the packet.
SIXLOWPAN = {
    "uncompressed": (b"\x41" + files.ipv6(TCP, ecn=3), "fd00::1", "fd00::2", 6, 64, 3, 3),
    # HC1: prefix and rest of source and destination, class and label, next header, HC2.
    "HC1, all elided": (b"\x42\xfe\x40" + TCP, SHORT_1, SHORT_2, 6, 64, 0, 3),
    "HC1, UDP": (b"\x42\xfa\x20" + UDP, SHORT_1, SHORT_2, 17, 32, 0, 5),
    "HC1, ICMPv6": (b"\x42\xfc\xff" + bytes(8), SHORT_1, SHORT_2, 58, 255, 0, 8),
    "HC1, prefixes": (b"\x42\x5e\x40" + 2 * PREFIX + TCP, "fd00::1:0:ff:fe00:1", "fd00::1:0:ff:fe00:2", 6, 64, 0, 3),
    "HC1, interfaces": (
        b"\x42\xae\x40" + LOWER + LOWER + TCP,
        "fe80::a0b:c0d:e0f:1011",
        "fe80::a0b:c0d:e0f:1011",
        *(6, 64, 0, 3),
    ),
    "HC1, nothing elided": (
        b"\x42\x06\x05" + GLOBAL + OTHER_GLOBAL + b"\x02\x00\x00\x00" + TCP,
        "fd00::1:a0b:c0d:e0f:1011",
        "fd00:0:0:1::22",
        *(6, 5, 2, 3),
    ),
    # The next header begins in the middle of a byte, behind 28 bits.
    "HC1, unaligned": (b"\x42\xf0\x40\x01\x00\x00\x03\xb0", SHORT_1, SHORT_2, 59, 64, 1, 0),
    "IPHC, all elided": (b"\x7a\x33\x06" + TCP, SHORT_1, SHORT_2, 6, 64, 0, 3),
    "IPHC, inline": (
        b"\x78\x00\x06\x09" + GLOBAL + OTHER_GLOBAL + TCP,
        "fd00::1:a0b:c0d:e0f:1011",
        "fd00:0:0:1::22",
        *(6, 9, 0, 3),
    ),
    "IPHC, 64 bits": (b"\x79\x11\x06" + LOWER + LOWER + TCP, *(2 * ("fe80::a0b:c0d:e0f:1011",)), 6, 1, 0, 3),
    "IPHC, 16 bits": (b"\x7b\x22\x06\x0a\x0b\x0c\x0d" + TCP, "fe80::ff:fe00:a0b", "fe80::ff:fe00:c0d", 6, 255, 0, 3),
    "IPHC, unspecified": (b"\x7a\x43\x06" + TCP, "::", SHORT_2, 6, 64, 0, 3),
    "IPHC, multicast, 128 bits": (
        b"\x7a\x38\x06" + b"\xff" + bytes(14) + b"\x05" + TCP,
        SHORT_1,
        "ff00::5",
        6,
        64,
        0,
        3,
    ),
    "IPHC, multicast, 48 bits": (
        b"\x7a\x39\x06\x05\x01\x02\x03\x04\x05" + TCP,
        SHORT_1,
        "ff05::1:203:405",
        6,
        64,
        0,
        3,
    ),
    "IPHC, multicast, 32 bits": (b"\x7a\x3a\x06\x05\x01\x02\x03" + TCP, SHORT_1, "ff05::1:203", 6, 64, 0, 3),
    "IPHC, multicast, 8 bits": (b"\x7a\x3b\x06\x01" + TCP, SHORT_1, "ff02::1", 6, 64, 0, 3),
    # ECN comes before DSCP, in the first byte of each form but the last.
    "IPHC, class and label": (b"\x62\x33\xc5\x00\x00\x09\x06" + TCP, SHORT_1, SHORT_2, 6, 64, 3, 3),
    "IPHC, ECN and label": (b"\x6a\x33\x80\x00\x09\x06" + TCP, SHORT_1, SHORT_2, 6, 64, 2, 3),
    "IPHC, class": (b"\x72\x33\x45\x06" + TCP, SHORT_1, SHORT_2, 6, 64, 1, 3),
    "IPHC, UDP": (b"\x7e\x33\xf0" + UDP[:4] + b"\x12\x34abcde", SHORT_1, SHORT_2, 17, 64, 0, 5),
    "IPHC, UDP without checksum": (b"\x7e\x33\xf4" + UDP[:4] + b"abcde", SHORT_1, SHORT_2, 17, 64, 0, 5),
    "IPHC, hop by hop": (b"\x7e\x33\xe0\x06\x06\x01\x04" + bytes(4) + TCP, SHORT_1, SHORT_2, 6, 64, 0, 3),
    "IPHC, two headers, UDP": (
        b"\x7e\x33\xe1\x02\x01\x00\xe7\x06\x01\x04" + bytes(4) + b"\xf4" + UDP[:4] + b"abcde",
        *(SHORT_1, SHORT_2, 17, 64, 0, 5),
    ),
    "in a mesh": (MESH + b"\x7a\x33\x06" + TCP, "fe80::ff:fe00:5", "fe80::ff:fe00:6", 6, 64, 0, 3),
    "in a broadcast": (MESH + b"\x50\x07\x42\xfe\x40" + TCP, "fe80::ff:fe00:5", "fe80::ff:fe00:6", 6, 64, 0, 3),
    "in a deep mesh": (
        b"\x9f\x20" + bytes.fromhex("0a0b0c0d0e0f1011 0006") + b"\x7a\x33\x06" + TCP,
        *("fe80::80b:c0d:e0f:1011", "fe80::ff:fe00:6", 6, 64, 0, 3),
    ),
}
FOUND = ("source", "destination", "protocol", "ttl", "ecn", "payload_bytes")


@pytest.mark.parametrize("name", SIXLOWPAN)
def test_the_headers_of_6lowpan(tmp_path, name):
    payload, *expected = SIXLOWPAN[name]
    for link, fcs in ((files.LR_WPAN, True), (files.LR_WPAN_NO_FCS, False)):
        frame = files.lrwpan(payload, fcs=fcs)
        (row,) = rows(files.pcap([frame], link), tmp_path)
        assert [row[column] for column in FOUND] == expected
        assert row["wire_bytes"] == row["captured_bytes"] == len(frame)
        assert row["retry"] is None
        ports = {6: (49153, 50000), 17: (49153, 51000)}.get(row["protocol"], (None, None))
        assert (row["source_port"], row["destination_port"]) == ports


@pytest.mark.tshark
def test_tshark_reads_these_frames_likewise(tmp_path):
    for name, link, frames in (
        ("wifi", files.WIFI, list(WIFI.values())),
        ("radiotap", files.RADIOTAP, [files.radiotap(frame, tsft=True) for frame in WIFI.values()]),
        ("lrwpan", files.LR_WPAN, [files.lrwpan(payload) for payload, *_ in SIXLOWPAN.values()]),
    ):
        path = tmp_path / f"{name}.pcap"
        path.write_bytes(files.pcap(frames, link))
        found, _ = packets.read(files.library(), {"here": path})
        for name, row, expected in zip(
            WIFI if link != files.LR_WPAN else SIXLOWPAN, found.to_dicts(), tshark.rows(path), strict=True
        ):
            assert {column: row[column] for column in expected} == expected, name


@pytest.mark.parametrize(
    ("encoding", "port_bytes", "ports"),
    [
        (0xF5, b"\xc0\x01\x42", (49153, 0xF042)),
        (0xF6, b"\x42\xc7\x38", (0xF042, 51000)),
        (0xF7, b"\x42", (0xF0B4, 0xF0B2)),
    ],
)
def test_the_ports_of_compressed_udp(tmp_path, encoding, port_bytes, ports):
    payload = b"\x7e\x33" + bytes([encoding]) + port_bytes + b"abcde"
    (row,) = rows(files.pcap([files.lrwpan(payload)], files.LR_WPAN), tmp_path)
    assert (row["source_port"], row["destination_port"], row["payload_bytes"]) == (*ports, 5)
    assert row["ip_bytes"] == 40 + 8 + 5


@pytest.mark.parametrize(
    ("control", "ends", "source", "destination"),
    [
        (0x8841, "0700 0200 0100", SHORT_1, SHORT_2),
        (0x8801, "0700 0200 0800 0100", SHORT_1, SHORT_2),
        (0xCC41, "0700 0807060504030200 1817161514131200", "fe80::212:1314:1516:1718", "fe80::202:304:506:708"),
        (0xC841, "0700 0200 1817161514131200", "fe80::212:1314:1516:1718", SHORT_2),
        (0x8C41, "0700 0807060504030200 0100", SHORT_1, "fe80::202:304:506:708"),
    ],
)
def test_addresses_are_elided_to_those_of_the_link(tmp_path, control, ends, source, destination):
    frame = files.lrwpan(b"\x7a\x33\x06" + TCP, control=control, ends=bytes.fromhex(ends))
    (row,) = rows(files.pcap([frame], files.LR_WPAN), tmp_path)
    assert (row["source"], row["destination"]) == (source, destination)


def test_a_packet_in_fragments_of_6lowpan_is_at_the_first(tmp_path):
    segment = files.tcp(b"x" * 200)
    compressed = b"\x7a\x33\x06" + segment[:80]
    frames = [
        files.lrwpan(struct.pack(">HH", 0xC000 | 260, 9) + compressed),
        files.lrwpan(struct.pack(">HHB", 0xE000 | 260, 9, 15) + segment[80:160]),
        files.lrwpan(struct.pack(">HHB", 0xE000 | 260, 9, 25) + segment[160:]),
    ]
    frame, summary = decoded(files.pcap(frames, files.LR_WPAN), tmp_path)
    (row,) = frame.to_dicts()
    assert (row["ip_bytes"], row["payload_bytes"], row["wire_bytes"]) == (260, 200, len(frames[0]))
    assert (row["destination_port"], row["seq"]) == (50000, 1)
    assert (summary.cut, summary.others) == (0, {"6LoWPAN fragment behind the first": 2})


OTHER_LR_WPAN = {
    "802.15.4 beacon": files.lrwpan(bytes(4), control=0x8000, ends=bytes(4)),
    "802.15.4 acknowledgment": files.lrwpan(b"", control=0x0002, ends=b""),
    "802.15.4 command": files.lrwpan(b"\x04", control=0x8843),
    "802.15.4 type 5": files.lrwpan(b"", control=0x0005),
    "802.15.4 encrypted data": files.lrwpan(bytes(40), control=0x8849),
    "802.15.4 data of another version": files.lrwpan(bytes(40), control=0xA841),
    "802.15.4 data without payload": files.lrwpan(b""),
    "802.15.4 data that is no 6LoWPAN": files.lrwpan(b"\x01\x02\x03"),
    "6LoWPAN compressed by a context": files.lrwpan(b"\x7a\x77\x06" + TCP),
    "6LoWPAN of another kind": files.lrwpan(b"\x42\xfb\x00\x40" + TCP),
}


def test_what_is_no_packet_on_802_15_4_is_counted_by_what_it_is(tmp_path):
    frame, summary = decoded(files.pcap(list(OTHER_LR_WPAN.values()), files.LR_WPAN), tmp_path)
    assert frame.is_empty()
    assert summary.others == dict.fromkeys(OTHER_LR_WPAN, 1)
    others = [
        b"\x7e\x33\xea" + bytes(8),  # a reserved extension header
        b"\x7e\x33\xef" + bytes(8),  # IPv6 once more
        b"\x7e\x33\xa0" + bytes(8),  # a header that nobody knows
        b"\x45" + bytes(8),  # a dispatch that nobody knows
    ]
    _, summary = decoded(files.pcap([files.lrwpan(payload) for payload in others], files.LR_WPAN), tmp_path)
    assert summary.others == {"6LoWPAN of another kind": 4}


# --- cut off, and damaged ---

FRAMES = {
    files.WIFI: [*WIFI.values(), *OTHER_WIFI.values()],
    files.RADIOTAP: [files.radiotap(frame, tsft=True) for frame in (*WIFI.values(), *OTHER_WIFI.values())],
    files.LR_WPAN: [files.lrwpan(payload) for payload, *_ in SIXLOWPAN.values()] + list(OTHER_LR_WPAN.values()),
}


@pytest.mark.parametrize("link", FRAMES)
def test_a_capture_of_headers_has_what_was_captured_and_nothing_else(tmp_path, link):
    whole = {row["time_s"]: row for row in rows(files.pcap(FRAMES[link], link), tmp_path)}
    for snap in range(1, 130, 3):
        frame, summary = decoded(files.pcap(FRAMES[link], link, snap=snap), tmp_path)
        assert summary.incomplete is None
        assert summary.frames == len(FRAMES[link]) == summary.rows + summary.headless + sum(summary.others.values())
        for row in frame.to_dicts():
            full = whole[row["time_s"]] | {"captured_bytes": row["captured_bytes"]}
            assert all(row[name] is None for name in row if row[name] != full[name] and name != "protocol")


RECORD = files.FILE_HEADER + files.RECORD_HEADER
LIES = {
    "a radiotap header that runs over": (files.RADIOTAP, b"\0\0\xff\0" + bytes(40), 0, "version 0 and 255 bytes"),
    "a short radiotap header": (files.RADIOTAP, b"\0\0\x07\0" + bytes(40), 0, "version 0 and 7 bytes"),
    "another radiotap": (files.RADIOTAP, b"\1\0\x08\0" + bytes(40), 0, "version 1 and 8 bytes"),
    "an addressing mode": (files.LR_WPAN, files.lrwpan(bytes(40), control=0x8441), 0, "reserved addressing mode 1"),
    "a packet too short": (
        *(files.LR_WPAN, files.lrwpan(b"\xc0\x27\0\0\x7a\x33\x06" + TCP)),
        *(9 + 7, "compressed IPv6 packet of 39 bytes with headers of 40"),
    ),
    "an option": (
        *(files.LR_WPAN, files.lrwpan(b"\x7a\x33\x06" + files.tcp(options=b"\x08\0\0\0"))),
        *(9 + 3 + 20, "option of kind 8 with length 0"),
    ),
    "another version": (files.WIFI, files.wifi(files.llc(b"\x75" + bytes(40), 0x0800)), 24 + 8, "IP version 7"),
    "uncompressed, too long": (files.LR_WPAN, files.lrwpan(b"\x41" + files.ipv6(TCP)[:-1]), 9 + 1, "of 63 bytes"),
}


@pytest.mark.parametrize("name", LIES)
def test_headers_that_lie_end_the_table_with_the_place(tmp_path, name):
    link, frame, offset, text = LIES[name]
    _, summary = decoded(files.pcap([frame], link), tmp_path)
    assert summary.incomplete.startswith(f"{tmp_path}/capture.pcap: offset {RECORD + offset}: ")
    assert text in summary.incomplete
