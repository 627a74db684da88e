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

from typing import Any, NamedTuple

import numpy as np
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
    repeated = _repeated(_keyed(rows, is_data.alias("is_data")))
    hops = np.where(repeated.rows["is_data"].to_numpy(), 0, repeated.rows["ttl"].to_numpy())
    return _less(rows, repeated, hops)


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
        repeated = _repeated(keyed)
        return _less(block, repeated, np.zeros(repeated.rows.height), keyed.height - block.height)


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


class _Repeated(NamedTuple):
    """The packets with a header that others have: their ``row``, and which of them are ``sent`` once, by number."""

    rows: pl.DataFrame
    sent: Any


def _repeated(keyed: pl.DataFrame) -> _Repeated:
    rows = keyed.with_row_index("row").filter(pl.col("key").is_duplicated()).sort("key", "row")
    time_s, ttl = rows["time_s"].to_numpy(), rows["ttl"].fill_null(0).to_numpy()
    # Parts: sightings of the same header that are near each other; a packet without a time is near none.
    is_apart = _changes(rows["key"].to_numpy()) | ~(np.abs(np.diff(time_s, prepend=np.nan)) <= UNDER_WAY_S)
    part = np.cumsum(is_apart)
    counts = rows["counts"].to_numpy()[np.flatnonzero(is_apart)[part - 1]]
    # Within a part, by time to live.
    order = np.lexsort((ttl, part))
    is_first = _changes(part[order]) | _changes(ttl[order])
    has_waited = np.diff(time_s[order], prepend=np.nan) >= _TICK_S
    retry = rows["retry"][order]
    # On a wire, TCP may retransmit within a tick; in 802.11, only the radio does.
    is_old = rows["tsval"].is_not_null().to_numpy()[order] & (retry.is_not_null().to_numpy() | has_waited)
    is_sent = ~(retry.fill_null(value=False).to_numpy() | is_old | counts[order] | is_first)
    sent_before = np.cumsum(is_sent)
    firsts = np.flatnonzero(is_first)
    number = np.empty(rows.height, np.int64)
    number[order] = sent_before - sent_before[firsts[np.cumsum(is_first) - 1]]
    return _Repeated(rows, part * (number.max(initial=0) + 1) + number)


def _changes(values: Any) -> Any:
    """Whether each value differs from the one before; the first one does."""
    return np.concatenate((np.ones(min(len(values), 1), bool), values[1:] != values[:-1]))


def _less(rows: pl.DataFrame, repeated: _Repeated, hops: Any, former: int = 0) -> pl.DataFrame:
    """The rows less the copies: all but the first of those with the least of ``hops`` of each that was sent.

    The repeated packets' rows also number the ``former`` ones, which come before.
    """
    number = repeated.rows["row"].to_numpy().astype(np.int64)
    order = np.lexsort((number, hops, repeated.sent))
    copies = number[order][~_changes(repeated.sent[order])] - former
    if not len(copies):
        return rows
    kept = np.ones(rows.height, bool)
    kept[copies[copies >= 0]] = False
    return rows.filter(kept)
