# SPDX-License-Identifier: MIT
"""Combinations, and conditions on them: a condition's values, and the combinations that have them."""

from __future__ import annotations

from collections.abc import ItemsView, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

from tcpsweep.core.words import units
from tcpsweep.core.words.mixes import Mix

Value: TypeAlias = str | int | float | bool | list[str | int | float | bool]
"""A parameter's normal form; a list holds a value per flow, in turn."""
Settings: TypeAlias = Mapping[str, Any]
"""A combination, or a link's values under a bottleneck's names."""
Wanted: TypeAlias = dict[str, list[Value]]
"""A condition: for each name that it is about, the values that meet it."""


@dataclass(frozen=True, slots=True, eq=False)
class Combination(Mapping[str, Any]):
    """A value for every parameter and constant of a scenario, and for each attribute that is set, by name.

    The schema gives each parameter its type.
    """

    scenario: str  # its name in the schema, or the path of a network preset
    values_by_name: Mapping[str, Value]

    def __post_init__(self) -> None:
        """Keep a copy of the values that nobody can change."""
        object.__setattr__(self, "values_by_name", MappingProxyType(dict(self.values_by_name)))

    def __reduce__(self) -> tuple[Any, ...]:
        """The form in which processes send each other a combination."""
        return Combination, (self.scenario, dict(self.values_by_name))

    def __getitem__(self, name: str) -> Any:
        """The value of a parameter, constant or attribute."""
        return self.values_by_name[name]

    def __iter__(self) -> Iterator[str]:
        """The names in order."""
        return iter(self.values_by_name)

    def __len__(self) -> int:
        """The number of values."""
        return len(self.values_by_name)

    def __contains__(self, name: object) -> bool:
        """Whether the combination has a value for this name."""
        return name in self.values_by_name

    def __eq__(self, other: object) -> bool:
        """Whether scenario and values are equal; the names' order does not matter."""
        if not isinstance(other, Combination):
            return NotImplemented
        return self.scenario == other.scenario and self.values_by_name == other.values_by_name

    def __hash__(self) -> int:
        """A number that is the same for equal combinations."""
        try:
            values = frozenset(self.items())
        except TypeError:  # lists
            values = frozenset((name, tuple(v) if isinstance(v, list) else v) for name, v in self.items())
        return hash((self.scenario, values))

    def get(self, name: str, default: Any = None) -> Any:
        """The value of this name, or the default."""
        return self.values_by_name.get(name, default)

    def items(self) -> ItemsView[str, Any]:
        """The names with their values, in order."""
        return self.values_by_name.items()

    def with_values(self, values: Mapping[str, Value]) -> Combination:
        """The combination with other values, also of names that it lacked."""
        return Combination(self.scenario, {**self.values_by_name, **values})

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
