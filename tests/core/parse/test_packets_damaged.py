# SPDX-License-Identifier: MIT
"""Truncated, damaged or hostile captures: the packets before the damage, or one message with its place."""

import gzip
import struct
import subprocess
import sys
import time
from decimal import Decimal

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tcpsweep.core.parse import packet_decoder, packets
from tests.support import other_frames, pcapng
from tests.support import packet_files as files
from tests.support.packet_files import SEGMENT, decoded
from tests.support.processes import peak_mb, ran
from tests.support.radio_frames import FRAMES as RADIO_FRAMES
from tests.support.tools import ROOT


def test_a_file_cut_anywhere_has_the_packets_before(tmp_path):
    data, starts = files.sample()
    whole, _ = decoded(data, tmp_path)
    has_row = [True, False, True, True, True, True, True, True]
    for size in range(files.FILE_HEADER, len(data)):
        frame, summary = decoded(data[:size], tmp_path)
        complete = sum(start <= size for start in starts) - 1
        assert frame.equals(whole[: sum(has_row[:complete])])
        if size in starts:
            assert summary.incomplete is None
        else:
            assert summary.incomplete.startswith(f"{tmp_path}/capture.pcap: offset {starts[complete]}: the file ends")
    # A packet that is longer than the file's limit is read.
    data = files.pcap([files.ppp(SEGMENT)]).replace(struct.pack("<I", 65535), struct.pack("<I", 20), 1)
    frame, summary = decoded(data, tmp_path)
    assert (frame.height, summary.incomplete, summary.damaged) == (1, None, 0)


HEADER = files.pcap([])
GZIP = gzip.compress(gzip.compress(HEADER))
SECTION = pcapng.section()
REFUSED = {
    "empty": (b"", 0, "the file is empty"),
    "a text": (b"time flow value\n" * 10, 0, "not a pcap or pcapng file"),
    "three bytes": (HEADER[:3], 0, "not a pcap or pcapng file"),
    "half a header": (HEADER[:10], 10, "ends within its header"),
    "gzip": (GZIP, 0, "a gzip file, expected a pcap or pcapng file; `gunzip` unpacks it"),
    "modified": (b"\x34\xcd\xb2\xa1" + HEADER[4:], 0, "editcap -F pcap"),
    "half a section": (SECTION[:20], 0, "ends within a section's header"),
    "no byte order": (SECTION[:8] + bytes(20), 8, "without its byte order"),
    "another pcapng": (SECTION[:12] + b"\2" + SECTION[13:], 12, "pcapng version 2, expected 1"),
    "another version": (HEADER[:4] + b"\x03" + HEADER[5:], 4, "version 3.4, expected 2.4"),
    "another link": (files.pcap([], 147), 20, "link type 147, expected 0 (BSD's loopback), 1 (Ethernet), 9 (PPP)"),
    "a reserved bit": (files.pcap([], files.ETHERNET | 0x08000000), 20, "link type 134217729"),
}


@pytest.mark.parametrize(("data", "offset", "text"), REFUSED.values(), ids=REFUSED)
def test_a_file_that_is_not_a_capture_is_refused_in_one_message(tmp_path, data, offset, text):
    with pytest.raises(packets.CaptureError) as error:
        decoded(data, tmp_path)
    assert str(error.value).startswith(f"{tmp_path}/capture.pcap: offset {offset}: ")
    assert text in str(error.value)
    assert "\n" not in str(error.value)


def option(*values):
    """A TCP segment with bytes for options, filled up with zeros."""
    return files.tcp(options=bytes(values) + bytes(-len(values) % 4))


