# SPDX-License-Identifier: MIT
"""Read and check a whole sweep file: its schema, combinations, questions and ns-3."""

import contextlib
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tcpsweep.core.contact import features
from tcpsweep.core.identity import hashing
from tcpsweep.core.ns3 import catalogue, engine, installation, ns3_build, variants
from tcpsweep.core.ns3.engine import Engine
from tcpsweep.core.sweep import host_programs
from tcpsweep.core.sweep.rounds import Point
from tcpsweep.core.sweep.sweep_parts import InputFile
from tcpsweep.core.sweep.sweep_record import Sweep
from tcpsweep.core.sweepfile.asked import figures_and_tables, in_rounds, smallest_effects, wanted_rows
from tcpsweep.core.sweepfile.asked.figures_and_tables import SoundPart
from tcpsweep.core.sweepfile.checks import ns3_check
from tcpsweep.core.sweepfile.combinations import grid, limits
from tcpsweep.core.sweepfile.document import variant_files, yaml_document
from tcpsweep.core.sweepfile.document.yaml_document import Document, Mistakes, Problem
from tcpsweep.core.sweepfile.keys import network_preset_check, network_presets, schema, schema_check
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.core.sweepfile.network import network_files
from tcpsweep.core.words import control_characters

IGNORE_NS3 = (
    "TCPSWEEP_IGNORE_NS3"  # the environment variable that makes tcpsweep ignore ns-3 versions named in sweep files
)


def read(path: Path | str, ask_ns3: bool = False) -> tuple[Document, Sweep, Engine]:
    """Read and check a sweep file; returns the file, its sweep and the ns-3 that runs the sweep.

    With ``ask_ns3``, names and attributes are checked in that ns-3, which may require compiling a program.

    Raises
    ------
    yaml_document.Mistakes
        The file's problems.
    installation.EngineError
        The Python environment has no ns-3, or it does not work.
    """
    return checked(opened(path), ask_ns3)


def checked(document: Document, ask_ns3: bool = False) -> tuple[Document, Sweep, Engine]:
    """`read` for a sweep file that was read before, by `opened`."""
    sweep, problems = expanded(document)
    ns3, ns3_problems = _find_ns3(document, problems)
    problems = problems + ns3_problems
    if sweep and not problems:
        file = _file(document)
        problems_by_ingredient = (ingredient.problems(file, sweep) for ingredient in features.ingredients())
        problems = next(filter(None, problems_by_ingredient), [])
    # With mistakes so far, do not ask an ns-3 that needs compiling first: the user should not wait for a message about
    # a typing mistake.
    is_compiled = ns3 and (not ns3.source or ns3_build.is_made(ns3.prefix)) and catalogue.is_made(ns3)
    if ns3 and (is_compiled if problems else ask_ns3):
        if _ns3_key(document) and not is_compiled:
            _say_whose_code_runs(document, ns3)
        problems = problems + ns3_check.problems(document.data, ns3, variants.sources(document.files))
        if not problems:
            _check_preset(document, ns3)
    if sweep and ask_ns3 and not problems:
        problems = compile_problems(document, sweep)
    if problems or sweep is None or ns3 is None:
        raise document.mistakes(problems)
    return document, sweep, ns3


def compile_problems(document: Document, sweep: Sweep) -> list[Problem]:
    """Compile what a sweep's ingredients need, unless that is done, and return why this is impossible."""
    file = _file(document)
    return [problem for ingredient in features.ingredients() for problem in ingredient.compile(file, sweep)]


def corrections(sweep: Sweep, ns3: Engine) -> dict[str, list[str]]:
    """Each value of ``corrections`` in a sweep, to the corrections that it selects in this ns-3."""
    selected = (ingredient.selected(sweep.combinations, ns3.version) for ingredient in features.ingredients())
    return dict(item for names_by_value in selected for item in names_by_value.items())


def _say_whose_code_runs(document: Document, ns3: Engine) -> None:
    """Announce the ns-3 that a sweep file names, before its code is compiled and run for the first time."""
    where = ns3.source.folder if ns3.source else ns3.prefix
    words = f"tcpsweep: {document.name} names its own ns-3: code in {where} is compiled and run as you"
    print(control_characters.escaped(words), file=sys.stderr, flush=True)


