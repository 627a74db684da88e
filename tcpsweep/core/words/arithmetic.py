# SPDX-License-Identifier: MIT
"""Compute expressions in a network's description: members' names such as ``r{i+1}``, counts, and presets' rates.

Expressions have ``+ - * / %`` and parentheses over numbers and names. Division of whole numbers rounds down.
"""

import functools
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TypeAlias

from tcpsweep.core.words.units import Factors

Number: TypeAlias = int | Fraction
_TOKEN = re.compile(
    r"\s*(?:(?P<number>[0-9]+(?:\.[0-9]+)?)(?P<unit>[A-Za-z]+(?:/s)?)?|(?P<name>[A-Za-z_]\w*)|(?P<sign>.))"
)
_BRACES = re.compile(r"\{([^{}]*)\}")
MOST_CHARACTERS = 200


class Unreadable(ValueError):
    """A problem with an expression; the message is for the user."""


def whole(text: str, names: Mapping[str, int]) -> int:
    """The value of an expression over whole numbers, such as ``i / 4 + 1``. Raises `Unreadable`."""
    return int(_Reader(text, names, None).read())


def quantity(text: str, units: Factors) -> Fraction:
    """The value of an expression in base units, such as ``4 * 10Gbps / 3``, exactly. Raises `Unreadable`."""
    return Fraction(_Reader(text, {}, units).read())


@functools.lru_cache(maxsize=100_000)
def member(template: str, i: int) -> str:
    """A member's name: ``r{i+1}`` is ``r3`` for ``i`` 2. Raises `Unreadable`."""

    def computed(match: re.Match[str]) -> str:
        value = whole(match[1], {"i": i})
        if value < 0:
            raise Unreadable(f"{match[0]} of {template!r} comes to {value} for i = {i}; expected 0 or more")
        return str(value)

    name = _BRACES.sub(computed, template)
    if "{" in name or "}" in name:
        raise Unreadable(f"expected braces in pairs, such as r{{i+1}}, got {template!r}")
    return name


def is_template(text: str) -> bool:
    """Whether a name differs between members."""
    return "{" in text


class _Reader:
    """Reads an expression from the left: sums of products of numbers, names and parentheses."""

    def __init__(self, text: str, names: Mapping[str, int], units: Factors | None) -> None:
        if len(text) > MOST_CHARACTERS:
            raise Unreadable(f"expected at most {MOST_CHARACTERS} characters, got {len(text)}")
        self.text, self.names, self.units = text, names, units
        self.words = list(self._tokens_of_text())

    def _tokens_of_text(self) -> Iterator[Number | str]:
        for match in _TOKEN.finditer(self.text.rstrip()):
            if match["number"]:
                yield self._number(match["number"], match["unit"])
            elif match["name"]:
                if match["name"] not in self.names:
                    expected = " or ".join(["a number", *self.names])
                    raise Unreadable(f"expected {expected}, got {match['name']!r} in {self.text!r}")
                yield self.names[match["name"]]
            else:
                yield match["sign"]

    def _number(self, number: str, unit: str | None) -> Number:
        if self.units is None:
            if unit or "." in number:
                raise Unreadable(f"expected a whole number, got {number + (unit or '')!r} in {self.text!r}")
            return int(number)
        if unit and unit not in self.units:
            raise Unreadable(f"expected one of the units {', '.join(self.units)}, got {unit!r} in {self.text!r}")
        return Fraction(number) * (Fraction(self.units[unit]) if unit else 1)

    def read(self) -> Number:
        value = self._sum()
        if self.words:
            raise self._unexpected("the end")
        return value

    def _sum(self) -> Number:
        value = self._product()
        while self.words and self.words[0] in ("+", "-"):
            sign = self.words.pop(0)
            other = self._product()
            value = value + other if sign == "+" else value - other
        return value

    def _product(self) -> Number:
        value = self._operand()
        while self.words and self.words[0] in ("*", "/", "%"):
            sign = self.words.pop(0)
            other = self._operand()
            if sign == "*":
                value = value * other
            elif not other:
                raise Unreadable(f"{self.text!r} divides by 0")
            elif sign == "%":
                value = value % other
            else:
                value = value // other if self.units is None else Fraction(value) / other
        return value

    def _operand(self) -> Number:
        if self.words and self.words[0] == "(":
            self.words.pop(0)
            value = self._sum()
            if not self.words or self.words.pop(0) != ")":
                raise Unreadable(f"expected a closing parenthesis in {self.text!r}")
            return value
        if not self.words or isinstance(self.words[0], str):
            raise self._unexpected("a number")
        number = self.words.pop(0)
        assert not isinstance(number, str)
        return number

    def _unexpected(self, what: str) -> Unreadable:
        got = repr(str(self.words[0])) if self.words else "the end"
        return Unreadable(f"expected {what}, got {got} in {self.text!r}")
