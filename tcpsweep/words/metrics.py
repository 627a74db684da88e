# SPDX-License-Identifier: MIT
"""The metrics: each one's formula, in the words that the report shows; `measure` computes them.

A metric covers the time from the warm-up's end to the simulation's end, or the part of it in which a flow is alive and
its own warm-up is over, unless its formula says otherwise. The 95th percentile is the smallest value that at least 95 %
of all values do not exceed; the others follow suit.

Where a network has several links, the bottleneck is the link that `binds`. The metrics of the network that are about a
queue, and loss and marks, are also there for each link and direction: in `measures`, and over runs in the sweep's table
`links`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tcpsweep.words.thresholds import FAIR, FASTEST_S, LEAST_EPOCHS, LEAST_WINDOW_S, LEVEL, TREND_PARTS, WINDOW_RTTS


@dataclass(frozen=True)
class Metric:
    """A metric in the report's words.

    ``scope`` is "flow" where each flow has its own value and a variant's is the mean of its flows, "variant" where only
    all flows of a variant together have one, "network" where there is one value for all flows together, "link" where
    only links have one. ``better`` is
    "higher" or "lower", or empty if neither is. Tables for people use ``scale`` and ``shown_unit``, and begin with the
    metrics that are a ``headline``. ``interval`` is the kind of interval for the mean over runs: Student's "t", or
    "bootstrap" if values are bounded or skewed. ``needs_steady`` is false if the value does not depend on where the
    simulation was cut. ``averaged`` is false if flows lack a value just because it is large, so that the mean of the
    others would be too small; ``censored`` is true if runs do, so that runs have a mean only if all have a value.
    Variants are compared by the metric if it is ``compared``. ``smallest`` is the smallest effect worth naming, in the
    metric's unit, for metrics that may be 0, of which a share says nothing; None if it is a share of the reference.
    """

    title: str
    unit: str
    scope: str
    formula: str
    source: str
    scale: float = 1.0
    shown_unit: str = ""
    better: str = ""
    headline: bool = False
    interval: str = "t"
    needs_steady: bool = True
    compared: bool = True
    averaged: bool = True
    censored: bool = False
    smallest: float | None = None

    @property
    def by_variant(self) -> bool:
        """Whether each variant has a value of its own."""
        return self.scope in ("flow", "variant")


_MBPS: dict[str, Any] = {"scale": 1e-6, "shown_unit": "Mbit/s"}
_MB: dict[str, Any] = {"scale": 1e-6, "shown_unit": "MB", "compared": False}
_MS: dict[str, Any] = {"scale": 1e3, "shown_unit": "ms"}
_S: dict[str, Any] = {"shown_unit": "s"}
INTERVALS = {"t": "Student's t", "bootstrap": "bootstrap"}
_BOUNDED: dict[str, Any] = {"interval": "bootstrap"}
_PERCENT: dict[str, Any] = {"scale": 100, "shown_unit": "%"} | _BOUNDED
_OF_PACKETS: dict[str, Any] = _PERCENT | {"smallest": 1e-4}  # one packet in ten thousand
_OF_WHOLE: dict[str, Any] = _PERCENT | {"smallest": 0.02}


def _spread(
    name: str,
    unit: str,
    title: str,
    scope: str,
    what: str,
    source: str,
    first: dict[str, Any] | None = None,
    **shown: Any,
) -> dict[str, Metric]:
    """A mean and percentiles of the same values; ``first`` are options for the mean alone."""
    mean = Metric(f"Mean {title}", unit, scope, f"mean over {what}", source, **shown | (first or {}))
    return {f"{name}_mean_{_suffix(unit)}": mean} | {
        f"{name}_p{rank}_{_suffix(unit)}": Metric(
            f"{title[0].upper()}{title[1:]}, {rank}th percentile",
            unit,
            scope,
            f"{rank}th percentile over {what}",
            source,
            **shown,
        )
        for rank in (50, 95, 99)
    }


def _suffix(unit: str) -> str:
    return {"s": "s", "packets": "packets"}[unit]


def _of_all_packets(suffix: str, what: str) -> dict[str, Metric]:
    """FlowMonitor's totals for the whole network, over the whole simulation."""
    title, whole = " with ACKs" if suffix else "", "over the whole simulation"
    common: dict[str, Any] = {"needs_steady": False, "compared": not suffix}
    return {
        f"network_throughput_bps{suffix}": Metric(
            f"Network throughput{title}",
            "bit/s",
            "network",
            f"IP bytes of {what} that were received × 8 / time, {whole}",
            "RFC 5166, section 2.1.1",
            **_MBPS,
            better="higher",
            **common,
        ),
        f"network_delay_s{suffix}": Metric(
            f"Mean end-to-end delay{title}",
            "s",
            "network",
            f"sum of the one-way delays of {what} that were received / their number, {whole}",
            "RFC 7679",
            **_MS,
            better="lower",
            **common,
        ),
        f"network_delivery_ratio{suffix}": Metric(
            f"Network delivery ratio{title}",
            "1",
            "network",
            f"{what}: received / sent, {whole}",
            "RFC 5166, section 2.1.3",
            **_PERCENT,
            better="higher",
            **common,
        ),
        f"network_drop_ratio{suffix}": Metric(
            f"Network drop ratio{title}",
            "1",
            "network",
            f"{what}: dropped on a host, or unseen for FlowMonitor's MaxPerHopDelay, 10 s unless set, / sent, {whole}",
            "RFC 5166, section 2.1.3",
            **_OF_PACKETS,
            better="lower",
            **common,
        ),
        f"flows_seen{suffix}": Metric(
            f"Flows seen{title}",
            "1",
            "network",
            f"FlowMonitor's flows that sent anything, each direction by itself, counting {what}, {whole}",
            "ns-3's FlowMonitor",
            **_BOUNDED,
            needs_steady=False,
            compared=False,
        ),
    }


