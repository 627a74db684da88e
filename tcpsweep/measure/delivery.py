# SPDX-License-Identifier: MIT
"""Delivery and drop ratios, delay and throughput of the whole network, from FlowMonitor's totals over the simulation.

Delivery and drop ratio need not add up to 1, because packets in flight at the end are neither received nor lost.
"""

from collections.abc import Sequence
from typing import cast

import polars as pl

from tcpsweep.measure.cell import OfFlows

_TOTALS = ("tx_packets", "rx_packets", "rx_bytes", "lost_packets", "delay_sum_s")


def per_flow(flows: pl.DataFrame) -> OfFlows:
    """The shares of each flow's data packets that arrived, and that were lost anywhere.

    ``flows`` is the table `flows`.

    Returns
    -------
    dict
        ``delivery_ratio``, ``drop_ratio``; none for a flow that sent nothing.
    """
    rows = flows.select("flow", "tx_packets", "rx_packets", "lost_packets").rows()
    return {
        "delivery_ratio": {flow: received / sent for flow, sent, received, _ in rows if sent},
        "drop_ratio": {flow: lost / sent for flow, sent, _, lost in rows if sent},
    }


def per_network(flows: pl.DataFrame, duration_s: float) -> dict[str, float | None]:
    """The network's totals over all flows: for data packets and, in metrics whose names say so, with ACKs.

    ``flows`` is the table `flows`, and ``duration_s`` the simulated time.

    Returns
    -------
    dict
        Metric to value; None if it is undefined, because nothing was sent or nothing arrived. Empty if there is only
        other traffic than flows.
    """
    if flows.is_empty():
        return {}
    rows = flows.select("received_bytes", "tx_packets", "ack_tx_packets").rows()
    of_data, of_acks = ([cast(float, flows[f"{way}{name}"].sum()) for name in _TOTALS] for way in ("", "ack_"))
    seen = sum(bool(sent) for _, sent, _ in rows)
    of_both = [data + acks for data, acks in zip(of_data, of_acks, strict=True)]
    return (
        {"flows_with_data": sum(bool(received) for received, _, _ in rows)}
        | _ratios(of_data, duration_s, "")
        | {"flows_seen": seen}
        | _ratios(of_both, duration_s, "_with_acks")
        | {"flows_seen_with_acks": seen + sum(bool(sent) for _, _, sent in rows)}
    )


def _ratios(totals: Sequence[float], duration_s: float, suffix: str) -> dict[str, float | None]:
    sent, received, received_bytes, lost, delay_s = totals
    found = {
        "network_throughput_bps": received_bytes * 8 / duration_s,
        "network_delay_s": delay_s / received if received else None,
        "network_delivery_ratio": received / sent if sent else None,
        "network_drop_ratio": lost / sent if sent else None,
    }
    return {f"{name}{suffix}": value for name, value in found.items()}
