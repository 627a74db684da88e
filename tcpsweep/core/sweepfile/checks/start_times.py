# SPDX-License-Identifier: MIT
"""The latest time at which flows may start, and when they begin to count, from a combination's parameters."""

import math
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from tcpsweep.core.sweep import assignment, base_network, network_graph
from tcpsweep.core.sweep.base_network import of_flow
from tcpsweep.core.sweep.matching import Settings
from tcpsweep.core.sweepfile.keys import schema
from tcpsweep.core.sweepfile.network import network_views
from tcpsweep.core.words import quantities
from tcpsweep.core.words.thresholds import WARMUP_SHARE

_MOST_WARMUP = 1 / 4  # of the duration, as a default
_LEAST_JITTER_S, _JITTER_RTTS = 1.0, 20


def default_warmup(row: Settings) -> str:
    """A combination's default warm-up: the schema's default, but at most a quarter of the duration."""
    most_s = _seconds(row["duration"]) * _MOST_WARMUP
    return str(row["warmup"]) if _warmup_s(row) <= most_s else _text(most_s)


def jitter(scenario: str, row: Settings) -> str:
    """The ``start_jitter`` passed to a scenario: for ``auto``, the default or the warm-up's bound, if that is less.

    A flow delayed by at most this bound has finished its own warm-up when the warm-up ends. A warm-up of 0 s sets no
    bound, because the beginnings of flows are to count. Nor does ``auto``, which is not known yet.
    """
    asked, bound_s = str(row["start_jitter"]), WARMUP_SHARE * _warmup_s(row)
    if asked != "auto" or not bound_s or _auto_jitter_s(scenario, row) <= bound_s:
        return asked
    return _text(bound_s)


def _auto_jitter_s(scenario: str, row: Settings) -> float:
    longest_s = max(base_network.round_trips_s(row, schema.topology(scenario)), default=0.0)
    return round(max(_LEAST_JITTER_S, _JITTER_RTTS * longest_s), 9)


def latest_starts(scenario: str, row: Settings) -> list[float]:
    """The latest start of each flow, in s; reverse flows follow forward flows."""
    drawn = jitter(scenario, row)
    jitter_s = _auto_jitter_s(scenario, row) if drawn == "auto" else _seconds(drawn)
    return [start_s + jitter_s for start_s in base_starts_s(scenario, row)]


def base_starts_s(scenario: str, row: Settings) -> list[float]:
    """Each flow's start before jitter, in s."""
    if schema.is_described(scenario):
        starts, staggers = (network_views.flow_values(row, name) for name in ("start", "start_stagger"))
        groups = network_graph.things(row, "flows")
        places = [i for group in groups for i in range(network_graph.count(row, "flows", group))]
        return [_seconds(a) + place * _seconds(b) for a, b, place in zip(starts, staggers, places, strict=True)]
    stagger_s = _seconds(row["start_stagger"])
    return [_seconds(of_flow(row["start"], flow)) + flow * stagger_s for flow in range(assignment.flow_count(row))]


def problems(scenario: str, row: Settings) -> Iterator[tuple[tuple[str, ...], str]]:
    """Flows that may start too late to count: the parameters at fault, and the message."""
    asked = row["flow_warmup"]
    for flow, (latest_s, end_s) in enumerate(zip(latest_starts(scenario, row), _ends(row), strict=True)):
        if latest_s > end_s:
            yield (
                ("start_jitter", "start_stagger", "start"),
                f"flow {flow} may start as late as {latest_s:g} s (start_jitter {jitter(scenario, row)}), but stops or "
                f"ends with the simulation at {end_s:g} s; shorten start_jitter by {latest_s - end_s:g} s or more",
            )
            return
        if asked != "auto" and _warmup_s(row) < end_s <= latest_s + _seconds(asked):
            most = _text((end_s - latest_s) * WARMUP_SHARE)
            yield (
                ("flow_warmup",),
                f"flow {flow} starts as late as {latest_s:g} s and stops at {end_s:g} s, so none of its data "
                f"count after a flow_warmup of {asked}; with {most}, half of its time counts",
            )
            return


def warnings(scenario: str, row: Settings) -> Iterator[str]:
    """Flows that start so late that they count later than the whole network's metrics."""
    warmup_s, asked = _warmup_s(row), row["flow_warmup"]
    own_s = WARMUP_SHARE * warmup_s if asked == "auto" else _seconds(asked)
    latest = latest_starts(scenario, row)
    ends = _ends(row)
    limits = network_views.flow_values(row, "bytes")
    # The beginning of flows with limited bytes counts by default.
    warm = [flow for flow in range(len(latest)) if ends[flow] > warmup_s and (asked != "auto" or not limits[flow])]
    last = max(warm, key=latest.__getitem__, default=None)
    if last is None or warmup_s <= 0 or latest[last] + own_s <= warmup_s + 1e-9:
        return
    if asked == "auto":
        own_s = min(own_s, WARMUP_SHARE * (ends[last] - latest[last]))
    needed = f"{math.ceil(latest[last] + own_s - 1e-9)}s"
    after = f"after a further {own_s:g} s (flow_warmup)" if own_s else "from then on (flow_warmup)"
    yield (
        f"flow {last} may start as late as {latest[last]:g} s and counts {after}. Metrics of the whole network, "
        f"such as utilisation, count from {row['warmup']} on and include its slow start; with `warmup: {needed}`, all "
        "count from the same time"
    )


def _warmup_s(row: Settings) -> float:
    """The end of the warm-up; 0 if it is not known yet."""
    return 0.0 if row["warmup"] == "auto" else _seconds(row["warmup"])


def _ends(row: Settings) -> list[float]:
    """When each flow stops, or the simulation ends."""
    stops = (_seconds(stop) for stop in network_views.flow_values(row, "stop"))
    return [min(stop or math.inf, _seconds(row["duration"])) for stop in stops]


def _seconds(value: Any) -> float:
    return float(quantities.si(value, "time"))


def _text(seconds: float) -> str:
    """A time as in a sweep file, in whole milliseconds."""
    return quantities.scaled(Decimal(round(seconds * 1000)) / 1000, "s")
