# SPDX-License-Identifier: MIT
"""How people write rates, times, sizes, shares and widths: their normal forms, and suggestions for wrong ones."""

import difflib
import re
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any

from tcpsweep.core.words import units
from tcpsweep.core.words.units import Factors

MOST_SECONDS = 9 * 10**9  # ns-3 counts 2^63 nanoseconds
MOST_COUNT = 2**32 - 1  # of packets or bytes in one of ns-3's queues or buffers
# Units of figures' widths on paper in LaTeX's points: a figure of 252pt must fit into a column of 252pt.
POINTS_PER_INCH = Decimal("72.27")
POINTS: dict[str, Decimal] = {
    "pt": Decimal(1),
    "in": POINTS_PER_INCH,
    "cm": POINTS_PER_INCH / Decimal("2.54"),
    "mm": POINTS_PER_INCH / Decimal("25.4"),
}
_LEAST_PT, _MOST_PT = 150, 1200
_PLAIN = re.compile(r"[0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?")
_SHARE = re.compile(r"([0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?|\.[0-9]+(?:[eE][-+]?[0-9]+)?) ?(%?)")
_OF_METRIC = re.compile(r"([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)([A-Za-z/%]*)")
# A metric's unit to an example of a value in it.
_METRIC_EXAMPLES = {"bit/s": "2Mbps", "s": "20ms", "B": "64kB", "1": "0.9 or 90%", "packets": "100p", "1/s": "250"}


class NoQuantity(ValueError):
    """A value that is not a number with a valid unit; the text says what was expected, and suggests a value."""

    def __init__(self, value: object, factors: Factors, what: str, example: str) -> None:
        self.value, self.units, self.what, self.example = value, factors, what, example
        super().__init__(self.said())

    def said(self, usual: str = "", more: str = "") -> str:
        """The text with a typical value of the parameter as an example, and with ``more`` as the suggestion."""
        example = usual if usual and units.split(self.example) else self.example
        text = f"expected {self.what}, such as {example}, got {self.value!r}"
        return text + (more or _hint(self.value, self.units, usual or self.example))


def _quantity(value: object, factors: Factors, what: str, example: str) -> tuple[Decimal, str]:
    """Split ``value`` into its number in base units and its unit."""
    parts = units.split(value)
    if parts and parts[1] in factors:
        try:
            return units.in_base_units(*parts, factors), parts[1]
        except units.TooManyDigits:
            raise ValueError(f"expected a number of reasonable size, got {value!r}") from None
    raise NoQuantity(value, factors, what, example)


def rate(value: Any) -> str:
    """A data rate: whole bit/s above zero."""
    bps, _ = _quantity(value, units.RATES, "a data rate", "10Mbps")
    if bps != int(bps) or not bps:
        raise ValueError(f"expected a whole number of bit/s above zero, got {value!r}")
    return units.scaled(bps, "bit/s")


def time(value: Any, what: str = "a time") -> str:
    """A time: whole nanoseconds, ns-3's resolution; ``what`` is the expected form in error messages."""
    time_s, _ = _quantity(value, units.TIMES, what, "20ms")
    if time_s > MOST_SECONDS:
        raise ValueError(f"expected a time of at most {MOST_SECONDS} s, got {value!r}")
    if time_s * 10**9 != int(time_s * 10**9):
        raise ValueError(f"expected a whole number of nanoseconds, ns-3's resolution, got {value!r}")
    return units.scaled(time_s, "s") if time_s else "0s"


def duration(value: Any) -> str:
    """A time above zero."""
    text = time(value)
    if text == "0s":
        raise ValueError(f"expected a time above zero, got {value!r}")
    return text


def _size(value: Any, factors: Factors, what: str, example: str) -> str:
    size, unit = _quantity(value, factors, what, example)
    if unit != "bdp" and size != int(size):
        raise ValueError(f"expected a whole number of packets or bytes, got {value!r}")
    if not size:
        raise ValueError(f"expected a size above zero, got {value!r}")
    if unit != "bdp" and size > MOST_COUNT:
        near = f"{MOST_COUNT}{'p' if unit == 'p' else 'B'}"
        raise ValueError(f"expected at most {near}, the most that ns-3 counts, got {value!r}")
    return units.plain(size) + (unit if unit in ("p", "bdp") else "B")


def queue_size(value: Any, what: str = "a queue size in packets, bytes or bandwidth-delay products") -> str:
    """A queue size in packets, bytes or bandwidth-delay products; ``what`` is the expected form in error messages."""
    return _size(value, units.QUEUES, what, "100p, 64kB or 1bdp")


def none_or_queue_size(value: Any) -> str:
    """``none``, or a queue size."""
    what = "none, or a queue size in packets, bytes or bandwidth-delay products"
    return "none" if value == "none" else queue_size(value, what)


def buffer_size(value: Any) -> str:
    """A queue size in packets or bytes."""
    return _size(value, units.BUFFERS, "a queue size in packets or bytes", "1p or 3kB")