_BYTES = {
    "sent_payload_bytes": ("Sent payload", "payload that the sender sent, repeats included"),
    "sent_ip_bytes": ("Sent IP bytes", "IP bytes, headers and repeats included, that left the sender"),
    "sent_wire_bytes": ("Sent wire bytes", "as the sent IP bytes, with the bottleneck link's header for each packet"),
    "received_payload_bytes": ("Received payload", "payload that the receiving application read"),
    "received_ip_bytes": ("Received IP bytes", "IP bytes, headers and repeats included, that reached the receiver"),
    "received_wire_bytes": ("Received wire bytes", "as the received IP bytes, with that header for each packet"),
}
METRICS = {
    "goodput_bps": Metric(
        "Goodput per flow",
        "bit/s",
        "flow",
        "payload that the receiving application read × 8 / time",
        "RFC 5166, section 2.1.1",
        **_MBPS,
        better="higher",
        headline=True,
    ),
    "throughput_bps": Metric(
        "IP throughput per flow",
        "bit/s",
        "flow",
        "IP bytes, headers and repeats included, that reached the receiver × 8 / time",
        "RFC 5166, section 2.1.1",
        **_MBPS,
        better="higher",
    ),
    "wire_throughput_bps": Metric(
        "Wire throughput per flow",
        "bit/s",
        "flow",
        "as the IP throughput, with the bottleneck link's header for each packet",
        "RFC 5166, section 2.1.1",
        **_MBPS,
    ),
    "max_throughput_bps": Metric(
        "Largest IP throughput per flow",
        "bit/s",
        "flow",
        f"the largest IP throughput in consecutive intervals of {FASTEST_S:g} s from the time's beginning on",
        "design: the maximum of a throughput over time, which depends on the interval",
        **_MBPS,
    ),
    "sent_payload_bps": Metric(
        "Sent payload per flow",
        "bit/s",
        "flow",
        "payload that the sender sent, repeats included, × 8 / time; counted every 0.1 s",
        "RFC 5166, section 2.1.1, at the sender",
        **_MBPS,
        compared=False,
    ),
    "sent_throughput_bps": Metric(
        "Sent IP throughput per flow",
        "bit/s",
        "flow",
        "IP bytes, headers and repeats included, that left the sender × 8 / time; counted every 0.1 s",
        "RFC 5166, section 2.1.1, at the sender",
        **_MBPS,
        compared=False,
    ),
    "sent_wire_throughput_bps": Metric(
        "Sent wire throughput per flow",
        "bit/s",
        "flow",
        "as the sent IP throughput, with the bottleneck link's header for each packet",
        "RFC 5166, section 2.1.1, at the sender",
        **_MBPS,
        compared=False,
    ),
    "unreceived_share": Metric(
        "Sent and not received",
        "1",
        "flow",
        "(IP bytes sent − IP bytes received) / IP bytes sent, all in the time: what was dropped or lost, plus what "
        "was in flight at the end, less what was at the beginning; no loss rate, as these prevail if little is lost",
        "design: studies that add up captures call it lost",
        **_PERCENT,
        compared=False,
    ),
    **{
        name: Metric(title, "B", "flow", formula, "RFC 5166, section 2.1.1", **_MB)
        for name, (title, formula) in _BYTES.items()
    },
    "acked_bytes": Metric(
        "Acknowledged payload",
        "B",
        "flow",
        "payload that the sender saw acknowledged, cumulatively",
        "RFC 4898, tcpEStatsAppHCThruOctetsAcked",
        **_MB,
        better="higher",
    ),
    "utilisation": Metric(
        "Link utilisation",
        "1",
        "network",
        "bytes that the bottleneck sent towards the receivers, link headers, CBR flows and the ACKs of reverse flows "
        "included, × 8 / (its mean rate × time)",
        "RFC 5166, section 2.1.1",
        better="higher",
        headline=True,
        **_BOUNDED,
    ),
    "utilisation_flows": Metric(
        "Link utilisation by the forward flows",
        "1",
        "network",
        "if there are CBR or reverse flows: the forward flows' part of the utilisation",
        "RFC 5166, section 2.1.1",
        better="higher",
        **_BOUNDED,
    ),
    "utilisation_other": Metric(
        "Link utilisation by other traffic",
        "1",
        "network",
        "if there are CBR or reverse flows: the part of CBR flows and of the ACKs of reverse flows",
        "RFC 5166, section 2.1.1",
        **_BOUNDED,
        smallest=0.02,
    ),
    "jain": Metric(
        "Jain's fairness index",
        "1",
        "network",
        "(Σ xᵢ)² / (n Σ xᵢ²) over the goodputs xᵢ of the n forward flows while all of them are there; 1 if all are "
        "equal, 1/n if one has all; none if that time is shorter than a window of `jain_windows`",
        "Jain, Chiu and Hawe 1984",
        better="higher",
        headline=True,
        **_BOUNDED,
    ),
    "jain_windows": Metric(
        "Jain's index over windows",
        "1",
        "network",
        "mean over windows: Jain's index of the payload that arrived for the flows present throughout the window; "
        f"a window is {WINDOW_RTTS} times the longest base round trip, at least {LEAST_WINDOW_S:g} s",
        "Jain, Chiu and Hawe 1984; RFC 5166, section 2.3",
        better="higher",
        **_BOUNDED,
    ),
    "convergence_s": Metric(
        "Convergence time",
        "s",
        "network",
        f"from the last flow's start until Jain's index over windows stays at {FAIR} or above; none if it never does",
        "RFC 5166, section 2.3",
        better="lower",
        **_BOUNDED,
        needs_steady=False,
        censored=True,
        **_S,
    ),
    "share": Metric(
        "Share of a mix's goodput",
        "1",
        "flow",
        "in a mix: xᵢ · n / Σ x over the goodputs x of the n forward flows, in the time of Jain's index; a variant's "
        "mean is its part of all goodput / its part of the flows; 1 is an equal share",
        "Jain, Chiu and Hawe 1984: fraction of the fair share",
        **_BOUNDED,
    ),
    "rtt_ratio": Metric(
        "Goodput of short round trips against long",
        "1",
        "network",
        "if base round trips differ: mean goodput of the forward flows with the shortest / mean goodput of those with "
        "the longest, in the time of Jain's index; 1 if delay does not matter",
        "Lakshman and Madhow 1997",
        **_BOUNDED,
    ),
    "rtt_exponent": Metric(
        "RTT unfairness",
        "1",
        "network",
        "the exponent a if goodput falls as RTT⁻ᵃ: ln(goodput at the shortest / at the longest base round trip) / "
        "ln(longest / shortest base round trip); 0 if delay does not matter",
        "Lakshman and Madhow 1997",
        **_BOUNDED,
        smallest=0.02,
    ),
    "congestion_loss": Metric(
        "Congestion loss",
        "1",
        "flow",
        "packets that the bottleneck's disc or device queue dropped / packets that came to it; over several links, "
        "those that any of them dropped / those that came to the first; of a link, all packets",
        "RFC 5166, section 2.1.3",
        **_OF_PACKETS,
        better="lower",
        headline=True,
    ),
    "random_loss": Metric(
        "Random loss",
        "1",
        "flow",
        "packets lost on the bottleneck link / packets that it carried; over several links, those lost on any of them "
        "/ those that the first carried; of a link, all packets",
        "RFC 5166, section 2.1.3",
        **_OF_PACKETS,
        headline=True,
    ),
    "lost_packets": Metric(
        "Lost packets",
        "packets",
        "flow",
        "packets that the bottleneck's disc or device queue dropped, and those lost on its link; over several links, "
        "the sum",
        "RFC 5166, section 2.1.3",
        shown_unit="packets",
        better="lower",
        **_BOUNDED,
        compared=False,
    ),
    "delivery_ratio": Metric(
        "Delivery ratio",
        "1",
        "flow",
        "FlowMonitor's data packets received / sent, from IP layer to IP layer, over the whole simulation",
        "RFC 5166, section 2.1.3",
        **_PERCENT,
        better="higher",
        needs_steady=False,
        compared=False,
    ),
    "drop_ratio": Metric(
        "Drop ratio",
        "1",
        "flow",
        "FlowMonitor's data packets dropped on a host, or unseen for its MaxPerHopDelay, 10 s unless set, / sent, over "
        "the whole simulation; packets lost within that time of its end do not count",
        "RFC 5166, section 2.1.3",
        **_PERCENT,
        better="lower",
        needs_steady=False,
        compared=False,
    ),
    **_of_all_packets("", "all flows' data packets"),
    **_of_all_packets("_with_acks", "all flows' packets, their ACKs included"),
    "flows_with_data": Metric(
        "Flows that carried data",
        "1",
        "network",
        "flows whose receiving application read any payload, over the whole simulation",
        "design: flows of stations out of reach carry none",
        better="higher",
        **_BOUNDED,
        needs_steady=False,
        compared=False,
    ),
    "ecn_marks": Metric(
        "ECN marks",
        "1",
        "flow",
        "packets that the bottleneck's disc marked / packets that came to it; over several links, the marks of all / "
        "the packets that came to the first; of a link, all packets",
        "RFC 3168",
        **_OF_PACKETS,
    ),
    **_spread(
        "owd",
        "s",
        "one-way delay",
        "flow",
        "the packets that arrived: time from the sender's IP layer to the receiver's",
        "RFC 7679",
        {"headline": True},
        better="lower",
        **_MS,
    ),
    **_spread(
        "rtt",
        "s",
        "round-trip time",
        "flow",
        "time: the round trip that the sender measured last, in whole milliseconds with the timestamp option; none "
        "before ns-3 3.43",
        "RFC 7323, section 4; RFC 5166, section 2.1.2",
        better="lower",
        **_MS,
    ),
    **_spread(
        "queueing_delay",
        "s",
        "queueing delay",
        "flow",
        "the flow's packets that the bottleneck sent: time from entering its disc to the start of transmission, "
        "in disc and device; over several links, the sum of the links' means, and no percentiles",
        "RFC 5166, section 2.1.2",
        {"headline": True},
        better="lower",
        **_MS,
    ),
    **_spread(
        "network_queueing_delay",
        "s",
        "queueing delay of all packets",
        "network",
        "all packets that the bottleneck sent to the receivers' side, also those of CBR flows and the ACKs of reverse "
        "flows: time from entering its disc to the start of transmission, in disc and device",
        "RFC 5166, section 2.1.2",
        better="lower",
        **_MS,
    ),
    **_spread(
        "queue",
        "packets",
        "queue length",
        "network",
        "time: packets of all kinds in the bottleneck's disc and device queue, without the one in transmission",
        "RFC 5166, section 2.1.2",
        shown_unit="packets",
        better="lower",
    ),
    "queue_arrival_rate_pps": Metric(
        "Packets that came to the queue",
        "1/s",
        "network",
        "λ: packets that the bottleneck's disc or device queue took in / time",
        "Little 1961",
        shown_unit="packets/s",
    ),
    "queue_wait_mean_s": Metric(
        "Mean time in the queue",
        "s",
        "network",
        "W: mean over the packets taken in: time from entering the disc to the start of transmission, or to a drop",
        "Little 1961",
        **_MS,
    ),
    "queue_little_packets": Metric(
        "Queue length by Little's law",
        "packets",
        "network",
        "λ W, which equals the mean queue length but for packets that are queued when the time begins or ends",
        "Little 1961",
        shown_unit="packets",
    ),
    "binds": Metric(
        "Binding",
        "1",
        "link",
        "1 for the link with the highest utilisation of those that forward flows' data cross, else 0",
        "RFC 5166, section 2.1.1",
        **_PERCENT,
        compared=False,
        averaged=False,
    ),
    "cwnd_reductions": Metric(
        "Window reductions",
        "1",
        "flow",
        "how often the sender entered the state CWR, recovery or loss",
        "RFC 5681; ns-3's TcpCongState_t",
        **_BOUNDED,
    ),
    "fast_recoveries": Metric(
        "Fast recoveries",
        "1",
        "flow",
        "how often the sender entered the state recovery",
        "RFC 6582",
        **_BOUNDED,
    ),
    "timeouts": Metric(
        "Timeouts",
        "1",
        "flow",
        "how often the sender's retransmission timer expired and was doubled",
        "RFC 6298, section 5",
        better="lower",
        **_BOUNDED,
    ),
    "retransmitted_bytes": Metric(
        "Retransmitted payload",
        "B",
        "flow",
        "payload that the sender sent although it had sent it before",
        "RFC 4898, tcpEStatsPerfOctetsRetrans",
        scale=1e-3,
        shown_unit="kB",
        better="lower",
        **_BOUNDED,
    ),
    "spurious_bytes": Metric(
        "Spuriously retransmitted payload",
        "B",
        "flow",
        "payload that reached the receiver although it held it already",
        "RFC 4898, tcpEStatsStackDSACKDups, in bytes and seen at the receiver",
        scale=1e-3,
        shown_unit="kB",
        better="lower",
        **_BOUNDED,
    ),
    "receiver_limited_share": Metric(
        "Time limited by the receiver's window",
        "1",
        "flow",
        "time in which the congestion window had room for a segment and the receiver's window had none / time",
        "RFC 4898, tcpEStatsPerfSndLimTimeRwin",
        **_OF_WHOLE,
    ),
    "application_limited_share": Metric(
        "Time limited by the application",
        "1",
        "flow",
        "time in which both windows had room for a segment and the sender had nothing new to send / time",
        "RFC 4898, tcpEStatsPerfSndLimTimeSnd",
        **_OF_WHOLE,
    ),
    "congestion_epochs": Metric(
        "Congestion epochs",
        "1",
        "flow",
        "how often the sender went from the state open or disorder to CWR, recovery or loss",
        "RFC 5681",
        **_BOUNDED,
    ),
    "steady": Metric(
        "Steady flows",
        "1",
        "flow",
        f"1 if at least {LEAST_EPOCHS} congestion epochs lie after the warm-up, or if none does and the goodput in "
        f"each of {LEAST_EPOCHS} equal parts of the time is within {LEVEL:.0%} of its mean; else 0",
        "design: the mean of other flows depends on where the simulation was cut",
        **_BOUNDED,
        compared=False,
    ),
    "goodput_trend": Metric(
        "Trend of the goodput",
        "1",
        "flow",
        f"slope of the least-squares line through the goodput in each of {TREND_PARTS} equal parts of the time, times "
        "the time / mean goodput; around 0 if a flow is steady, and tested over runs",
        "Law 2015, section 9.5.1",
        **_PERCENT,
        needs_steady=False,
        compared=False,
    ),
    "warmup_s": Metric(
        "Warm-up that was found",
        "s",
        "network",
        "with `warmup: auto`: the latest of the forward flows' truncations by MSER-5, of the payload that arrived in "
        "each interval as long as the longest base round trip",
        "White 1997; White, Cobb and Spratt 2000",
        **_BOUNDED,
        needs_steady=False,
        compared=False,
        **_S,
    ),
    **{
        f"{state}_share": Metric(
            f"Time in state {state}",
            "1",
            "flow",
            f"time that the sender was in ns-3's congestion state {state} / time",
            "ns-3's TcpCongState_t",
            **_OF_WHOLE,
        )
        for state in ("open", "disorder", "CWR", "recovery", "loss")
    },
    "finished_share": Metric(
        "Flows that ended",
        "1",
        "flow",
        "1 if a flow of limited length ended, else 0; over the whole simulation",
        "design: the times of those that ended do not tell it",
        **_OF_WHOLE,
        better="higher",
        needs_steady=False,
    ),
    "completion_s": Metric(
        "Flow completion time of one flow",
        "s",
        "flow",
        "time from a limited flow's start until its last byte was read, over the whole simulation; none if it did not "
        "end, so this stands in `flows` alone, and the metrics below give means and percentiles",
        "RFC 5166, section 2.1.1",
        better="lower",
        **_BOUNDED,
        needs_steady=False,
        compared=False,
        averaged=False,
        **_S,
    ),
    "completion_mean_s": Metric(
        "Mean flow completion time, restricted",
        "s",
        "variant",
        "mean over the variant's limited flows: time from start to end, or `completion_horizon_s` if a flow lasts "
        "longer; the area under the Kaplan–Meier curve up to that horizon",
        "Royston and Parmar 2013",
        better="lower",
        **_BOUNDED,
        needs_steady=False,
        **_S,
    ),
    **{
        f"completion_p{rank}_s": Metric(
            f"Flow completion time, {rank}th percentile",
            "s",
            "variant",
            f"time by which {rank} % of the variant's limited flows have ended, by the Kaplan–Meier curve; none if the "
            "curve does not come so far",
            "Kaplan and Meier 1958",
            better="lower",
            **_BOUNDED,
            needs_steady=False,
            censored=True,
            **_S,
        )
        for rank in (50, 95, 99)
    },
    "completion_horizon_s": Metric(
        "Horizon of the restricted mean",
        "s",
        "network",
        "shortest time from a limited forward flow's start until it leaves or the simulation ends",
        "Royston and Parmar 2013",
        **_BOUNDED,
        needs_steady=False,
        compared=False,
        **_S,
    ),
}


def headline(names: Iterable[str], chosen: Iterable[str] | None = None) -> dict[str, Metric]:
    """The metrics that tables and figures for people begin with, as far as they are among the names.

    ``chosen`` are the names of a scenario that begins with other metrics than most.
    """
    first = chosen or [name for name, metric in METRICS.items() if metric.headline]
    return {name: METRICS[name] for name in first if name in set(names)}


def compared() -> list[str]:
    """The names of the metrics by which variants and sweeps are compared."""
    return [name for name, metric in METRICS.items() if metric.compared]


def averaged() -> list[str]:
    """The names of the metrics that variants or networks have: all but those of single flows alone."""
    return [name for name, metric in METRICS.items() if metric.averaged]
