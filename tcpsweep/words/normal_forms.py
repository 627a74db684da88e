# SPDX-License-Identifier: MIT
"""How the values of a sweep file are written, and their one normal form.

A value's *normal form* is what a cell's identity and command line hold: ``5000kbps`` and ``5Mbps`` are both
``5Mbps``, ``1.0`` is ``1``. Two values are equal exactly when their normal forms are. All arithmetic is decimal, so
reading a value never changes it.
"""

import functools
import re
from collections.abc import Callable, Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from pathlib import Path
from typing import Any, cast

from tcpsweep.words import (
    field_names,
    kernel_names,
    network_forms,
    not_for,
    paper_widths,
    quantities,
    unit_factors,
    unit_hints,
)
from tcpsweep.words.mixes import Mix

LARGEST_STREAM = 10**6 - 1  # those behind it are the scenarios' own, as ns3-scenarios/lib/network/streams.h has them
MOST_SECONDS = 9 * 10**9  # ns-3 counts 2^63 nanoseconds
MOST_COUNT = 2**32 - 1  # of packets or bytes in one of ns-3's queues or buffers
MOST_BYTES = 10**15  # of a transfer, as ns3-scenarios/lib/traffic/sizes.cc has it
# Distributions of sizes by name: whether each of their numbers is one of bytes.
DISTRIBUTIONS: dict[str, tuple[bool, ...]] = {
    "constant": (True,),
    "exponential": (True,),
    "pareto": (True, False),
    "lognormal": (True, True, True, True),
}
_SHARE = re.compile(r"([0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?|\.[0-9]+(?:[eE][-+]?[0-9]+)?) ?(%?)")
_PLAIN = re.compile(r"[0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?")
_NAME = re.compile(r"(?:ns3::)?[A-Za-z_][A-Za-z0-9_]*(?:::[A-Za-z_][A-Za-z0-9_]*)*")


class NoQuantity(ValueError):
    """A value that is no number with one of its units; its text says what was expected, and what was perhaps meant."""

    def __init__(self, value: object, units: Mapping[str, int | Decimal], what: str, example: str) -> None:
        self.value, self.units, self.what, self.example = value, units, what, example
        super().__init__(self.said())

    def said(self, usual: str = "", more: str = "") -> str:
        """The text with a value that is usual for the parameter, and with ``more`` for what was perhaps meant."""
        one = quantities.split(self.example) is not None
        expected = f"expected {self.what}, such as {usual if usual and one else self.example}, got {self.value!r}"
        return expected + (more or unit_hints.said(self.value, self.units, usual or self.example))


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
    """A time: whole nanoseconds, ns-3's resolution; ``what`` is the expectation that an error message names."""
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
    what = "none, a length of the queue or a time in it"
    return _size(value, unit_factors.QUEUES, what, "20p, 30kB, 0.2bdp or 1ms")


def none_or_rate(value: Any) -> str:
    """``none`` or a data rate."""
    return value if value == "none" else rate(value)


def none_or_time(value: Any) -> str:
    """``none`` or a time."""
    return value if value == "none" else time(value, "none or a time")


def same_or_rate(value: Any) -> str:
    """``same`` or a data rate."""
    return value if value == "same" else rate(value)


def same_or_time(value: Any) -> str:
    """``same`` or a time."""
    return value if value == "same" else time(value, "same or a time")


def auto_or_time(value: Any) -> str:
    """``auto`` or a time."""
    return value if value == "auto" else time(value, "auto or a time")


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
    """A number of bytes, with or without a unit."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        found = Decimal(quantities.number_text(value))
    elif isinstance(value, str) and _PLAIN.fullmatch(value):  # the conditions of expectations are text
        found = quantities.in_base_units(value, "B", unit_factors.SIZES)
    else:
        found, _ = _quantity(value, unit_factors.SIZES, "a number of bytes, plain or with its unit", "200kB")
    if found != int(found):
        raise ValueError(f"expected a whole number of bytes, got {value!r}")
    return int(found)


def width(value: Any) -> str:
    """A figure's width on paper, as it is written."""
    points, unit = _quantity(value, paper_widths.POINTS, "a width on paper", "8.5cm")
    least, most = paper_widths.LEAST_PT, paper_widths.MOST_PT
    if not least <= points <= most:
        # Rounded to within the bounds.
        rounded = zip((least, most), (ROUND_CEILING, ROUND_FLOOR), strict=True)
        sizes = [(end / paper_widths.POINTS[unit]).quantize(Decimal("0.1"), way) for end, way in rounded]
        ends = [quantities.plain(size) + unit for size in sizes]
        near = ends[points > most]
        raise ValueError(f"expected {' to '.join(ends)}, got {value!r}; did you mean {near!r}?")
    return str(value)


