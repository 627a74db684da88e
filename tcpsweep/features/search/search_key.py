# SPDX-License-Identifier: MIT
"""`search` of a sweep file: the network in which a metric, or a difference of two variants, is worst.

``search: {worst: jain, over: {bandwidth: 1Mbps to 50Mbps, loss: 0 to 0.02}, cells: 200}``. The axes under ``over`` are
open: their values are the points of a sequence that covers the ranges.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tcpsweep.core.contact.question import NextRounds, Question
from tcpsweep.core.sweep.contrast import Contrast
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.rounds import AskedRounds, Point
from tcpsweep.core.sweep.sweep_record import PlannedSweep, Sweep
from tcpsweep.core.sweepfile.asked import axis_ranges, contrasts
from tcpsweep.core.sweepfile.combinations import grid, limits
from tcpsweep.core.sweepfile.document import sections
from tcpsweep.core.sweepfile.document.yaml_document import KeyPath, Problem
from tcpsweep.core.sweepfile.keys import schema, sweep_keys
from tcpsweep.core.words import metrics, quantity_forms, units
from tcpsweep.core.words.thresholds import LEAST_RUNS
from tcpsweep.features.search import found_file, search_record
from tcpsweep.features.search.search_record import GOALS, KEY, Search, key, sign_of

OVER, CELLS, BOUND = "over", "cells", "bound"
TO = "to"
_DASHED = re.compile(r"\s*([^\s–-]+)\s*[–-]\s*([^\s–-]+)\s*")  # a range with another joint
_WITHOUT = ("precision", "refine", "runs", "pairs", "harm", "published")


def asked_of_axes(data: dict[str, Any], folder: Path, sweep: Sweep) -> tuple[Sweep, list[Problem]]:
    """The sweep with the search that its file requests, and problems."""
    mistakes = list(problems(data))
    if KEY not in data or mistakes:
        return sweep, mistakes
    asked = search(data, folder)
    return sweep.with_question(KEY, asked), list(_unmet(data, asked.contrast, sweep.own))


def search(data: dict[str, Any], folder: Path) -> Search:
    """A sweep file's search, from data with one and without `problems`."""
    request, scenario = data[KEY], data["scenario"]
    goal = _goal(data)
    contrast, _ = contrasts.parse(request[goal])
    over = {}
    for name, text in request[OVER].items():
        ends = axis_ranges.range_ends(text, TO)
        assert ends
        over[name] = axis_ranges.axis_range_of(scenario, name, *ends)
    return Search(
        goal=goal,
        contrast=contrast,
        over=over,
        cells=int(request[CELLS]),
        repetitions=_repetitions(data),
        rows=limits.combination_count(data),
        look=_look(data),
        bound=_bound(request[BOUND], contrast) if BOUND in request else None,
        file=found_file.skeleton(data, folder),
    )


def first_points(data: dict[str, Any], asked: Search) -> list[Point]:
    """The networks to look at, each once: a scrambled Halton sequence over the ranges.

    Owen: A randomized Halton algorithm in R. arXiv:1706.02808, 2017.
    """
    from scipy.stats import qmc  # which takes a second to load, and only searches need it

    seed = int(data.get("seed", sweep_keys.default("seed")))
    places = qmc.Halton(len(asked.over), rng=seed).random(asked.looks)
    return list({key(point): point for point in map(asked.point, places.tolist())}.values())


def _asked_rounds(data: dict[str, Any]) -> AskedRounds:
    """The axes of a search, and the runs of a combination: first those of the look, then fresh ones for the check."""
    most_points = int(data[KEY][CELLS]) // limits.combination_count(data) + 1
    if any(problems(data)):
        return AskedRounds(most_points=most_points)
    asked = search(data, Path())
    return AskedRounds(
        first_runs=asked.look,
        runs=tuple(range(1, asked.look + asked.repetitions + 1)),
        open_axes=asked.over,
        first_points=lambda: first_points(data, asked),
        most_points=most_points,
    )


def problems(data: dict[str, Any]) -> Iterator[Problem]:
    """Problems with a search, in data without schema errors."""
    if KEY not in data:
        return
    request = data[KEY]
    for other in _WITHOUT:
        if other in data:
            message = f"`{other}` and `{KEY}` cannot be in one file; write a sweep file for each"
            yield Problem((other,), message, at_key=True)
    goals = [goal for goal in GOALS if goal in request]
    if len(goals) != 1:
        what = "not both" if goals else "such as `worst: jain`"
        yield Problem((KEY,), f"give `worst` or `best`, {what}", at_key=True)
        return
    (goal,) = goals
    contrast: Contrast | None = None
    try:
        contrast, rest = contrasts.parse(request[goal])
        if rest:
            raise contrasts.Unreadable(f"expected the end, got {contrasts.quoted(rest[0][0])}", rest[0][1])
    except contrasts.Unreadable as error:
        yield Problem((KEY, goal), str(error))
    if contrast and not metrics.METRICS[contrast.metric].better:
        why = f"neither more nor less {contrast.metric} is better"
        yield Problem((KEY, goal), f"{why}; expected a metric such as utilisation or queueing_delay_mean_s")
    if contrast and BOUND in request:
        yield from _bound_problems(request, goal, contrast)
    for name, text in request[OVER].items():
        place: KeyPath = (KEY, OVER, name)
        ends = axis_ranges.range_ends(text, TO)
        if name == "variant" or ends is None:
            example = f"{schema.usual(schema.described(data['scenario'], name)) or 1} {TO} …"
            expected = "variants are listed in `grid`" if name == "variant" else f"expected a range, as in `{example}`"
            near = _DASHED.fullmatch(text) if name != "variant" else None
            meant = f"; did you mean '{near[1]} {TO} {near[2]}'?" if near else ""
            yield Problem(place, f"{expected}; got {text!r}{meant}")
            continue
        yield from axis_ranges.problems(data, name, ends, place, place, TO)
    if _repetitions(data) < LEAST_RUNS:
        fresh = f"the network found is run again {LEAST_RUNS} times or more"
        yield Problem(("repetitions",), f"{fresh}, for its interval; got {_repetitions(data)}")
    per_network = limits.combination_count(data)
    networks = _least_networks(data)
    least = 2 * per_network * max(networks, _repetitions(data))
    if int(request[CELLS]) < least:
        of_each = f"{per_network} cell{'s' * (per_network != 1)}"
        why = f"half of them are for {networks} networks or more of {of_each} each"
        fresh = f"half for {_repetitions(data)} fresh runs of what is found"
        yield Problem((KEY, CELLS), f"expected {least} or more: {why}, {fresh}; got {request[CELLS]}")


