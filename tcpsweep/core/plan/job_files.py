# SPDX-License-Identifier: MIT
"""Sort missing cells by kind of batch, deal them into batches, write the plan files, and find programs to compile."""

import os
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias, TypeVar

from tcpsweep.core.identity import hashing
from tcpsweep.core.ns3 import variants
from tcpsweep.core.ns3.engine import Engine
from tcpsweep.core.plan.cell_commands import Cell
from tcpsweep.core.plan.expected_costs import Expected
from tcpsweep.core.plan.plan_record import Plan, Workers
from tcpsweep.core.store import compiled_programs, digests, layout, removal, state_files, whole_files
from tcpsweep.core.sweep import job_plan
from tcpsweep.core.sweep.cost import PARSING
from tcpsweep.core.sweep.job_plan import JobPlan, PlannedCell
from tcpsweep.core.sweep.span import Span
from tcpsweep.core.sweepfile.keys import schema

Work: TypeAlias = Mapping[str, Mapping[Cell, float]]
"""Cells with their expected CPU seconds, by kind of batch."""
_Work = TypeVar("_Work", bound=Hashable)

# The least and the most seconds of a batch on a cluster. Its start needs two Snakemakes and a round of the scheduler,
# so it should not be too short; and nobody should wait long for the last one.
CLUSTER_SECONDS = (120, 900)
_MOST_JOBS = 2000  # Snakemake plans a batch in about 2 ms
# On this machine, a batch has all cores, which wait for each other only at its end. Each process holds its plan.
_LOCAL_CELLS = 20_000
# The kind of batches with finished cells: jobs of rule `simulate` that run only if a person forces it.
AGAIN = "again"
_RULES = {AGAIN: "simulate"}  # the rule of a kind that has another name
_OLD_S = 1  # the time of their stamps, in the first second of 1970


def work(plan: Plan, missing: Iterable[Cell], expected: Sequence[Expected]) -> Work:
    """The missing cells with their expected CPU seconds, by kind of batch: "simulate", "parse" and "measure".

    ``expected`` is each combination's expected cost, from `expected_costs.expected`.
    """
    by_kind: dict[str, dict[Cell, float]] = {"simulate": {}, "parse": {}, "measure": {}}
    damaged = set(layout.names_in(layout.DAMAGED))
    for cell in missing:
        seconds, place = expected[cell.combination].cost.seconds, layout.parquet(cell.id, plan.parser)
        is_noted = layout.damage_mark(cell.id, plan.parser) in damaged  # in a dry run: others clear the damage first
        if layout.is_whole(place) and not (is_noted and digests.file_problems(place)):
            by_kind["measure"][cell] = PARSING * seconds
        elif layout.is_whole(layout.raw(cell.id)):
            by_kind["parse"][cell] = PARSING * seconds
        else:
            by_kind["simulate"][cell] = seconds
    return by_kind


def programs(plan: Plan, ns3: Engine, work: Work) -> tuple[dict[tuple[str, str], Path], dict[tuple[str, str], Path]]:
    """The programs that the batches still need, and the sweep's programs that exist, each as in `Plan.compiles`.

    If all cells are finished, their batches need programs only if a person forces them.
    """
    needed = _programs(plan, ns3, work["simulate"], bool(work["parse"]))
    of_sweep = needed | _programs(plan, ns3, plan.cells)
    existing = {what: made for what, made in of_sweep.items() if compiled_programs.is_there(made)}
    needed = needed if any(work.values()) else of_sweep
    return {what: made for what, made in needed.items() if what not in existing}, existing


