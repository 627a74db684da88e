# SPDX-License-Identifier: MIT
"""Parsing a real cell's files, intact and damaged, and a file of transfers as a simulator writes it."""

import os
import shutil
import subprocess
import tracemalloc
from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest
import yaml

from tcpsweep.core.parse import flow_monitor, raw_files, simulator_files, transfers
from tcpsweep.core.words import table_columns
from tests.support import raw_columns


@pytest.fixture(scope="module")
def simulated(dumbbell, tmp_path_factory):
    """A cell's raw files."""
    folder = tmp_path_factory.mktemp("cell")
    subprocess.run([dumbbell, "--variant=TcpNewReno", "--duration=3s", f"--out={folder}"], check=True)
    return folder


@pytest.fixture
def raw(simulated, tmp_path):
    """A copy of a cell's raw files."""
    return shutil.copytree(simulated, tmp_path / "raw")


RECORD = "run.json: not a simulator's record: "


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
    data = bytearray((raw / name).read_bytes())
    data[place] ^= 1
    (raw / name).write_bytes(data)
    with pytest.raises(simulator_files.Damaged, match=f"{name}: .*CRC-32"):
        parsed(raw)


DAMAGES = {
    "a file cut": (lambda raw: os.truncate(raw / "traces.columns", 999), "traces.columns: offset 999: has 999 bytes"),
    "an empty file": (lambda raw: os.truncate(raw / "queue.columns", 0), "queue.columns: offset 0: "),
    "a file that is gone": (lambda raw: (raw / "traces.columns").unlink(), "traces.columns: missing"),
    "a folder in its place": (
        lambda raw: ((raw / "flow.xml").unlink(), (raw / "flow.xml").mkdir()),
        "flow.xml: cannot be read: Is a directory",
    ),
    "no checksums": (lambda raw: (raw / "checksums.txt").unlink(), "checksums.txt: missing"),
    "checksums cut": (lambda raw: os.truncate(raw / "checksums.txt", 30), "checksums.txt: line 2: ends within"),
    "checksums of noise": (
        lambda raw: (raw / "checksums.txt").write_bytes(b"\xff\xfe\n"),
        "checksums.txt: line 1: expected a CRC-32",
    ),
    "a checksum that is gone": (
        lambda raw: (raw / "checksums.txt").write_text("00000000 0 other\n"),
        "checksums.txt: no line for run.json",
    ),
    "a block cut": (
        lambda raw: replace(raw / "queue.columns", (raw / "queue.columns").read_bytes(), b"\xff\0\0\0\0\0\0\0"),
        "queue.columns: offset 0: ends within a block",
    ),
    "another JSON": (lambda raw: replace(raw / "run.json", (raw / "run.json").read_bytes(), b"[]"), RECORD),
    "a deep record": (lambda raw: replace(raw / "run.json", (raw / "run.json").read_bytes(), b"[" * 10**5), RECORD),
}
# What no simulator writes, under a right checksum.
EDITS = yaml.safe_load(Path(__file__).with_name("damages.yaml").read_text())


@pytest.mark.parametrize("damage", [*DAMAGES, *EDITS])
def test_a_damaged_file_names_itself_and_the_place(raw, damage):
    if damage in EDITS:
        edit = EDITS[damage]
        replace(raw / edit["file"], edit["before"].encode(), edit["after"].encode())
        words = edit["told"]
    else:
        spoil, *words = DAMAGES[damage]
        spoil(raw)
    with pytest.raises(simulator_files.Damaged) as caught:
        parsed(raw)
    assert all(word in str(caught.value) for word in words)


def test_other_tags_of_flow_monitor_take_no_memory():
    deep = b"<FlowMonitor>" + b"<a>" * 2_000_000
    many = b"<FlowMonitor>" + b"<FlowProbe><FlowStats flowId='1'/></FlowProbe>" * 100_000 + b"</FlowMonitor>"
    tracemalloc.start()
    try:
        with pytest.raises(simulator_files.Damaged, match=r"flow\.xml: has tags nested more than 20 deep"):
            flow_monitor.monitored(Path("flow.xml"), deep)
        assert flow_monitor.monitored(Path("flow.xml"), many) == {}
        assert tracemalloc.get_traced_memory()[1] < 10e6
    finally:
        tracemalloc.stop()


