# SPDX-License-Identifier: MIT
"""Read the ranges of open axes, such as ``1Mbps and 100Mbps``, and report problems with an axis or its ends."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tcpsweep.core.sweep import axis_range
from tcpsweep.core.sweep.axis_range import AxisRange
from tcpsweep.core.sweepfile.document import sections
from tcpsweep.core.sweepfile.document.yaml_document import KeyPath, Problem
from tcpsweep.core.sweepfile.keys import schema, schema_check
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.core.words import field_names, normal_forms

_WHOLE_NUMBER = re.compile(r"[0-9]{1,18}")
_PLAIN_NUMBER = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")


def range_ends(text: object, joint: str) -> tuple[Any, Any] | None:
    """The two ends of a range such as ``1Mbps and 100Mbps``, plain numbers as numbers; None without two ends.

    ``joint`` is the word between them, such as ``and``.
    """
    ends = text.split(f" {joint} ") if isinstance(text, str) else []
    return (_end_value(ends[0].strip()), _end_value(ends[1].strip())) if len(ends) == 2 and all(ends) else None


def _end_value(text: str) -> Any:
    """A plain number as a number, and a quantity unchanged, as YAML reads the same text elsewhere in a file."""
    if _WHOLE_NUMBER.fullmatch(text):
        return int(text)
    return float(text) if _PLAIN_NUMBER.fullmatch(text) else text


def axis_range_of(scenario: str, axis: str, low: Any, high: Any) -> AxisRange:
    """The range of an axis without `problems`."""
    (quantity, first_number), (_, last_number) = _measured_ends(scenario, axis, (low, high))
    if field_names.is_attribute(axis):
        is_whole = isinstance(low, int) and isinstance(high, int)
        return AxisRange(axis, first_number, last_number, quantity, is_whole and not quantity, not quantity)
    is_whole = "number" not in schema.described(scenario, axis).get("type", [])
    return AxisRange(axis, first_number, last_number, quantity, is_whole and not quantity)


def _measured_ends(scenario: str, axis: str, ends: tuple[Any, Any]) -> list[tuple[str, float]]:
    """The quantity and the number of each end."""
    if field_names.is_attribute(axis):
        return [axis_range.measured(normal_forms.normal_attribute(end)) for end in ends]
    form = schema.value_form(scenario, axis)
    return [axis_range.measured(normal_forms.normal(end, form)) for end in ends]


def problems(
    file: SweepFile, axis: str, between: tuple[Any, Any], at_axis: KeyPath, at_ends: KeyPath, joint: str
) -> Iterator[Problem]:
    """Problems with an open axis and the ends of its range, from `range_ends`.

    ``at_axis`` and ``at_ends`` are the paths of the axis' name and its ends. ``joint`` is the word between the ends.
    """
    scenario = file.scenario
    description = {} if field_names.is_attribute(axis) else schema.described(scenario, axis)
    if description and "unit" not in description:
        yield Problem(at_axis, f"the values of {axis} are not numbers; expected an axis such as bandwidth or delay")
        return
    for key in ("only", "exclude"):
        for path, condition in sections.blocks(file.data, key):
            if axis in condition:
                message = f"the sweep chooses the values of {axis} while it runs; remove it here"
                yield Problem((*path, axis), message, at_key=True)
    if (place := sections.place(file.data, axis)) and place[0] not in sections.OPEN:
        if place[0] != "fixed":
            message = f"{axis} is set twice, here and in {place[0]}; remove one"
        else:
            message = f"{axis} already has one value, in `fixed`; remove it there"
        yield Problem(at_axis, message)
        return
    grid_schema = schema_check.sweep_schema(scenario)["properties"]["grid"]
    as_grid = {"scenario": scenario, "grid": {axis: list(between)}}
    wrong = schema_check.against({"type": "object", "properties": {"grid": grid_schema}}, as_grid)
    for problem in {problem.path: problem for problem in reversed(wrong)}.values():  # each end's first problem
        is_axis = len(problem.path) < 3
        message = problem.message.replace("unknown key", f"unknown axis {axis!r}")
        yield replace(problem, path=at_axis if is_axis else at_ends, message=message, at_key=False)
    if wrong:
        return
    try:
        (low_quantity, low), (high_quantity, high) = _measured_ends(scenario, axis, between)
    except ValueError:
        yield Problem(
            at_ends,
            f"expected two numbers, such as {schema.usual(description) or '1 and 10'}, "
            f"got {_range_text(between, joint)!r}",
        )
        return
    if low_quantity != high_quantity:
        yield Problem(at_ends, f"expected two ends of one unit, got {_range_text(between, joint)!r}")
    elif low == high:
        yield Problem(at_ends, f"expected two different ends, got {_range_text(between, joint)!r}")
    elif low > high:
        near = f"; did you mean {_range_text(between[::-1], joint)!r}?"
        yield Problem(at_ends, f"expected the lower end first, got {_range_text(between, joint)!r}{near}")


def _range_text(ends: tuple[Any, ...], joint: str) -> str:
    return f" {joint} ".join(map(str, ends))
