# SPDX-License-Identifier: MIT
"""Cross a sweep file's axes to rows: every combination, before conditions exclude some."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tcpsweep.core.sweep import rounds
from tcpsweep.core.sweep.matching import Combination, Value
from tcpsweep.core.sweep.rounds import Point
from tcpsweep.core.sweepfile.asked import in_rounds
from tcpsweep.core.sweepfile.checks import start_times
from tcpsweep.core.sweepfile.document import sections
from tcpsweep.core.sweepfile.document.yaml_document import KeyPath, Problem, path_text
from tcpsweep.core.sweepfile.keys import conditions, presets, schema
from tcpsweep.core.sweepfile.network import network_rows
from tcpsweep.core.words import network_forms, normal_forms, quantities
from tcpsweep.features.corrections import correction_names


@dataclass(frozen=True)
class GridRows:
    """The combinations of a sweep file's axes, and the axes' problems."""

    combinations: list[Combination]
    axes: dict[str, list[Value]]  # the values of each axis, in the file's order
    open_axes: list[str]
    points: list[Point]  # the values of open axes
    problems: list[Problem]


def grid_rows(data: dict[str, Any], meant: dict[str, Any], given_points: Sequence[Point], folder: Path) -> GridRows:
    """The rows of a sweep file; ``meant`` is its data in which an axis has replaced `pairs`.

    ``given_points`` are the values of open axes. Default: the first round's values. ``folder`` is the sweep file's.
    """
    scenario = data["scenario"]
    is_described = schema.is_described(scenario)
    problems: list[Problem] = []
    _check_homes(scenario, data, problems)
    attributes = _normal_values(scenario, data.get("attributes", {}))
    attribute_axes = {name: value for name, value in attributes.items() if isinstance(value, list)}
    fixed: Combination = {
        name: conditions.normal_value(scenario, name, value) for name, value in data.get("fixed", {}).items()
    } | {name: value for name, value in attributes.items() if name not in attribute_axes}
    if correction_names.KEY in data:
        fixed[correction_names.KEY] = normal_forms.normal(data[correction_names.KEY], correction_names.KEY)
    if presets.TCP in data:
        fixed[presets.TCP] = data[presets.TCP]
    if network_forms.REFERENCE_LINK in data:
        fixed[network_forms.REFERENCE_LINK] = network_forms.reference_link(data[network_forms.REFERENCE_LINK])
    base = _defaults(scenario) | (network_rows.network_values(data) if is_described else {}) | fixed
    opened, points = in_rounds.open_axes(data), list(given_points) or in_rounds.first_points(data)
    has_warmup = "warmup" in {*(name for _, name, _ in sections.values(data)), *opened}
    points_of = rounds.points_agreeing(points, opened)
    zips = [_zip_rows(scenario, path, block, problems) for path, block in sections.blocks(data, "zip") or [((), {})]]
    rows: dict[tuple[Any, ...], Combination] = {}
    axes: dict[str, dict[Any, Value]] = {}  # each value by a key that is the same for equal values
    for _, block in sections.blocks(meant, "grid") or [((), {})]:
        crossed = _normal_values(scenario, block) | attribute_axes
        for name, values in crossed.items():
            for value in values:
                axes.setdefault(name, {}).setdefault(_hashable(value), value)
        for row in _crossed(base, _normal_values(scenario, block), zips, attribute_axes):
            for point in points_of(row) if opened else [{}]:
                at_point = row | point
                if not has_warmup:
                    at_point["warmup"] = start_times.default_warmup(at_point)
                at_point = presets.filled(presets.resolved(at_point))
                if is_described:
                    at_point = _described(data, at_point, folder, problems)
                rows.setdefault(_key(at_point, base), at_point)
    for part in itertools.chain(*zips):
        for name, value in part.items():
            axes.setdefault(name, {}).setdefault(_hashable(value), value)
    for name in opened:
        axes[name] = {_hashable(value): value for value in in_rounds.in_order(name, points)}
    every = network_rows.named(list(rows.values())) if is_described else list(rows.values())
    return GridRows(every, {name: list(values.values()) for name, values in axes.items()}, opened, points, problems)


def _normal_values(scenario: str, block: dict[str, Any]) -> dict[str, Any]:
    """A block's values in their normal form; in lists, each entry."""
    return {
        name: [conditions.normal_value(scenario, name, item) for item in value]
        if isinstance(value, list)
        else conditions.normal_value(scenario, name, value)
        for name, value in block.items()
    }


