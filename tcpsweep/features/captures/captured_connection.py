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
    opened_s = _openings(data)
    bounds_s = [-np.inf, *opened_s[1:], np.inf]
    # The other end answers after the SYN, so both directions are divided at the same times.
    connections = [
        _single_connection(data.part(from_s, to_s), acks.part(from_s, to_s))
        for from_s, to_s in itertools.pairwise(bounds_s)
    ]
    return connections[0] if len(connections) == 1 else _joined(connections)


def _joined(connections: Sequence[Told]) -> Told:
    """Several connections as one: columns and lists one after the other, counts added up."""
    joined: dict[str, Any] = {}
    for field in fields(Told):
        field_values = [getattr(connection, field.name) for connection in connections]
        known = [field_value for field_value in field_values if field_value is not None]
        if isinstance(field_values[0], np.ndarray):
            joined[field.name] = np.concatenate(field_values)
        elif isinstance(field_values[0], list):
            joined[field.name] = [item for field_value in field_values for item in field_value]
        elif field.name == "limits":
            joined[field.name] = Limits(*map(sum, zip(*known, strict=True))) if known else None
        elif field.name == "handshake_s":
            joined[field.name] = known[0] if known else None
        else:
            joined[field.name] = sum(field_values)
    return Told(**joined)


def _openings(data: Packets) -> list[float]:
    """When the sender opened each connection, by SYNs with another number than the one before; -inf without SYNs."""
    syns = np.flatnonzero(data.flags & SYN)
    new_numbers = np.flatnonzero(np.diff(data.seq[syns])) + 1
    return data.time_s[syns[np.concatenate((np.zeros(1, np.int64), new_numbers))]].tolist() if len(syns) else [-np.inf]


def _single_connection(data: Packets, acks: Packets) -> Told:
    """Follow one connection. Its bytes are numbered from 0, so that sequence numbers do not wrap around."""
    handshake_s = _handshake_s(data, acks)
    has_payload = data.payload > 0
    is_open = bool(len(data.flags)) and bool(data.flags[0] & SYN)
    # From the number after the SYN on, or from the first number seen; differences are within 2³¹.
    seq_steps = np.diff(data.seq, prepend=data.seq[:1]).astype(np.uint32).astype(np.int32).astype(np.int64)
    start = np.cumsum(seq_steps) - (1 if is_open else 0)
    start[(data.flags & SYN) > 0] += 1
    if not is_open and has_payload.any():
        start -= start[np.argmax(has_payload)]
    # ACKs and FINs without payload have the number of the byte that comes next, which shows gaps before them.
    sent_to = _sent_to(data, start)
    tops_before = np.concatenate(([0], np.maximum.accumulate(np.maximum(sent_to, 0))[:-1])) if len(sent_to) else sent_to
    shown_gaps = _shown_gaps(data.time_s, tops_before, sent_to, has_payload)
    raw_start, time_s = data.seq[has_payload], data.time_s[has_payload]
    start, size, top_before = start[has_payload], data.payload[has_payload], tops_before[has_payload]
    end = start + size
    # One byte that was already acknowledged is a keep-alive probe (RFC 9293, section 3.8.4).
    is_probe = (size == 1) & (end == top_before)
    reordered_s = REORDERED_S if handshake_s is None else _ROUND_TRIP_SHARE * handshake_s
    sent_bytes = _sent_bytes(time_s, start, end, top_before, is_probe, reordered_s, shown_gaps)
    top = np.maximum(top_before, end)
    answered = _acknowledgements(acks, time_s, raw_start + size, end, top)
    is_advance = np.diff(answered.reached, prepend=0) > 0
    acked_s, acked_to = answered.time_s[is_advance], answered.reached[is_advance]
    rtt_at_s, rtt_s = _round_trips(time_s, start, end, top_before, sent_bytes.is_below, acked_s, acked_to)
    acked_before = np.concatenate(([0], acked_to))[np.searchsorted(acked_s, time_s, side="right")]
    least_rtt_s = float(rtt_s.min()) if len(rtt_s) else 0.0
    # Near the receiver, its ACKs are seen before the sender gets them, by the rest of the round trip. At the receiver
    # itself, an ACK may have the time of the packet, so that there are no round trips.
    to_sender_s = handshake_s - least_rtt_s if handshake_s and least_rtt_s < NEAR_RECEIVER * handshake_s else 0.0
    sent = Sent(time_s, size, top, (sent_bytes.again > 0) & ~is_probe)
    acked = Acked(answered.time_s + to_sender_s, answered.reached, np.maximum.accumulate(answered.edge))
    path_rtt_s = max(handshake_s or 0.0, least_rtt_s)
    timeouts, fast = connection_events.repairs(
        sent, acked, Heard(answered.time_s + to_sender_s, answered.is_hint, answered.sacked), path_rtt_s
    )
    return Told(
        time_s=time_s,
        start=start,
        new=sent_bytes.new,
        again=sent_bytes.again,
        is_late=sent_bytes.is_below & (sent_bytes.again == 0),
        in_flight=np.maximum(top - acked_before, 0),
        acked_s=acked_s,
        acked=np.diff(acked_to, prepend=0),
        rtt_at_s=rtt_at_s,
        rtt_s=rtt_s,
        ack_s=answered.time_s,
        ack_to=answered.number,
        edge=answered.edge,
        timeouts=timeouts,
        fast=fast,
        idle=connection_events.idle_times(sent, acked),
        sent_again=sent_bytes.sent_again,
        filled_gaps=sent_bytes.filled_gaps,
        reordered=sent_bytes.reordered,
        duplicate_acks=answered.duplicates,
        needless=int(np.count_nonzero(acks.has_duplicate)),
        limits=connection_limits.limits(sent, acked, path_rtt_s, bool((acks.flags & SYN).any())),
        handshake_s=handshake_s,
    )


