# SPDX-License-Identifier: MIT
"""Other people's captures: link types, offloaded packets, pcapng, and times since the epoch; tshark agrees."""

import struct
from decimal import Decimal

import polars as pl
import pytest

from tcpsweep.core.parse import packets
from tests.support import other_frames, pcapng, tshark
from tests.support import packet_files as files
from tests.support.other_frames import HEADERS, LINKS, OTHER_ETHERNET, V6
from tests.support.packet_files import SEGMENT, decoded, rows

EPOCH_NS = 1_700_000_000 * 10**9


@pytest.mark.parametrize("link", HEADERS)
def test_the_headers_of_links(tmp_path, link):
    frames = list(HEADERS[link].values())
    found = rows(files.pcap(frames, link), tmp_path)
    assert {row["source"] for row in found} <= {"10.0.0.1", "fd00::1"}
    assert [(row["destination_port"], row["payload_bytes"]) for row in found] == [(50000, 3)] * len(frames)
    assert [row["wire_bytes"] for row in found] == [len(frame) for frame in frames]


def test_content_other_than_ip_after_tags_and_labels_is_counted(tmp_path):
    frame, summary = decoded(files.pcap(list(OTHER_ETHERNET.values()), files.ETHERNET), tmp_path)
    assert frame.is_empty()
    assert summary.others == dict.fromkeys(OTHER_ETHERNET, 1)
    _, summary = decoded(files.pcap([struct.pack("<I", 7) + bytes(30)], files.LOOPBACK), tmp_path)
    assert summary.others == {"address family 7": 1}


@pytest.mark.parametrize("link", [files.ETHERNET, files.WIFI, files.COOKED, files.COOKED_2, files.LOOPBACK])
def test_headers_of_links_that_are_cut_off_are_headless(tmp_path, link):
    frames = [*LINKS[link].values()]
    for snap in range(1, 40):
        found, summary = decoded(files.pcap(frames, link, snap=snap), tmp_path)
        assert (summary.incomplete, summary.damaged) == (None, 0)
        assert found.height + summary.headless + sum(summary.others.values()) == len(frames)


def offloaded(packet):
    """A packet as it is captured before the device cuts it: without its length."""
    return packet[:4] + bytes(2) + packet[6:] if packet[0] >> 4 == 6 else packet[:2] + bytes(2) + packet[4:]


def test_a_packet_without_a_length_is_as_long_as_its_frame(tmp_path):
    long = b"x" * 70000
    frames = [files.ethernet(offloaded(packet)) for packet in (files.ipv4(files.tcp(b"x" * 60000)), V6)]
    frames.append(files.ethernet(b"\x45\0\0\0" + SEGMENT[4:20] + files.tcp(long)))
    frames.append(files.ethernet(files.ipv6(b"", 59)) + bytes(6))  # padding, and nothing that would need a length
    found = rows(files.pcap(frames, files.ETHERNET, snap=2**18), tmp_path)
    assert [row["payload_bytes"] for row in found] == [60000, 3, 70000, 0]
    assert [row["ip_bytes"] for row in found] == [60040, 63, 70040, 40]


# --- times ---


def test_times_since_the_epoch_are_told_from_a_base_on(tmp_path):
    path = tmp_path / "capture.pcap"
    path.write_bytes(files.pcap([files.ppp(SEGMENT)] * 2, nanoseconds=True, step=EPOCH_NS + 1))
    first = packets.first_time_ns(files.library(), path)
    assert first == EPOCH_NS + 1
    frame, (summary,) = files.read({"here": path}, base_ns=first)
    # The second is as far from the first as that from the epoch, 31 years and more.
    assert frame["time_s"].to_list() == [Decimal(0), None]
    assert summary.damaged == 1
    assert "more than 31 years from the first" in summary.first_damaged
    for data in (files.pcap([]), files.pcap([])[:30] + b"\0"):  # without packets
        path.write_bytes(data)
        assert packets.first_time_ns(files.library(), path) is None


# --- pcapng ---


def test_every_kind_of_block_of_pcapng(tmp_path):
    path = tmp_path / "capture.pcapng"
    path.write_bytes(pcapng.sample())
    frame, (summary,) = files.read({"here": path}, base_ns=EPOCH_NS)
    assert (summary.frames, summary.rows, summary.cut) == (7, 6, 0)
    assert (summary.incomplete, summary.damaged) == (None, 0)
    assert summary.interfaces == ["eth0", "ppp0", "", "own"]
    assert summary.others == {"link type 147": 1}
    assert frame["interface"].to_list() == ["here:eth0", "here:ppp0", *["here:eth0"] * 2, *["here:2"] * 2]
    times = ("0.123456789", "0.5", "1.000000001", None, "2.5", "3")
    assert frame["time_s"].to_list() == [time and Decimal(time) for time in times]
    assert frame["payload_bytes"].to_list() == [3] * 5 + [100]
    assert packets.first_time_ns(files.library(), path) == EPOCH_NS + 123456789


