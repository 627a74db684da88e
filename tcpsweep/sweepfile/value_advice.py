# SPDX-License-Identifier: MIT
"""What to write instead of a value that its place in a sweep file does not take."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from tcpsweep.sweepfile import schema, sections
from tcpsweep.sweepfile.yaml_document import KeyPath, Problem
from tcpsweep.words import normal_forms, quantities, unit_factors, unit_hints

# Formats whose values are always lists, to what one holds.
_LISTED = {"ends": "a, b", "route": "first, second"}
_PERCENTAGE = re.compile(r"([0-9]+(?:\.[0-9]+)?) ?%")


def elsewhere(path: KeyPath, value: object, applied: dict[str, Any]) -> str:
    """Where a value of another type belongs, if it is one that has another place."""
    if path[:1] == ("fixed",) and isinstance(value, list):
        return f"; several values make an axis: move `{path[-1]}` to `grid`"
    if path == ("repetitions",) and isinstance(value, list):
        return "; to name the runs, write `runs` instead of `repetitions`"
    if path == ("runs",) and isinstance(value, int) and not isinstance(value, bool):
        return f"; for {value} run{'s' * (value != 1)} write `repetitions: {value}`"
    if path == ("refine", "to") and isinstance(value, int | float) and 0 < value < 100:
        return f"; did you mean '{value * 100 if value < 1 else value:.6g}%'?"
    if path == ("refine", "between") and isinstance(value, list) and len(value) == 2:
        return f"; did you mean '{value[0]} and {value[1]}'?"
    if path and path[0] in ("grid", "zip") and applied["type"] == "array" and isinstance(value, str | int | float):
        items = applied.get("items", applied)  # without items, a value that is a list itself
        one = items.get("else", items)  # of a parameter that may differ by flow, what one value must be
        name = next(str(part) for part in reversed(path) if isinstance(part, str))
        if one.get("format") in _LISTED:
            return f"; each value of this axis is a list, as in `{name}: [[{_LISTED[one['format']]}]]`"
        return _one_value(name, value, one)
    return ""


def _one_value(name: str, value: str | int | float, described: dict[str, Any]) -> str:
    """How one value of an axis is written, with what it should be where it is no valid value."""
    text = quantities.text(value)
    if form := described.get("format"):
        try:
            normal_forms.normal(value, form)
        except normal_forms.NoQuantity as error:
            several = unit_hints.listed(value, error.units, schema.usual(described))
            if several:
                return f"; several values are a list: `{name}: {several}`"
            text = unit_hints.nearest(value, error.units, schema.usual(described))
        except ValueError:
            text = ""
    if not text:
        return f"; one value stands under `fixed`, such as `{name}: {schema.usual(described) or 'VALUE'}`"
    return f"; one value is `{name}: {text}` under `fixed`"


def of_format(path: KeyPath, value: Any, described: dict[str, Any], data: Any) -> Iterator[Problem]:
    """What is wrong with a value that is not of its parameter's format, and what was perhaps meant.

    Parameters
    ----------
    path : KeyPath
    value : object
    described : dict
        The parameter in the schema.
    data : object
        The whole file's.
    """
    try:
        normal_forms.normal(value, described["format"])
    except normal_forms.NoQuantity as error:
        usual = schema.usual(described)
        of_duration = _of_duration(value, usual, data) if path[-1] != "duration" else ""
        yield Problem(path, error.said(usual, of_duration))
    except ValueError as error:
        yield Problem(path, _of_load(str(error)) if _is_overload(path, value, described) else str(error))


def _is_overload(path: KeyPath, value: Any, described: dict[str, Any]) -> bool:
    """Whether a value is a load, written as a number, of more than the whole link."""
    name = next((part for part in reversed(path) if isinstance(part, str)), "")
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return described["format"] == "share" and name.rpartition(".")[2] == "load" and is_number and value > 1


def _of_load(message: str) -> str:
    """The message on a share, without a percentage: a load of 1.5 was hardly meant as 1.5%."""
    return message.partition("; did you mean")[0] + "; 1 is the whole link"


def _of_duration(value: object, usual: str, data: Any) -> str:
    """What a percentage is of a sweep's one duration, for a time in seconds; empty for anything else."""
    share = _PERCENTAGE.fullmatch(value) if isinstance(value, str) else None
    if not share or not usual.endswith("s") or usual.endswith("ms"):
        return ""
    written = {str(item) for _, name, item in sections.values(data) if name == "duration"}
    durations = written or {schema.raw()["$defs"]["parameters"]["duration"]["default"]}
    duration = durations.pop() if len(durations) == 1 else ""
    parts = quantities.split(unit_hints.nearest(duration, unit_factors.TIMES, "60s") or duration)
    if parts is None or parts[1] not in unit_factors.TIMES:
        return ""
    found = quantities.in_base_units(*parts, unit_factors.TIMES) * Decimal(share[1]) / 100
    return f"; did you mean '{quantities.plain(found)}s', {value} of the duration?"
