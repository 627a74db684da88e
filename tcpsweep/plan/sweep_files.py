# SPDX-License-Identifier: MIT
"""The files in a sweep's folder that the steps after the cells depend on; each is written only when it changes."""

import functools
import os
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

from tcpsweep.identity import cpp_code, steps
from tcpsweep.ns3 import ns3_build, variants
from tcpsweep.ns3.engine import Engine
from tcpsweep.plan import cell_commands
from tcpsweep.plan.plan_record import Plan
from tcpsweep.store import completion, digests, layout, whole_files
from tcpsweep.sweep import asked, sweep_record, sweep_tables
from tcpsweep.sweep.sweep_record import Run
from tcpsweep.sweepfile import requests, schema
from tcpsweep.sweepfile.yaml_document import Document

STEPS = ("aggregate", "figures", "report", "pages")  # those that follow the cells


Text: TypeAlias = Callable[[], Iterable[str]]
"""Makes a file's text, in pieces."""


def texts(plan: Plan, document: Document, ns3: Engine) -> Mapping[str, Text]:
    """The text of each file, by its path in the sweep's folder."""
    sweep = plan.sweep
    record = sweep_record.planned(
        sweep,
        parser=plan.parser,
        measures=plan.measures,
        spans=plan.spans,
        ns3_version=ns3.version,
        ns3_libraries=ns3.libraries_id,
        ns3_prefix=plan.ns3_prefix and str(plan.ns3_prefix),
        scenario_code=cpp_code.cpp_id(schema.program(sweep.scenario)),
        variants={variant: variants.code_id(variant) for variant in variants.used(sweep.combinations)},
        warnings=plan.warnings,
        metrics_code=steps.code_id("metrics"),
        cells=plan.runs,
    )
    whole = {
        sweep_record.FILE: sweep_record.text_of(record),
        asked.FILE: asked.text_of(requests.of(document.data)),
        "sweep.yaml": document.text,
    } | {f"code/{step}": steps.code_id(step) for step in STEPS}
    commands = functools.partial(cell_commands.all_by_hand, plan.binary, plan.cells)
    return {name: functools.partial(iter, [text]) for name, text in whole.items()} | {"commands.json": commands}


def write(plan: Plan, document: Document, ns3: Engine, finished: Collection[Run]) -> None:
    """Write the files that changed, and touch those of steps that must run again.

    Parameters
    ----------
    plan : Plan
    document : Document
    ns3 : Engine
    finished : collection of Run
        The runs that have their metrics.
    """
    for left in (plan.folder / "logs").glob("*"):
        if left.is_dir():  # in place of a file, which Snakemake would not replace
            whole_files.remove_file(left)
    for file, text in texts(plan, document, ns3).items():
        if not holds(plan.folder / file, text):
            (plan.folder / file).parent.mkdir(parents=True, exist_ok=True)
            with whole_files.written_whole(plan.folder / file) as place, place.open("w", encoding="utf-8") as out:
                out.writelines(text())
    if ns3.march:
        ns3_build.note_asker(ns3.prefix, plan.folder)
    for step in _spoilt(plan):  # Snakemake checks the last step's files only, and that they are there
        os.utime(plan.folder / "code" / step)
    covered = plan.folder / sweep_tables.COVERED
    is_stale = sweep_tables.covered(plan.folder) != set(finished) or not plan.is_decided
    if not any(plan.jobs.values()) and covered.is_file() and is_stale:
        # An earlier run ended before it made its tables, or what they told of the next round is lost. What they cover
        # decides, not their age.
        os.utime(plan.folder / sweep_record.FILE)


def holds(path: Path, text: Text) -> bool:
    """Whether a file already holds exactly this text."""
    try:
        with path.open("rb") as file:
            parts = (part.encode() for part in text())
            return all(file.read(len(part)) == part for part in parts) and not file.read(1)
    except (FileNotFoundError, IsADirectoryError):
        return False


def _spoilt(plan: Plan) -> list[str]:
    """The steps of which something that they made was removed or altered since a last step recorded it.

    If no last step succeeded, or its record is damaged, look whether the tables are right, and the rest is there: a run
    that was killed takes a step's files with it, and leaves those that an earlier run made from them.
    """
    if complete := completion.read(plan.folder):
        return [step for step in STEPS if not completion.are_there(complete.made.get(step, {}))]
    whole_files.remove_file(plan.folder / layout.COMPLETE)  # the last step makes a damaged one again
    made = {
        "aggregate": [plan.folder / name for name in (*sweep_tables.always(), *sweep_tables.BESIDE)],
        "figures": [plan.folder / "figures.json", plan.folder / "figures"],
        "report": [plan.report, plan.picture],
        "pages": [plan.folder / "pages.json", *([plan.cell_pages] if plan.sweep.pages else [])],
    }
    spoilt = [step for step, files in made.items() if not all(file.exists() for file in files)]
    return spoilt if "aggregate" in spoilt or not digests.problems(plan.folder) else [*spoilt, "aggregate"]
