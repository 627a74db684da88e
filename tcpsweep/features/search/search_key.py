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
from tcpsweep.core.sweepfile.document import absolute_paths, sections
from tcpsweep.core.sweepfile.document.yaml_document import KeyPath, Problem
from tcpsweep.core.sweepfile.keys import schema
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.core.words import metrics, quantity_forms, units
from tcpsweep.core.words.thresholds import LEAST_RUNS
from tcpsweep.features.search import search_record
from tcpsweep.features.search.search_fields import SearchFields, SearchKey
from tcpsweep.features.search.search_record import GOALS, KEY, Search, key, sign_of

OVER, CELLS, BOUND = "over", "cells", "bound"
TO = "to"
_DASHED = re.compile(r"\s*([^\s–-]+)\s*[–-]\s*([^\s–-]+)\s*")  # a range with another joint
# What describes each network, for the sweep file of the network that is found
_KEPT = ("scenario", "network", "grid", "zip", "exclude", "only", "fixed", "attributes")
_KEPT_TOO = (*sections.PARAMETERS, "baseline", "seed", "ns3", "capture")
_WITHOUT = ("precision", "refine", "runs", "pairs", "harm", "published")


def asked_of_axes(file: SweepFile, sweep: Sweep) -> tuple[Sweep, list[Problem]]:
    """The sweep with the search that its file requests, and problems."""
    mistakes = list(problems(file))
    if not file.has(KEY) or mistakes:
        return sweep, mistakes
    asked = search(file)
    return sweep.with_question(KEY, asked), list(_unmet(_request(file), asked.contrast, sweep.own))


def _request(file: SweepFile) -> SearchKey:
    """The search that a file has."""
    request = file.of(SearchFields).search
    assert request
    return request


def search(file: SweepFile) -> Search:
    """A sweep file's search, from a file with one and without `problems`."""
    request = _request(file)
    (goal,) = goals = _goals(request)
    contrast, _ = contrasts.parse(goals[goal])
    over = {}
    for name, text in request.over.items():
        ends = axis_ranges.range_ends(text, TO)
        assert ends
        over[name] = axis_ranges.axis_range_of(file.scenario, name, *ends)
    return Search(
        goal=goal,
        contrast=contrast,
        over=over,
        cells=request.cells,
        repetitions=file.keys.repetitions,
        rows=limits.combination_count(file),
        look=_look(file),
        bound=None if request.bound is None else _bound(request.bound, contrast),
        file=_skeleton(file),
    )


def _skeleton(file: SweepFile) -> dict[str, Any]:
    """The part of a searching sweep file that describes each network, with absolute paths, for a file elsewhere."""
    kept = {key: file.data[key] for key in (*_KEPT, *_KEPT_TOO) if file.has(key)}
    return absolute_paths.with_absolute_paths(kept, file.folder)


def _first_points(seed: int, asked: Search) -> list[Point]:
    """The networks to look at, each once: a scrambled Halton sequence over the ranges.

    Owen: A randomized Halton algorithm in R. arXiv:1706.02808, 2017.
    """
    from scipy.stats import qmc  # which takes a second to load, and only searches need it

    places = qmc.Halton(len(asked.over), rng=seed).random(asked.looks)
    return list({key(point): point for point in map(asked.point, places.tolist())}.values())


def _asked_rounds(file: SweepFile) -> AskedRounds:
    """The axes of a search, and the runs of a combination: first those of the look, then fresh ones for the check."""
    most_points = _request(file).cells // limits.combination_count(file) + 1
    if any(problems(file)):
        return AskedRounds(most_points=most_points)
    asked = search(file)
    return AskedRounds(
        first_runs=asked.look,
        runs=tuple(range(1, asked.look + asked.repetitions + 1)),
        open_axes=asked.over,
        first_points=lambda: _first_points(file.keys.seed, asked),
        most_points=most_points,
    )


