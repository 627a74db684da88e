# SPDX-License-Identifier: MIT
"""Find the metric that a wrong name means."""

from collections.abc import Collection

from tcpsweep.core.words import spelling

_METRIC_BY_OTHER_NAME = {
    **dict.fromkeys(
        ("fct", "fct_mean", "flow_completion_time", "completion", "completion_time", "completion_s"),
        "completion_mean_s",
    ),
    **dict.fromkeys(("fct_p50", "median_fct"), "completion_p50_s"),
    "fct_p95": "completion_p95_s",
    **dict.fromkeys(("fct_p99", "tail_fct"), "completion_p99_s"),
    **dict.fromkeys(("throughput", "rate", "bandwidth"), "throughput_bps"),
    **dict.fromkeys(("fairness", "jfi", "jains_index", "jain_index", "fairness_index"), "jain"),
    **dict.fromkeys(("rtt", "round_trip"), "rtt_mean_s"),
    **dict.fromkeys(("delay", "latency", "owd"), "owd_mean_s"),
    **dict.fromkeys(("queue_delay", "queueing_delay", "queuing_delay", "queueing", "sojourn"), "queueing_delay_mean_s"),
    **dict.fromkeys(("queue", "queue_length", "queue_size", "backlog", "occupancy"), "queue_mean_packets"),
    **dict.fromkeys(("loss", "loss_rate", "plr", "drops", "drop_rate"), "congestion_loss"),
    **dict.fromkeys(("retransmissions", "retransmits", "retransmission"), "retransmitted_bytes"),
    **dict.fromkeys(("utilization", "link_utilization", "link_utilisation", "efficiency"), "utilisation"),
    **dict.fromkeys(("convergence", "convergence_time"), "convergence_s"),
    **dict.fromkeys(("rto", "rtos"), "timeouts"),
}


def did_you_mean(name: str, names: Collection[str]) -> str:
    """``; did you mean 'x'?`` for the metric among ``names`` that a name means or resembles; else empty."""
    meant = _METRIC_BY_OTHER_NAME.get(name.lower().replace("-", "_"))
    return f"; did you mean {meant!r}?" if meant in names else spelling.did_you_mean(name, names)
