# SPDX-License-Identifier: MIT
"""Rerunning one cell with other captures: the files are next to its results, which do not change."""

import shlex
import subprocess

import polars as pl
import pytest

import tcpsweep
from tcpsweep.core.command_line.commands import cell_again
from tcpsweep.core.store import digests
from tests.support.project import KEPT, step
from tests.support.tools import tool

PLACES = ("left-to-sender", "receiver", "right-to-receiver", "sender")
ALL = ["bottleneck-left", "bottleneck-right", *(f"{place}{flow}" for place in PLACES for flow in range(2))]


@pytest.fixture
def cell(copy_of_finished):
    """The first cell's Parquet folder."""
    return copy_of_finished.cells()[0]


def files(folder):
    """Each file below a folder, but for the lock, with its bytes and its time."""
    found = (path for path in folder.rglob("*") if path.is_file() and path.name != ".lock")
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in found}


@pytest.mark.long
def test_all_packets_of_a_cell_are_captured_beside_its_results_which_stay(copy_of_finished, cell):
    results = copy_of_finished / "results"
    before, frames = files(results), tcpsweep.open("small", copy_of_finished.folder).flows.collect()
    done = step(copy_of_finished, "cell", cell.parent.name, "--pcap", "all", "--keep")
    assert done.returncode == 0, done.stderr
    assert "its numbers equal the sweep's\n" in done.stdout
    again = cell.parent / "again"
    after = files(results)
    assert {path: after[path] for path in before} == before
    assert all(path.is_relative_to(again) for path in after.keys() - before.keys())
    assert sorted(path.stem for path in (again / "raw").glob("*.pcap")) == ALL
    packets = pl.read_parquet(again / "packets.parquet")
    assert sorted(packets["interface"].unique()) == ALL
    tables = ("flows.parquet", "flow_monitor.parquet", "traces.parquet", "queue.parquet")
    assert all((cell / table).read_bytes() == (again / table).read_bytes() for table in tables)
    # It has no other identity: the sweep has nothing to do, and its frames are the same.
    assert copy_of_finished.run("-n", copy_of_finished.tables(), sweep=KEPT).jobs == {}
    assert tcpsweep.open("small", copy_of_finished.folder).flows.collect().equals(frames)


@pytest.mark.tshark
def test_the_command_that_it_says_opens_the_file(copy_of_finished, cell):
    done = step(copy_of_finished, "cell", cell.parent.name, "--pcap", "bottleneck", "--keep")
    (command,) = (shlex.split(line) for line in done.stdout.splitlines() if line.strip().startswith("tshark"))

    def shown(*options):
        told = [tool("tshark"), *command[1:], *options]
        done = subprocess.run(told, cwd=copy_of_finished.folder, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    layers = [line.split()[0] for line in shown("-q", "-z", "io,phs") if "frames:" in line]
    assert layers == ["ppp", "ip", "tcp", "data"]  # without -d, packets of port 5000 are malformed ones of GSM
    packets = pl.read_parquet(cell.parent / "again" / "packets.parquet")
    assert len(shown("-Y", "tcp.len > 0")) == packets.filter(pl.col("payload_bytes") > 0).height > 400


@pytest.mark.long
def test_the_next_time_replaces_what_was_there(copy_of_finished, cell):
    again = cell.parent / "again"
    step(copy_of_finished, "cell", cell.parent.name, "--pcap", "all", "--ascii", "--anim", "--text", "--keep")
    assert {"ascii.tr", "anim.xml", "cwnd_bytes.txt"} <= {path.name for path in (again / "raw").iterdir()}
    assert (again / "events.parquet").is_file()
    done = step(copy_of_finished, "cell", cell.parent.name, "--pcap", "bottleneck", "--snaplen", "full")
    assert "--keep keeps them" in done.stdout
    assert not (again / "raw").exists()
    assert not (again / "events.parquet").exists()
    packets = pl.read_parquet(again / "packets.parquet")
    assert packets["interface"].unique().to_list() == ["bottleneck-left"]
    assert (packets["captured_bytes"] == packets["wire_bytes"]).all()


@pytest.mark.long
def test_numbers_that_differ_are_told_with_where_but_not_another_digest_of_the_same(copy_of_finished, cell):
    traces = pl.read_parquet(cell / "traces.parquet")
    # As if another version of polars had written the same tables.
    traces.write_parquet(cell / "traces.parquet", compression="uncompressed")
    digests.write(cell)
    again = step(copy_of_finished, "cell", cell.parent.name, "--keep")
    assert "its numbers equal the sweep's\n" in again.stdout
    traces[20, "value"] = -1.0
    traces.head(-5).write_parquet(cell / "traces.parquet")
    digests.write(cell)
    done = step(copy_of_finished, "cell", cell.parent.name, "--pcap", "bottleneck")
    assert done.returncode == 0, done.stderr
    assert "ITS NUMBERS DIFFER from the sweep's:\n" in done.stdout
    rows = traces.height
    assert f"  traces: {rows - 5} rows in the sweep, {rows} now; the first difference is in row 20\n" in done.stdout
    assert "  queue:" not in done.stdout


@pytest.mark.long
def test_a_cell_that_fails_the_second_time_keeps_its_results(copy_of_finished, cell):
    step(copy_of_finished, "cell", cell.parent.name)
    before = files(cell)
    copy_of_finished.refuse("--pcap=all")
    copy_of_finished.run("-n")
    done = step(copy_of_finished, "cell", cell.parent.name, "--pcap", "all")
    assert done.returncode == 1
    assert f"{cell.parent.name} failed: the simulator ended with exit status 3\nthe reason it failed" in done.stderr
    assert "--pcap=all" in done.stderr
    assert f"by hand: {copy_of_finished / 'build'}/ns3.44-" in done.stderr
    assert "Traceback" not in done.stderr
    assert files(cell) == before
    assert not (cell.parent / "again").exists()


def test_what_it_does_not_take_is_said(copy_of_finished, cell):
    for asked, told in (("--pcap none", "bottleneck"), ("--snaplen 0", "expected headers, full or a num")):
        done = step(copy_of_finished, "cell", cell.parent.name, *asked.split())
        assert done.returncode == 2
        assert told in done.stderr


def test_ports_are_told_as_ranges_and_frames_of_802_15_4_as_without_checksums(tmp_path):
    record = {"flows": [{"destination_port": port} for port in (5000, 5002, 5001, 5004, 5000)]}
    command = shlex.split(cell_again._tshark_command(tmp_path / "a b.pcap", record, 195))
    assert command[:3] == ["tshark", "-r", f"{tmp_path}/a b.pcap"]
    ports = ["-d", "tcp.port==5000-5002,data", "-d", "tcp.port==5004,data"]
    assert command[3:] == [*ports, "-o", "wpan.802154_fcs_ok:FALSE"]
