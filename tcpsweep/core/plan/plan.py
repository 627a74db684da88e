# SPDX-License-Identifier: MIT
"""Plan the remaining work of a sweep file: find its missing cells and deal them into batches.

Snakemake's DAG follows only from this plan. Finished cells are in no batch, and a batch is a plan file that any node
can read. Results are found by the identity of their content. File times matter only for the few rules after the cells.
All functions raise `UserError` if planning is impossible.
"""

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from tcpsweep.core.identity import cpp_code
from tcpsweep.core.ns3 import catalogue, programs
from tcpsweep.core.ns3.engine import Engine
from tcpsweep.core.plan import (
    cell_commands,
    checked_sweep,
    expected_costs,
    job_files,
    other_programs,
    plan_reasons,
    plan_words,
    planned_round,
    result_ids,
    step_costs,
    sweep_files,
)
from tcpsweep.core.plan.plan_record import Plan
from tcpsweep.core.store import cell_files, compiled_programs, completion_record, layout, links, locks
from tcpsweep.core.sweep import sweep_record
from tcpsweep.core.sweep.cost import Cost
from tcpsweep.core.sweep.sweep_parts import Capture
from tcpsweep.core.sweepfile.checks import ns3_check
from tcpsweep.core.sweepfile.document.yaml_document import Document
from tcpsweep.core.sweepfile.keys import schema
from tcpsweep.core.words.rounding import bytes_text
from tcpsweep.core.words.user_error import UserError

IGNORED = "TCPSWEEP_IGNORE_SPACE"  # the environment variable that starts a sweep even if it does not fit


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
    slots: int = 1,
    on_cluster: bool = False,
    lock: Callable[[str], bool] = lambda name: True,
    cores: int | None = None,
    writes: bool = True,
    runs: bool = True,
    batch_cores: int = 1,
) -> Plan:
    """Plan the remaining work of a sweep file, and write its plan files.

    Parameters
    ----------
    path : path
        The sweep file.
    slots : int
        The number of cells that run at a time.
    on_cluster : bool
        Whether batches run on other machines, which start them later and have their own disks.
    cores : int, optional
        The number of cores for the rules after the cells. Default: ``slots``.
    lock : callable
        Locks the sweep of a name, and returns whether this process now holds `locks.sweep`. Without the lock, files
        that another run of the sweep may use are not changed.
    writes : bool
        Whether to write plan files. If not, the plan is only for reading.
    runs : bool
        Whether the work is then done. If not, as in a dry run, a finished sweep keeps the record of its results.
    batch_cores : int
        The number of cells of a batch that run at a time on a cluster.
    """
    others = other_programs.reading()
    document, ns3, plan = with_cells(path)
    cell_files.note_missing_files(plan.runs, plan.parser, plan.measures)
    reasons = plan_reasons.reasons(plan, ns3) if len(plan.finished()) < len(plan.runs) else []
    holds_lock = writes and lock(plan.sweep.name)
    sweep, finished = plan.sweep, set(plan.finished())
    missing = [cell for cell, run in zip(plan.cells, plan.runs, strict=True) if run not in finished]
    if missing and (problems := ns3_check.problems(document.data, ns3, sweep.variant_files)):
        raise document.mistakes(problems)
    expected = expected_costs.expected(sweep, finished, plan.parser)
    seconds_by_kind = job_files.work(plan, {cell.id: cell for cell in missing}.values(), expected)
    seconds_by_id = {cell.id: cost for kind_costs in seconds_by_kind.values() for cell, cost in kind_costs.items()}
    simulated, parsed = (
        [expected[cell.combination].cost for cell in seconds_by_kind[kind]] for kind in ("simulate", "parse")
    )
    # On a cluster, nodes write raw files to their own disks.
    space = _needed_space(sweep.capture, simulated, parsed, 0 if on_cluster else slots)
    space_problem = _space_problem(space)
    if runs and holds_lock and space_problem:
        raise UserError(f"{document.name}: {space_problem}")
    compiles, compiled = job_files.programs(plan, ns3, seconds_by_kind)
    batches = dict(seconds_by_kind)
    if not (compiles and missing):  # a batch of finished cells would run because a program is new
        finished_cells = {cell.id: cell for cell in plan.cells if cell.id not in seconds_by_id}.values()
        batches[job_files.AGAIN] = {cell: expected[cell.combination].cost.seconds for cell in finished_cells}
    jobs = job_files.write(plan, batches, expected, slots, on_cluster, holds_lock, writes, batch_cores)
    again = jobs.pop(job_files.AGAIN, [])
    busy_slots = min(slots, sum(map(len, seconds_by_kind.values())) or 1)
    if on_cluster:
        busy_slots = min(busy_slots, batch_cores * sum(map(len, jobs.values())) or 1)
    files = {file for step, name in compiles if step == "compile" for file in programs.missing(ns3, plan.source(name))}
    slower = 1.0 if on_cluster else others.slow_down(busy_slots)
    compiling_s = slower * sum(map(compiled_programs.expected_seconds, {*files, *compiles.values()}))
    cells = len({cell.id for cell in plan.cells})
    steps_s = step_costs.estimate(sweep, cells, len(document.data.get("figures", [])), cores or slots)
    after_s = slower * step_costs.together_s(steps_s, cells, cores or slots)
    cells_s = (sum(seconds_by_id.values()) + step_costs.JOB_S * sum(map(len, jobs.values()))) / busy_slots
    left = plan_words.estimate(compiling_s + slower * cells_s + after_s, space.total, busy_slots, slower > 1)
    ids_by_kind = {kind: {cell.id for cell in cells} for kind, cells in seconds_by_kind.items()}
    plan = replace(
        plan,
        replaces=sweep_files.replaced_file(plan.folder, path),
        jobs=jobs,
        compiles=compiles,
        compiled=compiled,
        again=again,
        seconds=seconds_by_id,
        kinds={cell.id: expected[cell.combination].kind for cell in seconds_by_kind["simulate"]},
        work=ids_by_kind,
        slower=slower,
        compiling_s=compiling_s,
        after_s=after_s,
        left=left,
        reasons=reasons if jobs.get("simulate") else [],
        space_problem=space_problem,
    )
    if holds_lock:
        job_files.mark_programs(plan)
    if holds_lock and missing:
        step_costs.note(plan.folder, {step: slower * seconds for step, seconds in steps_s.items()})
    if writes and (holds_lock or not (plan.folder / sweep_record.FILE).is_file()):
        keeps_record = not runs and completion_record.read(plan.folder) is not None
        sweep_files.write(plan, document, ns3, finished, keeps_record)
        if not keeps_record:
            sweep_files.note_origin(plan.folder, path)
    return plan