def own_or_stream(value: Any) -> str | int:
    """``own`` or the number of a random stream; -1 for the first one that ns-3 numbers automatically."""
    stream = isinstance(value, int) and not isinstance(value, bool) and -1 <= value <= LARGEST_STREAM
    if value != "own" and not stream:
        raise ValueError(f"expected own, or a whole number from -1 to {LARGEST_STREAM}, got {value!r}")
    return cast("str | int", value)


def share(value: Any) -> Any:
    """A share of a whole: a number from 0 to 1, or a percentage."""
    said = f"expected a share from 0 to 1, such as 0.01 or 1%, got {value!r}"
    if isinstance(value, str) and (match := _SHARE.fullmatch(value)):
        found: Any = number(float(Decimal(match[1]) / 100 if match[2] else match[1]))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        found = number(value)
    else:
        raise ValueError(said)
    if not 0 <= found <= 1:
        near = f"; did you mean '{quantities.number_text(found)}%'?" if 1 < found <= 100 and found is value else ""
        raise ValueError(said + near)
    return found


def _type_name(value: Any, what: str, example: str, of_field: Mapping[str, str] | None = None) -> str:
    """A type's name without ``ns3::``; ``of_field`` has ns-3's names for those of the field that it may be too."""
    if of_field is field_names.VARIANTS and isinstance(value, str) and kernel_names.is_kernels(value):
        return value
    name = (of_field or {}).get(value.replace("-", "_"), value) if isinstance(value, str) else value
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ValueError(f"expected {what}, such as {example}, got {value!r}")
    if of_field and name[0].islower() and (answer := field_names.asked_back(name)):
        raise ValueError(f"{name!r} does not say which {what.removeprefix('a ')} is meant: {answer}")
    if of_field and name[0].islower() and (answer := not_for.said(name)):
        raise ValueError(answer)
    return name.removeprefix("ns3::")


def variant(value: Any) -> str:
    """One congestion control, by ns-3's name or the field's, or several joined by ``+``."""
    if not isinstance(value, str):
        raise ValueError(f"expected a congestion control, such as TcpCubic or TcpCubic+TcpBbr, got {value!r}")
    example = "TcpCubic or TcpCubic+TcpBbr"
    turns = [_type_name(name, "a congestion control", example, field_names.VARIANTS) for name in Mix.of(value).turns]
    return str(Mix(tuple(turns)))


def queue_disc(value: Any) -> str:
    """A queue disc, by ns-3's name or the field's, or ``none``."""
    return _type_name(value, "a queue disc", "FqCoDelQueueDisc, or none", field_names.DISCS)


def propagation_loss(value: Any) -> str:
    """A propagation loss model."""
    return _type_name(value, "a propagation loss model", "RangePropagationLossModel")


def rate_control(value: Any) -> str:
    """A rate control of Wi-Fi."""
    return _type_name(value, "a rate control", "AarfWifiManager")


def is_on_one_line(value: object) -> bool:
    """Whether a value can be a line of text by itself."""
    return not isinstance(value, str) or value.isprintable()


def attribute_value(value: Any) -> Any:
    """Text that stands on one line."""
    if not is_on_one_line(value):
        raise ValueError(f"expected text of printable characters on one line, got {value!r}")
    return value


def _path(value: Any, what: str, example: str) -> str:
    if not isinstance(value, str) or not value or not is_on_one_line(value):
        raise ValueError(f"expected {what}, such as {example}, got {value!r}")
    try:
        Path(value).expanduser()
    except RuntimeError:
        raise ValueError(f"expected {what}, but there is no home for {value!r}") from None
    return value


def folder(value: Any) -> str:
    """The path of a folder."""
    return _path(value, "a folder", "/usr or ~/ns-3.40/build")


def folder_or_file(value: Any) -> str:
    """The path of a folder or a file."""
    return _path(value, "a folder or a file", "~/ns-3.44 or ns-3.44.tar.bz2")


def processor(value: Any) -> str:
    """A processor, as GCC's ``-march`` names it."""
    if not isinstance(value, str) or not re.fullmatch(r"[A-Za-z0-9._-]+", value):
        raise ValueError(f"expected a processor as GCC names it, such as native or x86-64-v3, got {value!r}")
    return value


def flows_or_rate(value: Any) -> Any:
    """Flows per second, a plain number; or a data rate, or ``max``."""
    if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0:
        return number(value)
    return value if value == "max" else rate(value)


def times(value: Any) -> str:
    """A time, or the mean of exponential ones."""
    kind, _, mean = value.rpartition(":") if isinstance(value, str) else ("", "", value)
    if kind not in ("", "constant", "exponential"):
        raise ValueError(f"expected a time, such as 1s, or exponential:1s, got {value!r}")
    text = duration(mean) if kind == "exponential" else time(mean, "a time, or exponential:MEAN")
    return f"exponential:{text}" if kind == "exponential" else text


