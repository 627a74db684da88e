# SPDX-License-Identifier: MIT
"""`published` of a sweep file: the study that the sweep reproduces, and its combinations in the study's setting."""

from dataclasses import replace

from tcpsweep.core.contact.question import Question
from tcpsweep.core.sweep.ns3_tcp import PRESET, TCP
from tcpsweep.core.sweep.sweep_parts import Published
from tcpsweep.core.sweep.sweep_record import Sweep
from tcpsweep.core.sweepfile.checks import clashes
from tcpsweep.core.sweepfile.combinations import limits
from tcpsweep.core.sweepfile.document.yaml_document import KeyPath, Problem
from tcpsweep.core.sweepfile.keys import conditions
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.core.sweepfile.network import network_rows
from tcpsweep.core.words import dotted_names, units
from tcpsweep.features.studies import claims_check, printed_numbers
from tcpsweep.features.studies.study_fields import StudyFields
from tcpsweep.features.studies.study_record import KEY, Study


def asked_of_axes(file: SweepFile, sweep: Sweep) -> tuple[Sweep, list[Problem]]:
    """The sweep with the study's published combinations, in its setting, and problems with the setting."""
    study, scenario, combinations = file.of(StudyFields).published, sweep.scenario, sweep.own
    if study is None:
        return sweep, []
    problems: list[Problem] = []
    setting = {name: conditions.normal_value(scenario, name, value) for name, value in (study.setting or {}).items()}
    numbers = list(range(len(combinations)))
    if study.where is not None:
        numbers = conditions.where(scenario, study.where, combinations)
        if not numbers:
            problems.append(Problem((KEY, "where"), "no combination of the sweep meets this condition"))
    for name in setting:
        messages = []
        if name == "variant" or len({str(row.get(name)) for row in combinations}) > 1:
            messages = [f"{name} distinguishes the sweep's combinations"]
        elif dotted_names.is_variant(name) or name in network_rows.parameters(scenario):
            messages = ["write the link and flow parameters that it sets, by their dotted names"]
        if name in (PRESET, TCP):
            messages.append(f"write the attributes, which take precedence over the sweep's {name}")
        problems += (Problem((KEY, "setting", name), message, at_key=True) for message in messages)
    if study.numbers is None:
        return sweep, problems
    rows = [combinations[number].with_values(setting) for number in numbers]
    for row in rows:
        problems += clashes.problems(file, row)
    published = Published(len(sweep.combinations), numbers, study.run)
    return replace(sweep, combinations=sweep.combinations + rows, published=published), problems


def asked_of_combinations(file: SweepFile, sweep: Sweep) -> tuple[Sweep, list[Problem]]:
    """The sweep with the study that it reproduces, and problems with the study's claims and numbers."""
    written = file.of(StudyFields).published
    if written is None:
        return sweep, []
    numbers, problems = printed_numbers.numbers(written, file.folder, sweep)
    if problems := claims_check.problems(written.claims, sweep) + problems:
        return sweep, problems
    study = Study(
        source=written.source,
        setting={name: units.value_text(value) for name, value in (written.setting or {}).items()},
        corrections=written.corrections,
        claims=[printed_numbers.claim_of(claim, sweep.scenario) for claim in written.claims],
        numbers=numbers,
    )
    return sweep.with_question(KEY, study), []


def _comparisons(file: SweepFile) -> dict[KeyPath, tuple[str, int]]:
    study = file.data.get(KEY, {})  # as written: a claim's texts count, too
    return {(KEY, key): (limits.VALUES, limits.condition_values(study.get(key, []))) for key in ("where", "claims")}


QUESTION = Question(
    key=KEY,
    asked_of_axes=asked_of_axes,
    asked_of_combinations=asked_of_combinations,
    comparisons=_comparisons,
    sets_repetitions=True,
)
