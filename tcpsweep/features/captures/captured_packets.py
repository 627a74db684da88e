# SPDX-License-Identifier: MIT
"""The packets of captured flows as arrays, flow by flow, read from the table of packets."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from tcpsweep.features.captures import packet_copies

Numbers: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]
Flags: TypeAlias = npt.NDArray[np.bool_]

FIN, SYN, RST, ACK = 1, 2, 4, 16
_BATCH_ROWS = 4_000_000  # packets of several flows that are in memory together
_MOST_SCALE = 14  # RFC 7323, section 2.3


class Packets(NamedTuple):
    """The packets of one direction, in order of time. A field that a packet lacks is 0."""

    time_s: Numbers
    seq: Integers
    ack: Integers
    payload: Integers
    flags: Integers
    window: Integers  # in bytes, scaled by the direction's last SYN; without a SYN as sent
    ip_bytes: Integers
    ecn: Integers
    has_sack: Flags
    has_duplicate: Flags  # whether the first SACK block reports data that the receiver already had (RFC 2883)
    sacked: Integers  # the bytes in SACK blocks

    def part(self, from_s: float, to_s: float) -> Packets:
        """The packets of a part of the time, with its beginning and without its end."""
        first, end = np.searchsorted(self.time_s, [from_s, to_s])
        return Packets._make(column[first:end] for column in self)

    def chosen(self, rows: Flags) -> Packets:
        """The packets of some rows."""
        return Packets._make(column[rows] for column in self)


def rows_of(packets: Path, flows: pl.DataFrame, *more_columns: str) -> pl.DataFrame:
    """The packets of flows at the interface where each is measured, by flow and time.

    ``packets`` is the table of packets, ``flows`` has rows of `captured_flows.flows_in_captures`, and ``more_columns``
    are further columns of packets. Of copies of a packet, one counts (`packet_copies`). ``scale`` is the window scale
    that holds, and ``is_data`` says whether it is the data's direction.
    """
    place_by_flow = flows.lazy().select("flow", pl.col("interface").alias("place"))
    rows = (
        pl.scan_parquet(packets)
        .filter(pl.col("flow").is_in(flows["flow"].implode()), pl.col("time_s").is_not_null())
        .select(
            *more_columns,
            *(pl.col(name) for name in packet_copies.COLUMNS if name not in {*more_columns, "time_s"}),
            *("flow", "ecn"),
            pl.col("time_s").cast(pl.Float64),
            is_data=pl.col("direction") == "data",
            scale=pl.col("window_scale").cast(pl.Int64),
            has_sack=pl.col("sack_left").is_not_null(),
            # The first block is below the acknowledged byte; sequence numbers wrap around.
            has_duplicate=((pl.col("ack") - pl.col("sack_right").list.first()) % 2**32 < 2**31)
            & pl.col("sack_left").is_not_null(),
            sacked=_sack_sizes().list.sum(),
            first_sacked=_sack_sizes().list.first(),
        )
        .join(place_by_flow, on="flow")
        .filter(pl.col("interface") == pl.col("place"))
        .drop("place")
        .collect(engine="streaming")
        .sort("flow", "time_s", maintain_order=True)
    )
    rows = packet_copies.counted_once(rows, pl.col("is_data"))
    # Both ends must offer scaling, and a SYN's own window has no scale (RFC 7323, section 2.2).
    is_opening = pl.col("flags") & SYN > 0
    is_refused = (is_opening & pl.col("scale").is_null()).any().over("flow")
    offered_scale = pl.min_horizontal(pl.col("scale").forward_fill().over("flow", "is_data"), _MOST_SCALE)
    return rows.with_columns(scale=pl.when(~is_opening & ~is_refused).then(offered_scale).fill_null(0))


def flow_by_flow(packets: Path, flows: pl.DataFrame) -> Iterator[tuple[int, Packets, Packets]]:
    """Of each flow its number, and its packets in the data's direction and in the other."""
    for batch in batches(flows):
        rows = rows_of(packets, batch)
        batch_packets, is_data, flow = _packets(rows), rows["is_data"].to_numpy(), rows["flow"].to_numpy()
        bounds = [0, *(np.flatnonzero(np.diff(flow)) + 1).tolist(), len(flow)]
        for first, end in itertools.pairwise(bounds):
            if first < end:
                flow_packets = Packets._make(column[first:end] for column in batch_packets)
                yield (
                    int(flow[first]),
                    flow_packets.chosen(is_data[first:end]),
                    flow_packets.chosen(~is_data[first:end]),
                )


def _sack_sizes() -> pl.Expr:
    """The sizes of each packet's SACK blocks, as a list; sequence numbers wrap around."""
    size = pl.col("sack_right").cast(pl.List(pl.Int64)) - pl.col("sack_left").cast(pl.List(pl.Int64))
    return size.list.eval(pl.element() % 2**32)


def batches(flows: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """The flows in groups whose packets fit into memory together."""
    counts = (flows["packets"] + flows["ack_packets"]).to_list()
    first, batch_rows = 0, 0
    for flow, count in enumerate(counts):
        if batch_rows and batch_rows + count > _BATCH_ROWS:
            yield flows.slice(first, flow - first)
            first, batch_rows = flow, 0
        batch_rows += count
    if batch_rows:
        yield flows.slice(first)


def _packets(rows: pl.DataFrame) -> Packets:
    def column(name: str) -> Any:
        return rows[name].fill_null(0).cast(pl.Int64).to_numpy()

    number_columns = {name: column(name) for name in ("seq", "ack", "flags", "window", "ip_bytes", "ecn")}
    return Packets(
        time_s=rows["time_s"].to_numpy(),
        payload=column("payload_bytes"),
        **number_columns | {"window": number_columns["window"] << column("scale")},
        has_sack=rows["has_sack"].fill_null(value=False).to_numpy(),
        has_duplicate=rows["has_duplicate"].fill_null(value=False).to_numpy(),
        sacked=column("sacked") - np.where(rows["has_duplicate"].fill_null(value=False), column("first_sacked"), 0),
    )
