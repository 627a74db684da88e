# SPDX-License-Identifier: MIT
"""A simulation at each limit of a counter: the numbers are right there, or have no value."""

import itertools
import re

import polars as pl
import pytest

from tcpsweep.core.measure import audit_checks, cell_metrics, counters
from tcpsweep.core.sweep.span import Span
from tcpsweep.core.words import metrics
from tests.support.cell import audited


def measured(cell, folder, from_s, to_s):
    """A cell's metrics of its flows and network by name, after a look at its audit."""
    parsed, _, checks = audited(cell, folder)
    assert checks.filter(~pl.col("agrees")).rows() == []
    rows = cell_metrics.tables(parsed, "c", Span(from_s, to_s, 0.0))["measures"].drop_nulls("value")
    return {name: value for name, value in rows.select("metric", "value").rows()}, parsed, checks


def test_each_named_check_and_metric_exists():
    assert {check for row in counters.COUNTERS for check in row.checks} <= set(audit_checks.CHECKS)
    for row in counters.COUNTERS:
        for name in re.findall(r"`(\w+)(…?)`", row.metrics):
            assert [each for each in metrics.METRICS if each == name[0] or (name[1] and each.startswith(name[0]))], name


@pytest.mark.long
def test_sequence_numbers_may_wrap(run, tmp_path):
    """4.5 GB of one flow: 1448 of 1502 bytes on the wire are payload."""
    network = ["--bandwidth=1Gbps", "--delay=1ms", "--queue=2bdp", "--flows=1", "--duration=38s", "--start_jitter=0s"]
    traces = ["--traces=received_bytes,duplicate_bytes,acked_bytes", "--queue_trace=false", "--flow_monitor=false"]
    cell = run("--variant=TcpCubic", *network, "--access_bandwidth=10Gbps", *traces)
    found, parsed, _ = measured(cell, tmp_path / "tables", 2.0, 38.0)
    assert found["goodput_bps"] == pytest.approx(1e9 * 1448 / 1502, rel=0.01)
    (flow,) = cell.record["flows"]
    assert flow["received_bytes"] > 2**32
    # Each retransmission repairs a loss: nothing arrives twice, and what is acknowledged has arrived.
    assert parsed.traces["duplicate_bytes"].is_empty()
    last = {name: parsed.traces[name]["value"].last() for name in ("received_bytes", "acked_bytes")}
    assert 0 <= last["received_bytes"] - last["acked_bytes"] < 10e6


def test_windows_add_up_to_the_whole(run, tmp_path):
    cell = run("--variant=TcpCubic", "--loss=0.01", "--flows=1", "--duration=12s", "--start_jitter=0s")
    edges_s = [0.0, 3.33, 7.0, 12.0]
    parts = [measured(cell, tmp_path / str(place), *ends)[0] for place, ends in enumerate(itertools.pairwise(edges_s))]
    (flow,) = cell.record["flows"]
    payload = sum(part["received_payload_bytes"] for part in parts)
    assert payload == flow["received_bytes"] + flow["waiting_bytes"]
    assert sum(part["sent_ip_bytes"] for part in parts) == int(cell.flow_monitor()[0].get("txBytes"))


def test_headers_cut_short_check_nothing_and_the_metrics_stay(run, tmp_path):
    whole, cut = (
        measured(
            run("--pcap=all", f"--snaplen={bytes_}", "--duration=5s", name=f"out{bytes_}"), tmp_path / bytes_, 1, 5
        )
        for bytes_ in ("headers", "40")
    )
    assert whole[0] == cut[0]
    captured = [{check for check in found[2]["check"] if check.startswith("captured_")} for found in (whole, cut)]
    assert captured[0]
    assert not captured[1]


def test_packets_under_way_at_the_end_are_neither_received_nor_lost(run, tmp_path):
    network = ["--bandwidth=2Mbps", "--delay=400ms", "--queue=2000p", "--flows=1", "--duration=15s"]
    found, parsed, _ = measured(run("--variant=TcpCubic", *network), tmp_path / "tables", 5.0, 15.0)
    sent, received, lost = parsed.flows.select("tx_packets", "rx_packets", "lost_packets").row(0)
    assert lost == 0
    assert sent - received > 100
    assert found["delivery_ratio"] == received / sent < 1
    assert found["drop_ratio"] == 0
