# SPDX-License-Identifier: MIT
"""Suggestions for quantities without a unit, or with a unit that sweep files do not take."""

import difflib
import re
from decimal import Decimal

from tcpsweep.core.words import paper_widths, quantities
from tcpsweep.core.words.unit_factors import Factors

_QUANTITY = re.compile(r"([0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?|\.[0-9]+)\s*([A-Za-zµμ/%]+)")
_RANGE = re.compile(r"([0-9.]+)\s*[A-Za-z/]*\s*(?:-|–|\.\.+|to)\s*([0-9.]+)\s*([A-Za-z/]+)")
_PLAIN = re.compile(r"[0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?|\.[0-9]+")
# Other spellings of units, in small letters, to the units of sweep files, for each kind of quantity.
_RATES = {"": "bps"} | {prefix.lower(): f"{prefix}bps" for prefix in ("k", "M", "G")}
_UNIT_BY_SPELLING: dict[str, dict[str, str]] = {
    "bps": {
        f"{prefix}{bits}": unit
        for prefix, unit in _RATES.items()
        for bits in ("bit", "bits", "b", "bit/s", "bits/s", "bit/sec", "bps", "b/s", "bitps")
    }
    | {prefix: unit for prefix, unit in _RATES.items() if prefix},
    "s": {
        **dict.fromkeys(("sec", "secs", "second", "seconds"), "s"),
        **dict.fromkeys(("msec", "msecs", "millisecond", "milliseconds", "millis"), "ms"),
        **dict.fromkeys(("usec", "usecs", "microsecond", "microseconds", "µs", "μs"), "us"),
        **dict.fromkeys(("nsec", "nanosecond", "nanoseconds"), "ns"),
        **dict.fromkeys(("mins", "minute", "minutes"), "min"),
        **dict.fromkeys(("hr", "hrs", "hour", "hours"), "h"),
    },
    "p": dict.fromkeys(("packet", "packets", "pkt", "pkts", "pk", "segments", "segment"), "p"),
    "bdp": dict.fromkeys(("bdps",), "bdp"),
    "B": {"b": "B", "byte": "B", "bytes": "B", "k": "kB", "m": "MB", "g": "GB", "kib": "KiB", "ki": "KiB", "mi": "MiB"},
}
MOST_PLAIN_MBPS = 1000  # as a rate, a larger plain number is in bit/s, a smaller one in Mbit/s
_LONG_SECONDS = 10_000  # a larger plain number is in ms, even if seconds are usual
_MOST_BDP, _MOST_PACKETS = 5, 10_000  # a buffer's size as a plain number


def hint(value: object, units: Factors, usual: str = "") -> str:
    """The end of a message on a value that is not a quantity: a suggestion, or nothing."""
    if several := range_as_list(value, units, usual):
        return f"; several values are a list, {several}"
    nearest = nearest_quantity(value, units, usual)
    missing = "a unit is missing: " if not _QUANTITY.fullmatch(str(value).strip()) else ""
    return f"; {missing}did you mean '{nearest}'?" if nearest else ""


def nearest_quantity(value: object, units: Factors, usual: str = "") -> str:
    """The quantity that a wrong value from the file probably means; empty if unknown.

    ``units`` are the allowed units. ``usual`` is a quantity with the parameter's usual unit, such as its default.
    """
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    text = value.strip() if isinstance(value, str) else quantities.number_text(value)
    if _PLAIN.fullmatch(text):
        return _with_unit(Decimal(text), units, usual)
    match = _QUANTITY.fullmatch(text)
    if not match:
        return ""
    if match[2] in ("m", "M") and "min" in units and _unit_of_quantity(usual, units) == "s":
        return f"{quantities.plain(Decimal(match[1]) * 60)}s"
    unit = _meant_unit(match[2], units, usual)
    return f"{match[1]}{unit}" if unit else ""


def range_as_list(value: object, units: Factors, usual: str = "") -> str:
    """A range such as ``10-50ms`` as a list of its ends; empty for anything else."""
    match = _RANGE.fullmatch(value.strip()) if isinstance(value, str) else None
    unit = _meant_unit(match[3], units, usual) if match else ""
    return f"[{match[1]}{unit}, {match[2]}{unit}]" if match and unit else ""


def _with_unit(number: Decimal, units: Factors, usual: str) -> str:
    """A plain number with the unit that makes it plausible; empty if there is none."""
    if number == 0 and "ms" in units:
        return "0s"
    if number <= 0 or abs(number.adjusted()) > quantities.MOST_DIGITS:
        return ""
    if "bps" in units:
        if number >= MOST_PLAIN_MBPS:
            return quantities.scaled(number, "bit/s") if number == int(number) else ""
        return quantities.plain(number) + "Mbps"
    if "ms" in units:
        if _unit_of_quantity(usual, units) == "s":
            return quantities.scaled(number / 1000, "s") if number >= _LONG_SECONDS else quantities.plain(number) + "s"
        # A delay of 0.02 is in seconds, as in many programs.
        return quantities.scaled(number, "s") if number < 1 else quantities.plain(number) + "ms"
    if "p" in units:
        if "bdp" in units and number < _MOST_BDP:
            return quantities.plain(number) + "bdp"
        unit = "p" if number <= _MOST_PACKETS else "B"
        return quantities.plain(number) + unit if number == int(number) else ""
    if "cm" in units:
        least, most = paper_widths.LEAST_PT, paper_widths.MOST_PT
        fitting = [unit for unit in ("cm", "in", "mm", "pt") if least <= number * Decimal(units[unit]) <= most]
        return quantities.plain(number) + fitting[0] if fitting else ""
    return quantities.plain(number) + "B" if "B" in units and number == int(number) else ""


def _unit_of_quantity(usual: str, units: Factors) -> str:
    parts = quantities.split(usual)
    return parts[1] if parts and parts[1] in units else ""


def _meant_unit(word: str, units: Factors, usual: str) -> str:
    """The unit that a mistyped unit means; empty if unknown."""
    unit_by_lower_case = {unit.lower(): unit for unit in reversed(list(units))}  # bits take precedence over bytes
    word_in_lower_case = word.lower()
    if word_in_lower_case in unit_by_lower_case:
        return unit_by_lower_case[word_in_lower_case]
    if word_in_lower_case == "m" and "ms" in units:
        return _unit_of_quantity(usual, units) or "ms"
    for base, unit_by_spelling in _UNIT_BY_SPELLING.items():
        if base in units and unit_by_spelling.get(word_in_lower_case) in units:
            return unit_by_spelling[word_in_lower_case]
    near = difflib.get_close_matches(word_in_lower_case, unit_by_lower_case, n=1, cutoff=0.6)
    return unit_by_lower_case[near[0]] if near else ""