def _check_preset(document: Document, ns3: Engine) -> None:
    """Raise `Mistakes` for names that ns-3 lacks in the sweep file's network preset, if it has one."""
    if schema.preset(document.data["scenario"]):
        preset = network_presets.document(document.data["scenario"])
        if problems := ns3_check.preset_problems(preset.data, ns3):
            raise preset.mistakes(problems)


def _with_variant_names(document: Document) -> Document:
    """The document with its variants' names in the place of their files. Raises `Mistakes`."""
    document = variant_files.named(document)
    if document.files and os.environ.get(IGNORE_NS3):
        variant_names = ", ".join(document.files)
        raise Mistakes(
            f"{document.name}: {variant_names} is code of the sweep file's author and would run as you, "
            "which needs --run-code"
        )
    return document


def opened(path: Path | str) -> Document:
    """A sweep file that is read, but not checked.

    If its scenario is a network preset's path, the path is made relative to the working folder.

    Raises `Mistakes` if the file cannot be read, or if the preset has problems.
    """
    document = _with_variant_names(yaml_document.read(path))
    scenario = document.data.get("scenario") if isinstance(document.data, dict) else None
    if not isinstance(scenario, str):
        return document
    if network_presets.is_file(scenario):
        preset = Path(document.name).parent / Path(scenario).expanduser()
        if not variant_files.exists(preset):
            hint = network_files.nearest(preset)
            message = f"there is no file {scenario}{hint}; write the path of a network preset's file"
            raise document.mistakes([Problem(("scenario",), message)])
        scenario = str(preset)
        document = replace(document, data=document.data | {"scenario": scenario})
    if network_presets.is_file(scenario) or scenario in network_presets.preset_names():
        network_preset_check.checked(network_presets.document(scenario))
    return document


def asks_for_several_ns3(path: Path | str) -> bool:
    """Whether a sweep file has a list of versions of ns-3; no if it cannot be read, which planning reports."""
    try:
        document = yaml_document.read(path)
    except Mistakes:
        return False
    return isinstance(document.data, dict) and isinstance(_ns3_key(document), list)


def without_ns3(path: Path | str) -> Sweep:
    """Read a sweep file, and check everything that needs no ns-3.

    Raises
    ------
    yaml_document.Mistakes
    """
    return at_points(opened(path), ())


def at_points(document: Document, points: Sequence[Point]) -> Sweep:
    """The sweep of a file that was read before, with new values of its open axes.

    Raises
    ------
    yaml_document.Mistakes
        A combination of these values has problems.
    """
    sweep, problems = expanded(document, points)
    if problems or sweep is None:
        raise document.mistakes(problems)
    return sweep


def expanded(document: Document, points: Sequence[Point] = ()) -> tuple[Sweep | None, list[Problem]]:
    """A file's sweep with all its questions, and the problems that do not depend on ns-3.

    There is no sweep if the file breaks the schema. Do not use the sweep if there are problems. Without ``points``,
    open axes have the first round's values.
    """
    data = document.data
    if problems := limits.list_problems(data):
        return None, problems
    if problems := schema_check.problems(data):
        part = figures_and_tables.sound_part(data, _folder(document), problems)
        problems += [] if part else smallest_effects.unchecked_problems(data, problems)
        return None, problems + _rest_problems(document, part)
    file = _file(document)
    if problems := limits.problems(file):
        return None, problems
    if problems := list(in_rounds.condition_problems(file)):
        return None, problems
    sweep, problems = grid.expand(file, points)
    for question in features.questions():
        if question.rounds and question.rounds.first_round and not points:
            sweep, problems = question.rounds.first_round(file, sweep, problems)
    if problems:
        return sweep, problems + _rest_problems(document, None)
    problems = figures_and_tables.problems(file, sweep)
    for question in features.questions():
        sweep, mistakes = question.asked_of_combinations(file, sweep)
        problems += mistakes
    if problems:
        return sweep, problems
    files = {name: InputFile(str(file), hashing.short_hash(name)) for name, file in document.files.items()}
    files |= _program_files(document, sweep)
    return replace(sweep, inputs=sweep.inputs | files), []


