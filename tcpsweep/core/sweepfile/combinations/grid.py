# SPDX-License-Identifier: MIT
"""Expand a sweep file's data to its combinations."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from tcpsweep.core.contact import features
from tcpsweep.core.sweep import matching
from tcpsweep.core.sweep.matching import Combination, Value
from tcpsweep.core.sweep.rounds import AskedRounds, Point
from tcpsweep.core.sweep.sweep_parts import Capture, Published
from tcpsweep.core.sweep.sweep_record import Sweep, value_text
from tcpsweep.core.sweepfile.asked import asked_metrics, in_rounds, repetitions, smallest_effects
from tcpsweep.core.sweepfile.checks import clashes, network_check
from tcpsweep.core.sweepfile.combinations import grid_rows
from tcpsweep.core.sweepfile.combinations.grid_rows import GridRows
from tcpsweep.core.sweepfile.document import sections
from tcpsweep.core.sweepfile.document.yaml_document import KeyPath, Problem
from tcpsweep.core.sweepfile.keys import conditions, presets, schema
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.core.sweepfile.network import network_files, network_rows
from tcpsweep.core.words import dotted_names, normal_forms, printed_names, spelling, units
from tcpsweep.core.words.mixes import Mix

MOST_PAGES = 1000  # larger sweeps make cells' pages only on request: a page takes about a tenth of a second


def expand(file: SweepFile, known: Sequence[Point] = ()) -> tuple[Sweep, list[Problem]]:
    """All combinations of a sweep file.

    Parameters
    ----------
    file : SweepFile
    known : sequence of Point
        The values of open axes. They are crossed with the combinations of the other axes that they belong to. Default:
        the first round's values.

    Returns
    -------
    sweep : Sweep
    problems : list of Problem
        Problems that the schema cannot detect. If there are any, do not use the sweep.
    """
    asked = in_rounds.asked_rounds(file)
    rows = grid_rows.grid_rows(file, _with_axes_only(file), asked, known)
    problems = rows.problems
    asked_for = _meeting_conditions(file, rows.combinations, problems)
    problems += _combination_problems(file, asked_for, has_earlier=bool(problems))
    own, added = asked_for, list[Combination]()
    for question in features.questions():
        if question.added:
            own, more, mistakes = question.added.own_and_added(file, own, not problems)
            added += more
            problems += mistakes
    sweep = _of_combinations(file, rows, asked, own, added)
    if schema.has_dotted_names(sweep.scenario):
        sweep = replace(sweep, inputs=network_files.input_files(asked_for, file, problems))
    for question in features.questions():
        sweep, mistakes = question.asked_of_axes(file, sweep)
        problems += mistakes
    return sweep, problems + _other_problems(file, sweep, asked_for)


def _with_axes_only(file: SweepFile) -> SweepFile:
    """The sweep file in which axes replace the keys of questions that add combinations."""
    for question in features.questions():
        file = question.added.file_with_axes(file) if question.added else file
    return file


def _of_combinations(
    file: SweepFile, rows: GridRows, asked: AskedRounds, own: list[Combination], added: list[Combination]
) -> Sweep:
    """The sweep of a file's combinations, before its questions join it."""
    scenario, keys, combinations = file.scenario, file.keys, own + added
    are_mixes_joint, smallest = schema.has_dotted_names(scenario), keys.smallest_effect
    values_by_axis = {
        name: _with_default_values(name, values, own)
        for name, values in rows.axes.items()
        if any(name in row for row in own)
    }
    if schema.has_dotted_names(scenario):
        values_by_axis = network_rows.axes(values_by_axis, own)
    return Sweep(
        name=keys.sweep,
        title=keys.title or keys.sweep,
        scenario=scenario,
        seed=keys.seed,
        runs=asked.runs or repetitions.runs(file),
        counts=[asked.first_runs] * len(combinations) if asked.first_runs else [],
        open_axes=asked.open_axes,
        points=rows.points,
        capture=Capture(**keys.capture.model_dump()),
        axes=values_by_axis,
        with_variant=axes_with_variant(file, values_by_axis, own),
        forms=schema.forms(scenario) | network_rows.forms(own),
        plain_units=schema.plain_units(scenario) | network_rows.plain_units(own),
        headline=asked_metrics.headline(scenario, own),
        combinations=combinations,
        swept=len(own),
        published=Published(len(combinations), [], 0),
        baseline=_baseline(file, own, are_mixes_joint),
        names=keys.names or {},
        smallest_effects={} if smallest_effects.problems(smallest) else smallest_effects.smallest_effects(smallest),
        presets=presets.used(own),
        pages=_has_pages(file, len(combinations)),
        program=schema.program(scenario),
    )


