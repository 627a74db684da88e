# SPDX-License-Identifier: MIT
"""Which TCP of ns-3 runs in combinations: its variants, and the parameters that choose its corrections and settings."""

from collections.abc import Iterable, Mapping, Sequence

from tcpsweep.core.sweep import assignment
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.words import field_names
from tcpsweep.core.words.dotted_names import is_variant
from tcpsweep.core.words.mixes import NOBODY, Mix

TCP = "tcp"  # stands for a preset and corrections
PRESET = "preset"
CORRECTIONS = "corrections"
# Values of the parameter `corrections`; others are names with `JOINT` between them.
ALL, NONE = "all", "none"
BY_TCP = "auto"  # of `corrections` and `preset`: what `tcp` stands for
JOINT = "+"
_SETTINGS = {"linux": "Linux' settings", "none": "its own settings", "datacentre": "the settings of a data centre"}


def variants(row: Combination) -> set[str]:
    """The variants of a combination's flows and traffic that use ns-3's TCP."""
    if row.get("stack") == assignment.OF_KERNEL:
        return set()
    names = {
        turn.removeprefix("ns3::")
        for name, value in row.items()
        if (name == "variant" or is_variant(name)) and isinstance(value, str)
        for turn in Mix.parse(value).turns
    }
    return {name for name in names if name != NOBODY and not field_names.implementation(name)}


def is_corrected(row: Combination, correction: str) -> bool:
    """Whether a combination's value of ``corrections`` selects this one, in a version of ns-3 that needs it."""
    return row[CORRECTIONS] == ALL or correction in str(row[CORRECTIONS]).split(JOINT)


def corrections_in_words(names_by_value: Mapping[str, Sequence[str]]) -> str:
    """The corrections of a sweep for people; if ``corrections`` has several values, an axis, each has its name.

    ``names_by_value`` has the corrections that each value selects in the sweep's ns-3.
    """
    words_by_value = {value: ", ".join(names) or NONE for value, names in names_by_value.items()}
    if len(words_by_value) == 1:
        return next(iter(words_by_value.values()))
    return "; ".join(value if value == names else f"{value}: {names}" for value, names in words_by_value.items())


def in_words(rows: Iterable[Combination], names_by_value: Mapping[str, Sequence[str]], version: str) -> str:
    """Which TCP of a version of ns-3 runs in combinations, with its settings; empty if no flow has ns-3's TCP."""
    values_and_presets = dict.fromkeys((str(row[CORRECTIONS]), str(row[PRESET])) for row in rows if variants(row))
    return "; ".join(
        _one_in_words(value, preset, names_by_value[value], version) for value, preset in values_and_presets
    )


def _one_in_words(value: str, preset: str, names: Sequence[str], version: str) -> str:
    listed = f"the correction{'s' * (len(names) > 1)} {', '.join(names)}"
    correction_words = {ALL: f"all {len(names)} corrections", NONE: "no corrections"}.get(value, listed)
    introduction = {ALL + "linux": "TCP as it runs today (`tcp: corrected`): "}.get(value + preset, "")
    if value == preset == NONE:
        introduction = "ns-3's own TCP (`tcp: ns-3`): "
    return f"{introduction}ns-3 {version} with {correction_words} and {_SETTINGS.get(preset, preset)}"
