# SPDX-License-Identifier: MIT
"""`refine` of a sweep file: the values of an axis at which the difference of two variants changes sign.

``refine: {axis: bandwidth, between: 1Mbps and 100Mbps, where: goodput_bps of TcpBbr - TcpCubic changes sign, to: 5%}``
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from tcpsweep.core.contact.question import NextRounds, Question
from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.rounds import AskedRounds
from tcpsweep.core.sweep.sweep_record import PlannedSweep, Sweep
from tcpsweep.core.sweepfile.asked import asked_metrics, axis_ranges, repetitions, shares_and_values
from tcpsweep.core.sweepfile.document import sections
from tcpsweep.core.sweepfile.document.yaml_document import Problem
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.core.words import field_names, metrics, spelling, thresholds, units
from tcpsweep.core.words.mixes import Mix
from tcpsweep.features.refine import refine_record
from tcpsweep.features.refine.refine_fields import RefineFields, RefineKey
from tcpsweep.features.refine.refine_record import KEY, MOST_VALUES, Refinement

FIRST_VALUES = 5  # of the axis, in each network condition, before the first decision
JOINT = "and"
_NO_NETWORK_AXES = ("warmup", "flow_warmup")  # they choose what is measured, not what is simulated
_WHERE = re.compile(r"(\S+) of (\S+) [-−–] (\S+) changes sign")
_OF_NETWORKS = "expected one variant, or a metric of the whole network, such as jain or utilisation"
_EXAMPLE = "goodput_bps of TcpBbr - TcpCubic changes sign"


def asked_of_axes(file: SweepFile, sweep: Sweep) -> tuple[Sweep, list[Problem]]:
    """The sweep with the refinement that its file requests, and problems."""
    mistakes = list(problems(file))
    written = file.of(RefineFields).refine
    if written is None or mistakes:
        return sweep, mistakes
    asked = refinement(written, sweep.scenario)
    return sweep.with_question(KEY, asked), list(_unmet(asked, sweep.own, axes.rest_axes(sweep)))


def refinement(written: RefineKey, scenario: str) -> Refinement:
    """A scenario's refinement as a sweep file without `problems` has it."""
    ends = axis_ranges.range_ends(written.between, JOINT)
    match = _WHERE.fullmatch(written.where.strip())
    assert ends and match
    return Refinement(
        axis_ranges.axis_range_of(scenario, written.axis, *ends),
        match[1],
        _normal_variant(match[2]),
        _normal_variant(match[3]),
        shares_and_values.share(written.to, "a value"),
    )


def _asked_rounds(file: SweepFile) -> AskedRounds:
    """The refinement's axis, and the first round's values of it, the same for all network conditions."""
    written = file.of(RefineFields).refine
    if written is None or any(problems(file)):
        return AskedRounds(most_points=MOST_VALUES)
    axis_range = refinement(written, file.scenario).range
    points = [{axis_range.axis: axis_range.value(number)} for number in axis_range.steps(FIRST_VALUES)]
    return AskedRounds(open_axes={axis_range.axis: axis_range}, first_points=lambda: points, most_points=MOST_VALUES)


def problems(file: SweepFile) -> Iterator[Problem]:
    """Problems with a sweep file's refinement."""
    written = file.of(RefineFields).refine
    if written is None:
        return
    if file.has("published"):
        yield Problem((KEY,), "a published study names the values of its axes; remove `refine`", at_key=True)
    if len(repetitions.runs(file)) < thresholds.LEAST_RUNS:
        key = next((key for key in ("runs", "repetitions") if file.has(key)), KEY)
        message = f"`refine` needs {thresholds.LEAST_RUNS} repetitions or more, to find the sign of a difference"
        yield Problem((key,), message)
    ends = axis_ranges.range_ends(written.between, JOINT)
    if written.axis in _NO_NETWORK_AXES:
        message = f"{written.axis} does not change the network; expected an axis such as bandwidth or delay"
        yield Problem((KEY, "axis"), message)
    elif written.axis == "flows" and file.has(sections.PAIRS):
        message = "`pairs` gives half of the flows to each variant, but `refine` may choose odd numbers"
        yield Problem((KEY, "axis"), f"{message}; list even numbers in `grid`, or remove `pairs`")
    elif ends is None:
        message = f"expected two ends with `{JOINT}` between them, such as 1Mbps and 100Mbps, got {written.between!r}"
        yield Problem((KEY, "between"), message)
    else:
        yield from axis_ranges.problems(file, written.axis, ends, (KEY, "axis"), (KEY, "between"), JOINT)
    yield from _where_problems(written.where)
    try:
        if not shares_and_values.share(written.to, "a value"):
            message = f"no number of rounds finds a crossover as exactly as {written.to}; expected above 0, such as 5%"
            yield Problem((KEY, "to"), message)
    except ValueError as error:
        yield Problem((KEY, "to"), str(error))


