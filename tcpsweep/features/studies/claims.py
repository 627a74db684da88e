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
from tcpsweep.core.words import units
from tcpsweep.features.studies.study_record import Claim

LEAST_VALUES = 3

Rest: TypeAlias = tuple[tuple[str, str], ...]
"""The values of a combination that a claim does not compare."""


def places(claim: Claim, network: Sequence[int], combinations: Sequence[Combination]) -> list[Any]:
    """The positions of a network's combinations on a claim's first axis, as numbers."""
    texts = [units.value_text(combinations[number][claim.along[0]]) for number in network]
    _, position_by_text = axes.placed(texts)
    return [position_by_text[text] for text in texts]


def networks(claim: Claim, combinations: Sequence[Combination], beside: Collection[str] = ()) -> list[list[int]]:
    """The combinations that a claim compares, network by network: lists of their numbers, in the order of the claim.

    For ``more`` and ``less`` a list holds one of each, for ``than`` the mix's; along an axis, one for each value from
    low to high. If it compares variants, their settings, ``beside`` from `axes.beside_variant`, may differ.
    """
    variants = {variant for variant in (claim.of, claim.than) if variant}
    place = [
        number
        for number in matching.where(claim.where, combinations)
        if variants <= set(combinations[number].mix.turns)
    ]
    if claim.than:
        return [[number] for number in place]
    if claim.more or claim.less:
        free_names = _free_names({*claim.more, *claim.less}, beside)
        sides: list[dict[Rest, int]] = []
        for condition in (claim.more, claim.less):
            side: dict[Rest, int] = {}
            for number in set(place) & set(matching.where([condition], combinations)):
                side.setdefault(_not_compared(combinations[number], free_names), number)
            sides.append(side)
        return [
            [sides[0][rest], sides[1][rest]]
            for rest in sorted(sides[0], key=lambda rest: sides[0][rest])
            if rest in sides[1]
        ]
    axis = claim.along[0]
    numbers_by_rest: dict[Rest, list[int]] = {}
    place = [number for number in place if combinations[number].get(axis) is not None]
    free_names = _free_names({*claim.along}, beside)
    for number in place:
        numbers_by_rest.setdefault(_not_compared(combinations[number], free_names), []).append(number)
    network_lists: list[list[int]] = []
    outliers: set[int] = set()
    if claim.outlier:
        outliers = set(matching.where([claim.outlier], combinations))
    for line in numbers_by_rest.values():
        at_position = dict(zip(places(claim, line, combinations), line, strict=True))
        others = set(line) - outliers
        if len(at_position) == len(line) and len(others) >= LEAST_VALUES and len(line) - len(others) == bool(outliers):
            network_lists.append([at_position[place] for place in sorted(at_position)])
    return network_lists


def _free_names(compared: set[str], beside: Collection[str]) -> set[str]:
    """The names that may differ between the combinations that a claim compares."""
    return compared | {*beside} if "variant" in compared else compared


def _not_compared(row: Combination, free_names: Collection[str]) -> Rest:
    return tuple((key, str(value)) for key, value in sorted(row.items()) if key not in free_names)
