# SPDX-License-Identifier: MIT
"""The axes that a sweep file zips with the variant, as settings that each variant has of its own."""

from collections.abc import Iterable, Sequence
from typing import Any

from tcpsweep.sweep.matching import Combination, Value
from tcpsweep.sweepfile import sections
from tcpsweep.words import dotted_names


def with_variant(data: dict[str, Any], axes: Iterable[str], combinations: Sequence[Combination]) -> list[str]:
    """The axes that stand in a block of `zip` with the variant and have one value for each variant.

    An axis that has several for some variant tells networks apart like any other, as does one that follows from the
    variant without standing there: blocks of `grid` and conditions may leave out what was not meant to be compared.

    Parameters
    ----------
    data : dict
        A sweep file's data in which `schema_check.problems` found nothing.
    axes : iterable of str
        The sweep's axes.
    combinations : sequence of Combination
    """
    found: set[str] = set()
    for _, block in sections.blocks(data, "zip"):
        if any(_is_variant(name) for name in block):
            found |= {name for name in block if not _is_variant(name) and _follows(name, combinations)}
    return [name for name in axes if name in found]


def _is_variant(name: str) -> bool:
    return name == "variant" or dotted_names.is_variant(name)


def _follows(name: str, combinations: Iterable[Combination]) -> bool:
    """Whether a parameter or an attribute has one value for each variant."""
    values: dict[str, Value | None] = {}
    return all(values.setdefault(str(row["variant"]), row.get(name)) == row.get(name) for row in combinations)
