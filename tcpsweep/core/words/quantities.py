# SPDX-License-Identifier: MIT
"""Values as SI numbers and as text, for steps that compute; `normal_forms` has texts for people.

All arithmetic is decimal, so reading a value never changes it.
"""

import functools
import re
from collections.abc import Mapping
from decimal import Decimal, DecimalException
from typing import Any

from tcpsweep.core.words import unit_factors

MOST_DIGITS = 18  # before or after the point; ns-3's own numbers have no more
_QUANTITY = re.compile(r"([0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?|\.[0-9]+(?:[eE][-+]?[0-9]+)?)([A-Za-z/]+)")


class TooManyDigits(ValueError):
    """A number is larger or finer than any that ns-3 has."""


def split(value: object) -> tuple[str, str] | None:
    """The number and the unit of a text, as written; None if the text lacks one of them."""
    match = _QUANTITY.fullmatch(value) if isinstance(value, str) else None
    return (match[1], match[2]) if match else None


def in_base_units(number: str, unit: str, factors: Mapping[str, int | Decimal]) -> Decimal:
    """A written number in base units, exactly. Raises `TooManyDigits`."""
    try:
        value = Decimal(number)
    except DecimalException:
        raise TooManyDigits(number) from None
    if value and abs(value.adjusted()) > MOST_DIGITS:
        raise TooManyDigits(number)
    return value * factors[unit]


def as_number(value: Any) -> float | None:
    """A number, a time or a rate in SI units, or a queue in bdp; None for other values."""
    if isinstance(value, int | float):
        return float(value)
    amount, unit = split(value) or (str(value), "")
    try:
        return float(in_base_units(amount, unit, unit_factors.TIMES | unit_factors.RATES | {"": 1, "bdp": 1}))
    except (KeyError, ValueError):
        return None


def _number_in_base_units(value: str, factors: Mapping[str, int | Decimal]) -> Decimal:
    parts = split(value)
    if parts is None or parts[1] not in factors:
        raise ValueError(f"expected a number with one of the units {', '.join(factors)}, got {value!r}")
    return in_base_units(*parts, factors)


def si(value: Any, kind: str | None = None) -> Any:
    """A normal form as a number for tables: bit/s for rates, seconds for times; other values unchanged.

    ``kind`` is the parameter's ``format`` in the schema.
    """
    return _si_text(value, kind) if isinstance(value, str) else value


@functools.cache
def _si_text(value: str, kind: str | None) -> int | float | str:
    if kind == "rate":
        return int(_number_in_base_units(value, unit_factors.RATES))
    if kind in ("time", "duration"):
        return float(_number_in_base_units(value, unit_factors.TIMES))
    return value


def buffer_size(value: str) -> tuple[int | None, int | None]:
    """A queue size as a number of packets or of bytes; the other one is None."""
    parts = split(value)
    size = int(_number_in_base_units(value, unit_factors.BUFFERS))
    return (size, None) if parts and parts[1] == "p" else (None, size)


def plain(number: Decimal) -> str:
    """A decimal as text without exponent or trailing zeros."""
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def scaled(number: Decimal, quantity: str) -> str:
    """A number of base units in the largest unit of its normal form that makes the number at least 1.

    The quantity is a key of `unit_factors.NORMAL`.
    """
    factor_by_unit = unit_factors.NORMAL[quantity]
    for unit, factor in factor_by_unit.items():
        if number >= factor:
            return plain(number / Decimal(factor)) + unit
    return plain(number) + list(factor_by_unit)[-1]


def number_text(value: float) -> str:
    """The shortest text that reads back as the number ``value``: ``0.001``, ``1e-6``, ``4``."""
    if isinstance(value, int):
        return str(value)
    text = repr(value)
    if "e" in text:
        mantissa, exponent = text.split("e")
        return f"{mantissa}e{int(exponent)}"
    return text.removesuffix(".0")


def value_text(value: Any) -> str:
    """A normal form as text for command lines and names; values of single flows are joined by commas."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ",".join(value_text(item) for item in value)
    return value if isinstance(value, str) else number_text(value)
