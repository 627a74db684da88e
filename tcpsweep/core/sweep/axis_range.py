# SPDX-License-Identifier: MIT
"""The range of an open axis: numbers between two ends, and their values in a sweep file's form."""

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from tcpsweep.core.sweep.matching import Value
from tcpsweep.core.words import units

FLOOR = 0.01  # where the factors of a range from 0 begin, as a share of its end
DIGITS = 4  # significant digits of chosen values: enough to distinguish them, few enough to read
_NS = Decimal("1e-9")  # ns-3's resolution
_NUMBER = re.compile(r"[0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?|\.[0-9]+")
_UNITS_OF: dict[str, units.Factors] = {
    "bit/s": units.RATES,
    "s": units.TIMES,
    "B": units.SIZES,
    "packets": {"p": 1},
    "BDP": {"bdp": 1},
}
_FACTORS = {
    unit: (quantity, Decimal(factor)) for quantity, factors in _UNITS_OF.items() for unit, factor in factors.items()
}


@dataclass(frozen=True)
class AxisRange:
    """A range of an axis."""

    axis: str
    # Its ends, in the base unit of ``quantity``; ``low`` is at least 0
    low: float
    high: float
    quantity: str = ""  # a key of `units.NORMAL`; empty for plain numbers
    is_whole: bool = False  # whether only whole numbers are values
    is_text: bool = False  # whether plain numbers are texts, like attributes' values

    @property
    def is_geometric(self) -> bool:
        """Whether steps are equal factors, which is impossible if the range begins at 0."""
        return self.low > 0

    @property
    def has_zero(self) -> bool:
        """Whether it begins at 0 and has values as near to it as one likes: above 0, equal steps are equal factors."""
        return self.low == 0 and not self.is_whole

    def is_near(self, low: float, high: float, share: float) -> bool:
        """Whether two values are within a share of each other: of the lower one, of whole numbers from 0 of the range.

        Next to 0 it is a share of `FLOOR` of the range's end.
        """
        if low > 0 and (self.is_geometric or self.has_zero):
            return high <= low * (1 + share)
        return high <= low + share * self.high * (FLOOR if self.has_zero else 1)

    def number(self, value: Value | None) -> float:
        """A value's number in the base unit.

        Raises
        ------
        ValueError
            The value is not a number of this quantity.
        """
        quantity, number = measured(value)
        if quantity != self.quantity:
            raise ValueError(f"expected a number of {self.quantity or 'no unit'}, got {value!r}")
        return number

    def value(self, number: float) -> Value:
        """The nearest value with `DIGITS` digits, in normal form; the range's ends unchanged."""
        is_end = number in (self.low, self.high)
        rounded = Decimal(repr(number)) if is_end else Decimal(f"{number:.{DIGITS}g}")
        if self.is_whole or self.quantity in ("bit/s", "B", "packets"):
            rounded = rounded.quantize(Decimal(1))
        if self.quantity == "s":
            rounded = rounded.quantize(_NS)
        if not self.quantity:
            plain: Any = int(rounded) if rounded == int(rounded) else float(rounded)
            return units.number_text(plain) if self.is_text else plain
        if not rounded:
            return {"s": "0s", "bit/s": "0bps"}.get(self.quantity, "0" + list(units.NORMAL[self.quantity])[-1])
        return units.scaled(rounded.normalize(), self.quantity)

    def contains(self, value: Any) -> bool:
        """Whether a value in normal form is in the range, or beyond its ends by its rounding."""
        share = 10 ** (1 - DIGITS)
        low, high = min(self.low, self.rounded(self.low)), max(self.high, self.rounded(self.high))
        try:
            return bool(low * (1 - share) <= self.number(value) <= high * (1 + share))
        except (TypeError, ValueError):
            return False

    def rounded(self, number: float) -> float:
        """The number of the nearest value."""
        return self.number(self.value(number))

    def middle(self, low: float, high: float) -> float | None:
        """The number of the value in the middle of two others, by factor or difference; None if there is none."""
        by_factor = self.is_geometric or (self.has_zero and low > 0)
        middle = self.rounded((low * high) ** 0.5 if by_factor else (low + high) / 2)
        return middle if low < middle < high else None

    def steps(self, count: int) -> list[float]:
        """The numbers of about ``count`` values from end to end, in equal factors or differences, ascending.

        From 0, one is 0, and the others are in equal factors from `FLOOR` of the range's end.
        """
        places = [step / (count - 1) for step in range(count)]
        if self.has_zero and count > 2:
            factors = [FLOOR ** (1 - step / (count - 2)) for step in range(count - 1)]
            inner = [self.high * factor for factor in factors[:-1]]
        elif self.is_geometric:
            inner = [self.low * (self.high / self.low) ** place for place in places[1:-1]]
        else:
            inner = [self.low + (self.high - self.low) * place for place in places[1:-1]]
        return sorted(
            {self.low, *(number for number in map(self.rounded, inner) if self.low < number < self.high), self.high}
        )


