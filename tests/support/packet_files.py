# SPDX-License-Identifier: MIT
"""Capture files for the tests of the decoders: some packed here byte by byte, some written by ns-3."""

import contextlib
import functools
import ipaddress
import os
import struct
import subprocess
from pathlib import Path

import polars as pl
import yaml

from tcpsweep.core.identity import cpp_code, hashing
from tcpsweep.core.ns3 import engine
from tcpsweep.core.parse import ascii_trace, packet_decoder, packets
from tcpsweep.core.store import compiled_programs
from tcpsweep.core.words import table_columns
from tests.support.tools import PATIENCE_S, ROOT

ETHERNET, PPP, RAW_IP = 1, 9, 101
WIFI, RADIOTAP, LR_WPAN, LR_WPAN_NO_FCS = 105, 127, 195, 230
LOOPBACK, OPENBSD_LOOPBACK, COOKED, RAW_IPV4, RAW_IPV6, COOKED_2 = 0, 108, 113, 228, 229, 276
TCP, UDP, ICMP = 6, 17, 1
SYN, ACK, ECE, CWR, AE = 2, 16, 64, 128, 256
FILE_HEADER, RECORD_HEADER = 24, 16
PROGRAMS = yaml.safe_load(Path(__file__).with_name("captured_networks.yaml").read_text())
NETWORKS, RADIO_NETWORKS = (PROGRAMS[name]["networks"] for name in ("captures", "wireless-captures"))


def pcap(frames, link=PPP, *, order="<", nanoseconds=False, snap=65535, step=1000):
    """A pcap file of frames, one each ``step`` ticks, as the machine with the byte order ``order`` writes it."""
    magic, ticks = (0xA1B23C4D, 10**9) if nanoseconds else (0xA1B2C3D4, 10**6)
    data = struct.pack(f"{order}IHHiIII", magic, 2, 4, 0, 0, snap, link)
    for number, frame in enumerate(frames, 1):
        seconds, rest = divmod(number * step, ticks)
        data += struct.pack(f"{order}IIII", seconds, rest, min(len(frame), snap), len(frame)) + frame[:snap]
    return data


def ppp(packet, protocol=None):
    """A PPP frame as ns-3 writes it."""
    protocol = protocol or (0x0057 if packet[0] >> 4 == 6 else 0x0021)
    return struct.pack(">H", protocol) + packet


def ethernet(packet, kind=None):
    kind = kind or (0x86DD if packet[0] >> 4 == 6 else 0x0800)
    return bytes(range(12)) + struct.pack(">H", kind) + packet


def llc(packet, kind=None):
    """A packet after LLC's header with SNAP."""
    return b"\xaa\xaa\x03\0\0\0" + struct.pack(">H", kind or (0x86DD if packet[0] >> 4 == 6 else 0x0800)) + packet


def wifi(body, *, control=0x0108, sequence=16, between=b""):
    """An 802.11 frame with a checksum of zeros, to an access point by default.

    ``between`` are the header's bytes after the first 24: a fourth address, QoS control, HT control.
    """
    return struct.pack("<HH18sH", control, 44, bytes(range(18)), sequence) + between + body + bytes(4)


def radiotap(frame, *, flags=0x10, tsft=False):
    """A frame after radiotap's header with flags (default: it has a checksum), and perhaps a time."""
    fields = bytes(8) + bytes([flags]) if tsft else bytes([flags])
    return struct.pack("<BBHI", 0, 0, 8 + len(fields), 3 if tsft else 2) + fields + frame


def lrwpan(payload, *, control=0x8841, ends=b"\x07\x00\x02\x00\x01\x00", fcs=True):
    """An 802.15.4 frame, by default from the short address 1 to 2 in the PAN 7.

    ``ends`` are the header's bytes after the first 3, each number's lower byte first.
    """
    return struct.pack("<HB", control, 9) + ends + payload + (bytes(2) if fcs else b"")


def ipv4(payload, protocol=TCP, source="10.0.0.1", destination="10.0.0.2", *, ecn=0, fragment=0, options=b"", ttl=64):
    """An IPv4 packet; ``fragment`` is the field of flags and offset."""
    words = 5 + len(options) // 4
    head = struct.pack(">BBHHHBBH", 0x40 | words, ecn, words * 4 + len(payload), 7, fragment, ttl, protocol, 0)
    ends = ipaddress.IPv4Address(source).packed + ipaddress.IPv4Address(destination).packed
    return head + ends + options + payload


def ipv6(payload, protocol=TCP, source="fd00::1", destination="fd00::2", *, ecn=0):
    """An IPv6 packet; its extension headers are part of the payload."""
    head = struct.pack(">IHBB", 6 << 28 | ecn << 20, len(payload), protocol, 64)
    return head + ipaddress.IPv6Address(source).packed + ipaddress.IPv6Address(destination).packed + payload


