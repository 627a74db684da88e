# SPDX-License-Identifier: MIT
"""Captures read by tshark, as the expected rows of the table of packets."""

import subprocess
from decimal import Decimal
from pathlib import Path

from tests.support.packet_files import read
from tests.support.tools import tool

FIELDS = dict(
    line.split()
    for line in Path(__file__).with_name("tshark_fields.txt").read_text().splitlines()
    if not line.startswith("#")
)


def run(program, *arguments):
    subprocess.run([tool(program), *arguments], check=True, capture_output=True)


def fields(path, *names, where="frame"):
    """The texts of some fields, of each frame that a display filter finds."""
    command = [tool("tshark"), "-n", "-r", path, "-Y", where, "-T", "fields"]
    command += [text for name in names for text in ("-e", name)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [line.split("\t") for line in done.stdout.splitlines()]


def analysed(path, key, names):
    """The results of tshark's analysis: for each value of a field, such as a port, the values of other fields."""
    found = {}
    for name, *values in fields(path, key, *names):
        for field, value in zip(names, values, strict=True):
            if value:
                found.setdefault(name, {}).setdefault(field, []).append(value)
    return found


def lines(path):
    """Tshark's fields of each frame, all that it finds of each."""
    # Two passes, because the first fragment's row names the frame of the last fragment.
    command = [tool("tshark"), "-n", "-2", "-r", path, "-T", "fields", "-E", "occurrence=a", "-E", "aggregator=,"]
    preferences = ("ip.defragment:FALSE", "ipv6.defragment:FALSE", "wpan.802154_fcs_ok:FALSE", "ipv6.tso_support:TRUE")
    for preference in preferences:
        command += ["-o", preference]
    for field in FIELDS.values():
        command += ["-e", field]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [dict(zip(FIELDS, line.split("\t"), strict=True)) for line in done.stdout.splitlines()]


def rows(path):
    """For each frame the row that the table should have, None for none.

    A packet in fragments of 6LoWPAN is at the first, and tshark shows it at the last. Where that was not captured, only
    the addresses are known, and those of compressed packets alone.
    """
    found = lines(path)
    return [_row(fields, found) for fields in found]


def compare(path, base_ns=0):
    """Compare the table of a capture with tshark's fields, row by row; returns its rows and its summary."""
    frame, (summary,) = read({"here": path}, base_ns=base_ns)
    found, frames = frame.to_dicts(), rows(path)
    assert (summary.incomplete, summary.frames) == (None, len(frames))
    for row, expected in zip(found, filter(None, frames), strict=True):
        if expected["time_s"] is not None:
            expected["time_s"] -= base_ns // 10**9
        if row["sack_left"] is None and row["captured_bytes"] < row["wire_bytes"]:
            # Of an option that was cut off, tshark shows the edges that are there.
            expected |= {name: None for name in ("sack_left", "sack_right") if name in expected}
        assert {name: row[name] for name in expected} == expected
    return found, summary


def _number(fields, name):
    # The first is the outermost header's; ICMP quotes the packet that it is about.
    return int(fields[name].split(",")[0], 0) if fields[name] else None


def _row(fields, frames):
    is_fragment = bool(fields["part_of_bytes"])
    if is_fragment and fields["part_offset"]:
        return None
    whole = frames[int(fields["whole_in"]) - 1] if is_fragment and fields["whole_in"] else fields
    row = _ip(whole)
    if is_fragment and row is None:
        ends = {end: fields[f"sixlowpan_{end}"] for end in ("source", "destination")}
        row = {end: address for end, address in ends.items() if address}
    if row is None:
        return None
    before = _number(fields, "radiotap_bytes") or 0
    return row | {
        "time_s": Decimal(fields["time"]) if fields["time"] else None,
        "wire_bytes": _number(fields, "wire_bytes") - before,
        "captured_bytes": _number(fields, "captured_bytes") - before,
        "retry": fields["retry"] in ("1", "True") if fields["retry"] else None,
    }


def _ip(fields):
    """What the row says of a frame's packet, None where there is none."""
    version = 4 if fields["ip4_source"] else 6 if fields["ip6_source"] else None
    if not version:
        return None
    row = {end: fields[f"ip{version}_{end}"].split(",")[0] for end in ("source", "destination")}
    row["ttl"], row["ecn"] = (_number(fields, f"ip{version}_{name}") for name in ("ttl", "ecn"))
    if version == 4:
        row |= {"protocol": _number(fields, "ip4_protocol"), "ip_id": _number(fields, "ip_id")}
        row["ip_bytes"] = _number(fields, "ip4_bytes")
        payload = row["ip_bytes"] - _number(fields, "ip4_header")
    else:
        payload = _number(fields, "ip6_payload")
        row |= {"protocol": _number(fields, "ip6_protocol"), "ip_id": None, "ip_bytes": 40 + payload}
        for header in ("hop_by_hop", "options", "fragment"):
            if fields[f"{header}_next"]:
                row["protocol"] = _number(fields, f"{header}_next")
                payload -= 8 if header == "fragment" else _number(fields, f"{header}_bytes")
    transport = {6: "tcp", 17: "udp"}.get(row["protocol"])
    is_tcp = transport == "tcp"
    for end in ("source", "destination"):
        row[f"{end}_port"] = _number(fields, f"{transport}_{end}") if transport else None
    for name in ("seq", "ack", "flags", "window", "window_scale", "tsval", "tsecr"):
        row[name] = _number(fields, name) if is_tcp else None
    for name in ("sack_left", "sack_right"):
        row[name] = [int(edge) for edge in fields[name].split(",")] if is_tcp and fields[name] else None
    if row["source_port"] is not None:
        payload -= _number(fields, "tcp_header") if is_tcp else 8
        assert not is_tcp or payload == _number(fields, "tcp_payload")
    row["payload_bytes"] = payload
    return row