def ecn_threshold(value: Any) -> str:
    """``none``, a queue size, or a time above zero."""
    if value == "none":
        return "none"
    parts = units.split(value)
    if parts and parts[1] in units.TIMES:
        return duration(value)
    return _size(value, units.QUEUES, "none, a queue length, or a time in the queue", "20p, 30kB, 0.2bdp or 1ms")


def word_or(word: str, read: Callable[..., str], what: str | None = None) -> Callable[[Any], str]:
    """A reader of a word or a quantity, which messages call ``what``."""

    def either(value: Any) -> str:
        if value == word:
            return word
        return read(value, what) if what else read(value)

    return either


def auto_or_bytes(value: Any) -> str | int:
    """``auto`` or a number of bytes, with or without a unit."""
    if value == "auto":
        return "auto"
    if isinstance(value, int) and not isinstance(value, bool):
        size = Decimal(value)
    else:
        size, _ = _quantity(value, units.SIZES, "auto or a number of bytes", "auto or 4MiB")
    if size != int(size) or not 0 < size <= MOST_COUNT:
        raise ValueError(f"expected auto, or a whole number of bytes from 1 to {MOST_COUNT}, got {value!r}")
    return int(size)


def byte_count(value: Any) -> int:
    """A number of bytes, with a unit or plain."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        size = Decimal(units.number_text(value))
    elif isinstance(value, str) and _PLAIN.fullmatch(value):  # conditions in expectations are text
        size = units.in_base_units(value, "B", units.SIZES)
    else:
        size, _ = _quantity(value, units.SIZES, "a number of bytes, plain or with its unit", "200kB")
    if size != int(size):
        raise ValueError(f"expected a whole number of bytes, got {value!r}")
    return int(size)


def width(value: Any) -> str:
    """A figure's width on paper, unchanged if it is valid."""
    points, unit = _quantity(value, POINTS, "a width on paper", "8.5cm")
    if not _LEAST_PT <= points <= _MOST_PT:
        # Rounded so that it stays within the bounds.
        rounded = zip((_LEAST_PT, _MOST_PT), (ROUND_CEILING, ROUND_FLOOR), strict=True)
        rounded_ends = [(end / POINTS[unit]).quantize(Decimal("0.1"), mode) for end, mode in rounded]
        ends = [units.plain(size) + unit for size in rounded_ends]
        near = ends[points > _MOST_PT]
        raise ValueError(f"expected {' to '.join(ends)}, got {value!r}; did you mean {near!r}?")
    return str(value)


def share(value: Any) -> Any:
    """A share of a whole: a number from 0 to 1, or a percentage."""
    expected = f"expected a share from 0 to 1, such as 0.01 or 1%, got {value!r}"
    if isinstance(value, str) and (match := _SHARE.fullmatch(value)):
        number_read: Any = number(float(Decimal(match[1]) / 100 if match[2] else match[1]))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        number_read = number(value)
    else:
        raise ValueError(expected)
    if not 0 <= number_read <= 1:
        is_percentage = 1 < number_read <= 100 and number_read is value
        raise ValueError(expected + (f"; did you mean '{units.number_text(value)}%'?" if is_percentage else ""))
    return number_read


def flows_or_rate(value: Any) -> Any:
    """Flows per second, a plain number; or a data rate, or ``max``."""
    if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0:
        return number(value)
    return value if value == "max" else rate(value)


def times(value: Any) -> str:
    """A time, or the mean of exponentially distributed times."""
    kind, _, mean = value.rpartition(":") if isinstance(value, str) else ("", "", value)
    if kind not in ("", "constant", "exponential"):
        raise ValueError(f"expected a time, such as 1s, or exponential:1s, got {value!r}")
    return f"exponential:{duration(mean)}" if kind == "exponential" else time(mean, "a time, or exponential:MEAN")


