# SPDX-License-Identifier: MIT
"""The metrics of what a user of the network waits for: flows that arrive, rounds, bursts, pages, videos and calls.

All of them are those of a group of traffic. A transfer counts if it began in the time that counts.
"""

from collections.abc import Collection
from typing import Any

from tcpsweep.words import size_classes
from tcpsweep.words.metric_form import BOUNDED, MBPS, MS, OF_PACKETS, OF_WHOLE, Metric

_CLASS_WORDS = {
    "to_10kB": "up to 10 kB",
    "to_100kB": "above 10 kB, up to 100 kB",
    "to_1MB": "above 100 kB, up to 1 MB",
    "above_1MB": "above 1 MB",
}
# Each kind's metrics that a table for people begins with; the first is that of no other kind.
_FIRST = {
    "arrivals": ("slowdown_mean", "slowdown_p50", "slowdown_p99", "unfinished_share"),
    "incast": ("round_goodput_bps", "round_time_p50_s", "round_time_p99_s", "unfinished_share"),
    "on-off": ("burst_time_p50_s", "burst_time_p99_s", "unfinished_share"),
    "web": ("page_load_time_p50_s", "page_load_time_p95_s", "unfinished_share"),
    "video": ("startup_delay_mean_s", "stalled_share", "mean_bitrate_bps", "stalls"),
    "realtime": ("missed_share", "lost_share", "late_share", "realtime_delay_mean_s"),
}
_ANY = ("transfers", "unfinished_share")
_GROUP: dict[str, Any] = {"averaged": False}
_COUNT: dict[str, Any] = BOUNDED | _GROUP | {"compared": False}
_LOWER: dict[str, Any] = {"better": "lower"} | _GROUP
_ORDINALS = {"p50": "50th", "p95": "95th", "p99": "99th"}
_UNFINISHED = "unfinished ones are infinite, so that the percentile may be"
_SLOWDOWN = "Alizadeh et al. 2013: completion time against the least in an idle network"
_CLASSES = "the sizes of Alizadeh et al. 2010, those above 1 MB together"
_ALONE = "time from start to finish / the least that the same bytes take on an empty network"


def _metric(title: str, unit: str, formula: str, source: str, **shown: Any) -> Metric:
    return Metric(title, unit, "traffic", formula, source, **shown)


def _slowdowns(suffix: str, which: str, source: str) -> dict[str, Metric]:
    """The mean and percentiles of some flows' slowdown."""
    end, shown = f"_{suffix}" if suffix else "", BOUNDED | _LOWER
    words = f" of flows {which}" if which else ""
    return {
        f"slowdown_mean{end}": _metric(
            f"Mean slowdown{words}",
            "1",
            f"arrivals{f', flows {which}' if which else ''}: mean of {_ALONE}; an unfinished one has what it has by "
            "the end, at least 1, so that the mean is too low if there are many",
            source,
            **shown,
        )
    } | {
        f"slowdown_{rank}{end}": _metric(
            f"Slowdown{words}, {ordinal} percentile",
            "1",
            f"as the mean slowdown{words}, the {ordinal} percentile; {_UNFINISHED}",
            source,
            **shown,
        )
        for rank, ordinal in _ORDINALS.items()
    }


def _of_class(name: str) -> dict[str, Metric]:
    which = _CLASS_WORDS[name]
    count = _metric(f"Flows {which}", "1", f"arrivals: flows of a size {which}, that began", _CLASSES, **_COUNT)
    return {f"transfers_{name}": count} | _slowdowns(name, which, f"{_SLOWDOWN}; {_CLASSES}")


def _times(name: str, title: str, formula: str, source: str) -> dict[str, Metric]:
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
        "design: what a user waits for",
        **_COUNT,
    ),
    "finished_transfers": _metric(
        "Transfers that finished",
        "1",
        "those of which the last byte was read before the simulation's end",
        "design: what a user waits for",
        **_COUNT,
    ),
    "unfinished_share": _metric(
        "Unfinished",
        "1",
        "transfers that did not finish / transfers; some began just before the end, unless `stop` leaves them time",
        "design: the times of those that finished do not tell it",
        **OF_WHOLE | _LOWER,
    ),
    **_slowdowns("", "", _SLOWDOWN),
    **_times(
        "fct", "Flow completion time", "arrivals: time from a flow's arrival until its last byte was read", "RFC 5166"
    ),
    **{name: metric for each in size_classes.BYTES for name, metric in _of_class(each).items()},
    "round_goodput_bps": _metric(
        "Goodput of rounds",
        "bit/s",
        "incast: payload that the client read of the rounds × 8 / time in which any of them was under way; an "
        "unfinished one is until the end",
        "Phanishayee et al. 2008",
        **MBPS | {"better": "higher"} | _GROUP,
    ),
    **_times(
        "round_time",
        "Round time",
        "incast: time from a request to all senders until the last byte of their answers was read",
        "Phanishayee et al. 2008: block transfer time",
    ),
    **_times(
        "burst_time",
        "Burst time",
        "on-off traffic: time from a burst's beginning until it is over and its last byte was read",
        "design: the time that it is on, and how far the network is behind then",
    ),
    **_times(
        "page_load_time",
        "Page load time",
        "web: time from the request for a page until the last of its objects was read",
        "ITU-T G.1030",
    ),
    "startup_delay_mean_s": _metric(
        "Mean startup delay",
        "s",
        "video: time from the group's start until a player begins to play, mean over players; infinite if one never "
        "does; over the whole simulation",
        "Dobrian et al. 2011: join time",
        **MS | BOUNDED | _LOWER,
    ),
    "stalled_share": _metric(
        "Time stalled",
        "1",
        "video: time without anything to play / time since playing began, mean over players that began; over the whole "
        "simulation",
        "Dobrian et al. 2011: buffering ratio",
        **OF_WHOLE | _LOWER,
    ),
    "stalled_s": _metric(
        "Stall time",
        "s",
        "video: time without anything to play after playing began, mean over players that began; over the whole "
        "simulation",
        "Dobrian et al. 2011",
        **{"shown_unit": "s"} | BOUNDED | _LOWER,
    ),
    "stalls": _metric(
        "Stalls",
        "1",
        "video: how often a player ran out of what to play, mean over players that began; over the whole simulation",
        "Dobrian et al. 2011: buffering events",
        **BOUNDED | _LOWER,
    ),
    "mean_bitrate_bps": _metric(
        "Mean bitrate",
        "bit/s",
        "video: mean bitrate of the chunks that came, mean over players that got one; over the whole simulation",
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
        "realtime: packets that did not come / packets sent; those sent within `bound` of the end are taken to come; "
        "over the whole simulation",
        "RFC 7680",
        **OF_PACKETS | _LOWER,
    ),
    "late_share": _metric(
        "Packets late",
        "1",
        "realtime: packets whose one-way delay was above `bound` / packets that came; over the whole simulation",
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
        "realtime: mean over the packets that came: time from the sending application to the receiving one; over the "
        "whole simulation",
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
    """The metrics that tables for people begin with, of a group of traffic that has these."""
    chosen = next((each for each in _FIRST.values() if each[0] in names), _ANY)
    return [name for name in chosen if name in names]