def _programs(
    plan: Plan, ns3: Engine, simulated: Collection[Cell], has_raw: bool = False
) -> dict[tuple[str, str], Path]:
    """The programs that simulate cells, and the one that also parses raw files, as in `Plan.compiles`."""
    made: dict[tuple[str, str], Path] = {}
    if simulated:
        made["compile", schema.program(plan.sweep.scenario)] = plan.binary
        rows, sources = (plan.sweep.combinations[cell.combination] for cell in simulated), plan.variant_files
        for variant in variants.used(rows, sources):
            made["compile", f"{variants.PROGRAMS}{variant}"] = variants.library(ns3, variant, sources)
    if plan.decoder and (simulated or has_raw):
        made["decoder", "packets"] = plan.decoder
    return made


def mark_programs(plan: Plan) -> None:
    """Give the programs that exist their stamps, and no others. The caller has written the batches."""
    for program in plan.compiles:
        removal.remove(layout.stamp(plan.sweep.name, *program))
    for program in plan.compiled:
        _touch_as_old(layout.stamp(plan.sweep.name, *program))


def with_batches(
    plan: Plan, work: Work, expected: Sequence[Expected], workers: Workers, locked: bool, writes: bool
) -> Plan:
    """The plan with its batches, also those of finished cells if ``locked``; their plan files are written.

    Parameters
    ----------
    work : dict of dict
        From `work`.
    expected : list of Expected
        The same as for `work`.
    workers : Workers
        Where the batches run.
    locked : bool
        Whether this process may change files that another run uses.
    writes : bool
        Whether to write plan files.
    """
    batches = dict(work)
    # Without its stamp or beside a new program, a batch of finished cells would run unasked.
    if locked and not (plan.compiles and plan.seconds):
        finished_cells = {cell.id: cell for cell in plan.cells if cell.id not in plan.seconds}.values()
        batches[AGAIN] = {cell: expected[cell.combination].cost.seconds for cell in finished_cells}
    jobs = write(plan, batches, expected, workers, locked, writes)
    return replace(plan, again=jobs.pop(AGAIN, []), jobs=jobs)


def write(
    plan: Plan, batches: Work, expected: Sequence[Expected], workers: Workers, locked: bool, writes: bool = True
) -> dict[str, list[str]]:
    """The ids of each kind's batches; their plan files are written. The arguments are those of `with_batches`."""
    jobs: dict[str, list[str]] = {}
    spans_by_cell: dict[str, dict[str, Span]] = {}
    planned_ids = {cell.id for cells in batches.values() for cell in cells}
    for cell in plan.cells:
        if cell.id in planned_ids:
            spans_by_cell.setdefault(cell.id, {})[plan.measures[cell.combination]] = plan.spans[cell.combination]
    for kind, seconds_by_cell in batches.items():
        jobs[kind] = []
        for batch in _dealt(seconds_by_cell, workers):
            seconds = {cell: seconds_by_cell[cell] for cell in batch}
            text = _batch_text(plan, seconds, expected, spans_by_cell, kind == AGAIN)
            job = hashing.short_hash(kind, plan.sweep.name, text)
            plan_file = layout.stamp(plan.sweep.name, _RULES.get(kind, kind), job).with_suffix(".json")
            if writes and not (plan_file.is_file() and (kind == AGAIN or not locked)):
                whole_files.write_whole(plan_file, text)
            if locked:
                _stamp(plan_file, kind == AGAIN)
            jobs[kind].append(job)
    if locked and not layout.submitted(plan.sweep.name).is_file():
        _remove_other_jobs(plan, {(_RULES.get(kind, kind), job) for kind, ids in jobs.items() for job in ids})
    return jobs


