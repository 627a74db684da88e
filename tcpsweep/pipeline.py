# SPDX-License-Identifier: MIT
"""The steps of a sweep, which its rules call. Each calls the core with the registry's lists of what features add."""

import argparse
import functools
import sys
from contextlib import AbstractContextManager
from pathlib import Path

from tcpsweep.core.command_line.command import Command, argument, collect

COMMANDS: list[Command] = []
command = functools.partial(collect, COMMANDS)

_FOLDER = argument("folder", "the sweep's folder, results/sweeps/NAME", type=Path)


def _step(args: argparse.Namespace) -> AbstractContextManager[object]:
    from tcpsweep.core.store import locks

    return locks.step(args.folder)  # if this run is killed, the next one waits for the step


@command(
    "simulate and parse the cells of a batch",
    argument("plan", "the batch's plan file", type=Path),
    argument("--memory", "the batch's memory on a cluster", type=int, metavar="MB"),
    argument("--minutes", "the batch's time on a cluster", type=int),
    argument("--last-attempt", "record cells that need more than that as failed", action="store_true"),
    argument("--scratch", "the folder for temporary raw files", type=Path, metavar="DIR"),
    argument("--workers", "the number of processes that run cells (default: 1)", type=int, default=1),
    argument("--under", "start no more cells after this process has ended", type=int, metavar="PID"),
)
def _cells(args: argparse.Namespace) -> None:
    from tcpsweep.core.run import cell_jobs
    from tcpsweep.core.run.limits import JobLimits
    from tcpsweep.core.store import locks

    with locks.programs(), locks.job():  # the run that submitted the batch may have been killed
        limit = JobLimits.begin(args.memory, args.minutes, args.last_attempt)
        cell_jobs.run(args.plan, limit, args.scratch, args.workers, args.under)


@command(
    "run an archive's cells again in an empty folder, for `tcpsweep verify`",
    argument("sweep", "the sweep file in the unpacked archive", type=Path),
    argument("archived", "the folder of the sweep in the archive", type=Path),
)
def _rerun(args: argparse.Namespace) -> None:
    from tcpsweep.features.archive import verify_archive

    sys.exit(verify_archive.rerun(args.sweep, args.archived))


@command("make a sweep's tables", _FOLDER)
def _aggregate(args: argparse.Namespace) -> None:
    from tcpsweep.core.analysis import aggregate
    from tcpsweep.registry.tables import TABLES

    with _step(args):
        aggregate.write_tables(args.folder, TABLES)


@command("draw a sweep's figures and write its report", _FOLDER, argument("page", "the page to write", type=Path))
def _report(args: argparse.Namespace) -> None:
    from tcpsweep.core.command_line.terminal import finished_sweep
    from tcpsweep.core.figures import static_figures
    from tcpsweep.core.report import sweep_page

    with _step(args):
        static_figures.write(args.folder)
        sweep_page.write(args.folder, args.page)
        finished_sweep.write_closing(args.folder)


@command(
    "write a page for each cell",
    _FOLDER,
    argument("place", "the folder to write them in", type=Path),
    argument("--workers", "the number of processes that make them (default: 1)", type=int, default=1),
)
def _pages(args: argparse.Namespace) -> None:
    from tcpsweep.core.report import cell_page

    with _step(args):
        cell_page.write(args.folder, args.place, args.workers)


@command(
    "fail if a cell of the sweep failed or an expectation does not hold",
    _FOLDER,
    argument("page", "its report", type=Path),
    argument("place", "the folder of its cells' pages", type=Path),
)
def _finish(args: argparse.Namespace) -> None:
    from tcpsweep.core.command_line.terminal import finished_sweep
    from tcpsweep.core.store import claims, locks
    from tcpsweep.core.sweep import failures

    failed = failures.failures(args.folder)
    reasons = [f"{len(failed)} of the sweep's simulations have no result"] if failed else []
    reasons += [text for text in [finished_sweep.closing(args.folder).unmet] if text]
    if reasons:
        sys.exit("\n".join(reasons))
    failures.forget(args.folder)
    if not locks.why_alone():
        claims.clear()  # left from a time when the folder was read-only
    finished_sweep.record_end(args.folder, args.page, args.place)