def problems(file: SweepFile) -> Iterator[Problem]:
    """Problems with a search."""
    request = file.of(SearchFields).search
    if request is None:
        return
    for other in _WITHOUT:
        if file.has(other):
            message = f"`{other}` and `{KEY}` cannot be in one file; write a sweep file for each"
            yield Problem((other,), message, at_key=True)
    goals = _goals(request)
    if len(goals) != 1:
        what = "not both" if goals else "such as `worst: jain`"
        yield Problem((KEY,), f"give `worst` or `best`, {what}", at_key=True)
        return
    (goal,) = goals
    contrast: Contrast | None = None
    try:
        contrast, rest = contrasts.parse(goals[goal])
        if rest:
            raise contrasts.Unreadable(f"expected the end, got {contrasts.quoted(rest[0][0])}", rest[0][1])
    except contrasts.Unreadable as error:
        yield Problem((KEY, goal), str(error))
    if contrast and not metrics.METRICS[contrast.metric].better:
        why = f"neither more nor less {contrast.metric} is better"
        yield Problem((KEY, goal), f"{why}; expected a metric such as utilisation or queueing_delay_mean_s")
    if contrast and request.bound is not None:
        yield from _bound_problems(request.bound, goal, contrast)
    for name, text in request.over.items():
        place: KeyPath = (KEY, OVER, name)
        ends = axis_ranges.range_ends(text, TO)
        if name == "variant" or ends is None:
            example = f"{schema.usual(schema.described(file.scenario, name)) or 1} {TO} …"
            expected = "variants are listed in `grid`" if name == "variant" else f"expected a range, as in `{example}`"
            near = _DASHED.fullmatch(text) if name != "variant" else None
            meant = f"; did you mean '{near[1]} {TO} {near[2]}'?" if near else ""
            yield Problem(place, f"{expected}; got {text!r}{meant}")
            continue
        yield from axis_ranges.problems(file, name, ends, place, place, TO)
    if file.keys.repetitions < LEAST_RUNS:
        fresh = f"the network found is run again {LEAST_RUNS} times or more"
        yield Problem(("repetitions",), f"{fresh}, for its interval; got {file.keys.repetitions}")
    per_network = limits.combination_count(file)
    networks = _least_networks(request)
    least = 2 * per_network * max(networks, file.keys.repetitions)
    if request.cells < least:
        of_each = f"{per_network} cell{'s' * (per_network != 1)}"
        why = f"half of them are for {networks} networks or more of {of_each} each"
        fresh = f"half for {file.keys.repetitions} fresh runs of what is found"
        yield Problem((KEY, CELLS), f"expected {least} or more: {why}, {fresh}; got {file.data[KEY][CELLS]}")


def _why_unknown(file: SweepFile, name: str) -> str:
    is_open = name in _request(file).over
    return f"the search chooses the values of {name} later; remove it here" if is_open else ""


def _unmet(request: SearchKey, contrast: Contrast, combinations: Sequence[Combination]) -> Iterator[Problem]:
    """Why a sweep's combinations lack the metric that is searched for, as far as known before a run."""
    (goal,) = goals = _goals(request)
    if wrong := contrasts.fault(contrast, goals[goal], combinations):
        yield Problem((KEY, goal), wrong)


def _bound_problems(written: float | str, goal: str, contrast: Contrast) -> Iterator[Problem]:
    try:
        bound = _bound(written, contrast)
    except ValueError as error:
        yield Problem((KEY, BOUND), str(error))
        return
    sign = sign_of(goal, contrast)
    if contrast.against is not None and bound * sign <= 0:
        wanted = "above" if sign > 0 else "below"
        why = f"the {goal} difference of {contrast.metric} is {wanted} 0, where {contrast.variant} has "
        message = f"{why}{'more' if sign > 0 else 'less'} than {contrast.against}"
        suggestion = f"; did you mean '-{written}'?" if sign < 0 < bound else ""
        yield Problem((KEY, BOUND), f"{message}; expected a bound on that side, got {written!r}{suggestion}")


def _goals(request: SearchKey) -> dict[str, str]:
    """What is searched for, by `GOALS`; one if there are no `problems`."""
    texts = zip(GOALS, (request.worst, request.best), strict=True)
    return {goal: text for goal, text in texts if text is not None}


def _look(file: SweepFile) -> int:
    """How many runs bring each variant of the largest mix to each place; one where checks or cells are too few."""
    blocks = [block for key in ("grid", "zip", "fixed") for _, block in sections.blocks(file.data, key)]
    variant_entries = [block.get("variant", ()) for block in blocks]
    texts = [str(text) for entry in variant_entries for text in (entry if isinstance(entry, list) else [entry])]
    largest_mix = max((text.count("+") + 1 for text in texts), default=1)
    request = _request(file)
    looks = request.cells // 2 // (largest_mix * limits.combination_count(file))
    return largest_mix if largest_mix < file.keys.repetitions and looks >= _least_networks(request) else 1


def _least_networks(request: SearchKey) -> int:
    """How many networks a search looks at, at the least."""
    return len(request.over) + 2


def _bound(value: float | str, contrast: Contrast) -> float:
    unit = "1" if contrast.is_share else metrics.METRICS[contrast.metric].unit
    return quantity_forms.metric_value(value if isinstance(value, str) else units.number_text(value), unit)


def _first_round(file: SweepFile, sweep: Sweep, problems: list[Problem]) -> tuple[Sweep, list[Problem]]:
    """A search's first round without the points that have problems, or the problems.

    If a problem is due to a range's end, or all points have problems, nothing is left out.
    """
    asked = search_record.of(sweep)
    if asked is None:
        return sweep, problems
    if ends := _end_problems(file, asked):
        return sweep, ends
    if not problems:
        return sweep, []
    sound = [point for point in sweep.points if not grid.expand(file, [point])[1]]
    return grid.expand(file, sound) if sound else (sweep, problems)


def _end_problems(file: SweepFile, asked: Search) -> list[Problem]:
    """The ends of a search's ranges that contradict the rest of the file; none if the problem is another one."""
    middles = [0.5] * len(asked.over)
    if grid.expand(file, [asked.point(middles)])[1]:
        return []
    problems: dict[Problem, None] = {}  # each problem once, not for each combination
    for position, name in enumerate(asked.over):
        for end in (0.0, 1.0):
            point = asked.point([*middles[:position], end, *middles[position + 1 :]])
            place = (KEY, OVER, name)
            for problem in grid.expand(file, [point])[1]:
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
