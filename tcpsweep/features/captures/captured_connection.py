# SPDX-License-Identifier: MIT
"""The packets of one TCP connection at the place of the capture: new, retransmitted and acknowledged data.

Retransmitted and reordered packets are separated as in Wireshark. A packet that fills a gap is reordered if it comes
sooner than a retransmission can, which takes a round trip. Without a handshake, that is 3 ms.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np

from tcpsweep.features.captures import connection_events, connection_limits
from tcpsweep.features.captures.captured_packets import ACK, FIN, RST, SYN, Flags, Integers, Numbers, Packets
from tcpsweep.features.captures.connection_events import Heard
from tcpsweep.features.captures.connection_limits import Acked, Limits, Sent

REORDERED_S = 0.003
_MOST_GAP_BYTES = 1 << 24
NEAR_RECEIVER = 0.5  # a least round trip below this share of the handshake's shows a capture near the receiver
_ROUND_TRIP_SHARE = 0.8  # of the handshake's round trip, which may have been a little slower than others


@dataclass(frozen=True)
class Told:
    """The findings about a connection. Counts cover the data's direction, bytes count from the first."""

    # Packets with payload: when each was seen, its first byte, how many of its bytes were new, how many were
    # retransmitted, and whether it only came late.
    time_s: Numbers
    start: Integers
    new: Integers
    again: Integers
    is_late: Flags
    in_flight: Integers  # bytes seen and not acknowledged, after each of these packets
    # Acknowledgements of new data: the time of each, and the number of bytes that it acknowledged.
    acked_s: Numbers
    acked: Integers
    # The end of each round trip from the capture to the receiver and back, and its duration.
    rtt_at_s: Numbers
    rtt_s: Numbers
    # All acknowledgements: when each came, the byte up to which it acknowledges, and the one after the window.
    ack_s: Numbers
    ack_to: Integers
    edge: Integers
    # Lists of times: when timeouts and fast retransmissions began, and pauses with nothing in flight.
    timeouts: list[float]
    fast: list[float]
    idle: list[tuple[float, float]]
    # Retransmitted packets; retransmitted packets that filled a gap, because they had been lost before this place;
    # packets that only came late; duplicate ACKs (RFC 5681); ACKs that report data that the receiver already had.
    sent_again: int
    filled_gaps: int
    reordered: int
    duplicate_acks: int
    needless: int
    limits: Limits | None
    handshake_s: float | None  # from the SYN to the ACK of its answer


def followed_connection(data: Packets, acks: Packets) -> Told:
    """Follow the two directions of a connection; connections with the same ends, one after the other, count as one."""
    firsts = _openings(data)
    bounds = [-np.inf, *firsts[1:], np.inf]
    # The other end answers after the SYN, so both directions are divided at the same times.
    parts = [_one(data.part(a, b), acks.part(a, b)) for a, b in itertools.pairwise(bounds)]
    return parts[0] if len(parts) == 1 else _joined(parts)


def _joined(parts: Sequence[Told]) -> Told:
    """Several connections as one: columns and lists one after the other, counts added up."""
    joined: dict[str, Any] = {}
    for field in fields(Told):
        values = [getattr(part, field.name) for part in parts]
        present = [value for value in values if value is not None]
        if isinstance(values[0], np.ndarray):
            joined[field.name] = np.concatenate(values)
        elif isinstance(values[0], list):
            joined[field.name] = [item for value in values for item in value]
        elif field.name == "limits":
            joined[field.name] = Limits(*map(sum, zip(*present, strict=True))) if present else None
        elif field.name == "handshake_s":
            joined[field.name] = present[0] if present else None
        else:
            joined[field.name] = sum(values)
    return Told(**joined)


def _openings(data: Packets) -> list[float]:
    """When the sender opened each connection: SYNs with another number than the one before."""
    opens = np.flatnonzero(data.flags & SYN)
    changes = np.flatnonzero(np.diff(data.seq[opens])) + 1
    return data.time_s[opens[np.concatenate((np.zeros(1, np.int64), changes))]].tolist() if len(opens) else [-np.inf]


