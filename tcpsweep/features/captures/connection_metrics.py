# SPDX-License-Identifier: MIT
"""The metrics of a TCP connection, and the sentence about its main limit."""

from __future__ import annotations

from collections.abc import Mapping

from tcpsweep.core.measure import percentiles
from tcpsweep.core.words.rounding import significant
from tcpsweep.features.captures.captured_connection import NEAR_RECEIVER, Told

_MAIN_SHARE = 0.5  # of the time, from which only one limit is named


def is_near_receiver(connection: Told) -> bool:
    """Whether the connection was captured near its receiver: round trips from there are short."""
    least_rtt_s = float(connection.rtt_s.min()) if len(connection.rtt_s) else 0.0
    return bool(
        connection.handshake_s and len(connection.acked_s) and least_rtt_s < NEAR_RECEIVER * connection.handshake_s
    )


def path_rtt_s(connection: Told) -> float:
    """The least round trip of the whole path: the handshake's near the receiver, else the least of all packets.

    The connection needs a handshake or round trips.
    """
    if connection.handshake_s and (is_near_receiver(connection) or not len(connection.rtt_s)):
        return connection.handshake_s
    return float(connection.rtt_s.min())


def limit_sentence(metrics: Mapping[str, float]) -> str | None:
    """A sentence about the limits of a flow, from its metrics; None if they are not known."""
    shares = {name: metrics.get(f"{name}_limited_share") for name in ("sender", "receiver", "network")}
    known_shares = {name: share for name, share in shares.items() if share is not None}
    if len(known_shares) < len(shares):
        return None
    largest = max(known_shares, key=lambda name: known_shares[name])
    of_time = f"limited this flow for {_percent(known_shares[largest])} of its time"
    if known_shares[largest] < _MAIN_SHARE:
        parts = ", ".join(f"{_PARTIES[name]} for {_percent(share)}" for name, share in known_shares.items())
        return f"No single cause limited this flow: {parts} of its time."
    if largest == "sender":
        return f"The sender's application {of_time}: it had nothing to send."
    if largest == "receiver":
        window = significant(metrics.get("receive_window_max_bytes", 0) * 1e-3, 3)
        return f"The receiver's window {of_time}: the sender filled it, up to {window} kB."
    repairs = int(metrics.get("fast_retransmissions", 0)), int(metrics.get("timeouts", 0))
    return (
        f"The network {of_time}: the sender waited for ACKs within its congestion window, with "
        f"{_counted(repairs[0], 'fast retransmission')} and {_counted(repairs[1], 'timeout')}."
    )


def limit_words(metrics: Mapping[str, float]) -> str:
    """The main limit of a flow in a table's cell, such as "network 93 %"; a dash if it is not known."""
    shares = {name: metrics.get(f"{name}_limited_share") for name in ("sender", "receiver", "network")}
    known_shares = {name: share for name, share in shares.items() if share is not None}
    if not known_shares:
        return "–"
    largest = max(known_shares, key=lambda name: known_shares[name])
    return f"{largest} {_percent(known_shares[largest])}"


_PARTIES = {"sender": "the sender's application", "receiver": "the receiver's window", "network": "the network"}


def _percent(share: float) -> str:
    return f"{share * 100:.0f} %"


def _counted(count: int, what: str) -> str:
    return f"{count or 'no'} {what}{'s' * (count != 1)}"


def of_connection(connection: Told, packets: int, has_acks: bool) -> dict[str, float | None]:
    """The metrics that only TCP has."""
    retransmitted_bytes = int(connection.again.sum())
    metrics: dict[str, float | None] = {
        "retransmitted_bytes": retransmitted_bytes,
        "retransmitted_packets": connection.sent_again,
        "retransmitted_share": connection.sent_again / packets if packets else None,
        "lost_before_packets": connection.filled_gaps,
        "reordered_packets": connection.reordered,
        "handshake_s": connection.handshake_s,
    }
    if connection.handshake_s or len(connection.rtt_s):
        metrics["path_rtt_s"] = path_rtt_s(connection)
    if has_acks:
        metrics |= {
            "timeouts": len(connection.timeouts),
            "fast_retransmissions": len(connection.fast),
            "idle_s": sum(end - begin for begin, end in connection.idle),
            **(connection.limits.shares() if connection.limits else {}),
        }
        metrics |= {
            "acked_bytes": int(connection.acked.sum()),
            "unseen_bytes": max(int(connection.acked.sum() - connection.new.sum()), 0),
            "duplicate_acks": connection.duplicate_acks,
            "needless_packets": connection.needless,
            "lost_at_most_packets": max(connection.sent_again - connection.needless, 0),
        }
    if len(connection.rtt_s):
        metrics |= {"rtt_min_s": float(connection.rtt_s.min()), **percentiles.spread_of(connection.rtt_s, "rtt")}
    return metrics
