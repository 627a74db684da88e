# SPDX-License-Identifier: MIT
"""The metrics that users of the network notice: of flows that arrive, rounds, bursts, pages, videos and calls.

Each is about a group of traffic. A transfer counts if it began in the measured time.
"""

from collections.abc import Collection
from typing import Any

from tcpsweep.core.words import size_classes
from tcpsweep.core.words.metric_form import BOUNDED, MBPS, MS, OF_PACKETS, OF_WHOLE, Metric

_CLASS_WORDS = {
    "to_10kB": "up to 10 kB",
    "to_100kB": "above 10 kB, up to 100 kB",
    "to_1MB": "above 100 kB, up to 1 MB",
    "above_1MB": "above 1 MB",
}
# Each kind's first metrics in tables for people; no other kind has the first one.
_FIRST = {
    "arrivals": ("slowdown_mean", "slowdown_p50", "slowdown_p99", "unfinished_share"),
    "incast": ("round_goodput_bps", "round_time_p50_s", "round_time_p99_s", "unfinished_share"),
    "on-off": ("burst_time_p50_s", "burst_time_p99_s", "unfinished_share"),
    "web": ("page_load_time_p50_s", "page_load_time_p95_s", "unfinished_share"),
    "video": ("startup_delay_mean_s", "stalled_share", "mean_bitrate_bps", "stalls"),
    "realtime": ("missed_share", "lost_share", "late_share", "realtime_delay_mean_s"),
}
_OTHER_FIRST = ("transfers", "unfinished_share")
_GROUP: dict[str, Any] = {"averaged": False}
_COUNT: dict[str, Any] = BOUNDED | _GROUP | {"compared": False}
_LOWER: dict[str, Any] = {"better": "lower"} | _GROUP
_ORDINALS = {"p50": "50th", "p95": "95th", "p99": "99th"}
_UNFINISHED = "unfinished transfers are infinite, so the percentile may be infinite"
_SLOWDOWN = "Alizadeh et al. 2013: completion time against the least in an idle network"
_CLASSES = "the sizes of Alizadeh et al. 2010, all above 1 MB together"
_ALONE = "time from start to finish / the shortest time for the same bytes on an empty network, without slow start"


def _metric(title: str, unit: str, formula: str, source: str, **shown: Any) -> Metric:
    return Metric(title, unit, "traffic", formula, source, **shown)


def _slowdowns(suffix: str, flows_in_words: str, source: str) -> dict[str, Metric]:
    """The mean and percentiles of the slowdown of some flows."""
    name_ending, shown = f"_{suffix}" if suffix else "", BOUNDED | _LOWER
    title_ending = f" of flows {flows_in_words}" if flows_in_words else ""
    return {
        f"slowdown_mean{name_ending}": _metric(
            f"Mean slowdown{title_ending}",
            "1",
            f"arrivals{f', flows {flows_in_words}' if flows_in_words else ''}: mean of {_ALONE}; an unfinished flow "
            "counts with its slowdown at the end, at least 1, so the mean is too low if there are many",
            source,
            **shown,
        )
    } | {
        f"slowdown_{rank}{name_ending}": _metric(
            f"Slowdown{title_ending}, {ordinal} percentile",
            "1",
            f"like the mean slowdown{title_ending}, the {ordinal} percentile; {_UNFINISHED}",
            source,
            **shown,
        )
        for rank, ordinal in _ORDINALS.items()
    }


def _class_metrics(name: str) -> dict[str, Metric]:
    flows_in_words = _CLASS_WORDS[name]
    count = _metric(f"Flows {flows_in_words}", "1", f"arrivals: flows {flows_in_words} that began", _CLASSES, **_COUNT)
    return {f"transfers_{name}": count} | _slowdowns(name, flows_in_words, f"{_SLOWDOWN}; {_CLASSES}")


def _time_percentiles(name: str, title: str, formula: str, source: str) -> dict[str, Metric]:
    return {
        f"{name}_{rank}_s": _metric(
            f"{title}, {ordinal} percentile",
            "s",
            f"{formula}, the {ordinal} percentile; {_UNFINISHED}",
            source,
            **MS | BOUNDED | _LOWER,
        )
        for rank, ordinal in _ORDINALS.items()
    }


