# SPDX-License-Identifier: MIT
"""The metrics of delivery through the whole network, computed by hand."""

import polars as pl

from tcpsweep.measure import delivery
from tcpsweep.words import table_columns

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
    names = ("throughput_bps", "delay_s", "delivery_ratio", "drop_ratio")
    data, with_acks = (10_000, 0.2, 10 / 15, 4 / 15), (10_400, 2.4 / 16, 16 / 21, 4 / 21)
    expected = {"flows_with_data": 1, "flows_seen": 2, "flows_seen_with_acks": 3}
    expected |= {f"network_{name}": value for name, value in zip(names, data, strict=True)}
    expected |= {f"network_{name}_with_acks": value for name, value in zip(names, with_acks, strict=True)}
    assert found == expected
    assert delivery.per_flow(FLOWS) == {"delivery_ratio": {0: 10 / 12, 1: 0}, "drop_ratio": {0: 1 / 12, 1: 1}}


def test_without_traffic_nothing_is_told_that_is_not_known():
    found = delivery.per_network(FLOWS.filter(pl.col("flow") == 2), 8.0)
    unknown = ("delay_s", "delivery_ratio", "drop_ratio")
    expected = {f"network_{name}{suffix}" for name in unknown for suffix in ("", "_with_acks")}
    assert {name for name, value in found.items() if value is None} == expected
    assert (found["network_throughput_bps"], found["flows_seen"], found["flows_with_data"]) == (0, 0, 0)
