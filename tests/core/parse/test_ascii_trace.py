# SPDX-License-Identifier: MIT
"""The table of `ascii.tr`: line by line, compared with the same run's captures, and from damaged files."""

from pathlib import Path

import polars as pl
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tcpsweep.core.parse import ascii_trace
from tcpsweep.core.words import table_columns
from tests.support import packet_files as files
from tests.support.processes import peak_mb


def _lines():
    """From the names of lines to each line, and the fields of its row that it tells."""
    told = yaml.safe_load(Path(__file__).with_name("ascii_lines.yaml").read_text())
    found = {}
    for name, case in told["lines"].items():
        line = case["line"].format(**told["parts"])
        for old, new in case.get("but", {}).items():
            line = line.replace(old, new, 1)
        found[name] = line, case["row"]
    return found


LINES = _lines()


def decoded(text, folder):
    """What a trace of this text holds, rows and summary."""
    path = folder / "ascii.tr"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return files.read_trace(path)


@pytest.mark.parametrize(("line", "expected"), LINES.values(), ids=LINES)
def test_a_line_is_a_row(tmp_path, line, expected):
    frame, summary = decoded(line + "\n", tmp_path)
    assert dict(frame.schema) == dict(pl.Schema(table_columns.schema("events")))
    (row,) = frame.to_dicts()
    assert {name: row[name] for name in expected} == expected
    assert (summary.lines, summary.rows, summary.unknown, summary.incomplete) == (1, 1, 0, None)


GOOD = LINES["enqueue"][0] + "\n"


UNKNOWN = ["", "x 1 " + GOOD[6:-1], "+ now " + GOOD[6:-1], "+ 1.5.5 " + GOOD[6:-1], "\udcff\udcfe\x00"]
UNKNOWN += ["+ 1.5 ns3::PppHeader (Point-to-Point Protocol: IP (0x0021))", GOOD[:-1].replace("+ 1.5", "+ 1e999")]
UNKNOWN += [GOOD[:-1].replace("NodeList/2/", "NodeList/12345678901/")]


@pytest.mark.parametrize("line", UNKNOWN)
def test_other_lines_are_counted(tmp_path, line):
    text = (GOOD + GOOD + line + "\n" + GOOD + line + "\n").encode(errors="surrogateescape")
    frame, summary = decoded(text, tmp_path)
    assert frame.height == summary.rows == 3
    assert (summary.lines, summary.unknown) == (5, 2)


@pytest.mark.parametrize("block", [1, 7, 100, 1 << 20])
def test_blocks_of_any_size_make_the_same_table(tmp_path, monkeypatch, block):
    text = "".join(line + "\n" for line, _ in LINES.values()) + "what?\n"
    whole = decoded(text, tmp_path)[0]
    monkeypatch.setattr(ascii_trace, "BLOCK_BYTES", block)
    frame, summary = decoded(text, tmp_path)
    # A line that is longer than two blocks is not read in full.
    assert summary.lines == len(LINES) + 1
    assert (summary.unknown == 1) == (block >= 100)
    if block > 100:
        assert frame.equals(whole)


def test_a_file_cut_anywhere_has_the_lines_before(tmp_path):
    text = GOOD * 3
    whole, _ = decoded(text, tmp_path)
    for size in range(0, len(text), 5):
        frame, summary = decoded(text[:size], tmp_path)
        lines = text[:size].count("\n")
        assert frame.equals(whole[:lines])
        told = f"{tmp_path}/ascii.tr: line {lines + 1}: the file ends within it"
        assert summary.incomplete == (told if size > lines * len(GOOD) else None)


@given(st.data())
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damaged_bytes_are_decoded_or_counted(tmp_path, data):
    text = bytearray("".join(line + "\n" for line, _ in LINES.values()).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(text) - 1))
        text[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    frame, summary = decoded(bytes(text), tmp_path)
    assert summary.lines == bytes(text).count(b"\n")
    assert frame.height == summary.rows == summary.lines - summary.unknown
    assert frame["event"].null_count() == frame["time_s"].null_count() == 0


def test_the_written_table_equals_the_decoded_one(tmp_path):
    text = "".join(line + "\n" for line, _ in LINES.values())
    frame, summary = decoded(text, tmp_path)
    assert ascii_trace.write_events(tmp_path / "ascii.tr", tmp_path / "ascii.parquet") == summary
    assert pl.read_parquet(tmp_path / "ascii.parquet").equals(frame)
    with pytest.raises(FileNotFoundError, match=r"none\.tr"):
        ascii_trace.write_events(tmp_path / "none.tr", tmp_path / "none.parquet")
    assert not (tmp_path / "none.parquet").exists()


# --- files that ns-3 wrote ---


@pytest.fixture(scope="module", params=["ipv4", "ipv4-ecn", "ipv6"])
def network(request, tmp_path_factory):
    """A folder with the trace and the captures of a network."""
    return files.network(request.param, tmp_path_factory.mktemp("networks") / request.param)


@pytest.mark.long
@pytest.mark.native
def test_a_device_sends_and_receives_what_its_capture_shows(network):
    frame, summary = files.read_trace(network / "ascii.tr")
    assert (summary.unknown, summary.incomplete) == (0, None)
    columns = ["source", "source_port", "destination", "destination_port", "ip_bytes"]
    # The devices of point-to-point links; a capture shows what leaves the queue and what arrives.
    for node, device in [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (3, 0)]:
        captured, _ = files.read({"here": network / f"capture-{node}-{device}.pcap"})
        traced = frame.filter(pl.col("event").is_in(["dequeue", "receive"]), node=node, device=device)
        assert captured.height > 100
        assert traced.select(columns).equals(captured.select(columns))
        # Six significant digits here, microseconds that are cut off there.
        assert ((traced["time_s"] - captured["time_s"]).abs() <= 5e-6 * captured["time_s"] + 1e-6).all()


WRITE = """
import sys
from pathlib import Path
from tcpsweep.core.parse import ascii_trace
ascii_trace.write_events(sys.argv[1], Path(sys.argv[2]))
"""


@pytest.mark.long
@pytest.mark.native
def test_a_long_trace_takes_little_memory(tmp_path):
    data = (files.network("ipv4", tmp_path / "ipv4") / "ascii.tr").read_bytes()
    (tmp_path / "long.tr").write_bytes(data * 30)
    assert peak_mb(WRITE, tmp_path / "long.tr", tmp_path / "long.parquet") < 300


def test_a_line_without_end_takes_no_more_memory_than_two_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr(ascii_trace, "BLOCK_BYTES", 1000)
    frame, summary = decoded(GOOD + "+ 1 " + "x" * 100_000 + "\n" + GOOD, tmp_path)
    assert frame.height == 2
    assert (summary.lines, summary.unknown) == (3, 1)
