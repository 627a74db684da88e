# SPDX-License-Identifier: MIT
"""Delivery and drop ratios, delay and throughput of the whole network, from counts over the simulation.

Delivery and drop ratio need not add up to 1, because packets under way at the end are neither received nor lost. A
packet is lost if it was sent some time before the end and was not received. If packets take that long, some of the lost
ones may be under way. Then nothing else counts losses on the whole path, so there is no drop ratio.
"""

from collections.abc import Sequence
from typing import cast

import polars as pl

from tcpsweep.core.measure.cell import Cell, OfFlows

_TOTALS = ("tx_packets", "rx_packets", "rx_bytes", "lost_packets", "delay_sum_s")


def ratios(flows: pl.DataFrame) -> OfFlows:
    """The shares of each flow's data packets that arrived, and that were lost anywhere, as counted.

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


def per_flow(cell: Cell) -> OfFlows:
    """The `ratios` of a cell's flows, without those that are unknown because packets took too long."""
    slow_flows, by_metric = _slow_flows(cell), ratios(cell.flows)
    unknown = tuple(by_metric) if cell.forgets_packets else ("drop_ratio",)
    return {
        name: {flow: share for flow, share in shares.items() if flow not in slow_flows or name not in unknown}
        for name, shares in by_metric.items()
    }


def per_network(cell: Cell) -> dict[str, float | None]:
    """The network's totals over all flows: for data packets and, in metrics whose names say so, with ACKs.

    Returns
    -------
    dict
        Metric to value; None if it is undefined, because nothing was sent or nothing arrived, or if packets took too
        long to know. Empty if there is only other traffic than flows.
    """
    flows = cell.flows
    if flows.is_empty():
        return {}
    rows = flows.select("received_bytes", "tx_packets", "ack_tx_packets").rows()
    data_sums, ack_sums = ([cast(float, flows[f"{prefix}{name}"].sum()) for name in _TOTALS] for prefix in ("", "ack_"))
    with_packets = sum(bool(sent) for _, sent, _ in rows)
    sums = [data + acks for data, acks in zip(data_sums, ack_sums, strict=True)]
    values = (
        {"flows_with_data": sum(bool(received) for received, _, _ in rows)}
        | _ratios(data_sums, cell.to_s, "")
        | {"flows_seen": with_packets}
        | _ratios(sums, cell.to_s, "_with_acks")
        | {"flows_seen_with_acks": with_packets + sum(bool(sent) for _, _, sent in rows)}
    )
    unknown: tuple[str, ...] = ()
    if _slow_flows(cell):
        unknown = ("network_",) if cell.forgets_packets else ("network_drop_ratio",)
    return {name: None if name.startswith(unknown) else value for name, value in values.items()}


def _slow_flows(cell: Cell) -> set[int]:
    """The flows with packets that took as long as lost packets, on the whole path or in a traced queue."""
    tables = [cell.traces["owd_s"].select("flow", delay_s="value")] if "owd_s" in cell.traces else []
    tables += [queue.rows.select("flow", "delay_s") for queue in cell.queues.values()]
    # FlowMonitor looks for packets to forget once a second.
    least_s = cell.lost_after_s - 1
    return {flow for rows in tables for flow in rows.filter(pl.col("delay_s") >= least_s)["flow"].unique().to_list()}


def _ratios(totals: Sequence[float], duration_s: float, suffix: str) -> dict[str, float | None]:
    sent, received, received_bytes, lost, delay_s = totals
    values = {
        "network_throughput_bps": received_bytes * 8 / duration_s,
        "network_delay_s": delay_s / received if received else None,
        "network_delivery_ratio": received / sent if sent else None,
        "network_drop_ratio": lost / sent if sent else None,
    }
    return {f"{name}{suffix}": value for name, value in values.items()}
