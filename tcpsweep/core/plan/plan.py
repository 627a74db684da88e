# SPDX-License-Identifier: MIT
"""Plan the remaining work of a sweep file: find its missing cells and deal them into batches.

Snakemake's DAG follows only from this plan. Finished cells are in no batch, and a batch is a plan file that any node
can read. Results are found by the identity of their content. File times matter only for the few rules after the cells.
All functions raise `UserError` if planning is impossible.
"""

import contextlib
import os
from collections.abc import Callable, Iterator, Set
from dataclasses import replace
from pathlib import Path

from tcpsweep.core.identity import cpp_code
from tcpsweep.core.ns3 import catalogue, programs
from tcpsweep.core.ns3.engine import Engine
from tcpsweep.core.plan import (
    cell_commands,
    checked_sweep,
    disk_space,
    expected_costs,
    job_files,
    other_programs,
    plan_reasons,
    plan_words,
    planned_round,
    remaining_time,
    result_ids,
    step_costs,
    sweep_files,
)
from tcpsweep.core.plan.expected_costs import Expected
from tcpsweep.core.plan.job_files import Work
from tcpsweep.core.plan.plan_record import Plan, Workers
from tcpsweep.core.store import cell_files, completion_record, layout, links, locks, state_files
from tcpsweep.core.sweep import sweep_record, sweep_tables
from tcpsweep.core.sweep.sweep_record import Run
from tcpsweep.core.sweepfile.checks import ns3_check
from tcpsweep.core.sweepfile.document.yaml_document import Document
from tcpsweep.core.sweepfile.keys import schema
from tcpsweep.core.words.user_error import UserError


@contextlib.contextmanager
def _store_errors_for_people() -> Iterator[None]:
    """Turn an error of the store into one that names the file."""
    try:
        yield
    except UserError:
        raise
    except OSError as error:
        raise UserError(f"{error.filename or layout.RESULTS}: {error.strerror}; {locks.ADVICE}") from None


@_store_errors_for_people()
def prepare(
    path: Path | str,
    workers: Workers | None = None,
    lock: Callable[[str], bool] = lambda name: True,
    writes: bool = True,
    runs: bool = True,
) -> Plan:
    """Plan the remaining work of a sweep file, and write its plan files.

    Parameters
    ----------
    path : path
        The sweep file.
    workers : Workers, optional
        Where the work is done. Default: a cell at a time on this machine.
    lock : callable
        Locks the sweep of a name, and returns whether this process now holds `locks.sweep`. Without the lock, files
        that another run of the sweep may use are not changed.
    writes : bool
        Whether to write plan files. If not, the plan is only for reading.
    runs : bool
        Whether the work is then done. If not, as in a dry run, a finished sweep keeps the record of its results.
    """
    workers, others = workers or Workers(), other_programs.reading()
    document, ns3, plan = with_cells(path)
    sound_runs = cell_files.sound_runs(plan.runs, plan.parser, plan.measures)
    reasons = plan_reasons.reasons(plan, ns3) if len(sound_runs) < len(plan.runs) else []  # `lock` clears damage
    holds_lock = writes and lock(plan.sweep.name)
    finished = set(plan.finished())
    plan, expected, work = _with_work(document, ns3, plan, finished)
    costs = {kind: [expected[cell.combination].cost for cell in cells] for kind, cells in work.items()}
    raw_slots = 0 if workers.on_cluster else workers.slots  # nodes of a cluster write raw files to their own disks
    space = disk_space.needed_space(costs["simulate"], costs["parse"], raw_slots, plan.sweep.capture.keep_raw)
    plan = replace(plan, replaces=sweep_files.replaced_file(plan.folder, path), space_problem=space.problem())
    if runs and holds_lock and plan.space_problem:
        raise UserError(f"{document.name}: {plan.space_problem}")
    plan = job_files.with_batches(plan, work, expected, workers, holds_lock, writes)
    time = remaining_time.remaining_time(plan, ns3, workers, others, len(document.data.get("figures", [])))
    plan = replace(
        plan,
        slower=time.slower,
        compiling_s=time.compiling_s,
        after_s=time.after_s,
        left=plan_words.estimate(time.total_s, space.total, time.cores, time.slower > 1),
        reasons=reasons if plan.jobs.get("simulate") else [],
    )
    if holds_lock:
        job_files.mark_programs(plan)
    if holds_lock and plan.seconds:
        step_costs.note(plan.folder, time.steps_s)
    if writes and (holds_lock or not (plan.folder / sweep_record.FILE).is_file()):
        _write_sweep_files(plan, document, ns3, finished, path, runs)
    return plan


