# SPDX-License-Identifier: MIT
"""Expand a sweep file's data to its combinations."""

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tcpsweep.sweep import harm_combinations, matching, points
from tcpsweep.sweep.matching import Combination, Value, Wanted
from tcpsweep.sweep.points import Point
from tcpsweep.sweep.precision import FIRST_RUNS
from tcpsweep.sweep.search import LOOKS
from tcpsweep.sweep.sweep_record import Capture, Published, Sweep
from tcpsweep.sweepfile import (
    asked_precision,
    asked_refinement,
    asked_search,
    clashes,
    harm_check,
    headline_metrics,
    in_rounds,
    network_files,
    network_rows,
    pairs,
    presets,
    schema,
    sections,
    smallest_effects,
    start_times,
    traced_links,
    zipped_axes,
)
from tcpsweep.sweepfile.yaml_document import KeyPath, Problem
from tcpsweep.words import dotted_names, normal_forms, quantities, spelling, type_names
from tcpsweep.words.mixes import Mix

_HERE = Path()
MOST_PAGES = 1000  # sweeps with more cells make cells' pages only if asked: each takes about a tenth of a second


def _normal(scenario: str, name: str, value: Any) -> Value:
    return (
        normal_forms.normal_attribute(value)
        if type_names.is_attribute(name)
        else normal_forms.normal(value, schema.value_form(scenario, name))
    )


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def expand(data: dict[str, Any], folder: Path = _HERE, known: Sequence[Point] = ()) -> tuple[Sweep, list[Problem]]:
    """All combinations of a sweep file that the schema allows.

    Parameters
    ----------
    data : dict
        A `yaml_document.Document`'s data in which `schema_check.problems` found nothing.
    folder : Path
        The sweep file's, from which files that it names are found.
    known : sequence of Point
        The values of open axes, crossed with the combinations of the others that they are meant for; if there are none,
        those of the first round.

    Returns
    -------
    sweep : Sweep
    problems : list of Problem
        What is wrong beyond the schema: axes that clash, lists of unequal length, conditions that no cell meets,
        values that do not go together. If there are any, do not use the sweep.
    """
    scenario, meant = data["scenario"], pairs.written_out(data)
    problems: list[Problem] = []
    _check_homes(scenario, data, problems)
    fixed: Combination = {name: _normal(scenario, name, value) for name, value in data.get("fixed", {}).items()}
    attribute_axes: dict[str, list[Value]] = {}
    for name, value in data.get("attributes", {}).items():
        if isinstance(value, list):
            attribute_axes[name] = [_normal(scenario, name, item) for item in value]
        else:
            fixed[name] = _normal(scenario, name, value)
    defaults: Combination = {
        name: normal_forms.normal(parameter["default"], parameter.get("format"))
        for name, parameter in schema.parameters(scenario).items()
    } | schema.constants(scenario)

    is_described = schema.is_described(scenario)
    base = defaults | (network_rows.said(data) if is_described else {}) | fixed
    given = {name for _, name, _ in sections.values(data)}
    opened, chosen_points = in_rounds.open_axes(data), list(known) or in_rounds.first_points(data)
    given.update(opened)
    of_points = points.agreeing(chosen_points, opened)
    zips = [_zip_rows(scenario, path, block, problems) for path, block in sections.blocks(data, "zip") or [((), {})]]
    rows: dict[tuple[Any, ...], Combination] = {}
    axes: dict[str, dict[Any, Value]] = {}  # each value by what is equal for equal values
    for _, block in sections.blocks(meant, "grid") or [((), {})]:
        grid_axes = {name: [_normal(scenario, name, item) for item in values] for name, values in block.items()}
        for name, values in (grid_axes | attribute_axes).items():
            for value in values:
                axes.setdefault(name, {}).setdefault(_hashable(value), value)
        names = list(grid_axes)
        for chosen in itertools.product(*grid_axes.values()):
            for zipped in itertools.product(*zips):
                for attributes in itertools.product(*attribute_axes.values()):
                    row = base | dict(zip(names, chosen, strict=True))
                    for part in zipped:
                        row |= part
                    row |= dict(zip(attribute_axes, attributes, strict=True))
                    for point in of_points(row) if opened else [{}]:
                        at_point = row | point
                        if "warmup" not in given:
                            at_point["warmup"] = start_times.default_warmup(at_point)
                        at_point = presets.filled(at_point)
                        if is_described:
                            at_point = _described(data, at_point, problems)
                        rows.setdefault(_key(at_point, base), at_point)
    for part in itertools.chain(*zips):
        for name, value in part.items():
            axes.setdefault(name, {}).setdefault(_hashable(value), value)
    for name in opened:
        axes[name] = {_hashable(value): value for value in in_rounds.in_order(name, chosen_points)}

    every = network_rows.named(list(rows.values())) if is_described else list(rows.values())
    asked_for = _meeting_conditions(scenario, data, every, problems)
    if is_described and (alike := network_rows.alike(asked_for)):
        what = f"two combinations of a network would both be called {alike[0]['variant']}, as groups of flows are mixes"
        place = next((path for path, name, _ in sections.values(data) if dotted_names.is_variant(name)), ())
        problems.append(Problem(place, f"{what}: sweep the groups' variants in sweep files of their own"))
    for row in asked_for:
        problems += clashes.problems(data, row)
    named = pairs.variants(data)
    combinations, mixed = pairs.apart(asked_for) if named else (asked_for, [])
    if not asked_for and not problems:
        problems.append(Problem((), "no cell is left: `exclude` and `only` leave out every combination"))
    if named and not problems:
        problems += pairs.mix_problems(data, combinations, mixed)
    added = mixed + (harm_combinations.missing(asked_for) if meant.get("harm") else [])
    if meant.get("harm") and (mixed or not named):
        problems += harm_check.problems(asked_for, (pairs.KEY,) if named else ("harm",))
    problems += clashes.capture_problems(data.get("capture", {}))
    inputs = network_files.of(asked_for, data, folder, problems) if is_described else {}
    problems += network_files.schedule_problems(asked_for, data, inputs)
    problems += traced_links.problems(combinations, data)
    wrong = smallest_effects.problems(data)
    problems += wrong
    published, settings = _published(scenario, data, combinations, len(combinations + added), problems)
    swept = {name: list(values.values()) for name, values in axes.items() if any(name in row for row in combinations)}
    if named:
        swept["variant"] = list(named)
    if is_described:
        swept = network_rows.axes(swept, combinations)
    imprecise = [*asked_precision.problems(data)] or [*asked_precision.unmeasured(data, combinations)]
    problems += imprecise
    refinement = asked_refinement.of(data)
    problems += asked_refinement.problems(data)
    with_variant = zipped_axes.with_variant(data, swept, combinations)
    if refinement:
        apart = [name for name in swept if name not in ("variant", *with_variant, *opened)]
        problems += asked_refinement.unmet(data, refinement, combinations, apart)
    search = asked_search.of(data, folder)
    problems += asked_search.problems(data)
    if search:
        problems += asked_search.unmet(data, search.contrast, combinations)
    precision = None if imprecise else asked_precision.of(data)
    runs = asked_search.runs(data) if search else asked_precision.runs(data)
    planned = combinations + added + settings
    sweep = Sweep(
        name=data["sweep"],
        title=data.get("title", data["sweep"]),
        scenario=scenario,
        seed=int(data.get("seed", schema.default("seed"))),
        runs=runs,
        precision=precision,
        counts=[FIRST_RUNS if precision else LOOKS] * len(planned) if precision or search else [],
        open_axes=opened,
        points=chosen_points,
        refinement=refinement,
        search=search,
        capture=Capture(
            **{
                key: data.get("capture", {}).get(key, schema.default("capture", key))
                for key in schema.raw()["properties"]["capture"]["properties"]
            }
        ),
        axes=swept,
        with_variant=with_variant,
        forms=schema.forms(scenario) | network_rows.forms(combinations),
        plain_units=schema.plain_units(scenario) | network_rows.plain_units(combinations),
        headline=headline_metrics.of(scenario, combinations),
        combinations=planned,
        swept=len(combinations),
        published=published,
        baseline=_baseline(data, combinations, is_described, problems),
        pairs=named,
        smallest_effects={} if wrong else smallest_effects.of(data),
        presets=presets.used(combinations),
        pages=data.get("pages", len(combinations + added) * asked_precision.planned_runs(data) <= MOST_PAGES),
        inputs=inputs,
        program=schema.program(scenario),
    )
    return sweep, problems


