# SPDX-License-Identifier: MIT
"""What came through the whole network: an example by hand, and FlowMonitor's file of a real run."""

import polars as pl
import pytest

from tcpsweep.measure import cell as measured_cell
from tcpsweep.measure import cell_metrics, delivery, fairness
from tcpsweep.parse import raw_files
from tcpsweep.plan import result_ids
from tcpsweep.words import table_columns

LOST = "--ns3::FlowMonitor::MaxPerHopDelay=500ms"
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
    found = delivery.per_network(FLOWS, 8.0)
    assert found == {
        "flows_with_data": 1,
        "network_throughput_bps": 10_000,
        "network_delay_s": 0.2,
        "network_delivery_ratio": 10 / 15,
        "network_drop_ratio": 4 / 15,
        "flows_seen": 2,
        "network_throughput_bps_with_acks": 10_400,
        "network_delay_s_with_acks": 2.4 / 16,
        "network_delivery_ratio_with_acks": 16 / 21,
        "network_drop_ratio_with_acks": 4 / 21,
        "flows_seen_with_acks": 3,
    }
    assert delivery.per_flow(FLOWS) == {
        "delivery_ratio": {0: 10 / 12, 1: 0},
        "drop_ratio": {0: 1 / 12, 1: 1},
    }


def test_without_traffic_nothing_is_told_that_is_not_known():
    found = delivery.per_network(FLOWS.filter(pl.col("flow") == 2), 8.0)
    assert {name for name, value in found.items() if value is None} == {
        f"network_{name}{suffix}"
        for name in ("delay_s", "delivery_ratio", "drop_ratio")
        for suffix in ("", "_with_acks")
    }
    assert (found["network_throughput_bps"], found["flows_seen"], found["flows_with_data"]) == (0, 0, 0)


def test_a_real_run_against_flow_monitors_file(run, tmp_path):
    ran = run("--flows=3", "--variant=TcpNewReno+TcpCubic", "--duration=5s", "--loss=0.01", "--start_jitter=0s", LOST)
    out = tmp_path / "parsed"
    out.mkdir()
    parsed = raw_files.cell(ran.folder, out)
    row = {"duration": "5s", "bandwidth": "10Mbps", "step_bandwidth": "none", "step_time": "0s", "warmup": "2s"}
    row |= {"flow_warmup": "auto"}
    cell = measured_cell.cell_inputs(parsed, result_ids.span(row))
    found = cell_metrics.per_network(cell, fairness.over_time(cell))
    data = [{key: float(text.removesuffix("ns")) for key, text in flow.attrib.items()} for flow in ran.flow_monitor()]
    received, sent = (sum(flow[key] for flow in data) for key in ("rxPackets", "txPackets"))
    assert found["network_delivery_ratio"] == received / sent
    assert 0 < found["network_drop_ratio"] == sum(flow["lostPackets"] for flow in data) / sent
    assert found["network_throughput_bps"] == pytest.approx(sum(flow["rxBytes"] for flow in data) * 8 / 5)
    assert found["network_delay_s"] == pytest.approx(sum(flow["delaySum"] for flow in data) / 1e9 / received)
    assert (found["flows_seen"], found["flows_seen_with_acks"], found["flows_with_data"]) == (3, 6, 3)