@pytest.mark.parametrize("order", ["<", ">"])
def test_the_units_of_time(tmp_path, order):
    # A resolution, a number of ticks, and the seconds; no number of nanoseconds holds the third.
    units = [(None, 1_500_000, "1.5"), (0, 3, "3"), (0, 2**62, None), (3, 1500, "1.5"), (9, 10**9 + 1, "1.000000001")]
    units += [(12, 1_000_000_001_999, "1.000000001"), (100, 2**63, "0")]
    units += [(0x80, 3, "3"), (0x80 | 32, 5 << 31, "2.5"), (0x80 | 127, 2**63, "0")]
    data = pcapng.section(order)
    for resolution, _, _ in units:
        data += pcapng.interface(order=order, **({} if resolution is None else {"resolution": resolution}))
    for number, (_, ticks, _) in enumerate(units):
        data += pcapng.packet(files.ethernet(SEGMENT), ticks, number, order=order)
    found = [row["time_s"] for row in rows(data, tmp_path)]
    assert found == [seconds and Decimal(seconds) for *_, seconds in units]


@pytest.mark.parametrize("snap", [20, 40, 60])
def test_simple_packets_are_cut_at_their_interfaces_length(tmp_path, snap):
    frame = files.ethernet(SEGMENT)
    data = pcapng.section() + pcapng.interface(snap=snap) + 3 * pcapng.simple_packet(frame, snap=snap)
    found, summary = decoded(data, tmp_path)
    assert summary.frames == found.height + summary.headless == 3
    assert found["captured_bytes"].to_list() == [min(snap, len(frame))] * found.height
    assert found["wire_bytes"].to_list() == [len(frame)] * found.height


def test_a_pcapng_cut_anywhere_has_the_packets_before(tmp_path):
    data = pcapng.sample()
    heights = []
    for size in range(28, len(data), 3):
        found, summary = decoded(data[:size], tmp_path)
        heights.append(found.height)
        assert summary.incomplete is None or "the file ends within" in summary.incomplete
    assert heights == sorted(heights)
    assert heights[-1] in (5, 6)


@pytest.mark.parametrize(
    ("block", "text"),
    [
        (struct.pack("<III", 6, 4, 4), "a block of 4 bytes"),
        (struct.pack("<IIQ", 6, 16, 16), "expected at least 32"),
        (pcapng.packet(b"", 0)[:-1] + b"\1", "ends with the length 16777248"),
        (pcapng.packet(b"", 0, number=1), "a packet of interface 1, where the section has 1"),
        (pcapng.block(6, struct.pack("<IIIII", 0, 0, 0, 2**20, 0)), "with 1048576 bytes captured"),
        (pcapng.block(1, struct.pack("<HHIHH", 1, 0, 0, 2, 9)), "an interface's option of 9 bytes in the last 0"),
    ],
)
def test_blocks_that_lie_end_the_table_with_the_place(tmp_path, block, text):
    before = pcapng.section() + pcapng.interface() + pcapng.packet(files.ethernet(SEGMENT), 0)
    found, summary = decoded(before + block + pcapng.packet(files.ethernet(SEGMENT), 0), tmp_path)
    assert found["payload_bytes"].drop_nulls().to_list() == [3]
    assert text in summary.incomplete
    assert ": offset " in summary.incomplete


# --- tshark ---


def all_links():
    """A pcapng file with an interface for each link type, and all frames of each."""
    frames = {link: [*of.values(), *other_frames.OTHERS.get(link, {}).values()] for link, of in LINKS.items()}
    frames[files.ETHERNET] += [files.ethernet(offloaded(packet)) for packet in (files.ipv4(files.tcp(b"x" * 9000)), V6)]
    blocks = [pcapng.section(), *map(pcapng.interface, frames)]
    for number, own in enumerate(frames.values()):
        blocks += [pcapng.packet(frame, 10**6 * (10 + number), number) for frame in own]
    return b"".join(blocks)


CAPTURES = {"all links": (all_links(), 0), "all blocks": (pcapng.sample(), EPOCH_NS)}


@pytest.mark.tshark
@pytest.mark.parametrize("name", CAPTURES)
def test_tshark_reads_the_same(tmp_path, name):
    path = tmp_path / "capture"
    data, base_ns = CAPTURES[name]
    path.write_bytes(data)
    tshark.compare(path, base_ns)


@pytest.mark.tshark
def test_merged_and_converted_files_have_the_same_packets(tmp_path):
    first, second = tmp_path / "first.pcap", tmp_path / "second.pcap"
    data, _ = files.sample()
    first.write_bytes(data)
    second.write_bytes(files.pcap([files.ppp(SEGMENT)] * 3))
    frame, _ = files.read({"first": first, "second": second})
    merged = tmp_path / "merged.pcapng"
    tshark.run("mergecap", "-a", "-w", merged, first, second)
    found, (summary,) = files.read({"merged": merged})
    assert summary.frames == 11
    assert found.drop("interface").equals(frame.drop("interface"))
    assert found["interface"].n_unique() == 2
    assert pl.Series(summary.interfaces).n_unique() == 1
