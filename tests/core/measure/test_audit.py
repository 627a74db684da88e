# SPDX-License-Identifier: MIT
"""Real cells pass all consistency checks, and each defect is found by exactly its own checks."""

import itertools
import json
import struct
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import yaml

from tcpsweep.core.measure import audit, audit_checks
from tcpsweep.core.measure.checks import capacity
from tcpsweep.core.measure.checks.audited_cell import Events, Network
from tcpsweep.core.measure.traced_ways import TracedWay
from tcpsweep.core.parse import captures, raw_files
from tcpsweep.core.words import table_columns
from tests.support import packet_files as files
from tests.support import raw_columns
from tests.support.cell import Cell, audited, disagreeing, without

BASE = ("--bandwidth=5Mbps", "--duration=6s", "--start_jitter=100ms")
NETWORKS = yaml.safe_load(Path(__file__).with_name("audited_networks.yaml").read_text())


@pytest.mark.parametrize(
    "network", [pytest.param(name, marks=[pytest.mark.long] if place else []) for place, name in enumerate(NETWORKS)]
)
def test_a_real_cell_agrees_in_all_checks(run, tmp_path, network):
    cell = run(*BASE, *NETWORKS[network].split())
    _, _, checks = audited(cell, tmp_path)
    assert dict(checks.schema) == dict(pl.Schema(table_columns.schema("audit")))
    assert checks.filter(~pl.col("agrees")).rows() == []
    assert set(checks["check"].str.strip_prefix("reverse_")) <= set(audit_checks.CHECKS)
    assert checks.height > 6


SHORTER = {
    "no traces": lambda run: run | {"traces": {}},
    "no queue": lambda run: run | {"queue": []},
    "no captures": lambda run: run | {"captures": []},
    "a trace less": lambda run: run | {"traces": {name: n for name, n in run["traces"].items() if name != "owd_s"}},
    "a direction less": lambda run: run | {"queue": run["queue"][:1]},
    "other options": lambda run: run | {"parameters": run["parameters"] | {"pcap": "none", "traces": "none"}},
    "other arguments": lambda run: run | {"arguments": run["arguments"][1:]},
}


@pytest.mark.parametrize("record", SHORTER)
def test_a_record_that_says_less_does_not_make_the_audit_shorter(whole, record):
    cell, parsed, packets = whole
    full = audit.audit_table(parsed, packets, cell.record["arguments"])
    assert full["agrees"].all()
    run = SHORTER[record](parsed.run)
    traces = {name: rows for name, rows in parsed.traces.items() if name in run["traces"]}
    found = audit.audit_table(replace(parsed, run=run, traces=traces), packets, cell.record["arguments"])
    checks = set(full.select("check", "flow").rows())
    assert set(found.select("check", "flow").rows()) == checks
    lacking = set(found.filter(pl.col("found").is_null()).select("check", "flow").rows())
    told = set(found.filter(~pl.col("agrees"), pl.col("found").is_not_null())["check"])
    assert bool(lacking or told) == (record != "other options")  # the arguments know better


COUNTED = ("--variant=TcpBbr+TcpCubic", "--flows=3", "--reverse_flows=1", "--loss=0.002", "--loss_on=both")


def test_without_flow_monitor_flows_have_the_same_numbers_and_the_audit_a_witness_less(run, tmp_path):
    frames, checks = [], []
    for witness in ("true", "false"):
        cell = run(*COUNTED, "--bandwidth=5Mbps", "--duration=16s", f"--flow_monitor={witness}", name=witness)
        parsed, _, found = audited(cell, tmp_path / f"out-{witness}")
        assert found["agrees"].all()
        frames.append(parsed.flows)
        checks.append(set(found["check"]))
    seconds = [name for name in frames[0].columns if name.endswith("_sum_s")]
    assert frames[0].drop(seconds).equals(frames[1].drop(seconds))
    assert frames[0]["lost_packets"].sum() > 0
    for name in seconds:  # FlowMonitor writes six digits
        assert frames[1][name].to_list() == pytest.approx(frames[0][name].to_list(), rel=5e-6)
    gone = {"ip_sent_bytes", "ip_sent_packets", "ip_bytes", "ip_packets", "owd_sum_s"}
    assert checks[0] - checks[1] == gone
    assert checks[1] <= checks[0]


def test_flows_that_are_gone_are_missed(whole):
    cell, parsed, packets = whole
    found = audit.audit_table(replace(parsed, flows=parsed.flows.head(2)), packets, cell.record["arguments"])
    assert ("asked_flows", None) in found.filter(~pl.col("agrees")).select("check", "flow").rows()


def test_what_was_not_traced_has_no_row(run, tmp_path):
    _, _, queue_alone = audited(run(*BASE, "--traces=none"), tmp_path)
    assert not {"sink_bytes", "ip_bytes", "ip_packets", "owd_sum_s"} & set(queue_alone["check"])
    assert "captured_packets" not in set(queue_alone["check"])
    assert "delivered_packets" in set(queue_alone["check"])


