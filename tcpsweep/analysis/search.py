# SPDX-License-Identifier: MIT
"""The results of a search, network by network, and its next round."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import polars as pl

from tcpsweep.analysis import search_checks, search_steps
from tcpsweep.analysis.search_checks import Side
from tcpsweep.analysis.search_steps import Checked, Ends, Step
from tcpsweep.sweep import axes, combination_parts, rotations
from tcpsweep.sweep.rounds import Point
from tcpsweep.sweep.search import Place, Search, key
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
class Seen:
    """The results of a search. The keys of each dict are the networks' `Place`, in the order of the search.

    Attributes
    ----------
    networks : dict
        The point of each network.
    looked : dict
        The value seen in each network that was looked at; None where there is no value.
    sides : dict
        The side of the network that the value, or the result of fresh runs, belongs to.
    next : Step
        The next step of the search.
    looks : dict
        The number of each network's runs that were looks.
    """

    networks: dict[Place, Point]
    looked: dict[Place, float | None]
    sides: dict[Place, Side]
    next: Step
    looks: dict[Place, int]


def every_network(file: Mapping[str, Any], point: Point) -> bool:
    """Accepts every network, without a comparison with the rest of the sweep file."""
    return True


def seen(sweep: PlannedSweep, values: pl.DataFrame | pl.LazyFrame, is_sound: IsSound = every_network) -> Seen:
    """The results of a search so far, and its next step.

    Parameters
    ----------
    sweep : PlannedSweep
        A sweep with a search.
    values : DataFrame
        From `summaries.by_run`.
    is_sound : callable
        Takes a network's values of the searched axes, and returns whether they fit the rest of the sweep file. The
        caller passes it, so that a change to this check does not invalidate any table.
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
    looks = {place: _looking_runs(search, counts[place]) for place in counts}
    own = [_place(sweep, search, number) for number in range(sweep.swept)]
    at_first = _means(values, [looks[place] for place in own])
    looked: dict[Place, float | None] = {}
    chosen: dict[Place, Side] = {}
    for place in networks:
        if counts.get(place) == search.repetitions:
            continue  # a simplified network, which is checked without a look
        told = {side: search_checks.told(search, at_first, side) for side in sides.get(place, ())}
        valued = [(search.sign * value, value, side) for side, value in told.items() if value is not None]
        _, value, worst = max(valued, key=lambda each: each[0], default=(0.0, None, None))
        looked[place] = value  # None too where the rest of the file excludes every combination
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
        runs = sweep.runs[looks[place] : looks[place] + search.repetitions]
        there = values.filter(pl.col("run").is_in(list(runs)))
        # A simpler network is compared only with the effect that was found.
        alike = [side for side in sides.get(place, ()) if side.label == chosen[like].label]
        if not alike:
            return Checked(None)
        chosen[place] = alike[0]
        # Fresh runs are counted from 1, where rotations begin.
        there = there.with_columns(run=pl.col("run").cast(pl.Int64) - runs[0] + 1)
        return search_checks.checked(search, there, alike[0], len(runs), lengths)

    def look_at(place: Place, number: int) -> float | None:
        """The value of one of a network's looks, at the side with the contrast."""
        runs = sweep.runs[number * search.look : (number + 1) * search.look]
        there = values.filter(pl.col("run").is_in(list(runs)))
        return search_checks.told(search, _means(there, [len(sweep.runs)] * sweep.swept), chosen[place])

    places = [place for place in looked if place in counts][: search.pilots]
    pilots = {
        place: (look_at(place, 0), look_at(place, 1)) if place in chosen else (None, None)
        for place in places
        if looks[place] > search.look
    }
    begun = search_steps.Begun(
        [networks[place] for place in places if place not in pilots],
        search_steps.looks_needed(search, pilots.values(), [*looked.values()][: search.first]),
        sum(looks[place] for place in own if place in looked),
    )
    spent = sum(counts[place] for place in own)
    least = sweep.smallest_effects.get(search.contrast.metric, search_steps.NOTHING)
    points, told_of = [*networks.values()], dict(looked)
    while True:
        after = search_steps.following(search, sweep.seed, told_of, told_by_fresh_runs, points, spent, begun, least)
        more = [point for point in after.wanted if key(point) in networks or is_sound(search.file, point)]
        if more or not after.wanted:
            return Seen(networks, looked, chosen, replace(after, wanted=more), looks)
        # None of these networks fits the rest of the file: record that they have no value, and take the next step.
        points += after.wanted
        unsound.update(map(key, after.wanted))
        if not after.is_check:
            told_of |= dict.fromkeys(map(key, after.wanted))


def _looking_runs(search: Search, count: int) -> int:
    """How many of a network's ``count`` runs were looks. These runs come first; the remaining runs are checks."""
    return count if count < search.repetitions else count - search.repetitions


