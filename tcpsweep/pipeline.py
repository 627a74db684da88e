# SPDX-License-Identifier: MIT
"""The steps of a sweep, which its rules call, and commands that write generated files.

They call the core with the registry's lists of what features add.
"""

import argparse
import sys
from contextlib import AbstractContextManager
from pathlib import Path

from tcpsweep.core.contact.command import argument, unlisted

_FOLDER = argument("folder", "the sweep's folder, results/sweeps/NAME", type=Path)


def _step(args: argparse.Namespace) -> AbstractContextManager[object]:
    from tcpsweep.core.store import locks

    return locks.step(args.folder)  # if this run is killed, the next one waits for the step


@unlisted(
    "simulate and parse the cells of a batch",
    argument("plan", "the batch's plan file", type=Path),
    argument("--memory", "the batch's memory on a cluster", type=int, metavar="MB"),
    argument("--minutes", "the batch's time on a cluster", type=int),
    argument("--last-attempt", "record cells that need more than that as failed", action="store_true"),
    argument("--scratch", "the folder for temporary raw files", type=Path, metavar="DIR"),
    argument("--workers", "the number of processes that run cells (default: 1)", type=int, default=1),
    argument("--under", "start no more cells after this process has ended", type=int, metavar="PID"),
    argument("--cell", "run only this cell, and fail if it has no results then", metavar="ID"),
)
def _cells(args: argparse.Namespace) -> None:
    from tcpsweep.core.run import cell_jobs
    from tcpsweep.core.run.limits import JobLimits
    from tcpsweep.core.store import locks

    with locks.programs(), locks.job():  # the run that submitted the batch may have been killed
        limit = JobLimits.begin(args.memory, args.minutes, args.last_attempt, args.workers)
        cell_jobs.run(args.plan, limit, args.scratch, args.workers, args.under, args.cell)


@unlisted("make a sweep's tables", _FOLDER)
def _aggregate(args: argparse.Namespace) -> None:
    from tcpsweep.core.analysis import aggregate
    from tcpsweep.registry.tables import TABLES

    with _step(args):
        aggregate.write_tables(args.folder, TABLES)


@unlisted("draw a sweep's figures and write its report", _FOLDER, argument("page", "the page to write", type=Path))
def _report(args: argparse.Namespace) -> None:
    from tcpsweep.core.command_line.terminal import finished_sweep
    from tcpsweep.core.figures import static_figures
    from tcpsweep.core.report import sweep_page
    from tcpsweep.registry import report

    with _step(args):
        static_figures.write(args.folder, report.FIGURES)
        sweep_page.write(args.folder, args.page, report)
        finished_sweep.write_closing(args.folder)


@unlisted(
    "write a page for each cell",
    _FOLDER,
    argument("place", "the folder to write them in", type=Path),
    argument("--workers", "the number of processes that make them (default: 1)", type=int, default=1),
)
def _pages(args: argparse.Namespace) -> None:
    from tcpsweep.core.report import cell_page

    with _step(args):
        cell_page.write(args.folder, args.place, args.workers)


@unlisted(
    "fail if a cell of the sweep failed or an expectation does not hold",
    _FOLDER,
    argument("page", "its report", type=Path),
    argument("place", "the folder of its cells' pages", type=Path),
)
def _finish(args: argparse.Namespace) -> None:
    from tcpsweep.core.command_line.terminal import finished_sweep
    from tcpsweep.core.store import claims, locks
    from tcpsweep.core.sweep import failures, sweep_record, sweep_tables

    sweep = sweep_record.read(args.folder)
    finished = sweep.finished()
    failed = failures.failures_of(sweep, finished)
    reasons = [f"{len(failed)} of the sweep's simulations have no result"] if failed else []
    reasons += [] if sweep_tables.covered(args.folder) == set(finished) else [sweep_tables.STALE]
    reasons += [text for text in [finished_sweep.closing(args.folder).unmet] if text]
    if reasons:
        sys.exit("\n".join(reasons))
    failures.forget(args.folder)
    if not locks.why_alone():
        claims.clear()  # left from a time when the folder was read-only
    finished_sweep.record_end(args.folder, args.page, args.place)


@unlisted(
    "compile a program or a variant in ns3-scenarios/",
    argument("program", "dumbbell, variants/TcpWestwood, …"),
    argument("--prefix", "the folder of an ns-3 (default: the Python environment's)", metavar="DIR"),
)
def _compile(args: argparse.Namespace) -> None:
    from tcpsweep.core.ns3 import engine, programs

    programs.compile_program(engine.find(args.prefix), args.program)


@unlisted("compile a sweep's programs during the set-up", argument("sweep", "the sweep file", type=Path))
def _ahead(args: argparse.Namespace) -> None:
    from tcpsweep.core.command_line.commands import set_up

    set_up.compile_ahead(args.sweep)


@unlisted("compile the library that reads pcap files")
def _decoder(args: argparse.Namespace) -> None:
    from tcpsweep.core.parse import packet_decoder

    packet_decoder.library()


@unlisted(
    "write the documentation's reference pages",
    argument("page", "the first page; the others are written next to it, such as reference-metrics.md", type=Path),
)
def _reference(args: argparse.Namespace) -> None:
    import tcpsweep
    from tcpsweep.core.command_line.commands import reference
    from tcpsweep.core.store import whole_files
    from tcpsweep.registry import reference as of_features

    for ending, text in reference.pages(tcpsweep, of_features.PARTS).items():
        whole_files.write_whole(args.page.with_stem(args.page.stem + ending), text)


@unlisted("write the documentation's page of the command line", argument("page", "the page to write", type=Path))
def _commands(args: argparse.Namespace) -> None:
    from tcpsweep.core.command_line import for_people
    from tcpsweep.core.command_line.commands import interface_pages
    from tcpsweep.core.store import whole_files
    from tcpsweep.registry import commands as of_features

    page = interface_pages.command_line_page([*for_people.COMMANDS, *of_features.COMMANDS])
    whole_files.write_whole(args.page, page)


@unlisted(
    "write the JSON Schema with which editors complete and check sweep files, with ns-3's names",
    argument("file", "the file to write", type=Path),
)
def _schema(args: argparse.Namespace) -> None:
    from tcpsweep.core.command_line.commands import listing
    from tcpsweep.core.store import whole_files

    whole_files.write_whole(args.file, listing.schema_text())


@unlisted(
    "write the C++ header with the units and defaults of scenarios' parameters",
    argument("file", "the file to write", type=Path),
)
def _parameters(args: argparse.Namespace) -> None:
    from tcpsweep.core.store import whole_files
    from tcpsweep.core.sweepfile.keys import scenario_parameters

    whole_files.write_whole(args.file, scenario_parameters.header_text())


_STEPS = (_cells, _aggregate, _report, _pages, _finish, _compile, _ahead, _decoder)
COMMANDS = (*_STEPS, _reference, _commands, _schema, _parameters)
