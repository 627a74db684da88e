# SPDX-License-Identifier: MIT
"""`tcpsweep import` of FlowMonitor's files: how flows share, and memory for any number of flows."""

import polars as pl
import pytest

from tests.features.captures.imports import FLOW_XML, here, imported, page  # noqa: F401


def monitored_flow(number, rx_bytes, first_s, last_s, back=False, packets=None):
    """The two tags of a flow in FlowMonitor's file: packets sent at ``first_s``, received from 0.1 s later."""
    ends = [("10.0.0.1", 40000 + number), ("10.0.0.2", 80)][:: -1 if back else 1]
    packets = rx_bytes // 1000 if packets is None else packets
    times = {"FirstTx": first_s, "FirstRx": first_s + 0.1, "LastTx": last_s - 0.1, "LastRx": last_s}
    if not packets:
        times |= {"FirstRx": 0, "LastRx": 0}
    stats = "".join(f'time{name}Packet="+{time_s * 1e9:g}ns" ' for name, time_s in times.items())
    counts = f'txBytes="{rx_bytes + 1}" rxBytes="{rx_bytes}" txPackets="{packets + 1}" rxPackets="{packets}"'
    flow_id = 2 * number + back
    return (
        f'<Flow flowId="{flow_id}" {stats} delaySum="+1e9ns" jitterSum="+1e9ns" {counts} lostPackets="1"/>',
        f'<Flow flowId="{flow_id}" sourceAddress="{ends[0][0]}" sourcePort="{ends[0][1]}" '
        f'destinationAddress="{ends[1][0]}" destinationPort="{ends[1][1]}" protocol="6"/>',
    )


def flow_monitor_file(flows):
    """FlowMonitor's file with flows of `monitored_flow`."""
    stats, classified = ("".join(tags) for tags in zip(*flows, strict=True))
    return (
        f"<FlowMonitor><FlowStats>{stats}</FlowStats>"
        f"<Ipv4FlowClassifier>{classified}</Ipv4FlowClassifier></FlowMonitor>"
    ).encode()


def network_metrics(opened):
    rows = opened.table("measures").filter(pl.col("flow").is_null()).select("metric", "value").collect()
    return dict(rows.iter_rows())


def test_flow_monitors_flows_share_as_their_receive_bit_rates_do():
    # 8, 4 and 2 Mbit/s over 8 s, 8 s and 4 s: Jain's index is 14² / (3 · 84); 4 of 9.1 s have all three.
    flows = [(1, 8_000_000, 1, 9.1), (2, 4_000_000, 1, 9.1), (3, 1_000_000, 5, 9.1)]
    acks = monitored_flow(1, 1000, 1, 9.1, back=True)
    opened = imported(flow_monitor_file([*(monitored_flow(*flow) for flow in flows), acks]), name="flow.xml")
    assert opened.flows["bitrate_share"].to_list() == pytest.approx([8 * 3 / 14, 4 * 3 / 14, 2 * 3 / 14])
    expected = {"jain_bitrate": 14**2 / (3 * 84), "time_together_share": 4.1 / 8.1}
    assert network_metrics(opened) == pytest.approx(expected)
    assert "receive bit rates: 0.7778" in page("flow")
    # A flow that received nothing has no part.
    starved = flow_monitor_file([monitored_flow(1, 8_000_000, 1, 9.1), monitored_flow(2, 0, 1, 9.1)])
    opened = imported(starved, name="starved.xml")
    assert opened.flows["bitrate_share"].to_list() == [2, 0]
    assert network_metrics(opened)["jain_bitrate"] == pytest.approx(1 / 2)


@pytest.mark.parametrize(
    "other", [(2, 8_000_000, 10, 12), (2, 1000, 1, 1.1)], ids=["one after the other", "one packet"]
)
def test_flows_that_cannot_be_compared_have_no_jain(other):
    opened = imported(flow_monitor_file([monitored_flow(1, 8_000_000, 1, 9.1), monitored_flow(*other)]), name="f.xml")
    assert network_metrics(opened) == {}
    assert "bitrate_share" not in opened.flows.columns


def test_jains_index_of_a_simulation_is_that_of_the_rates_that_ns3_prints():
    # The last flow of this file received nothing, and was there for one moment.
    assert network_metrics(imported(FLOW_XML.read_bytes(), name="starved.xml")) == {}
    opened = imported(FLOW_XML.with_name("ipv6.xml").read_bytes(), name="flow.xml")
    rates = [52.24, 33.22, 44.15]  # in kbit/s, in ipv6-printed.txt
    assert network_metrics(opened)["jain_bitrate"] == pytest.approx(
        sum(rates) ** 2 / (3 * sum(rate**2 for rate in rates)), rel=1e-3
    )
