# SPDX-License-Identifier: MIT
"""What a search has seen, network by network, and what it needs next."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import polars as pl

from tcpsweep.analysis import paired_runs, precision, search_steps, summaries
from tcpsweep.analysis.search_steps import Checked, Ends, Step
from tcpsweep.statistics import effect_tests, means
from tcpsweep.sweep import axes, harm_combinations, rotations
from tcpsweep.sweep.rounds import Point
from tcpsweep.sweep.search import LOOKS, Place, Search, key
from tcpsweep.sweep.sweep_record import PlannedSweep
from tcpsweep.words import metrics, quantities

IsSound: TypeAlias = Callable[[Mapping[str, Any], Point], bool]
COLUMNS = {
    "combination": pl.Int64,
    "variant_of_flows": pl.String,
    "network": pl.Int64,
    "role": pl.String,
    "simpler_in": pl.String,
    "cells": pl.Int64,
    "looked": pl.Float64,
    "best": pl.Float64,
    "runs": pl.Int64,
    **dict.fromkeys(("mean", "low", "high", "own_mean", "against_mean"), pl.Float64),
    **dict.fromkeys(("own_low", "own_high", "against_low", "against_high", "bound"), pl.Float64),
    "shows": pl.Boolean,
    "cut": pl.Boolean,
}
_NO_ENDS: Ends | tuple[None, None, None] = (None, None, None)
LOOKED, TRIED, FOUND, TRIAL, SIMPLEST = "looked", "tried", "found", "trial", "simplest"


@dataclass(frozen=True)
class Side:
    """Where in a network the contrast of a search is told.

    Attributes
    ----------
    label : str
        What is equal in all networks: the values of the other axes, and whose it is.
    own, against : (int, str or None)
        The combination, and the flows' variant, None for the whole network.
    """

    label: str
    own: tuple[int, str | None]
    against: tuple[int, str | None] | None = None


@dataclass(frozen=True)
class Seen:
    """What was seen of the networks, each by its `Place` and in the order in which they came.

    Attributes
    ----------
    networks : dict
        To their point.
    looked : dict
        Those that were looked at, to what was seen; None where there is no value.
    sides : dict
        To the side that this was seen at, or that fresh runs tell about.
    next : Step
        What follows from it.
    """

    networks: dict[Place, Point]
    looked: dict[Place, float | None]
    sides: dict[Place, Side]
    next: Step


def every_network(file: Mapping[str, Any], point: Point) -> bool:
    """Whether a network goes with the rest of its sweep file, where that is not asked: yes."""
    return True


def seen(sweep: PlannedSweep, values: pl.DataFrame | pl.LazyFrame, is_sound: IsSound = every_network) -> Seen:
    """What was seen of the networks of a search, and what follows.

    Parameters
    ----------
    sweep : PlannedSweep
        Which asks for a search.
    values : DataFrame
        From `summaries.by_run`.
    is_sound : callable
        Whether a network, whose values of the searched axes it is given, goes with the rest of the sweep file. It comes
        from outside, as a change of what it says of sweep files makes no tables anew.
    """
    search = sweep.search
    assert search
    of_metric = pl.col("metric").cast(pl.String) == search.contrast.metric
    values = values.lazy().filter(of_metric, pl.col("value").is_not_null()).collect()
    networks = {key(point): point for point in sweep.points}
    sides = _sides(sweep, search)
    counts: dict[Place, int] = {}
    for number in range(sweep.swept):
        place = _place(sweep, search, number)
        counts[place] = max(counts.get(place, 0), len(sweep.runs_of(number)))
    first = values.filter(pl.col("run") == sweep.runs[0])
    at_first = {
        (combination, own): value
        for combination, own, value in first.select("combination", "flow_variant", "value").iter_rows()
    }
    looked: dict[Place, float | None] = {}
    chosen: dict[Place, Side] = {}
    for place in networks:
        if counts.get(place) == search.repetitions:
            continue  # made simpler, and checked at once
        told = {side: _told(search, at_first, side) for side in sides.get(place, ())}
        valued = [(search.sign * value, value, side) for side, value in told.items() if value is not None]
        _, value, worst = max(valued, key=lambda each: each[0], default=(0.0, None, None))
        looked[place] = value  # none either where the rest of the file leaves no combination
        if worst is not None:
            chosen[place] = worst
    lengths = rotations.lengths(sweep.combinations)
    fresh = {place for place in networks if counts.get(place, 0) >= search.repetitions}

    unsound: set[Place] = set()

    def told_by_fresh_runs(place: Place, like: Place) -> Checked | None:
        if place in unsound or (place in networks and place not in counts):
            return Checked(None)
        if place not in fresh:
            return None
        runs = sweep.runs[LOOKS:] if place in looked else sweep.runs[: search.repetitions]
        there = values.filter(pl.col("run").is_in(list(runs)))
        # A simpler network is held against what was found, and nothing else in it.
        alike = [side for side in sides.get(place, ()) if side.label == chosen[like].label]
        if not alike:
            return Checked(None)
        chosen[place] = alike[0]
        # Fresh runs are counted from 1, where rotations begin.
        there = there.with_columns(run=pl.col("run").cast(pl.Int64) - runs[0] + 1)
        return _checked(search, there, alike[0], len(runs), lengths)

    least = sweep.smallest_effects.get(search.contrast.metric, search_steps.NOTHING)
    points, told_of = [*networks.values()], dict(looked)
    while True:
        after = search_steps.following(search, sweep.seed, told_of, told_by_fresh_runs, points, len(fresh), least)
        more = [point for point in after.wanted if key(point) in networks or is_sound(search.file, point)]
        if more or not after.wanted:
            return Seen(networks, looked, chosen, replace(after, wanted=more))
        # None of them goes with the rest of the file: ask what follows once they are known to show nothing.
        points += after.wanted
        unsound.update(map(key, after.wanted))
        if not after.is_check:
            told_of |= dict.fromkeys(map(key, after.wanted))


def table(sweep: PlannedSweep, found: Seen) -> pl.DataFrame:
    """The networks of a search.

    Returns
    -------
    DataFrame
        `COLUMNS`: ``combination``, where the contrast is told (the first of the network if it has no value), and
        ``variant_of_flows``; ``network``, its number; ``role``, "looked", "tried" (checked as the best, and not
        shown), "found", "trial" (made simpler) or "simplest"; ``simpler_in``, the axis that a trial changed;
        ``cells``, how many had run when it was seen; ``looked``, what its first run showed, and ``best``, the best of
        these so far; ``runs``, ``mean``, ``low`` and ``high``, how many fresh runs there are, and their mean with the
        ends of its interval; ``own_mean`` and ``against_mean``, the means of the two variants of a difference,
        with the ends of their own intervals; ``bound`` and ``shows``, whether all of the interval is beyond it;
        ``cut``, whether the budget ended before all was checked. Networks of which the rest of the file leaves no
        combination are left out.
    """
    search, after = sweep.search, found.next
    assert search
    firsts: dict[Place, int] = {}
    for number in range(sweep.swept):
        firsts.setdefault(_place(sweep, search, number), number)
    roles = {key(point): TRIED for point in after.tried}
    changed: dict[Place, str] = {}
    shows = {key(point): False for point in after.tried}
    for name, point, holds in after.trials:
        place = key(point)
        roles[place], changed[place], shows[place] = TRIAL, name, holds
    if after.found is not None:
        roles[key(after.found)], shows[key(after.found)] = FOUND, True
    if after.simplest is not None and after.trials and after.simplest != after.found:
        roles[key(after.simplest)] = SIMPLEST
    rows = []
    best: float | None = None
    cells = 0
    for number, place in enumerate(found.networks):
        if place not in firsts:
            continue  # the rest of the file leaves no combination
        is_looked = place in found.looked
        cells += search.rows * LOOKS if is_looked else 0
        value = found.looked.get(place)
        if value is not None and (best is None or search.sign * value > search.sign * best):
            best = value
        side, checked = found.sides.get(place), after.results.get(place)
        own_ends, against_ends = (checked.own, checked.against) if checked else (None, None)
        combination, own = side.own if side else (firsts[place], None)
        rows.append(
            {
                "combination": combination,
                "variant_of_flows": own,
                "network": number + 1,
                "role": roles.get(place, LOOKED),
                "simpler_in": changed.get(place),
                "cells": cells if is_looked else None,
                "looked": value,
                "best": best if is_looked else None,
                "runs": checked.runs if checked else None,
                "mean": checked.mean if checked else None,
                "low": checked.low if checked else None,
                "high": checked.high if checked else None,
                **dict(zip(("own_mean", "own_low", "own_high"), own_ends or _NO_ENDS, strict=True)),
                **dict(zip(("against_mean", "against_low", "against_high"), against_ends or _NO_ENDS, strict=True)),
                "bound": after.bound if place in shows else None,
                "shows": shows.get(place),
                "cut": after.is_cut,
            }
        )
    return pl.DataFrame(rows, schema=COLUMNS)


def is_ordinary(search: Search, networks: pl.DataFrame) -> bool:
    """Whether the bound that was given is none that sets a network apart: half of the first ones look beyond it.

    ``networks`` is from `table`.
    """
    first = networks.sort("network").head(search.first)["looked"].median()
    return search.bound is not None and isinstance(first, float) and search.sign * (first - search.bound) > 0


def next_round(sweep: PlannedSweep, found: Seen) -> tuple[dict[str, int], dict[str, int], list[Point], int]:
    """What the next round is to have.

    Returns
    -------
    wanted, had : dict
        The id of each combination's first cell to the number of runs that it is to have, and that it had.
    points : list of Point
    first : int
        How many runs combinations of new points are to have.
    """
    search, after = sweep.search, found.next
    assert search
    more = {key(point) for point in after.wanted}
    had = [len(sweep.runs_of(number)) for number in range(sweep.swept)]
    wanted = [len(sweep.runs) if _place(sweep, search, number) in more else count for number, count in enumerate(had)]
    new = [point for point in after.wanted if key(point) not in found.networks]
    first = search.repetitions if after.is_check else LOOKS
    points = [*sweep.points, *new]
    return precision.by_first_cell(sweep, wanted), precision.by_first_cell(sweep, had), points, first


def _place(sweep: PlannedSweep, search: Search, number: int) -> Place:
    row = sweep.combinations[number]
    return key({name: row[name] for name in search.over})


def _sides(sweep: PlannedSweep, search: Search) -> dict[Place, list[Side]]:
    """Where the contrast is told in each network."""
    groups: dict[tuple[Place, str], list[int]] = {}
    for number in range(sweep.swept):
        row = sweep.combinations[number]
        label = ", ".join(quantities.value_text(row[name]) for name in axes.rest_axes(sweep) if name in row)
        groups.setdefault((_place(sweep, search, number), label), []).append(number)
    found: dict[Place, list[Side]] = {}
    for (place, label), numbers in groups.items():
        rows = [(number, str(sweep.combinations[number]["variant"])) for number in numbers]
        flows = {number: harm_combinations.variants_of_flows(sweep.combinations[number]) for number in numbers}
        found.setdefault(place, []).extend(_sides_of(search, label, rows, flows))
    return found


def _sides_of(
    search: Search, label: str, rows: Sequence[tuple[int, str]], flows: Mapping[int, Sequence[str]]
) -> Iterator[Side]:
    contrast = search.contrast
    of_flows = metrics.METRICS[contrast.metric].by_variant
    if contrast.against is None:
        for number, whole in rows:
            for own in flows[number] if of_flows else [None]:
                if contrast.variant in (None, own if of_flows else whole):
                    yield Side(f"{label}; {own} in {whole}", (number, own))
        return
    alone: dict[str, int] = {}
    for number, whole in rows:
        if of_flows and {contrast.variant, contrast.against} <= set(flows[number]):
            yield Side(f"{label}; {whole}", (number, contrast.variant), (number, contrast.against))
        if not of_flows or len(flows[number]) == 1:
            alone[flows[number][0] if of_flows else whole] = number
    if contrast.variant in alone and contrast.against in alone:
        own, other = (name if of_flows else None for name in (contrast.variant, contrast.against))
        yield Side(label, (alone[contrast.variant], own), (alone[contrast.against], other))


def _told(search: Search, seen: Mapping[tuple[int, str | None], float], side: Side) -> float | None:
    value = seen.get(side.own)
    if value is None or side.against is None:
        return value
    other = seen.get(side.against)
    if other is None or (search.contrast.is_share and not other):
        return None
    return (value - other) / abs(other) if search.contrast.is_share else value - other


def _checked(search: Search, values: pl.DataFrame, side: Side, runs: int, lengths: Sequence[int]) -> Checked:
    """What so many runs say of a side; no mean if one of them has no value."""

    def of(combination: int, own: str | None) -> pl.DataFrame:
        is_own = pl.col("flow_variant").is_null() if own is None else pl.col("flow_variant") == own
        return values.filter(pl.col("combination") == combination, is_own)

    parts = [of(*each) for each in (side.own, side.against) if each is not None]
    valued = min(part["run"].n_unique() for part in parts)
    if valued < runs:
        return Checked(None, runs=valued)
    own, *others = (summaries.summarise(part, lengths=lengths).row(0, named=True) for part in parts)
    if side.against is None:
        return Checked(own["mean"], own["low"], own["high"], own["distinct_runs"], own=_ends(own))
    compared = pl.DataFrame(
        [(0, *side.own, *side.against)],
        schema={
            "pair": pl.UInt32,
            "combination": pl.Int64,
            "own": pl.String,
            "reference_combination": pl.Int64,
            "reference_own": pl.String,
        },
        orient="row",
    )
    both = pl.concat(parts).unique(maintain_order=True)
    rows = paired_runs.paired(both.with_columns(counts=pl.lit(True)), compared, lengths)
    row = paired_runs.sums(rows, [], paired_runs.finished_runs(rows)).row(0, named=True)
    return replace(_difference(search, row), own=_ends(own), against=_ends(others[0]))


def _ends(row: Mapping[str, float]) -> Ends:
    return row["mean"], row["low"], row["high"]


def _difference(search: Search, row: Mapping[str, float | None]) -> Checked:
    difference, reference, runs = row["difference"], row["reference_mean"], int(row["distinct_runs"] or 0)
    if difference is None or reference is None or (search.contrast.is_share and not reference):
        return Checked(None, runs=runs)
    mean = difference / abs(reference) if search.contrast.is_share else difference
    if runs < 2:
        return Checked(mean, runs=runs)
    names = ("difference", "reference_mean", "error", "reference_error", "covariance", "degrees")
    of = effect_tests.Estimates(*(np.array([row[name]], dtype=float) for name in names))
    interval = effect_tests.relative_interval if search.contrast.is_share else effect_tests.interval
    low, high = (float(end[0]) for end in interval(of, 1 - means.CONFIDENCE))
    known = not math.isnan(low)
    return Checked(mean, low if known else -math.inf, high if known else math.inf, runs)
