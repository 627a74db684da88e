# SPDX-License-Identifier: MIT
"""Values with units as SI numbers and as text, for steps that compute; `quantity_forms` reads what people write.

All arithmetic is decimal, so reading a value never changes it.
"""

import functools
import re
from collections.abc import Mapping
from decimal import Decimal, DecimalException
from typing import Any, TypeAlias

Factors: TypeAlias = Mapping[str, int | Decimal]
"""Each unit to its factor to the base unit, exactly."""

# Units in sweep files: of rates in bit/s, of times in s, of sizes in B.
RATES: dict[str, int] = {
    f"{prefix}{bits}{per}": factor * size
    for prefix, factor in {"": 1, "k": 10**3, "K": 10**3, "M": 10**6, "G": 10**9}.items()
    for bits, size in {"b": 1, "B": 8}.items()
    for per in ("ps", "/s")
} | {
    f"{prefix}{bits}/s": factor * size
    for prefix, factor in {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30}.items()
    for bits, size in {"b": 1, "B": 8}.items()
}
TIMES: dict[str, Decimal] = {
    "s": Decimal(1),
    "ms": Decimal("1e-3"),
    "us": Decimal("1e-6"),
    "ns": Decimal("1e-9"),
    "min": Decimal(60),
    "h": Decimal(3600),
}
SIZES: dict[str, int] = {
    "B": 1,
    "kB": 10**3,
    "KB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
    "KiB": 2**10,
    "MiB": 2**20,
    "GiB": 2**30,
}
BUFFERS: dict[str, int] = {"p": 1} | SIZES
QUEUES: dict[str, int] = {"p": 1, "bdp": 1} | SIZES
# A metric's unit to the units in which a sweep file may write its values.
OF_METRICS: dict[str, Factors] = {
    "bit/s": RATES,
    "s": TIMES,
    "B": SIZES,
    "1": {"%": Decimal("0.01")},
    "packets": {"p": 1},
    "1/s": {},
}
# A quantity to the units of its normal form, the largest first.
NORMAL: dict[str, Factors] = {
    "bit/s": {unit: RATES[unit] for unit in ("Gbps", "Mbps", "kbps", "bps")},
    "s": {unit: TIMES[unit] for unit in ("s", "ms", "us", "ns")},
    "B": {"B": 1},
    "packets": {"p": 1},
    "BDP": {"bdp": 1},
}


def _in_print(unit: str) -> float:
    """The factor of a unit in its printed spelling: kbit/s for kb/s, µs for us."""
    factors: Factors = {**RATES, **TIMES, **SIZES}
    return float(factors[unit.replace("bit", "b").replace("µ", "u")])


# The units of figures and tables for people, the largest first.
SHOWN: dict[str, dict[str, float]] = {
    quantity: {unit: _in_print(unit) for unit in units}
    for quantity, units in {
        "bit/s": ("Gbit/s", "Mbit/s", "kbit/s", "bit/s"),
        "s": ("s", "ms", "µs", "ns"),
        "B": ("GB", "MB", "kB", "B"),
    }.items()
}
# A metric's unit to the units in publications; a segment's payload is the sweep's segment_size.
PRINTED: dict[str, dict[str, float | None]] = {
    "bit/s": {unit: _in_print(unit) for unit in ("bit/s", "kbit/s", "Mbit/s", "Kibit/s", "Mibit/s", "kB/s")},
    "B": {**{unit: _in_print(unit) for unit in ("B", "kB", "MB")}, "segments": None},
    "s": {unit: _in_print(unit) for unit in ("s", "ms")},
    "1": {"1": 1, "%": 1e-2},
    "packets": {"packets": 1},
    "1/s": {"1/s": 1},
}
MOST_DIGITS = 18  # before or after the point; ns-3's own numbers have no more
_QUANTITY = re.compile(r"([0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?|\.[0-9]+(?:[eE][-+]?[0-9]+)?)([A-Za-z/]+)")


class TooManyDigits(ValueError):
    """A number is larger or finer than any that ns-3 has."""


def split(value: object) -> tuple[str, str] | None:
    """The number and the unit of a text, as written; None if the text lacks one of them."""
    match = _QUANTITY.fullmatch(value) if isinstance(value, str) else None
    return (match[1], match[2]) if match else None


def in_base_units(number: str, unit: str, factors: Factors) -> Decimal:
    """A written number in base units, exactly. Raises `TooManyDigits`."""
    try:
        value = Decimal(number)
    except DecimalException:
        raise TooManyDigits(number) from None
    if value and abs(value.adjusted()) > MOST_DIGITS:
        raise TooManyDigits(number)
    return value * factors[unit]


def quantity(value: str, factors: Factors) -> Decimal:
    """A text's number in base units, exactly. Raises `ValueError` if it has none of these units."""
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
        return int(quantity(value, RATES))
    if kind in ("time", "duration"):
        return float(quantity(value, TIMES))
    return value


def plain(number: Decimal) -> str:
    """A decimal as text without exponent or trailing zeros."""
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def scaled(number: Decimal, dimension: str) -> str:
    """A number of base units in the largest unit of its normal form that makes the number at least 1.

    ``dimension`` is a key of `NORMAL`.
    """
    factor_by_unit = NORMAL[dimension]
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


def as_number(value: Any) -> float | None:
    """A number, a time or a rate in SI units, or a queue in bdp; None for other values."""
    if isinstance(value, int | float):
        return float(value)
    amount, unit = split(value) or (str(value), "")
    try:
        return float(in_base_units(amount, unit, TIMES | RATES | {"": 1, "bdp": 1}))
    except (KeyError, ValueError):
        return None
