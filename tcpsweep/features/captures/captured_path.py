# SPDX-License-Identifier: MIT
"""The path between the places of two captures: delay and loss of the packets that went from one to the other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import polars as pl

from tcpsweep.features.captures import captured_packets, packet_copies
from tcpsweep.features.captures.captured_metrics import MOST_FLOWS, Measured

# What a packet keeps on its way, and what differs in a retransmission.
_KEY = ("flow", "direction", "ip_id", "payload_bytes", "seq", "ack", "flags", "tsval", "tsecr")
_PARTS = 1000  # parts of the time, each with its least delay, for the drift


def between(packets: Path, flows: pl.DataFrame, places: Sequence[str], measured: Measured) -> pl.DataFrame:
    """The packets of flows on the way between two places; metrics are added to ``measured``.

    ``packets`` is the table of packets, and ``places`` are two interfaces of it. Packets are paired by their ends, IP's
    identification, TCP's numbers and timestamps. Where more packets of the same header left than arrived, it is not
    known which ones were lost. Data go away from the place where they were seen earlier, measured by their ACKs,
    because the clocks may differ. Without ACKs, the way goes by the time to live, else by the order of the places.

    The columns:

    - ``flow``, ``direction``
    - ``sent_s``, by the clock of the place that the packet left
    - ``delay_s``, above the least delay of all packets of the same way; null if it was lost, or if it is not known
      which one arrived
    - ``is_lost``, null if it is not known
    """
    pairs = pl.concat([_pairs(packets, batch, places) for batch in captured_packets.batches(flows.head(MOST_FLOWS))])
    ways = _with_ways(pairs)
    seen = pl.col("sent_s").filter(pl.col("raw_s").is_not_null())
    is_between = pl.col("sent_s").is_between(seen.min().over("is_onward"), seen.max().over("is_onward"))
    ways = ways.filter(is_between).with_columns(delay_s=pl.col("raw_s") - pl.col("raw_s").min().over("is_onward"))
    _add_flow_metrics(ways, measured)
    measured.network |= _clock_metrics(ways)
    return ways.sort("sent_s").select("flow", "direction", "sent_s", "delay_s", "is_lost")


def _pairs(packets: Path, flows: pl.DataFrame, places: Sequence[str]) -> pl.DataFrame:
    """The packets of flows, each with its times at both places, ``time_s`` and ``time_s_after``."""
    columns = {*_KEY, *packet_copies.COLUMNS}
    rows = (
        pl.scan_parquet(packets)
        .filter(
            pl.col("flow").is_in(flows["flow"].implode()),
            pl.col("interface").is_in(places),
            pl.col("time_s").is_not_null(),
        )
        .select(columns)
        .with_columns(pl.col("time_s").cast(pl.Float64))
        .collect(engine="streaming")
        .sort("interface", "time_s", maintain_order=True)
    )
    rows = packet_copies.counted_once(rows, pl.col("direction") == "data").select(
        *_KEY,
        *("interface", "time_s", pl.col("ttl").cast(pl.Int64)),
        number=pl.int_range(pl.len()).over("interface", *_KEY),
        copies=pl.len().over("interface", *_KEY),
    )
    before, after = (rows.filter(interface=place).drop("interface") for place in places)
    return before.join(
        after, on=[*_KEY, "number"], how="full", coalesce=True, nulls_equal=True, suffix="_after"
    ).select(
        *("flow", "direction", "time_s", "time_s_after"),
        hops=pl.col("ttl") - pl.col("ttl_after"),
        same_count=pl.col("copies").eq_missing(pl.col("copies_after")),
        copies=pl.max_horizontal("copies", "copies_after"),
    )


def _with_ways(pairs: pl.DataFrame) -> pl.DataFrame:
    """The packets with ``is_onward``, whether they go from the first place to the second, ``sent_s`` and ``raw_s``."""
    gap_s = pl.col("time_s_after") - pl.col("time_s")
    is_data = pl.col("direction") == "data"
    by_clock = gap_s.filter(is_data).median().over("flow") - gap_s.filter(~is_data).median().over("flow")
    hops = pl.col("hops").filter(is_data).mean() - pl.col("hops").filter(~is_data).mean().fill_null(0.0)
    is_data_onward = pl.coalesce(by_clock > 0, (hops >= 0).over("flow"), pl.lit(value=True))
    onward = pairs.with_columns(is_onward=is_data_onward == is_data)
    sent_s = pl.when("is_onward").then("time_s").otherwise("time_s_after")
    arrived_s = pl.when("is_onward").then("time_s_after").otherwise("time_s")
    is_whole = pl.col("same_count")
    return (
        onward.with_columns(sent_s=sent_s, arrived_s=arrived_s)
        .filter(pl.col("sent_s").is_not_null())
        .with_columns(
            raw_s=pl.when(is_whole | (pl.col("copies") == 1)).then(pl.col("arrived_s") - pl.col("sent_s")),
            missed=pl.col("arrived_s").is_null(),
            is_lost=pl.when(is_whole | (pl.col("copies") == 1)).then(pl.col("arrived_s").is_null()),
        )
    )


def _add_flow_metrics(ways: pl.DataFrame, measured: Measured) -> None:
    of_flows = ways.group_by("flow", "direction", maintain_order=True).agg(
        between_packets=pl.len().cast(pl.Float64),
        between_lost_packets=pl.col("missed").sum().cast(pl.Float64),
        between_delay_mean_s=pl.col("delay_s").mean(),
        between_delay_p95_s=pl.col("delay_s").quantile(0.95, "linear"),
    )
    for row in of_flows.iter_rows(named=True):
        values = measured.values if row["direction"] == "data" else measured.reverse
        for name, value in row.items():
            if name.startswith("between_") and value is not None:
                values.setdefault(name, {})[row["flow"]] = value


def _clock_metrics(ways: pl.DataFrame) -> dict[str, float | None]:
    """The metrics of both ways together, by the first clock; none if packets went one way only."""
    onward, back = (ways.filter(pl.col("raw_s").is_not_null(), is_onward=is_onward) for is_onward in (True, False))
    if not onward.height or not back.height:
        return {}
    slopes = [_slope_of_least(way["time_s"].to_numpy(), way["raw_s"].to_numpy()) for way in (onward, back)]
    drift = None if None in slopes else (cast("float", slopes[0]) - cast("float", slopes[1])) / 2
    least_onward_s, least_back_s = (
        cast("float", (way["raw_s"] - sign * (drift or 0.0) * way["time_s"]).min())
        for way, sign in ((onward, 1), (back, -1))
    )
    return {
        "between_round_trip_s": least_onward_s + least_back_s,
        "clock_offset_if_symmetric_s": (least_onward_s - least_back_s) / 2,
        "clock_drift": drift,
    }


def _slope_of_least(time_s: Any, delay_s: Any) -> float | None:
    """The slope of the line below all delays that is nearest to them; None if there are fewer than two times.

    It is the edge of the lower convex hull at the mean time. Moon, Skelly and Towsley: Estimation and Removal of Clock
    Skew from Network Delay Measurements. INFOCOM 1999.
    """
    begin_s, end_s = time_s.min(), time_s.max()
    if end_s <= begin_s:
        return None
    part = np.minimum((time_s - begin_s) / (end_s - begin_s) * _PARTS, _PARTS - 1).astype(int)
    by_delay = np.lexsort((delay_s, part))
    least = by_delay[np.unique(part[by_delay], return_index=True)[1]]
    hull: list[tuple[float, float]] = []
    for at_s, value in zip(time_s[least].tolist(), delay_s[least].tolist(), strict=True):
        while len(hull) > 1 and _turns_down(hull[-2], hull[-1], (at_s, value)):
            hull.pop()
        hull.append((at_s, value))
    mean_s = float(np.mean(time_s))
    right = next((number for number, point in enumerate(hull) if number and point[0] >= mean_s), len(hull) - 1)
    (left_s, low), (right_s, high) = hull[right - 1], hull[right]
    return (high - low) / (right_s - left_s)


def _turns_down(first: tuple[float, float], second: tuple[float, float], third: tuple[float, float]) -> bool:
    """Whether the second point is not below the line from the first to the third."""
    return (second[1] - first[1]) * (third[0] - first[0]) >= (third[1] - first[1]) * (second[0] - first[0])