def number(value: Any) -> Any:
    """A number's normal form: an int if it is whole."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def metric_value(text: str, unit: str) -> float:
    """A metric's value as a number in its unit: written with a unit of the same kind, or as a plain number.

    Raises `ValueError` with the expected form.
    """
    match, factors = _OF_METRIC.fullmatch(text), units.OF_METRICS[unit]
    try:
        value = float(match[1]) if match else None
    except ValueError:
        value = None
    if match is None or value is None or (match[2] and match[2] not in factors):
        near = _hint(text, factors) if match and match[2] else ""
        expected = "a share" if unit == "1" else f"a number of {unit}, plain or with its unit"
        got = repr(text) if text else "the end"
        raise ValueError(f"expected {expected}, such as {_METRIC_EXAMPLES[unit]}, got {got}{near}")
    return value * float(factors[match[2]]) if match[2] else value


# --- suggestions for quantities without a unit, or with a unit that sweep files do not take ---

_WRONG_QUANTITY = re.compile(r"([0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?|\.[0-9]+)\s*([A-Za-zµμ/%]+)")
_RANGE = re.compile(r"([0-9.]+)\s*[A-Za-z/]*\s*(?:-|–|\.\.+|to)\s*([0-9.]+)\s*([A-Za-z/]+)")
_PLAIN_NUMBER = re.compile(r"[0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?|\.[0-9]+")
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
_MOST_PLAIN_MBPS = 1000  # as a rate, a larger plain number is in bit/s, a smaller one in Mbit/s
_LONG_SECONDS = 10_000  # a larger plain number is in ms, even if seconds are usual
_MOST_BDP, _MOST_PACKETS = 5, 10_000  # a buffer's size as a plain number


def _hint(value: object, factors: Factors, usual: str = "") -> str:
    """The end of a message on a value that is not a quantity: a suggestion, or nothing."""
    if several := range_as_list(value, factors, usual):
        return f"; several values are a list, {several}"
    nearest = nearest_quantity(value, factors, usual)
    missing = "a unit is missing: " if not _WRONG_QUANTITY.fullmatch(str(value).strip()) else ""
    return f"; {missing}did you mean '{nearest}'?" if nearest else ""


def nearest_quantity(value: object, factors: Factors, usual: str = "") -> str:
    """The quantity that a wrong value from the file probably means; empty if unknown.

    ``factors`` has the allowed units. ``usual`` is a quantity with the parameter's usual unit, such as its default.
    """
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    text = value.strip() if isinstance(value, str) else units.number_text(value)
    if _PLAIN_NUMBER.fullmatch(text):
        return _with_unit(Decimal(text), factors, usual)
    match = _WRONG_QUANTITY.fullmatch(text)
    if not match:
        return ""
    if match[2] in ("m", "M") and "min" in factors and _unit_of_quantity(usual, factors) == "s":
        return f"{units.plain(Decimal(match[1]) * 60)}s"
    unit = _meant_unit(match[2], factors, usual)
    return f"{match[1]}{unit}" if unit else ""


def range_as_list(value: object, factors: Factors, usual: str = "") -> str:
    """A range such as ``10-50ms`` as a list of its ends; empty for anything else."""
    match = _RANGE.fullmatch(value.strip()) if isinstance(value, str) else None
    unit = _meant_unit(match[3], factors, usual) if match else ""
    return f"[{match[1]}{unit}, {match[2]}{unit}]" if match and unit else ""


def _with_unit(plain: Decimal, factors: Factors, usual: str) -> str:
    """A plain number with the unit that makes it plausible; empty if there is none."""
    if plain == 0 and "ms" in factors:
        return "0s"
    if plain <= 0 or abs(plain.adjusted()) > units.MOST_DIGITS:
        return ""
    text = units.plain(plain)
    whole_text = text if plain == int(plain) else ""
    if "bps" in factors and plain >= _MOST_PLAIN_MBPS:
        return units.scaled(plain, "bit/s") if whole_text else ""
    if "bps" in factors:
        return f"{text}Mbps"
    if "ms" in factors and _unit_of_quantity(usual, factors) == "s":
        return units.scaled(plain / 1000, "s") if plain >= _LONG_SECONDS else f"{text}s"
    if "ms" in factors:  # a delay of 0.02 is in seconds, as in many programs
        return units.scaled(plain, "s") if plain < 1 else f"{text}ms"
    if "bdp" in factors and plain < _MOST_BDP:
        return f"{text}bdp"
    if "cm" in factors:
        fitting = [unit for unit in ("cm", "in", "mm", "pt") if _LEAST_PT <= plain * POINTS[unit] <= _MOST_PT]
        return text + fitting[0] if fitting else ""
    unit = "p" if "p" in factors and plain <= _MOST_PACKETS else "B"
    return whole_text + unit if whole_text and factors.keys() & {"p", "B"} else ""


def _unit_of_quantity(usual: str, factors: Factors) -> str:
    parts = units.split(usual)
    return parts[1] if parts and parts[1] in factors else ""


def _meant_unit(word: str, factors: Factors, usual: str) -> str:
    """The unit that a mistyped unit means; empty if unknown."""
    unit_by_lower_case = {unit.lower(): unit for unit in reversed(list(factors))}  # bits take precedence over bytes
    word_in_lower_case = word.lower()
    if word_in_lower_case in unit_by_lower_case:
        return unit_by_lower_case[word_in_lower_case]
    if word_in_lower_case == "m" and "ms" in factors:
        return _unit_of_quantity(usual, factors) or "ms"
    for base, unit_by_spelling in _UNIT_BY_SPELLING.items():
        if base in factors and unit_by_spelling.get(word_in_lower_case) in factors:
            return unit_by_spelling[word_in_lower_case]
    near = difflib.get_close_matches(word_in_lower_case, unit_by_lower_case, n=1, cutoff=0.6)
    return unit_by_lower_case[near[0]] if near else ""
