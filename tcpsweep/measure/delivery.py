# SPDX-License-Identifier: MIT
"""Delivery and drop ratios, delay and throughput of the whole network, from FlowMonitor's totals over the simulation.

Delivery and drop ratio need not add up to 1, as packets under way at the end are neither received nor lost.
"""

import polars as pl

_TOTALS = ("tx_packets", "rx_packets", "rx_bytes", "lost_packets", "delay_sum_s")


def per_flow(flows: pl.DataFrame) -> pl.DataFrame:
    """The shares of each flow's data packets that arrived, and that were lost anywhere.

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


def per_network(flows: pl.DataFrame, duration_s: float) -> dict[str, float | None]:
    """The network's totals over all flows: for data packets and, in names that end so, with ACKs.

    Parameters
    ----------
    flows : DataFrame
        The table `flows`.
    duration_s : float
        The simulated time.

    Returns
    -------
    dict
        Metric to value; None if it is undefined, because nothing was sent or nothing arrived.
    """
    data = flows.select(_TOTALS)
    acks = flows.select(**{name: f"ack_{name}" for name in _TOTALS})
    return (
        {"flows_with_data": flows.filter(pl.col("received_bytes") > 0).height}
        | _totals(data, duration_s, "")
        | _totals(pl.concat([data, acks]), duration_s, "_with_acks")
    )


def _totals(directions: pl.DataFrame, duration_s: float, suffix: str) -> dict[str, float | None]:
    sent, received, received_bytes, lost, delay_s = directions.sum().row(0)
    found = {
        "network_throughput_bps": received_bytes * 8 / duration_s,
        "network_delay_s": delay_s / received if received else None,
        "network_delivery_ratio": received / sent if sent else None,
        "network_drop_ratio": lost / sent if sent else None,
        "flows_seen": directions.filter(pl.col("tx_packets") > 0).height,
    }
    return {f"{name}{suffix}": value for name, value in found.items()}
