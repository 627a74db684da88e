# SPDX-License-Identifier: MIT
"""Metrics of how numbers vary: oscillation, delay variation, loss events, the start, and answers to changes."""

from tcpsweep.core.words.metric_form import BOUNDED, MS, OF_PACKETS, Metric, S
from tcpsweep.core.words.thresholds import ANSWERED, LEAST_ANSWER_S, LEAST_WINDOWS

METRICS = {
    "goodput_variation": Metric(
        "Oscillation of the goodput",
        "1",
        "flow",
        f"standard deviation / mean of the goodput over windows as in `jain_windows`; none with fewer than "
        f"{LEAST_WINDOWS} windows",
        "RFC 5166, section 2.2.2; Floyd, Handley, Padhye and Widmer 2000: coefficient of variation",
        **BOUNDED,
        better="lower",
        smallest=0.02,
        smallest_share=0.1,
    ),
    "owd_variation_s": Metric(
        "One-way delay variation",
        "s",
        "flow",
        "99th percentile − minimum of the one-way delay, over the packets that arrived",
        "RFC 5481, section 4.2",
        **MS,
        better="lower",
    ),
    "loss_event_rate": Metric(
        "Loss event rate",
        "1",
        "flow",
        "loss events / packets that arrived at the bottleneck, or at the first of several links; losses within a mean "
        "round-trip time (`rtt_mean_s`) of an event's first loss belong to it; none without round trips",
        "RFC 5348, section 5.2",
        **OF_PACKETS,
        better="lower",
    ),
    "drops_in_a_row": Metric(
        "Length of loss bursts",
        "packets",
        "flow",
        "packets that queues dropped / times that a queue dropped one or more of the flow's packets in a row, in the "
        "order of their arrival; none without drops",
        "RFC 3357, section 3: length of a loss period",
        **BOUNDED,
        better="lower",
        smallest_share=0.1,
        smallest=0.1,
    ),
    "worst_share": Metric(
        "Share of the worst-off flow",
        "1",
        "network",
        "the smallest goodput · n / Σ of the goodputs of the n forward flows, in the time of Jain's index; 1 if all "
        "are equal, 0 if a flow gets nothing",
        "RFC 5166, section 2.3: the minimum, as in max-min fairness",
        **BOUNDED,
        better="higher",
        smallest=0.02,
    ),
    "rtt_exponent_measured": Metric(
        "RTT unfairness over measured round trips",
        "1",
        "network",
        "like `rtt_exponent`, with the mean round-trip times that the same flows measured (`rtt_mean_s`), queueing "
        "included",
        "Lakshman and Madhow 1997",
        **BOUNDED,
        smallest=0.02,
    ),
    "start_queue_max_packets": Metric(
        "Longest queue of the start",
        "packets",
        "network",
        "the largest number of packets in the bottleneck's disc and device queue before the end of the warm-up",
        "RFC 5166, section 2.1.2",
        better="lower",
        needs_steady=False,
        smallest_share=0.1,
        smallest=1,
        **BOUNDED,
    ),
    "start_lost_packets": Metric(
        "Lost packets of the start",
        "packets",
        "network",
        "packets that the bottleneck dropped, plus packets lost on its link, before the end of the warm-up",
        "RFC 5166, section 2.1.3",
        better="lower",
        needs_steady=False,
        smallest_share=0.1,
        smallest=1,
        **BOUNDED,
    ),
    "rate_answer_s": Metric(
        "Time to answer a new rate",
        "s",
        "network",
        "if the bottleneck's rate changes once: from the change to the end of the first window in which packets arrive "
        f"at the bottleneck at the new rate, within {ANSWERED:.0%}; a window is ten of the longest base round trips, "
        f"at least {LEAST_ANSWER_S:g} s; none if there is no such window",
        "RFC 5166, section 2.2.1",
        **BOUNDED,
        better="lower",
        needs_steady=False,
        censored=True,
        **S,
    ),
}