@_store_errors_for_people()
def unchanged(path: Path | str) -> Plan | None:
    """The plan of a sweep file if all its cells are finished and nothing changed since its last rule ended; else None.

    Writes nothing but the damage of cells that lack files.
    """
    document, ns3, plan = with_cells(path)
    cell_files.note_missing_files(plan.runs, plan.parser, plan.measures)
    if not plan.is_decided or len(plan.finished()) < len(plan.runs):
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
    another processor and no compiler. ``run`` is what the run that submitted the job wrote into `layout.submitted`.
    """
    submitted = layout.submitted(name)
    if not submitted.is_file() or submitted.read_text(encoding="utf-8") != run:
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


class _NeededSpace(NamedTuple):
    """The bytes that a sweep adds to ``results/``."""

    parquet: float  # permanent
    raw: float  # raw files, at their peak
    kept: bool  # whether raw files are kept

    @property
    def total(self) -> float:
        """The most bytes at a time."""
        return self.parquet + self.raw


def _needed_space(capture: Capture, simulated: Sequence[Cost], parsed: Sequence[Cost], slots: int) -> _NeededSpace:
    """The disk space that a sweep still needs, for ``slots`` simulations at a time and for cells only to parse."""
    raw = sorted((cost.raw_bytes for cost in simulated), reverse=True)
    parquet = sum(cost.parquet_bytes for cost in (*simulated, *parsed))
    return _NeededSpace(parquet, sum(raw if capture.keep_raw else raw[:slots]), capture.keep_raw)


def _space_problem(needed: _NeededSpace) -> str:
    """Why the sweep does not fit on the disk; empty if it does, or if `IGNORED` is set."""
    free = shutil.disk_usage(layout.RESULTS if layout.RESULTS.is_dir() else Path()).free
    if os.environ.get(IGNORED) or needed.total <= free:
        return ""
    raw = "raw files, because of `keep_raw`" if needed.kept else "raw files of the simulations that run at a time"
    return (
        f"the sweep needs about {bytes_text(needed.total)} of disk, "
        f"{bytes_text(needed.parquet)} of Parquet and {bytes_text(needed.raw)} of {raw}; "
        f"{layout.RESULTS.absolute()} has {bytes_text(free)} left. "
        f"`tcpsweep prune` removes results that no sweep needs; {IGNORED}=1 starts anyway"
    )
