# SPDX-License-Identifier: MIT
"""The flows in captures: their ends, their bytes, and the interface of the capture."""

from collections.abc import Iterable

import polars as pl

from tcpsweep.features.captures.packet_copies import Copies

TCP, UDP = 6, 17
_SYN, _ACK = 2, 16
ENDS = ("source", "source_port", "destination", "destination_port", "protocol")
_DIRECTION_KEY = ("interface", *ENDS)
_SUMS = ("packets", "payload_bytes", "ip_bytes", "opened")
_SUMS_SCHEMA: dict[str, pl.DataType] = {
    **{name: pl.String() for name in ("interface", "source", "destination")},
    **{name: pl.Int32() for name in ("source_port", "destination_port")},
    "protocol": pl.UInt8(),
    **{name: pl.Int64() for name in _SUMS},
    **{name: pl.Float64() for name in ("first_s", "last_s")},
}
_MOST_PENDING = 1_000_000  # rows that wait to be added up
_LEAST_ROWS = 1000  # a frame of fewer rows takes as much memory as this


def flows_in_captures(captures: Iterable[Iterable[pl.DataFrame]]) -> pl.DataFrame:
    """The flows in the table of packets: TCP connections and UDP's packets between the same ports that carry payload.

    A flow's data go where more payload goes, or if that is equal, from where the connection was opened. Connections
    with the same ends, one after the other, count as one flow. A flow that was captured in several places counts at
    the place that saw most of its payload, which is the nearest to its sender. Copies of a packet count once. Each
    capture is given as blocks of the table `packets`, whose flows are not looked at.

    The columns:

    - ``flow``, from 0 for the flow with the most payload
    - ``source``, ``source_port``, ``destination``, ``destination_port``, and ``protocol``, IANA's number
    - ``interface``
    - ``packets``, ``payload_bytes`` and ``ip_bytes`` of the data's direction, ``ack_packets`` of the other
    - ``first_s`` and ``last_s``, of either direction
    """
    directions = _direction_sums(captures)
    is_same_address = pl.col("source") == pl.col("destination")
    is_source_lower = (pl.col("source") < pl.col("destination")) | (
        is_same_address & (pl.col("source_port") <= pl.col("destination_port"))
    )
    # Both directions of a flow get the same key, because the ends are sorted.
    for name, other in (("source", "destination"), ("source_port", "destination_port")):
        directions = directions.with_columns(
            pl.when(is_source_lower).then(name).otherwise(other).alias(f"a_{name}"),
            pl.when(is_source_lower).then(other).otherwise(name).alias(f"b_{name}"),
        )
    ends_key = ["a_source", "a_source_port", "b_source", "b_source_port", "protocol"]
    # The place that saw most comes first; there, the direction with more payload.
    place_bytes = pl.col("payload_bytes").sum().over(*ends_key, "interface")
    ordered = directions.with_columns(place=place_bytes).sort(
        "place", "payload_bytes", "opened", descending=True, nulls_last=True
    )
    at_best_place = ordered.filter(pl.col("interface") == pl.col("interface").first().over(ends_key))
    flows = at_best_place.group_by(ends_key, maintain_order=True).agg(
        *(pl.col(name).first() for name in ("source", "source_port", "destination", "destination_port", "interface")),
        *(pl.col(name).first() for name in ("packets", "payload_bytes", "ip_bytes")),
        ack_packets=pl.col("packets").slice(1).sum(),
        first_s=pl.col("first_s").min(),
        last_s=pl.col("last_s").max(),
    )
    return (
        flows.filter(pl.col("payload_bytes") > 0)
        .sort("payload_bytes", "first_s", *ENDS, descending=[True, *[False] * 6])
        .with_row_index("flow")
        .select(
            pl.col("flow").cast(pl.Int32),
            *ENDS,
            *("interface", "packets", "payload_bytes", "ip_bytes", "ack_packets", "first_s", "last_s"),
        )
    )


def _direction_sums(captures: Iterable[Iterable[pl.DataFrame]]) -> pl.DataFrame:
    """The sums of each direction between two ends, at each interface, in memory that grows with their number."""
    pending, pending_rows = [pl.DataFrame(schema=_SUMS_SCHEMA)], 0
    sums = [pl.col(name).sum() for name in _SUMS]
    sums_of_sums = [*sums, pl.col("first_s").min(), pl.col("last_s").max()]
    # From an end to itself, which has no other direction.
    is_to_itself = (pl.col("source") == pl.col("destination")) & (pl.col("source_port") == pl.col("destination_port"))
    has_ends = pl.col("protocol").is_in([TCP, UDP]) & pl.col("source_port").is_not_null()
    for blocks in captures:
        copies = Copies()
        for block in blocks:
            block_sums = _block_sums(copies.without(block.filter(has_ends, ~is_to_itself)))
            pending.append(block_sums)
            pending_rows += max(block_sums.height, _LEAST_ROWS)
            if pending_rows > _MOST_PENDING:
                pending = [pl.concat(pending).group_by(_DIRECTION_KEY).agg(sums_of_sums).select(*_SUMS_SCHEMA)]
                pending_rows = pending[0].height // 2
    return pl.concat(pending).group_by(_DIRECTION_KEY, maintain_order=True).agg(sums_of_sums)


def _block_sums(block: pl.DataFrame) -> pl.DataFrame:
    """The sums of each direction in a block, with the columns of `_SUMS_SCHEMA`."""
    time_s = pl.col("time_s").cast(pl.Float64)
    return (
        block.group_by(_DIRECTION_KEY)
        .agg(
            packets=pl.len().cast(pl.Int64),
            payload_bytes=pl.col("payload_bytes").sum(),
            ip_bytes=pl.col("ip_bytes").sum(),
            opened=(pl.col("flags") & (_SYN | _ACK) == _SYN).sum().cast(pl.Int64),
            first_s=time_s.min(),
            last_s=time_s.max(),
        )
        .select(*_SUMS_SCHEMA)
    )