def ack_thinning(value: Any) -> str | int:
    """``none``, ``all``, or a number of ACKs in a row."""
    whole = isinstance(value, int) and not isinstance(value, bool) and 2 <= value <= 1_000_000
    if value not in ("none", "all") and not whole:
        raise ValueError(f"expected none, all, or a whole number from 2 to 1000000, got {value!r}")
    return cast("str | int", value)


def objects(value: Any) -> str | int:
    """``3gpp``, or a number of objects."""
    whole = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 10_000
    if value != "3gpp" and not whole:
        raise ValueError(f"expected 3gpp, or a whole number from 0 to 10000, got {value!r}")
    return cast("str | int", value)


def trace_file(value: Any) -> str:
    """``none``, or the path of a trace of delivery opportunities."""
    return _path(value, "a file of delivery opportunities, or none", "traces/lte.down")


def schedule_file(value: Any) -> str:
    """``none``, or the path of a schedule."""
    return _path(value, "a CSV file of time, rate, delay and loss, or none", "orbit.csv")


def sizes_file(value: Any) -> str:
    """The path of a distribution of sizes, or one by its name and numbers, such as ``exponential:100kB``."""
    kind, *numbers = value.split(":") if isinstance(value, str) else ("",)
    form = DISTRIBUTIONS.get(kind)
    if form is None or not numbers:
        return _path(value, "a file of the distribution of sizes, or such as exponential:100kB", "websearch.txt")
    try:
        if len(numbers) != len(form):
            raise ValueError
        sizes = [
            str(byte_count(each) if is_size else number(float(each)))
            for each, is_size in zip(numbers, form, strict=True)
        ]
    except ValueError:
        said = ":".join([kind, *("BYTES" if is_size else "SHAPE" for is_size in form)])
        raise ValueError(f"expected {said}, got {value!r}") from None
    for each, is_size in zip(sizes, form, strict=True):
        if is_size and not 1 <= int(each) <= MOST_BYTES:
            raise ValueError(f"expected 1 byte or more, up to {MOST_BYTES}, for each size of {kind}, got {value!r}")
    return ":".join([kind, *sizes])


FORMATS: dict[str, Callable[[Any], Any]] = {
    "attribute-value": attribute_value,
    "folder": folder,
    "folder-or-file": folder_or_file,
    "processor": processor,
    "rate": rate,
    "time": time,
    "duration": duration,
    "queue-size": queue_size,
    "buffer-size": buffer_size,
    "ecn-threshold": ecn_threshold,
    "none-or-rate": none_or_rate,
    "none-or-time": none_or_time,
    "share": share,
    "same-or-rate": same_or_rate,
    "same-or-time": same_or_time,
    "auto-or-time": auto_or_time,
    "auto-or-bytes": auto_or_bytes,
    "bytes": byte_count,
    "width": width,
    "own-or-stream": own_or_stream,
    "variant": variant,
    "queue-disc": queue_disc,
    "propagation-loss": propagation_loss,
    "rate-control": rate_control,
    "none-or-queue-size": none_or_queue_size,
    "flows-or-rate": flows_or_rate,
    "times": times,
    "ack-thinning": ack_thinning,
    "objects": objects,
    "trace-file": trace_file,
    "schedule-file": schedule_file,
    "sizes-file": sizes_file,
    **network_forms.FORMATS,
}


def number(value: Any) -> Any:
    """A number's normal form: an int where it is whole."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


@functools.cache
def _normal_text(value: str, kind: str) -> Any:
    return FORMATS[kind](value)


def normal(value: Any, kind: str | None = None) -> Any:
    """The normal form of a parameter's value.

    Parameters
    ----------
    value : str, int, float, bool or list
        As read from the sweep file; a list holds one value per flow.
    kind : str, optional
        The parameter's ``format`` in the schema; without one, a float without a fraction becomes an int.

    Raises
    ------
    ValueError
        What was expected and the nearest valid spelling.
    """
    if isinstance(value, list) and kind in network_forms.LISTS:
        return FORMATS[kind](value)
    if isinstance(value, list):
        items = [_normal_item(item, kind) for item in value]
        return items[0] if len(set(items)) == 1 else items
    return _normal_item(value, kind)


def _normal_item(value: Any, kind: str | None) -> Any:
    if isinstance(value, list | dict):
        raise ValueError(f"expected one value, got {value!r}")
    if kind is None:
        return number(value)
    return _normal_text(value, kind) if isinstance(value, str) else FORMATS[kind](value)


def normal_attribute(value: Any) -> str:
    """An ns-3 attribute's value as text: booleans and numbers as ns-3 reads them, rates and times normalised."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return quantities.number_text(number(value))
    for form in (rate, time):
        try:
            return form(value)
        except ValueError:
            continue
    return value
