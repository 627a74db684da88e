# SPDX-License-Identifier: MIT
"""Limits on the size of one sweep file. Messages give the requested number, and nothing is expanded before the check.

Beyond these limits, `docs/scale.md` advises a sweep file for each part of the grid. `bounded_file` and `yaml_document`
limit a file's bytes, its depth, and the length of a value.
"""

from collections.abc import Iterator
from typing import Any

from tcpsweep.core.sweepfile.asked import in_rounds, repetitions
from tcpsweep.core.sweepfile.document import sections
from tcpsweep.core.sweepfile.document.yaml_document import KeyPath, Problem
from tcpsweep.core.sweepfile.keys import sweep_keys
from tcpsweep.features.pairs import pair_key

MOST_VALUES = 10_000  # of an axis; also entries of any other list
MOST_BLOCKS = 1_000  # of a section; also expectations, figures and claims
MOST_COMBINATIONS = 100_000  # before `only` and `exclude`
MOST_RUNS = 1_000_000  # in all
# Comparisons of a condition's value with a combination take 0.2 µs, those with an expectation 2 µs.
MOST_COMPARISONS, PER_EXPECTATION = 20_000_000, 10
MOST_NUMBERS_BYTES = 10_000_000  # of a study's printed numbers

_RUNS: KeyPath = ("runs",)
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


def problems(data: dict[str, Any]) -> list[Problem]:
    """The limits that a file exceeds once its axes are crossed. If there are any, do not expand the sweep."""
    combinations = pair_key.combination_count(data) * in_rounds.most_points(data)
    if combinations > MOST_COMBINATIONS:
        place: KeyPath = tuple(key for key in ("pairs", "grid", "zip", "attributes") if key in data)[:1]
        most = in_rounds.most_points(data)
        up_to = f"with up to {most:,} points on open axes in each network, " if most > 1 else ""
        size = f"{up_to}the axes make {_count_text(combinations)} combinations"
        return [Problem(place, f"{size}; the limit is {MOST_COMBINATIONS:,}: {_FEWER}")]
    runs = len(repetitions.runs(data))
    if combinations * runs > MOST_RUNS:
        place = next(((key,) for key in (repetitions.AT_MOST, "runs", "repetitions") if key in data), ())
        size = f"{combinations:,} combinations of {runs:,} repetitions make {combinations * runs:,} simulations"
        return [Problem(place, f"{size}; the limit is {MOST_RUNS:,}: {_FEWER}")]
    mistakes = []
    for path, what, count in _comparison_counts(data):
        if count * combinations > MOST_COMPARISONS:
            size = f"{count:,} {what} for each of up to {combinations:,} combinations are {count * combinations:,}"
            mistakes.append(Problem(path, f"{size} comparisons; the limit is {MOST_COMPARISONS:,}"))
    return mistakes


def numbers_problem(lines: int, combinations: int) -> str | None:
    """Why a study has too many printed numbers, each compared with every combination; None if it does not."""
    if lines * combinations <= MOST_COMPARISONS:
        return None
    size = f"{lines:,} lines for each of {combinations:,} combinations are {lines * combinations:,} comparisons"
    return f"{size}; the limit is {MOST_COMPARISONS:,}"


def _comparison_counts(data: dict[str, Any]) -> Iterator[tuple[KeyPath, str, int]]:
    """The parts of a file that are compared with every combination: place, name, and comparisons per combination."""
    for key in ("only", "exclude"):
        yield (key,), "values in conditions", sum(_value_count(block) for _, block in sections.blocks(data, key))
    expected = data.get("expect", [])
    if isinstance(expected, list):
        yield ("expect",), f"expectations ({PER_EXPECTATION} each)", PER_EXPECTATION * len(expected)
    conditions = [part.get("where", {}) for key in ("figures", "tables") for part in data.get(key, [])]
    yield ("figures",), "values in conditions", sum(map(_value_count, conditions)) + len(conditions)
    study = data.get("published", {})
    for key in ("where", "claims"):
        yield ("published", key), "values in conditions", _value_count(study.get(key, []))


def _value_count(condition: Any) -> int:
    """The number of values in a condition or in a list of conditions."""
    if isinstance(condition, dict):
        return sum(map(_value_count, condition.values()))
    return sum(map(_value_count, condition)) if isinstance(condition, list) else 1


def _count_text(number: int) -> str:
    if number < 10**15:
        return f"{number:,}"
    return f"{float(number):.1e}" if number < 10**300 else "more than 1e300"