def _dealt(seconds_by_cell: Mapping[Cell, float], workers: Workers) -> Iterable[Iterable[Cell]]:
    """Cells in batches for their workers."""
    if not workers.on_cluster:
        return in_order(seconds_by_cell)
    shares = {cell: seconds / workers.batch_cores for cell, seconds in seconds_by_cell.items()}
    return deal(shares, max(1, workers.slots // workers.batch_cores))


def _batch_text(
    plan: Plan,
    seconds_by_cell: Mapping[Cell, float],
    expected: Sequence[Expected],
    spans_by_cell: Mapping[str, dict[str, Span]],
    again: bool,
) -> str:
    """The text of a batch's plan file."""
    return job_plan.encoded(
        JobPlan(
            binary=str(plan.binary),
            parser=plan.parser,
            decoder=str(plan.decoder) if plan.decoder else None,
            keep_raw=plan.sweep.capture.keep_raw,
            seconds=sum(seconds_by_cell.values()),
            longest_s=max(seconds_by_cell.values()),
            raw_bytes=max(expected[cell.combination].cost.raw_bytes for cell in seconds_by_cell),
            memory=max(expected[cell.combination].cost.memory for cell in seconds_by_cell),
            cells=[
                PlannedCell(
                    cell.id,
                    cell.arguments,
                    spans_by_cell[cell.id],
                    expected[cell.combination].kind,
                    expected[cell.combination].estimated,
                    seconds,
                    dict(cell.shared.inputs),
                )
                for cell, seconds in seconds_by_cell.items()
            ],
            again=again,
        )
    )


def _stamp(plan_file: Path, is_finished: bool) -> None:
    """Give a batch of finished cells its stamp, and another batch none.

    A stamp from an earlier run would hide that a cell is missing again. The stamp of finished cells is older than all
    results, so that nothing runs because of it.
    """
    removal.remove(job_plan.stop_file(plan_file))
    if is_finished:
        _touch_as_old(plan_file)
        _touch_as_old(plan_file.with_suffix(".done"))
    else:
        # The plan file is written even if it is unchanged: Snakemake remakes a missing stamp only if its input is new.
        removal.remove(plan_file.with_suffix(".done"))


def _touch_as_old(file: Path) -> None:
    """Give a file the old time; an absent one is made. Only a file's owner may, so another's is replaced by a copy."""
    if not file.is_file() or file.stat().st_mtime != _OLD_S:
        whole_files.write_whole(file, state_files.read_text(file) or "")
        os.utime(file, (_OLD_S, _OLD_S))


def _remove_other_jobs(plan: Plan, jobs: Collection[tuple[str, str]]) -> None:
    """Remove the files of the sweep's earlier plans, except those of these batches."""
    for kind in layout.names_in(plan.folder / layout.JOBS):
        for name in layout.names_in(plan.folder / layout.JOBS / kind):
            if (kind, name.partition(".")[0]) not in jobs:
                removal.remove(plan.folder / layout.JOBS / kind / name)


def in_order(costs: Mapping[_Work, float]) -> list[list[_Work]]:
    """Deal work, with its seconds, into batches that run one after the other on all cores, the longest work first."""
    ordered = sorted(costs, key=lambda ordered: costs[ordered], reverse=True)
    return [ordered[first : first + _LOCAL_CELLS] for first in range(0, len(ordered), _LOCAL_CELLS)]


def deal(costs: Mapping[_Work, float], slots: int) -> list[list[_Work]]:
    """Deal work into batches by guided self-scheduling (Polychronopoulos and Kuck, 1987).

    Each batch takes a share of the remaining work: large batches first, so that there are few starts, and short ones
    last, so that all slots end together. Long work goes first. ``costs`` are the work's seconds, ``slots`` the number
    of batches that run at a time. A batch takes `CLUSTER_SECONDS`, as far as single pieces of work allow.
    """
    shortest_s, longest_s = CLUSTER_SECONDS
    left_s = sum(costs.values())
    least_s = max(shortest_s, left_s / _MOST_JOBS)
    jobs: list[list[_Work]] = []
    job: list[_Work] = []
    job_s, target_s = 0.0, None
    for piece in sorted(costs, key=lambda piece: costs[piece], reverse=True):
        target_s = target_s or max(least_s, min(longest_s, left_s / (4 * slots)))
        job.append(piece)
        job_s += costs[piece]
        if job_s >= target_s:
            jobs.append(job)
            left_s -= job_s
            job, job_s, target_s = [], 0.0, None
    return [*jobs, job] if job else jobs