def _has_pages(file: SweepFile, combination_count: int) -> bool:
    """Whether each simulation gets a page."""
    if file.keys.pages is not None:
        return file.keys.pages
    return combination_count * repetitions.planned_runs(file) <= MOST_PAGES


def _with_default_values(name: str, values: list[Value], combinations: Sequence[Combination]) -> list[Value]:
    """An axis' values, after the default that combinations of other blocks of the grid have."""
    defaults: list[Value] = []
    for row in combinations:
        if name in row and row[name] not in values and row[name] not in defaults:
            defaults.append(row[name])
    return [*defaults, *values]


def _combination_problems(file: SweepFile, combinations: Sequence[Combination], has_earlier: bool) -> Iterator[Problem]:
    """Problems with a sweep's name and with the combinations that its file asks for; ``has_earlier`` of its axes."""
    mistakes = list(clashes.name_problems(file.keys.sweep))
    mistakes += _same_name_problems(file, combinations)
    for row in combinations:
        mistakes += clashes.problems(file, row)
    yield from mistakes
    if not combinations and not mistakes and not has_earlier:
        yield Problem((), "`exclude` and `only` remove every combination: change one of them")


def _other_problems(file: SweepFile, sweep: Sweep, combinations: Sequence[Combination]) -> list[Problem]:
    """Problems with what a sweep's file says besides its axes and questions; ``combinations`` are those of its axes."""
    return [
        *clashes.capture_problems(file.keys.capture),
        *network_files.schedule_problems(combinations, file, sweep.inputs),
        *network_check.unused_bandwidths(sweep.own, file),
        *smallest_effects.problems(file.keys.smallest_effect),
        *_baseline_problems(file, sweep),
        *_print_name_problems(file, sweep, combinations),
    ]


def _same_name_problems(file: SweepFile, combinations: Sequence[Combination]) -> Iterator[Problem]:
    """Two combinations of a custom topology that would have the same name."""
    if schema.has_dotted_names(file.scenario) and (same_named := network_rows.alike(combinations)):
        reason = f"groups of flows are mixes, so two combinations would have the same name {same_named[0]['variant']}"
        variant_paths = (path for path, name, _ in sections.values(file.data) if dotted_names.is_variant(name))
        yield Problem(next(variant_paths, ()), f"{reason}: write a sweep file for each group's variants")


def _baseline_problems(file: SweepFile, sweep: Sweep) -> Iterator[Problem]:
    possible = _possible_baselines(sweep.own, schema.has_dotted_names(sweep.scenario))
    wanted = sweep.baseline
    if file.keys.baseline is not None and sweep.own and wanted is not None and wanted not in possible:
        expected = (
            f"expected one of the sweep's variants, not a mix: {', '.join(possible)}"
            if possible
            else "the sweep has only mixes, so none can be the baseline: remove this key"
        )
        yield Problem(("baseline",), f"{expected}; got {wanted!r}{spelling.did_you_mean(wanted, possible)}")


