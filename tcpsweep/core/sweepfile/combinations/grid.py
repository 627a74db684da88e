# SPDX-License-Identifier: MIT
"""Expand a sweep file's data to its combinations."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tcpsweep.core.sweep import matching
from tcpsweep.core.sweep.matching import Combination, Value
from tcpsweep.core.sweep.ns3_tcp import PRESET, TCP
from tcpsweep.core.sweep.rounds import FIRST_RUNS, Point
from tcpsweep.core.sweep.sweep_parts import Capture, Published
from tcpsweep.core.sweep.sweep_record import Sweep, value_text
from tcpsweep.core.sweepfile.asked import asked_metrics, repetitions, smallest_effects
from tcpsweep.core.sweepfile.checks import clashes, network_check
from tcpsweep.core.sweepfile.combinations import grid_rows
from tcpsweep.core.sweepfile.document import sections
from tcpsweep.core.sweepfile.document.yaml_document import KeyPath, Problem
from tcpsweep.core.sweepfile.keys import conditions, presets, schema, sweep_keys
from tcpsweep.core.sweepfile.network import network_files, network_rows
from tcpsweep.core.words import dotted_names, normal_forms, printed_names, spelling, units
from tcpsweep.core.words.mixes import Mix
from tcpsweep.features.pairs import harm_combinations, pair_key
from tcpsweep.features.precision import precision_key
from tcpsweep.features.refine import refine_key
from tcpsweep.features.search import search_key

_HERE = Path()
MOST_PAGES = 1000  # larger sweeps make cells' pages only on request: a page takes about a tenth of a second


def expand(data: dict[str, Any], folder: Path = _HERE, known: Sequence[Point] = ()) -> tuple[Sweep, list[Problem]]:
    """All combinations of a sweep file without schema errors.

    Parameters
    ----------
    data : dict
        A `yaml_document.Document`'s data in which `schema_check.problems` found nothing.
    folder : Path
        The sweep file's folder. Paths in the file are relative to it.
    known : sequence of Point
        The values of open axes. They are crossed with the combinations of the other axes that they belong to. Default:
        the first round's values.

    Returns
    -------
    sweep : Sweep
    problems : list of Problem
        Problems that the schema cannot detect. If there are any, do not use the sweep.
    """
    scenario, unpaired_data, is_described = (
        data["scenario"],
        pair_key.written_out(data),
        schema.is_described(data["scenario"]),
    )
    rows = grid_rows.grid_rows(data, unpaired_data, known, folder)
    problems = rows.problems
    asked_for = _meeting_conditions(scenario, data, rows.combinations, problems)
    paired = pair_key.variants(data)
    combinations, mixed = pair_key.apart(asked_for) if paired else (asked_for, [])
    added = mixed + (harm_combinations.missing(asked_for) if unpaired_data.get("harm") else [])
    wrong_files: list[Problem] = []
    inputs = network_files.input_files(asked_for, data, folder, wrong_files) if is_described else {}
    wrong_study: list[Problem] = []
    published, published_rows = _as_published(scenario, data, combinations, len(combinations + added), wrong_study)
    values_by_axis = {name: _with_default_values(name, values, combinations) for name, values in rows.axes.items()}
    values_by_axis = {
        name: values for name, values in values_by_axis.items() if any(name in row for row in combinations)
    }
    if paired:
        values_by_axis["variant"] = list(paired)
    if is_described:
        values_by_axis = network_rows.axes(values_by_axis, combinations)
    search, is_precise = search_key.search(data, folder), not any(_precision_problems(data, combinations))
    precision = precision_key.precision(data) if is_precise else None
    all_combinations = combinations + added + published_rows
    first_run_count = search.look if search else FIRST_RUNS
    sweep = Sweep(
        name=data["sweep"],
        title=data.get("title", data["sweep"]),
        scenario=scenario,
        seed=int(data.get("seed", sweep_keys.default("seed"))),
        runs=search_key.runs(search) if search else repetitions.runs(data),
        precision=precision,
        counts=[first_run_count] * len(all_combinations) if precision or search else [],
        open_axes=rows.open_axes,
        points=rows.points,
        refinement=refine_key.refinement(data),
        search=search,
        capture=Capture(
            **{
                key: data.get("capture", {}).get(key, sweep_keys.default("capture", key))
                for key in sweep_keys.properties()["capture"]["properties"]
            }
        ),
        axes=values_by_axis,
        with_variant=axes_with_variant(data, values_by_axis, combinations),
        forms=schema.forms(scenario) | network_rows.forms(combinations),
        plain_units=schema.plain_units(scenario) | network_rows.plain_units(combinations),
        headline=asked_metrics.headline(scenario, combinations),
        combinations=all_combinations,
        swept=len(combinations),
        published=published,
        baseline=_baseline(data, combinations, is_described),
        names=data.get("names", {}),
        pairs=paired,
        smallest_effects={} if smallest_effects.problems(data) else smallest_effects.smallest_effects(data),
        presets=presets.used(combinations),
        pages=data.get("pages", len(combinations + added) * repetitions.planned_runs(data) <= MOST_PAGES),
        inputs=inputs,
        program=schema.program(scenario),
    )
    _add_problems(_Expansion(data, sweep, asked_for, mixed, wrong_files, wrong_study), problems)
    return sweep, problems


@dataclass(frozen=True)
class _Expansion:
    """The input of the checks: a sweep, the combinations requested in its file, and the mixes among them.

    Making the sweep reads files and a published study. Their problems are kept here for later checks.
    """

    data: dict[str, Any]
    sweep: Sweep
    asked_for: list[Combination]
    mixed: list[Combination]
    wrong_files: list[Problem]
    wrong_study: list[Problem]


def _with_default_values(name: str, values: list[Value], combinations: Sequence[Combination]) -> list[Value]:
    """An axis' values, after the default that combinations of other blocks of the grid have."""
    defaults: list[Value] = []
    for row in combinations:
        if name in row and row[name] not in values and row[name] not in defaults:
            defaults.append(row[name])
    return [*defaults, *values]


