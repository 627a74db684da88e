# SPDX-License-Identifier: MIT
"""`tcpsweep import` of unusual captures by other programs: spans of years, gaps, odd times, gzip."""

import gzip
import struct
from pathlib import Path

import polars as pl
import pytest
import yaml

from tcpsweep.features.captures import captured_metrics
from tests.features.captures.imports import MS, here, imported, metrics, packet  # noqa: F401
from tests.support import tshark
from tests.support.told_connection import ACK, FIN, PACKETS, SYN, connection, pcap

YEAR_US = 365 * 86_400 * 10**6


BY_HAND = yaml.safe_load(Path(__file__).with_name("packets.yaml").read_text())
FLAGS = {"": ACK, "SYN": SYN, "SYN ACK": SYN | ACK, "FIN": FIN | ACK}


def packets_of(given):
    """The packets of a case of `packets.yaml`, behind a handshake with one each 10 ms."""
    answer = [10, "ack", 500, given.get("answered", 1001), 0, "SYN ACK"]
    rows = [[0, "data", 1000, 0, 0, "SYN"], answer, [20, "data", 1001, 501], *given["packets"]]
    whole = [[*row, *[0, ""][len(row) - 4 :]] for row in rows if row[1] == given.get("only", row[1])]
    return [(ms * MS, packet(way, seq, ack, payload, FLAGS[flags])) for ms, way, seq, ack, payload, flags in whole]


@pytest.mark.parametrize("claim", BY_HAND)
def test_metrics_of_packets_are_those_found_by_hand(claim):
    flow, expected = metrics(packets_of(BY_HAND[claim])), BY_HAND[claim]["found"]
    assert {name: flow.get(name) for name in expected} == pytest.approx(expected)


def test_a_capture_of_ten_years_has_no_row_for_empty_windows():
    late = [(time_us + 10 * YEAR_US, each) for time_us, each in connection()]
    other = [(time_us + 10 * YEAR_US, each) for time_us, each in connection(source=("10.0.0.3", 40000))]
    opened = imported(pcap(connection(), late, connection(source=("10.0.0.3", 40000)), other))
    windows = opened.table("fairness").collect()
    assert 0 < windows.height < 10
    assert windows["jain"].null_count() == 0
    assert len(Path("reports/import-capture.html").read_bytes()) < 3_000_000


def test_jains_index_over_windows_counts_the_flows_that_are_there():
    lives = {"flow": [0, 1, 2], "start_s": [0.0, 0.0, 1.5], "stop_s": [4.0, 3.0, 4.0]}
    received = {0: ([0.5, 1.5, 3.5], [10, 20, 30]), 1: ([0.5, 2.5], [30, 40]), 2: ([2.5, 3.5], [10, 40])}
    found = captured_metrics.over_time(pl.DataFrame(lives), received, 1.0)
    # (Σ x)² / (n Σ x²): of 10 and 30, of 10 and 0, of 0 and 10 and 10, of 10 and 30.
    expected = [(0.0, 2, 0.8), (1.0, 2, 0.5), (2.0, 3, 2 / 3), (3.0, 2, 0.8)]
    assert found.rows() == [(from_s, flows, pytest.approx(index)) for from_s, flows, index in expected]


@pytest.mark.tshark
def test_wireshark_sees_the_same_gap():
    metrics(packets_of(BY_HAND["a packet without payload shows a gap before it"]))
    names = ("retransmission", "out_of_order", "fast_retransmission", "spurious_retransmission")
    counts = tshark.analysed(Path("capture.pcap"), "tcp.srcport", [f"tcp.analysis.{name}" for name in names])
    assert sum(len(counts["40000"].get(f"tcp.analysis.{name}", ())) for name in names[:2]) == 1


def test_a_time_of_more_than_a_second_is_read_and_reported(capsys):
    data = bytearray(pcap(connection()))
    struct.pack_into("<I", data, 28, 1_000_001)
    opened = imported(bytes(data))
    assert opened.packets.collect().height == len(connection())
    assert "1 of the" in capsys.readouterr().out
    assert "a time whose part of a second is a second or more" in opened.record["files"][0]["first_damaged"]


MORE = {"raw IP": (12, b"", 65535), "Cisco HDLC": (104, b"\x0f\x00\x08\x00", 65535)}
MORE["packets longer than the snapshot length"] = (101, b"", 96)


@pytest.mark.parametrize("name", MORE)
def test_more_captures_are_read(name):
    link, header, longest = MORE[name]
    data = bytearray(pcap([(time_us, header + each) for time_us, each in connection()], link=link))
    struct.pack_into("<I", data, 16, longest)
    assert imported(bytes(data)).flows["acked_bytes"].to_list() == [1000 * PACKETS]


def test_gzip_files_are_read(capsys):
    whole = pcap(connection())
    plain = imported(whole)
    packed = imported(gzip.compress(whole), name="packed.pcap.gz", named="packed")
    assert packed.flows.drop("interface").equals(plain.flows.drop("interface"))
    assert packed.record["flows"][0]["interface"] == "packed"
    cut = imported(gzip.compress(whole)[:-40], "--partial", name="cut.gz", named="cut")
    assert 0 < cut.packets.collect().height < len(connection())
    assert "cut.gz is imported in part: the gzip file cannot be unpacked" in capsys.readouterr().out