METRICS = {
    "transfers": _metric(
        "Transfers",
        "1",
        "flows of arrivals, rounds of incast, bursts of on-off traffic, pages, or chunks of videos that began",
        "design: users wait for transfers",
        **_COUNT,
    ),
    "finished_transfers": _metric(
        "Transfers that finished",
        "1",
        "transfers whose last byte was read before the end of the simulation",
        "design: users wait for transfers",
        **_COUNT,
    ),
    "unfinished_share": _metric(
        "Unfinished",
        "1",
        "transfers that did not finish / transfers; some begin just before the end, unless `stop` leaves them time",
        "design: the times of finished transfers do not show it",
        **OF_WHOLE | _LOWER,
    ),
    **_slowdowns("", "", _SLOWDOWN),
    **_time_percentiles(
        "fct", "Flow completion time", "arrivals: time from a flow's arrival until its last byte was read", "RFC 5166"
    ),
    **{name: metric for size_class in size_classes.BYTES for name, metric in _class_metrics(size_class).items()},
    "round_goodput_bps": _metric(
        "Goodput of rounds",
        "bit/s",
        "incast: payload of the rounds that the client read × 8 / time in which any round was running; an unfinished "
        "round runs until the end",
        "Phanishayee et al. 2008",
        **MBPS | {"better": "higher"} | _GROUP,
    ),
    **_time_percentiles(
        "round_time",
        "Round time",
        "incast: time from the request to all senders until the last byte of their answers was read",
        "Phanishayee et al. 2008: block transfer time",
    ),
    **_time_percentiles(
        "burst_time",
        "Burst time",
        "on-off traffic: time from the beginning of a burst until it is over and its last byte was read",
        "design: the time that the burst is on, plus the delay of the network",
    ),
    **_time_percentiles(
        "page_load_time",
        "Page load time",
        "web: time from the request for a page until the last of its objects was read",
        "ITU-T G.1030",
    ),
    "startup_delay_mean_s": _metric(
        "Mean startup delay",
        "s",
        "video: time from the group's start until a player begins to play, mean over players; infinite if a player "
        "never begins; over the whole simulation",
        "Dobrian et al. 2011: join time",
        **MS | BOUNDED | _LOWER,
    ),
    "stalled_share": _metric(
        "Time stalled",
        "1",
        "video: stalled time / time since playing began, mean over players that began; over the whole simulation",
        "Dobrian et al. 2011: buffering ratio",
        **OF_WHOLE | _LOWER,
    ),
    "stalled_s": _metric(
        "Stall time",
        "s",
        "video: stalled time after playing began, mean over players that began; over the whole simulation",
        "Dobrian et al. 2011",
        **{"shown_unit": "s"} | BOUNDED | _LOWER,
    ),
    "stalls": _metric(
        "Stalls",
        "1",
        "video: how often the player's buffer ran empty, mean over players that began; over the whole simulation",
        "Dobrian et al. 2011: buffering events",
        **BOUNDED | _LOWER,
    ),
    "mean_bitrate_bps": _metric(
        "Mean bitrate",
        "bit/s",
        "video: mean bitrate of the chunks that arrived, mean over players that got one; over the whole simulation",
        "Dobrian et al. 2011: average bitrate",
        **MBPS | {"better": "higher"} | BOUNDED | _GROUP,
    ),
    "bitrate_switches": _metric(
        "Bitrate switches",
        "1",
        "video: how often a chunk had another bitrate than the one before, mean over players that got one; over the "
        "whole simulation",
        "Huang et al. 2014: switching rate",
        **BOUNDED | _LOWER,
    ),
    "lost_share": _metric(
        "Packets lost",
        "1",
        "realtime: packets that did not arrive / packets sent; packets sent within `bound` of the end count as "
        "arrived; over the whole simulation",
        "RFC 7680",
        **OF_PACKETS | _LOWER,
    ),
    "late_share": _metric(
        "Packets late",
        "1",
        "realtime: packets whose one-way delay was above `bound` / packets that arrived; over the whole simulation",
        "ITU-T G.114",
        **OF_PACKETS | _LOWER,
    ),
    "missed_share": _metric(
        "Packets lost or late",
        "1",
        "realtime: packets that were lost or late / packets sent; over the whole simulation",
        "ITU-T G.114",
        **OF_PACKETS | _LOWER,
    ),
    "realtime_delay_mean_s": _metric(
        "Mean one-way delay of real-time packets",
        "s",
        "realtime: mean over the packets that arrived: time from the sending application to the receiving one; over "
        "the whole simulation",
        "RFC 7679",
        **MS | _LOWER,
    ),
    "realtime_delay_max_s": _metric(
        "Longest one-way delay of real-time packets",
        "s",
        "realtime: the longest of these times; over the whole simulation",
        "RFC 7679",
        **MS | _LOWER,
    ),
}


def first_metrics(names: Collection[str]) -> list[str]:
    """The first metrics in tables for people, for a group of traffic with these metrics."""
    candidates = next((kind_metrics for kind_metrics in _FIRST.values() if kind_metrics[0] in names), _OTHER_FIRST)
    return [name for name in candidates if name in names]
