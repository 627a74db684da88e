# SPDX-License-Identifier: MIT
"""Parsing a real cell's files, intact and damaged."""

import os
import shutil
import tracemalloc
from pathlib import Path

import polars as pl
import pytest

from tcpsweep.parse import flow_monitor, raw_files, simulator_files
from tests.support import raw_columns


@pytest.fixture
def raw(finished, tmp_path):
    """A copy of a real cell's raw files."""
    first = sorted((finished / "results" / "raw").iterdir())[0]
    shutil.copytree(first, tmp_path / "raw")
    return tmp_path / "raw"


def parsed(raw):
    out = raw.parent / "out"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    raw_files.cell(raw, out)
    return {path.stem: pl.read_parquet(path) for path in out.glob("*.parquet")}


def test_infinite_ssthresh_is_null(raw):
    ssthresh = parsed(raw)["traces"].filter(pl.col("metric") == "ssthresh_bytes")["value"]
    assert ssthresh[0] is None
    assert ssthresh.drop_nulls().max() < 2**31


def flip(path, place):
    """Turn a bit of a file."""
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    path.write_bytes(data)


def replace(path, before, after):
    """Replace a text in a file and renew the checksum, as if the simulator had written it."""
    text = path.read_bytes()
    assert before in text
    path.write_bytes(text.replace(before, after, 1))
    (path.parent / "checksums.txt").unlink()
    raw_columns.write_checksums(path.parent)


@pytest.mark.parametrize("name", ["traces.columns", "queue.columns", "flow.xml", "run.json"])
@pytest.mark.parametrize("place", [0, 1000, -1])
def test_a_bit_that_turned_is_found_wherever_it_is(raw, name, place):
    flip(raw / name, place)
    with pytest.raises(simulator_files.Damaged, match=f"{name}: .*CRC-32"):
        parsed(raw)


