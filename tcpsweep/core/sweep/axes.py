# SPDX-License-Identifier: MIT
"""A sweep's axes, for figures and tables for people."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, TypeVar

from tcpsweep.core.sweep import combination_parts
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.sweep_record import Sweep, value_text
from tcpsweep.core.words import dotted_names, printed_names, units
from tcpsweep.core.words.mixes import Mix

_QUANTITY = re.compile(r"([0-9.]+(?:e-?[0-9]+)?)([A-Za-z]*)")
# A normal form's suffix to its quantity and its factor.
_SUFFIXES: dict[str, tuple[str, float]] = {"": ("", 1.0)} | {
    unit: (quantity, float(factor)) for quantity, factors in units.NORMAL.items() for unit, factor in factors.items()
}
LOG_SPAN = 10
SIMULATOR = ("stack", "kernel", "tcp", "corrections")  # axes of the simulator, not of the network
_Row = TypeVar("_Row", bound=tuple[Any, ...])


@dataclass(frozen=True)
class Axis:
    """An axis of a sweep.

    ``values`` maps each value's text, in a sweep file's form, to its position on the axis. The position is a number in
    ``unit``, or the text itself if the values are not all numbers of one kind.
    """

    name: str
    title: str
    unit: str
    values: dict[str, Any]

    @property
    def numeric(self) -> bool:
        """Whether the values are numbers."""
        return all(not isinstance(value, str) for value in self.values.values())

    @property
    def logarithmic(self) -> bool:
        """Whether the axis has a logarithmic scale, because its numbers span a factor of 10 or more."""
        positive = [value for value in self.values.values() if self.numeric and value > 0]
        return len(positive) > 1 and max(positive) >= LOG_SPAN * min(positive)

    @property
    def head(self) -> str:
        """The title with the unit."""
        return f"{self.title} [{self.unit}]" if self.unit else self.title


def swept_axes(sweep: Sweep) -> dict[str, Axis]:
    """The sweep's axes with two or more values, by name."""
    axes = {}
    for name, values in sweep.axes.items():
        if len(values) > 1:
            unit, places = placed([units.value_text(value) for value in values])
            axis = Axis(name, title(name, sweep.axes), unit, places)
            axes[name] = replace(axis, unit=sweep.plain_units.get(name, "")) if axis.numeric and not unit else axis
    return axes


def title(name: str, among: Iterable[str]) -> str:
    """A short name for a parameter or an attribute: the last part, if no other name in ``among`` ends the same."""
    if dotted_names.split(name):
        return dotted_names.short_title(name, among)
    last_part = name.rpartition("::")[2]
    same_ending = [other for other in among if other.rpartition("::")[2] == last_part]
    return last_part.replace("_", " ") if len(same_ending) < 2 else name