@pytest.fixture(scope="module")
def whole(dumbbell, tmp_path_factory):
    """A cell of two forward flows and a reverse one, with losses, its captures in full."""
    raw, out = (tmp_path_factory.mktemp(name) for name in ("raw", "parsed"))
    network = "--loss=0.01 --loss_on=both --reverse_flows=1 --pcap=all --queue_disc=FifoQueueDisc"
    subprocess.run([dumbbell, *BASE, *network.split(), f"--out={raw}"], check=True)
    parsed, packets, _ = audited(Cell(raw), out)
    return Cell(raw), parsed, packets


def change(frame, where, **columns):
    """A table with other values in the first row that an expression is true of."""
    row = pl.int_range(pl.len()) == pl.lit(frame.select(where.arg_true().first()).item())
    return frame.with_columns(pl.when(row).then(value).otherwise(name).alias(name) for name, value in columns.items())


def moved(delays, seconds):
    """One-way delays of flow 1, the last later and the first sooner, so that the sum stays."""
    later = change(delays, LAST_OF_FLOW_1, value=VALUE + seconds)
    return change(later, OF_FLOW_1, value=VALUE - seconds)


OF_FLOW_1 = pl.col("flow") == 1
LAST_OF_FLOW_1 = OF_FLOW_1 & (pl.int_range(pl.len()) == pl.int_range(pl.len()).filter(OF_FLOW_1).max())
VALUE, SIZE = pl.col("value"), pl.col("wire_bytes")
# The first of these arrives, and long before the end.
SENT = OF_FLOW_1 & (pl.col("event") == "transmit") & (SIZE == 1502)
LOST = OF_FLOW_1 & (pl.col("event") == "loss")


@pytest.mark.parametrize(
    ("trace", "broken", "found"),
    [
        ("received_bytes", lambda t: without(t, LAST_OF_FLOW_1), {("rows", None), ("sink_bytes", 1)}),
        ("received_bytes", lambda t: change(t, LAST_OF_FLOW_1, value=VALUE + 1), {("sink_bytes", 1)}),
        ("ip_received_bytes", lambda t: change(t, LAST_OF_FLOW_1, value=VALUE - 1), {("ip_bytes", 1)}),
        ("ip_sent_bytes", lambda t: change(t, LAST_OF_FLOW_1, value=VALUE - 1), {("ip_sent_bytes", 1)}),
        ("sent_packets", lambda t: change(t, LAST_OF_FLOW_1, value=VALUE + 1), {("ip_sent_packets", 1)}),
        ("owd_s", lambda t: change(t, OF_FLOW_1, value=VALUE + 0.1), {("owd_sum_s", 1)}),
        ("owd_s", lambda t: without(t, OF_FLOW_1), {("rows", None), ("ip_packets", 1), ("owd_sum_s", 1)}),
        ("owd_s", lambda t: moved(t, 0.02), {("owd_above_floor_s", 1)}),
        ("cwnd_bytes", lambda t: change(t, LAST_OF_FLOW_1, time_s=pl.lit(0.0)), {("time_steps_back", None)}),
        ("cwnd_bytes", lambda t: without(t, OF_FLOW_1), {("rows", None)}),
    ],
)
def test_a_broken_trace_is_caught(whole, trace, broken, found):
    _, parsed, packets = whole
    assert disagreeing(replace(parsed, traces=parsed.traces | {trace: broken(parsed.traces[trace])}), packets) == found


DELIVERED = {("delivered_packets", 1), ("delivered_bytes", 1)}
AT_THE_LINK = {("captured_packets", 1), ("captured_bytes", 1)}


SENT_BYTES, LOSSES = {("sent_bytes", None)}, {("losses_of_sent", None)}
MARKED = {"event": pl.lit("mark", table_columns.EVENT)}


@pytest.mark.parametrize(
    ("broken", "found"),
    [
        (lambda q: without(q, SENT), {("rows", None), ("sent_packets", None)} | SENT_BYTES | DELIVERED | AT_THE_LINK),
        (lambda q: change(q, SENT, wire_bytes=SIZE - 1), SENT_BYTES | {("delivered_bytes", 1), ("captured_bytes", 1)}),
        (lambda q: change(q, pl.col("event") == "drop", **MARKED), {("drop_packets", None), ("mark_packets", None)}),
        (lambda q: change(q, LOST, time_s=pl.col("time_s") + 1e-7), LOSSES | DELIVERED),
        (lambda q: change(q, LOST, flow=pl.lit(0, pl.Int32)), LOSSES | DELIVERED),
        (lambda q: without(q, LOST), {("rows", None), ("loss_packets", None)} | DELIVERED),
        (lambda q: change(q, SENT, delay_s=pl.lit(1.0)), {("queueing_delay_s", None)}),
        (  # packets stay in order, so all later ones would have arrived after the end
            lambda q: change(q, SENT, wire_bytes=pl.lit(10**7)),
            SENT_BYTES
            | LOSSES
            | {(f"{name}_bytes", None) for name in ("waiting", "carried", "busiest_second")}
            | {("captured_bytes", 1), *itertools.product(("delivered_packets", "delivered_bytes"), (0, 1))},
        ),
    ],
)
def test_a_broken_queue_is_caught(whole, broken, found):
    _, parsed, packets = whole
    assert disagreeing(replace(parsed, queue=broken(parsed.queue)), packets) == found


