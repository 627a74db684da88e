# SPDX-License-Identifier: MIT
"""The latest time at which flows may start, and when they begin to count, from a combination's parameters."""

import math
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from tcpsweep.core.sweep import network_graph
from tcpsweep.core.sweep.matching import Combination, remembered
from tcpsweep.core.sweepfile.network import network_views
from tcpsweep.core.words import units
from tcpsweep.core.words.thresholds import WARMUP_SHARE

_MOST_WARMUP_SHARE = 1 / 4  # of the duration, as a default
_LEAST_JITTER_S, _JITTER_RTTS = 1.0, 20


def default_warmup(row: Combination) -> str:
    """A combination's default warm-up: the schema's default, but at most a quarter of the duration."""
    most_s = row.duration_s * _MOST_WARMUP_SHARE
    return str(row["warmup"]) if row.warmup_s <= most_s else _time_text(most_s)


def jitter(row: Combination) -> str:
    """The ``start_jitter`` passed to a scenario: for ``auto``, the default or the warm-up's bound, if that is less.

    A flow delayed by at most this bound has finished its own warm-up when the warm-up ends. A warm-up of 0 s sets no
    bound, because the beginnings of flows are to count. Nor does ``auto``, which is not known yet.
    """
    start_jitter, bound_s = str(row["start_jitter"]), WARMUP_SHARE * row.warmup_s
    if start_jitter != "auto" or not bound_s or _auto_jitter_s(row) <= bound_s:
        return start_jitter
    return _time_text(bound_s)


@remembered
def _auto_jitter_s(row: Combination) -> float:
    """The jitter that the simulator derives for ``auto``, in s."""
    longest_s = max(network_views.round_trips_s(row), default=0.0)
    return round(max(_LEAST_JITTER_S, _JITTER_RTTS * longest_s), 9)


def latest_starts(row: Combination) -> list[float]:
    """The latest start of each flow, in s; reverse flows follow forward flows."""
    jitter_text = jitter(row)
    jitter_s = _auto_jitter_s(row) if jitter_text == "auto" else _seconds(jitter_text)
    return [start_s + jitter_s for start_s in base_starts_s(row)]


@remembered
def base_starts_s(row: Combination) -> list[float]:
    """Each flow's start before jitter, in s."""
    starts, staggers = (network_views.flow_values(row, name) for name in ("start", "start_stagger"))
    places = [i for group in network_graph.groups(row) for i in group.members]
    return [_seconds(start) + i * _seconds(stagger) for start, stagger, i in zip(starts, staggers, places, strict=True)]


def problems(row: Combination) -> Iterator[tuple[tuple[str, ...], str]]:
    """Flows that may start too late to count: the parameters at fault, and the message."""
    flow_warmup = row["flow_warmup"]
    for flow, (latest_s, end_s) in enumerate(zip(latest_starts(row), _ends_s(row), strict=True)):
        if latest_s > end_s:
            yield (
                ("start_jitter", "start_stagger", "start"),
                f"flow {flow} may start as late as {latest_s:g} s (start_jitter {jitter(row)}), but stops or "
                f"ends with the simulation at {end_s:g} s; shorten start_jitter by {latest_s - end_s:g} s or more",
            )
            return
        if flow_warmup != "auto" and row.warmup_s < end_s <= latest_s + _seconds(flow_warmup):
            longest_warmup = _time_text((end_s - latest_s) * WARMUP_SHARE)
            yield (
                ("flow_warmup",),
                f"flow {flow} starts as late as {latest_s:g} s and stops at {end_s:g} s, so none of its data "
                f"count after a flow_warmup of {flow_warmup}; with {longest_warmup}, half of its time counts",
            )
            return


def warnings(row: Combination) -> Iterator[str]:
    """Flows that start so late that they count later than the whole network's metrics."""
    warmup_s, flow_warmup = row.warmup_s, row["flow_warmup"]
    own_s = WARMUP_SHARE * warmup_s if flow_warmup == "auto" else _seconds(flow_warmup)
    latest_s = latest_starts(row)
    ends_s = _ends_s(row)
    byte_limits = network_views.flow_values(row, "bytes")
    # The beginning of flows with limited bytes counts by default.
    counting = [
        flow
        for flow in range(len(latest_s))
        if ends_s[flow] > warmup_s and (flow_warmup != "auto" or not byte_limits[flow])
    ]
    last_flow = max(counting, key=latest_s.__getitem__, default=None)
    if last_flow is None or warmup_s <= 0 or latest_s[last_flow] + own_s <= warmup_s + 1e-9:
        return
    if flow_warmup == "auto":
        own_s = min(own_s, WARMUP_SHARE * (ends_s[last_flow] - latest_s[last_flow]))
    needed_warmup = f"{math.ceil(latest_s[last_flow] + own_s - 1e-9)}s"
    after = f"after a further {own_s:g} s (flow_warmup)" if own_s else "from then on (flow_warmup)"
    yield (
        f"flow {last_flow} may start as late as {latest_s[last_flow]:g} s and counts {after}. Metrics of the whole "
        f"network, such as utilisation, count from {row['warmup']} on and include its slow start; with "
        f"`warmup: {needed_warmup}`, all count from the same time"
    )


@remembered
def _ends_s(row: Combination) -> list[float]:
    """When each flow stops, or the simulation ends."""
    stops = (_seconds(stop) for stop in network_views.flow_values(row, "stop"))
    return [min(stop or math.inf, row.duration_s) for stop in stops]


def _seconds(value: Any) -> float:
    return float(units.si(value, "time"))


def _time_text(seconds: float) -> str:
    """A time as in a sweep file, in whole milliseconds."""
    return units.scaled(Decimal(round(seconds * 1000)) / 1000, "s")
