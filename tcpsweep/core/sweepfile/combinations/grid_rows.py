# SPDX-License-Identifier: MIT
"""Cross a sweep file's axes to rows: every combination, before conditions exclude some."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tcpsweep.core.sweep import rounds
from tcpsweep.core.sweep.matching import Combination, Value
from tcpsweep.core.sweep.ns3_tcp import CORRECTIONS, TCP
from tcpsweep.core.sweep.rounds import AskedRounds, Point
from tcpsweep.core.sweepfile.asked import in_rounds
from tcpsweep.core.sweepfile.checks import start_times
from tcpsweep.core.sweepfile.document import sections
from tcpsweep.core.sweepfile.document.yaml_document import KeyPath, Problem, path_text
from tcpsweep.core.sweepfile.keys import conditions, presets, schema
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.core.sweepfile.network import network_rows, network_views, segments
from tcpsweep.core.words import network_forms, normal_forms, units


@dataclass(frozen=True)
class GridRows:
    """The combinations of a sweep file's axes, and the axes' problems."""

    combinations: list[Combination]
    axes: dict[str, list[Value]]  # the values of each axis, in the file's order
    points: list[Point]  # the values of open axes
    problems: list[Problem]


def grid_rows(
    file: SweepFile, file_with_axes: SweepFile, asked: AskedRounds, given_points: Sequence[Point]
) -> GridRows:
    """The rows of a sweep file; in ``file_with_axes``, axes have replaced the keys of questions.

    ``given_points`` are the values of open axes. Default: the first round's values.
    """
    problems: list[Problem] = []
    _check_repetitions(file, problems)
    scenario, data = file.scenario, file.data
    attributes = _normal_values(scenario, file.keys.attributes or {})
    attribute_axes = {name: value for name, value in attributes.items() if isinstance(value, list)}
    unswept = _unswept(file, {name: value for name, value in attributes.items() if name not in attribute_axes})
    open_axes, points = asked.open_axes, list(given_points) or asked.first_points()
    points_matching = rounds.points_agreeing(points, open_axes)
    rows_of_zips = [
        _zip_rows(scenario, path, block, problems) for path, block in sections.blocks(data, "zip") or [((), {})]
    ]
    crossed = [
        _normal_values(scenario, block) for _, block in sections.blocks(file_with_axes.data, "grid") or [((), {})]
    ]
    with_defaults = _defaults_of_rows(file, {*(name for _, name, _ in sections.values(data)), *open_axes}, problems)
    rows: dict[Combination, None] = {}  # an ordered set
    for values_by_name in crossed:
        for row in _crossed_rows(unswept, values_by_name, rows_of_zips, attribute_axes):
            for point in points_matching(row) if open_axes else [{}]:
                rows.setdefault(with_defaults(row.with_values(point) if point else row))
    axes = _values_by_axis([block | attribute_axes for block in crossed], itertools.chain(*rows_of_zips))
    axes |= {name: in_rounds.in_order(name, points) for name in open_axes}
    combinations = network_rows.named(list(rows)) if schema.has_dotted_names(scenario) else list(rows)
    return GridRows(combinations, axes, points, problems)


def _unswept(file: SweepFile, attributes: dict[str, Value]) -> Combination:
    """The combination of a file's values that are no axes, with the scenario's defaults."""
    scenario, data = file.scenario, file.data
    fixed_values: dict[str, Value] = {
        name: conditions.normal_value(scenario, name, value) for name, value in (file.keys.fixed or {}).items()
    } | attributes
    if CORRECTIONS in data:
        fixed_values[CORRECTIONS] = normal_forms.normal(data[CORRECTIONS], CORRECTIONS)
    if TCP in data:
        fixed_values[TCP] = data[TCP]
    if file.keys.reference_link is not None:
        fixed_values[network_forms.REFERENCE_LINK] = network_forms.reference_link(file.keys.reference_link)
    network_values = network_rows.network_values(file) if schema.has_dotted_names(scenario) else {}
    return Combination(scenario, _defaults(scenario) | network_values | fixed_values)


def _defaults_of_rows(
    file: SweepFile, given_names: set[str], problems: list[Problem]
) -> Callable[[Combination], Combination]:
    """A function that adds to a row the values that follow from its others, unless they are among ``given_names``."""
    has_network = schema.has_dotted_names(file.scenario)

    def with_defaults(row: Combination) -> Combination:
        if "warmup" not in given_names:
            row = row.with_values({"warmup": start_times.default_warmup(row)})
        row = presets.filled(presets.resolved(row))
        if has_network:
            row = _with_network(file, row, problems)
        if segments.SEGMENT_SIZE not in given_names:
            row = row.with_values({segments.SEGMENT_SIZE: segments.default_size(row, network_views.network_of(row))})
        return row

    return with_defaults


def _values_by_axis(
    crossed: Iterable[dict[str, list[Value]]], zipped: Iterable[dict[str, Value]]
) -> dict[str, list[Value]]:
    """The values of each axis in the file's order, each once."""
    value_by_key: dict[str, dict[Any, Value]] = {}  # by a key that is the same for equal values
    for block in crossed:
        for name, values in block.items():
            for value in values:
                value_by_key.setdefault(name, {}).setdefault(_hashable(value), value)
    for row in zipped:
        for name, value in row.items():
            value_by_key.setdefault(name, {}).setdefault(_hashable(value), value)
    return {name: list(values.values()) for name, values in value_by_key.items()}


