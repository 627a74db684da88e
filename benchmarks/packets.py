# SPDX-License-Identifier: MIT
"""Compare the speed of parsing captures into tables with tshark, which prints the same fields to /dev/null.

The capture repeats ns-3's packets at an IPv4 bottleneck, with SACK, retransmissions and UDP. It has 128 bytes of each
frame, and times keep increasing. Every result is for whole processes, from start to end.
"""

import struct
import sys
from dataclasses import dataclass

import harness

LEAST_RATIO = 25
MOST_MIB = 300
MOST_START = 0.5  # of Snakemake's
LEAST_TRACE_RATIO = 0.2
FILE_HEADER, RECORD_HEADER = 24, 16
FIELDS = {
    "frame": ["time_epoch", "len", "cap_len"],
    "ip": ["src", "dst", "proto", "len", "ttl", "id", "dsfield.ecn"],
    "ipv6": ["src", "dst", "nxt", "plen", "hlim", "tclass.ecn"],
    "udp": ["srcport", "dstport", "length"],
    "tcp": ["srcport", "dstport", "len", "seq_raw", "ack_raw", "flags", "window_size_value"],
    "tcp.options": ["wscale.shift", "timestamp.tsval", "timestamp.tsecr", "sack_le", "sack_re"],
}
IMPORTS = "from tcpsweep.core.parse import ascii_trace, packets, raw_files"
PACKETS = (
    "import sys; from pathlib import Path; from tcpsweep.core.parse import packet_decoder, packets;"
    "packets.write(packet_decoder.library(), {'bottleneck': Path(sys.argv[1])}, Path(sys.argv[2]))"
)
TRACE = (
    "import sys; from pathlib import Path; from tcpsweep.core.parse import ascii_trace;"
    "ascii_trace.write_events(Path(sys.argv[1]), Path(sys.argv[2]))"
)
NETWORK = (
    "import pathlib, sys; from tests.support import packet_files;"
    "packet_files.simulate(pathlib.Path(sys.argv[1]), '--ns3::PcapFileWrapper::CaptureSize=128', *sys.argv[2:])"
)


@dataclass(frozen=True)
class Size:
    """The packets to decode, in comparison with tshark and only by us, the bytes of TCP, and the number of rounds."""

    packets: int
    others: tuple
    network_bytes: int
    rounds: int


SIZES = {
    "full": Size(2_000_000, (500_000, 8_000_000), 3_000_000, 3),
    "quick": Size(200_000, (1_000_000,), 3_000_000, 3),
    "tiny": Size(1_000, (2_000,), 300_000, 1),
}


def minutes(size):
    """The approximate duration. tshark reads 50,000 packets a second."""
    return (size.rounds * (size.packets / 50e3 + 6) + sum(size.others) / 1e6) / 60


def python(code, *arguments):
    """A command that runs Python code with arguments, as arguments of `harness.cost`."""
    return [[sys.executable, "-c", code, *arguments]]


def tshark(capture):
    """The command of tshark that prints the fields of the table of packets, as arguments of `harness.cost`."""
    options = [text for layer in FIELDS for field in FIELDS[layer] for text in ("-e", f"{layer}.{field}")]
    return [[harness.tool("tshark", "tshark"), "-n", "-r", capture, "-T", "fields", *options]]


def repeated(source, target, count):
    """Write a capture of ``count`` packets: those of another capture, repeated with later times."""
    data = source.read_bytes()
    body = bytearray(data[FILE_HEADER:])
    starts, at = [], 0
    while at < len(body):
        starts.append(at)
        at += RECORD_HEADER + struct.unpack_from("<I", body, at + 8)[0]
    span = struct.unpack_from("<I", body, starts[-1])[0] + 1
    with target.open("wb") as out:
        out.write(data[:FILE_HEADER])
        while count > 0:
            out.write(body if count >= len(starts) else body[: starts[count]])
            count -= len(starts)
            for start in starts:
                struct.pack_into("<I", body, start, struct.unpack_from("<I", body, start)[0] + span)


def measure(size, scratch):
    """Speed against tshark, peak memory, and the start of a process that has nothing to do."""
    harness.tool("tshark", "tshark")
    network, table = scratch / "network", scratch / "table.parquet"
    written = network / "capture-2-2.pcap"
    harness.cost(*python(NETWORK, network, f"--bytes={size.network_bytes}"))
    harness.cost(*python(PACKETS, written, table))  # compiles the decoder if that was not done before

    def captured(count):
        capture = scratch / "capture.pcap"
        repeated(written, capture, count)
        return capture

    nothing = "start with nothing to parse"
    starts = harness.interleaved(
        {nothing: python(IMPORTS), harness.YARDSTICK: harness.START_SNAKEMAKE}, 2 * size.rounds
    )
    shares = harness.ratios(starts[nothing], starts[harness.YARDSTICK], "cpu_s")
    yield harness.judged(f"packets: {nothing} / {harness.YARDSTICK}, CPU time", shares, most=MOST_START)
    capture = captured(size.packets)
    commands = {"ours": python(PACKETS, capture, table), "tshark": tshark(capture)}
    costs = harness.interleaved(commands, size.rounds)
    beside = f"{size.packets} packets, {capture.stat().st_size / 1e6:.0f} MB, tshark / ours"
    walls, cpus = (harness.ratios(costs["tshark"], costs["ours"], what) for what in ("wall_s", "cpu_s"))
    yield harness.judged(f"packets: {beside}, wall time", walls, least=LEAST_RATIO, digits=1)
    yield harness.judged(f"packets: {beside}, CPU time", cpus, digits=1)
    peaks = {size.packets: [one.peak_mib for one in costs["ours"]]}
    for count in size.others:
        name = f"ours, {count} packets"
        found = harness.interleaved({name: python(PACKETS, captured(count), table)}, 1)
        peaks[count] = [one.peak_mib for one in found[name]]
    for count, peak in sorted(peaks.items()):
        name = f"packets: peak memory, {count} packets"
        yield harness.judged(name, peak, most=MOST_MIB, unit=" MiB", digits=0)

    trace = network / "ascii.tr"
    words = [[harness.tool("awk", "mawk"), "{ words += NF } END { print words }", trace]]
    costs = harness.interleaved({"ascii.tr": python(TRACE, trace, table), "awk": words}, size.rounds)
    speeds = harness.ratios(costs["awk"], costs["ascii.tr"])
    yield harness.judged("packets: ascii.tr, awk that counts its words / ours", speeds, least=LEAST_TRACE_RATIO)


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
