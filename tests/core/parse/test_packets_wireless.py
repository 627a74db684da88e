# SPDX-License-Identifier: MIT
"""Frames of 802.11 and of 802.15.4 with 6LoWPAN as the decoder reads them."""

import struct

import pytest

from tests.support import packet_files as files
from tests.support import tshark
from tests.support.packet_files import SEGMENT, decoded, rows
from tests.support.radio_frames import BODY, FRAMES, OTHER_LR_WPAN, OTHER_WIFI, QOS, SHORT_1, SHORT_2, SIXLOWPAN, TCP
from tests.support.radio_frames import WIFI as WIFI_FRAMES


@pytest.mark.parametrize("frame", WIFI_FRAMES.values(), ids=WIFI_FRAMES)
def test_the_headers_of_802_11(tmp_path, frame):
    for link, captured in (
        (files.WIFI, frame),
        (files.RADIOTAP, files.radiotap(frame)),
        (files.RADIOTAP, files.radiotap(frame, tsft=True)),
    ):
        (row,) = rows(files.pcap([captured], link), tmp_path)
        assert (row["destination_port"], row["payload_bytes"], row["retry"]) == (50000, 3, False)
        assert row["wire_bytes"] == row["captured_bytes"] == len(frame)


def test_padding_is_passed_over_where_radiotap_tells_and_a_frame_that_is_sent_again_says_so(tmp_path):
    frame = files.wifi(BODY, control=0x0188, between=QOS + b"\xff\xff")
    (row,) = rows(files.pcap([files.radiotap(frame, flags=0x30)], files.RADIOTAP), tmp_path)
    assert row["payload_bytes"] == 3
    data = files.pcap([files.wifi(BODY), files.wifi(BODY, control=0x0908)], files.WIFI)
    assert [row["retry"] for row in rows(data, tmp_path)] == [False, True]
    assert rows(files.pcap([files.ppp(SEGMENT)]), tmp_path)[0]["retry"] is None


def test_a_packet_in_fragments_of_802_11_is_at_the_first(tmp_path):
    packet = files.ipv4(files.tcp(b"x" * 100))
    whole = files.llc(packet)
    frames = [files.wifi(whole[:80], control=0x0508, sequence=16), files.wifi(whole[80:], sequence=17)]
    frame, summary = decoded(files.pcap(frames, files.WIFI), tmp_path)
    (row,) = frame.to_dicts()
    assert (row["ip_bytes"], row["payload_bytes"], row["wire_bytes"]) == (140, 100, 24 + 80 + 4)
    assert summary.others == {"802.11 fragment behind the first": 1}


# --- 802.15.4 and 6LoWPAN ---

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
        ("wifi", files.WIFI, list(WIFI_FRAMES.values())),
        ("radiotap", files.RADIOTAP, [files.radiotap(frame, tsft=True) for frame in WIFI_FRAMES.values()]),
        ("lrwpan", files.LR_WPAN, [files.lrwpan(payload) for payload, *_ in SIXLOWPAN.values()]),
    ):
        path = tmp_path / f"{name}.pcap"
        path.write_bytes(files.pcap(frames, link))
        found, _ = tshark.compare(path)
        assert len(found) == len(frames)


def test_the_ports_of_compressed_udp(tmp_path):
    expected = {b"\xf5\xc0\x01\x42": (49153, 0xF042), b"\xf6\x42\xc7\x38": (0xF042, 51000)}
    expected[b"\xf7\x42"] = (0xF0B4, 0xF0B2)
    frames = [files.lrwpan(b"\x7e\x33" + header + b"abcde") for header in expected]
    found = rows(files.pcap(frames, files.LR_WPAN), tmp_path)
    assert [(row["source_port"], row["destination_port"]) for row in found] == list(expected.values())
    assert [(row["payload_bytes"], row["ip_bytes"]) for row in found] == [(5, 40 + 8 + 5)] * 3


LONG_1, LONG_2 = "fe80::212:1314:1516:1718", "fe80::202:304:506:708"
ELIDED = {
    (0x8841, "0700 0200 0100"): (SHORT_1, SHORT_2),
    (0x8801, "0700 0200 0800 0100"): (SHORT_1, SHORT_2),
    (0xCC41, "0700 0807060504030200 1817161514131200"): (LONG_1, LONG_2),
    (0xC841, "0700 0200 1817161514131200"): (LONG_1, SHORT_2),
    (0x8C41, "0700 0807060504030200 0100"): (SHORT_1, LONG_2),
}


