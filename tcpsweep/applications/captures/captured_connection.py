# SPDX-License-Identifier: MIT
"""What the packets of one TCP connection tell where they were captured: what was new, sent again, and acknowledged.

What is sent again is told from what only came late as Wireshark does it: what fills a gap counts as reordered if it
comes sooner than a packet could have been sent again, which takes a round trip; without a handshake, 3 ms.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from typing import NamedTuple

import numpy as np

from tcpsweep.applications.captures.captured_packets import ACK, FIN, RST, SYN, Flags, Integers, Numbers, Packets

REORDERED_S = 0.003
_MOST_GAP_BYTES = 1 << 24
_ROUND_TRIP_SHARE = 0.8  # of the handshake's, as that may have been a little slower than others


class Told(NamedTuple):
    """What a connection's packets tell. Counts are of the data's direction."""

    time_s: Numbers  # when the packets with payload were seen
    # How many bytes of each were not seen before, and how many were sent again.
    new: Integers
    again: Integers
    # When acknowledgements came that acknowledged more, and how many bytes each did.
    acked_s: Numbers
    acked: Integers
    # When a round trip from here to the receiver and back ended, and how long it took.
    rtt_at_s: Numbers
    rtt_s: Numbers
    in_flight: Integers  # bytes seen and not acknowledged, after each packet with payload
    # Packets sent again; those of them that filled a gap, so that they had been lost before they came here; packets
    # that only came late; duplicate ACKs (RFC 5681); ACKs that tell of data that the receiver had already.
    sent_again: int
    filled_gaps: int
    reordered: int
    duplicate_acks: int
    needless: int
    handshake_s: float | None  # from the SYN to the ACK of its answer


def followed_connection(data: Packets, acks: Packets) -> Told:
    """What the two directions of a connection tell; of connections one after the other with the same ends, together."""
    firsts = _openings(data)
    bounds = [-np.inf, *firsts[1:], np.inf]
    # The other end answers later than the SYN, so that both directions are divided at the same times.
    parts = [_one(data.part(a, b), acks.part(a, b)) for a, b in itertools.pairwise(bounds)]
    if len(parts) == 1:
        return parts[0]
    columns = list(zip(*parts, strict=True))
    arrays = [np.concatenate(each) for each in columns[:8]]
    handshakes = [each for each in columns[-1] if each is not None]
    return Told._make([*arrays, *map(sum, columns[8:13]), handshakes[0] if handshakes else None])


def _openings(data: Packets) -> list[float]:
    """When the sender opened each connection: SYNs with another number than the one before."""
    opens = np.flatnonzero(data.flags & SYN)
    changes = np.flatnonzero(np.diff(data.seq[opens])) + 1
    return data.time_s[opens[np.concatenate((np.zeros(1, np.int64), changes))]].tolist() if len(opens) else [-np.inf]


def _one(data: Packets, acks: Packets) -> Told:
    handshake_s = _handshake_s(data, acks)
    carries = data.payload > 0
    is_open = bool(len(data.flags)) and bool(data.flags[0] & SYN)
    # From the number behind the SYN on, or from the first that was seen; differences are within 2³¹.
    steps = np.diff(data.seq, prepend=data.seq[:1]).astype(np.uint32).astype(np.int32).astype(np.int64)
    start = np.cumsum(steps) - (1 if is_open else 0)
    start[(data.flags & SYN) > 0] += 1
    if not is_open and carries.any():
        start -= start[np.argmax(carries)]
    # ACKs and FINs without payload have the number of the byte that comes next, which shows gaps before them.
    sent_to = _sent_to(data, start)
    tops = np.concatenate(([0], np.maximum.accumulate(np.maximum(sent_to, 0))[:-1])) if len(sent_to) else sent_to
    shown = _shown_gaps(data.time_s, tops, sent_to, carries)
    raw, time_s = data.seq[carries], data.time_s[carries]
    start, size, before = start[carries], data.payload[carries], tops[carries]
    end = start + size
    # A byte that was acknowledged already asks whether the other end is still there (RFC 9293, 3.8.4).
    asks = (size == 1) & (end == before)
    reordered_s = REORDERED_S if handshake_s is None else _ROUND_TRIP_SHARE * handshake_s
    new, again, is_below, counts = _sorted_out(time_s, start, end, before, asks, reordered_s, shown)
    top = np.maximum(before, end)
    acked_s, acked_to, duplicate_acks = _acknowledged(acks, time_s, raw + size, end, top)
    acked = np.diff(acked_to, prepend=0)
    rtt_at_s, rtt_s = _round_trips(time_s, start, end, before, is_below, acked_s, acked_to)
    reached = np.concatenate(([0], acked_to))[np.searchsorted(acked_s, time_s, side="right")]
    return Told(
        time_s,
        new,
        again,
        acked_s,
        acked,
        rtt_at_s,
        rtt_s,
        np.maximum(top - reached, 0),
        *counts,
        duplicate_acks,
        int(np.count_nonzero(acks.has_duplicate)),
        handshake_s,
    )


def _handshake_s(data: Packets, acks: Packets) -> float | None:
    """From the first SYN of either end to the ACK of the answer; None where one was sent twice or is not there."""
    for opener, answerer in ((data, acks), (acks, data)):
        opens = np.flatnonzero((opener.flags & (SYN | ACK | RST)) == SYN)
        answers = np.flatnonzero((answerer.flags & (SYN | ACK | RST)) == SYN | ACK)
        is_pair = len(opens) == len(answers) == 1
        if is_pair and (answerer.ack[answers[0]] - opener.seq[opens[0]]) % 2**32 == 1:
            answer_s = answerer.time_s[answers[0]]
            after = np.flatnonzero((opener.time_s >= answer_s) & ((opener.flags & (SYN | ACK | RST)) == ACK))
            if len(after) and opener.time_s[opens[0]] <= answer_s:
                return float(opener.time_s[after[0]] - opener.time_s[opens[0]])
    return None


def _sent_to(data: Packets, start: Integers) -> Integers:
    """The number of the byte after each packet; a FIN has no byte, and a reset's number says nothing."""
    found = np.where((data.flags & RST) > 0, 0, start + data.payload)
    ends = np.flatnonzero(data.flags & FIN)
    found = np.minimum(found, found[ends].max()) if len(ends) else found
    # A number far above all others is no gap but a damaged or forged packet.
    seen = np.maximum.accumulate(np.where(data.payload > 0, found, 0))
    return np.where((data.payload == 0) & (found - seen > _MOST_GAP_BYTES), 0, found)


