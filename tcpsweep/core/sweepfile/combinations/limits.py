# SPDX-License-Identifier: MIT
"""Limits on the size of one sweep file. Messages give the requested number, and nothing is expanded before the check.

Beyond these limits, `docs/scale.md` advises a sweep file for each part of the grid. `bounded_file` and `yaml_document`
limit a file's bytes, its depth, and the length of a value.
"""

import math
from collections.abc import Iterator
from typing import Any

from tcpsweep.core.contact import features
from tcpsweep.core.sweepfile.asked import in_rounds, repetitions
from tcpsweep.core.sweepfile.document import sections
from tcpsweep.core.sweepfile.document.yaml_document import KeyPath, Problem
from tcpsweep.core.sweepfile.keys import sweep_keys
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile

MOST_VALUES = 10_000  # of an axis; also entries of any other list
MOST_BLOCKS = 1_000  # of a section; also expectations, figures and claims
MOST_COMBINATIONS = 100_000  # before `only` and `exclude`
MOST_RUNS = 1_000_000  # in all
MOST_COMPARISONS = 20_000_000  # of a condition's value with a combination, which take 0.2 µs

_RUNS: KeyPath = ("runs",)
VALUES = "values in conditions"
_FEWER = "remove values, or write a sweep file for each part"


def list_problems(data: Any) -> list[Problem]:
    """Lists anywhere in the file that are too long. If there are any, do not check the data further."""
    return list(_long_list_problems(data, ()))


def _long_list_problems(value: Any, path: KeyPath) -> Iterator[Problem]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _long_list_problems(inner, (*path, key))
    elif isinstance(value, list):
        most = _most_entries(path)
        if len(value) > most:
            yield Problem(path, f"expected at most {most:,} entries, got {len(value):,}")
        else:
            for number, inner in enumerate(value):
                if isinstance(inner, dict | list):
                    yield from _long_list_problems(inner, (*path, number))


def _most_entries(path: KeyPath) -> int:
    if path == _RUNS:
        most: int = sweep_keys.properties()["repetitions"]["maximum"]
        return most
    is_section = len(path) == 1 or path in (("published", "claims"), ("published", "corrections"))
    return MOST_BLOCKS if is_section else MOST_VALUES


def problems(file: SweepFile) -> list[Problem]:
    """The limits that a file exceeds once its axes are crossed. If there are any, do not expand the sweep."""
    most = in_rounds.asked_rounds(file).most_points
    combinations = combination_count(file) * most
    if combinations > MOST_COMBINATIONS:
        keys = [*(question.key for question in features.questions() if question.added), "grid", "zip", "attributes"]
        place: KeyPath = tuple(key for key in keys if file.has(key))[:1]
        up_to = f"with up to {most:,} points on open axes in each network, " if most > 1 else ""
        size = f"{up_to}the axes make {_count_text(combinations)} combinations"
        return [Problem(place, f"{size}; the limit is {MOST_COMBINATIONS:,}: {_FEWER}")]
    runs = len(repetitions.runs(file))
    if combinations * runs > MOST_RUNS:
        place = next(((key,) for key in (repetitions.AT_MOST, "runs", "repetitions") if file.has(key)), ())
        size = f"{combinations:,} combinations of {runs:,} repetitions make {combinations * runs:,} simulations"
        return [Problem(place, f"{size}; the limit is {MOST_RUNS:,}: {_FEWER}")]
    mistakes = []
    for path, what, count in _comparison_counts(file):
        if count * combinations > MOST_COMPARISONS:
            size = f"{count:,} {what} for each of up to {combinations:,} combinations are {count * combinations:,}"
            mistakes.append(Problem(path, f"{size} comparisons; the limit is {MOST_COMPARISONS:,}"))
    return mistakes


def combination_count(file: SweepFile) -> int:
    """The number of combinations of axes, before conditions; duplicates across blocks count each time.

    It includes the combinations that questions add.
    """
    attributes = [len(values) for values in (file.keys.attributes or {}).values() if isinstance(values, list)]
    zips = [min(map(len, block.values()), default=1) for _, block in sections.blocks(file.data, "zip")]
    grids = [math.prod(map(len, block.values())) for _, block in sections.blocks(file.data, "grid")]
    factors = [question.added.factor(file) for question in features.questions() if question.added]
    return (sum(grids) or 1) * math.prod(zips) * math.prod(attributes) * math.prod(factors)


def _comparison_counts(file: SweepFile) -> Iterator[tuple[KeyPath, str, int]]:
    """The parts of a file that are compared with every combination: place, name, and comparisons per combination."""
    for key in ("only", "exclude"):
        yield (key,), VALUES, sum(condition_values(block) for _, block in sections.blocks(file.data, key))
    conditions = [part.where or {} for part in (*(file.keys.figures or ()), *(file.keys.tables or ()))]
    yield ("figures",), VALUES, sum(map(condition_values, conditions)) + len(conditions)
    for question in features.questions():
        yield from ((path, what, count) for path, (what, count) in question.comparisons(file).items())


def condition_values(condition: Any) -> int:
    """The number of values in a condition or in a list of conditions."""
    if isinstance(condition, dict):
        return sum(map(condition_values, condition.values()))
    return sum(map(condition_values, condition)) if isinstance(condition, list) else 1


def _count_text(number: int) -> str:
    if number < 10**15:
        return f"{number:,}"
    return f"{float(number):.1e}" if number < 10**300 else "more than 1e300"
