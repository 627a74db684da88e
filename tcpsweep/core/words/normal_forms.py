# SPDX-License-Identifier: MIT
"""How the values of a sweep file are written, and their normal form.

A value's *normal form* is the one in a cell's identity and command line: ``5000kbps`` and ``5Mbps`` are both ``5Mbps``,
``1.0`` is ``1``. Two values are equal exactly if their normal forms are. All arithmetic is decimal, so reading a value
never changes it.
"""

import functools
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

from tcpsweep.core.contact import features
from tcpsweep.core.words import field_names, network_forms, not_for, quantity_forms, units
from tcpsweep.core.words.mixes import Mix

LARGEST_STREAM = 10**6 - 1  # higher numbers belong to the scenarios: ns3-scenarios/lib/network/streams.h
MOST_BYTES = 10**15  # of a transfer, the same as in ns3-scenarios/lib/traffic/sizes.cc
# Distributions of sizes by name: whether each of their numbers is in bytes.
DISTRIBUTIONS: dict[str, tuple[bool, ...]] = {
    "constant": (True,),
    "exponential": (True,),
    "pareto": (True, False),
    "lognormal": (True, True, True, True),
}
_NAME = re.compile(r"(?:ns3::)?[A-Za-z_][A-Za-z0-9_]*(?:::[A-Za-z_][A-Za-z0-9_]*)*")


def _word_or_whole_number(*words: str, least: int, most: int) -> Callable[[Any], str | int]:
    """A reader of a word from a list, or of a whole number within bounds."""

    def read(value: Any) -> str | int:
        is_whole = isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
        if value not in words and not is_whole:
            raise ValueError(f"expected {', '.join(words)}, or a whole number from {least} to {most}, got {value!r}")
        return cast("str | int", value)

    return read


def _type_name(value: Any, what: str, example: str, of_field: Mapping[str, str] | None = None) -> str:
    """A type's name without ``ns3::``; ``of_field`` maps the field's names that are accepted too to ns-3's."""
    if of_field is field_names.VARIANTS and isinstance(value, str) and field_names.implementation(value):
        return _read_by_features(value)
    name = (of_field or {}).get(value.replace("-", "_"), value) if isinstance(value, str) else value
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ValueError(f"expected {what}, such as {example}, got {value!r}")
    if of_field and name[0].islower() and (answer := field_names.asked_back(name)):
        raise ValueError(f"{name!r}: {answer}")
    if of_field and name[0].islower() and (answer := not_for.not_done(name)):
        raise ValueError(answer)
    return name.removeprefix("ns3::")


def _read_by_features(variant: str) -> str:
    """The variant of another implementation than ns-3. Raises `ValueError` if a feature knows that there is none."""
    for ingredient in features.ingredients():
        variant = ingredient.forms.get("variant", str)(variant)
    return variant


def variant(value: Any) -> str:
    """A congestion control with ns-3's name or the field's, or several joined by ``+``."""
    if not isinstance(value, str):
        raise ValueError(f"expected a congestion control, such as TcpCubic or TcpCubic+TcpBbr, got {value!r}")
    example = "TcpCubic or TcpCubic+TcpBbr"
    turns = [_type_name(name, "a congestion control", example, field_names.VARIANTS) for name in Mix.parse(value).turns]
    return str(Mix(tuple(turns)))


def is_on_one_line(value: object) -> bool:
    """Whether a value can be a single line of text."""
    return not isinstance(value, str) or value.isprintable()


def attribute_value(value: Any) -> Any:
    """Text on one line."""
    if not is_on_one_line(value):
        raise ValueError(f"expected text of printable characters on one line, got {value!r}")
    return value


def _path(value: Any, what: str, example: str) -> str:
    if not isinstance(value, str) or not value or not is_on_one_line(value):
        raise ValueError(f"expected {what}, such as {example}, got {value!r}")
    try:
        Path(value).expanduser()
    except RuntimeError:
        raise ValueError(f"expected {what}, but {value!r} has no home folder; write the whole path") from None
    return value


def processor(value: Any) -> str:
    """A processor, with its name for GCC's ``-march``."""
    if not isinstance(value, str) or not re.fullmatch(r"[A-Za-z0-9._-]+", value):
        raise ValueError(f"expected a processor as GCC names it, such as native or x86-64-v3, got {value!r}")
    return value


