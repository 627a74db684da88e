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
    repeated = _repeated_packets(_keyed(rows, is_data.alias("is_data")))
    hops = np.where(repeated.rows["is_data"].to_numpy(), 0, repeated.rows["ttl"].to_numpy())
    return _without_copies(rows, repeated, hops)


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
        repeated = _repeated_packets(keyed)
        return _without_copies(block, repeated, np.zeros(repeated.rows.height), keyed.height - block.height)


def _keyed(rows: pl.DataFrame, *more_columns: pl.Expr) -> pl.DataFrame:
    """Of each packet `_SEEN`, ``key``, the same for all copies, and ``counts``, whether its IP identification counts.

    A number that the packet before at this place has, too, does not count, because the sender writes it into all.
    """
    id_before = pl.col("ip_id").shift(1).fill_null(pl.col("ip_id").last()).over(_PLACE)
    sacked = pl.col("sack_left").list.first().alias("sacked")
    return rows.select(
        pl.col("time_s").cast(pl.Float64),
        *_SEEN[1:],
        *more_columns,
        key=pl.struct(*_PLACE, *_HEADER, sacked).hash(),
        counts=((pl.col("ip_id") > 0) & (pl.col("ip_id") != id_before)).fill_null(value=False),
    )


class _Repeated(NamedTuple):
    """The packets with a header that others have, with their ``row``. Copies of one packet have the same ``sent``."""

    rows: pl.DataFrame
    sent: Any


def _repeated_packets(keyed: pl.DataFrame) -> _Repeated:
    """Number the packets that were sent, from rows of `_keyed`, by the rules at the head of this module."""
    rows = keyed.with_row_index("row").filter(pl.col("key").is_duplicated()).sort("key", "row")
    time_s, ttl = rows["time_s"].to_numpy(), rows["ttl"].fill_null(0).to_numpy()
    # Groups: sightings of the same header that are near each other; a packet without a time is near none.
    is_apart = _changes(rows["key"].to_numpy()) | ~(np.abs(np.diff(time_s, prepend=np.nan)) <= UNDER_WAY_S)
    group = np.cumsum(is_apart)
    has_counted_id = rows["counts"].to_numpy()[np.flatnonzero(is_apart)[group - 1]]
    # Within a group, by time to live.
    by_ttl = np.lexsort((ttl, group))
    is_first = _changes(group[by_ttl]) | _changes(ttl[by_ttl])
    is_after_tick = np.diff(time_s[by_ttl], prepend=np.nan) >= _TICK_S
    retry = rows["retry"][by_ttl]
    # On a wire, TCP may retransmit within a tick; in 802.11, only the radio does.
    is_delayed_copy = rows["tsval"].is_not_null().to_numpy()[by_ttl] & (retry.is_not_null().to_numpy() | is_after_tick)
    is_sent = ~(retry.fill_null(value=False).to_numpy() | is_delayed_copy | has_counted_id[by_ttl] | is_first)
    sent_before = np.cumsum(is_sent)
    first_places = np.flatnonzero(is_first)
    sending = np.empty(rows.height, np.int64)
    sending[by_ttl] = sent_before - sent_before[first_places[np.cumsum(is_first) - 1]]
    return _Repeated(rows, group * (sending.max(initial=0) + 1) + sending)


def _changes(values: Any) -> Any:
    """Whether each value differs from the one before; the first one does."""
    return np.concatenate((np.ones(min(len(values), 1), bool), values[1:] != values[:-1]))


def _without_copies(rows: pl.DataFrame, repeated: _Repeated, hops: Any, former_rows: int = 0) -> pl.DataFrame:
    """The rows with one copy of each packet: the first of those with the least ``hops``.

    The numbers in ``repeated`` count ``former_rows`` rows of earlier blocks, too, which come before ``rows``.
    """
    packet_numbers = repeated.rows["row"].to_numpy().astype(np.int64)
    by_sending = np.lexsort((packet_numbers, hops, repeated.sent))
    copy_rows = packet_numbers[by_sending][~_changes(repeated.sent[by_sending])] - former_rows
    if not len(copy_rows):
        return rows
    is_kept = np.ones(rows.height, bool)
    is_kept[copy_rows[copy_rows >= 0]] = False
    return rows.filter(is_kept)