def _defaults(scenario: str) -> Combination:
    return {
        name: normal_forms.normal(parameter["default"], parameter.get("format"))
        for name, parameter in schema.parameters(scenario).items()
    } | schema.constants(scenario)


def _crossed(
    base: Combination, grid: dict[str, Any], zips: list[list[Combination]], attributes: dict[str, Any]
) -> Iterator[Combination]:
    """Every combination of a block's axes, rows of `zip`, and attributes with several values."""
    for chosen in itertools.product(*grid.values()):
        for zipped in itertools.product(*zips):
            for values in itertools.product(*attributes.values()):
                row = base | dict(zip(grid, chosen, strict=True))
                for part in zipped:
                    row |= part
                yield row | dict(zip(attributes, values, strict=True))


def _check_homes(scenario: str, data: dict[str, Any], problems: list[Problem]) -> None:
    """Check that each name gets its values in one place (all of `grid` is one), and that no axis repeats a value."""
    homes: dict[str, KeyPath] = {name: (name,) for name in sections.PARAMETERS if name in data}
    for section in sections.SECTIONS:
        for path, block in sections.blocks(data, section):
            for name, values in block.items():
                first = homes.setdefault(name, (*path, name))
                if first != (*path, name) and not (first[0] == section == "grid"):
                    home = path_text(first[:-1] or first).removesuffix(": ")
                    message = f"{name} is set twice, here and in {home}; remove one"
                    problems.append(Problem((*path, name), message, at_key=True))
                if section == "grid" or (section == "attributes" and isinstance(values, list)):
                    seen: set[Any] = set()
                    for index, item in enumerate(values):
                        value = conditions.normal_value(scenario, name, item)
                        if _hashable(value) in seen:
                            message = f"the axis has {quantities.value_text(value)} twice"
                            problems.append(Problem((*path, name, index), message))
                        seen.add(_hashable(value))
    for path, block in sections.blocks(data, "zip"):
        rows: set[tuple[Any, ...]] = set()
        for index, row in enumerate(_zip_rows(scenario, path, block, [])):
            if _key(row) in rows:
                problems.append(
                    Problem(path, f"values number {index + 1} of these axes repeat an earlier combination: remove them")
                )
            rows.add(_key(row))


def _zip_rows(scenario: str, path: KeyPath, block: dict[str, list[Any]], problems: list[Problem]) -> list[Combination]:
    lengths = {len(values) for values in block.values()}
    if len(lengths) > 1:
        counts = ", ".join(f"{name} has {len(values)}" for name, values in block.items())
        problems.append(Problem(path, f"axes in `zip` need the same number of values; {counts}"))
    columns = [
        [conditions.normal_value(scenario, name, item) for item in values]
        for values, name in zip(block.values(), block, strict=True)
    ]
    return [dict(zip(block, row, strict=False)) for row in zip(*columns, strict=False)] if block else [{}]


def _key(row: Combination, base: Combination | None = None) -> tuple[Any, ...]:
    """A key that is the same for equal rows: where a row differs from ``base``, from which all are made."""
    items = row.items() if base is None else [item for item in row.items() if base.get(item[0]) != item[1]]
    return tuple((name, _hashable(value)) for name, value in sorted(items))


def _hashable(value: Value) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _described(data: dict[str, Any], row: Combination, folder: Path, problems: list[Problem]) -> Combination:
    """A combination of a custom topology with all its values; unchanged if they cannot be computed."""
    try:
        return network_rows.filled(data["scenario"], row, folder)
    except ValueError as error:
        problems.append(Problem(("scenario",), str(error)))
        return row
