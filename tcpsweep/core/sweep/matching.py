# SPDX-License-Identifier: MIT
"""Combinations, and conditions on them: a condition's values, and the combinations that have them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NoReturn, TypeAlias, TypeVar

from tcpsweep.core.words import units
from tcpsweep.core.words.mixes import Mix

_Result = TypeVar("_Result")
Value: TypeAlias = str | int | float | bool | list[str | int | float | bool]
"""A parameter's normal form; a list holds a value per flow, in turn."""
Settings: TypeAlias = Mapping[str, Any]
"""A combination, or a link's values under a bottleneck's names."""
Wanted: TypeAlias = dict[str, list[Value]]
"""A condition: for each name that it is about, the values that meet it."""


class Combination(dict[str, Any]):
    """A value for every parameter and constant of a scenario, and for each attribute that is set, by name.

    The schema gives each parameter its type. Nobody can change a combination: planning 10,000 of them reads values
    millions of times, so it is a dict, but one without the methods that change it.
    """

    __slots__ = ("memory", "scenario")

    def __init__(self, scenario: str, values_by_name: Mapping[str, Value]) -> None:
        super().__init__(values_by_name)
        self.scenario: Final = scenario  # its name in the schema, or the path of a network preset
        self.memory: Final[dict[Any, Any]] = {}  # of `remembered`

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("a combination does not change: `with_values` gives another one")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        """The form in which processes send each other a combination."""
        return Combination, (self.scenario, dict(self))

    def __eq__(self, other: object) -> bool:
        """Whether scenario and values are equal; the names' order does not matter."""
        return isinstance(other, Combination) and self.scenario == other.scenario and dict.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        """Whether scenario or values differ."""
        return not self == other

    def __hash__(self) -> int:  # type: ignore[override]
        """A number that is the same for equal combinations."""
        try:
            values = frozenset(self.items())
        except TypeError:  # lists
            values = frozenset((name, tuple(v) if isinstance(v, list) else v) for name, v in self.items())
        return hash((self.scenario, values))

    def with_values(self, values: Mapping[str, Value]) -> Combination:
        """The combination with other values, also of names that it lacked."""
        return Combination(self.scenario, {**self, **values})

    @property
    def variant(self) -> str:
        """The variant of all flows, or a mix as text."""
        return str(self["variant"])

    @property
    def mix(self) -> Mix:
        """The variants that flows take in turn."""
        return Mix.parse(self.variant)

    @property
    def duration_s(self) -> float:
        """The simulated time, in s."""
        return float(units.si(self["duration"], "time"))

    @property
    def warmup_s(self) -> float:
        """The end of the warm-up, in s; 0 if it is not known yet."""
        return 0.0 if self["warmup"] == "auto" else float(units.si(self["warmup"], "time"))


def remembered(function: Callable[[Combination], _Result]) -> Callable[[Combination], _Result]:
    """A function of a combination whose result the combination keeps."""

    @functools.wraps(function)
    def kept(row: Combination) -> _Result:
        if function not in row.memory:
            row.memory[function] = function(row)
        result: _Result = row.memory[function]
        return result

    return kept


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
