# SPDX-License-Identifier: MIT
"""What a sweep cannot show, as it asks for too few runs or too little time; said before it runs, with what to write."""

import math
from collections.abc import Iterator, Sequence

from tcpsweep.plan import congestion_epochs
from tcpsweep.sweep import assignment, axes, network_graph, rotations
from tcpsweep.sweep.matching import Settings
from tcpsweep.sweep.sweep_record import Sweep
from tcpsweep.sweepfile.asked import asked_refinement
from tcpsweep.words import quantities
from tcpsweep.words.thresholds import LEAST_EPOCHS, LEAST_RUNS

MOST_NETWORKS = 500  # combinations of described networks whose epochs are estimated
LEAST_SHARE = 1 / 3  # of the duration, to measure in: less is hardly meant
# Of time to write instead: real flows went through 0.7 to 1 of the estimated epochs, where these were fewer than 25.
MARGIN = 1.5
OVER_ALL = ("video", "realtime")  # kinds of traffic that are measured over the whole run, warm-up included
# Of completion times: below 1 / (1 - 0.95) flows, no value lies above the 95th percentile but the greatest.
LEAST_FLOWS, _RANK_OF = 20, "completion_p95_s"
LEAST_PAGES = 3  # with fewer expected, more than one run in twenty has none
_THINK = "exponential:30s"  # unless the file gives it


