# SPDX-License-Identifier: MIT
"""The metrics of delivery through the whole network, computed by hand."""

import numpy as np
import polars as pl
import pytest

from tcpsweep.core.measure import cell_metrics, delivery
from tcpsweep.core.measure.cell import Cell
from tcpsweep.core.sweep.span import Span
from tcpsweep.core.words import table_columns
from tests.support.cell import audited

# Flow 0 carries data both ways, flow 1 has sent its SYN thrice in vain, flow 2 has never sent.
FLOWS = pl.DataFrame(
    [
        {"flow": 0, "received_bytes": 9000, "tx_packets": 12, "rx_packets": 10, "rx_bytes": 10_000, "lost_packets": 1}
        | {"delay_sum_s": 2.0, "ack_tx_packets": 6, "ack_rx_packets": 6, "ack_rx_bytes": 400, "ack_lost_packets": 0}
        | {"ack_delay_sum_s": 0.4},
        {"flow": 1, "received_bytes": 0, "tx_packets": 3, "rx_packets": 0, "rx_bytes": 0, "lost_packets": 3},
        {"flow": 2, "received_bytes": 0, "tx_packets": 0, "rx_packets": 0, "rx_bytes": 0, "lost_packets": 0},
    ],
    schema=table_columns.schema("flows"),
)


def test_data_and_acks_by_hand():
    found = delivery.per_network(Cell(FLOWS, {}, None, 0.0, 8.0))
    names = ("throughput_bps", "delay_s", "delivery_ratio", "drop_ratio")
    data, with_acks = (10_000, 0.2, 10 / 15, 4 / 15), (10_400, 2.4 / 16, 16 / 21, 4 / 21)
    expected = {"flows_with_data": 1, "flows_seen": 2, "flows_seen_with_acks": 3}
    expected |= {f"network_{name}": value for name, value in zip(names, data, strict=True)}
    expected |= {f"network_{name}_with_acks": value for name, value in zip(names, with_acks, strict=True)}
    assert found == expected
    assert delivery.ratios(FLOWS) == {"delivery_ratio": {0: 10 / 12, 1: 0}, "drop_ratio": {0: 1 / 12, 1: 1}}


def test_without_traffic_nothing_is_told_that_is_not_known():
    found = delivery.per_network(Cell(FLOWS.filter(pl.col("flow") == 2), {}, None, 0.0, 8.0))
    unknown = ("delay_s", "delivery_ratio", "drop_ratio")
    expected = {f"network_{name}{suffix}" for name in unknown for suffix in ("", "_with_acks")}
    assert {name for name, value in found.items() if value is None} == expected
    assert (found["network_throughput_bps"], found["flows_seen"], found["flows_with_data"]) == (0, 0, 0)


@pytest.mark.parametrize(("longest_s", "forgets", "known"), [(8.9, True, 4), (9.1, False, 3), (9.1, True, 1)])
def test_what_slow_packets_make_uncertain_has_no_value(longest_s, forgets, known):
    delays = pl.DataFrame({"flow": [0], "time_s": [5.0], "value": [longest_s]})
    cell = Cell(FLOWS.head(1), {"owd_s": delays}, None, 0.0, 8.0, forgets_packets=forgets)
    found = {name: value for name, value in delivery.per_network(cell).items() if name.startswith("network")}
    expected = {"throughput_bps", "delay_s", "delivery_ratio"} if known >= 3 else set()
    expected |= {"drop_ratio"} if known == 4 else set()
    names = {f"network_{name}{suffix}" for name in expected for suffix in ("", "_with_acks")}
    assert {name for name, value in found.items() if value is not None} == names
    known_shares = {name for name, shares in delivery.per_flow(cell).items() if shares}
    assert known_shares == {"delivery_ratio", "drop_ratio"} & {name for name in expected}


@pytest.mark.parametrize("flow_monitor", ["true", "false"])
def test_packets_that_take_longer_than_10_s_are_received_and_not_dropped(run, tmp_path, flow_monitor):
    network = ["--bandwidth=100kbps", "--delay=40ms", "--queue=1000p", "--flows=1", "--duration=60s"]
    cell = run("--variant=TcpCubic", *network, f"--flow_monitor={flow_monitor}", "--pcap=none")
    parsed, _, checks = audited(cell, tmp_path / "tables")
    assert checks.filter(~pl.col("agrees")).rows() == []
    found = cell_metrics.tables(parsed, "c", Span(10.0, 60.0))["measures"].drop_nulls("value")
    metrics = dict(found.select("metric", "value").rows())
    assert parsed.traces["owd_s"]["value"].max() > 15
    assert cell.way()["drop_packets"] == 0
    assert not {name for name in metrics if "drop_ratio" in name}
    # The link sends all the time after the start: 1500 of 1502 bytes are IP bytes.
    start_s = parsed.flows["start_s"].item()
    assert metrics["network_throughput_bps"] == pytest.approx(100e3 * 1500 / 1502 * (60 - start_s) / 60, rel=0.01)


def test_goodput_counts_payload_where_it_arrived(run, tmp_path):
    """The payload of a second is at most what the link carries, also while a retransmission fills a gap."""
    cell = run("--variant=TcpCubic", "--bandwidth=20Mbps", "--delay=40ms", "--loss=0.01", "--flows=1", "--duration=20s")
    time_s, received = np.array(cell.trace("received_bytes", 0)).T
    edges_s = np.arange(0, 20.01, 0.1)
    per_tenth = np.diff(np.concatenate(([0], received))[np.searchsorted(time_s, edges_s, side="right")])
    assert per_tenth.max() * 8 / 0.1 <= 20e6 * 1448 / 1502 * 1.02
    assert received[-1] >= cell.record["flows"][0]["received_bytes"]