IPV6_FLOW = b"""\
<Ipv6FlowClassifier>
<Flow flowId="1" sourceAddress="fd00::1" destinationAddress="fd00::2" protocol="6" sourcePort="1" destinationPort="2" />
</Ipv6FlowClassifier>
"""
RECORD = "run.json: not a simulator's record: "
DAMAGES = {
    "a file cut": (lambda raw: os.truncate(raw / "traces.columns", 999), ["traces.columns: offset 999: has 999 bytes"]),
    "an empty file": (lambda raw: os.truncate(raw / "queue.columns", 0), ["queue.columns: offset 0: "]),
    "a file that is gone": (lambda raw: (raw / "traces.columns").unlink(), ["traces.columns: missing"]),
    "a folder in its place": (
        lambda raw: ((raw / "flow.xml").unlink(), (raw / "flow.xml").mkdir()),
        ["flow.xml: cannot be read: Is a directory"],
    ),
    "no checksums": (lambda raw: (raw / "checksums.txt").unlink(), ["checksums.txt: missing"]),
    "checksums cut": (lambda raw: os.truncate(raw / "checksums.txt", 30), ["checksums.txt: line 2: ends within"]),
    "checksums of noise": (
        lambda raw: (raw / "checksums.txt").write_bytes(b"\xff\xfe\n"),
        ["checksums.txt: line 1: expected a CRC-32"],
    ),
    "a checksum that is gone": (
        lambda raw: (raw / "checksums.txt").write_text("00000000 0 other\n"),
        ["checksums.txt: no line for run.json"],
    ),
    # What no simulator writes, under a right checksum.
    "a row too many": (
        lambda raw: replace(raw / "run.json", b'"receiver_limited_s": 0', b'"receiver_limited_s": 1'),
        ["traces.columns: 0 rows of receiver_limited_s; the simulator's record has 1"],
    ),
    "a block cut": (
        lambda raw: replace(raw / "queue.columns", (raw / "queue.columns").read_bytes(), b"\xff\0\0\0\0\0\0\0"),
        ["queue.columns: offset 0: ends within a block"],
    ),
    "an unknown queue event": (
        lambda raw: replace(raw / "queue.columns", b"tttt", b"tzzt"),
        ["queue.columns: row ", "unknown event 122"],
    ),
    "flow.xml cut": (lambda raw: replace(raw / "flow.xml", b"</FlowStats>", b""), ["flow.xml: line "]),
    "flow.xml in an encoding of its own": (
        lambda raw: replace(raw / "flow.xml", b'"1.0" ?', b'"1.0" encoding="utf-7" ?'),
        ["flow.xml: line 1: multi-byte encodings are not supported"],
    ),
    "flow.xml with words for numbers": (
        lambda raw: replace(raw / "flow.xml", b'rxBytes="', b'rxBytes="x'),
        ["flow.xml: flow ", "rxBytes is 'x"],
    ),
    "flow.xml with a number beyond 64 bits": (
        lambda raw: replace(raw / "flow.xml", b'rxBytes="', b'rxBytes="9999999999999999999'),
        ["flow.xml: flow ", "rxBytes is '9999999999999999999"],
    ),
    "flow.xml with no number": (
        lambda raw: replace(raw / "flow.xml", b'timeFirstRxPacket="+', b'timeFirstRxPacket="nanns" was="'),
        ["flow.xml: flow ", "timeFirstRxPacket is 'nanns'"],
    ),
    "flow.xml of IPv4 and of IPv6": (
        lambda raw: replace(raw / "flow.xml", b"</FlowMonitor>", IPV6_FLOW + b"</FlowMonitor>"),
        ["flow.xml: ", "IPv4 and IPv6 flows have the same numbers"],
    ),
    "a record cut": (lambda raw: replace(raw / "run.json", b'"flows": [', b""), [RECORD, "(byte "]),
    "another JSON": (lambda raw: replace(raw / "run.json", (raw / "run.json").read_bytes(), b"[]"), [RECORD]),
    "a deep record": (
        lambda raw: replace(raw / "run.json", (raw / "run.json").read_bytes(), b"[" * 10**5),
        [RECORD],
    ),
    "a key that is gone": (lambda raw: replace(raw / "run.json", b'"traces": {', b'"trace": {'), [RECORD, "`traces`"]),
    "a word for a number": (
        lambda raw: replace(raw / "run.json", b'"received_bytes": ', b'"received_bytes": "x", "was": '),
        [RECORD, "$.flows[0].received_bytes"],
    ),
    "a start of NaN": (
        lambda raw: replace(raw / "run.json", b'"start_s": ', b'"start_s": NaN, "was": '),
        [RECORD, "(byte "],
    ),
    "a trace that there is not": (
        lambda raw: replace(raw / "run.json", b'"receiver_limited_s": 0', b'"delays": 0'),
        [RECORD, "unknown trace 'delays'"],
    ),
}


def test_nested_tags_are_refused_and_take_no_memory():
    nested = b"<FlowMonitor>" + b"<a>" * 2_000_000
    tracemalloc.start()
    try:
        with pytest.raises(simulator_files.Damaged, match=r"flow\.xml: has tags nested more than 20 deep"):
            flow_monitor.monitored(Path("flow.xml"), nested)
        assert tracemalloc.get_traced_memory()[1] < 10e6
    finally:
        tracemalloc.stop()


def test_other_tags_of_flow_monitor_take_no_memory():
    other = b"<FlowMonitor>" + b"<FlowProbe><FlowStats flowId='1'/></FlowProbe>" * 100_000 + b"</FlowMonitor>"
    tracemalloc.start()
    try:
        assert flow_monitor.monitored(Path("flow.xml"), other) == {}
        assert tracemalloc.get_traced_memory()[1] < 10e6
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_names_itself_and_the_place(raw, damage):
    spoil, words = DAMAGES[damage]
    spoil(raw)
    with pytest.raises(simulator_files.Damaged) as caught:
        parsed(raw)
    for word in words:
        assert word in str(caught.value)
