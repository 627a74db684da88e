# SPDX-License-Identifier: MIT
"""Events of a connection: resets, repeated SYNs and FINs, zero windows, timeouts, idle times."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tcpsweep.features.captures.captured_packets import FIN, RST, SYN, Flags, Integers, Numbers, Packets
from tcpsweep.features.captures.connection_limits import Acked, Sent

FAST_ACKS = 3  # duplicate ACKs before a fast retransmission (RFC 5681, section 3.2)
LEAST_TIMEOUT_S = 0.2  # Linux' least; RFC 6298 says 1 s
LEAST_IDLE_S = 1.0


def signals(data: Packets, acks: Packets) -> dict[str, float]:
    """Counts as metrics.

    ``resets``, ``repeated_syns`` and ``repeated_fins`` are of both directions, ``zero_windows`` and
    ``receive_window_max_bytes`` of the data's receiver.
    """
    plain = (acks.flags & (SYN | FIN | RST)) == 0
    counts: dict[str, float] = {
        "resets": sum(int(np.count_nonzero(side.flags & RST)) for side in (data, acks)),
        "repeated_syns": _repeated(data, SYN) + _repeated(acks, SYN),
        "repeated_fins": _repeated(data, FIN) + _repeated(acks, FIN),
    }
    if plain.any():
        counts["zero_windows"] = int(np.count_nonzero(plain & (acks.window == 0)))
        counts["receive_window_max_bytes"] = int(acks.window[plain].max())
    return counts


def _repeated(side: Packets, flag: int) -> int:
    """How many packets with a flag have the number of an earlier one; resets do not count."""
    rows = ((side.flags & flag) > 0) & ((side.flags & RST) == 0)
    numbers = side.seq[rows] + (side.payload[rows] if flag == FIN else 0)
    return len(numbers) - len(np.unique(numbers % 2**32))


def idle_times(sent: Sent, acked: Acked) -> list[tuple[float, float]]:
    """The times from which everything was acknowledged until the next payload, of `LEAST_IDLE_S` and more."""
    if not len(acked.time_s):
        return []
    places = np.searchsorted(acked.reached, sent.top[:-1])
    done_s = np.append(acked.time_s, np.inf)[places]
    done_s = np.maximum(done_s, sent.time_s[:-1])
    rows = np.flatnonzero(sent.time_s[1:] - done_s >= LEAST_IDLE_S)
    return list(zip(done_s[rows].tolist(), sent.time_s[1:][rows].tolist(), strict=True))


class Heard(NamedTuple):
    """All acknowledgements, in order of time, by the sender's clock."""

    time_s: Numbers
    is_hint: Flags  # whether it is a duplicate or has SACK blocks
    sacked: Integers  # the bytes in its SACK blocks


def repairs(sent: Sent, acked: Acked, heard: Heard, rtt_s: float) -> tuple[list[float], list[float]]:
    """When timeouts and fast retransmissions began.

    A packet is resent fast if `FAST_ACKS` hints came since more was acknowledged, or if more than two full segments are
    in SACK blocks (RFC 6675, section 4: IsLost). It is resent by a timeout if nothing was sent for
    `LEAST_TIMEOUT_S` or two round trips before. Others, such as probes of a tail, count as neither.
    """
    timeouts: list[float] = []
    fast: list[float] = []
    hints = np.concatenate(([0], np.cumsum(heard.is_hint)))
    sacked = np.concatenate(([0], heard.sacked))
    many_bytes = (FAST_ACKS - 1) * int(sent.size.max(initial=0))
    recovered = -1  # the byte up to which a repair goes
    for row in np.flatnonzero(sent.is_resent).tolist():
        now_s = sent.time_s[row]
        place = int(np.searchsorted(acked.time_s, now_s, side="right"))
        reached = int(acked.reached[place - 1]) if place else 0
        since_s = acked.time_s[np.searchsorted(acked.reached, reached)] if place else -np.inf
        silence_s = now_s - sent.time_s[row - 1] if row else 0.0
        last, first = np.searchsorted(heard.time_s, [now_s, since_s], side="right")
        is_fast = hints[last] - hints[first] >= FAST_ACKS or sacked[last] > many_bytes
        is_silent = silence_s >= max(LEAST_TIMEOUT_S, 2 * rtt_s)
        if is_silent and not (is_fast and reached >= recovered):
            timeouts.append(float(now_s))
        elif is_fast and reached >= recovered:
            fast.append(float(now_s))
        else:
            continue
        recovered = int(sent.top[row])
    return timeouts, fast