RECORD = files.FILE_HEADER + files.RECORD_HEADER
IP = RECORD + 2
LIES = {
    "option of length 0": (files.ipv4(option(8, 0)), IP + 40, "option of kind 8 with length 0"),
    "option of length 1": (files.ipv4(option(1, 254, 1)), IP + 41, "kind 254 with length 1"),
    "option that runs over": (files.ipv4(option(1, 1, 8, 10)), IP + 42, "option of 10 bytes in the last 2"),
    "option without length": (files.ipv4(option(1, 1, 1, 8)), IP + 43, "without length"),
    "short timestamps": (files.ipv4(option(8, 4, 0, 0)), IP + 40, "kind 8 with length 4"),
    "half a SACK block": (files.ipv4(option(5, 6, 0, 0, 0, 0, 0, 0)), IP + 40, "kind 5 with length 6"),
    "no SACK block": (files.ipv4(option(5, 2, 0, 0)), IP + 40, "kind 5 with length 2"),
    "TCP header too short": (files.ipv4(files.tcp(words=4)), IP + 20, "TCP header of 16 bytes"),
    "TCP header too long": (files.ipv4(files.tcp(words=15)), IP + 20, "TCP header of 60 bytes in 20"),
    "no room for TCP": (files.ipv4(b"abc"), IP + 20, "TCP header of 20 bytes in 3"),
    "no room for UDP": (files.ipv4(b"abc", files.UDP), IP + 20, "UDP header of 8 bytes in 3"),
    "UDP too long": (files.ipv4(files.udp(length=9), files.UDP), IP + 24, "UDP datagram of 9 bytes in 8"),
    "UDP too short": (files.ipv4(files.udp(length=7), files.UDP), IP + 24, "UDP datagram of 7 bytes"),
    "IPv4 too long": (SEGMENT[:-1], IP, "IP packet of 43 bytes with a header of 20, in a frame that has 42"),
    "IPv4 too short": (SEGMENT[:2] + b"\0\x13" + SEGMENT[4:], IP, "IP packet of 19 bytes"),
    "IPv4 header too short": (b"\x44" + SEGMENT[1:], IP, "IPv4 header of 16 bytes"),
    "no room for IPv4": (SEGMENT[:19], IP, "19 bytes for an IP packet"),
    "another version": (b"\x75" + SEGMENT[1:], IP, "IP version 7 where the link's header says IPv4"),
    "IPv6 too long": (files.ipv6(files.tcp())[:-1], IP, "IP packet of 60 bytes"),
    "endless extension": (files.ipv6(b"\x3c\xff" + bytes(30), 60), IP + 40, "extension header runs over"),
    "no room for extension": (files.ipv6(b"\x06\0\0", 60), IP + 40, "extension header runs over"),
}


@pytest.mark.parametrize(("packet", "offset", "text"), LIES.values(), ids=LIES)
def test_a_packet_whose_lengths_lie_is_named_and_ends_nothing(tmp_path, packet, offset, text):
    before = files.ppp(SEGMENT)
    shift = files.RECORD_HEADER + len(before)
    data = files.pcap([before, files.ppp(packet, 0x57 if packet[0] >> 4 == 6 else 0x21), before, before])
    frame, summary = decoded(data, tmp_path)
    assert summary.incomplete is None
    assert summary.damaged == 1
    assert summary.first_damaged.startswith(f"{tmp_path}/capture.pcap: offset {offset + shift}: ")
    assert text in summary.first_damaged
    assert "\n" not in summary.first_damaged
    assert frame.height == summary.rows == 4 - summary.headless
    assert frame.filter(pl.col("payload_bytes") == 3).height >= 3
    # What has addresses has a row, as far as it could be read.
    readable = frame.filter(pl.col("time_s") == Decimal("0.002"))
    has_addresses = "IPv4" not in text and "IP version" not in text and "19" not in text
    assert readable.height == 1 - summary.headless == has_addresses
    assert set(readable["source"]) <= {"10.0.0.1", "fd00::1"}


@pytest.mark.parametrize(("value", "text"), [(262145, "with"), (2**32 - 1, "with"), (46, "of 45 bytes with")])
@pytest.mark.parametrize("order", ["<", ">"])
def test_records_that_lie_end_the_table_with_the_place(tmp_path, value, text, order):
    frame = files.ppp(SEGMENT)
    data = bytearray(files.pcap([frame] * 3, order=order, snap=0x7FFFFFFF))
    place = RECORD + len(frame) + 8
    struct.pack_into(f"{order}I", data, place, value)
    found, summary = decoded(bytes(data), tmp_path)
    assert found.height == 1
    assert summary.incomplete.startswith(f"{tmp_path}/capture.pcap: offset {place}: ")
    assert f"{text} {value} captured" in summary.incomplete


@given(st.data())
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_damaged_byte_leaves_the_packets_before_it(tmp_path, data):
    original, starts = files.sample()
    whole, _ = decoded(original, tmp_path)
    place = data.draw(st.integers(files.FILE_HEADER, len(original) - 1))
    value = data.draw(st.integers(0, 255))
    frame, summary = decoded(original[:place] + bytes([value]) + original[place + 1 :], tmp_path)
    before = sum(start <= place for start in starts) - 1
    kept = before - (before > 1)  # the second frame has no row
    assert frame[:kept].equals(whole[:kept])
    assert summary.incomplete is None or ": offset " in summary.incomplete


