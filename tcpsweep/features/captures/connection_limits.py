# SPDX-License-Identifier: MIT
"""The part of a connection's time in which the sender, the receiver's window or the network limited it.

Each pause between two packets with payload is divided, in this order:

1. The network limited it while a loss was being repaired, timeouts included.
2. The receiver limited it while its window had no room for a full segment.
3. The sender's application limited it if everything was acknowledged before the next packet came, or if the packet
   before the pause was shorter than a full segment.
4. Otherwise the network limited it: the sender had data, the receiver had room, and the congestion window was full.

Zhang, Breslau, Paxson and Shenker ask the same: On the Characteristics and Origins of Internet Flow Rates. SIGCOMM
2002. A capture has no congestion window, so the last answer takes all remaining time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tcpsweep.features.captures.captured_packets import Flags, Integers, Numbers

_LEAST_FULL_BYTES = 500  # a smaller segment is no full one
_ANSWER_S = 0.002  # an answer to an ACK comes within this time, or within a share of the round trip
_ANSWER_SHARE = 0.25


class Sent(NamedTuple):
    """Packets with payload, in order of time."""

    time_s: Numbers
    size: Integers
    top: Integers  # the highest byte seen so far
    is_resent: Flags


class Acked(NamedTuple):
    """Acknowledgements, in order of time, by the sender's clock."""

    time_s: Numbers
    reached: Integers  # the highest byte acknowledged so far
    edge: Integers  # the highest byte that the receiver had room for so far


class Limits(NamedTuple):
    """Seconds in which each limited the connection."""

    sender_s: float
    receiver_s: float
    network_s: float

    @property
    def total_s(self) -> float:
        """The time between the first and the last packet with payload."""
        return sum(self)

    def shares(self) -> dict[str, float]:
        """The shares of the time as metrics; none without time."""
        names = ("sender_limited_share", "receiver_limited_share", "network_limited_share")
        return {name: part / self.total_s for name, part in zip(names, self, strict=True)} if self.total_s > 0 else {}


def full_segment(size: Integers) -> int:
    """The most frequent size of full segments; 0 if there is none."""
    large = size[size >= _LEAST_FULL_BYTES]
    return int(np.argmax(np.bincount(np.minimum(large, 1 << 17)))) if len(large) else 0


def limits(sent: Sent, acked: Acked, rtt_s: float, knows_window: bool) -> Limits | None:
    """The limits of one connection; None if it has fewer than two packets with payload, or no acknowledgement.

    ``rtt_s`` is the least round trip, 0 where that is unknown. ``knows_window`` says whether the window's scale is
    known.
    """
    if len(sent.time_s) < 2 or not len(acked.time_s):
        return None
    begin_s, end_s, top = sent.time_s[:-1], sent.time_s[1:], sent.top[:-1]
    full_bytes = full_segment(sent.size)
    room_s = _first_time(acked.time_s, acked.edge, top + max(full_bytes, 1))
    blocked_s = np.clip(np.minimum(room_s, end_s) - begin_s, 0, None) if knows_window else np.zeros(len(begin_s))
    all_acked_s = _first_time(acked.time_s, acked.reached, top)
    is_idle = end_s - all_acked_s > max(_ANSWER_S, _ANSWER_SHARE * rtt_s)
    is_short = (sent.size[:-1] % full_bytes != 0) if full_bytes else np.ones(len(begin_s), bool)
    is_repair = _repairs(sent, acked)
    is_network = is_repair | ~(is_idle | is_short)
    pause_s = end_s - begin_s
    blocked_s = np.where(is_repair, 0, blocked_s)
    rest_s = pause_s - blocked_s
    return Limits(
        sender_s=float(rest_s[~is_network].sum()),
        receiver_s=float(blocked_s.sum()),
        network_s=float(rest_s[is_network].sum()),
    )


def _first_time(time_s: Numbers, counts: Integers, wanted_counts: Integers) -> Numbers:
    """When a count that only grows first reached each wanted value; infinite if it never did."""
    first_reached = np.searchsorted(counts, wanted_counts)
    return np.append(time_s, np.inf)[first_reached]


def _repairs(sent: Sent, acked: Acked) -> Flags:
    """The pauses during the repair of a loss: up to a resent packet, and until everything sent by then is acked."""
    is_before_resent = sent.is_resent[1:].copy()
    acked_s = _first_time(acked.time_s, acked.reached, sent.top)
    repaired_s = np.maximum.accumulate(np.where(sent.is_resent, acked_s, -np.inf))
    return is_before_resent | (sent.time_s[:-1] < repaired_s[:-1])
