# SPDX-License-Identifier: MIT
"""Parsing a real cell's files, intact and damaged."""

import os
import shutil
import subprocess
import tracemalloc
from pathlib import Path

import polars as pl
import pytest
import yaml

from tcpsweep.parse import flow_monitor, raw_files, simulator_files
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