def _shown_gaps(time_s: Numbers, tops: Integers, sent_to: Integers, carries: Flags) -> list[tuple[float, int, int]]:
    """The gaps that packets without payload show: since when, and from which byte to which."""
    rows = np.flatnonzero(~carries & (sent_to > tops))
    return list(zip(time_s[rows].tolist(), tops[rows].tolist(), sent_to[rows].tolist(), strict=True))


def _sorted_out(
    time_s: Numbers,
    start: Integers,
    end: Integers,
    before: Integers,
    asks: Flags,
    reordered_s: float,
    shown: list[tuple[float, int, int]],
) -> tuple[Integers, Integers, Flags, tuple[int, int, int]]:
    """Of each packet the bytes that are new and those sent again, whether it is below what was seen, and counts.

    The counts are packets sent again, those of them that filled a gap, and packets that came late.
    """
    is_below = (start < before) & ~asks
    new = np.maximum(end - np.maximum(start, before), 0)
    again = np.where(is_below, np.minimum(end, before) - start, 0)
    sent_again = filled = late = 0
    # Gaps in what was seen, in order: where they begin and end, and since when they are there.
    begins: list[int] = []
    ends: list[int] = []
    since: list[float] = []
    shown = shown[::-1]
    for row in np.flatnonzero(is_below | (start > before)).tolist():
        first, top = int(start[row]), int(before[row])
        while shown and shown[-1][0] <= time_s[row] and shown[-1][2] <= top:
            at_s, low, high = shown.pop()
            begins.append(low)
            ends.append(high)
            since.append(at_s)
        if first >= top:
            begins.append(top)
            ends.append(first)
            since.append(float(time_s[row]))
            continue
        last, in_gaps, oldest = min(int(end[row]), top), 0, np.inf
        place = max(bisect_right(begins, first) - 1, 0)
        while place < len(begins) and begins[place] < last:
            low, high = max(begins[place], first), min(ends[place], last)
            if low >= high:
                place += 1
                continue
            in_gaps += high - low
            oldest = min(oldest, since[place])
            left = [(begins[place], low), (high, ends[place])]
            kept = [(a, b) for a, b in left if a < b]
            at = since[place]
            begins[place : place + 1] = [a for a, _ in kept]
            ends[place : place + 1] = [b for _, b in kept]
            since[place : place + 1] = [at] * len(kept)
            place += len(kept)
        new[row] += in_gaps
        if in_gaps and in_gaps == last - first and time_s[row] - oldest < reordered_s:
            late += 1
            again[row] = 0
            continue
        sent_again += 1
        filled += bool(in_gaps)
    return new, again, is_below, (sent_again, filled, late)


