# SPDX-License-Identifier: MIT
"""The metrics of senders, and whether they were steady."""

from typing import Any

from tcpsweep.core.words.metric_form import BOUNDED, OF_WHOLE, PERCENT, Metric, S
from tcpsweep.core.words.thresholds import LEAST_EPOCHS, LEVEL, TREND_PARTS


def _bounded(title: str, unit: str, formula: str, source: str, **options: Any) -> Metric:
    return Metric(title, unit, "flow", formula, source, **BOUNDED, **options)


def _share_of_time(title: str, formula: str, source: str) -> Metric:
    return Metric(title, "1", "flow", formula, source, **OF_WHOLE)


METRICS = {
    "cwnd_reductions": _bounded(
        "Window reductions",
        "1",
        "how often the sender entered the state CWR, recovery or loss; a recovery that begins as the last one ends "
        "does not count",
        "RFC 5681; ns-3's TcpCongState_t",
    ),
    "fast_recoveries": _bounded(
        "Fast recoveries",
        "1",
        "how often the sender entered the state recovery; one that begins as the last one ends does not count",
        "RFC 6582",
    ),
    "timeouts": _bounded(
        "Timeouts",
        "1",
        "how often the sender's retransmission timer expired and doubled",
        "RFC 6298, section 5",
        better="lower",
    ),
    "retransmitted_bytes": _bounded(
        "Retransmitted payload",
        "B",
        "payload that the sender retransmitted",
        "RFC 4898, tcpEStatsPerfOctetsRetrans",
        scale=1e-3,
        shown_unit="kB",
        better="lower",
    ),
    "spurious_bytes": _bounded(
        "Spuriously retransmitted payload",
        "B",
        "payload that reached the receiver although it had it already",
        "RFC 4898, tcpEStatsStackDSACKDups, in bytes and seen at the receiver",
        scale=1e-3,
        shown_unit="kB",
        better="lower",
    ),
    "receiver_limited_share": _share_of_time(
        "Time limited by the receiver's window",
        "time in which the congestion window had room for a segment and the receiver's window had none / time",
        "RFC 4898, tcpEStatsPerfSndLimTimeRwin",
    ),
    "application_limited_share": _share_of_time(
        "Time limited by the application",
        "time in which both windows had room for a segment and the application had nothing new to send / time",
        "RFC 4898, tcpEStatsPerfSndLimTimeSnd",
    ),
    "send_buffer_limited_share": _share_of_time(
        "Time limited by the send buffer",
        "time in which both windows had room for a segment, and the send buffer was full of sent data / time",
        "Linux, tcpi_sndbuf_limited",
    ),
    "congestion_epochs": _bounded(
        "Congestion epochs",
        "1",
        "how often the sender went from the state open or disorder to CWR, recovery or loss",
        "RFC 5681",
    ),
    "steady": _bounded(
        "Steady flows",
        "1",
        f"1 if at least {LEAST_EPOCHS} congestion epochs are after the warm-up, or if none is and the goodput in each "
        f"of {LEAST_EPOCHS} equal parts of the time is within {LEVEL:.0%} of its mean; else 0, and 0 if `warmup: auto` "
        "found no end of the warm-up",
        "design: the mean of other flows depends on the end of the simulation",
        compared=False,
    ),
    **{
        f"{of}_{shape}": Metric(
            f"{words} of the {title}",
            "1",
            "flow",
            f"{formula.format(title)}, / mean; around 0 if a flow is in steady state; tested over runs; none if "
            f"{lacks}",
            "Law 2015, section 9.5.1",
            **PERCENT,
            needs_steady=False,
            compared=False,
        )
        for of, title, lacks in (
            ("goodput", "goodput", "nothing arrived"),
            ("owd", "one-way delay", "nothing arrived in a part"),
        )
        for shape, words, formula in (
            (
                *("trend", "Trend"),
                f"slope of the least-squares line through the {{}} in each of {TREND_PARTS} equal parts of the time, "
                "times the time",
            ),
            ("bend", "Bend", "mean {} in the middle three fifths of the time minus its mean in the first and the last"),
        )
    },
    "warmup_s": Metric(
        "Warm-up that was found",
        "s",
        "network",
        "with `warmup: auto`: the latest truncation of the forward flows by MSER-5, from the payload that arrived in "
        "each interval; an interval is the longest base round trip, or 1 ms if links have no delay; none if no end was "
        "found",
        "White 1997; White, Cobb and Spratt 2000",
        **BOUNDED,
        needs_steady=False,
        compared=False,
        **S,
    ),
    **{
        f"{state}_share": _share_of_time(
            f"Time in state {state}",
            f"time that the sender was in ns-3's congestion state {state} / time; a flow begins in state open",
            "ns-3's TcpCongState_t",
        )
        for state in ("open", "disorder", "CWR", "recovery", "loss")
    },
}