def _normal_values(scenario: str, block: dict[str, Any]) -> dict[str, Any]:
    """A block's values in their normal form; in lists, each entry."""
    return {
        name: [conditions.normal_value(scenario, name, item) for item in value]
        if isinstance(value, list)
        else conditions.normal_value(scenario, name, value)
        for name, value in block.items()
    }


def _defaults(scenario: str) -> dict[str, Value]:
    return {
        name: normal_forms.normal(parameter["default"], parameter.get("format"))
        for name, parameter in schema.parameters(scenario).items()
    } | schema.constants(scenario)


def _crossed_rows(
    base: Combination, grid: dict[str, Any], rows_of_zips: list[list[dict[str, Value]]], attribute_axes: dict[str, Any]
) -> Iterator[Combination]:
    """Every combination of a block's axes, one row of each block of `zip`, and attributes with several values."""
    for chosen in itertools.product(*grid.values()):
        for zip_rows in itertools.product(*rows_of_zips):
            for values in itertools.product(*attribute_axes.values()):
                swept_values = dict(zip(grid, chosen, strict=True))
                for zip_row in zip_rows:
                    swept_values |= zip_row
                yield base.with_values(swept_values | dict(zip(attribute_axes, values, strict=True)))


def _check_repetitions(file: SweepFile, problems: list[Problem]) -> None:
    """Check that each name gets its values in one place (all of `grid` is one), and that no axis repeats a value."""
    scenario, data = file.scenario, file.data
    first_path_of_name: dict[str, KeyPath] = {name: (name,) for name in sections.PARAMETERS if name in data}
    for section in sections.SECTIONS:
        for path, block in sections.blocks(data, section):
            for name, values in block.items():
                first_path = first_path_of_name.setdefault(name, (*path, name))
                if first_path != (*path, name) and not (first_path[0] == section == "grid"):
                    first_place = path_text(first_path[:-1] or first_path).removesuffix(": ")
                    message = f"{name} is set twice, here and in {first_place}; remove one"
                    problems.append(Problem((*path, name), message, at_key=True))
                if section == "grid" or (section == "attributes" and isinstance(values, list)):
                    earlier_values: set[Any] = set()
                    for index, item in enumerate(values):
                        value = conditions.normal_value(scenario, name, item)
                        if _hashable(value) in earlier_values:
                            message = f"the axis has {units.value_text(value)} twice"
                            problems.append(Problem((*path, name, index), message))
                        earlier_values.add(_hashable(value))
    for path, block in sections.blocks(data, "zip"):
        earlier_rows: set[Combination] = set()
        for index, values_at in enumerate(_zip_rows(scenario, path, block, [])):
            row = Combination(scenario, values_at)
            if row in earlier_rows:
                problems.append(
                    Problem(path, f"values number {index + 1} of these axes repeat an earlier combination: remove them")
                )
            earlier_rows.add(row)


def _zip_rows(
    scenario: str, path: KeyPath, block: dict[str, list[Any]], problems: list[Problem]
) -> list[dict[str, Value]]:
    lengths = {len(values) for values in block.values()}
    if len(lengths) > 1:
        counts = ", ".join(f"{name} has {len(values)}" for name, values in block.items())
        problems.append(Problem(path, f"axes in `zip` need the same number of values; {counts}"))
    columns = [
        [conditions.normal_value(scenario, name, item) for item in values]
        for values, name in zip(block.values(), block, strict=True)
    ]
    return [dict(zip(block, row, strict=False)) for row in zip(*columns, strict=False)] if block else [{}]


def _hashable(value: Value) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _with_network(file: SweepFile, row: Combination, problems: list[Problem]) -> Combination:
    """A combination of a custom topology with all its values; unchanged if they cannot be computed."""
    try:
        return network_rows.filled(row, file.folder)
    except ValueError as error:
        problems.append(Problem(("scenario",), str(error)))
        return row
