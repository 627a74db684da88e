# SPDX-License-Identifier: MIT
"""The results of a search, network by network, and its next round.

The first round looks at all networks. The second one checks those that looked worst with fresh runs.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from tcpsweep.core.sweep import axes, combination_parts, rotations
from tcpsweep.core.sweep.sweep_parts import ShareOrValue
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import metrics, units
from tcpsweep.features.search import search_checks, search_record
from tcpsweep.features.search.search_checks import Checked, Side
from tcpsweep.features.search.search_record import TRIES, Place, Search, key

COLUMNS = {
    "combination": pl.Int64,
    "variant_of_flows": pl.String,
    "network": pl.Int64,
    "role": pl.String,
    "cells": pl.Int64,
    "looked": pl.Float64,
    "best": pl.Float64,
    "runs": pl.Int64,
    **dict.fromkeys(("mean", "low", "high", "own_mean", "against_mean"), pl.Float64),
    **dict.fromkeys(("own_low", "own_high", "against_low", "against_high", "bound"), pl.Float64),
    "shows": pl.Boolean,
    "cut": pl.Boolean,
}
_NO_ENDS = (None, None, None)
_NO_LEAST = ShareOrValue()
LOOKED, TRIED, FOUND = "looked", "tried", "found"


@dataclass(frozen=True)
class Seen:
    """The results of a search.

    Attributes
    ----------
    looked : dict
        The value seen in each network, None where there is no value, in the order of the search.
    sides : dict
        The side of the network that the value belongs to.
    checked : dict
        The results of fresh runs, in the order of the looks.
    wanted : list
        The networks that the next round checks with fresh runs; none at the end.
    bound : float or None
        The value that a network's whole interval must exceed: the given bound, or that of the smallest effect.
    shown : set
        The checked networks whose whole interval is beyond ``bound``.
    found : Place or None
        The confirmed network whose interval is farthest from no effect.
    is_cut : bool
        Whether the search had too few cells left for all checks.
    """

    looked: dict[Place, float | None]
    sides: dict[Place, Side]
    checked: dict[Place, Checked]
    wanted: list[Place]
    bound: float | None
    shown: set[Place]
    found: Place | None
    is_cut: bool


def seen(sweep: PlannedSweep, values: pl.DataFrame | pl.LazyFrame) -> Seen:
    """The results of a search so far, and the networks to check next; ``values`` is from `summaries.by_run`."""
    search = search_record.of(sweep)
    assert search
    of_metric = pl.col("metric").cast(pl.String) == search.contrast.metric
    values = values.lazy().filter(of_metric, pl.col("value").is_not_null()).collect()
    runs = values["run"].cast(pl.Int64)
    firsts = values.filter(runs <= search.look).group_by("combination", "flow_variant").agg(pl.col("value").mean())
    first_means = {(number, flow_variant): value for number, flow_variant, value in firsts.iter_rows()}
    looked: dict[Place, float | None] = {}
    sides: dict[Place, Side] = {}
    gains: dict[Place, float] = {}  # the values, signed so that a larger one is always better for the search
    for place, network_sides in _sides(sweep, search).items():
        contrasts = [(search_checks.told(search, first_means, side), side) for side in network_sides]
        valued = [(value, side) for value, side in contrasts if value is not None]
        looked[place] = None
        if valued:
            looked[place], sides[place] = value, _ = max(valued, key=lambda pair: search.sign * pair[0])
            gains[place] = search.sign * value
    # Fresh runs are counted from 1, where rotations begin.
    fresh = values.filter(runs > search.look).with_columns(run=pl.col("run").cast(pl.Int64) - search.look)
    lengths = rotations.lengths(sweep.combinations)
    freshly_run = {_place(sweep, search, run.combination) for run in sweep.cells if run.run > search.look}
    ranked = sorted(gains, key=lambda place: -gains[place])  # of equals the first
    checked = {
        place: search_checks.checked(search, fresh, sides[place], search.repetitions, lengths)
        for place in ranked
        if place in freshly_run
    }
    if not ranked:
        return Seen(looked, sides, checked, [], None, set(), None, is_cut=False)
    least = sweep.smallest_effects.get(search.contrast.metric, _NO_LEAST)
    judge = _Judge(search, least, statistics.median(gains.values()))
    promising = sum(gain > judge.no_effect for gain in gains.values())
    candidates = ranked[: max(TRIES, promising)]
    affordable = (search.cells - search.look_cells * len(looked)) // search.check_cells
    wanted = [place for place in candidates[:affordable] if place not in checked]
    shown = {place for place, result in checked.items() if judge.shows(result)}
    confirmed = [place for place, result in checked.items() if judge.is_confirmed(result)]
    found = max(confirmed, key=lambda place: judge.end(checked[place]), default=None)
    is_cut = not wanted and not shown and len(candidates) > affordable
    return Seen(looked, sides, checked, wanted, search.sign * judge.bound, shown, found, is_cut)


class _Judge:
    """Judges networks by their fresh runs. A larger value is always better for the search.

    ``median`` is that of the looks. ``least`` is the least difference from it, or from no difference. ``no_effect`` is
    the largest value that shows no effect.
    """

    def __init__(self, search: Search, least: ShareOrValue, median: float) -> None:
        self.sign = search.sign
        if search.contrast.against is None:
            no_effect = median + least.at(median)
        else:
            no_effect = least.share if search.contrast.is_share else least.absolute
        self.given = None if search.bound is None else search.sign * search.bound
        self.no_effect = no_effect if self.given is None else min(no_effect, self.given)
        self.bound = self.no_effect if self.given is None else self.given

    def end(self, result: Checked) -> float:
        """The end of a network's interval that is nearest to no effect."""
        if result.mean is None:
            return -math.inf
        return min(self.sign * end for end in (result.mean, result.low, result.high) if end is not None)

    def is_confirmed(self, result: Checked) -> bool:
        """Whether a network's whole interval shows an effect."""
        return self.end(result) > self.no_effect or self.end(result) == self.given

    def shows(self, result: Checked) -> bool:
        """Whether a network's whole interval is beyond the given bound or, without a bound, shows an effect."""
        return self.is_confirmed(result) and (self.given is None or self.end(result) >= self.given)


