# SPDX-License-Identifier: MIT
"""The metrics of drops, losses and marks, and FlowMonitor's totals."""

from typing import Any

from tcpsweep.core.words.metric_form import BOUNDED, MBPS, MS, OF_DELIVERED, OF_PACKETS, PERCENT, Metric


def _flow_monitor_metrics(suffix: str, what: str) -> dict[str, Metric]:
    """The whole network's totals from FlowMonitor, over the whole simulation."""
    title, whole = " with ACKs" if suffix else "", "over the whole simulation"

    def metric(name: str, unit: str, formula: str, source: str, **options: Any) -> Metric:
        common = {"needs_steady": False, "compared": not suffix}
        return Metric(f"{name}{title}", unit, "network", f"{formula}, {whole}", source, **common | options)

    return {
        f"network_throughput_bps{suffix}": metric(
            "Network throughput",
            "bit/s",
            f"IP bytes of {what} that were received × 8 / time",
            "RFC 5166, section 2.1.1",
            **MBPS,
            better="higher",
        ),
        f"network_delay_s{suffix}": metric(
            "Mean end-to-end delay",
            "s",
            f"sum of the one-way delays of {what} that were received / their number",
            "RFC 7679",
            **MS,
            better="lower",
        ),
        f"network_delivery_ratio{suffix}": metric(
            "Network delivery ratio",
            "1",
            f"{what}: received / sent",
            "RFC 5166, section 2.1.3",
            **OF_DELIVERED,
            better="higher",
        ),
        f"network_drop_ratio{suffix}": metric(
            "Network drop ratio",
            "1",
            f"{what}: (dropped on a host, or sent at least 10 s before the end and not received) / sent; none if "
            "packets take almost so long",
            "RFC 5166, section 2.1.3",
            **OF_PACKETS,
            better="lower",
        ),
        f"flows_seen{suffix}": metric(
            "Flows seen",
            "1",
            "flows that sent data" + (", plus flows whose receiver sent ACKs: FlowMonitor's flows" if suffix else ""),
            "ns-3's FlowMonitor",
            **BOUNDED,
            compared=False,
        ),
    }


METRICS = {
    "congestion_loss": Metric(
        "Congestion loss",
        "1",
        "flow",
        "packets that the bottleneck's disc or device queue dropped / packets that arrived at it; over several links, "
        "packets that any of them dropped / packets that arrived at the first; for a link: all packets",
        "RFC 5166, section 2.1.3",
        **OF_PACKETS,
        better="lower",
        headline=True,
    ),
    "random_loss": Metric(
        "Random loss",
        "1",
        "flow",
        "packets lost on the bottleneck link / packets that it carried; over several links, packets lost on any of "
        "them / packets that the first carried; for a link: all packets",
        "RFC 5166, section 2.1.3",
        **OF_PACKETS,
    ),
    "lost_packets": Metric(
        "Lost packets",
        "packets",
        "flow",
        "packets that the bottleneck's disc or device queue dropped, plus packets lost on its link; over several "
        "links, the sum",
        "RFC 5166, section 2.1.3",
        shown_unit="packets",
        better="lower",
        **BOUNDED,
        compared=False,
    ),
    "delivery_ratio": Metric(
        "Delivery ratio",
        "1",
        "flow",
        "FlowMonitor's data packets received / sent, from IP layer to IP layer, over the whole simulation",
        "RFC 5166, section 2.1.3",
        **PERCENT,
        better="higher",
        needs_steady=False,
        compared=False,
    ),
    "drop_ratio": Metric(
        "Drop ratio",
        "1",
        "flow",
        "data packets (dropped on a host, or sent at least 10 s before the end and not received) / sent, over the "
        "whole simulation; none if packets take almost so long. FlowMonitor's MaxPerHopDelay is another time than 10 s",
        "RFC 5166, section 2.1.3",
        **PERCENT,
        better="lower",
        needs_steady=False,
        compared=False,
    ),
    **_flow_monitor_metrics("", "all flows' data packets"),
    **_flow_monitor_metrics("_with_acks", "all flows' data packets and ACKs"),
    "flows_with_data": Metric(
        "Flows that carried data",
        "1",
        "network",
        "flows whose receiving application read some payload, over the whole simulation",
        "design: flows of stations out of range carry no data",
        better="higher",
        **BOUNDED,
        needs_steady=False,
        compared=False,
    ),
    "ecn_marks": Metric(
        "ECN marks",
        "1",
        "flow",
        "packets that the bottleneck's disc marked / packets that arrived at it; over several links, the marks of all "
        "/ packets that arrived at the first; for a link: all packets",
        "RFC 3168",
        **OF_PACKETS,
    ),
}