def _with_work(document: Document, ns3: Engine, plan: Plan, finished: Set[Run]) -> tuple[Plan, list[Expected], Work]:
    """The plan with its remaining cells and programs, each combination's expected cost, and the cells by kind."""
    sweep = plan.sweep
    missing = {cell.id: cell for cell, run in zip(plan.cells, plan.runs, strict=True) if run not in finished}
    if missing and (problems := ns3_check.problems(document.data, ns3, sweep.variant_files)):
        raise document.mistakes(problems)
    expected = expected_costs.expected(sweep, finished, plan.parser)
    work = job_files.work(plan, missing.values(), expected)
    compiles, compiled = job_files.programs(plan, ns3, work)
    with_work = replace(
        plan,
        compiles=compiles,
        compiled=compiled,
        seconds={cell.id: seconds for cells in work.values() for cell, seconds in cells.items()},
        kinds={cell.id: expected[cell.combination].kind for cell in work["simulate"]},
        work={kind: {cell.id for cell in cells} for kind, cells in work.items()},
    )
    return with_work, expected, work


def _write_sweep_files(
    plan: Plan, document: Document, ns3: Engine, finished: Set[Run], path: Path | str, runs: bool
) -> None:
    """Write the files that the rules read. ``runs`` as in `prepare`."""
    keeps_record = not runs and completion_record.read(plan.folder) is not None
    sweep_files.write(plan, document, ns3, finished, keeps_record)
    if not keeps_record:
        sweep_files.note_origin(plan.folder, path)


@_store_errors_for_people()
def unchanged(path: Path | str) -> Plan | None:
    """The plan of a sweep file if its tables have all its cells and nothing changed since its last rule ended; or None.

    Writes nothing but the damage of cells that lack files.
    """
    document, ns3, plan = with_cells(path)
    sound = cell_files.sound_runs(plan.runs, plan.parser, plan.measures)
    if not plan.is_decided or len(sound) < len(plan.runs) or sweep_tables.covered(plan.folder) != set(sound):
        return None
    completion_file = plan.folder / layout.COMPLETE
    if not completion_file.is_file():
        return None
    for name, text in sweep_files.file_texts(plan, document, ns3).items():
        file = plan.folder / name
        if not sweep_files.holds(file, text) or file.stat().st_mtime_ns > completion_file.stat().st_mtime_ns:
            return None
    return plan


def without_work(path: Path | str) -> Plan:
    """The plan of a sweep file as if all its cells were finished, only for reading the rules. Writes nothing."""
    return with_cells(path)[2]


def outline(name: str, run: str) -> Plan:
    """The plan of a sweep by its name, for a job on another node: the names in the rules, and no work.

    It is read, not planned again. A new plan could differ: the sweep file may have changed, and the node may have
    another processor and no compiler. ``run`` is the run that submitted the job, as in `layout.submitted`.
    """
    submitted = layout.submitted(name)
    if (state_files.read_text(submitted) or "").splitlines()[:1] != [run]:
        raise UserError(f"{submitted} is not of this job's run: the run that submitted this job has ended")
    planned = sweep_record.read(layout.SWEEPS / name)
    prefix = Path(planned.ns3_prefix) if planned.ns3_prefix else None
    # Each batch's plan file names the program.
    return Plan(planned, [], *result_ids.parser_and_decoder(planned.capture), Path(), {}, ns3_prefix=prefix)


def with_cells(path: Path | str) -> tuple[Document, Engine, Plan]:
    """A sweep file's document, its ns-3, and a plan with its cells but without batches."""
    for place in (
        layout.RESULTS,
        layout.RAW,
        layout.CELLS,
        layout.FAILED,
        layout.CLAIMS,
        layout.DAMAGED,
        layout.SWEEPS,
        layout.REPORTS,
    ):
        if os.path.lexists(place) and not place.is_dir():
            instead = "a link to nothing" if place.is_symlink() and not place.exists() else "a file"
            raise UserError(f"{place.absolute()} is {instead}; expected a folder: move it away, or make the folder")
        if place.parent != Path() and place.is_symlink():
            raise links.error(place)
    document, sweep, ns3 = checked_sweep.read(path)
    if problems := checked_sweep.compile_problems(document, sweep):
        raise document.mistakes(problems)
    code_id = cpp_code.cpp_id(schema.program(sweep.scenario))
    sweep, cells, is_decided = planned_round.with_cells(
        document, sweep, lambda sweep: cell_commands.cells(sweep, code_id, ns3, lambda: catalogue.types(ns3))
    )
    binary, prefix = programs.place(ns3, schema.program(sweep.scenario)), checked_sweep.prefix(document, ns3)
    plan = Plan(
        sweep,
        cells,
        *result_ids.parser_and_decoder(sweep.capture),
        binary,
        {},
        ns3_prefix=prefix,
        ns3_version=ns3.version,
        corrections=checked_sweep.corrections(sweep, ns3),
        is_decided=is_decided,
    )
    links.refuse(plan.folder, plan.cell_pages)
    return document, ns3, plan
