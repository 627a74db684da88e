# SPDX-License-Identifier: MIT
"""The bottleneck's utilisation, queueing delays and queue length, and Little's law."""

from typing import cast

import polars as pl

from tcpsweep.measure.cell import Cell
from tcpsweep.measure.percentiles import PERCENTILES, spread

_WAITED = ("transmit", "drop_after_wait")


def link(cell: Cell, queue: pl.DataFrame) -> dict[str, float]:
    """Utilisation, and the queueing delays of all packets, those of no flow of the sweep included.

    Where there are such packets, of CBR flows or ACKs of reverse flows, at any time, utilisation is split by kind too.
    """
    counted = pl.col("time_s").is_between(cell.from_s, cell.to_s, closed="right")
    forward = queue.lazy().filter(pl.col("direction") == "forward", pl.col("event") == "transmit")
    sent = forward.filter(counted).select("flow", "delay_s", "wire_bytes").collect(engine="in-memory")
    found = sent.select(spread(pl.col("delay_s"), "network_queueing_delay")).row(0, named=True)
    could_bytes = cell.capacity_bps * (cell.to_s - cell.from_s) / 8
    kinds = {"utilisation": sent}
    if not forward.filter(pl.col("flow") < 0).head(1).collect(engine="in-memory").is_empty():
        kinds["utilisation_flows"] = sent.filter(pl.col("flow") >= 0)
        kinds["utilisation_other"] = sent.filter(pl.col("flow") < 0)
    return found | {name: cast(int, packets["wire_bytes"].sum()) / could_bytes for name, packets in kinds.items()}


def queue_length(queue: pl.DataFrame) -> pl.DataFrame:
    """The forward queue's length over time: ``time_s`` and the ``packets`` in disc and device from then on.

    The table `queue` has a row for each packet that leaves, with the time that it has waited, so it came that much
    earlier. Packets that are still queued at the end have no row.
    """
    waited = (pl.col("direction") == "forward") & pl.col("event").is_in(_WAITED)
    left = queue.lazy().filter(waited).select("time_s", "delay_s").collect(engine="in-memory")
    came = left.select(time_s=pl.col("time_s") - pl.col("delay_s"), step=pl.lit(1, dtype=pl.Int8))
    gone = left.select("time_s", step=pl.lit(-1, dtype=pl.Int8))
    steps = pl.concat([came, gone]).sort("time_s")
    return steps.select("time_s", packets=pl.col("step").cast(pl.Int32).cum_sum())


def queue_percentiles(cell: Cell, queue: pl.DataFrame) -> dict[str, float]:
    """Time-weighted mean and percentiles of the queue's length; empty if nothing was ever queued."""
    held = (
        queue_length(queue)
        .with_columns(until_s=pl.col("time_s").shift(-1, fill_value=cell.to_s))
        .select(
            "packets",
            held_s=pl.min_horizontal("until_s", pl.lit(cell.to_s)) - pl.max_horizontal("time_s", pl.lit(cell.from_s)),
        )
        .filter(pl.col("held_s") > 0)
        .sort("packets")
    )
    if held.is_empty():
        return {}
    total_s = cell.to_s - cell.from_s
    missing_s = total_s - cast(float, held["held_s"].sum())  # before the first packet came
    reached = (held["held_s"].cum_sum() + missing_s) / total_s
    found = {"queue_mean_packets": cast(float, (held["packets"] * held["held_s"]).sum()) / total_s}
    for rank, share in PERCENTILES.items():
        below = missing_s / total_s >= share
        length = 0 if below else held["packets"].filter(reached >= share - 1e-12).first()
        found[f"queue_{rank}_packets"] = cast(float, length)
    return found


def littles_law(cell: Cell, queue: pl.DataFrame) -> dict[str, float]:
    """Little's law of the forward queue: its arrival rate, the mean time in it, and their product.

    Empty if no packet came in the time that counts.

    Little: A Proof for the Queuing Formula L = λW. Operations Research 9(3), 1961.
    """
    came_s = pl.col("time_s") - pl.col("delay_s")
    waited = (pl.col("direction") == "forward") & pl.col("event").is_in(_WAITED)
    wait_s = (
        queue.lazy()
        .filter(waited, came_s.is_between(cell.from_s, cell.to_s, closed="right"))
        .select("delay_s")
        .collect(engine="in-memory")["delay_s"]
    )
    if wait_s.is_empty():
        return {}
    rate = len(wait_s) / (cell.to_s - cell.from_s)
    mean_s = cast(float, wait_s.mean())
    return {"queue_arrival_rate_pps": rate, "queue_wait_mean_s": mean_s, "queue_little_packets": rate * mean_s}