def placed(texts: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """The unit to show and each text's number in that unit; or no unit, and the texts themselves."""
    matches = [_QUANTITY.fullmatch(text) for text in texts]
    measured_texts = [(float(match[1]), *_SUFFIXES[match[2]]) for match in matches if match and match[2] in _SUFFIXES]
    quantities_present = {quantity for _, quantity, _ in measured_texts}
    if len(measured_texts) < len(texts) or len(quantities_present) > 1:
        return "", {text: text for text in texts}
    numbers = [number * factor for number, _, factor in measured_texts]
    quantity = quantities_present.pop()
    smallest = min((number for number in numbers if number > 0), default=1)
    scale_by_unit = units.SHOWN.get(quantity, {quantity: 1.0})
    unit = next((unit for unit, scale in scale_by_unit.items() if smallest >= 0.1 * scale), list(scale_by_unit)[-1])
    scale = scale_by_unit[unit]
    return unit, {text: float(f"{number / scale:.12g}") for text, number in zip(texts, numbers, strict=True)}


def series(variant: str | None, whole: str) -> str:
    """The label of a flow's variant: its name, and for flows in a mix also the mix's name."""
    return whole if variant in (None, whole) else f"{variant} in {whole}"


def in_order(rows: Iterable[_Row], texts: Sequence[Mapping[str, str]]) -> list[_Row]:
    """Sort rows that begin with combination and flow's variant: in the sweep's order, variants in the mix's order.

    Variants of other traffic, which need not be in the mix, come first.
    """

    def position(row: _Row) -> tuple[int, int]:
        turns = Mix.parse(texts[row[0]]["variant"]).turns
        return row[0], turns.index(row[1]) if row[1] in turns else -1

    return sorted(rows, key=position)


def names_for_print(sweep: Sweep) -> dict[str, str]:
    """The name for print of each variant, mix and series of a sweep.

    Each differs from all others: a series that another one's name would fit too is named with its whole mix.
    """
    mixes = list(dict.fromkeys(row.mix for row in sweep.combinations))
    single_variants = [(variant, variant) for mix in mixes for variant in mix.variants]
    in_mixes = [(variant, str(mix)) for mix in mixes if mix.is_mixed for variant in mix.variants]
    names: dict[str, str] = {}
    for variant, whole in dict.fromkeys([*single_variants, *((str(mix), str(mix)) for mix in mixes), *in_mixes]):
        name = series(variant, whole)
        candidates = (
            printed_names.series_name(name, sweep.names),
            series(printed_names.variant_name(variant, sweep.names), printed_names.mix_name(whole, sweep.names)),
        )
        names[name] = next((candidate for candidate in candidates if candidate not in names.values()), name)
    return names


def axes_in_words(values: Mapping[str, str], names: Mapping[str, str] = MappingProxyType({})) -> str:
    """Values of axes in one line, such as "TcpCubic, bandwidth 4Mbps, delay 5ms".

    ``names`` are variants' names for print; a variant without one has its own.
    """
    return ", ".join(
        names.get(text, text) if name == "variant" else f"{title(name, values)} {text}" for name, text in values.items()
    )


def network_axes(sweep: Sweep) -> dict[str, Axis]:
    """The axes that distinguish network conditions, by name: `swept_axes` without the variant and its settings."""
    return {name: axis for name, axis in variant_and_network_axes(sweep).items() if name != "variant"}


def variant_and_network_axes(sweep: Sweep) -> dict[str, Axis]:
    """The variant and the axes of network conditions, by name: `swept_axes` without the variants' settings."""
    return {name: axis for name, axis in swept_axes(sweep).items() if name not in sweep.with_variant}


def simulator_texts(sweep: Sweep) -> list[str | None]:
    """Each combination's simulator where axes of the grid differ in it, such as "corrections all"; else None.

    Such an axis is no part of a network condition: results of several simulators are not compared with each other, and
    not counted together.
    """
    sim_axes = [name for name in SIMULATOR if len(sweep.axes.get(name, ())) > 1]
    return [axes_in_words({name: value_text(row, name) for name in sim_axes}) or None for row in sweep.combinations]


def rest_axes(sweep: Sweep) -> list[str]:
    """The axes except the variant, the variants' settings, and axes whose values rounds choose."""
    return [name for name in sweep.axes if name not in ("variant", *sweep.with_variant, *sweep.open_axes)]


def network_texts(sweep: Sweep) -> list[dict[str, str]]:
    """Each combination's network condition: the values of `texts` without the variant's."""
    return [{name: text for name, text in row.items() if name != "variant"} for row in variant_and_network_texts(sweep)]


def variant_and_network_texts(sweep: Sweep) -> list[dict[str, str]]:
    """Each combination's variant and network condition: `Sweep.texts` without the variants' settings.

    They distinguish a sweep's own combinations, but not the combinations that `harm` adds.
    """
    if not sweep.with_variant:
        return sweep.texts
    return [{name: text for name, text in row.items() if name not in sweep.with_variant} for row in sweep.texts]


def network_keys(sweep: Sweep) -> list[str]:
    """A text for each combination that is the same exactly for combinations in the same network condition."""
    beside = beside_variant(sweep)
    return [combination_parts.key(combination_parts.network(row, beside)) for row in sweep.combinations]


def beside_variant(sweep: Sweep) -> frozenset[str]:
    """The names besides variants that may differ between combinations in one network condition.

    They are the variants' settings, and values made from swept ones: a preset's attributes, and the links of a network
    preset. Empty if variants have no settings.
    """
    if not sweep.with_variant:
        return frozenset()
    first = sweep.own[0]
    differing = {name for row in sweep.own for name in row.keys() | first.keys() if row.get(name) != first.get(name)}
    return frozenset({*sweep.with_variant} | differing - sweep.axes.keys())


def settings_of_variants(sweep: Sweep) -> str:
    """The variants' settings in a sentence, such as "CUBIC has ecn false; DCTCP has ecn true."; may be empty.

    Variants with the same settings are named together.
    """
    row_of_variant: dict[str, Combination] = {}
    for row in sweep.own if sweep.with_variant else ():
        row_of_variant.setdefault(row.variant, row)
    variants_by_settings: dict[str, list[str]] = {}
    for variant, row in row_of_variant.items():
        settings = axes_in_words({name: value_text(row, name) for name in sweep.with_variant})
        variants_by_settings.setdefault(settings, []).append(printed_names.mix_name(variant, sweep.names))
    parts = []
    for settings, variants in variants_by_settings.items():
        variant_names = " and ".join(filter(None, (", ".join(variants[:-1]), variants[-1])))
        parts.append(f"{variant_names} {'have' if len(variants) > 1 else 'has'} {settings}")
    return f"{'; '.join(parts)}." if parts else ""