def _program_files(document: Document, sweep: Sweep) -> dict[str, InputFile]:
    """The files that the commands of programs name, if programs are flows. Raises `Mistakes` if they must not run."""
    commands = dict.fromkeys(command for row in sweep.combinations for _, command in host_programs.commands(row))
    if commands and os.environ.get(IGNORE_NS3):
        quoted_commands = ", ".join(f"`{command}`" for command in commands)
        raise Mistakes(f"{document.name}: {quoted_commands} would run programs as you, which needs --run-code")
    files: dict[str, InputFile] = {}
    for command in commands:
        with contextlib.suppress(ValueError):  # a missing quote, which the checks report
            files |= host_programs.files(command, _folder(document))
    return files


def _rest_problems(document: Document, part: SoundPart | None) -> list[Problem]:
    """Problems in the parts of a wrong file that can still be checked; ``part`` can be expanded to a sweep."""
    all_problems: list[Problem] = []
    data = document.data
    if part and not limits.problems(part.file):
        sweep, problems = grid.expand(part.file)
        if not problems:
            problems = figures_and_tables.problems(part.file, sweep) + _entry_problems(part.file, sweep)
        else:
            all_problems += _rest_problems(replace(document, data=part.file.data), None)
        all_problems = list(part.in_file([*all_problems, *problems]))
    questions = {question.key: question for question in features.questions()}
    for path, entry in figures_and_tables.unseen(data, part):
        question = questions.get(str(path[0]))
        problems_of = question.entry_problems if question else wanted_rows.unknown_metric_problems
        all_problems += problems_of(data, path, entry)
    return all_problems


def _entry_problems(file: SweepFile, sweep: Sweep) -> list[Problem]:
    """Problems of the questions that are lists, in the sound part of a wrong file."""
    of_lists = [question for question in features.questions() if question.key in figures_and_tables.LIST_KEYS]
    return [problem for question in of_lists for problem in question.asked_of_combinations(file, sweep)[1]]


def _file(document: Document) -> SweepFile:
    """A document without schema errors as a sweep file."""
    return SweepFile(document.data, _folder(document))


def _folder(document: Document) -> Path:
    """The folder of a sweep file, which paths in it are relative to."""
    return Path(document.name).parent


def prefix(document: Document, ns3: Engine) -> Path | None:
    """The prefix of the ns-3 that the sweep file names or the set-up chose; None for the wheel."""
    return ns3.prefix if _ns3_or_choice(document) else None


def _find_ns3(document: Document, problems: list[Problem]) -> tuple[Engine | None, list[Problem]]:
    """A sweep's ns-3, or None, and the problems with its name in the file; ``problems`` are the earlier ones."""
    if not isinstance(document.data, dict) or any(problem.path[:1] == ("ns3",) for problem in problems):
        return None, []
    if isinstance(_ns3_key(document), list):
        message = "several versions of ns-3 have a sweep each: this needs one; `tcpsweep sweep FILE` runs them all"
        return None, [Problem(("ns3",), message)]
    ns3_key = _ns3_or_choice(document)
    try:
        if source := _path_in_ns3_key(document, "source"):
            march = ns3_build.PLAIN if ns3_key.get("build") == "plain" else ns3_key.get("march", ns3_build.MARCH)
            own_modules = ns3_check.own_modules(document.data)
            return engine.find_source(source, march, own_modules, ns3_key.get("commit")), []
        return engine.find(_path_in_ns3_key(document, "prefix")), []
    except installation.EngineError as error:
        if not _ns3_key(document):
            raise
        key = "source" if "source" in ns3_key else "prefix"
        if isinstance(error, ns3_build.UnknownProcessor):
            key = "march"
        return None, [Problem(("ns3", key), str(error))]


def _ns3_or_choice(document: Document) -> dict[str, str]:
    """The key ``ns3`` of a sweep file, or the set-up's choice."""
    ns3_key: dict[str, str] = _ns3_key(document) or engine.chosen()
    return ns3_key


def _ns3_key(document: Document) -> Any:
    """The key ``ns3`` of a sweep file, a mapping or a list; empty if it must be ignored: a stranger wrote the file."""
    return {} if os.environ.get(IGNORE_NS3) else document.data.get("ns3") or {}


def _path_in_ns3_key(document: Document, key: str) -> Path | None:
    """A path under ``ns3`` in a sweep file, resolved from the file's folder; None if it is missing."""
    path = _ns3_or_choice(document).get(key)
    return (_folder(document) / Path(path).expanduser()).absolute() if path else None
