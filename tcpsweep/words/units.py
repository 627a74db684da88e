# SPDX-License-Identifier: MIT
"""How the values of a sweep file are written, and their one normal form.

A value's *normal form* is what a cell's identity and command line hold: ``5000kbps`` and ``5Mbps`` are both
``5Mbps``, ``1.0`` is ``1``. Two values are equal exactly when their normal forms are. All arithmetic is decimal, so
no value moves by being read.
"""

import difflib
import functools
import re
from decimal import Decimal, DecimalException
from pathlib import Path

RATES = {
    f"{prefix}{bits}{per}": factor * size
    for prefix, factor in {"": 1, "k": 10**3, "K": 10**3, "M": 10**6, "G": 10**9}.items()
    for bits, size in {"b": 1, "B": 8}.items()
    for per in ("ps", "/s")
} | {
    f"{prefix}{bits}/s": factor * size
    for prefix, factor in {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30}.items()
    for bits, size in {"b": 1, "B": 8}.items()
}
TIMES = {
    "s": Decimal(1),
    "ms": Decimal("1e-3"),
    "us": Decimal("1e-6"),
    "ns": Decimal("1e-9"),
    "min": Decimal(60),
    "h": Decimal(3600),
}
SIZES = {"B": 1, "kB": 10**3, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
# The units that publications print, in each metric's own; a segment's payload is the sweep's segment_size.
PRINTED = {
    "bit/s": {"bit/s": 1, "kbit/s": 1e3, "Mbit/s": 1e6, "Kibit/s": 2**10, "Mibit/s": 2**20, "kB/s": 8e3},
    "B": {"B": 1, "kB": 1e3, "MB": 1e6, "segments": None},
    "s": {"s": 1, "ms": 1e-3},
    "1": {"1": 1, "%": 1e-2},
    "packets": {"packets": 1},
    "1/s": {"1/s": 1},
}
LARGEST_STREAM = 10**9
MOST_SECONDS = 9 * 10**9  # ns-3 counts 2^63 nanoseconds
MOST_DIGITS = 18  # before or behind the point; ns-3's own numbers have no more
_QUANTITY = re.compile(r"([0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?|\.[0-9]+(?:[eE][-+]?[0-9]+)?)([A-Za-z/]+)")
_NAME = re.compile(r"(?:ns3::)?[A-Za-z_][A-Za-z0-9_]*(?:::[A-Za-z_][A-Za-z0-9_]*)*")


def _quantity(value, units, what, example):
    """Split ``value`` into its number in base units, an exact decimal, and its unit."""
    match = _QUANTITY.fullmatch(value) if isinstance(value, str) else None
    if match and match[2] in units:
        try:
            number = Decimal(match[1])
        except DecimalException:
            number = None
        if number is None or (number and abs(number.adjusted()) > MOST_DIGITS):
            raise ValueError(f"expected a number of reasonable size, got {value!r}")
        return number * units[match[2]], match[2]
    hint = ""
    if match:
        folded = {unit.lower(): unit for unit in reversed(units)}
        near = difflib.get_close_matches(match[2].lower(), folded, n=1, cutoff=0.5)
        hint = f"; did you mean {match[1] + folded[near[0]]!r}?" if near else ""
    elif isinstance(value, int | float) and not isinstance(value, bool):
        hint = (
            f"; a unit is missing: did you mean {number_text(value) + example.split(',')[0].lstrip('0123456789.')!r}?"
        )
    raise ValueError(f"expected {what}, such as {example}, got {value!r}{hint}")


def _plain(number):
    """A decimal as text without exponent or idle zeros."""
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def number_text(value):
    """The shortest text that reads back as the number ``value``: ``0.001``, ``1e-6``, ``4``."""
    if isinstance(value, int):
        return str(value)
    text = repr(value)
    if "e" in text:
        mantissa, exponent = text.split("e")
        return f"{mantissa}e{int(exponent)}"
    return text.removesuffix(".0")


def _scaled(value, steps):
    """``value`` in the largest unit of ``steps`` that leaves at least 1 before the point."""
    for unit, factor in steps:
        if value >= factor:
            return _plain(value / factor) + unit
    return _plain(value) + steps[-1][0]


def rate(value):
    """A data rate: whole bit/s above zero."""
    number, _ = _quantity(value, RATES, "a data rate", "10Mbps")
    if number != int(number) or not number:
        raise ValueError(f"expected a whole number of bit/s above zero, got {value!r}")
    return _scaled(number, [("Gbps", 10**9), ("Mbps", 10**6), ("kbps", 10**3), ("bps", 1)])


def time(value, what="a time"):
    """A time: whole nanoseconds, ns-3's resolution; ``what`` says in a message what was expected."""
    number, _ = _quantity(value, TIMES, what, "20ms")
    if number > MOST_SECONDS:
        raise ValueError(f"expected a time of at most {MOST_SECONDS} s, got {value!r}")
    if number * 10**9 != int(number * 10**9):
        raise ValueError(f"expected a whole number of nanoseconds, ns-3's resolution, got {value!r}")
    if not number:
        return "0s"
    return _scaled(number, [(unit, TIMES[unit]) for unit in ("s", "ms", "us", "ns")])


def duration(value):
    """A time above zero."""
    text = time(value)
    if text == "0s":
        raise ValueError(f"expected a time above zero, got {value!r}")
    return text


def _size(value, units, what, example):
    number, unit = _quantity(value, units, what, example)
    if unit != "bdp" and number != int(number):
        raise ValueError(f"expected a whole number of packets or bytes, got {value!r}")
    if not number:
        raise ValueError(f"expected a size above zero, got {value!r}")
    return _plain(number) + (unit if unit in ("p", "bdp") else "B")


def queue_size(value):
    """A queue size in packets, bytes or bandwidth-delay products."""
    units = {"p": 1, "bdp": 1} | SIZES
    return _size(value, units, "a queue size in packets, bytes or bandwidth-delay products", "100p, 64kB or 1bdp")


def buffer_size(value):
    """A queue size in packets or bytes."""
    return _size(value, {"p": 1} | SIZES, "a queue size in packets or bytes", "1p or 3kB")


def none_or_rate(value):
    """``none`` or a data rate."""
    return value if value == "none" else rate(value)


def none_or_time(value):
    """``none`` or a time."""
    return value if value == "none" else time(value, "none or a time")


def auto_or_time(value):
    """``auto`` or a time."""
    return value if value == "auto" else time(value, "auto or a time")


def auto_or_bytes(value):
    """``auto`` or a number of bytes, with or without a unit."""
    if value == "auto" or (isinstance(value, int) and not isinstance(value, bool) and value > 0):
        return value
    number, _ = _quantity(value, SIZES, "auto or a number of bytes", "auto or 4MiB")
    return int(number)


def own_or_stream(value):
    """``own`` or the number of a random stream; -1 for the first that ns-3 numbers by itself."""
    stream = isinstance(value, int) and not isinstance(value, bool) and -1 <= value <= LARGEST_STREAM
    if value != "own" and not stream:
        raise ValueError(f"expected own, or a whole number from -1 to {LARGEST_STREAM}, got {value!r}")
    return value


def _type_name(value, what, example):
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise ValueError(f"expected {what}, such as {example}, got {value!r}")
    return value.removeprefix("ns3::")


def variant(value):
    """One congestion control, or several joined by ``+``."""
    if not isinstance(value, str):
        raise ValueError(f"expected a congestion control, such as TcpCubic or TcpCubic+TcpBbr, got {value!r}")
    names = [_type_name(name, "a congestion control", "TcpCubic or TcpCubic+TcpBbr") for name in value.split("+")]
    return "+".join(names)


def queue_disc(value):
    """A queue disc, or ``none``."""
    return _type_name(value, "a queue disc", "FqCoDelQueueDisc, or none")


def propagation_loss(value):
    """A propagation loss model."""
    return _type_name(value, "a propagation loss model", "RangePropagationLossModel")


def rate_control(value):
    """A rate control of Wi-Fi."""
    return _type_name(value, "a rate control", "AarfWifiManager")


def is_on_one_line(value):
    """Whether a value can be a line of text by itself."""
    return not isinstance(value, str) or value.isprintable()


def attribute_value(value):
    """Text that stands on one line."""
    if not is_on_one_line(value):
        raise ValueError(f"expected text of printable characters on one line, got {value!r}")
    return value


def _path(value, what, example):
    if not isinstance(value, str) or not value or not is_on_one_line(value):
        raise ValueError(f"expected {what}, such as {example}, got {value!r}")
    try:
        Path(value).expanduser()
    except RuntimeError:
        raise ValueError(f"expected {what}, but there is no home for {value!r}") from None
    return value


def folder(value):
    """The path of a folder."""
    return _path(value, "a folder", "/usr or ~/ns-3.40/build")


def folder_or_file(value):
    """The path of a folder or a file."""
    return _path(value, "a folder or a file", "~/ns-3.44 or ns-3.44.tar.bz2")


def processor(value):
    """A processor, as GCC's ``-march`` names it."""
    if not isinstance(value, str) or not re.fullmatch(r"[A-Za-z0-9._-]+", value):
        raise ValueError(f"expected what GCC calls a processor, such as native or x86-64-v3, got {value!r}")
    return value


FORMATS = {
    "attribute-value": attribute_value,
    "folder": folder,
    "folder-or-file": folder_or_file,
    "processor": processor,
    "rate": rate,
    "time": time,
    "duration": duration,
    "queue-size": queue_size,
    "buffer-size": buffer_size,
    "none-or-rate": none_or_rate,
    "none-or-time": none_or_time,
    "auto-or-time": auto_or_time,
    "auto-or-bytes": auto_or_bytes,
    "own-or-stream": own_or_stream,
    "variant": variant,
    "queue-disc": queue_disc,
    "propagation-loss": propagation_loss,
    "rate-control": rate_control,
}


def number(value):
    """A number's normal form: an int where it is whole."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


@functools.cache
def _normal_text(value, kind):
    return FORMATS[kind](value)


def normal(value, kind=None):
    """The normal form of a parameter's value.

    Parameters
    ----------
    value : str, int, float, bool or list
        As read from the sweep file; a list holds one value per flow.
    kind : str, optional
        The parameter's ``format`` in the schema; without one, numbers are made whole where they are.

    Raises
    ------
    ValueError
        What was expected and the nearest valid spelling.
    """
    if isinstance(value, list):
        items = [_normal_item(item, kind) for item in value]
        return items[0] if len(set(items)) == 1 else items
    return _normal_item(value, kind)


def _normal_item(value, kind):
    if isinstance(value, list | dict):
        raise ValueError(f"expected one value, got {value!r}")
    if kind is None:
        return number(value)
    return _normal_text(value, kind) if isinstance(value, str) else FORMATS[kind](value)


def normal_attribute(value):
    """An ns-3 attribute's value as text: booleans and numbers as ns-3 reads them, rates and times normalised."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return number_text(number(value))
    for form in (rate, time):
        try:
            return form(value)
        except ValueError:
            continue
    return value


def si(value, kind=None):
    """A normal form as the number that tables hold: bit/s for rates, seconds for times; anything else as it is."""
    return _si_text(value, kind) if isinstance(value, str) else value


@functools.cache
def _si_text(value, kind):
    if kind == "rate":
        return int(_quantity(value, RATES, "", "")[0])
    if kind in ("time", "duration"):
        return float(_quantity(value, TIMES, "", "")[0])
    return value


def bytes_text(count):
    """A number of bytes for people, to three digits."""
    for unit in ("B", "kB", "MB", "GB"):
        if count < 999.5:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} TB"


def time_text(seconds):
    """A span of time for people: seconds below a minute and a half, minutes below as many hours, then hours."""
    if seconds < 89.5:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02} min"


def text(value):
    """A normal form as a command line or a name shows it; one value per flow is joined by commas."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ",".join(text(item) for item in value)
    return value if isinstance(value, str) else number_text(value)
