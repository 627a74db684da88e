# SPDX-License-Identifier: MIT
"""Plan some cells of a sweep, without code that only other cells need."""

from collections.abc import Container
from dataclasses import replace
from pathlib import Path

from tcpsweep.ns3 import programs
from tcpsweep.parse import packet_decoder
from tcpsweep.plan import cost_corrections, job_files, plan
from tcpsweep.store import layout
from tcpsweep.words.user_error import UserError


def prepare(path: Path, wanted: Container[str]) -> list[Path]:
    """Compile the programs for these cells of a sweep file, write their batches' plan files, and return the paths.

    Raises `UserError`.
    """
    _, ns3, whole = plan.with_cells(path)
    own = [cell for cell in whole.cells if cell.id in wanted]
    if not own:
        raise UserError(f"{path}: has none of these cells")
    found = replace(whole, cells=own)
    expected = cost_corrections.expected(found.sweep, set(), found.parser)
    work = job_files.work(found, {cell.id: cell for cell in own}.values(), expected)
    for kind, name in job_files.compiles(found, ns3, work, locked=True):
        if kind == "compile":
            programs.compile_program(ns3, found.source(name))
        else:
            packet_decoder.library()
    jobs = job_files.write(found, work, expected, slots=1, on_cluster=False, locked=True)
    return [layout.stamp(found.sweep.name, kind, job).with_suffix(".json") for kind, ids in jobs.items() for job in ids]
