# SPDX-License-Identifier: MIT
"""Parsing what a real cell wrote, whole and damaged."""

import json
import re
import shutil
import xml.etree.ElementTree as ElementTree

import polars as pl
import pytest

from tcpsweep.parse import raw_files
from tcpsweep.words import table_columns

TRACE = "received_bytes.txt"


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


def test_tables_have_their_documented_columns(raw):
    for table, frame in parsed(raw).items():
        assert dict(frame.schema) == dict(pl.Schema(table_columns.schema(table)))


def test_flow_totals_are_flowmonitors_and_the_sinks(raw):
    frames = parsed(raw)
    run = json.loads((raw / "run.json").read_text())
    ends = {
        flow.get("flowId"): (flow.get("sourceAddress"), int(flow.get("destinationPort")))
        for flow in ElementTree.parse(raw / "flow.xml").getroot().iter("Flow")
        if flow.get("sourceAddress")
    }
    received = {
        ends[flow.get("flowId")]: int(flow.get("rxBytes"))
        for flow in ElementTree.parse(raw / "flow.xml").getroot().iter("Flow")
        if flow.get("rxBytes")
    }
    for flow in frames["flows"].iter_rows(named=True):
        trace = frames["traces"].filter(pl.col("flow") == flow["flow"])
        last = {metric: trace.filter(pl.col("metric") == metric)["value"].max() for metric in table_columns.TRACES}
        assert flow["rx_bytes"] == received[(flow["source"], flow["destination_port"])] == last["ip_received_bytes"]
        assert flow["received_bytes"] == run["flows"][flow["flow"]]["received_bytes"] == last["received_bytes"]
        delays = trace.filter(pl.col("metric") == "owd_s")["value"]
        assert len(delays) == flow["rx_packets"]
        assert delays.sum() == pytest.approx(flow["delay_sum_s"], rel=5e-6)  # FlowMonitor writes six digits


def test_infinite_ssthresh_is_null(raw):
    ssthresh = parsed(raw)["traces"].filter(pl.col("metric") == "ssthresh_bytes")["value"]
    assert ssthresh[0] is None
    assert ssthresh.drop_nulls().max() < 2**31


def cut(path, keep):
    path.write_bytes(path.read_bytes()[:keep])


def replace_line(path, number, text):
    lines = path.read_text().splitlines(keepends=True)
    lines[number - 1] = text
    path.write_text("".join(lines))


def time_of_line(path, number):
    return path.read_text().splitlines()[number - 1].split()[0]


IPV6_FLOW = """\
<Ipv6FlowClassifier>
<Flow flowId="1" sourceAddress="fd00::1" destinationAddress="fd00::2" protocol="6" sourcePort="1" destinationPort="2" />
</Ipv6FlowClassifier>
"""
DAMAGES = {
    "a trace cut at a line": (
        lambda raw: replace_line(raw / TRACE, len((raw / TRACE).read_text().splitlines()), ""),
        ["received_bytes.txt: line ", "ends after"],
    ),
    "a trace cut within a line": (lambda raw: cut(raw / TRACE, 1003), ["received_bytes.txt: line "]),
    "an empty trace": (lambda raw: cut(raw / TRACE, 0), ["received_bytes.txt: line 1: ends after 0 of"]),
    "words in a trace": (
        lambda raw: replace_line(raw / TRACE, 7, "1.5 0 many\n"),
        ["received_bytes.txt: line 7", "'1.5 0 many'"],
    ),
    "a column too many": (lambda raw: replace_line(raw / TRACE, 9, "1.5 0 1 1\n"), ["received_bytes.txt: line 9"]),
    "a column too few": (lambda raw: replace_line(raw / TRACE, 9, "1.5 0\n"), ["received_bytes.txt: line 9"]),
    "bytes that are no text": (
        lambda raw: (raw / TRACE).write_bytes(b"\xff\x00\xfe\n"),
        ["received_bytes.txt: line 1"],
    ),
    # Python's own numbers, which polars does not read.
    "a flow's number with a rule": (
        lambda raw: replace_line(raw / TRACE, 7, "1.5 1_0 2\n"),
        ["received_bytes.txt: line 7: expected time_s flow value, got '1.5 1_0 2'"],
    ),
    "a number beyond 32 bits": (
        lambda raw: replace_line(raw / TRACE, 8, "1.5 4294967296 2\n"),
        ["received_bytes.txt: line 8: expected", "'1.5 4294967296 2'"],
    ),
    "a time beyond nanoseconds and seconds": (
        lambda raw: replace_line(raw / TRACE, 9, "1e30 0 2\n"),
        ["received_bytes.txt: line 9: expected", "'1e30 0 2'"],
    ),
    "a quote": (lambda raw: replace_line(raw / TRACE, 11, '1.5 "0 2\n'), ["received_bytes.txt: line 11: expected"]),
    "bytes that are no text in a queue": (
        lambda raw: (raw / "queue.txt").write_bytes(
            re.sub(rb" [a-z]+ ", b" \xff ", (raw / "queue.txt").read_bytes(), count=1)
        ),
        ["queue.txt: line "],
    ),
    "time that goes back": (
        lambda raw: replace_line(raw / TRACE, 20, "0.000000001 0 1\n"),
        ["received_bytes.txt: line 20: time goes backwards"],
    ),
    "a trace that is gone": (lambda raw: (raw / TRACE).unlink(), ["received_bytes.txt: missing"]),
    "an unknown queue event": (
        lambda raw: replace_line(raw / "queue.txt", 5, f"{time_of_line(raw / 'queue.txt', 5)} z 0 1502 0 0 0\n"),
        ["queue.txt: line 5: unknown event 'z'"],
    ),
    "flow.xml cut": (lambda raw: cut(raw / "flow.xml", 700), ["flow.xml: line "]),
    "flow.xml with words for numbers": (
        lambda raw: (raw / "flow.xml").write_text((raw / "flow.xml").read_text().replace('rxBytes="', 'rxBytes="x')),
        ["flow.xml: flow ", "rxBytes is 'x"],
    ),
    "flow.xml of IPv4 and of IPv6": (
        lambda raw: (raw / "flow.xml").write_text(
            (raw / "flow.xml").read_text().replace("</FlowMonitor>", f"{IPV6_FLOW}</FlowMonitor>")
        ),
        ["flow.xml: ", "IPv4 and of IPv6 have the same numbers"],
    ),
    "no flow.xml": (lambda raw: (raw / "flow.xml").unlink(), ["flow.xml: missing"]),
    "run.json cut": (lambda raw: cut(raw / "run.json", 50), ["run.json: not a simulator's record"]),
    "another JSON": (lambda raw: (raw / "run.json").write_text("[]"), ["run.json: not a simulator's record"]),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_names_itself_and_the_place(raw, damage):
    spoil, words = DAMAGES[damage]
    spoil(raw)
    with pytest.raises(raw_files.Damaged) as caught:
        parsed(raw)
    for word in words:
        assert word in str(caught.value)
    assert str(caught.value).count(".txt") <= 1
