# SPDX-License-Identifier: MIT
"""The metrics of a TCP connection, and the sentence about its main limit."""

from __future__ import annotations

from collections.abc import Mapping

from tcpsweep.core.measure import percentiles
from tcpsweep.core.words.rounding import significant
from tcpsweep.features.captures.captured_connection import NEAR_RECEIVER, Told

_MAIN_SHARE = 0.5  # of the time, from which only one limit is named


def is_near_receiver(told: Told) -> bool:
    """Whether the connection was captured near its receiver: round trips from there are short."""
    own_s = float(told.rtt_s.min()) if len(told.rtt_s) else 0.0
    return bool(told.handshake_s and len(told.acked_s) and own_s < NEAR_RECEIVER * told.handshake_s)


def path_rtt_s(told: Told) -> float:
    """The least round trip of the whole path: the handshake's near the receiver, else the least of all packets."""
    if told.handshake_s and (is_near_receiver(told) or not len(told.rtt_s)):
        return told.handshake_s
    return float(told.rtt_s.min())


def limit_sentence(values: Mapping[str, float]) -> str | None:
    """A sentence about the limits of a flow, from its metrics; None if they are not known."""
    shares = {name: values.get(f"{name}_limited_share") for name in ("sender", "receiver", "network")}
    measured = {name: share for name, share in shares.items() if share is not None}
    if len(measured) < len(shares):
        return None
    largest = max(measured, key=lambda name: measured[name])
    of_time = f"limited this flow for {_percent(measured[largest])} of its time"
    if measured[largest] < _MAIN_SHARE:
        parts = ", ".join(f"{_WHO[name]} for {_percent(share)}" for name, share in measured.items())
        return f"No single cause limited this flow: {parts} of its time."
    if largest == "sender":
        return f"The sender's application {of_time}: it had nothing to send."
    if largest == "receiver":
        window = significant(values.get("receive_window_max_bytes", 0) * 1e-3, 3)
        return f"The receiver's window {of_time}: the sender filled it, up to {window} kB."
    repairs = int(values.get("fast_retransmissions", 0)), int(values.get("timeouts", 0))
    return (
        f"The network {of_time}: the sender waited for ACKs within its congestion window, with "
        f"{_counted(repairs[0], 'fast retransmission')} and {_counted(repairs[1], 'timeout')}."
    )


def limit_words(values: Mapping[str, float]) -> str:
    """The main limit of a flow in a table's cell, such as "network 93 %"; a dash if it is not known."""
    shares = {name: values.get(f"{name}_limited_share") for name in ("sender", "receiver", "network")}
    measured = {name: share for name, share in shares.items() if share is not None}
    if not measured:
        return "–"
    largest = max(measured, key=lambda name: measured[name])
    return f"{largest} {_percent(measured[largest])}"


_WHO = {"sender": "the sender's application", "receiver": "the receiver's window", "network": "the network"}


def _percent(share: float) -> str:
    return f"{share * 100:.0f} %"


def _counted(count: int, what: str) -> str:
    return f"{count or 'no'} {what}{'s' * (count != 1)}"


def of_connection(told: Told, packets: int, has_acks: bool) -> dict[str, float | None]:
    """The metrics that only TCP has."""
    again = int(told.again.sum())
    values: dict[str, float | None] = {
        "retransmitted_bytes": again,
        "retransmitted_packets": told.sent_again,
        "retransmitted_share": told.sent_again / packets if packets else None,
        "lost_before_packets": told.filled_gaps,
        "reordered_packets": told.reordered,
        "handshake_s": told.handshake_s,
    }
    if told.handshake_s or len(told.rtt_s):
        values["path_rtt_s"] = path_rtt_s(told)
    if has_acks:
        values |= {
            "timeouts": len(told.timeouts),
            "fast_retransmissions": len(told.fast),
            "idle_s": sum(end - begin for begin, end in told.idle),
            **(told.limits.shares() if told.limits else {}),
        }
        values |= {
            "acked_bytes": int(told.acked.sum()),
            "unseen_bytes": max(int(told.acked.sum() - told.new.sum()), 0),
            "duplicate_acks": told.duplicate_acks,
            "needless_packets": told.needless,
            "lost_at_most_packets": max(told.sent_again - told.needless, 0),
        }
    if len(told.rtt_s):
        values |= {"rtt_min_s": float(told.rtt_s.min()), **percentiles.spread_of(told.rtt_s, "rtt")}
    return values