# --- transfers ---

CODES = "qqqqqqqIIii"
NODES = ["server0", "server1", "switch", "client"]
TOLD = yaml.safe_load(Path(__file__).with_name("transfers.yaml").read_text())
GROUPS, ROWS = TOLD["groups"], [tuple(row) for row in TOLD["rows"]]


def table_of(tmp_path, rows=ROWS, groups=GROUPS, nodes=NODES, count=None):
    raw_columns.write(tmp_path / "transfers.columns", [rows], CODES)
    raw_columns.write_checksums(tmp_path)
    run = {"traffic": groups, "transfers": len(rows) if count is None else count, "node_names": nodes}
    return transfers.table(simulator_files.files_in(tmp_path), run)


def test_a_transfer_has_seconds_and_names_and_no_finish_before_it_has_finished(tmp_path):
    found = table_of(tmp_path)
    assert dict(found.schema) == table_columns.schema("transfers")
    short = found.filter(pl.col("traffic") == "short").to_dicts()
    assert [row["transfer"] for row in short] == [0, 1], "in the order of the starts, not of the finishes"
    told = {"traffic": "short", "kind": "arrivals", "transfer": 1, "from": "server0", "to": "client"}
    told |= {"start_s": Decimal("1.000000001"), "finish_s": Decimal(2), "bytes": 1000, "received_bytes": 1000}
    told |= {"alone_s": Decimal("0.25"), "slowdown": 999_999_999 / 250_000_000, "handshake_s": Decimal("0.0000003")}
    assert {name: value for name, value in short[1].items() if value is not None} == told
    # The first is unfinished.
    assert (short[0]["finish_s"], short[0]["slowdown"], short[0]["handshake_s"]) == (None, None, None)
    assert (short[0]["bytes"], short[0]["received_bytes"], short[0]["alone_s"]) == (4000, 1500, Decimal("0.1"))


def test_each_kind_has_its_own_columns_and_no_other(tmp_path):
    found = table_of(tmp_path)
    own = ("handshake_s", "parts", "finished_parts", "first_part_s", "backlog_bytes", "bitrate_bps", "stalled_s")
    there = {
        (row["kind"], row["transfer"]): {name: row[name] for name in own if row[name] is not None}
        for row in found.iter_rows(named=True)
    }
    assert there == {
        ("incast", 0): {"parts": 2, "finished_parts": 2, "first_part_s": Decimal("1.5")},
        ("incast", 1): {"parts": 2, "finished_parts": 0},
        ("arrivals", 0): {},
        ("arrivals", 1): {"handshake_s": Decimal("0.0000003")},
        ("on-off", 0): {"backlog_bytes": 512},
        ("web", 0): {"parts": 9, "finished_parts": 4},
        ("video", 0): {"bitrate_bps": 4_000_000, "stalled_s": Decimal("0.000000003")},
        ("video", 1): {"bitrate_bps": 4_000_000},
    }
    assert found.filter(pl.col("kind") == "incast")["from"].to_list() == [None, None], "from several nodes"
    assert found.filter(pl.col("kind") == "incast")["slowdown"].to_list() == [None, None]


def test_without_traffic_there_is_no_table_and_with_no_transfers_an_empty_one(tmp_path):
    assert transfers.table(simulator_files.SimulatorFiles(tmp_path, {}), {"traffic": [], "transfers": 0}) is None
    assert table_of(tmp_path, rows=[]).schema == table_columns.schema("transfers")


@pytest.mark.parametrize("changed", [{"count": 7}, {"groups": GROUPS[:2]}, {"nodes": NODES[:3]}])
def test_a_file_that_does_not_fit_its_record_is_damaged(tmp_path, changed):
    lacking = "a transfer with a group of traffic or a node that the simulator's record lacks"
    problem = "8 rows of transfers; the simulator's record has 7" if "count" in changed else lacking
    with pytest.raises(simulator_files.Damaged, match=problem):
        table_of(tmp_path, **changed)
