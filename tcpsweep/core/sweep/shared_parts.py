# SPDX-License-Identifier: MIT
"""Compact forms of lists with similar items, so that a record of 100,000 combinations stays small."""

from __future__ import annotations

import itertools
import operator
import os
from collections.abc import Hashable, Iterable, Sequence
from typing import Annotated, Any, Generic, TypeVar

import msgspec

from tcpsweep.core.sweep.matching import Combination, Value

T = TypeVar("T")
Number = Annotated[int, msgspec.Meta(ge=0)]


class Layout(msgspec.Struct):
    """The shared part of some combinations: the names in order, and the values that are the same in all."""

    names: list[str]
    shared: dict[str, Value]

    @property
    def own(self) -> list[str]:
        """The names whose values differ."""
        return [name for name in self.names if name not in self.shared]


class Rows(msgspec.Struct):
    """Combinations: each one's layout number and differing values, in the layout's order."""

    layouts: list[Layout]
    of: list[Number]
    values: list[list[Value]]


class Kinds(msgspec.Struct, Generic[T]):
    """A list in which few items occur often: the distinct items, and the item's number for each position."""

    kinds: list[T]
    of: list[Number]


IdPart = Annotated[str, msgspec.Meta(pattern=r"\A[^/\x00]*\Z")]


class OneCombination(msgspec.Struct, array_like=True):
    """The runs of a combination: its cell ids' common prefix, and each run's number and rest of the id."""

    combination: int
    begin: IdPart
    runs: list[tuple[int, IdPart]]


def packed_combinations(combinations: Sequence[Combination]) -> Rows:
    """Combinations in compact form, with the shared parts stored once."""
    numbers: dict[tuple[str, ...], int] = {}
    of = [numbers.setdefault(tuple(row), len(numbers)) for row in combinations]
    layouts = []
    for names, number in numbers.items():
        alike = [row for row, place in zip(combinations, of, strict=True) if place == number]
        first = alike[0]
        shared = {name: first[name] for name in names if _are_same(list(map(operator.itemgetter(name), alike)))}
        layouts.append(Layout(list(names), shared))
    differing = [layout.own for layout in layouts]
    values = [[row[name] for name in differing[number]] for row, number in zip(combinations, of, strict=True)]
    return Rows(layouts, of, values)


def combinations(packed: Rows) -> list[Combination]:
    """The combinations of `rows`.

    Raises
    ------
    ValueError, IndexError
        The rows are damaged.
    """
    plain = [{name: layout.shared.get(name, "") for name in layout.names} for layout in packed.layouts]
    differing = [layout.own for layout in packed.layouts]
    return [
        plain[number] | dict(zip(differing[number], values, strict=True))
        for number, values in zip(packed.of, packed.values, strict=True)
    ]


def kinds(items: Sequence[T], keys: Iterable[Hashable]) -> Kinds[T]:
    """A list in compact form; items with equal keys are stored once."""
    numbers: dict[Hashable, int] = {}
    of = [numbers.setdefault(key, len(numbers)) for key in keys]
    by_number = {number: item for item, number in zip(items, of, strict=True)}
    return Kinds([by_number[number] for number in range(len(numbers))], of)


def items(packed: Kinds[T]) -> list[T]:
    """The list of `kinds`.

    Raises
    ------
    IndexError
        The list is damaged.
    """
    return [packed.kinds[number] for number in packed.of]


def by_combination(runs: Iterable[tuple[str, int, int]]) -> list[OneCombination]:
    """Runs (cell, combination and number) in compact form, with common parts of a combination's cells stored once."""
    packed = []
    for combination, group in itertools.groupby(runs, key=lambda run: run[1]):
        group_runs = list(group)
        begin = os.path.commonprefix([cell for cell, _, _ in group_runs])  # noqa: RUF071 (of texts)
        packed.append(OneCombination(combination, begin, [(run, cell[len(begin) :]) for cell, _, run in group_runs]))
    return packed


def _are_same(column: list[Value]) -> bool:
    """Whether a column's values are equal with the same spelling; most are the same object."""
    first = column[0]
    return column.count(first) == len(column) and all(_is_same(value, first) for value in column if value is not first)


def _is_same(value: Any, other: Any) -> bool:
    """Whether two values are equal with the same spelling."""
    if isinstance(value, list) and isinstance(other, list):
        return len(value) == len(other) and all(map(_is_same, value, other))
    return value is other or (type(value) is type(other) and bool(value == other))
