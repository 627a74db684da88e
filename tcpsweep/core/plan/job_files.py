# SPDX-License-Identifier: MIT
"""Sort missing cells by kind of batch, deal them into batches, write the plan files, and find programs to compile."""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from tcpsweep.core.identity import hashing
from tcpsweep.core.ns3 import variants
from tcpsweep.core.ns3.engine import Engine
from tcpsweep.core.plan.cell_commands import Cell
from tcpsweep.core.plan.expected_costs import Expected
from tcpsweep.core.plan.plan_record import Plan
from tcpsweep.core.store import compiled_programs, digests, layout, removal, whole_files
from tcpsweep.core.sweep import job_plan
from tcpsweep.core.sweep.cost import PARSING
from tcpsweep.core.sweep.job_plan import JobPlan, PlannedCell
from tcpsweep.core.sweep.span import Span
from tcpsweep.core.sweepfile.keys import schema

_Work = TypeVar("_Work", bound=Hashable)

# The least and the most seconds of a batch on a cluster. Its start needs two Snakemakes and a round of the scheduler,
# so it should not be too short; and nobody should wait long for the last one.
CLUSTER_SECONDS = (120, 900)
_MOST_JOBS = 2000  # Snakemake plans a batch in about 2 ms
# On this machine, a batch has all cores, which wait for each other only at its end. Each process holds its plan.
_LOCAL_CELLS = 20_000


def work(plan: Plan, missing: Iterable[Cell], expected: Sequence[Expected]) -> dict[str, dict[Cell, float]]:
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


def compiles(
    plan: Plan, ns3: Engine, seconds_by_kind: Mapping[str, Mapping[Cell, float]], locked: bool
) -> dict[tuple[str, str], Path]:
    """The programs that the batches still need, as in `Plan.compiles`; with ``locked``, remove their stamps."""
    programs: dict[tuple[str, str], Path] = {}
    if seconds_by_kind["simulate"]:
        programs["compile", schema.program(plan.sweep.scenario)] = plan.binary
        rows, sources = (
            (plan.sweep.combinations[cell.combination] for cell in seconds_by_kind["simulate"]),
            plan.variant_files,
        )
        for variant in variants.used(rows, sources):
            programs["compile", f"{variants.PROGRAMS}{variant}"] = variants.library(ns3, variant, sources)
    if plan.decoder and (seconds_by_kind["simulate"] or seconds_by_kind["parse"]):
        programs["decoder", "packets"] = plan.decoder
    missing = {what: made for what, made in programs.items() if not compiled_programs.is_there(made)}
    if locked:
        for what in missing:
            removal.remove(layout.stamp(plan.sweep.name, *what))
    return missing


def write(
    plan: Plan,
    seconds_by_kind: Mapping[str, Mapping[Cell, float]],
    expected: Sequence[Expected],
    slots: int,
    on_cluster: bool,
    locked: bool,
    writes: bool = True,
) -> dict[str, list[str]]:
    """Deal each kind's cells into batches, write their plan files, and return the ids of each kind's batches.

    Parameters
    ----------
    work : dict of dict
        From `work`.
    expected : list of Expected
        The same as for `work`.
    slots : int
        The number of cells that run at a time.
    on_cluster : bool
        Whether batches run in parallel on other machines, each with a core.
    locked : bool
        Whether this process may change files that another run uses.
    writes : bool
        Whether to write plan files.
    """
    jobs: dict[str, list[str]] = {}
    spans_by_cell: dict[str, dict[str, Span]] = {}
    missing_ids = {cell.id for cells in seconds_by_kind.values() for cell in cells}
    for cell in plan.cells:
        if cell.id in missing_ids:
            spans_by_cell.setdefault(cell.id, {})[plan.measures[cell.combination]] = plan.spans[cell.combination]
    for kind, seconds_by_cell in seconds_by_kind.items():
        jobs[kind] = []
        for batch in deal(seconds_by_cell, slots) if on_cluster else in_order(seconds_by_cell):
            text = job_plan.encoded(
                JobPlan(
                    binary=str(plan.binary),
                    parser=plan.parser,
                    decoder=str(plan.decoder) if plan.decoder else None,
                    keep_raw=plan.sweep.capture.keep_raw,
                    seconds=sum(seconds_by_cell[cell] for cell in batch),
                    memory=max(expected[cell.combination].cost.memory for cell in batch),
                    cells=[
                        PlannedCell(
                            cell.id,
                            cell.arguments,
                            spans_by_cell[cell.id],
                            expected[cell.combination].kind,
                            expected[cell.combination].estimated,
                            seconds_by_cell[cell],
                            dict(cell.shared.inputs),
                        )
                        for cell in batch
                    ],
                )
            )
            job = hashing.short_hash(kind, plan.sweep.name, text)
            # Write it even if it is unchanged: Snakemake remakes a missing stamp only if its input is new.
            stamp = layout.stamp(plan.sweep.name, kind, job)
            plan_file = stamp.with_suffix(".json")
            if writes and (locked or not plan_file.is_file()):
                whole_files.write_whole(plan_file, text)
            if locked:
                # A stamp from an earlier run would hide that a cell is missing again.
                removal.remove(stamp)
                removal.remove(job_plan.stop_file(plan_file))
            jobs[kind].append(job)
    if locked and not layout.submitted(plan.sweep.name).is_file():
        _remove_other_jobs(plan, {(kind, job) for kind, ids in jobs.items() for job in ids})
    return jobs


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
