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
    has_window = (acks.flags & (SYN | FIN | RST)) == 0
    counts: dict[str, float] = {
        "resets": sum(int(np.count_nonzero(side.flags & RST)) for side in (data, acks)),
        "repeated_syns": _repeated_packets(data, SYN) + _repeated_packets(acks, SYN),
        "repeated_fins": _repeated_packets(data, FIN) + _repeated_packets(acks, FIN),
    }
    if has_window.any():
        counts["zero_windows"] = int(np.count_nonzero(has_window & (acks.window == 0)))
        counts["receive_window_max_bytes"] = int(acks.window[has_window].max())
    return counts


def _repeated_packets(side: Packets, flag: int) -> int:
    """How many packets with a flag, SYN or FIN, have the number of an earlier one; resets do not count."""
    is_flagged = ((side.flags & flag) > 0) & ((side.flags & RST) == 0)
    numbers = side.seq[is_flagged] + (side.payload[is_flagged] if flag == FIN else 0)
    return len(numbers) - len(np.unique(numbers % 2**32))


def idle_times(sent: Sent, acked: Acked) -> list[tuple[float, float]]:
    """The pauses of `LEAST_IDLE_S` and more, from when everything was acknowledged until the next payload."""
    if not len(acked.time_s):
        return []
    acks_of_all = np.searchsorted(acked.reached, sent.top[:-1])
    idle_from_s = np.append(acked.time_s, np.inf)[acks_of_all]
    idle_from_s = np.maximum(idle_from_s, sent.time_s[:-1])
    idle_pauses = np.flatnonzero(sent.time_s[1:] - idle_from_s >= LEAST_IDLE_S)
    return list(zip(idle_from_s[idle_pauses].tolist(), sent.time_s[1:][idle_pauses].tolist(), strict=True))


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
    hints_before = np.concatenate(([0], np.cumsum(heard.is_hint)))
    sacked_before = np.concatenate(([0], heard.sacked))
    many_bytes = (FAST_ACKS - 1) * int(sent.size.max(initial=0))
    recovered = -1  # the byte up to which a repair goes
    for packet in np.flatnonzero(sent.is_resent).tolist():
        now_s = sent.time_s[packet]
        acks_before = int(np.searchsorted(acked.time_s, now_s, side="right"))
        reached = int(acked.reached[acks_before - 1]) if acks_before else 0
        reached_s = acked.time_s[np.searchsorted(acked.reached, reached)] if acks_before else -np.inf
        silence_s = now_s - sent.time_s[packet - 1] if packet else 0.0
        heard_now, heard_then = np.searchsorted(heard.time_s, [now_s, reached_s], side="right")
        is_fast = (
            hints_before[heard_now] - hints_before[heard_then] >= FAST_ACKS or sacked_before[heard_now] > many_bytes
        )
        is_silent = silence_s >= max(LEAST_TIMEOUT_S, 2 * rtt_s)
        if is_silent and not (is_fast and reached >= recovered):
            timeouts.append(float(now_s))
        elif is_fast and reached >= recovered:
            fast.append(float(now_s))
        else:
            continue
        recovered = int(sent.top[packet])
    return timeouts, fast
