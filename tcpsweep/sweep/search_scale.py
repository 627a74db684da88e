# SPDX-License-Identifier: MIT
"""Where in the range of an open axis a value lies: the scale on which a search looks, from 0 to 1."""

import math

from tcpsweep.sweep.axis_range import AxisRange
from tcpsweep.sweep.matching import Value

LOG_SPAN = 10  # ranges over such a factor, or more, are looked at by factors
AT_ZERO = 0.2  # the share of the scale that is 0, if the range begins there
FLOOR = 0.01  # where the factors above 0 begin, as a share of the range's end
DIGITS = 2  # of the values that are tried


def place(of: AxisRange, value: Value) -> float:
    """Where a value lies, 0 at the range's lower end and 1 at the upper."""
    number = min(of.high, max(of.low, of.number(value)))
    if _has_zero(of):
        if not number:
            return AT_ZERO / 2
        above = math.log(max(1.0, number / (FLOOR * of.high))) / math.log(1 / FLOOR)
        return AT_ZERO + (1 - AT_ZERO) * above
    if _is_by_factors(of):
        return math.log(number / of.low) / math.log(of.high / of.low)
    return (number - of.low) / (of.high - of.low)


def at(of: AxisRange, place: float) -> Value:
    """The value at a place, of `DIGITS` digits."""
    if _has_zero(of):
        number = 0.0 if place < AT_ZERO else of.high * FLOOR ** (1 - (place - AT_ZERO) / (1 - AT_ZERO))
    elif _is_by_factors(of):
        number = of.low * (of.high / of.low) ** place
    else:
        number = of.low + (of.high - of.low) * place
    return rounded(of, number)


def rounded(of: AxisRange, number: float, digits: int = DIGITS) -> Value:
    """The nearest value of so many digits within the range."""
    near = float(f"{number:.{digits - 1}e}")
    value = of.value(min(of.high, max(of.low, near)))
    return of.value(of.low) if of.number(value) < of.low else value  # a whole number may be


def _has_zero(of: AxisRange) -> bool:
    return of.low == 0 and not of.is_whole


def _is_by_factors(of: AxisRange) -> bool:
    return of.low > 0 and of.high >= LOG_SPAN * of.low


def marked(of: AxisRange) -> list[Value]:
    """Some values by which a person finds the way on the scale, from end to end."""
    places = (AT_ZERO / 2, AT_ZERO, 0.6, 1.0) if _has_zero(of) else (0.0, 1 / 3, 2 / 3, 1.0)
    inner = [rounded(of, of.number(at(of, place)), 1) for place in places[1:-1]]
    return [of.value(of.low), *inner, of.value(of.high)]
