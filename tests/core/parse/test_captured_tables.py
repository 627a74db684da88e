# SPDX-License-Identifier: MIT
"""Tables of a cell's captures: compared with its other tables, and from damaged files. test_audit has FlowMonitor's."""

import json
import re
import shutil
from pathlib import Path

import polars as pl
import pytest

from tcpsweep.core.parse import captures, packet_decoder, raw_files, simulator_files
from tcpsweep.core.plan import result_ids
from tcpsweep.core.sweep.sweep_parts import Capture
from tcpsweep.core.words import table_columns
from tests.support import packet_files as files
from tests.support import raw_columns

NETWORK = ("--bandwidth=2Mbps", "--delay=10ms", "--duration=6s", "--start_jitter=100ms", "--loss=0.01")
NETWORK += ("--variant=TcpNewReno+TcpCubic", "--reverse_flows=1")
SWEEP = Path(__file__).with_name("captured.yaml").read_text()
PLAIN = SWEEP.replace("captured", "plain").replace("pcap: bottleneck, ", "")


@pytest.fixture
def parsed(tmp_path):
    """Parse a cell's raw files with its captures; returns its tables."""

    def parsed(cell):
        out = tmp_path / "parsed"
        out.mkdir()
        raw_files.cell(cell.folder, out)
        captures.cell(cell.folder, out, files.library())
        return {path.stem: pl.read_parquet(path) for path in out.glob("*.parquet")}

    return parsed


@pytest.mark.long
@pytest.mark.parametrize("variant", ["TcpNewReno", "TcpCubic", "TcpBbr"])
@pytest.mark.parametrize(
    "captured", [("--duration=40s",), ("--duration=15s", "--pcap=all", "--ascii=true")], ids=["traces", "captures"]
)
def test_parquet_takes_less_than_15_percent_of_the_bytes_of_text(run, parsed, tmp_path, variant, captured):
    cell = run(f"--variant={variant}", "--text=true", *captured)
    parsed(cell)
    text = sum(path.stat().st_size for path in cell.folder.iterdir() if path.suffix != ".columns")
    assert sum(path.stat().st_size for path in (tmp_path / "parsed").iterdir()) < 0.15 * text


def written(cell, name):
    """The words of each line of a text that the simulator wrote."""
    return [line.split() for line in (cell.folder / f"{name}.txt").read_text().splitlines()]


def test_a_cell_that_is_read_again_is_as_it_was_parsed_with_the_digits_of_the_text(run, tmp_path):
    cell = run("--duration=4s", "--variant=TcpNewReno+TcpCubic", "--reverse_flows=1", "--text=true")
    first = raw_files.cell(cell.folder, tmp_path)
    second = raw_files.read_parsed(tmp_path)
    assert first.run == second.run
    assert first.flows.equals(second.flows)
    assert first.queue.equals(second.queue)
    assert first.traces.keys() == second.traces.keys()
    assert all(frame.equals(second.traces[name]) for name, frame in first.traces.items())
    frames = {name: pl.read_parquet(tmp_path / f"{name}.parquet") for name in ("traces", "queue")}
    for name in ("cwnd_bytes", "owd_s"):
        found = frames["traces"].filter(pl.col("metric") == name).select(pl.col("time_s", "flow").cast(pl.String))
        assert found.rows() == sorted(((row[0], row[1]) for row in written(cell, name)), key=lambda row: int(row[1]))
    forward = frames["queue"].filter(pl.col("direction") == "forward")
    found = forward.select(pl.col("time_s", "delay_s").cast(pl.String))
    assert found.rows() == [(row[0], row[4]) for row in written(cell, "queue")]


