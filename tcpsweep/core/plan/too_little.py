# SPDX-License-Identifier: MIT
"""Warnings before a sweep runs: too few runs or too little time for results, and the values to write instead."""

import math
from collections.abc import Iterator, Sequence

from tcpsweep.core.contact import features
from tcpsweep.core.plan import congestion_epochs
from tcpsweep.core.sweep import assignment, axes, compared_variants, network_graph, rotations
from tcpsweep.core.sweep.caveats import LEAST_ROUND_TRIPS
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.sweep_record import Sweep, value_text
from tcpsweep.core.sweepfile.network import network_views
from tcpsweep.core.words import thresholds, units
from tcpsweep.core.words.thresholds import LEAST_EPOCHS

MOST_NETWORKS = 500  # combinations of custom topologies whose epochs are estimated
LEAST_SHARE = 1 / 3  # measured share of the duration; less is probably a mistake
# Margin of the suggested time: real flows had 0.7 to 1 times the estimated epochs, if these were fewer than 25.
MARGIN = 1.5
OVER_ALL = ("video", "realtime")  # kinds of traffic measured over the whole run, warm-up included
# With fewer than 1 / (1 - 0.95) flows, the 95th percentile of completion times is the largest value.
LEAST_FLOWS, _RANK_METRIC = 20, "completion_p95_s"
LEAST_PAGES = 3  # if fewer are expected, more than one run in twenty has none
_DEFAULT_THINK = "exponential:30s"  # the default