def measured(value: Value | None) -> tuple[str, float]:
    """The quantity of a value, a key of `units.NORMAL` or empty, and its number in the base unit.

    Raises
    ------
    ValueError
        The value is not a number.
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "", float(value)
    parts = units.split(value)
    if parts and parts[1] in _FACTORS:
        quantity, factor = _FACTORS[parts[1]]
        return quantity, float(Decimal(parts[0]) * factor)
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return "", float(value)
    raise ValueError(f"expected a number, got {value!r}")


LOG_SPAN = 10  # ranges over such a factor, or more, are looked at by factors
AT_ZERO = 0.2  # the share of the scale that is 0, if the range begins there
SEARCH_DIGITS = 2  # of the values that are tried


def place_on_scale(axis_range: AxisRange, value: Value) -> float:
    """A value's position on the scale, 0 at the range's lower end and 1 at the upper."""
    number = min(axis_range.high, max(axis_range.low, axis_range.number(value)))
    if axis_range.has_zero:
        if not number:
            return AT_ZERO / 2
        above = math.log(max(1.0, number / (FLOOR * axis_range.high))) / math.log(1 / FLOOR)
        return AT_ZERO + (1 - AT_ZERO) * above
    if _is_by_factors(axis_range):
        return math.log(number / axis_range.low) / math.log(axis_range.high / axis_range.low)
    return (number - axis_range.low) / (axis_range.high - axis_range.low)


def value_at(axis_range: AxisRange, place: float) -> Value:
    """The value at a position on the scale, with `DIGITS` digits."""
    if axis_range.has_zero:
        number = 0.0 if place < AT_ZERO else axis_range.high * FLOOR ** (1 - (place - AT_ZERO) / (1 - AT_ZERO))
    elif _is_by_factors(axis_range):
        number = axis_range.low * (axis_range.high / axis_range.low) ** place
    else:
        number = axis_range.low + (axis_range.high - axis_range.low) * place
    return rounded_value(axis_range, number)


def rounded_value(axis_range: AxisRange, number: float, digits: int = SEARCH_DIGITS) -> Value:
    """The nearest value with ``digits`` digits in the range."""
    near = float(f"{number:.{digits - 1}e}")
    value = axis_range.value(min(axis_range.high, max(axis_range.low, near)))
    is_below = axis_range.number(value) < axis_range.low  # possible for whole numbers
    return axis_range.value(axis_range.low) if is_below else value


def _is_by_factors(axis_range: AxisRange) -> bool:
    return axis_range.low > 0 and axis_range.high >= LOG_SPAN * axis_range.low


def marked_values(axis_range: AxisRange) -> list[Value]:
    """Some values to label the scale with, from end to end."""
    places = (AT_ZERO / 2, AT_ZERO, 0.6, 1.0) if axis_range.has_zero else (0.0, 1 / 3, 2 / 3, 1.0)
    inner_values = [
        rounded_value(axis_range, axis_range.number(value_at(axis_range, place)), 1) for place in places[1:-1]
    ]
    return [axis_range.value(axis_range.low), *inner_values, axis_range.value(axis_range.high)]
