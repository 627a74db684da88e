# SPDX-License-Identifier: MIT
"""The sawtooth of a congestion window at a queue first in, first out: how long it takes from one cut to the next."""

KNOWN = {"TcpNewReno", "TcpLinuxReno", "TcpCubic"}  # whose windows are estimated
_DELAYED_ACKS = 2  # data packets to an acknowledgment


def epoch_s(variant: str, rate: float, base_s: float, queued: float, flows: int) -> float:
    """Estimate how long a flow of one of `KNOWN` takes from one cut of its window to the next, in s.

    Its largest window is its share of what is in flight and in the full queue, W segments. NewReno opens it by a
    segment a round trip, ns-3's TcpNewReno half as fast with delayed ACKs, from W/2. CUBIC takes K = ∛(W (1 − β) / C) s
    (RFC 9438, 4.2), or as long as NewReno if that is less.

    Parameters
    ----------
    variant : str
    rate : float
        The link's, in packets/s.
    base_s : float
        The round trip with empty queues.
    queued : float
        The packets that the queue holds.
    flows : int
        How many share the link.
    """
    window = (rate * base_s + queued) / flows
    # The round trip while the window grows from half to whole: that of the link, or of the packets in flight.
    mean_s = max(base_s, 0.75 * window * flows / rate)
    reno_s = window / 2 * mean_s * (_DELAYED_ACKS if variant == "TcpNewReno" else 1)
    return min(reno_s, (window * 0.3 / 0.4) ** (1 / 3)) if variant == "TcpCubic" else reno_s