def _described(data: dict[str, Any], row: Combination, problems: list[Problem]) -> Combination:
    """A combination of a described network with all that is said of it; as it is where that cannot be computed."""
    try:
        return network_rows.filled(data["scenario"], row)
    except ValueError as error:
        problems.append(Problem(("scenario",), str(error)))
        return row


def _published(
    scenario: str, data: dict[str, Any], combinations: list[Combination], first: int, problems: list[Problem]
) -> tuple[Published, list[Combination]]:
    """The combinations that a study published, in its setting; they get the numbers from ``first`` on."""
    about = data.get("published", {})
    setting = {name: _normal(scenario, name, value) for name, value in about.get("setting", {}).items()}
    of = list(range(len(combinations)))
    if "where" in about:
        of = where(scenario, about["where"], combinations)
        if not of:
            problems.append(Problem(("published", "where"), "no combination of the sweep meets this condition"))
    for name in setting:
        if name == "variant" or len({str(row.get(name)) for row in combinations}) > 1:
            place = ("published", "setting", name)
            problems.append(Problem(place, f"{name} tells the sweep's combinations apart", at_key=True))
        elif dotted_names.is_variant(name) or name in network_rows.parameters(scenario):
            place = ("published", "setting", name)
            problems.append(Problem(place, "give what it stands for, by dotted names of links and flows", at_key=True))
    if presets.PARAMETER in setting:
        place = ("published", "setting", presets.PARAMETER)
        message = "give the attributes themselves, which win over the sweep's preset"
        problems.append(Problem(place, message, at_key=True))
    if "numbers" not in about:
        return Published(first, [], 0), []
    rows = [combinations[number] | setting for number in of]
    for row in rows:
        problems += clashes.problems(data, row)
    run = about.get("run", schema.raw()["properties"]["published"]["properties"]["run"]["default"])
    return Published(first, of, int(run)), rows