def _print_name_problems(file: SweepFile, sweep: Sweep, combinations: Sequence[Combination]) -> Iterator[Problem]:
    """Names for print of variants that the sweep lacks, and two variants with one name."""
    variants = dict.fromkeys(turn for row in combinations for turn in row.mix.variants)
    variant_of_name: dict[str, str] = {}
    for variant in sweep.names:
        if variant not in variants:
            message = f"expected a variant of the sweep, got {variant!r}{spelling.did_you_mean(variant, variants)}"
            yield Problem(("names", variant), message, at_key=True)
    for variant in variants:
        name = printed_names.variant_name(variant, sweep.names)
        if (first_variant := variant_of_name.setdefault(name, variant)) != variant and sweep.names:
            yield Problem(("names",), f"{first_variant} and {variant} have the same name for print, {name}")


def _baseline(file: SweepFile, combinations: list[Combination], are_mixes_joint: bool) -> str | None:
    """The variant that others are compared with. Default: the first one that is not a mix.

    If all groups of flows in a custom topology have their own variants, the default is the first joined variant.
    """
    if file.keys.baseline is not None:
        return str(normal_forms.normal(file.keys.baseline, "variant"))
    candidates = _possible_baselines(combinations, False) or _possible_baselines(combinations, are_mixes_joint)
    return next(iter(candidates), None)


def _possible_baselines(combinations: list[Combination], are_mixes_joint: bool) -> list[str]:
    """The variants that are not mixes; all variants in a custom topology whose groups have their own variants."""
    texts = dict.fromkeys(row.variant for row in combinations)
    return [text for text in texts if are_mixes_joint or not Mix.parse(text).is_mixed]


def _unmet_problem(path: KeyPath, key: str, wanted: matching.Wanted, rows: list[Combination]) -> Problem:
    """The problem with a condition that no row meets: either a value that no row has, or the values together."""
    for name, values in wanted.items():
        if not any(matching.is_met({name: values}, row) for row in rows):
            existing = list(dict.fromkeys(value_text(row, name) for row in rows if name in row))
            texts = ", ".join(map(units.value_text, values))
            return Problem((*path, name), f"{name} is never {texts} in this sweep; it is {spelling.listed(existing)}")
    return Problem(path, f"no simulation has all these values of `{key}` together")


def _meeting_conditions(file: SweepFile, rows: list[Combination], problems: list[Problem]) -> list[Combination]:
    """The rows that remain after `only` and `exclude`; adds a problem for each condition that no row meets."""
    is_met_by_key = {}
    for key in ("only", "exclude"):
        meets_any = [False] * len(rows)
        for path, condition in sections.blocks(file.data, key):
            wanted = conditions.wanted_values(file.scenario, condition)
            meets_this = [matching.is_met(wanted, row) for row in rows]
            if not any(meets_this):
                problems.append(_unmet_problem(path, key, wanted, rows))
            meets_any = [a or b for a, b in zip(meets_any, meets_this, strict=True)]
        is_met_by_key[key] = meets_any
    keep_all = not file.has("only")
    return [
        row
        for row, wanted, unwanted in zip(rows, is_met_by_key["only"], is_met_by_key["exclude"], strict=True)
        if (keep_all or wanted) and not unwanted
    ]


def axes_with_variant(file: SweepFile, axes: Iterable[str], combinations: Sequence[Combination]) -> list[str]:
    """The axes in a block of `zip` with the variant that have one value for each variant.

    An axis with several values for some variant distinguishes network conditions, as any other axis does. So does an
    axis that follows from the variant but is not in the block: blocks of `grid` and conditions may leave out
    combinations that are not to be compared.
    """
    following: set[str] = set()
    for _, block in sections.blocks(file.data, "zip"):
        if any(_names_a_variant(name) for name in block):
            following |= {name for name in block if not _names_a_variant(name) and _follows_variant(name, combinations)}
    return [name for name in axes if name in following]


def _names_a_variant(name: str) -> bool:
    return name == "variant" or dotted_names.is_variant(name)


def _follows_variant(name: str, combinations: Iterable[Combination]) -> bool:
    """Whether a parameter or an attribute has one value for each variant."""
    value_of_variant: dict[str, Value | None] = {}
    return all(value_of_variant.setdefault(row.variant, row.get(name)) == row.get(name) for row in combinations)
