# SPDX-License-Identifier: MIT
"""Run a dossier's sweeps in sequence, and write its report."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tcpsweep.core.campaigns import sweep_process
from tcpsweep.core.command_line.terminal.say import say
from tcpsweep.core.ns3 import engine, variants
from tcpsweep.core.plan import checked_sweep, plan
from tcpsweep.core.plan.plan_record import Workers
from tcpsweep.core.store import layout, locks
from tcpsweep.core.sweepfile.checks import ns3_check
from tcpsweep.core.sweepfile.document import variant_files
from tcpsweep.core.sweepfile.document.yaml_document import Problem
from tcpsweep.core.words import control_characters, field_names, rounding, spelling
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.dossier import chapters, dossier_page, dossier_summary, sweep_files


def own_file(variant: str) -> Path | None:
    """The C++ file of the user's own variant, such as ./TcpMine.cc; None if another variant is named.

    Raises `UserError` if the file is missing or has another name than a class.
    """
    files: dict[str, Path] = {}
    problems: list[Problem] = []
    variant_files.variant_name(variant, (), Path(), files, problems)
    if problems:
        raise UserError(f"VARIANT {variant!r}: {problems[0].message}")
    if files and os.environ.get(checked_sweep.IGNORE_NS3):
        raise UserError(f"VARIANT {variant!r}: code of a variant is not run here")
    return next(iter(files.values()), None)


def candidate(variant: str, file: Path | None = None) -> str:
    """ns-3's name of the congestion control that the user means, or the name of our own variant, perhaps in a file.

    Raises `UserError` if it does not exist or cannot be used, `EngineError` without ns-3.
    """
    name = file.stem if file else field_names.VARIANTS.get(variant, variant).removeprefix("ns3::")
    if not name or "+" in name:
        raise UserError(f"VARIANT {variant!r}: expected one congestion control, such as TcpBbr")
    ns3 = engine.find(None)
    minimal_sweep = {"sweep": "dossier", "scenario": "dumbbell", "fixed": {"variant": name}}
    for problem in ns3_check.problems(minimal_sweep, ns3, variants.sources({variant: file} if file else {})):
        raise UserError(
            f"VARIANT {variant!r}: {spelling.message_with_hint(problem.message, problem.choices, problem.nearest)}"
        )
    if name.islower() and (answer := field_names.asked_back(name)):
        raise UserError(f"VARIANT {variant!r}: {answer}")
    return name


def run(variant: str, form: str, options: Sequence[str] = (), summary: Path | None = None) -> Path:
    """Run the missing parts of a dossier, write its report, and return the report's path.

    The options are Snakemake's. The folder ``summary`` gets a summary in Markdown with figures. Raises `UserError`. If
    a sweep failed, raises `SystemExit` after the other sweeps have run and the report is written.
    """
    if form not in chapters.FORMS:
        raise UserError(
            f"FORM {form!r}: expected {' or '.join(chapters.FORMS)}{spelling.did_you_mean(form, chapters.FORMS)}"
        )
    file = own_file(variant)
    name = candidate(variant, file)
    all_chapters, common = chapters.read()
    sweeps = chapters.sweeps(all_chapters)
    with locks.derived(sweep_files.folder(name, form), "a dossier"):
        files = sweep_files.write(name, form, sweeps, common, chapters.FOLDER, file)
        return _run(name, form, all_chapters, files, options, summary)


def _run(
    name: str,
    form: str,
    all_chapters: Sequence[chapters.Chapter],
    files: Mapping[str, Path],
    options: Sequence[str],
    summary: Path | None,
) -> Path:
    """As `run`, with the candidate's name, the chapters and the sweep files."""
    say(_plan_in_words(name, form, len(all_chapters), files), flush=True)
    failed_sweeps = []
    for number, (sweep, file) in enumerate(files.items(), 1):
        say(f"\ntcpsweep: dossier of {name}: sweep {number} of {len(files)}, {sweep}", flush=True)
        if sweep_process.run(file, options):
            failed_sweeps.append(sweep)
    page = layout.REPORTS / f"{sweep_files.name(name, form)}.html"
    names = {sweep: sweep_files.name(name, form, sweep) for sweep in files}
    page_contents = dossier_page.write(name, form, all_chapters, names, page, failed_sweeps)
    if summary:
        dossier_summary.write(page_contents, summary)
    say(f"\n{dossier_summary.table(page_contents)}\nreport: {page}")
    if failed_sweeps:
        sys.exit(f"these sweeps of the dossier did not finish: {', '.join(failed_sweeps)}; see their messages above")
    return page


def _plan_in_words(name: str, form: str, count: int, files: Mapping[str, Path]) -> str:
    """The remaining work and its time, in words."""
    slots = len(os.sched_getaffinity(0))
    plans = [plan.prepare(file, Workers(slots), lock=lambda _: False) for file in files.values()]
    cells = len({cell.id for sweep_plan in plans for cell in sweep_plan.cells})
    seconds_by_cell = {
        cell: seconds for sweep_plan in plans for cell, seconds in sweep_plan.seconds.items()
    }  # sweeps share cells
    later_rules_s = sum(sweep_plan.after_s for sweep_plan in plans if sweep_plan.seconds)
    compiling_s = max((sweep_plan.compiling_s for sweep_plan in plans), default=0)
    time = rounding.time_text(compiling_s + sum(seconds_by_cell.values()) / slots + later_rules_s)
    state = f"{len(seconds_by_cell)} left to run, about {time} on {slots} cores" if seconds_by_cell else "all finished"
    counts = f"{count} sections, {len(files)} sweeps, {cells} simulations"
    return control_characters.escaped(f"tcpsweep: the dossier of {name}, {form} form: {counts}, {state}")