def table(sweep: PlannedSweep, results: Seen) -> pl.DataFrame:
    """The networks of a search.

    Returns
    -------
    DataFrame
        `COLUMNS`:

        - ``combination`` of the contrast (the network's first one if it has no value), and ``variant_of_flows``
        - ``network``, its number
        - ``role``: "looked", "tried" (checked, but not the find) or "found"
        - ``cells``, how many cells had run when the network was seen
        - ``looked``, the value of its look, and ``best``, the best such value so far
        - ``runs``, the number of fresh runs, and ``mean``, ``low``, ``high``, their mean and the ends of its interval
        - ``own_mean`` and ``against_mean``, the means of the two variants of a difference, with the ends of their own
          intervals
        - ``bound``, as in `Seen`
        - ``shows``, whether fresh runs confirm the effect and, if a bound is given, exceed this bound
        - ``cut``, whether the budget ended before all checks were done
    """
    search = search_record.of(sweep)
    assert search
    firsts: dict[Place, int] = {}
    for number in range(sweep.swept):
        firsts.setdefault(_place(sweep, search, number), number)
    rows = []
    best: float | None = None
    for number, (place, value) in enumerate(results.looked.items(), 1):
        if value is not None and (best is None or search.sign * value > search.sign * best):
            best = value
        side, checked = results.sides.get(place), results.checked.get(place)
        own_ends, against_ends = (checked.own, checked.against) if checked else (None, None)
        combination, flow_variant = side.own if side else (firsts[place], None)
        rows.append(
            {
                "combination": combination,
                "variant_of_flows": flow_variant,
                "network": number,
                "role": FOUND if place == results.found else TRIED if checked else LOOKED,
                "cells": search.look_cells * number,
                "looked": value,
                "best": best,
                "runs": checked.runs if checked else None,
                "mean": checked.mean if checked else None,
                "low": checked.low if checked else None,
                "high": checked.high if checked else None,
                **dict(zip(("own_mean", "own_low", "own_high"), own_ends or _NO_ENDS, strict=True)),
                **dict(zip(("against_mean", "against_low", "against_high"), against_ends or _NO_ENDS, strict=True)),
                "bound": results.bound if checked else None,
                "shows": place in results.shown if checked else None,
                "cut": results.is_cut,
            }
        )
    return pl.DataFrame(rows, schema=COLUMNS)


def is_ordinary(search: Search, networks: pl.DataFrame) -> bool:
    """Whether the given bound distinguishes no network, because half of the networks look beyond it.

    ``networks`` is from `table`.
    """
    middle = networks["looked"].median()
    return search.bound is not None and isinstance(middle, float) and search.sign * (middle - search.bound) > 0


def next_runs(sweep: PlannedSweep, results: Seen) -> dict[str, int]:
    """The id of each combination's first cell to the number of runs that it needs."""
    search = search_record.of(sweep)
    assert search
    fresh = [search.repetitions * (_place(sweep, search, number) in results.wanted) for number in range(sweep.swept)]
    return sweep.by_first_cell([len(sweep.runs_of(number)) + added for number, added in enumerate(fresh)])


def _place(sweep: PlannedSweep, search: Search, number: int) -> Place:
    row = sweep.combinations[number]
    return key({name: row[name] for name in search.over})


def _sides(sweep: PlannedSweep, search: Search) -> dict[Place, list[Side]]:
    """The sides of each network at which the contrast is computed, in the order of the search."""
    groups: dict[tuple[Place, str], list[int]] = {}
    for number in range(sweep.swept):
        row = sweep.combinations[number]
        label = ", ".join(units.value_text(row[name]) for name in axes.rest_axes(sweep) if name in row)
        groups.setdefault((_place(sweep, search, number), label), []).append(number)
    sides: dict[Place, list[Side]] = {key(point): [] for point in sweep.points}
    for (place, _), numbers in groups.items():
        rows = [(number, sweep.combinations[number].variant) for number in numbers]
        flows = {number: combination_parts.variants_of_flows(sweep.combinations[number]) for number in numbers}
        sides[place].extend(_sides_of(search, rows, flows))
    return sides


def _sides_of(search: Search, rows: Sequence[tuple[int, str]], flows: Mapping[int, Sequence[str]]) -> Iterator[Side]:
    """The sides among combinations that differ only in the variant.

    ``rows`` are their numbers and variants, or mixes of variants. ``flows`` has the variants of each one's flows.
    """
    contrast = search.contrast
    of_flows = metrics.METRICS[contrast.metric].by_variant
    if contrast.against is None:
        for number, variant in rows:
            for flow_variant in flows[number] if of_flows else [None]:
                if contrast.variant in (None, flow_variant if of_flows else variant):
                    yield Side((number, flow_variant))
        return
    homogeneous: dict[str, int] = {}
    for number, variant in rows:
        if of_flows and {contrast.variant, contrast.against} <= set(flows[number]):
            yield Side((number, contrast.variant), (number, contrast.against))
        if not of_flows or len(flows[number]) == 1:
            homogeneous[flows[number][0] if of_flows else variant] = number
    if contrast.variant in homogeneous and contrast.against in homogeneous:
        flow_variant, other = (name if of_flows else None for name in (contrast.variant, contrast.against))
        yield Side((homogeneous[contrast.variant], flow_variant), (homogeneous[contrast.against], other))