def _handshake_s(data: Packets, acks: Packets) -> float | None:
    """From the first SYN of either end to the ACK of the answer; None where one was sent twice or is not there."""
    for opener, answerer in ((data, acks), (acks, data)):
        syns = np.flatnonzero((opener.flags & (SYN | ACK | RST)) == SYN)
        syn_acks = np.flatnonzero((answerer.flags & (SYN | ACK | RST)) == SYN | ACK)
        is_pair = len(syns) == len(syn_acks) == 1
        if is_pair and (answerer.ack[syn_acks[0]] - opener.seq[syns[0]]) % 2**32 == 1:
            syn_ack_s = answerer.time_s[syn_acks[0]]
            later_acks = np.flatnonzero((opener.time_s >= syn_ack_s) & ((opener.flags & (SYN | ACK | RST)) == ACK))
            if len(later_acks) and opener.time_s[syns[0]] <= syn_ack_s:
                return float(opener.time_s[later_acks[0]] - opener.time_s[syns[0]])
    return None


def _sent_to(data: Packets, start: Integers) -> Integers:
    """The number of the byte after each packet; a FIN has no byte. It is 0 for resets and forged packets."""
    sent_to = np.where((data.flags & RST) > 0, 0, start + data.payload)
    fins = np.flatnonzero(data.flags & FIN)
    sent_to = np.minimum(sent_to, sent_to[fins].max()) if len(fins) else sent_to
    # A number far above all others is no gap but a damaged or forged packet.
    top_seen = np.maximum.accumulate(np.where(data.payload > 0, sent_to, 0))
    return np.where((data.payload == 0) & (sent_to - top_seen > _MOST_GAP_BYTES), 0, sent_to)


def _shown_gaps(time_s: Numbers, tops: Integers, sent_to: Integers, has_payload: Flags) -> list[tuple[float, int, int]]:
    """The gaps that packets without payload show: the time of the packet, and the range of the missing bytes."""
    rows = np.flatnonzero(~has_payload & (sent_to > tops))
    return list(zip(time_s[rows].tolist(), tops[rows].tolist(), sent_to[rows].tolist(), strict=True))


class _SortedOut(NamedTuple):
    """The sent bytes of a direction."""

    new: Integers  # the new bytes of each packet
    again: Integers  # its retransmitted bytes
    is_below: Flags  # whether it is below the highest byte seen
    sent_again: int  # retransmitted packets
    filled_gaps: int  # retransmitted packets that filled a gap
    reordered: int  # late packets


def _sent_bytes(
    time_s: Numbers,
    start: Integers,
    end: Integers,
    top_before: Integers,
    is_probe: Flags,
    reordered_s: float,
    shown_gaps: list[tuple[float, int, int]],
) -> _SortedOut:
    """New and retransmitted bytes of each packet, and counts of retransmitted packets.

    ``top_before`` is the byte after the highest one that was seen before each packet. A packet that fills a gap sooner
    than ``reordered_s`` after its beginning was only late. ``shown_gaps`` are from `_shown_gaps`, in order of time.
    """
    is_below = (start < top_before) & ~is_probe
    new = np.maximum(end - np.maximum(start, top_before), 0)
    again = np.where(is_below, np.minimum(end, top_before) - start, 0)
    sent_again = filled_gaps = reordered = 0
    # Gaps between the bytes seen, in order: where each begins and ends, and since when it is there.
    gap_begins: list[int] = []
    gap_ends: list[int] = []
    gap_since_s: list[float] = []
    shown_gaps = shown_gaps[::-1]
    for packet in np.flatnonzero(is_below | (start > top_before)).tolist():
        first_byte, top = int(start[packet]), int(top_before[packet])
        while shown_gaps and shown_gaps[-1][0] <= time_s[packet] and shown_gaps[-1][2] <= top:
            at_s, low, high = shown_gaps.pop()
            gap_begins.append(low)
            gap_ends.append(high)
            gap_since_s.append(at_s)
        if first_byte >= top:
            gap_begins.append(top)
            gap_ends.append(first_byte)
            gap_since_s.append(float(time_s[packet]))
            continue
        last_byte, filled_bytes, oldest_s = min(int(end[packet]), top), 0, np.inf
        gap = max(bisect_right(gap_begins, first_byte) - 1, 0)
        while gap < len(gap_begins) and gap_begins[gap] < last_byte:
            low, high = max(gap_begins[gap], first_byte), min(gap_ends[gap], last_byte)
            if low >= high:
                gap += 1
                continue
            filled_bytes += high - low
            oldest_s = min(oldest_s, gap_since_s[gap])
            unfilled = [(gap_begins[gap], low), (high, gap_ends[gap])]
            remaining = [(a, b) for a, b in unfilled if a < b]
            since_s = gap_since_s[gap]
            gap_begins[gap : gap + 1] = [a for a, _ in remaining]
            gap_ends[gap : gap + 1] = [b for _, b in remaining]
            gap_since_s[gap : gap + 1] = [since_s] * len(remaining)
            gap += len(remaining)
        new[packet] += filled_bytes
        if filled_bytes and filled_bytes == last_byte - first_byte and time_s[packet] - oldest_s < reordered_s:
            reordered += 1
            again[packet] = 0
            continue
        sent_again += 1
        filled_gaps += bool(filled_bytes)
    return _SortedOut(new, again, is_below, sent_again, filled_gaps, reordered)