def _add_problems(expansion: _Expansion, problems: list[Problem]) -> None:
    """Add a sweep's problems to its axes' problems. Some checks need combinations without earlier problems."""
    data, sweep = expansion.data, expansion.sweep
    problems += clashes.name_problems(sweep.name)
    problems += _same_name_problems(expansion)
    for row in expansion.asked_for:
        problems += clashes.problems(data, row)
    if not expansion.asked_for and not problems:
        problems.append(Problem((), "`exclude` and `only` remove every combination: change one of them"))
    if sweep.pairs and not problems:
        problems += pair_key.mix_problems(data, sweep.own, expansion.mixed)
    if pair_key.written_out(data).get("harm") and (expansion.mixed or not sweep.pairs):
        problems += pair_key.harm_problems(expansion.asked_for, (pair_key.KEY,) if sweep.pairs else ("harm",))
    problems += clashes.capture_problems(data.get("capture", {}))
    problems += expansion.wrong_files + network_files.schedule_problems(expansion.asked_for, data, sweep.inputs)
    problems += network_check.unused_bandwidths(sweep.own, data)
    problems += smallest_effects.problems(data)
    problems += expansion.wrong_study
    problems += _precision_problems(data, sweep.own)
    problems += refine_key.problems(data)
    if sweep.refinement:
        network_axes = [name for name in sweep.axes if name not in ("variant", *sweep.with_variant, *sweep.open_axes)]
        problems += refine_key.unmet(sweep.refinement, sweep.own, network_axes)
    problems += search_key.problems(data)
    if sweep.search:
        problems += search_key.unmet(data, sweep.search.contrast, sweep.own)
    problems += _baseline_problems(expansion)
    problems += _print_name_problems(expansion)


def _same_name_problems(expansion: _Expansion) -> Iterator[Problem]:
    """Two combinations of a custom topology that would have the same name."""
    if schema.is_described(expansion.sweep.scenario) and (same_named := network_rows.alike(expansion.asked_for)):
        reason = f"groups of flows are mixes, so two combinations would have the same name {same_named[0]['variant']}"
        variant_paths = (path for path, name, _ in sections.values(expansion.data) if dotted_names.is_variant(name))
        yield Problem(next(variant_paths, ()), f"{reason}: write a sweep file for each group's variants")


def _precision_problems(data: dict[str, Any], combinations: list[Combination]) -> list[Problem]:
    return [*precision_key.problems(data)] or [*precision_key.unmeasured(data, combinations)]


def _baseline_problems(expansion: _Expansion) -> Iterator[Problem]:
    possible = _possible_baselines(expansion.sweep.own, schema.is_described(expansion.sweep.scenario))
    wanted = expansion.sweep.baseline
    if "baseline" in expansion.data and expansion.sweep.own and wanted is not None and wanted not in possible:
        expected = (
            f"expected one of the sweep's variants, not a mix: {', '.join(possible)}"
            if possible
            else "the sweep has only mixes, so none can be the baseline: remove this key"
        )
        yield Problem(("baseline",), f"{expected}; got {wanted!r}{spelling.did_you_mean(wanted, possible)}")


def _print_name_problems(expansion: _Expansion) -> Iterator[Problem]:
    """Names for print of variants that the sweep lacks, and two variants with one name."""
    variants = dict.fromkeys(turn for row in expansion.asked_for for turn in Mix.parse(str(row["variant"])).variants)
    variant_of_name: dict[str, str] = {}
    for variant in expansion.data.get("names", {}):
        if variant not in variants:
            message = f"expected a variant of the sweep, got {variant!r}{spelling.did_you_mean(variant, variants)}"
            yield Problem(("names", variant), message, at_key=True)
    for variant in variants:
        name = printed_names.variant_name(variant, expansion.sweep.names)
        if (first_variant := variant_of_name.setdefault(name, variant)) != variant and expansion.sweep.names:
            yield Problem(("names",), f"{first_variant} and {variant} have the same name for print, {name}")


