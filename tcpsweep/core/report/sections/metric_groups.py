# SPDX-License-Identifier: MIT
"""The groups that menus and tables list metrics in."""

HEADLINE = "headline"
# Each group to what the names of its metrics begin with, the longest beginning first.
_GROUPS = {
    "delay": ("owd_", "rtt_p", "rtt_mean", "queueing_delay", "network_queueing", "network_delay", "queue_wait"),
    "queue": ("queue_", "start_queue"),
    "loss": (
        *("congestion_loss", "random_loss", "lost_", "delivery", "drop_", "network_delivery", "network_drop", "ecn_"),
        *("retransmitted", "spurious", "unreceived", "loss_event", "drops_in", "start_lost"),
    ),
    "fairness": ("jain", "share", "convergence", "rtt_ratio", "rtt_exponent", "worst_share"),
    "recovery and states": (
        *("cwnd_", "fast_", "timeouts", "congestion_epochs", "open_", "disorder_", "CWR_", "recovery_", "loss_"),
        *("receiver_limited", "application_limited", "send_buffer_limited"),
        *("steady", "goodput_trend", "goodput_bend", "warmup"),
    ),
    "completion": ("finished", "completion"),
    "rate": (
        *("goodput", "throughput", "wire_", "max_", "sent_payload_bps", "sent_throughput", "sent_wire_throughput"),
        *("utilisation", "network_throughput", "flows_"),
    ),
}
_OTHERS = "bytes and packets"


def group_of(metric: str) -> str:
    """The group of a metric, by its name."""
    return next((group for group, begins in _GROUPS.items() if metric.startswith(begins)), _OTHERS)
