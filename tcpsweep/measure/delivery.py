# SPDX-License-Identifier: MIT
"""What of the flows' packets came through the whole network, and how fast: FlowMonitor's totals over the simulation.

Delivery and drop ratio need not add up to 1: what is under way at the end is neither received nor lost.
"""

import polars as pl

_TOTALS = ("tx_packets", "rx_packets", "rx_bytes", "lost_packets", "delay_sum_s")


def per_flow(flows):
    """The shares of each flow's data packets that arrived and that were lost.

    Parameters
    ----------
    flows : DataFrame
        The table `flows`.

    Returns
    -------
    DataFrame
        ``flow``, ``delivery_ratio``, ``drop_ratio``; null for a flow that sent nothing.
    """
    sent = pl.col("tx_packets")
    return flows.select(
        "flow",
        delivery_ratio=pl.when(sent > 0).then(pl.col("rx_packets") / sent),
        drop_ratio=pl.when(sent > 0).then(pl.col("lost_packets") / sent),
    )


def per_network(flows, duration_s):
    """The totals of all flows together, of their data packets and, under names that say so, with those of their ACKs.

    Parameters
    ----------
    flows : DataFrame
        The table `flows`.
    duration_s : float
        The simulated time.

    Returns
    -------
    dict
        Metric to value, None where it cannot be told, as nothing was sent, or nothing arrived.
    """
    data = flows.select(_TOTALS)
    acks = flows.select(**{name: f"ack_{name}" for name in _TOTALS})
    return (
        {"flows_with_data": flows.filter(pl.col("received_bytes") > 0).height}
        | _totals(data, duration_s, "")
        | _totals(pl.concat([data, acks]), duration_s, "_with_acks")
    )


def _totals(directions, duration_s, suffix):
    sent, received, received_bytes, lost, delay_s = directions.sum().row(0)
    found = {
        "network_throughput_bps": received_bytes * 8 / duration_s,
        "network_delay_s": delay_s / received if received else None,
        "network_delivery_ratio": received / sent if sent else None,
        "network_drop_ratio": lost / sent if sent else None,
        "flows_seen": directions.filter(pl.col("tx_packets") > 0).height,
    }
    return {f"{name}{suffix}": value for name, value in found.items()}
