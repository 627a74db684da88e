# SPDX-License-Identifier: MIT
"""The metrics of FlowMonitor's flows, and how these flows share."""

from collections.abc import Mapping
from pathlib import Path
from typing import cast

import polars as pl

from tcpsweep.core.measure import delivery, fairness


def rates(folder: Path) -> pl.DataFrame:
    """The flows that FlowMonitor saw: ``flow``, ``start_s`` and ``stop_s``, and ``bps``, the receive bit rate.

    FlowMonitor has no bytes over time, so each rate is over its flow's own time. A flow that received nothing has 0,
    and a flow that received one packet null. The tables `flows` and `flow_monitor` are in ``folder``.
    """
    flows = pl.scan_parquet(folder / "flows.parquet").filter(pl.col("tx_packets").is_not_null())
    printed = pl.scan_parquet(folder / "flow_monitor.parquet").filter(pl.col("direction").cast(pl.String) == "data")
    bps = pl.when(pl.col("rx_packets") > 0).then("rx_bitrate_bps").otherwise(0.0)
    joined = flows.join(printed, on="flow", how="left", maintain_order="left")
    return joined.select("flow", "start_s", "stop_s", "rx_bitrate_bps", bps=bps).collect(engine="streaming")


def of_network(rates: pl.DataFrame) -> dict[str, float | None]:
    """The metrics of all flows together, from `rates`; none if not all were there together or a rate is unknown."""
    if not _can_be_compared(rates):
        return {}
    times = rates.select(
        together_s=pl.col("stop_s").min() - pl.col("start_s").max(),
        all_s=pl.col("stop_s").max() - pl.col("start_s").min(),
    )
    together_s, all_s = times.row(0)
    return {"jain_bitrate": fairness.jain(rates["bps"]), "time_together_share": together_s / all_s}


def _can_be_compared(rates: pl.DataFrame) -> bool:
    start_s, stop_s = (cast("float | None", value) for value in (rates["start_s"].max(), rates["stop_s"].min()))
    if rates.height < 2 or rates["bps"].null_count() or start_s is None or stop_s is None:
        return False
    return stop_s > start_s


def add(flows: pl.DataFrame, rates: pl.DataFrame, values: dict[str, dict[int, float]]) -> None:
    """Add the metrics of a part of the table `flows` to ``values``, by name and flow, unless captures have them.

    A flow's share is x · n / Σ x, as `measure.fairness.shares` has it, with each flow for itself.
    """
    monitored = flows.drop_nulls("tx_packets")
    of_part = rates.join(monitored.select("flow"), on="flow", how="semi")
    delay_s_by_flow = {
        flow: total / count
        for flow, total, count in monitored.select("flow", "delay_sum_s", "rx_packets").iter_rows()
        if count
    }
    jitter_s_by_flow = {
        flow: total / (count - 1)
        for flow, total, count in monitored.select("flow", "jitter_sum_s", "rx_packets").iter_rows()
        if count > 1
    }
    values_by_metric: dict[str, Mapping[int, float | None]] = {
        "receive_bitrate_bps": dict(of_part.select("flow", "rx_bitrate_bps").iter_rows()),
        "jitter_mean_s": jitter_s_by_flow,
        "owd_mean_s": delay_s_by_flow,
        **delivery.ratios(monitored),
    }
    mean_bps = cast("float | None", rates["bps"].mean())
    if mean_bps and _can_be_compared(rates):
        values_by_metric["bitrate_share"] = dict(of_part.select("flow", pl.col("bps") / mean_bps).iter_rows())
    for metric, value_by_flow in values_by_metric.items():
        known_by_flow = {flow: float(value) for flow, value in value_by_flow.items() if value is not None}
        values[metric] = known_by_flow | values.get(metric, {})
