# SPDX-License-Identifier: MIT
"""Conditions on combinations: a condition's values, and the combinations that have them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from tcpsweep.core.words import units

Value: TypeAlias = str | int | float | bool | list[str | int | float | bool]
"""A parameter's normal form; a list holds a value per flow, in turn."""
Combination: TypeAlias = dict[str, Value]
"""A value for every parameter and constant of the scenario, and for each attribute that is set, by name."""
Settings: TypeAlias = Mapping[str, Any]
"""A combination for code that computes with its values: the schema gives each parameter its type."""
Wanted: TypeAlias = dict[str, list[Value]]
"""A condition: for each name that it is about, the values that meet it."""


def is_met(wanted: Wanted, row: Mapping[str, Value]) -> bool:
    """Whether a combination has one of the wanted values for each name."""
    return all(row.get(name) in values for name, values in wanted.items())


def where(conditions: Iterable[Wanted], combinations: Sequence[Combination]) -> list[int]:
    """The numbers of the combinations that meet one of the conditions."""
    several = list(conditions)
    return [number for number, row in enumerate(combinations) if any(is_met(condition, row) for condition in several)]


def number(value: Value | None, form: str | None) -> float | None:
    """An ordered value as a number in SI, else None."""
    if isinstance(value, bool):
        return None
    try:
        return float(units.si(value, form))
    except (TypeError, ValueError):
        return None


def nearest_value(name: str, form: str | None, value: Value, combinations: Iterable[Combination]) -> str:
    """The sweep's nearest value to ``value``, as text, if the parameter is numeric; else ``value`` itself."""
    wanted_number = number(value, form)
    candidates = [(row[name], number(row[name], form)) for row in combinations if name in row]
    distance_by_text = {
        units.value_text(candidate): abs(candidate_number - wanted_number)
        for candidate, candidate_number in candidates
        if candidate_number is not None and wanted_number is not None
    }
    return min(distance_by_text, key=lambda text: distance_by_text[text], default=units.value_text(value))