def _means(values: pl.DataFrame, runs: Sequence[int]) -> dict[tuple[int, str | None], float]:
    """The mean of the first runs of each combination and flows' variant; ``runs`` has their number by combination."""
    first = pl.Series(runs, dtype=pl.Int64).gather(values["combination"])
    found = values.filter(values["run"].cast(pl.Int64) <= first).group_by("combination", "flow_variant")
    return {(number, own): value for number, own, value in found.agg(pl.col("value").mean()).iter_rows()}


def table(sweep: PlannedSweep, found: Seen) -> pl.DataFrame:
    """The networks of a search.

    Returns
    -------
    DataFrame
        `COLUMNS`, without networks for which the rest of the file excludes every combination:

        - ``combination`` of the contrast (the network's first one if it has no value), and ``variant_of_flows``
        - ``network``, its number
        - ``role``: "looked", "tried" (checked, but not the find), "found", "trial" (simplified) or "simplest"
        - ``simpler_in``, the axis that a trial changed
        - ``cells``, how many cells had run when the network was seen
        - ``looked``, the value of its looks, and ``best``, the best such value so far
        - ``runs``, the number of fresh runs, and ``mean``, ``low``, ``high``, their mean and the ends of its interval
        - ``own_mean`` and ``against_mean``, the means of the two variants of a difference, with the ends of their own
          intervals
        - ``bound``, as in `search_steps.Step`
        - ``shows``, whether fresh runs confirm the effect and, if a bound is given, exceed this bound
        - ``cut``, whether the budget ended before all checks were done
    """
    search, after = sweep.search, found.next
    assert search
    firsts: dict[Place, int] = {}
    for number in range(sweep.swept):
        firsts.setdefault(_place(sweep, search, number), number)
    roles = {key(point): TRIED for point in after.tried}
    changed: dict[Place, str] = {}
    shows = {key(point): after.is_shown(point) for point in after.tried}
    for name, point, holds in after.trials:
        place = key(point)
        roles[place], changed[place], shows[place] = TRIAL, name, holds
    if after.found is not None:
        roles[key(after.found)] = FOUND
    if after.simplest is not None and after.trials and after.simplest != after.found:
        roles[key(after.simplest)] = SIMPLEST
    rows = []
    best: float | None = None
    cells = 0
    for number, place in enumerate(found.networks):
        if place not in firsts:
            continue  # the rest of the file excludes every combination
        is_looked = place in found.looked
        cells += search.rows * found.looks[place] if is_looked else 0
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
    """Whether the given bound distinguishes no network, because half of the first networks look beyond it.

    ``networks`` is from `table`.
    """
    first = networks.sort("network").head(search.first)["looked"].median()
    return search.bound is not None and isinstance(first, float) and search.sign * (first - search.bound) > 0


def next_round(sweep: PlannedSweep, found: Seen) -> tuple[dict[str, int], dict[str, int], list[Point], int]:
    """The combinations, runs and points of the next round.

    Returns
    -------
    wanted, had : dict
        The id of each combination's first cell to the number of runs that it needs, and to the number that it had.
    points : list of Point
    first : int
        The number of runs for each combination of a new point.
    """
    search, after = sweep.search, found.next
    assert search
    more = {key(point) for point in after.wanted}
    had = [len(sweep.runs_of(number)) for number in range(sweep.swept)]
    added = search.repetitions if after.is_check else search.look
    wanted = [count + added * (_place(sweep, search, number) in more) for number, count in enumerate(had)]
    new = [point for point in after.wanted if key(point) not in found.networks]
    first = search.repetitions if after.is_check else search.look * after.looks
    points = [*sweep.points, *new]
    return sweep.by_first_cell(wanted), sweep.by_first_cell(had), points, first


def _place(sweep: PlannedSweep, search: Search, number: int) -> Place:
    row = sweep.combinations[number]
    return key({name: row[name] for name in search.over})


def _sides(sweep: PlannedSweep, search: Search) -> dict[Place, list[Side]]:
    """The sides of each network at which the contrast is computed."""
    groups: dict[tuple[Place, str], list[int]] = {}
    for number in range(sweep.swept):
        row = sweep.combinations[number]
        label = ", ".join(quantities.value_text(row[name]) for name in axes.rest_axes(sweep) if name in row)
        groups.setdefault((_place(sweep, search, number), label), []).append(number)
    found: dict[Place, list[Side]] = {}
    for (place, label), numbers in groups.items():
        rows = [(number, str(sweep.combinations[number]["variant"])) for number in numbers]
        flows = {number: combination_parts.variants_of_flows(sweep.combinations[number]) for number in numbers}
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
