# SPDX-License-Identifier: MIT
"""`published` of a sweep file: the study that the sweep reproduces, and its combinations in the study's setting."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from tcpsweep.core.contact.question import Question
from tcpsweep.core.sweep.ns3_tcp import PRESET, TCP
from tcpsweep.core.sweep.sweep_parts import Published
from tcpsweep.core.sweep.sweep_record import Sweep
from tcpsweep.core.sweepfile.checks import clashes
from tcpsweep.core.sweepfile.combinations import limits
from tcpsweep.core.sweepfile.document.yaml_document import KeyPath, Problem
from tcpsweep.core.sweepfile.keys import conditions, sweep_keys
from tcpsweep.core.sweepfile.network import network_rows
from tcpsweep.core.words import dotted_names, units
from tcpsweep.features.studies import claims_check, printed_numbers
from tcpsweep.features.studies.study_record import KEY, Study


def asked_of_axes(data: dict[str, Any], folder: Path, sweep: Sweep) -> tuple[Sweep, list[Problem]]:
    """The sweep with the study's published combinations, in its setting, and problems with the setting."""
    if KEY not in data:
        return sweep, []
    study, scenario, combinations = data[KEY], sweep.scenario, sweep.own
    problems: list[Problem] = []
    setting = {name: conditions.normal_value(scenario, name, value) for name, value in study.get("setting", {}).items()}
    numbers = list(range(len(combinations)))
    if "where" in study:
        numbers = conditions.where(scenario, study["where"], combinations)
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
    if "numbers" not in study:
        return sweep, problems
    rows = [combinations[number] | setting for number in numbers]
    for row in rows:
        problems += clashes.problems(data, row)
    run = study.get("run", sweep_keys.default(KEY, "run"))
    published = Published(len(sweep.combinations), numbers, int(run))
    return replace(sweep, combinations=sweep.combinations + rows, published=published), problems


def asked_of_combinations(data: dict[str, Any], folder: Path, sweep: Sweep) -> tuple[Sweep, list[Problem]]:
    """The sweep with the study that it reproduces, and problems with the study's claims and numbers."""
    if KEY not in data:
        return sweep, []
    about = data[KEY]
    numbers, problems = printed_numbers.numbers(data, folder, sweep.own)
    if problems := claims_check.problems(data, sweep) + problems:
        return sweep, problems
    study = Study(
        source=about["source"],
        setting={name: units.value_text(value) for name, value in about.get("setting", {}).items()},
        corrections=about.get("corrections", []),
        claims=[printed_numbers.claim_of(claim, sweep.scenario) for claim in about.get("claims", [])],
        numbers=numbers,
    )
    return sweep.with_question(KEY, study), []


def _comparisons(data: dict[str, Any]) -> dict[KeyPath, tuple[str, int]]:
    study = data.get(KEY, {})
    return {(KEY, key): (limits.VALUES, limits.condition_values(study.get(key, []))) for key in ("where", "claims")}


QUESTION = Question(
    key=KEY,
    asked_of_axes=asked_of_axes,
    asked_of_combinations=asked_of_combinations,
    comparisons=_comparisons,
    sets_repetitions=True,
)