def sizes_file(value: Any) -> str:
    """The path of a distribution of sizes, or a distribution's name and numbers, such as ``exponential:100kB``."""
    kind, *numbers = value.split(":") if isinstance(value, str) else ("",)
    are_sizes = DISTRIBUTIONS.get(kind)
    if are_sizes is None or not numbers:
        return _path(
            value, "a file with a distribution of sizes, or a distribution such as exponential:100kB", "websearch.txt"
        )
    try:
        if len(numbers) != len(are_sizes):
            raise ValueError
        sizes = [
            str(quantity_forms.byte_count(text) if is_size else quantity_forms.number(float(text)))
            for text, is_size in zip(numbers, are_sizes, strict=True)
        ]
    except ValueError:
        written_form = ":".join([kind, *("BYTES" if is_size else "SHAPE" for is_size in are_sizes)])
        raise ValueError(f"expected {written_form}, got {value!r}") from None
    for size, is_size in zip(sizes, are_sizes, strict=True):
        if is_size and not 1 <= int(size) <= MOST_BYTES:
            raise ValueError(f"expected 1 byte or more, up to {MOST_BYTES}, for each size of {kind}, got {value!r}")
    return ":".join([kind, *sizes])


_FORMATS: dict[str, Callable[[Any], Any]] = {
    "attribute-value": attribute_value,
    "folder": functools.partial(_path, what="a folder", example="/usr or ~/ns-3.40/build"),
    "folder-or-file": functools.partial(_path, what="a folder or a file", example="~/ns-3.44 or ns-3.44.tar.bz2"),
    "processor": processor,
    "rate": quantity_forms.rate,
    "time": quantity_forms.time,
    "duration": quantity_forms.duration,
    "queue-size": quantity_forms.queue_size,
    "buffer-size": quantity_forms.buffer_size,
    "ecn-threshold": quantity_forms.ecn_threshold,
    "none-or-rate": quantity_forms.word_or("none", quantity_forms.rate),
    "none-or-time": quantity_forms.word_or("none", quantity_forms.time, "none or a time"),
    "share": quantity_forms.share,
    "same-or-rate": quantity_forms.word_or("same", quantity_forms.rate),
    "same-or-time": quantity_forms.word_or("same", quantity_forms.time, "same or a time"),
    "auto-or-time": quantity_forms.word_or("auto", quantity_forms.time, "auto or a time"),
    "auto-or-bytes": quantity_forms.auto_or_bytes,
    "bytes": quantity_forms.byte_count,
    "width": quantity_forms.width,
    # -1 means that ns-3 numbers the streams automatically.
    "own-or-stream": _word_or_whole_number("own", least=-1, most=LARGEST_STREAM),
    "variant": variant,
    "queue-disc": functools.partial(
        _type_name, what="a queue disc", example="FqCoDelQueueDisc, or none", of_field=field_names.DISCS
    ),
    "propagation-loss": functools.partial(
        _type_name, what="a propagation loss model", example="RangePropagationLossModel"
    ),
    "rate-control": functools.partial(_type_name, what="a rate control", example="AarfWifiManager"),
    "none-or-queue-size": quantity_forms.none_or_queue_size,
    "flows-or-rate": quantity_forms.flows_or_rate,
    "times": quantity_forms.times,
    "ack-thinning": _word_or_whole_number("none", "all", least=2, most=1_000_000),
    "objects": _word_or_whole_number("3gpp", least=0, most=10_000),
    "trace-file": functools.partial(_path, what="a file of delivery opportunities, or none", example="traces/lte.down"),
    "schedule-file": functools.partial(
        _path, what="a CSV file of time, rate, delay and loss, or none", example="orbit.csv"
    ),
    "sizes-file": sizes_file,
    **network_forms.FORMATS,
}


@functools.cache
def formats() -> dict[str, Callable[[Any], Any]]:
    """Each format of the schema, to the function that returns a value's normal form, or raises `ValueError`."""
    of_features = (form for ingredient in features.ingredients() for form in ingredient.forms.items())
    return dict(of_features) | _FORMATS


@functools.cache
def _normal_text(value: str, kind: str) -> Any:
    return formats()[kind](value)


def normal(value: Any, kind: str | None = None) -> Any:
    """The normal form of a parameter's value, as read from the sweep file; a list holds one value per flow.

    ``kind`` is the parameter's ``format`` in the schema; without one, a float without a fraction becomes an int. Raises
    `ValueError` with the expected form and the nearest valid spelling.
    """
    if isinstance(value, list) and kind in formats() and (kind in network_forms.LISTS or kind not in _FORMATS):
        return formats()[kind](value)
    if isinstance(value, list):
        items = [_normal_item(item, kind) for item in value]
        return items[0] if len(set(items)) == 1 else items
    return _normal_item(value, kind)


def _normal_item(value: Any, kind: str | None) -> Any:
    if isinstance(value, list | dict):
        raise ValueError(f"expected one value, got {value!r}")
    if kind is None:
        return quantity_forms.number(value)
    return _normal_text(value, kind) if isinstance(value, str) else formats()[kind](value)


def normal_attribute(value: Any) -> str:
    """An ns-3 attribute's value as text: booleans and numbers in ns-3's form, rates and times normalised."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return units.number_text(quantity_forms.number(value))
    for form in (quantity_forms.rate, quantity_forms.time):
        try:
            return form(value)
        except ValueError:
            continue
    return value
