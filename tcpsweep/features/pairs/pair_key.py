# SPDX-License-Identifier: MIT
"""`pairs` of a sweep file: it compares variants with each other, in all mixes of two and homogeneous.

The key is replaced by an axis of variants and mixes, and by `harm`. Only the tables of pairs show the mixes, because a
sweep of 17 variants has 136.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from tcpsweep.core.contact.question import AddedCombinations, Question
from tcpsweep.core.sweep import assignment, combination_parts
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.sweep_record import Sweep
from tcpsweep.core.sweepfile.document import sections
from tcpsweep.core.sweepfile.document.yaml_document import KeyPath, Problem
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.core.words import normal_forms
from tcpsweep.core.words.mixes import JOINT, Mix
from tcpsweep.features.pairs import harm_combinations
from tcpsweep.features.pairs.pair_fields import PairFields
from tcpsweep.features.pairs.pair_record import KEY


def variants(file: SweepFile) -> list[str]:
    """The variants under `pairs`, in the file's order, with ns-3's names; empty if the file lacks the key."""
    return [variant for _, variant in _numbered_variants(file.data)]


def _numbered_variants(data: Any) -> Iterator[tuple[int, str]]:
    entries = data.get(KEY) if isinstance(data, dict) else None
    for number, value in enumerate(entries if isinstance(entries, list) else ()):
        try:
            yield number, str(normal_forms.normal(value, "variant"))
        except ValueError:  # the schema reports it
            continue


def problems(data: Any) -> list[Problem]:
    """Problems with a file's `pairs` that the schema cannot detect."""
    reported: list[Problem] = []
    first: dict[str, int] = {}
    for number, variant in _numbered_variants(data):
        if JOINT in variant:
            message = f"expected one variant, got {variant!r}; `pairs` makes the mixes"
            reported.append(Problem((KEY, number), message))
        elif first.setdefault(variant, number) != number:
            reported.append(Problem((KEY, number), f"{variant} is listed twice, first as {KEY}[{first[variant]}]"))
    if isinstance(data, dict) and KEY in data and (place := sections.place(data, "variant")) != (KEY,):
        message = "`pairs` already sets the variants: remove this key or `pairs`"
        reported.append(Problem(place, message, at_key=True))
    return reported


def written_out(file: SweepFile) -> SweepFile:
    """The file in which the axis of variants and `harm` replace `pairs`."""
    pair_variants = variants(file)
    if not pair_variants:
        return file
    axis = {"variant": [*pair_variants, *(str(Mix(pair)) for pair in itertools.combinations(pair_variants, 2))]}
    grid = file.keys.grid or {}
    blocks = [axis | block for block in grid] if isinstance(grid, list) else axis | grid
    rest = {key: value for key, value in file.data.items() if key != KEY}
    return replace(file, data={"harm": True} | rest | {"grid": blocks})


def _asks_for_harm(file: SweepFile) -> bool:
    return file.of(PairFields).harm if file.has("harm") else file.has(KEY)


def factor(file: SweepFile) -> int:
    """The most combinations that `pairs` makes of each one of the axes: those of variants, of mixes, and of harm."""
    if not file.has(KEY):
        return 1
    count = len(variants(file))
    return count * (count + 1) // 2 + (2 * count if _asks_for_harm(file) else 0)


def own_and_added(
    file: SweepFile, combinations: list[Combination], is_sound: bool
) -> tuple[list[Combination], list[Combination], list[Problem]]:
    """The sweep's own combinations, which `pairs` keeps homogeneous; the mixes and those that harm needs; problems."""
    is_paired = file.has(KEY)
    own: list[Combination] = []
    mixed: list[Combination] = []
    for row in combinations:
        (mixed if is_paired and row.mix.is_mixed else own).append(row)
    problems = mix_problems(file, own, mixed) if is_paired and is_sound else []
    if not _asks_for_harm(file):
        return own, mixed, problems
    if mixed or not is_paired:
        problems += harm_problems(combinations, (KEY,) if is_paired else ("harm",))
    return own, mixed + harm_combinations.missing(combinations), problems


def asked_of_axes(file: SweepFile, sweep: Sweep) -> tuple[Sweep, list[Problem]]:
    """The sweep with the variants of `pairs`, which are its axis of variants."""
    pair_variants = variants(file)
    if not pair_variants:
        return replace(sweep, added_for="for harm"), []
    sweep = replace(sweep, added_for="for pairs", axes=sweep.axes | {"variant": list(pair_variants)})
    return sweep.with_question(KEY, pair_variants), []


def mix_problems(file: SweepFile, alone: Sequence[Combination], mixed: Sequence[Combination]) -> list[Problem]:
    """Why a mix's flows cannot be divided in half between its two variants."""
    place = sections.place(file.data, "flows") or (KEY,)
    reported = [Problem(place, reason) for row in mixed if (reason := _why_uneven(row))][
        :1
    ]  # one is enough: the others are similar
    homogeneous = {row.variant for row in alone}
    for number, variant in enumerate(variants(file)):
        if variant not in homogeneous and not reported:
            why = "flows name their own variant, or a condition excludes it"
            reported.append(Problem((KEY, number), f"{variant} is homogeneous in no network condition: {why}"))
    if not reported and not mixed:
        reported.append(Problem((KEY,), "no network condition has a mix: write two flows or more"))
    return reported


def _why_uneven(row: Combination) -> str:
    """Why a mix's flows are not divided in half; empty if they are."""
    counts = list(combination_parts.flows_of(row).values())
    if len(counts) < 2 or (len(counts) == 2 and counts[0] == counts[1]):
        return ""  # another message reports a single flow
    shared = f"`pairs` gives half of the flows to each variant of a mix, but {row['variant']} has"
    return f"{shared} {' and '.join(map(str, counts))}; expected an even number of flows without a variant of their own"


def harm_problems(combinations: Sequence[Combination], place: KeyPath = ("harm",)) -> list[Problem]:
    """The problems with a sweep file's ``harm``, each once; ``place`` is the path of the key that requests it."""
    reported = [problem for row in combinations for problem in _harm_problems_of_row(row, place)]
    if not any(row.mix.is_mixed for row in combinations):
        reported.append(Problem(place, "harm needs a mix, such as TcpNewReno+TcpCubic: add one under `variant`"))
    return list(dict.fromkeys(reported))


def _harm_problems_of_row(row: Combination, place: KeyPath) -> Iterator[Problem]:
    """Why a mix's variants cannot be homogeneous in the same network condition."""
    if len(combination_parts.flows_of(row)) < 2:
        return
    differing = assignment.differing(row)
    if differing and not assignment.is_rotated(row):
        yield Problem(
            place,
            f"{differing} makes flows differ, and `assignment` is fixed: homogeneous flows would have positions "
            "that the variant does not have in the mix; remove `assignment`, so that the variants swap positions",
        )
    if row["reverse_flows"]:
        yield Problem(
            place,
            "reverse flows have a mix's variants, so homogeneous runs would differ in them; remove `reverse_flows`",
        )


QUESTION = Question(
    key=KEY,
    asked_of_axes=asked_of_axes,
    added=AddedCombinations(
        key_problems=problems, file_with_axes=written_out, factor=factor, own_and_added=own_and_added
    ),
)
