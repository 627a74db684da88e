# SPDX-License-Identifier: MIT
"""Check that a sweep can show harm: each variant of a mix must have the same network when it is alone."""

from collections.abc import Iterator, Sequence

from tcpsweep.sweep import assignment, harm_combinations
from tcpsweep.sweep.matching import Combination, Settings
from tcpsweep.sweepfile.yaml_document import KeyPath, Problem
from tcpsweep.words.mixes import Mix


def problems(combinations: Sequence[Combination], place: KeyPath = ("harm",)) -> list[Problem]:
    """The problems with a sweep file's ``harm``, each once; ``place`` is where it asks for it."""
    found = [problem for row in combinations for problem in _of_row(row, place)]
    if not any(Mix.of(str(row["variant"])).is_mixed for row in combinations):
        found.append(Problem(place, "the sweep has no mix, such as variant TcpNewReno+TcpCubic, to tell harm in"))
    return list(dict.fromkeys(found))


def _of_row(row: Settings, place: KeyPath) -> Iterator[Problem]:
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
