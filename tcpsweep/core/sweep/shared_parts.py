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
    layout_numbers: dict[tuple[str, ...], int] = {}
    layout_of_row = [layout_numbers.setdefault(tuple(row), len(layout_numbers)) for row in combinations]
    layouts = []
    for names, number in layout_numbers.items():
        rows_of_layout = [row for row, place in zip(combinations, layout_of_row, strict=True) if place == number]
        first = rows_of_layout[0]
        shared = {
            name: first[name] for name in names if _are_same(list(map(operator.itemgetter(name), rows_of_layout)))
        }
        layouts.append(Layout(list(names), shared))
    differing = [layout.own for layout in layouts]
    values = [
        [row[name] for name in differing[number]] for row, number in zip(combinations, layout_of_row, strict=True)
    ]
    return Rows(layouts, layout_of_row, values)


def combinations(packed: Rows, scenario: str) -> list[Combination]:
    """The combinations of `packed_combinations`, which have this scenario.

    Raises
    ------
    ValueError, IndexError
        The rows are damaged.
    """
    shared_values = [{name: layout.shared.get(name, "") for name in layout.names} for layout in packed.layouts]
    differing = [layout.own for layout in packed.layouts]
    return [
        Combination(scenario, shared_values[number] | dict(zip(differing[number], values, strict=True)))
        for number, values in zip(packed.of, packed.values, strict=True)
    ]


def kinds(items: Sequence[T], keys: Iterable[Hashable]) -> Kinds[T]:
    """A list in compact form; items with equal keys are stored once."""
    number_by_key: dict[Hashable, int] = {}
    number_of_item = [number_by_key.setdefault(key, len(number_by_key)) for key in keys]
    item_by_number = {number: item for item, number in zip(items, number_of_item, strict=True)}
    return Kinds([item_by_number[number] for number in range(len(number_by_key))], number_of_item)


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
        prefix = os.path.commonprefix([cell for cell, _, _ in group_runs])  # noqa: RUF071 (of texts)
        packed.append(OneCombination(combination, prefix, [(run, cell[len(prefix) :]) for cell, _, run in group_runs]))
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