def _acknowledged(
    acks: Packets, time_s: Numbers, raw_end: Integers, end: Integers, top: Integers
) -> tuple[Numbers, Integers, int]:
    """When more was acknowledged, up to where, and how many ACKs were duplicates."""
    is_ack = ((acks.flags & ACK) > 0) & ((acks.flags & RST) == 0)
    at_s, number, window = acks.time_s[is_ack], acks.ack[is_ack], acks.window[is_ack]
    if not len(end) or not len(at_s):
        return at_s[:0], number[:0], 0
    seen = np.searchsorted(time_s, at_s, side="right") - 1
    # From the packet before, whose place is known: 32 bits tell how far it is from there.
    near = np.maximum(seen, 0)
    distance = (number - raw_end[near]).astype(np.uint32).astype(np.int32).astype(np.int64)
    highest = np.where(seen >= 0, top[near], 0)
    # A FIN has a number, too; what was acknowledged and never seen was not captured.
    reached = np.clip(np.where(seen >= 0, end[near] + distance, 0), 0, highest)
    before = np.concatenate(([0], np.maximum.accumulate(reached)[:-1]))
    more = reached > before
    plain = (acks.payload[is_ack] == 0) & ((acks.flags[is_ack] & (SYN | FIN)) == 0)
    same_window = np.concatenate(([False], window[1:] == window[:-1])) | acks.has_sack[is_ack]
    same = np.concatenate(([False], number[1:] == number[:-1]))
    duplicates = plain & same & same_window & (highest > reached)
    return at_s[more], reached[more], int(np.count_nonzero(duplicates))


def _round_trips(
    time_s: Numbers,
    start: Integers,
    end: Integers,
    before: Integers,
    is_below: Flags,
    acked_s: Numbers,
    acked_to: Integers,
) -> tuple[Numbers, Numbers]:
    """From a packet to the first ACK of its last byte that is acknowledged: when that came, and how long it took.

    By Karn's rule (RFC 6298, section 3), and because an ACK that was held up by a gap tells nothing, there is none if
    anything below what had been seen came in between.
    """
    first = np.flatnonzero((start >= before) & (end > before))
    if not len(first) or not len(acked_s):
        return time_s[:0], time_s[:0]
    sent = first[np.minimum(np.searchsorted(end[first], acked_to), len(first) - 1)]
    rtt_s = acked_s - time_s[sent]
    below_s = time_s[is_below]
    between = np.searchsorted(below_s, acked_s, side="right") - np.searchsorted(below_s, time_s[sent], side="right")
    counts = (rtt_s > 0) & (between == 0) & (end[sent] >= acked_to)
    return acked_s[counts], rtt_s[counts]
