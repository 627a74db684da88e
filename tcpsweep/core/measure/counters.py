# SPDX-License-Identifier: MIT
"""The counters that metrics come from: what each feeds, where it is invalid, and what excludes that.

A number that cannot be checked has no value, or comes from a counter that is valid where it is used. Nothing that
computes needs this.
"""

from typing import NamedTuple


class Counter(NamedTuple):
    """A counter of a simulation.

    ``counter`` is the name of a trace or table. ``metrics`` are the metrics that it feeds. ``limits`` says where it is
    not what its name says. ``excluded`` says what a metric does there. ``checks`` are names of `audit_checks.CHECKS`.
    """

    counter: str
    metrics: str
    limits: str
    excluded: str
    checks: tuple[str, ...]


COUNTERS = (
    Counter(
        "trace `received_bytes`",
        "`goodput_bps`, `received_payload_bytes`, `goodput_variation`, `warmup_s`, and all of fairness",
        "of QUIC, it counts when the application reads, which is after a gap is filled",
        "QUIC's goodput in a short time may exceed the link's rate; sequence numbers may wrap, because offsets are "
        "counted in 64 bits",
        ("sink_bytes", "arrived_bytes", "captured_sink_bytes"),
    ),
    Counter(
        "trace `ip_received_bytes`",
        "`throughput_bps`, `wire_throughput_bps`, `max_throughput_bps`, `received_ip_bytes`",
        "a mesh may deliver a packet twice",
        "both copies count, as on the wire",
        ("ip_bytes", "captured_received_bytes"),
    ),
    Counter(
        "traces `sent_bytes`, `ip_sent_bytes`, `sent_packets`",
        "`sent_…`, `unreceived_share`",
        "a row at most every 0.1 s",
        "at the edges of the measured time, packets of up to 0.1 s count on the other side; these metrics are not "
        "compared",
        ("ip_sent_bytes", "ip_sent_packets", "captured_sent_bytes"),
    ),
    Counter(
        "FlowMonitor's, or the simulator's own, packets received",
        "`delivery_ratio`, `network_throughput_bps`, `network_delay_s`, `network_delivery_ratio`",
        "packets under way at the end are not received; with its attribute `MaxPerHopDelay`, FlowMonitor forgets "
        "packets that take longer",
        "tcpsweep lets FlowMonitor forget none, unless the sweep sets this attribute; then, no value if packets take "
        "almost so long",
        ("ip_packets", "owd_sum_s", "delivered_packets", "delivered_bytes", "captured_received_packets"),
    ),
    Counter(
        "FlowMonitor's, or the simulator's own, packets lost",
        "`drop_ratio`, `network_drop_ratio`",
        "a packet counts as lost that was sent at least 10 s before the end and has not arrived; it may be in a queue",
        "no value if a packet took 9 s or longer; the losses of the last 10 s do not count",
        (),
    ),
    Counter(
        "trace `owd_s`",
        "`owd_…`",
        "only packets that arrived have a delay",
        "a packet that waits at the end is missing, so a mean of few long delays is too small",
        ("owd_sum_s", "owd_above_floor_s"),
    ),
    Counter(
        "trace `rtt_s`",
        "`rtt_…`, `loss_event_rate`, `rtt_exponent_measured`",
        "whole milliseconds with the timestamp option; missing before ns-3 3.43, and in Linux",
        "no value where it is missing",
        (),
    ),
    Counter(
        "table `queue`",
        "`congestion_loss`, `random_loss`, `ecn_marks`, `queueing_delay_…`, `queue_…`, `utilisation`, "
        "`drops_in_a_row`, `start_…`, `rate_answer_s`",
        "a packet that is still queued at the end has no row; a transmission counts where it begins",
        "the utilisation counts the part of a transmission in the measured time; the last queue lengths lack the "
        "packets that stay",
        ("sent_packets", "sent_bytes", "drop_packets", "mark_packets", "loss_packets", "waiting_bytes"),
    ),
    Counter(
        "traces `acked_bytes`, `retransmitted_bytes`, `duplicate_bytes`",
        "`acked_bytes`, `retransmitted_bytes`, `spurious_bytes`",
        "missing for QUIC and, in part, for programs as flows",
        "no value for any flow if one flow lacks the trace",
        ("rows",),
    ),
    Counter(
        "trace `timeouts`",
        "`timeouts`",
        "ns-3 has no counter: a timeout is a timer that doubles",
        "a round trip that doubles the timer would count; tests compare it with packets",
        (),
    ),
    Counter(
        "traces `receiver_limited_s`, `send_buffer_limited_s`, `application_limited_s`",
        "shares of time with these names",
        "a row at each change, and at least every 0.1 s while it grows",
        "up to 0.1 s at the edges of the measured time",
        (),
    ),
    Counter(
        "trace `congestion_state`",
        "`cwnd_reductions`, `fast_recoveries`, `congestion_epochs`, shares of time in states, `steady`",
        "ns-3 leaves a recovery for no time when the next one begins",
        "both count as one recovery, as in Linux",
        (),
    ),
    Counter(
        "captures",
        "none; they only check other counters",
        "headers cut short by `snaplen`; sequence numbers wrap every 4 GiB",
        "no check of flows of 4 GiB or more, or without whole headers",
        ("captured_packets", "captured_bytes", "captured_sink_bytes"),
    ),
)