def test_packets_at_the_bottleneck_are_the_queues_transmissions_and_acks_flowmonitors(run, parsed):
    frames = parsed(run(*NETWORK, "--pcap=all", "--ascii=true"))
    for direction, interface in (("forward", "bottleneck-left"), ("reverse", "bottleneck-right")):
        # A flow's forward data and the reverse flows' ACKs, which the queue knows as no flow's.
        network = "10.1." if direction == "forward" else "10.2."
        is_ours = pl.col("source").cast(pl.String).str.starts_with(network)
        sent = frames["packets"].filter(is_ours, interface=interface)
        queue = frames["queue"].filter(pl.col("direction") == direction, pl.col("event") == "transmit")
        assert sent["wire_bytes"].to_list() == queue["wire_bytes"].to_list()
        assert (sent["time_s"] - queue["time_s"]).abs().max() < 1e-9
    for flow in frames["flows"].iter_rows(named=True):  # of data, the audit compares the captures
        acks = frames["packets"].filter(pl.col("flow") == flow["flow"], pl.col("direction") == "ack")
        for end, way in (("receiver", "tx"), ("sender", "rx")):
            there = acks.filter(pl.col("interface") == f"{end}{flow['flow']}")
            assert (there.height, there["ip_bytes"].sum()) == (flow[f"ack_{way}_packets"], flow[f"ack_{way}_bytes"])
    events = frames["events"].filter(pl.col("node") == 0, pl.col("device") == 1)
    left = frames["queue"].filter(pl.col("direction") == "forward", pl.col("event") == "transmit")
    assert events.filter(pl.col("event") == "dequeue").height == left.height
    assert events.filter(pl.col("event") == "dequeue")["ip_bytes"].sum() == (left["wire_bytes"] - 2).sum()


def test_tables_have_their_documented_columns_and_the_record_what_was_found(run, parsed, tmp_path):
    cell = run(*NETWORK, "--pcap=bottleneck", "--ascii=true", "--snaplen=40")
    frames = parsed(cell)
    # Three tables are made of others; transfers belong to traffic, which this network lacks.
    assert set(frames) == set(table_columns.COLUMNS) - {"measures", "fairness", "audit", "transfers"}
    for table, frame in frames.items():
        assert dict(frame.schema) == dict(pl.Schema(table_columns.schema(table)))
    left, ascii_trace = json.loads((tmp_path / "parsed" / "run.json").read_text())["captures"]
    assert left["frames"] == left["rows"] > 500
    # 40 bytes end within TCP's timestamps, whose lack is counted and shown as null.
    assert left["cut"] == left["rows"]
    assert left["others"] == {}
    assert left["rows"] == frames["packets"].height
    assert ascii_trace["rows"] == frames["events"].height
    assert ascii_trace["unknown"] == 0


def test_a_damaged_or_missing_capture_is_named(run, parsed, tmp_path):
    cell = run(*NETWORK, "--pcap=bottleneck")
    path = cell.folder / "bottleneck-left.pcap"
    data = bytearray(path.read_bytes())
    data[24 + 8] ^= 0xFF  # the first packet's captured length
    path.write_bytes(data)

    def told():
        shutil.rmtree(tmp_path / "parsed", ignore_errors=True)
        with pytest.raises(simulator_files.Damaged) as found:
            parsed(cell)
        return str(found.value)

    assert "bottleneck-left.pcap: its CRC-32 is" in told()
    path.write_bytes(data[:1000])
    assert re.search(rf"\.pcap: offset 1000: .*wrote {len(data)} bytes", told())
    path.write_bytes(data)
    raw_columns.write_checksums(cell.folder)
    assert "bottleneck-left.pcap: offset 32: a packet of" in told()
    path.unlink()
    assert "bottleneck-left.pcap: missing" in told()


@pytest.mark.long
def test_packets_become_parquet_in_a_run_and_again_after_an_edit_of_their_decoder(project):
    ran = project.run(project.tables("captured"), sweep=SWEEP, name="captured.yaml")
    assert ran.status == 0, ran.text
    assert (project / packet_decoder.place()).is_file()
    for folder in project.cells():
        assert pl.scan_parquet(folder / "packets.parquet").select(pl.len()).collect().item() > 100
    plain = project.run("-n", project.tables("plain"), sweep=PLAIN, name="plain.yaml")
    assert "simulate" in plain.jobs and "decoder" not in plain.jobs
    source = project / "tcpsweep" / "core" / "parse" / "native" / "transport.cc"
    source.write_text(source.read_text() + "\nnamespace\n{\n[[maybe_unused]] int g_unused = 1;\n}\n")
    again = project.run("-n", project.tables("captured"), name="captured.yaml")
    assert (again.jobs["decoder"], again.jobs["parse"], again.jobs.get("simulate")) == (1, 1, None)


def test_cells_without_captures_do_not_depend_on_the_decoders():
    def made(pcap, text):
        return result_ids.parser_and_decoder(Capture([], True, False, pcap, "headers", text, False))

    assert made("none", False)[1] is None
    assert len({made(pcap, text)[0] for pcap in ("none", "all") for text in (False, True)}) == 2
    assert made("none", True)[1] == packet_decoder.place()