def _as_published(
    scenario: str, data: dict[str, Any], combinations: list[Combination], first: int, problems: list[Problem]
) -> tuple[Published, list[Combination]]:
    """A study's published combinations, in its setting, numbered from ``first``."""
    study = data.get("published", {})
    setting = {name: conditions.normal_value(scenario, name, value) for name, value in study.get("setting", {}).items()}
    numbers = list(range(len(combinations)))
    if "where" in study:
        numbers = conditions.where(scenario, study["where"], combinations)
        if not numbers:
            problems.append(Problem(("published", "where"), "no combination of the sweep meets this condition"))
    for name in setting:
        messages = []
        if name == "variant" or len({str(row.get(name)) for row in combinations}) > 1:
            messages = [f"{name} distinguishes the sweep's combinations"]
        elif dotted_names.is_variant(name) or name in network_rows.parameters(scenario):
            messages = ["write the link and flow parameters that it sets, by their dotted names"]
        if name in (PRESET, TCP):
            messages.append(f"write the attributes, which take precedence over the sweep's {name}")
        problems += (Problem(("published", "setting", name), message, at_key=True) for message in messages)
    if "numbers" not in study:
        return Published(first, [], 0), []
    rows = [combinations[number] | setting for number in numbers]
    for row in rows:
        problems += clashes.problems(data, row)
    run = study.get("run", sweep_keys.properties()["published"]["properties"]["run"]["default"])
    return Published(first, numbers, int(run)), rows


def _baseline(data: dict[str, Any], combinations: list[Combination], is_described: bool) -> str | None:
    """The variant that others are compared with. Default: the first one that is not a mix.

    If all groups of flows in a custom topology have their own variants, the default is the first joined variant.
    """
    if "baseline" in data:
        return str(normal_forms.normal(data["baseline"], "variant"))
    candidates = _possible_baselines(combinations, False) or _possible_baselines(combinations, is_described)
    return next(iter(candidates), None)


def _possible_baselines(combinations: list[Combination], is_described: bool) -> list[str]:
    """The variants that are not mixes; all variants in a custom topology whose groups have their own variants."""
    texts = dict.fromkeys(str(row["variant"]) for row in combinations)
    return [text for text in texts if is_described or not Mix.parse(text).is_mixed]


def _unmet_problem(path: KeyPath, key: str, wanted: matching.Wanted, rows: list[Combination]) -> Problem:
    """The problem with a condition that no row meets: either a value that no row has, or the values together."""
    for name, values in wanted.items():
        if not any(matching.is_met({name: values}, row) for row in rows):
            existing = list(dict.fromkeys(value_text(row, name) for row in rows if name in row))
            texts = ", ".join(map(units.value_text, values))
            return Problem((*path, name), f"{name} is never {texts} in this sweep; it is {spelling.listed(existing)}")
    return Problem(path, f"no simulation has all these values of `{key}` together")


def _meeting_conditions(
    scenario: str, data: dict[str, Any], rows: list[Combination], problems: list[Problem]
) -> list[Combination]:
    """The rows that remain after `only` and `exclude`; adds a problem for each condition that no row meets."""
    is_met_by_key = {}
    for key in ("only", "exclude"):
        meets_any = [False] * len(rows)
        for path, condition in sections.blocks(data, key):
            wanted = conditions.wanted_values(scenario, condition)
            meets_this = [matching.is_met(wanted, row) for row in rows]
            if not any(meets_this):
                problems.append(_unmet_problem(path, key, wanted, rows))
            meets_any = [a or b for a, b in zip(meets_any, meets_this, strict=True)]
        is_met_by_key[key] = meets_any
    keep_all = "only" not in data
    return [
        row
        for row, wanted, unwanted in zip(rows, is_met_by_key["only"], is_met_by_key["exclude"], strict=True)
        if (keep_all or wanted) and not unwanted
    ]


def axes_with_variant(data: dict[str, Any], axes: Iterable[str], combinations: Sequence[Combination]) -> list[str]:
    """The axes in a block of `zip` with the variant that have one value for each variant.

    An axis with several values for some variant distinguishes network conditions, as any other axis does. So does an
    axis that follows from the variant but is not in the block: blocks of `grid` and conditions may leave out
    combinations that are not to be compared.
    """
    following: set[str] = set()
    for _, block in sections.blocks(data, "zip"):
        if any(_names_a_variant(name) for name in block):
            following |= {name for name in block if not _names_a_variant(name) and _follows_variant(name, combinations)}
    return [name for name in axes if name in following]


def _names_a_variant(name: str) -> bool:
    return name == "variant" or dotted_names.is_variant(name)


def _follows_variant(name: str, combinations: Iterable[Combination]) -> bool:
    """Whether a parameter or an attribute has one value for each variant."""
    value_of_variant: dict[str, Value | None] = {}
    return all(value_of_variant.setdefault(str(row["variant"]), row.get(name)) == row.get(name) for row in combinations)