def warnings(sweep: Sweep) -> Iterator[str]:
    """What a sweep asks too little for, each kind once."""
    yield from _runs(sweep)
    yield from _rotations(sweep)
    yield from _variants(sweep)
    yield from _flows(sweep)
    yield from _pages(sweep)
    late = [row for row in sweep.own if measured_s(row) < LEAST_SHARE * float(quantities.si(row["duration"], "time"))]
    if late:
        row = min(late, key=measured_s)
        yield (
            f"a warm-up of {row['warmup']}, which is not measured, leaves {measured_s(row):g} s of {row['duration']}"
            f"{_share_text(late, sweep)}: write `duration: {_rounded(4 * _warmup_s(row))}` or a shorter `warmup`"
        )
    yield from _traffic(sweep)
    own = sweep.own
    # Half a millisecond each; of a large sweep of described networks, some tell enough.
    step = -(-len(own) // MOST_NETWORKS) if network_graph.is_described(own[0]) else 1
    looked = range(0, len(own), step)
    short = {number: found for number in looked if (found := _needed_s(sweep.scenario, own[number]))}
    if short:
        rows = [own[number] for number in short]
        part = f" (some of {len(own)} combinations)" if step > 1 else _share_text(rows, sweep)
        worst = max(short, key=lambda number: short[number][0])
        needed_s, variant = short[worst]
        place = axes.axes_in_words({name: axes.value_text(own[worst], name) for name in axes.network_axes(sweep)})
        yield (
            f"flows will not go through {LEAST_EPOCHS} congestion epochs, from one cut of the window to the next, "
            f"after the warm-up{part}; then they count as not steady, and there is no verdict on them. The "
            f"longest epochs are those of {variant}{f', {place}' if place else ''}: "
            f"write `duration: {_rounded(needed_s)}`, or leave these out"
        )


def _variants(sweep: Sweep) -> Iterator[str]:
    """Networks in which there is nothing to refine, as they have not both variants."""
    if sweep.refinement is None:
        return
    counts = asked_refinement.variants_by_network(sweep.refinement, sweep.own, axes.rest_axes(sweep))
    if short := sum(count < 2 for count in counts):
        both = f"{sweep.refinement.variant} and {sweep.refinement.reference}"
        yield f"{short} of {len(counts)} networks have not both {both}: `refine` looks for nothing there"


def _runs(sweep: Sweep) -> Iterator[str]:
    """Too few runs, where variants are compared with each other."""
    runs, variants = len(sweep.runs), {str(row["variant"]) for row in sweep.own}
    if runs < LEAST_RUNS and len(variants) > 1 and not sweep.study:
        yield (
            f"{runs} run{'s' * (runs > 1)} of each combination {'are' if runs > 1 else 'is'} too few for any verdict "
            f"on a difference between variants, which takes {LEAST_RUNS}: write `repetitions: 10`"
        )


def _rotations(sweep: Sweep) -> Iterator[str]:
    """Whole rotations that are too few for verdicts on the variants of a mix."""
    runs = len(sweep.runs)
    if runs < LEAST_RUNS or sweep.study or sweep.precision:
        return
    length = max(rotations.lengths(sweep.own))
    whole = rotations.whole(sweep.runs, length)
    if whole < LEAST_RUNS and whole * length == runs:  # of a remainder, another warning tells
        yield (
            f"variants of a mix change places and are back after {length} runs; a verdict on them takes {LEAST_RUNS} "
            f"such rotations, and {runs} runs have {whole}: "
            f"write `repetitions: {LEAST_RUNS * length}`"
        )


def _flows(sweep: Sweep) -> Iterator[str]:
    """Too few flows for the percentile of completion times that tables and figures begin with."""
    few = [row for row in sweep.own if assignment.forward_count(row) < LEAST_FLOWS]
    if _RANK_OF not in (sweep.headline or ()) or not few:
        return
    counts = {assignment.forward_count(row) for row in few}
    most = max(counts)
    of = f"up to {most}" if len(counts) > 1 else str(most)
    yield (
        f"the 95th percentile of {of} flow{'s' * (most > 1)} a run is the slowest{_share_text(few, sweep)}: "
        f"ask for {LEAST_FLOWS} flows or more, or look at the mean, completion_mean_s"
    )


def _pages(sweep: Sweep) -> Iterator[str]:
    """Web clients that hardly ask for a page in the time that counts."""
    few: dict[str, list[tuple[float, float]]] = {}
    for row in sweep.own:
        for group in network_graph.things(row, "traffic"):
            if network_graph.value(row, "traffic", group, "kind") == "web":
                think_s = _mean_s(str(network_graph.value(row, "traffic", group, "think", _THINK)))
                clients = int(network_graph.value(row, "traffic", group, "hosts", 1))
                stop_s = quantities.si(network_graph.value(row, "traffic", group, "stop", "0s"), "time")
                span_s = min(stop_s or math.inf, quantities.si(row["duration"], "time")) - _warmup_s(row)
                if think_s and 0 < clients * span_s / think_s < LEAST_PAGES:
                    few.setdefault(group, []).append((clients * span_s / think_s, think_s))
    for group, found in few.items():
        pages, think_s = min(found)
        yield (
            f"the clients of traffic.{group} think {think_s:g} s between a page and the next, and ask for about "
            f"{pages:.1g} pages a run after the warm-up, so that there may be none: give a longer "
            "`duration`, more `hosts` or a shorter `think`"
        )


def _mean_s(given: str) -> float:
    """The mean of a time, or of exponential ones."""
    return float(quantities.si(given.rpartition(":")[2], "time"))


def _traffic(sweep: Sweep) -> Iterator[str]:
    """Traffic that begins nothing after the warm-up."""
    early: dict[str, list[Settings]] = {}
    for row in sweep.own:
        for name in network_graph.things(row, "traffic"):
            stop_s = float(quantities.si(network_graph.value(row, "traffic", name, "stop", "0s"), "time"))
            is_timed = network_graph.value(row, "traffic", name, "kind") not in OVER_ALL
            if is_timed and 0 < stop_s <= _warmup_s(row):
                early.setdefault(name, []).append(row)
    for name, rows in early.items():
        stop = network_graph.value(rows[0], "traffic", name, "stop")
        yield (
            f"the traffic {name} begins nothing new from {stop} on, within the warm-up of {rows[0]['warmup']}, so that "
            f"none of its transfers counts{_share_text(rows, sweep)}: write a later `stop` or a shorter `warmup`"
        )


def _share_text(rows: Sequence[Settings], sweep: Sweep) -> str:
    return "" if len(rows) == len(sweep.own) else f" ({len(rows)} of {len(sweep.own)} combinations)"


def measured_s(row: Settings) -> float:
    """The time that counts."""
    return float(quantities.si(row["duration"], "time")) - _warmup_s(row)


def _warmup_s(row: Settings) -> float:
    return 0.0 if row["warmup"] == "auto" else float(quantities.si(row["warmup"], "time"))


def _needed_s(scenario: str, row: Settings) -> tuple[float, str] | None:
    """The duration in which the slowest of a combination's variants is steady, if it is too short, and that variant."""
    found = congestion_epochs.longest(scenario, row)
    if found is None or LEAST_EPOCHS * found[0] <= measured_s(row):
        return None
    return _warmup_s(row) + MARGIN * LEAST_EPOCHS * found[0], found[1]


def _rounded(seconds: float) -> str:
    """A duration to write: whole ten seconds."""
    return f"{math.ceil(seconds / 10) * 10}s"
