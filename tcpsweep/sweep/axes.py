# SPDX-License-Identifier: MIT
"""A sweep's axes as figures and tables for people show them."""

import re
from dataclasses import dataclass, replace

from tcpsweep.words import units
from tcpsweep.words.mixes import Mix

_QUANTITY = re.compile(r"([0-9.]+(?:e-?[0-9]+)?)([A-Za-z]*)")
# What a normal form's suffix stands for: the kind of quantity, and how much of its base unit.
_SUFFIXES = {"": ("", 1), "p": ("packets", 1), "bdp": ("BDP", 1), "B": ("B", 1)}
_SUFFIXES |= {"bps": ("bit/s", 1), "kbps": ("bit/s", 1e3), "Mbps": ("bit/s", 1e6), "Gbps": ("bit/s", 1e9)}
_SUFFIXES |= {"s": ("s", 1), "ms": ("s", 1e-3), "us": ("s", 1e-6), "ns": ("s", 1e-9)}
# A base unit's multiples that people use, the largest first.
_SHOWN = {
    "bit/s": [(1e9, "Gbit/s"), (1e6, "Mbit/s"), (1e3, "kbit/s"), (1, "bit/s")],
    "s": [(1, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")],
    "B": [(1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1, "B")],
}
LOG_SPAN = 10
UNSET = "default"


@dataclass(frozen=True)
class Axis:
    """An axis of a sweep.

    ``values`` maps each value's text, as the sweep file may write it, to its place on the axis: a number in ``unit``,
    or the text itself where the values are not all numbers of one kind.
    """

    name: str
    title: str
    unit: str
    values: dict

    @property
    def numeric(self):
        """Whether the values are numbers."""
        return all(not isinstance(value, str) for value in self.values.values())

    @property
    def logarithmic(self):
        """Whether equal steps on the axis are equal factors: its numbers span a factor of 10 or more."""
        positive = [value for value in self.values.values() if self.numeric and value > 0]
        return len(positive) > 1 and max(positive) >= LOG_SPAN * min(positive)

    @property
    def head(self):
        """The title with the unit."""
        return f"{self.title} [{self.unit}]" if self.unit else self.title


def of(sweep):
    """The sweep's axes that have two values or more, by name."""
    found = {}
    for name, values in sweep.axes.items():
        if len(values) > 1:
            unit, places = placed([units.text(value) for value in values])
            axis = Axis(name, title(name, sweep.axes), unit, places)
            found[name] = replace(axis, unit=sweep.plain_units.get(name, "")) if axis.numeric and not unit else axis
    return found


def title(name, among):
    """A parameter's or an attribute's name in few words: its last part, where no other of ``among`` ends so."""
    last = name.rpartition("::")[2]
    alike = [other for other in among if other.rpartition("::")[2] == last]
    return last.replace("_", " ") if len(alike) < 2 else name


def placed(texts):
    """The unit for people and each text's number in it, or no unit and the texts."""
    matches = [_QUANTITY.fullmatch(text) for text in texts]
    found = [_SUFFIXES.get(match[2]) if match else None for match in matches]
    kinds = {suffix and suffix[0] for suffix in found}
    if None in kinds or len(kinds) > 1:
        return "", {text: text for text in texts}
    numbers = [float(match[1]) * factor for match, (_, factor) in zip(matches, found, strict=True)]
    base = kinds.pop()
    least = min((number for number in numbers if number > 0), default=1)
    steps = _SHOWN.get(base, [(1, base)])
    scale, unit = next((step for step in steps if least >= 0.1 * step[0]), steps[-1])
    return unit, {text: float(f"{number / scale:.12g}") for text, number in zip(texts, numbers, strict=True)}


def texts(sweep):
    """Each combination's values as text: a list of dicts by axis, and ``variant`` in any case.

    An attribute that only other blocks of the grid set has its default, and is said to.
    """
    names = [*sweep.axes, *(["variant"] if "variant" not in sweep.axes else [])]
    return [{name: text(row, name) for name in names} for row in sweep.combinations]


def text(row, name):
    """What a combination has of a parameter or an attribute, as text."""
    return UNSET if row.get(name) is None else units.text(row[name])


def series(own, whole):
    """What a flow's variant is called: itself, or where it shares the link in a mix, with that."""
    return whole if own in (None, whole) else f"{own} in {whole}"


def in_order(rows, texts):
    """Pairs of combination and flow's variant in the sweep's order, a mix's variants as the mix names them."""
    return sorted(rows, key=lambda row: (row[0], Mix.of(texts[row[0]]["variant"]).turns.index(row[1])))


def said(values):
    """Values of axes in a line, such as "TcpCubic, bandwidth 4Mbps, delay 5ms"."""
    return ", ".join(text if name == "variant" else f"{title(name, values)} {text}" for name, text in values.items())
