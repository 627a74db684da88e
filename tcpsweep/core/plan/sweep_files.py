# SPDX-License-Identifier: MIT
"""The files in a sweep's folder that later rules depend on; each is written only if its content changes."""

import functools
import os
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

from tcpsweep.core.identity import cpp_code, steps
from tcpsweep.core.ns3 import ns3_build, variants
from tcpsweep.core.ns3.engine import Engine
from tcpsweep.core.plan import build_users, cell_commands
from tcpsweep.core.plan.plan_record import Plan
from tcpsweep.core.store import completion_record, digests, layout, removal, state_files, whole_files
from tcpsweep.core.sweep import requests, sweep_record, sweep_tables
from tcpsweep.core.sweep.sweep_record import Run
from tcpsweep.core.sweepfile.asked import figures_and_tables
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.core.sweepfile.document.yaml_document import Document
from tcpsweep.core.sweepfile.keys import schema
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile

_ORIGIN_FILE = "origin"  # names the sweep file of the folder's last plan
STEPS = ("aggregate", "report", "pages")  # the rules after the cells
# The files of the record, each with the rules that read it.
_READERS = {
    sweep_record.FILE: ("aggregate", "pages"),
    requests.ASKED_FILE: ("report",),
    "sweep.yaml": ("report",),
    build_users.COMMANDS: ("report", "pages"),
}


Text: TypeAlias = Callable[[], Iterable[str]]
"""Makes a file's text, in pieces."""


def file_texts(plan: Plan, document: Document, ns3: Engine) -> Mapping[str, Text]:
    """Each file's path in the sweep's folder to its text."""
    sweep = plan.sweep
    sources = sweep.variant_files
    record = sweep_record.planned(
        sweep,
        parser=plan.parser,
        measures=plan.measures,
        spans=plan.spans,
        ns3_version=ns3.version,
        ns3_libraries=ns3.libraries_id,
        ns3_prefix=plan.ns3_prefix and str(plan.ns3_prefix),
        corrections=plan.corrections,
        caveats=plan.caveats,
        scenario_code=cpp_code.cpp_id(schema.program(sweep.scenario)),
        variants={name: variants.code_id(name, sources) for name in variants.used(sweep.combinations, sources)},
        warnings=plan.warnings,
        metrics_code=steps.code_id("metrics"),
        cells=plan.runs,
    )
    texts = {
        sweep_record.FILE: sweep_record.record_text(record),
        requests.ASKED_FILE: requests.asked_text(figures_and_tables.asked(SweepFile(document.data))),
        "sweep.yaml": document.text,
    } | {f"code/{step}": steps.code_id(step) for step in STEPS}
    commands = functools.partial(cell_commands.all_by_hand, plan.binary, plan.cells)
    return {name: functools.partial(iter, [text]) for name, text in texts.items()} | {build_users.COMMANDS: commands}


def write(plan: Plan, document: Document, ns3: Engine, finished: Collection[Run], keeps_record: bool = False) -> None:
    """Write the files that changed, and touch those of rules that must run again.

    With ``keeps_record``, the files that describe the folder's results stay as they are, for a dry run of a finished
    sweep: rules that read a file that would change are listed, because their ``code/`` is touched.
    """
    stale_steps: set[str] = set()
    for log_folder in (plan.folder / "logs").glob("*"):
        if log_folder.is_dir():  # a folder instead of the file, which Snakemake would not replace
            removal.remove(log_folder)
    for name, text in file_texts(plan, document, ns3).items():
        if holds(plan.folder / name, text):
            continue
        if keeps_record and name in _READERS:
            stale_steps.update(_READERS[name])
        else:
            (plan.folder / name).parent.mkdir(parents=True, exist_ok=True)
            with whole_files.written_whole(plan.folder / name) as place, place.open("w", encoding="utf-8") as out:
                out.writelines(text())
    if not keeps_record:
        _note_builds_in_use(plan, ns3)
    for step in stale_steps.union(
        _damaged_steps(plan)
    ):  # Snakemake checks only the last rule's files, and only that they exist
        os.utime(plan.folder / "code" / step)
    covered = plan.folder / sweep_tables.COVERED
    is_stale = sweep_tables.covered(plan.folder) != set(finished) or not plan.is_decided
    if not any(plan.jobs.values()) and covered.is_file() and is_stale:
        # An earlier run ended before it made its tables, or their information on the next round is lost. The tables'
        # content decides, not their age.
        os.utime(plan.folder / sweep_record.FILE)


def _note_builds_in_use(plan: Plan, ns3: Engine) -> None:
    """Record that the sweep uses its ns-3, if tcpsweep built it, and the builds of its ingredients."""
    builds = {build for cell in plan.cells for build in cell.shared.builds}
    if ns3.march and ns3_build.is_made(ns3.prefix):
        builds.add(ns3.prefix)
    for build in builds:
        build_users.note(build, plan.folder)


def holds(path: Path, text: Text) -> bool:
    """Whether a file already contains exactly this text."""
    try:
        with path.open("rb") as file:
            parts = (part.encode() for part in text())
            return all(file.read(len(part)) == part for part in parts) and not file.read(1)
    except (FileNotFoundError, IsADirectoryError):
        return False


def _damaged_steps(plan: Plan) -> list[str]:
    """The rules whose output was removed or altered since a last rule recorded it.

    If no last rule succeeded, or its record is damaged, check that the tables are right and that the other files exist.
    A killed run removes a rule's files, but files that an earlier run made from them remain.
    """
    if complete := completion_record.read(plan.folder):
        return [step for step in STEPS if not completion_record.are_there(complete.made.get(step, {}))]
    removal.remove(plan.folder / layout.COMPLETE)  # the last rule makes a damaged one again
    files_by_step = {
        "aggregate": [plan.folder / name for name in (*sweep_tables.always(), *sweep_tables.BESIDE)],
        "report": [
            *(plan.folder / name for name in ("figures.json", "figures", layout.CLOSING)),
            plan.report,
            plan.picture,
        ],
        "pages": [plan.folder / "pages.json", *([plan.cell_pages] if plan.sweep.pages else [])],
    }
    damaged = [step for step, files in files_by_step.items() if not all(file.exists() for file in files)]
    return damaged if "aggregate" in damaged or not digests.file_problems(plan.folder) else [*damaged, "aggregate"]


def replaced_file(folder: Path, path: Path | str) -> Path | None:
    """The other sweep file whose tables and report a run of ``path`` replaces; None if there is none.

    It is the file of the folder's last plan, if it still exists and its sweep has the same name.
    """
    try:
        earlier_file = Path((folder / _ORIGIN_FILE).read_text(encoding="utf-8"))
        if earlier_file.samefile(path):
            return None
        data = yaml_document.read(earlier_file).data
    except (OSError, ValueError, yaml_document.Mistakes):
        return None
    return earlier_file if isinstance(data, dict) and data.get("sweep") == folder.name else None


def note_origin(folder: Path, path: Path | str) -> None:
    """Record the sweep file from which a sweep's folder is planned."""
    text = os.path.relpath(path)  # relative, so that a copy of the whole folder finds its own file
    if state_files.read_text(folder / _ORIGIN_FILE) != text:
        folder.mkdir(parents=True, exist_ok=True)
        whole_files.write_whole(folder / _ORIGIN_FILE, text)
