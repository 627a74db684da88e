# SPDX-License-Identifier: MIT
"""How rates, times, sizes and shares are written, and their normal forms."""

import re
from collections.abc import Callable, Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any

from tcpsweep.core.words import paper_widths, quantities, unit_factors, unit_hints

MOST_SECONDS = 9 * 10**9  # ns-3 counts 2^63 nanoseconds
MOST_COUNT = 2**32 - 1  # of packets or bytes in one of ns-3's queues or buffers
_SHARE = re.compile(r"([0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?|\.[0-9]+(?:[eE][-+]?[0-9]+)?) ?(%?)")
_PLAIN = re.compile(r"[0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?")


class NoQuantity(ValueError):
    """A value that is not a number with a valid unit; the text says what was expected, and suggests a value."""

    def __init__(self, value: object, units: Mapping[str, int | Decimal], what: str, example: str) -> None:
        self.value, self.units, self.what, self.example = value, units, what, example
        super().__init__(self.said())

    def said(self, usual: str = "", more: str = "") -> str:
        """The text with a typical value of the parameter as an example, and with ``more`` as the suggestion."""
        is_quantity = quantities.split(self.example) is not None
        expected = (
            f"expected {self.what}, such as {usual if usual and is_quantity else self.example}, got {self.value!r}"
        )
        return expected + (more or unit_hints.hint(self.value, self.units, usual or self.example))


def _quantity(value: object, units: Mapping[str, int | Decimal], what: str, example: str) -> tuple[Decimal, str]:
    """Split ``value`` into its number in base units and its unit."""
    parts = quantities.split(value)
    if parts and parts[1] in units:
        try:
            return quantities.in_base_units(*parts, units), parts[1]
        except quantities.TooManyDigits:
            raise ValueError(f"expected a number of reasonable size, got {value!r}") from None
    raise NoQuantity(value, units, what, example)


def rate(value: Any) -> str:
    """A data rate: whole bit/s above zero."""
    number, _ = _quantity(value, unit_factors.RATES, "a data rate", "10Mbps")
    if number != int(number) or not number:
        raise ValueError(f"expected a whole number of bit/s above zero, got {value!r}")
    return quantities.scaled(number, "bit/s")


def time(value: Any, what: str = "a time") -> str:
    """A time: whole nanoseconds, ns-3's resolution; ``what`` is the expected form in error messages."""
    number, _ = _quantity(value, unit_factors.TIMES, what, "20ms")
    if number > MOST_SECONDS:
        raise ValueError(f"expected a time of at most {MOST_SECONDS} s, got {value!r}")
    if number * 10**9 != int(number * 10**9):
        raise ValueError(f"expected a whole number of nanoseconds, ns-3's resolution, got {value!r}")
    if not number:
        return "0s"
    return quantities.scaled(number, "s")


def duration(value: Any) -> str:
    """A time above zero."""
    text = time(value)
    if text == "0s":
        raise ValueError(f"expected a time above zero, got {value!r}")
    return text


def _size(value: Any, units: Mapping[str, int], what: str, example: str) -> str:
    number, unit = _quantity(value, units, what, example)
    if unit != "bdp" and number != int(number):
        raise ValueError(f"expected a whole number of packets or bytes, got {value!r}")
    if not number:
        raise ValueError(f"expected a size above zero, got {value!r}")
    if unit != "bdp" and number > MOST_COUNT:
        near = f"{MOST_COUNT}{'p' if unit == 'p' else 'B'}"
        raise ValueError(f"expected at most {near}, the most that ns-3 counts, got {value!r}")
    return quantities.plain(number) + (unit if unit in ("p", "bdp") else "B")


def queue_size(value: Any) -> str:
    """A queue size in packets, bytes or bandwidth-delay products."""
    what = "a queue size in packets, bytes or bandwidth-delay products"
    return _size(value, unit_factors.QUEUES, what, "100p, 64kB or 1bdp")


def none_or_queue_size(value: Any) -> str:
    """``none``, or a queue size."""
    what = "none, or a queue size in packets, bytes or bandwidth-delay products"
    return value if value == "none" else _size(value, unit_factors.QUEUES, what, "100p, 64kB or 1bdp")


def buffer_size(value: Any) -> str:
    """A queue size in packets or bytes."""
    return _size(value, unit_factors.BUFFERS, "a queue size in packets or bytes", "1p or 3kB")


def ecn_threshold(value: Any) -> str:
    """``none``, a queue size, or a time above zero."""
    if value == "none":
        return "none"
    parts = quantities.split(value)
    if parts and parts[1] in unit_factors.TIMES:
        return duration(value)
    what = "none, a queue length, or a time in the queue"
    return _size(value, unit_factors.QUEUES, what, "20p, 30kB, 0.2bdp or 1ms")


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
        number = Decimal(value)
    else:
        number, _ = _quantity(value, unit_factors.SIZES, "auto or a number of bytes", "auto or 4MiB")
    if number != int(number) or not 0 < number <= MOST_COUNT:
        raise ValueError(f"expected auto, or a whole number of bytes from 1 to {MOST_COUNT}, got {value!r}")
    return int(number)


def byte_count(value: Any) -> int:
    """A number of bytes, with a unit or plain."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        size = Decimal(quantities.number_text(value))
    elif isinstance(value, str) and _PLAIN.fullmatch(value):  # conditions in expectations are text
        size = quantities.in_base_units(value, "B", unit_factors.SIZES)
    else:
        size, _ = _quantity(value, unit_factors.SIZES, "a number of bytes, plain or with its unit", "200kB")
    if size != int(size):
        raise ValueError(f"expected a whole number of bytes, got {value!r}")
    return int(size)


def width(value: Any) -> str:
    """A figure's width on paper, unchanged if it is valid."""
    points, unit = _quantity(value, paper_widths.POINTS, "a width on paper", "8.5cm")
    least, most = paper_widths.LEAST_PT, paper_widths.MOST_PT
    if not least <= points <= most:
        # Rounded so that it stays within the bounds.
        rounded = zip((least, most), (ROUND_CEILING, ROUND_FLOOR), strict=True)
        rounded_ends = [(end / paper_widths.POINTS[unit]).quantize(Decimal("0.1"), mode) for end, mode in rounded]
        ends = [quantities.plain(size) + unit for size in rounded_ends]
        near = ends[points > most]
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
        near = (
            f"; did you mean '{quantities.number_text(number_read)}%'?"
            if 1 < number_read <= 100 and number_read is value
            else ""
        )
        raise ValueError(expected + near)
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
    text = duration(mean) if kind == "exponential" else time(mean, "a time, or exponential:MEAN")
    return f"exponential:{text}" if kind == "exponential" else text


def number(value: Any) -> Any:
    """A number's normal form: an int if it is whole."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