def warnings(sweep: Sweep) -> Iterator[str]:
    """Warnings about too few runs or too little time, each kind once."""
    yield from _round_trip_warnings(sweep)
    yield from _repetition_warnings(sweep)
    for question in features.questions():
        yield from question.warnings(sweep)
    yield from _flow_warnings(sweep)
    yield from _page_warnings(sweep)
    mostly_warmup = [row for row in sweep.own if measured_s(row) < LEAST_SHARE * row.duration_s]
    if mostly_warmup:
        row = min(mostly_warmup, key=measured_s)
        yield (
            f"a warm-up of {row['warmup']}, which is not measured, leaves {measured_s(row):g} s of "
            f"{row['duration']}{_share_text(mostly_warmup, sweep)}: "
            f"write `duration: {_rounded(4 * row.warmup_s)}` or a shorter `warmup`"
        )
    yield from _traffic_warnings(sweep)
    combinations = sweep.own
    # Each takes half a millisecond; a sample is enough for a large sweep of custom topologies.
    step = -(-len(combinations) // MOST_NETWORKS) if network_graph.has_named_parts(combinations[0]) else 1
    sampled = range(0, len(combinations), step)
    needed_by_number = {number: needed for number in sampled if (needed := _needed_duration(combinations[number]))}
    if needed_by_number:
        rows = [combinations[number] for number in needed_by_number]
        share = f" (some of {len(combinations)} combinations)" if step > 1 else _share_text(rows, sweep)
        worst = max(needed_by_number, key=lambda number: needed_by_number[number][0])
        needed_s, variant = needed_by_number[worst]
        place = axes.axes_in_words({name: value_text(combinations[worst], name) for name in axes.network_axes(sweep)})
        yield (
            f"flows will have fewer than {LEAST_EPOCHS} congestion epochs (from one window reduction to the next) "
            f"after the warm-up{share}: verdicts may say that steady state is not shown. The "
            f"longest epoch is in {variant}{f', {place}' if place else ''}: "
            f"write `duration: {_rounded(needed_s)}`, or exclude these combinations"
        )


def few_round_trips(rows: Sequence[Combination]) -> list[int]:
    """The numbers of the combinations that are measured for fewer than ten of their longest base round trip."""
    return [number for number, row in enumerate(rows) if _measured_trips(row) < LEAST_ROUND_TRIPS]


def _measured_trips(row: Combination) -> float:
    """The measured time in the longest base round trips; infinite without delay."""
    longest_s = max(network_views.round_trips_s(row), default=0.0)
    return measured_s(row) / longest_s if longest_s else math.inf


def _round_trip_warnings(sweep: Sweep) -> Iterator[str]:
    """A measured time of so few round trips that its numbers say little, as of a delay in a wrong unit."""
    rows = [sweep.own[number] for number in few_round_trips(sweep.own)]
    if rows:
        worst = min(rows, key=lambda row: _measured_trips(row))
        longest_s = max(network_views.round_trips_s(worst))
        yield (
            f"a base round trip of {longest_s:g} s leaves {_measured_trips(worst):.2g} round trips after the "
            f"warm-up{_share_text(rows, sweep)}; fewer than {LEAST_ROUND_TRIPS} say little about a congestion control: "
            f"write a shorter `delay`, or `duration: {_rounded(worst.warmup_s + LEAST_ROUND_TRIPS * longest_s)}`"
        )


def _repetition_warnings(sweep: Sweep) -> Iterator[str]:
    """Too few repetitions, or whole rotations, for verdicts on differences between variants."""
    if any(question.sets_repetitions and question.key in sweep.questions for question in features.questions()):
        return
    compared = compared_variants.primary(sweep)
    if not compared:
        return
    length = max(rotations.lengths(sweep.own))
    runs, needed = len(sweep.runs), thresholds.least_pairs(compared)
    if rotations.whole(sweep.runs, length) < needed:
        what = f"whole rotations of {length} repetitions" if length > 1 else "repetitions"
        also = f", and {thresholds.LEAST_ALIKE} to show equivalence" if needed < thresholds.LEAST_ALIKE else ""
        yield (
            f"{compared} comparison{'s' * (compared > 1)} of the headline metrics need{'s' * (compared == 1)} {needed} "
            f"{what} for a verdict{also}; this sweep has {runs} repetition{'s' * (runs > 1)}: "
            f"write `repetitions: {max(needed, thresholds.LEAST_ALIKE) * length}`"
        )


def _flow_warnings(sweep: Sweep) -> Iterator[str]:
    """Too few flows for the percentile of completion times at the top of tables and figures."""
    few = [row for row in sweep.own if assignment.forward_count(row) < LEAST_FLOWS]
    if _RANK_METRIC not in (sweep.headline or ()) or not few:
        return
    counts = {assignment.forward_count(row) for row in few}
    most = max(counts)
    number = f"up to {most}" if len(counts) > 1 else str(most)
    yield (
        f"the 95th percentile of {number} flow{'s' * (most > 1)} per run is the slowest flow{_share_text(few, sweep)}: "
        f"write `flows: {LEAST_FLOWS}` or more, or use the mean, completion_mean_s"
    )


def _page_warnings(sweep: Sweep) -> Iterator[str]:
    """Web clients that request hardly any page after the warm-up."""
    few_requests: dict[str, list[tuple[float, float]]] = {}
    for row in sweep.own:
        for group in network_graph.things(row, "traffic"):
            if network_graph.value(row, "traffic", group, "kind") == "web":
                think_s = _mean_s(str(network_graph.value(row, "traffic", group, "think", _DEFAULT_THINK)))
                clients = int(network_graph.value(row, "traffic", group, "hosts", 1))
                stop_s = units.si(network_graph.value(row, "traffic", group, "stop", "0s"), "time")
                span_s = min(stop_s or math.inf, row.duration_s) - row.warmup_s
                if think_s and 0 < clients * span_s / think_s < LEAST_PAGES:
                    few_requests.setdefault(group, []).append((clients * span_s / think_s, think_s))
    for group, requests in few_requests.items():
        pages, think_s = min(requests)
        yield (
            f"the clients of traffic.{group} think {think_s:g} s between two pages, and request about "
            f"{pages:.1g} pages per run after the warm-up, perhaps none: write a longer "
            "`duration`, more `hosts` or a shorter `think`"
        )


def _mean_s(times: str) -> float:
    """The mean of a time or of exponentially distributed times."""
    return float(units.si(times.rpartition(":")[2], "time"))


def _traffic_warnings(sweep: Sweep) -> Iterator[str]:
    """Traffic without transfers that begin after the warm-up."""
    early_rows: dict[str, list[Combination]] = {}
    for row in sweep.own:
        for name in network_graph.things(row, "traffic"):
            stop_s = float(units.si(network_graph.value(row, "traffic", name, "stop", "0s"), "time"))
            is_timed = network_graph.value(row, "traffic", name, "kind") not in OVER_ALL
            if is_timed and 0 < stop_s <= row.warmup_s:
                early_rows.setdefault(name, []).append(row)
    for name, rows in early_rows.items():
        stop = network_graph.value(rows[0], "traffic", name, "stop")
        yield (
            f"the traffic {name} stops at {stop}, within the warm-up of {rows[0]['warmup']}, so "
            f"none of its transfers counts{_share_text(rows, sweep)}: write a later `stop` or a shorter `warmup`"
        )


def _share_text(rows: Sequence[Combination], sweep: Sweep) -> str:
    return "" if len(rows) == len(sweep.own) else f" ({len(rows)} of {len(sweep.own)} combinations)"


def measured_s(row: Combination) -> float:
    """The measured time, in s."""
    return row.duration_s - row.warmup_s


def _needed_duration(row: Combination) -> tuple[float, str] | None:
    """The duration that a combination's slowest variant needs for steady state, if it is too short, and the variant."""
    longest = congestion_epochs.longest(row)
    if longest is None or LEAST_EPOCHS * longest[0] <= measured_s(row):
        return None
    return row.warmup_s + MARGIN * LEAST_EPOCHS * longest[0], longest[1]


def _rounded(seconds: float) -> str:
    """A duration to suggest, rounded up to ten seconds."""
    return f"{math.ceil(seconds / 10) * 10}s"
