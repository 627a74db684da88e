# SPDX-License-Identifier: MIT
"""`pairs` of a sweep file: variants that are held against each other, all mixes of two and each alone.

It is read as an axis of variants and mixes, and `harm`. The mixes are for the tables of pairs alone: a sweep of 17
variants has 136.
"""

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tcpsweep.sweep import assignment, harm_combinations
from tcpsweep.sweep.matching import Combination, Settings
from tcpsweep.sweepfile.document import sections
from tcpsweep.sweepfile.document.yaml_document import KeyPath, Problem
from tcpsweep.words import normal_forms
from tcpsweep.words.mixes import JOINT, Mix

KEY = sections.PAIRS


def variants(data: Any) -> list[str]:
    """The variants under `pairs`, in the file's order, as ns-3 names them; none if the file has no such key."""
    return [variant for _, variant in _named(data)]


def _named(data: Any) -> Iterator[tuple[int, str]]:
    given = data.get(KEY) if isinstance(data, dict) else None
    for number, value in enumerate(given if isinstance(given, list) else ()):
        try:
            yield number, str(normal_forms.normal(value, "variant"))
        except ValueError:  # of which the schema tells
            continue


def problems(data: Any) -> list[Problem]:
    """What is wrong with a file's `pairs` that the schema cannot tell."""
    found: list[Problem] = []
    seen: dict[str, int] = {}
    for number, variant in _named(data):
        if JOINT in variant:
            message = f"expected one variant, got {variant!r}; `pairs` makes the mixes by itself"
            found.append(Problem((KEY, number), message))
        elif seen.setdefault(variant, number) != number:
            found.append(Problem((KEY, number), f"{variant} stands twice, first as {KEY}[{seen[variant]}]"))
    if isinstance(data, dict) and KEY in data and (place := sections.place(data, "variant")) != (KEY,):
        message = "`pairs` is the axis of variants already: leave out one of the two"
        found.append(Problem(place, message, at_key=True))
    return found


def written_out(data: dict[str, Any]) -> dict[str, Any]:
    """A file's data with the axis of variants and the `harm` that its `pairs` stand for."""
    named = variants(data)
    if not named:
        return data
    axis = {"variant": [*named, *(str(Mix(pair)) for pair in itertools.combinations(named, 2))]}
    grid = data.get("grid", {})
    blocks = [axis | block for block in grid] if isinstance(grid, list) else axis | grid
    return {"harm": True} | {key: value for key, value in data.items() if key != KEY} | {"grid": blocks}


def added(data: dict[str, Any]) -> int:
    """How many combinations harm adds to each network of the axes at the most."""
    return 2 * len(variants(data)) if data.get("harm", True) else 0


def apart(rows: Iterable[Combination]) -> tuple[list[Combination], list[Combination]]:
    """The combinations of each variant alone, and those of the mixes."""
    alone: list[Combination] = []
    mixed: list[Combination] = []
    for row in rows:
        (mixed if is_mixed(row) else alone).append(row)
    return alone, mixed


def is_mixed(row: Settings) -> bool:
    """Whether a combination was asked for as a mix, whatever its flows have."""
    return Mix.parse(str(row["variant"])).is_mixed


def mix_problems(data: dict[str, Any], alone: Sequence[Combination], mixed: Sequence[Combination]) -> list[Problem]:
    """What keeps the flows of a mix from being half the one variant's and half the other's."""
    place = sections.place(data, "flows") or (KEY,)
    found = [Problem(place, said) for row in mixed if (said := _uneven(row))][:1]  # the others' are alike
    there = {str(row["variant"]) for row in alone}
    for number, variant in _named(data):
        if variant not in there and not found:
            why = "flows have a variant of their own, or a condition leaves it out"
            found.append(Problem((KEY, number), f"no network has {variant} alone: {why}"))
    if not found and not mixed:
        found.append(Problem((KEY,), "no network has a mix of two, which takes two flows or more"))
    return found


def _uneven(row: Settings) -> str:
    """Why a mix of two cannot be told half by half; empty if it can."""
    counts = list(harm_combinations.flows_of(row).values())
    if len(counts) < 2 or (len(counts) == 2 and counts[0] == counts[1]):
        return ""  # of a single flow, another message tells
    shared = f"`pairs` gives half of the flows to each variant of a mix, and {row['variant']} has"
    return f"{shared} {' and '.join(map(str, counts))}; expected an even number of flows without a variant of their own"


def harm_problems(combinations: Sequence[Combination], place: KeyPath = ("harm",)) -> list[Problem]:
    """The problems with a sweep file's ``harm``, each once; ``place`` is where it asks for it."""
    found = [problem for row in combinations for problem in _harm_problems_of_row(row, place)]
    if not any(Mix.parse(str(row["variant"])).is_mixed for row in combinations):
        found.append(Problem(place, "the sweep has no mix, such as variant TcpNewReno+TcpCubic, to tell harm in"))
    return list(dict.fromkeys(found))


def _harm_problems_of_row(row: Settings, place: KeyPath) -> Iterator[Problem]:
    """What keeps a mix's variants from having the same network alone."""
    if len(harm_combinations.flows_of(row)) < 2:
        return
    differing = assignment.differing(row)
    if differing and not assignment.is_rotated(row):
        yield Problem(
            place,
            f"{differing} makes flows differ, and `assignment` is fixed: among itself, a variant would have places "
            "that it does not have in the mix; leave `assignment` out, so that the variants change places",
        )
    if row["reverse_flows"]:
        yield Problem(place, "reverse_flows use a mix's variants too: a variant alone would not have the same ones")


def combination_count(data: dict[str, Any]) -> int:
    """How many combinations axes and `pairs` make, before conditions and with those that stand in several blocks."""
    if "pairs" in data:
        count = len(variants(data))
        network = {key: value for key, value in data.items() if key != "pairs"}
        return combination_count(network) * (count * (count + 1) // 2 + added(data))
    attributes = [len(values) for values in data.get("attributes", {}).values() if isinstance(values, list)]
    zips = [min(map(len, block.values()), default=1) for _, block in sections.blocks(data, "zip")]
    grids = [math.prod(map(len, block.values())) for _, block in sections.blocks(data, "grid")]
    return (sum(grids) or 1) * math.prod(zips) * math.prod(attributes)