def _why_unknown(data: dict[str, Any], name: str) -> str:
    is_open = name in data[KEY].get(OVER, {})
    return f"the search chooses the values of {name} later; remove it here" if is_open else ""


def _unmet(data: dict[str, Any], contrast: Contrast, combinations: Sequence[Combination]) -> Iterator[Problem]:
    """Why a sweep's combinations lack the metric that is searched for, as far as known before a run."""
    goal = _goal(data)
    if wrong := contrasts.fault(contrast, data[KEY][goal], combinations):
        yield Problem((KEY, goal), wrong)


def _bound_problems(request: dict[str, Any], goal: str, contrast: Contrast) -> Iterator[Problem]:
    try:
        bound = _bound(request[BOUND], contrast)
    except ValueError as error:
        yield Problem((KEY, BOUND), str(error))
        return
    sign = sign_of(goal, contrast)
    if contrast.against is not None and bound * sign <= 0:
        wanted = "above" if sign > 0 else "below"
        why = f"the {goal} difference of {contrast.metric} is {wanted} 0, where {contrast.variant} has "
        message = f"{why}{'more' if sign > 0 else 'less'} than {contrast.against}"
        suggestion = f"; did you mean '-{request[BOUND]}'?" if sign < 0 < bound else ""
        yield Problem((KEY, BOUND), f"{message}; expected a bound on that side, got {request[BOUND]!r}{suggestion}")


def _goal(data: dict[str, Any]) -> str:
    return next(goal for goal in GOALS if goal in data[KEY])


def _look(data: dict[str, Any]) -> int:
    """How many runs bring each variant of the largest mix to each place; one where checks or cells are too few."""
    blocks = [block for key in ("grid", "zip") for _, block in sections.blocks(data, key)] + [data.get("fixed", {})]
    variant_entries = [block.get("variant", ()) for block in blocks]
    texts = [str(text) for entry in variant_entries for text in (entry if isinstance(entry, list) else [entry])]
    largest_mix = max((text.count("+") + 1 for text in texts), default=1)
    looks = int(data[KEY][CELLS]) // 2 // (largest_mix * limits.combination_count(data))
    return largest_mix if largest_mix < _repetitions(data) and looks >= _least_networks(data) else 1


def _least_networks(data: dict[str, Any]) -> int:
    """How many networks a search looks at, at the least."""
    return len(data[KEY][OVER]) + 2


def _repetitions(data: dict[str, Any]) -> int:
    return int(data.get("repetitions", sweep_keys.default("repetitions")))


def _bound(value: Any, contrast: Contrast) -> float:
    unit = "1" if contrast.is_share else metrics.METRICS[contrast.metric].unit
    return quantity_forms.metric_value(value if isinstance(value, str) else units.number_text(value), unit)


def _first_round(
    data: dict[str, Any], folder: Path, sweep: Sweep, problems: list[Problem]
) -> tuple[Sweep, list[Problem]]:
    """A search's first round without the points that have problems, or the problems.

    If a problem is due to a range's end, or all points have problems, nothing is left out.
    """
    asked = search_record.of(sweep)
    if asked is None:
        return sweep, problems
    if ends := _end_problems(data, folder, asked):
        return sweep, ends
    if not problems:
        return sweep, []
    sound = [point for point in sweep.points if not grid.expand(data, folder, [point])[1]]
    return grid.expand(data, folder, sound) if sound else (sweep, problems)


def _end_problems(data: dict[str, Any], folder: Path, asked: Search) -> list[Problem]:
    """The ends of a search's ranges that contradict the rest of the file; none if the problem is another one."""
    middles = [0.5] * len(asked.over)
    if grid.expand(data, folder, [asked.point(middles)])[1]:
        return []
    problems: dict[Problem, None] = {}  # each problem once, not for each combination
    for position, name in enumerate(asked.over):
        for end in (0.0, 1.0):
            point = asked.point([*middles[:position], end, *middles[position + 1 :]])
            place = (KEY, OVER, name)
            for problem in grid.expand(data, folder, [point])[1]:
                problems[Problem(place, f"at {units.value_text(point[name])}: {problem.message}")] = None
    return list(problems)


def _most_cells(sweep: Sweep, most: int) -> tuple[int, str]:
    asked = search_record.of(sweep)
    return (asked.cells if asked else most), ""


def _state(sweep: PlannedSweep, folder: Path, is_ended: bool) -> str:
    from tcpsweep.features.search import search_state

    return search_state.state(sweep, folder, is_ended)


QUESTION = Question(
    key=KEY,
    asked_of_axes=asked_of_axes,
    rounds=NextRounds(
        keys=(KEY, "repetitions", "runs"),  # the runs affect the choice of points
        asked_rounds=_asked_rounds,
        why_unknown=_why_unknown,
        first_round=_first_round,
        most_cells=_most_cells,
        state_words=_state,
    ),
)