def _where_problems(where: str) -> Iterator[Problem]:
    place = (KEY, "where")
    match = _WHERE.fullmatch(where.strip())
    if match is None:
        completed = f"{where.strip()} changes sign"
        advice = f"did you mean {completed!r}?" if _WHERE.fullmatch(completed) else f"write it as in {_EXAMPLE!r}"
        yield Problem(place, f"expected METRIC of VARIANT - VARIANT changes sign, got {where!r}; {advice}")
        return
    if reason := asked_metrics.why_not_compared(match[1]):
        yield Problem(place, reason)
    elif metrics.METRICS[match[1]].by_variant and (mixed := [name for name in match.groups()[1:] if "+" in name]):
        yield Problem(place, f"{match[1]} is a metric of each variant of the mix {mixed[0]}; {_OF_NETWORKS}")
    if _normal_variant(match[2]) == _normal_variant(match[3]):
        yield Problem(place, f"expected two different variants, got {match[2]} twice")


def _unmet(asked: Refinement, combinations: Sequence[Combination], apart: Sequence[str]) -> Iterator[Problem]:
    """What a sweep's combinations lack for the refinement; ``apart`` are the known axes that distinguish networks."""
    place = (KEY, "where")
    swept = list(dict.fromkeys(row.variant for row in combinations))
    lacking = [name for name in (asked.variant, asked.reference) if name not in swept]
    mixed = [name for name in lacking if any(name in Mix.parse(other).turns for other in swept)]
    if mixed and metrics.METRICS[asked.metric].by_variant:
        mix = next(other for other in swept if mixed[0] in Mix.parse(other).turns)
        expected = "expected two of these and a metric of the whole network, such as jain or utilisation"
        yield Problem(place, f"{mixed[0]} is only in the mix {mix}; the variants are {', '.join(swept)}; {expected}")
        return
    for name in lacking:
        expected = f"the sweep has no variant {name}; expected two of {', '.join(swept)}"
        yield Problem(
            place,
            f"{expected}{_nearest(name, [other for other in swept if other not in (asked.variant, asked.reference)])}",
        )
    if why := asked_metrics.why_unmeasured(asked.metric, combinations):
        yield Problem(place, f"{asked.metric}: {why}")
    elif not lacking and not any(number == 2 for number in variants_by_network(asked, combinations, apart)):
        message = f"no network condition has both {asked.variant} and {asked.reference}"
        reason = f", because {', '.join(apart)} differ{'s' * (len(apart) == 1)} between them" if apart else ""
        yield Problem(place, f"{message}{reason}; expected two variants in the same network condition")


def variants_by_network(asked: Refinement, combinations: Sequence[Combination], apart: Sequence[str]) -> list[int]:
    """How many of the two variants each network condition has; ``apart`` as in `_unmet`."""
    present: dict[tuple[str, ...], set[str]] = {}
    for row in combinations:
        network = tuple(units.value_text(row[name]) if name in row else "" for name in apart)
        present.setdefault(network, set()).update({row.variant}.intersection((asked.variant, asked.reference)))
    return list(map(len, present.values()))


def warnings(sweep: Sweep) -> Iterator[str]:
    """Network conditions that lack one of the two variants, so that there is nothing to refine."""
    asked = refine_record.of(sweep)
    if asked is None:
        return
    counts = variants_by_network(asked, sweep.own, axes.rest_axes(sweep))
    if lacking := sum(count < 2 for count in counts):
        both = f"{asked.variant} and {asked.reference}"
        yield f"{lacking} of {len(counts)} network conditions lack {both}, or one of them: `refine` skips these"


def _nearest(name: str, swept: Sequence[str]) -> str:
    """A suggestion for a variant: for a mix, first the same mix in another order."""
    same = [mix for mix in swept if sorted(Mix.parse(mix).turns) == sorted(Mix.parse(name).turns)]
    return f"; did you mean {same[0]!r}?" if same else spelling.did_you_mean(name, swept)


def _normal_variant(name: str) -> str:
    """A variant in the form used in combinations, from ns-3's name or the field's."""
    turns = (field_names.VARIANTS.get(part.replace("-", "_"), part.removeprefix("ns3::")) for part in name.split("+"))
    return str(Mix(tuple(turns)))


def _most_cells(sweep: Sweep, most: int) -> tuple[int, str]:
    return most * MOST_VALUES // len(sweep.points), "; the next rounds add values near each crossover"


def _state(sweep: PlannedSweep, folder: Path, is_ended: bool) -> str:
    from tcpsweep.features.refine import refinement_state

    return refinement_state.state(sweep, folder)


QUESTION = Question(
    key=KEY,
    asked_of_axes=asked_of_axes,
    warnings=warnings,
    rounds=NextRounds(
        keys=(KEY, "repetitions", "runs"),  # the runs affect the choice of points
        asked_rounds=_asked_rounds,
        most_cells=_most_cells,
        state_words=_state,
    ),
)
