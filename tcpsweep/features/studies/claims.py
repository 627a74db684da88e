# SPDX-License-Identifier: MIT
"""The networks of a sweep to which a published study's claims apply; `claim_findings` judges the claims.

A claim may say that a metric is greater under one condition than under another, or for one variant of a mix than for
another. It may say that the metric rises or falls with an axis, or hardly changes along it. Or it may say that one
value on an axis is an outlier. Other axes may change along with the first.
"""

from collections.abc import Collection, Sequence
from typing import Any, TypeAlias

from tcpsweep.core.sweep import axes, matching
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.words import quantities
from tcpsweep.core.words.mixes import Mix
from tcpsweep.features.studies.study_record import Claim

LEAST_VALUES = 3

Rest: TypeAlias = tuple[tuple[str, str], ...]
"""The values of a combination that a claim does not compare."""


def places(claim: Claim, network: Sequence[int], combinations: Sequence[Combination]) -> list[Any]:
    """The positions of a network's combinations on a claim's first axis, as numbers."""
    texts = [quantities.value_text(combinations[number][claim.along[0]]) for number in network]
    _, found = axes.placed(texts)
    return [found[text] for text in texts]


def networks(claim: Claim, combinations: Sequence[Combination], beside: Collection[str] = ()) -> list[list[int]]:
    """The combinations that a claim compares, network by network: lists of their numbers, in the order of the claim.

    For ``more`` and ``less`` a list holds one of each, for ``than`` the mix's; along an axis, one for each value from
    low to high. If it compares variants, their settings, ``beside`` from `axes.beside_variant`, may differ.
    """
    wanted = {variant for variant in (claim.of, claim.than) if variant}
    place = [
        number
        for number in matching.where(claim.where, combinations)
        if wanted <= set(Mix.parse(str(combinations[number]["variant"])).turns)
    ]
    if claim.than:
        return [[number] for number in place]
    if claim.more or claim.less:
        names = _apart({*claim.more, *claim.less}, beside)
        sides: list[dict[Rest, int]] = []
        for condition in (claim.more, claim.less):
            side: dict[Rest, int] = {}
            for number in set(place) & set(matching.where([condition], combinations)):
                side.setdefault(_rest(combinations[number], names), number)
            sides.append(side)
        return [
            [sides[0][rest], sides[1][rest]]
            for rest in sorted(sides[0], key=lambda rest: sides[0][rest])
            if rest in sides[1]
        ]
    axis = claim.along[0]
    lines: dict[Rest, list[int]] = {}
    place = [number for number in place if combinations[number].get(axis) is not None]
    names = _apart({*claim.along}, beside)
    for number in place:
        lines.setdefault(_rest(combinations[number], names), []).append(number)
    found: list[list[int]] = []
    odd: set[int] = set()
    if claim.outlier:
        odd = set(matching.where([claim.outlier], combinations))
    for line in lines.values():
        at = dict(zip(places(claim, line, combinations), line, strict=True))
        others = set(line) - odd
        if len(at) == len(line) and len(others) >= LEAST_VALUES and len(line) - len(others) == bool(odd):
            found.append([at[place] for place in sorted(at)])
    return found


def _apart(compared: set[str], beside: Collection[str]) -> set[str]:
    """The names that may differ between the combinations that a claim compares."""
    return compared | {*beside} if "variant" in compared else compared


def _rest(row: Combination, names: Collection[str]) -> Rest:
    return tuple((key, str(value)) for key, value in sorted(row.items()) if key not in names)
