# SPDX-License-Identifier: MIT
"""Metrics of delays and queues."""

from tcpsweep.core.words.metric_form import MS, PERCENT, Metric, spread

METRICS = {
    **spread(
        "owd",
        "s",
        "one-way delay",
        "flow",
        "the packets that arrived: the time from the sender's IP layer to the receiver's",
        "RFC 7679",
        {"headline": True},
        {"headline": True},
        better="lower",
        **MS,
    ),
    **spread(
        "rtt",
        "s",
        "round-trip time",
        "flow",
        "time: the round trip that the sender measured last, in whole milliseconds with the timestamp option; missing "
        "before ns-3 3.43",
        "RFC 7323, section 4; RFC 5166, section 2.1.2",
        better="lower",
        **MS,
    ),
    **spread(
        "queueing_delay",
        "s",
        "queueing delay",
        "flow",
        "the flow's packets that the bottleneck sent: time from entering its disc to the start of transmission, "
        "in disc and device; over several links, the sum of the links' means, and no percentiles",
        "RFC 5166, section 2.1.2",
        {"headline": True},
        better="lower",
        **MS,
    ),
    **spread(
        "network_queueing_delay",
        "s",
        "queueing delay of all packets",
        "network",
        "all packets that the bottleneck sent to the receivers' side, also those of CBR flows and the ACKs of reverse "
        "flows: time from entering its disc to the start of transmission, in disc and device",
        "RFC 5166, section 2.1.2",
        better="lower",
        **MS,
    ),
    **spread(
        "queue",
        "packets",
        "queue length",
        "network",
        "time: packets of all kinds in the bottleneck's disc and device queue, without the one in transmission, and "
        "without packets that are still there when the simulation ends",
        "RFC 5166, section 2.1.2",
        shown_unit="packets",
        better="lower",
    ),
    "queue_arrival_rate_pps": Metric(
        "Packets that arrived at the queue",
        "1/s",
        "network",
        "λ: packets that entered the bottleneck's queue disc or device queue, and left it before the simulation ended, "
        "/ time",
        "Little 1961",
        shown_unit="packets/s",
    ),
    "queue_wait_mean_s": Metric(
        "Mean time in the queue",
        "s",
        "network",
        "W: mean over the packets of λ: time from entering the disc to the start of transmission, or to a drop",
        "Little 1961",
        **MS,
    ),
    "queue_little_packets": Metric(
        "Queue length by Little's law",
        "packets",
        "network",
        "λ W; it equals the mean queue length, except for packets that are queued when the time begins or ends",
        "Little 1961",
        shown_unit="packets",
    ),
    "binds": Metric(
        "Binding",
        "1",
        "link",
        "1 for the link that the network's numbers are about, else 0: `reference_link`, or a link that all forward "
        "flows share, or one that limits most of them if flows share links max-min fairly",
        "RFC 5166, section 2.1.1",
        **PERCENT,
        compared=False,
        averaged=False,
    ),
}
