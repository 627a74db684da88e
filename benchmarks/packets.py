# SPDX-License-Identifier: MIT
"""How fast captures become tables, beside tshark: `python benchmarks/packets.py`, with an environment that has ns-3.

The capture holds packets that ns-3 wrote, of an IPv4 bottleneck with SACK, retransmissions and UDP, with 128 bytes of
each frame, again and again while time goes on. Tshark prints the same fields of it, to nowhere. Every figure is that of
whole processes, from start to end, and the best of some runs, ours and tshark's in turn. The exit status tells whether
the targets are met.
"""

import argparse
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import packet_files as files  # noqa: E402

LEAST_RATIO = 25
MOST_MIB = 300
MOST_START_S = 0.5
LEAST_TRACE_MB_S = 20
FIELDS = {
    "frame": ["time_epoch", "len", "cap_len"],
    "ip": ["src", "dst", "proto", "len", "ttl", "id", "dsfield.ecn"],
    "ipv6": ["src", "dst", "nxt", "plen", "hlim", "tclass.ecn"],
    "udp": ["srcport", "dstport", "length"],
    "tcp": ["srcport", "dstport", "len", "seq_raw", "ack_raw", "flags", "window_size_value"],
    "tcp.options": ["wscale.shift", "timestamp.tsval", "timestamp.tsecr", "sack_le", "sack_re"],
}
IMPORTS = "from tcpsweep import ascii_trace, packets, parse"
PACKETS = (
    "import sys; from tcpsweep import decoder, packets;"
    "packets.write(decoder.library(), {'bottleneck': sys.argv[1]}, sys.argv[2])"
)
TRACE = "import sys; from tcpsweep import ascii_trace; ascii_trace.write(sys.argv[1], sys.argv[2])"


def measured(command):
    """Run a command; its wall time and CPU time in seconds, and its peak memory in MiB."""
    started = time.perf_counter()
    nowhere = {stream: subprocess.DEVNULL for stream in ("stdin", "stdout", "stderr")}
    process = subprocess.Popen(command, cwd=ROOT, **nowhere)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return time.perf_counter() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def repeated(source, target, count):
    """Write a capture of ``count`` packets: those of another, from the begin again, later, whenever they end."""
    data = source.read_bytes()
    body = bytearray(data[files.FILE_HEADER :])
    starts, at = [], 0
    while at < len(body):
        starts.append(at)
        at += files.RECORD_HEADER + struct.unpack_from("<I", body, at + 8)[0]
    span = struct.unpack_from("<I", body, starts[-1])[0] + 1
    with target.open("wb") as out:
        out.write(data[: files.FILE_HEADER])
        while count > 0:
            out.write(body if count >= len(starts) else body[: starts[count]])
            count -= len(starts)
            for start in starts:
                struct.pack_into("<I", body, start, struct.unpack_from("<I", body, start)[0] + span)


def show(name, figures):
    wall, cpu, memory = figures
    print(f"{name:38} {wall:8.2f} s wall {cpu:8.2f} s CPU {memory:6.0f} MiB", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--packets", type=int, default=2_000_000, help="in the capture (2000000)")
    parser.add_argument("--runs", type=int, default=3, help="of each process, of which the fastest counts (3)")
    parser.add_argument("--without-tshark", action="store_true", help="measure ours only")
    args = parser.parse_args()
    missed = []

    def python(code, *arguments):
        return min(measured([sys.executable, "-c", code, *arguments]) for _ in range(args.runs))

    def wanted(met, text):
        print(f"    {text}: {'met' if met else 'MISSED'}", flush=True)
        if not met:
            missed.append(text)

    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        network = ["--bytes=3000000", "--ns3::PcapFileWrapper::CaptureSize=128"]
        made = files.simulate(folder / "network", *network)
        capture, table = folder / "capture.pcap", folder / "table.parquet"
        repeated(made / "capture-2-2.pcap", capture, args.packets)
        measured([sys.executable, "-c", "from tcpsweep import decoder; decoder.library()"])

        start = python(IMPORTS)
        show("start with nothing to parse", start)
        wanted(start[1] <= MOST_START_S, f"at most {MOST_START_S} s of CPU")

        commands = {"ours": [sys.executable, "-c", PACKETS, capture, table]}
        if not args.without_tshark:
            if not shutil.which("tshark"):
                sys.exit("tshark is not installed; `apt-get install tshark`, or --without-tshark")
            options = [text for layer in FIELDS for field in FIELDS[layer] for text in ("-e", f"{layer}.{field}")]
            commands["tshark"] = ["tshark", "-n", "-r", capture, "-T", "fields", *options]
        runs = [{name: measured(command) for name, command in commands.items()} for _ in range(args.runs)]
        fastest = {name: min(run[name] for run in runs) for name in commands}
        show(f"{args.packets} packets, {capture.stat().st_size / 1e6:.0f} MB, to Parquet", fastest["ours"])
        wanted(fastest["ours"][2] < MOST_MIB, f"less than {MOST_MIB} MiB")
        if "tshark" in fastest:
            show("tshark, the same fields", fastest["tshark"])
            wall, cpu = (fastest["tshark"][i] / fastest["ours"][i] for i in (0, 1))
            wanted(wall >= LEAST_RATIO, f"{wall:.0f} times as fast, at least {LEAST_RATIO} ({cpu:.0f} by CPU time)")

        repeated(made / "capture-2-2.pcap", capture, 4 * args.packets)
        longer = measured(commands["ours"])
        show(f"{4 * args.packets} packets", longer)
        wanted(longer[2] < MOST_MIB, f"less than {MOST_MIB} MiB")

        trace = made / "ascii.tr"
        megabytes = trace.stat().st_size / 1e6
        figures = python(TRACE, trace, table)
        show(f"ascii.tr, {megabytes:.0f} MB", figures)
        speed = megabytes / figures[0]
        wanted(speed >= LEAST_TRACE_MB_S, f"{speed:.0f} MB/s, at least {LEAST_TRACE_MB_S}")
    sys.exit(f"missed: {'; '.join(missed)}" if missed else 0)


if __name__ == "__main__":
    main()