class _Answers(NamedTuple):
    """The acknowledgements of a direction."""

    time_s: Numbers
    number: Integers  # the byte up to which each acknowledges
    reached: Integers  # the highest byte that was seen and is acknowledged so far
    edge: Integers  # the byte after the receiver's window
    is_hint: Flags  # whether it is a duplicate or has SACK blocks, which hint at a loss
    sacked: Integers  # the bytes in its SACK blocks
    duplicates: int


def _acknowledgements(acks: Packets, time_s: Numbers, raw_end: Integers, end: Integers, top: Integers) -> _Answers:
    """The acknowledgements of packets that were seen at ``time_s`` and end at ``end``.

    ``raw_end`` are the same ends as sequence numbers, as they were sent; ``top`` is the highest end so far.
    """
    is_ack = ((acks.flags & ACK) > 0) & ((acks.flags & RST) == 0)
    ack_packets = acks.chosen(is_ack)
    ack_s, raw_number, window = ack_packets.time_s, ack_packets.ack, ack_packets.window
    if not len(end) or not len(ack_s):
        return _Answers(ack_s[:0], raw_number[:0], raw_number[:0], raw_number[:0], is_ack[:0], raw_number[:0], 0)
    last_seen = np.searchsorted(time_s, ack_s, side="right") - 1
    # Relative to the previous packet, whose position is known: the difference fits into 32 bits.
    near_packet = np.maximum(last_seen, 0)
    distance = (raw_number - raw_end[near_packet]).astype(np.uint32).astype(np.int32).astype(np.int64)
    ack_to = end[near_packet] + distance
    top_seen = np.where(last_seen >= 0, top[near_packet], 0)
    # A FIN has a number, too. Bytes that were acknowledged and never seen were not captured.
    reached = np.clip(np.where(last_seen >= 0, ack_to, 0), 0, top_seen)
    is_plain = (ack_packets.payload == 0) & ((ack_packets.flags & (SYN | FIN)) == 0)
    is_same_window = np.concatenate(([False], window[1:] == window[:-1])) | ack_packets.has_sack
    is_same_number = np.concatenate(([False], raw_number[1:] == raw_number[:-1]))
    is_duplicate = is_plain & is_same_number & is_same_window & (top_seen > reached)
    return _Answers(
        time_s=ack_s,
        number=ack_to,
        reached=np.maximum.accumulate(reached),
        edge=ack_to + window,
        is_hint=is_duplicate | ack_packets.has_sack,
        sacked=ack_packets.sacked,
        duplicates=int(np.count_nonzero(is_duplicate)),
    )


def _round_trips(
    time_s: Numbers,
    start: Integers,
    end: Integers,
    top_before: Integers,
    is_below: Flags,
    acked_s: Numbers,
    acked_to: Integers,
) -> tuple[Numbers, Numbers]:
    """The round trips from a packet to the first ACK of its last acknowledged byte: the ACK's time and the duration.

    By Karn's rule (RFC 6298, section 3), there is no round trip if a packet below the highest byte seen came in
    between. An ACK that a gap delayed gives no round trip either.
    """
    new_packets = np.flatnonzero((start >= top_before) & (end > top_before))
    if not len(new_packets) or not len(acked_s):
        return time_s[:0], time_s[:0]
    acked_packet = new_packets[np.minimum(np.searchsorted(end[new_packets], acked_to), len(new_packets) - 1)]
    rtt_s = acked_s - time_s[acked_packet]
    below_s = time_s[is_below]
    below_between = np.searchsorted(below_s, acked_s, side="right") - np.searchsorted(
        below_s, time_s[acked_packet], side="right"
    )
    is_sample = (rtt_s > 0) & (below_between == 0) & (end[acked_packet] >= acked_to)
    return acked_s[is_sample], np.round(rtt_s[is_sample], 9)
