# SPDX-License-Identifier: MIT
"""Run the cells of an archive again, in an empty working folder; `verify_archive` starts this."""

import os
from pathlib import Path

from tcpsweep.command_line.commands import start_snakemake
from tcpsweep.command_line.terminal.say import say
from tcpsweep.plan import plan, some_cells
from tcpsweep.run import cell_jobs
from tcpsweep.store import run_lock
from tcpsweep.sweep import sweep_record


def run(file: Path, archived: Path) -> int:
    """Run a sweep file again if it has the same cells as the sweep in the folder ``archived``, else the common cells.

    Returns the exit status. Raises `UserError` if the file cannot be planned here.
    """
    sweep = sweep_record.read(archived)
    kept = {run.cell for run in sweep.cells}
    here = {cell.id for cell in plan.without_work(file).cells}
    same = here & kept
    if not same:
        return 0
    say(f"{sweep.name}: running {len(kept if here <= kept else same):,} simulations again", flush=True)
    if here == kept or (sweep.asked and here <= kept):  # later rounds follow from the first round's tables
        return start_snakemake.run(file, [] if sweep.asked else ["--until", "aggregate"])
    with run_lock.programs(), run_lock.job():
        for job in some_cells.prepare(file, same):
            cell_jobs.run(job, workers=len(os.sched_getaffinity(0)))
    return 0