def test_addresses_are_elided_to_those_of_the_link(tmp_path):
    payload = b"\x7a\x33\x06" + TCP
    frames = [files.lrwpan(payload, control=control, ends=bytes.fromhex(ends)) for control, ends in ELIDED]
    found = rows(files.pcap(frames, files.LR_WPAN), tmp_path)
    assert [(row["source"], row["destination"]) for row in found] == list(ELIDED.values())


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


def test_frames_without_packets_are_counted_by_kind(tmp_path):
    radiotap = {name: files.radiotap(frame) for name, frame in OTHER_WIFI.items()}
    for link, known in ((files.WIFI, OTHER_WIFI), (files.RADIOTAP, radiotap), (files.LR_WPAN, OTHER_LR_WPAN)):
        frame, summary = decoded(files.pcap(list(known.values()), link), tmp_path)
        assert frame.is_empty()
        assert summary.others == dict.fromkeys(known, 1)


def test_wrong_checksums_and_unknown_headers_of_6lowpan_are_counted(tmp_path):
    _, summary = decoded(files.pcap([files.radiotap(files.wifi(BODY), flags=0x50)], files.RADIOTAP), tmp_path)
    assert summary.others == {"802.11 with a wrong checksum": 1}
    # A reserved extension header, IPv6 once more, a header that nobody knows, a dispatch that nobody knows.
    others = [begin + bytes(8) for begin in (b"\x7e\x33\xea", b"\x7e\x33\xef", b"\x7e\x33\xa0", b"\x45")]
    _, summary = decoded(files.pcap([files.lrwpan(payload) for payload in others], files.LR_WPAN), tmp_path)
    assert summary.others == {"6LoWPAN of another kind": 4}


# --- cut off, and damaged ---


@pytest.mark.parametrize("link", [files.ETHERNET, *FRAMES])
def test_a_capture_of_headers_has_what_was_captured_and_nothing_else(tmp_path, link):
    frames = FRAMES.get(link, files.FRAMES)
    whole = {row["time_s"]: row for row in rows(files.pcap(frames, link), tmp_path)}
    for snap in range(1, 130, 1 if link == files.ETHERNET else 3):
        frame, summary = decoded(files.pcap(frames, link, snap=snap), tmp_path)
        assert summary.incomplete is None
        assert summary.frames == len(frames) == summary.rows + summary.headless + sum(summary.others.values())
        cut = 0
        for row in frame.to_dicts():
            full = whole[row["time_s"]] | {"captured_bytes": row["captured_bytes"]}
            different = {name for name in row if row[name] != full[name]}
            # Behind an extension header that is not there, only that header is known.
            assert all(row[name] is None for name in different - {"protocol"})
            cut += bool(different)
        assert cut <= summary.cut


RECORD = files.FILE_HEADER + files.RECORD_HEADER
WRONG_IP = files.wifi(files.llc(b"\x75" + bytes(40), 0x0800))
TOO_SHORT = files.lrwpan(b"\xc0\x27\0\0\x7a\x33\x06" + TCP)
WRONG_OPTION = files.lrwpan(b"\x7a\x33\x06" + files.tcp(options=b"\x08\0\0\0"))
LIES = {
    "a radiotap header that runs over": (files.RADIOTAP, b"\0\0\xff\0" + bytes(40), 0, "version 0 and 255 bytes"),
    "a short radiotap header": (files.RADIOTAP, b"\0\0\x07\0" + bytes(40), 0, "version 0 and 7 bytes"),
    "another radiotap": (files.RADIOTAP, b"\1\0\x08\0" + bytes(40), 0, "version 1 and 8 bytes"),
    "an addressing mode": (files.LR_WPAN, files.lrwpan(bytes(40), control=0x8441), 0, "reserved addressing mode 1"),
    "a packet too short": (files.LR_WPAN, TOO_SHORT, 9 + 7, "compressed IPv6 packet of 39 bytes with headers of 40"),
    "an option": (files.LR_WPAN, WRONG_OPTION, 9 + 3 + 20, "option of kind 8 with length 0"),
    "another version": (files.WIFI, WRONG_IP, 24 + 8, "IP version 7"),
    "uncompressed, too long": (files.LR_WPAN, files.lrwpan(b"\x41" + files.ipv6(TCP)[:-1]), 9 + 1, "of 63 bytes"),
}


@pytest.mark.parametrize("name", LIES)
def test_a_frame_whose_headers_lie_is_named_and_ends_nothing(tmp_path, name):
    link, frame, offset, text = LIES[name]
    _, summary = decoded(files.pcap([frame, frame], link), tmp_path)
    assert (summary.frames, summary.damaged, summary.incomplete) == (2, 2, None)
    assert summary.first_damaged.startswith(f"{tmp_path}/capture.pcap: offset {RECORD + offset}: ")
    assert text in summary.first_damaged