LINKS = [
    *(files.ETHERNET, files.PPP, files.RAW_IP, files.WIFI, files.RADIOTAP, files.LR_WPAN),
    *(files.LOOPBACK, files.COOKED, files.COOKED_2),
]


@given(st.binary(max_size=300))
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_behind_a_header_are_decoded_or_named(tmp_path, tail):
    for link in LINKS:
        _, summary = decoded(files.pcap([], link) + tail, tmp_path)
        assert summary.incomplete is None or ": offset " in summary.incomplete
        frame, summary = decoded(files.pcap([tail], link), tmp_path)
        assert frame.height == summary.rows == summary.frames - summary.headless - sum(summary.others.values())


@pytest.mark.long
@pytest.mark.native
def test_damaged_files_are_decoded_without_a_fault_of_memory(tmp_path):
    given = ("-S", packet_decoder.NATIVE, "-B", tmp_path / "fuzz", "-G", "Ninja", "-DFUZZ=ON")
    for options in (given, ("--build", tmp_path / "fuzz")):
        subprocess.run(["cmake", *options], check=True, stdout=subprocess.DEVNULL)
    contents = {
        "sample.pcap": files.sample()[0],
        "sample.pcapng": pcapng.sample(),
        "tagged.pcap": files.pcap(list(other_frames.ETHERNET.values()), files.ETHERNET),
    }
    contents |= {f"link-{link}.pcap": files.pcap(frames, link) for link, frames in RADIO_FRAMES.items()}
    for name in ("ipv4-ecn", "ipv6", "cut"):
        for path in files.network(name, tmp_path / name).glob("capture-[23]-[12].pcap"):
            contents[f"{name}-{path.name}"] = thinned(path.read_bytes(), 60)
    seeds = [tmp_path / name for name in contents]
    for seed in seeds:
        seed.write_bytes(contents[seed.name])
    done = ran(tmp_path / "fuzz" / "fuzz", "1", "2000", *seeds)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("2000 files: ")


def thinned(data, every):
    """A capture with this number of packets, one of them damaged."""
    kept, at, number = data[: files.FILE_HEADER], files.FILE_HEADER, 0
    while at < len(data):
        end = at + files.RECORD_HEADER + struct.unpack_from("<I", data, at + 8)[0]
        if number % every == 0:
            kept += data[at:end]
        at, number = end, number + 1
    return kept


DECODE = """
import sys
from pathlib import Path
from tcpsweep.core.parse import packet_decoder, packets
packets.write(packet_decoder.library(), {"here": Path(sys.argv[1])}, Path(sys.argv[2]))
"""


def alike(count):
    """A capture in which all packets are the same."""
    return files.pcap([]) + files.pcap([files.ppp(SEGMENT)])[files.FILE_HEADER :] * count


def strangers(count):
    """A capture in which no two packets have the same addresses."""
    segment = files.ppp(files.ipv4(files.tcp()))
    one = files.pcap([segment])
    record = one[files.FILE_HEADER :]
    place = files.RECORD_HEADER + 2 + 12
    ends = (struct.pack(">II", n, ~n & 0xFFFFFFFF) for n in range(count))
    return one[: files.FILE_HEADER] + b"".join(record[:place] + end + record[place + 8 :] for end in ends)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["like", "strange"])
def test_memory_does_not_grow_with_the_file(tmp_path, kind):
    peaks = []
    for count in (500_000, 2_000_000):
        path = tmp_path / f"{count}.pcap"
        path.write_bytes(alike(count) if kind == "like" else strangers(count))
        peaks.append(peak_mb(DECODE, path, tmp_path / "out.parquet"))
    assert peaks[1] < 300
    assert kind != "like" or peaks[1] < peaks[0] + 50


@pytest.mark.long
def test_a_killed_process_leaves_no_table(tmp_path):
    path, out = tmp_path / "capture.pcap", tmp_path / "packets.parquet"
    path.write_bytes(alike(1_000_000))
    process = subprocess.Popen([sys.executable, "-c", DECODE, path, out], cwd=ROOT)
    while not list(tmp_path.glob(".packets.parquet.*")):
        assert process.poll() is None
        time.sleep(0.001)
    process.kill()
    process.wait()
    assert not out.exists()