def test_a_broken_count_is_caught(whole):
    _, parsed, packets = whole

    def with_flow(**columns):
        return disagreeing(replace(parsed, flows=change(parsed.flows, OF_FLOW_1, **columns)), packets)

    def caught(*names):
        return {(name, 1) for name in names}

    rx_packets = caught("ip_packets", "delivered_packets", "captured_received_packets")
    assert with_flow(rx_packets=pl.col("rx_packets") + 1) == rx_packets
    rx_bytes = caught("ip_bytes", "delivered_bytes", "captured_received_bytes")
    assert with_flow(rx_bytes=pl.col("rx_bytes") + 1) == rx_bytes
    tx_bytes = caught("ip_sent_bytes", "captured_sent_bytes")
    assert with_flow(tx_bytes=pl.col("tx_bytes") + 1) == tx_bytes
    assert with_flow(tx_bytes=pl.col("tx_bytes") - 10**6) == tx_bytes | {("waiting_bytes", None)}
    assert with_flow(tx_packets=pl.col("tx_packets") + 1) == caught("ip_sent_packets")
    assert with_flow(delay_sum_s=pl.col("delay_sum_s") * 1.0001) == caught("owd_sum_s")
    negative = caught("sink_bytes", "captured_sink_bytes") | {("jain", None)}
    assert with_flow(received_bytes=-pl.col("received_bytes")) == negative


CAPTURED = {
    "bottleneck-left": {"captured_packets", "captured_bytes"},
    "sender1": {"captured_sent_bytes"},
    "receiver1": {"captured_received_packets", "captured_received_bytes", "captured_sink_bytes"},
}


@pytest.mark.parametrize("interface", CAPTURED)
def test_a_packet_that_is_gone_from_a_capture_is_caught(whole, tmp_path, interface):
    cell, parsed, _ = whole
    for file in cell.folder.iterdir():
        (tmp_path / file.name).symlink_to(file)
    out = tmp_path / "out"
    out.mkdir()
    left = remove_record(cell, tmp_path, f"{interface}.pcap", parsed.run["flows"][1]["source"])
    raw_files.cell(tmp_path, out)
    captures.cell(tmp_path, out, files.library())
    packets = pl.scan_parquet(out / "packets.parquet")
    assert left > 100
    assert disagreeing(parsed, packets) == {(check, 1) for check in CAPTURED[interface]}


def remove_record(cell, folder, name, source):
    """Remove a full data packet of a flow from a capture, and its bytes from the record; returns the rest."""
    data = (cell.folder / name).read_bytes()
    place, records = 24, []
    while place < len(data):
        captured, length = struct.unpack_from("<2I", data, place + 8)
        records.append((length, data[place : place + 16 + captured]))
        place += 16 + captured
    address = bytes(map(int, source.split(".")))
    gone = next(i for i, (length, record) in enumerate(records) if length == 1502 and record[30:34] == address)
    (folder / name).unlink()
    (folder / name).write_bytes(data[:24] + b"".join(record for i, (_, record) in enumerate(records) if i != gone))
    run = json.loads(json.dumps(cell.record))
    for capture in run["captures"]:
        if capture["file"] == name:
            capture["bytes"] = (folder / name).stat().st_size
    (folder / "run.json").unlink()
    (folder / "run.json").write_text(json.dumps(run))
    (folder / "checksums.txt").unlink()
    raw_columns.write_checksums(folder)
    return len(records) - 1


def test_a_link_that_sends_without_pause_gains_what_its_clock_cuts_off():
    # At 300 Mbit/s a packet of 68 bytes takes 1813.3 ns, and ns-3 lets 1813 pass: 6.9 kB more in a second of such.
    size, tick_s, end_s = 68, 1813e-9, 2.0
    time_s = np.arange(0, end_s, tick_s)
    same = np.zeros(len(time_s), np.int64)
    sent = np.full(len(time_s), table_columns.EVENT.categories.to_list().index("transmit"), np.uint8)
    events = Events(sent, same.astype(np.int32), same + size, same, same, time_s, time_s)
    rate = {"from_s": 0, "bandwidth_bps": 300_000_000, "delay_s": 0}
    way = TracedWay("first", "forward", "a", [rate], {})
    derived = {"wire_packet_bytes": 1502, "ip_header_bytes": 20}
    found = list(capacity.capacity(events, way, Network({}, derived, end_s, {way.key: way}, wireless=False)))
    for (check, _, low, carried, high), length_s in zip(found, (2, 1), strict=True):
        assert length_s * 300e6 / 8 + 1502 < carried <= high, check
        assert (low, high) == (0, pytest.approx(length_s * 300e6 / 8, rel=1e-3))