def where(scenario: str, conditions: Any, combinations: list[Combination]) -> list[int]:
    """The numbers of the combinations that meet a condition of a sweep file, or one of several."""
    return matching.where(wanted_several(scenario, conditions), combinations)


def wanted_several(scenario: str, conditions: Any) -> list[Wanted]:
    """One condition of a sweep file, or a list of them, in their normal form: a list of `wanted_values`."""
    return [wanted_values(scenario, condition) for condition in _listed(conditions)]


def _baseline(
    data: dict[str, Any], combinations: list[Combination], is_described: bool, problems: list[Problem]
) -> str | None:
    """The variant that others are compared with: as the file says, else the first that is no mix.

    In a described network whose groups of flows have variants of their own, it may be any of these joined.
    """
    texts = list(dict.fromkeys(str(row["variant"]) for row in combinations))
    alone = [text for text in texts if not Mix.of(text).is_mixed]
    if is_described and ("baseline" in data or not alone):
        alone = texts
    if "baseline" not in data:
        return next(iter(alone), None)
    wanted = str(normal_forms.normal(data["baseline"], "variant"))
    if combinations and wanted not in alone:
        expected = (
            f"expected one of the sweep's variants that are no mix, {', '.join(alone)}"
            if alone
            else "the sweep has no variant that is no mix"
        )
        problems.append(Problem(("baseline",), f"{expected}; got {wanted!r}{spelling.nearest(wanted, alone)}"))
    return wanted


def _key(row: Combination, base: Combination | None = None) -> tuple[Any, ...]:
    """What is equal for equal rows; of rows that are all made from ``base``, where they differ from it."""
    items = row.items() if base is None else [item for item in row.items() if base.get(item[0]) != item[1]]
    return tuple((name, _hashable(value)) for name, value in sorted(items))


def _hashable(value: Value) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _zip_rows(scenario: str, path: KeyPath, block: dict[str, list[Any]], problems: list[Problem]) -> list[Combination]:
    lengths = {len(values) for values in block.values()}
    if len(lengths) > 1:
        counts = ", ".join(f"{name} has {len(values)}" for name, values in block.items())
        problems.append(Problem(path, f"axes that move together need equally many values; {counts}"))
    columns = [
        [_normal(scenario, name, item) for item in values] for values, name in zip(block.values(), block, strict=True)
    ]
    return [dict(zip(block, row, strict=False)) for row in zip(*columns, strict=False)] if block else [{}]


def _check_homes(scenario: str, data: dict[str, Any], problems: list[Problem]) -> None:
    """Check that a name has its values from one place, all of `grid` being one, and that no axis repeats a value."""
    homes: dict[str, KeyPath] = {}
    for section in sections.SECTIONS:
        for path, block in sections.blocks(data, section):
            for name, values in block.items():
                first = homes.setdefault(name, (*path, name))
                if first != (*path, name) and not (first[0] == section == "grid"):
                    message = f"{name} already has its value from {_where(first[:-1])}"
                    problems.append(Problem((*path, name), message, at_key=True))
                if section == "grid" or (section == "attributes" and isinstance(values, list)):
                    seen: set[Any] = set()
                    for index, item in enumerate(values):
                        value = _normal(scenario, name, item)
                        if _hashable(value) in seen:
                            message = f"the axis has {quantities.text(value)} twice"
                            problems.append(Problem((*path, name, index), message))
                        seen.add(_hashable(value))
    for path, block in sections.blocks(data, "zip"):
        rows: set[tuple[Any, ...]] = set()
        for index, row in enumerate(_zip_rows(scenario, path, block, [])):
            if _key(row) in rows:
                problems.append(Problem(path, f"the values number {index + 1} of these axes repeat earlier ones"))
            rows.add(_key(row))


def _where(path: KeyPath) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else part for part in path)


def wanted_values(scenario: str, condition: dict[str, Any]) -> Wanted:
    """A condition's values in their normal form: name to list."""
    return {name: [_normal(scenario, name, item) for item in _listed(value)] for name, value in condition.items()}


def _meeting_conditions(
    scenario: str, data: dict[str, Any], rows: list[Combination], problems: list[Problem]
) -> list[Combination]:
    """The rows that `only` and `exclude` leave; adds a problem for each condition that no row meets."""
    verdicts = {}
    for key in ("only", "exclude"):
        met = [False] * len(rows)
        for path, condition in sections.blocks(data, key):
            wanted = wanted_values(scenario, condition)
            meets = [matching.is_met(wanted, row) for row in rows]
            if not any(meets):
                problems.append(
                    Problem(path, f"no cell meets this condition of `{key}`; compare its values with the axes")
                )
            met = [a or b for a, b in zip(met, meets, strict=True)]
        verdicts[key] = met
    keep_all = "only" not in data
    return [
        row
        for row, wanted, unwanted in zip(rows, verdicts["only"], verdicts["exclude"], strict=True)
        if (keep_all or wanted) and not unwanted
    ]