def tcp(payload=b"", options=b"", source=49153, destination=50000, *, seq=1, ack=1, flags=ACK, window=1000, words=None):
    words = 5 + len(options) // 4 if words is None else words
    return (
        struct.pack(">HHIIHHHH", source, destination, seq, ack, words << 12 | flags, window, 0, 0) + options + payload
    )


def udp(payload=b"", source=49153, destination=51000, *, length=None):
    return struct.pack(">HHHH", source, destination, 8 + len(payload) if length is None else length, 0) + payload


def timestamps(tsval, tsecr):
    """The TCP option of RFC 7323, with two bytes of padding before it."""
    return b"\x01\x01" + struct.pack(">BBII", 8, 10, tsval, tsecr)


def sack(*blocks):
    """The TCP option of RFC 2018, with two bytes of padding before it."""
    return b"\x01\x01" + struct.pack(">BB", 5, 2 + 8 * len(blocks)) + b"".join(struct.pack(">II", *b) for b in blocks)


FLOW = {"flow": 3, "source": "10.0.0.1", "source_port": 49153, "destination": "10.0.0.2", "destination_port": 50000}
SEGMENT = ipv4(tcp(b"abc"))


# A packet of every kind.
FRAMES = [
    ethernet(ipv4(tcp(options=b"\x03\x03\x07\x00", flags=SYN))),
    ethernet(bytes(28), 0x0806),
    ethernet(ipv4(tcp(b"x" * 9, timestamps(1, 2), flags=ACK | ECE | CWR), ecn=3)),
    ethernet(ipv6(tcp(options=sack((5, 6), (8, 9)), flags=ACK | AE), ecn=2)),
    ethernet(ipv4(udp(b"y" * 5), UDP)),
    ethernet(ipv4(b"z" * 16, UDP, fragment=0x0003)),
    ethernet(ipv6(struct.pack(">BBHI", UDP, 0, 1, 5) + udp(b"y" * 8, length=4000), 44)),
    ethernet(ipv4(bytes(8), ICMP)),
]


def sample():
    """A small file of `FRAMES`, and where its records begin."""
    starts = [FILE_HEADER]
    for frame in FRAMES:
        starts.append(starts[-1] + RECORD_HEADER + len(frame))
    return pcap(FRAMES, ETHERNET), starts


@functools.cache
def library():
    """The decoder of pcap files, compiled where it was not before."""
    with contextlib.chdir(ROOT):
        return packet_decoder.library().absolute()


def read(captures, flows=(), base_ns=0):
    """The table of captures, by the names of their interfaces, and the summary of each."""
    summaries = []
    frames = list(packets.blocks(library(), captures, flows, summaries, base_ns))
    return pl.concat([pl.DataFrame(schema=table_columns.schema("packets")), *frames]), summaries


def read_trace(path):
    summaries = []
    return pl.concat(list(ascii_trace.blocks(path, summaries))), *summaries


def decoded(data, folder, flows=()):
    path = folder / "capture.pcap"
    path.write_bytes(data)
    frame, (summary,) = read({"here": path}, flows)
    return frame, summary


def rows(data, folder, flows=()):
    """The rows of a file that is whole."""
    frame, summary = decoded(data, folder, flows)
    assert summary.incomplete is None
    return frame.to_dicts()


def compile_captures(program="captures"):
    """Compile one of the programs that capture against the ns-3 of the tests, where that was not done before."""
    found = engine.find()
    source = ROOT / "tests" / "programs" / f"{program}.cc"
    digest = hashing.short_hash(cpp_code.strip_cpp(source.read_text()))
    binary = compiled_programs.folder() / found.name / f"{program}-{digest}"
    if binary.is_file():
        return binary
    binary.parent.mkdir(parents=True, exist_ok=True)
    libraries = next(found.prefix.glob("lib*/libns3*-core.so")).parent
    part = binary.with_name(f".{binary.name}.{os.getpid()}")
    command = ["c++", "-std=c++20", "-O1", "-DNS3_ASSERT_ENABLE", "-DNS3_LOG_ENABLE", "-isystem"]
    command += [found.prefix / "include", "-o", part, source, f"-L{libraries}"]
    command += [f"-Wl,--no-as-needed,--disable-new-dtags,-rpath,{libraries}"]
    command += [f"-l:libns{found.version}-{module}.so" for module in PROGRAMS[program]["modules"].split()]
    subprocess.run(command, check=True)
    return part.rename(binary)


def simulate(folder, *arguments, program="captures"):
    """Run one of these programs into a new folder."""
    folder.mkdir()
    subprocess.run([compile_captures(program), f"--out={folder}", *arguments], check=True, timeout=PATIENCE_S)
    return folder


def network(name, folder):
    """What ns-3 writes of one of the `NETWORKS` or `RADIO_NETWORKS`, in a new folder."""
    program = "captures" if name in NETWORKS else "wireless-captures"
    return simulate(folder, *(NETWORKS | RADIO_NETWORKS)[name], program=program)