def _one(data: Packets, acks: Packets) -> Told:
    handshake_s = _handshake_s(data, acks)
    carries = data.payload > 0
    is_open = bool(len(data.flags)) and bool(data.flags[0] & SYN)
    # From the number after the SYN on, or from the first number seen; differences are within 2³¹.
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
    # One byte that was already acknowledged is a keep-alive probe (RFC 9293, section 3.8.4).
    asks = (size == 1) & (end == before)
    reordered_s = REORDERED_S if handshake_s is None else _ROUND_TRIP_SHARE * handshake_s
    sent_bytes = _sorted_out(time_s, start, end, before, asks, reordered_s, shown)
    top = np.maximum(before, end)
    answers = _acknowledged(acks, time_s, raw + size, end, top)
    more = np.diff(answers.reached, prepend=0) > 0
    acked_s, acked_to = answers.time_s[more], answers.reached[more]
    rtt_at_s, rtt_s = _round_trips(time_s, start, end, before, sent_bytes.is_below, acked_s, acked_to)
    reached = np.concatenate(([0], acked_to))[np.searchsorted(acked_s, time_s, side="right")]
    own_s = float(rtt_s.min()) if len(rtt_s) else 0.0
    # Near the receiver, its ACKs are seen before the sender gets them, by the rest of the round trip. At the receiver
    # itself, an ACK may have the time of the packet, so that there are no round trips.
    away_s = handshake_s - own_s if handshake_s and own_s < NEAR_RECEIVER * handshake_s else 0.0
    sent = Sent(time_s, size, top, (sent_bytes.again > 0) & ~asks)
    acked = Acked(answers.time_s + away_s, answers.reached, np.maximum.accumulate(answers.edge))
    path_s = max(handshake_s or 0.0, own_s)
    timeouts, fast = connection_events.repairs(
        sent, acked, Heard(answers.time_s + away_s, answers.is_hint, answers.sacked), path_s
    )
    return Told(
        time_s=time_s,
        start=start,
        new=sent_bytes.new,
        again=sent_bytes.again,
        is_late=sent_bytes.is_below & (sent_bytes.again == 0),
        in_flight=np.maximum(top - reached, 0),
        acked_s=acked_s,
        acked=np.diff(acked_to, prepend=0),
        rtt_at_s=rtt_at_s,
        rtt_s=rtt_s,
        ack_s=answers.time_s,
        ack_to=answers.number,
        edge=answers.edge,
        timeouts=timeouts,
        fast=fast,
        idle=connection_events.idle_times(sent, acked),
        sent_again=sent_bytes.sent_again,
        filled_gaps=sent_bytes.filled_gaps,
        reordered=sent_bytes.reordered,
        duplicate_acks=answers.duplicates,
        needless=int(np.count_nonzero(acks.has_duplicate)),
        limits=connection_limits.limits(sent, acked, path_s, bool((acks.flags & SYN).any())),
        handshake_s=handshake_s,
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
    sent_to = np.where((data.flags & RST) > 0, 0, start + data.payload)
    ends = np.flatnonzero(data.flags & FIN)
    sent_to = np.minimum(sent_to, sent_to[ends].max()) if len(ends) else sent_to
    # A number far above all others is no gap but a damaged or forged packet.
    seen = np.maximum.accumulate(np.where(data.payload > 0, sent_to, 0))
    return np.where((data.payload == 0) & (sent_to - seen > _MOST_GAP_BYTES), 0, sent_to)


def _shown_gaps(time_s: Numbers, tops: Integers, sent_to: Integers, carries: Flags) -> list[tuple[float, int, int]]:
    """The gaps that packets without payload show: the start time and the byte range of each."""
    rows = np.flatnonzero(~carries & (sent_to > tops))
    return list(zip(time_s[rows].tolist(), tops[rows].tolist(), sent_to[rows].tolist(), strict=True))


class _SortedOut(NamedTuple):
    """The sent bytes of a direction."""

    new: Integers  # the new bytes of each packet
    again: Integers  # its retransmitted bytes
    is_below: Flags  # whether it is below the highest byte seen
    sent_again: int  # retransmitted packets
    filled_gaps: int  # retransmitted packets that filled a gap
    reordered: int  # late packets


def _sorted_out(
    time_s: Numbers,
    start: Integers,
    end: Integers,
    before: Integers,
    asks: Flags,
    reordered_s: float,
    shown: list[tuple[float, int, int]],
) -> _SortedOut:
    """New and retransmitted bytes of each packet, and counts of retransmitted packets."""
    is_below = (start < before) & ~asks
    new = np.maximum(end - np.maximum(start, before), 0)
    again = np.where(is_below, np.minimum(end, before) - start, 0)
    sent_again = filled = late = 0
    # Gaps between the bytes seen, in order: where each begins and ends, and since when it is there.
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
    return _SortedOut(new, again, is_below, sent_again, filled, late)


class _Answers(NamedTuple):
    """The acknowledgements of a direction."""

    time_s: Numbers
    number: Integers  # the byte up to which each acknowledges
    reached: Integers  # the highest byte that was seen and is acknowledged so far
    edge: Integers  # the byte after the receiver's window
    is_hint: Flags  # whether it is a duplicate or has SACK blocks, which hint at a loss
    sacked: Integers  # the bytes in its SACK blocks
    duplicates: int


def _acknowledged(acks: Packets, time_s: Numbers, raw_end: Integers, end: Integers, top: Integers) -> _Answers:
    """The acknowledgements of packets that end at ``end``, as sent ``raw_end``."""
    is_ack = ((acks.flags & ACK) > 0) & ((acks.flags & RST) == 0)
    rows = acks.chosen(is_ack)
    at_s, number, window = rows.time_s, rows.ack, rows.window
    if not len(end) or not len(at_s):
        return _Answers(at_s[:0], number[:0], number[:0], number[:0], is_ack[:0], number[:0], 0)
    seen = np.searchsorted(time_s, at_s, side="right") - 1
    # Relative to the previous packet, whose position is known: the difference fits into 32 bits.
    near = np.maximum(seen, 0)
    distance = (number - raw_end[near]).astype(np.uint32).astype(np.int32).astype(np.int64)
    place = end[near] + distance
    highest = np.where(seen >= 0, top[near], 0)
    # A FIN has a number, too. Bytes that were acknowledged and never seen were not captured.
    reached = np.clip(np.where(seen >= 0, place, 0), 0, highest)
    plain = (rows.payload == 0) & ((rows.flags & (SYN | FIN)) == 0)
    same_window = np.concatenate(([False], window[1:] == window[:-1])) | rows.has_sack
    same = np.concatenate(([False], number[1:] == number[:-1]))
    duplicates = plain & same & same_window & (highest > reached)
    return _Answers(
        time_s=at_s,
        number=place,
        reached=np.maximum.accumulate(reached),
        edge=place + window,
        is_hint=duplicates | rows.has_sack,
        sacked=rows.sacked,
        duplicates=int(np.count_nonzero(duplicates)),
    )


def _round_trips(
    time_s: Numbers,
    start: Integers,
    end: Integers,
    before: Integers,
    is_below: Flags,
    acked_s: Numbers,
    acked_to: Integers,
) -> tuple[Numbers, Numbers]:
    """The round trips from a packet to the first ACK of its last acknowledged byte: the ACK's time and the duration.

    By Karn's rule (RFC 6298, section 3), there is no round trip if a packet below the highest byte seen came in
    between. An ACK that a gap delayed gives no round trip either.
    """
    first = np.flatnonzero((start >= before) & (end > before))
    if not len(first) or not len(acked_s):
        return time_s[:0], time_s[:0]
    sent = first[np.minimum(np.searchsorted(end[first], acked_to), len(first) - 1)]
    rtt_s = acked_s - time_s[sent]
    below_s = time_s[is_below]
    between = np.searchsorted(below_s, acked_s, side="right") - np.searchsorted(below_s, time_s[sent], side="right")
    counts = (rtt_s > 0) & (between == 0) & (end[sent] >= acked_to)
    return acked_s[counts], np.round(rtt_s[counts], 9)
