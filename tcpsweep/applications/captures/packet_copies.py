# SPDX-License-Identifier: MIT
"""Copies of one IP packet at one place: 802.11's repeated frames, forwarded packets, and packets captured twice.

A place is an interface of a capture. Copies have the same ends and the same header of TCP or UDP. Three fields separate
copies from retransmissions:

- IPv4's identification, if the sender counts: a retransmission has another one. RFC 6864 lets senders write any number.
  So 0 says nothing, nor does a number that the packet before has.
- TCP's timestamp (RFC 7323), if the identification says nothing: a copy still has the old one.
- Without both, the time to live: a packet was sent as often as it was seen with one value. 802.11's retries (IEEE
  802.11-2020, section 9.2.4.1.6) do not count.
"""

from __future__ import annotations

import polars as pl

UNDER_WAY_S = 10.0  # the longest time between two copies, in the queues of several hops
_TICK_S = 0.001  # of TCP's timestamps in Linux and ns-3
_FORMER_ROWS = 1 << 17  # rows that are remembered from one block to the next
_PLACE = ("interface", "source", "source_port", "destination", "destination_port", "protocol")
_HEADER = ("ip_id", "ip_bytes", "payload_bytes", "seq", "ack", "flags", "window", "tsval", "tsecr")
_SEEN = ("time_s", "ttl", "retry", "tsval")  # separates packets with the same header
COLUMNS = (*_PLACE, *_HEADER, "sack_left", *_SEEN[:-1])
"""The columns of the table `packets` that show copies."""


def counted_once(rows: pl.DataFrame, is_data: pl.Expr) -> pl.DataFrame:
    """The rows with one copy of each packet: the one nearest to the sender of the data.

    That is the first copy of the data, and of other packets the first one with the least time to live.

    Parameters
    ----------
    rows : pl.DataFrame
        `COLUMNS`, in order of time at each place.
    is_data : pl.Expr
        Whether a packet goes in the data's direction.
    """
    row = pl.col("row")
    nearest = row.get(pl.col("ttl").arg_min())
    is_counted = row == pl.when("is_data").then(row.first()).otherwise(nearest)
    return _less(rows, _repeated(_keyed(rows, is_data.alias("is_data"))), is_counted)


class Copies:
    """Finds copies in the blocks of the table `packets`, with the last packets of former blocks."""

    def __init__(self) -> None:
        self._former: pl.DataFrame | None = None

    def without(self, block: pl.DataFrame) -> pl.DataFrame:
        """The rows of the next block without those that are copies of an earlier row."""
        keyed = _keyed(block)
        if self._former is not None:
            keyed = pl.concat([self._former, keyed])
        self._former = keyed.tail(_FORMER_ROWS)
        repeated = _repeated(keyed).with_columns(pl.col("row").cast(pl.Int64) - (keyed.height - block.height))
        return _less(block, repeated, pl.col("row") == pl.col("row").first())


def _keyed(rows: pl.DataFrame, *more: pl.Expr) -> pl.DataFrame:
    """Of each packet `_SEEN`, ``key``, the same for all copies, and ``counts``, whether its identification counts."""
    before = pl.col("ip_id").shift(1).fill_null(pl.col("ip_id").last()).over(_PLACE)
    sacked = pl.col("sack_left").list.first().alias("sacked")
    return rows.select(
        pl.col("time_s").cast(pl.Float64),
        *_SEEN[1:],
        *more,
        key=pl.struct(*_PLACE, *_HEADER, sacked).hash(),
        counts=((pl.col("ip_id") > 0) & (pl.col("ip_id") != before)).fill_null(value=False),
    )


def _repeated(keyed: pl.DataFrame) -> pl.DataFrame:
    """The packets with a header that others have: ``row``, their number, and ``sent``, the same for all copies."""
    rows = keyed.with_row_index("row").filter(pl.col("key").is_duplicated())
    gap_s = pl.col("time_s").diff()
    is_apart = ~(gap_s.abs() <= UNDER_WAY_S).fill_null(value=False)
    rows = rows.with_columns(part=is_apart.cum_sum().over("key"))
    hop = ("key", "part", "ttl")
    is_retry = pl.col("retry").fill_null(value=False)
    # On a wire, TCP may retransmit within a tick; in 802.11, only the radio does.
    is_old = pl.col("tsval").is_not_null() & (pl.col("retry").is_not_null() | (gap_s.over(hop) >= _TICK_S))
    is_sent = ~is_retry & ~is_old.fill_null(value=False) & ~pl.col("counts").first().over("key", "part")
    is_later = pl.int_range(pl.len()).over(hop) > 0
    return rows.with_columns(number=(is_sent & is_later).cum_sum().over(hop)).with_columns(
        sent=pl.struct("key", "part", "number").hash()
    )


def _less(rows: pl.DataFrame, repeated: pl.DataFrame, is_counted: pl.Expr) -> pl.DataFrame:
    """The rows less those of the repeated packets that are not counted."""
    copies = repeated.filter(~is_counted.over("sent"))["row"]
    if copies.is_empty():
        return rows
    return (
        rows.with_row_index("row")
        .filter(~pl.col("row").cast(pl.Int64).is_in(copies.cast(pl.Int64).implode()))
        .drop("row")
    )
