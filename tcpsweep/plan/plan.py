# SPDX-License-Identifier: MIT
"""From a sweep file to the work that is left: what is missing of its cells, dealt into jobs.

Snakemake's DAG is made of this plan alone: a cell that is finished is in no job, a job is a plan file that any node can
read. Everything is found by its content's identity; nothing compares times but the few steps that follow the cells.
"""

import functools
import json
import os
import shlex
from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import msgspec

from tcpsweep.expectations import language
from tcpsweep.identity import cpp_code, hashing, steps
from tcpsweep.ns3 import engine, ns3_build, variants
from tcpsweep.parse import packet_decoder
from tcpsweep.plan import cell_commands, costs, dealing, disk_space, measured_spans
from tcpsweep.store import layout, whole_files
from tcpsweep.store.compiled_programs import BuildError
from tcpsweep.store.whole_files import write_whole
from tcpsweep.study import claims_check, printed_numbers
from tcpsweep.sweep import figure_request, sweep_record
from tcpsweep.sweepfile import clashes, figure_requests, grid, ns3_check, schema, yaml_document
from tcpsweep.words import units

MOST_WARNINGS = 5
STEPS = ("aggregate", "figures", "report", "pages")  # those that follow the cells


class Stop(Exception):
    """Why nothing can run; its text is for the user."""


@dataclass(frozen=True)
class Plan:
    """What the rules need to know.

    ``parser`` is the code id of the steps that make a cell's Parquet, ``decoder`` the library that they need where
    something is captured, ``binary`` the scenario's program, which the simulate jobs need, ``libraries`` those of the
    variants of our own that they need as well. ``jobs`` maps the kinds of job, "simulate", "parse" and "measure", to
    the job ids that are left; ``seconds`` maps the ids of the cells that are left to the CPU time that each will take,
    roughly; ``left`` says what all will take. ``ns3_prefix`` is where the sweep's ns-3 is installed, None for that of
    the Python environment.
    """

    sweep: sweep_record.Sweep
    cells: list
    parser: str
    decoder: Path | None
    binary: Path
    jobs: dict
    libraries: list = field(default_factory=list)
    seconds: dict = field(default_factory=dict)
    left: str = ""
    ns3_prefix: Path | None = None

    @property
    def folder(self):
        """The sweep's own folder."""
        return layout.SWEEPS / self.sweep.name

    @property
    def report(self):
        """The report's path."""
        return layout.REPORTS / f"{self.sweep.name}.html"

    @property
    def cell_pages(self):
        """The folder of the cells' pages."""
        return self.report.with_name(f"{self.sweep.name}_files")

    @property
    def compile_options(self):
        """What `tcpsweep compile` needs beside the program's name, as arguments."""
        return [f"--prefix={self.ns3_prefix}"] if self.ns3_prefix else []

    @functools.cached_property
    def warnings(self):
        """What makes the sweep's results worth less than they could be, once each, and of how much of it it is true."""
        own = self.sweep.own
        found, total = Counter(warning for row in own for warning in clashes.warnings(row)), len(own)
        return [
            text if count == total else f"{text} ({count} of {total} combinations)" for text, count in found.items()
        ]

    @functools.cached_property
    def spans(self):
        """What each combination's runs are measured by, as `measured_spans.of` gives it."""
        return [measured_spans.of(row) for row in self.sweep.combinations]

    @functools.cached_property
    def measures(self):
        """The identity of each combination's metrics."""
        return [measured_spans.identity(span) for span in self.spans]

    @property
    def runs(self):
        """What the sweep is made of: cell, combination, run."""
        return [sweep_record.Run(cell.id, cell.combination, cell.run) for cell in self.cells]

    def finished(self):
        """Those of its runs that have their metrics."""
        return layout.finished(self.runs, self.parser, self.measures)

    def results(self):
        """The folders that each cell leaves when it is done."""
        found = {}
        for cell in self.cells:
            place = layout.measured(cell.id, self.parser, self.measures[cell.combination])
            found.setdefault(cell.id, []).append(place)
        return found

    @functools.cached_property
    def turns(self):
        """Each job's place among those of its kind."""
        return {job: place for jobs in self.jobs.values() for place, job in enumerate(jobs)}

    def stamps(self):
        """The files that say that a job has ended."""
        return [str(stamp(kind, job)) for kind, jobs in self.jobs.items() for job in jobs]


def stamp(kind, job):
    """The file that a job leaves when it has ended, whether or not all its cells succeeded."""
    return layout.PLANS / kind / f"{job}.done"


def read(path, ask_ns3=False):
    """Read and check a sweep file.

    Parameters
    ----------
    path : path
    ask_ns3 : bool
        Whether names and attributes are tried on the sweep's ns-3, which may have to compile a program.

    Returns
    -------
    document : sweepfile.Document
    sweep : grid.Sweep
    ns3 : engine.Engine
        What the sweep runs in.

    Raises
    ------
    sweepfile.Mistakes
        All that is wrong with it.
    engine.EngineError
        There is no ns-3 in the Python environment, or it does not work.
    """
    document, sweep, problems = _read(path)
    ns3, more = _find_ns3(document, problems)
    problems = problems + more
    # To ask an ns-3 that is still to be built would keep whoever has mistyped something waiting for 20 minutes.
    is_there = ns3 and (not ns3.source or ns3_build.is_made(ns3.prefix))
    if ns3 and (is_there if problems else ask_ns3):
        problems = problems + ns3_check.problems(document.data, ns3)
    if problems:
        raise document.mistakes(problems)
    return document, sweep, ns3


def _read(path):
    """A sweep file, its sweep, and what is wrong with it whatever the ns-3."""
    document = yaml_document.read(path)
    return document, *expanded(document)


def expanded(document):
    """The sweep that a file asks for, with its expectations and study, and what is wrong with it whatever the ns-3."""
    problems, sweep = schema.problems(document.data), None
    if not problems:
        sweep, problems = grid.expand(document.data)
        if not problems:
            problems = language.problems(document.data, sweep) + figure_requests.problems(document.data, sweep)
            problems += claims_check.problems(document.data, sweep)
            problems += printed_numbers.numbers(document, sweep.own)[1]
        if not problems:
            expected, study = language.of(document.data, sweep), printed_numbers.study(document, sweep)
            sweep = replace(sweep, expectations=expected, study=study)
    return sweep, problems


def _find_ns3(document, problems):
    """The ns-3 that a sweep file with these problems names, or None, and what is wrong with that name."""
    if not isinstance(document.data, dict) or any(problem.path[:1] == ("ns3",) for problem in problems):
        return None, []
    named = document.data.get("ns3", {})
    try:
        if "source" in named:
            source, march = _path(document, "source"), named.get("march", ns3_build.MARCH)
            return engine.of_source(source, march, ns3_check.own_modules(document.data)), []
        return engine.find(_path(document, "prefix")), []
    except engine.EngineError as error:
        if not named:
            raise
        key = "march" if isinstance(error, ns3_build.UnknownProcessor) else "source" if "source" in named else "prefix"
        return None, [yaml_document.Problem(("ns3", key), str(error))]


def _path(document, key):
    """A path that a sweep file names under ``ns3``, seen from the file's folder; None where it does not."""
    path = document.data.get("ns3", {}).get(key)
    return path and (Path(document.name).parent / Path(path).expanduser()).absolute()


def _prefix(document, ns3):
    """Where the ns-3 is that a sweep file names, None where it names none."""
    return ns3.prefix if document.data.get("ns3") else None


def prepare(path, slots=1, on_cluster=False, locked=True):
    """Plan what is left to do for a sweep file, and write its plan files.

    Parameters
    ----------
    path : path
        The sweep file.
    slots : int
        How many jobs run at a time.
    on_cluster : bool
        Whether they run on other machines, which start them later and have disks of their own.
    locked : bool
        Whether this process holds `run_lock.lock`; without it, nothing that another run may use is touched.

    Returns
    -------
    Plan

    Raises
    ------
    Stop
    """
    document, ns3, plan = _with_cells(path)
    sweep, finished = plan.sweep, set(plan.finished())
    missing = [cell for cell, run in zip(plan.cells, plan.runs, strict=True) if run not in finished]
    try:
        if missing and (wrong := ns3_check.problems(document.data, ns3)):
            raise document.mistakes(wrong)
    except (yaml_document.Mistakes, engine.EngineError, BuildError, cpp_code.UnknownInclude) as error:
        raise Stop(str(error)) from None
    if locked:
        whole_files.clear_scratch()
    expected = costs.expected(sweep, finished, plan.parser) if missing else []
    work = _work(plan, {cell.id: cell for cell in missing}.values(), expected)
    seconds = {cell.id: cost for kind_costs in work.values() for cell, cost in kind_costs.items()}
    simulated, parsed = ([expected[cell.combination][1] for cell in work[kind]] for kind in ("simulate", "parse"))
    # On a cluster, raw files go to the nodes' own disks.
    needed = disk_space.needed(sweep.capture, simulated, parsed, 0 if on_cluster else slots)
    if locked and (lacking := disk_space.lacking(needed)):
        raise Stop(f"{document.name}: {lacking}")
    jobs = _write_jobs(
        plan, work, expected, slots, dealing.CLUSTER_SECONDS if on_cluster else dealing.LOCAL_SECONDS, locked
    )
    own = variants.used(sweep.combinations[cell.combination] for cell in work["simulate"])
    libraries = [variants.library(ns3, variant) for variant in own]
    left = _estimate(sum(seconds.values()), needed.parquet, min(slots, sum(map(len, jobs.values())) or 1))
    plan = replace(plan, jobs=jobs, libraries=libraries, seconds=seconds, left=left)
    if locked or not (plan.folder / "sweep.json").is_file():
        _write_sweep(plan, document, ns3, finished)
    return plan


def _with_cells(path):
    """A sweep file's document, its ns-3, and a plan of its cells that has no work."""
    try:
        document, sweep, ns3 = read(path)
        all_cells = cell_commands.of(sweep, cpp_code.cpp_id(sweep.scenario), ns3)
    except (
        yaml_document.Mistakes,
        engine.EngineError,
        BuildError,
        cpp_code.UnknownInclude,
        cell_commands.Collision,
    ) as error:
        raise Stop(str(error)) from None
    binary, prefix = engine.program(ns3, sweep.scenario), _prefix(document, ns3)
    return document, ns3, Plan(sweep, all_cells, *parsing(sweep.capture), binary, {}, ns3_prefix=prefix)


def unchanged(path):
    """The plan of a sweep file, if all its cells are finished and it is as when the last step ended; None if not.

    Writes nothing.

    Raises
    ------
    Stop
    """
    document, ns3, plan = _with_cells(path)
    if len(plan.finished()) < len(plan.runs):
        return None
    ended = plan.folder / layout.COMPLETE
    if not ended.is_file():
        return None
    for file, text in _sweep_files(plan, document, ns3).items():
        file = plan.folder / file
        if not _holds(file, text) or file.stat().st_mtime_ns > ended.stat().st_mtime_ns:
            return None
    return plan


def outline():
    """The plan as a job on another node needs it: the names that the rules are made of, and no work.

    All is as it was planned: the sweep file may have changed, and a node may have another processor, and no compiler.

    Raises
    ------
    Stop
    """
    name = layout.submitted()
    if name is None:
        raise Stop(f"there is no {layout.SUBMITTED}: the run that submitted this job has ended")
    try:
        planned = sweep_record.read(layout.SWEEPS / name)
    except sweep_record.Unreadable as error:
        raise Stop(str(error)) from None
    prefix = planned.ns3_prefix and Path(planned.ns3_prefix)
    return Plan(planned, [], *parsing(planned.capture), Path(planned.binary), {}, ns3_prefix=prefix)


def parsing(capture):
    """What makes the Parquet of a sweep's cells: its code id, and the library that it needs where there are captures.

    Sweeps without captures have an id that the decoders do not change.
    """
    if not capture.is_decoded:
        return steps.code_id("parse"), None
    return hashing.short_hash(steps.code_id("captures"), packet_decoder.code_id()), packet_decoder.place()


def _estimate(seconds, size, cores):
    """What that much CPU time and Parquet mean, in words."""
    time = units.time_text(seconds / cores)
    return f"about {time} on {cores} core{'s' * (cores > 1)} and {units.bytes_text(size)} of Parquet"


def _work(plan, missing, expected):
    """The missing cells by the kind of job that they need, each with the CPU seconds that it will take."""
    work = {"simulate": {}, "parse": {}, "measure": {}}
    for cell in missing:
        seconds = expected[cell.combination][1].seconds
        if layout.parquet(cell.id, plan.parser).is_dir():
            work["measure"][cell] = costs.PARSING * seconds
        elif layout.raw(cell.id).is_dir():
            work["parse"][cell] = costs.PARSING * seconds
        else:
            work["simulate"][cell] = seconds
    return work


def _write_jobs(plan, work, expected, slots, job_seconds, locked):
    """Deal each kind's cells into jobs, and write their plan files."""
    jobs, measures = {}, {}
    for cell in plan.cells:
        measures.setdefault(cell.id, {})[plan.measures[cell.combination]] = plan.spans[cell.combination]
    for kind, kind_costs in work.items():
        jobs[kind] = []
        for dealt in dealing.deal(kind_costs, slots, job_seconds):
            text = msgspec.json.encode(
                {
                    "binary": str(plan.binary),
                    "parser": plan.parser,
                    "decoder": plan.decoder and str(plan.decoder),
                    "keep_raw": plan.sweep.capture.keep_raw,
                    "seconds": sum(kind_costs[cell] for cell in dealt),
                    "memory": max(expected[cell.combination][1].memory for cell in dealt),
                    "cells": [
                        {
                            "id": cell.id,
                            "arguments": cell.arguments,
                            "measures": measures[cell.id],
                            "estimated": asdict(expected[cell.combination][0]),
                            "seconds": kind_costs[cell],
                        }
                        for cell in dealt
                    ],
                }
            ).decode()
            job = hashing.short_hash(kind, text)
            # Anew even if it is the same: to Snakemake, a stamp that is missing matters only if its input is new.
            plan_file = layout.PLANS / kind / f"{job}.json"
            if locked or not plan_file.is_file():
                write_whole(plan_file, text)
            if locked:
                # Left from an earlier run, it would hide that a cell is missing again.
                stamp(kind, job).unlink(missing_ok=True)
            jobs[kind].append(job)
    return jobs


def _sweep_files(plan, document, ns3):
    """The files that the steps after the cells follow: paths in the sweep's folder to texts."""
    sweep = plan.sweep
    record = sweep_record.planned(
        sweep,
        parser=plan.parser,
        measures=plan.measures,
        spans=plan.spans,
        ns3_version=ns3.version,
        ns3_libraries=ns3.libraries_id,
        ns3_prefix=plan.ns3_prefix and str(plan.ns3_prefix),
        binary=str(plan.binary),
        variants={variant: variants.code_id(variant) for variant in variants.used(sweep.combinations)},
        warnings=plan.warnings,
        metrics_code=steps.code_id("metrics"),
        cells=plan.runs,
    )
    return {
        sweep_record.FILE: sweep_record.text_of(record),
        figure_request.FILE: figure_request.text_of(figure_requests.of(document.data)),
        "sweep.yaml": Path(document.name).read_text(encoding="utf-8"),
        "commands.json": json.dumps({cell.id: command(plan, cell) for cell in plan.cells}),
    } | {f"code/{step}": steps.code_id(step) for step in STEPS}


def _write_sweep(plan, document, ns3, finished):
    """Write the files that the steps after the cells follow: each anew only when it changes."""
    for file, text in _sweep_files(plan, document, ns3).items():
        if not _holds(plan.folder / file, text):
            write_whole(plan.folder / file, text)
    for step, paths in _made(plan).items():
        if not all(Path(path).exists() for path in paths):  # somebody removed it; Snakemake looks at the last step's
            os.utime(plan.folder / "code" / step)
    covered = plan.folder / "covered.json"
    if (
        not any(plan.jobs.values())
        and covered.is_file()
        and set(map(tuple, json.loads(covered.read_text()))) != finished
    ):
        # A run that ended before its tables were made: they follow the cells, not their own age.
        os.utime(plan.folder / "sweep.json")


def _made(plan):
    """What each step has made, as the last step wrote down, or where none has ended well, the folders."""
    if complete := layout.complete(plan.folder):
        return complete["made"]
    folders = {"figures": plan.folder / "figures"} | ({"pages": plan.cell_pages} if plan.sweep.pages else {})
    return {step: [made] for step, made in folders.items() if (plan.folder / f"{step}.json").is_file()}


def _holds(path, text):
    """Whether a file holds just that already."""
    return path.is_file() and path.read_text(encoding="utf-8") == text


def command(plan, cell):
    """The command that runs a cell by hand, for a POSIX shell; results/ is not touched."""
    out = f"by-hand/{cell.id}"
    return f"mkdir -p {out} && {shlex.join([str(plan.binary), *cell.arguments, f'--out={out}'])}"


def describe(plan):
    """A line on what a plan holds, below what it warns about."""
    sweep = plan.sweep
    total = len({cell.id for cell in plan.cells})
    left = {kind: len(jobs) for kind, jobs in plan.jobs.items() if jobs}
    jobs = ", ".join(f"{count} {kind} job{'s' * (count > 1)}" for kind, count in left.items())
    state = f"left to do: {jobs}, {plan.left}" if left else "all finished"
    if not left and plan.report.is_file():
        state += f"; report: {plan.report}"
    lines = [f"tcpsweep: warning: {warning}" for warning in plan.warnings[:MOST_WARNINGS]]
    if len(plan.warnings) > MOST_WARNINGS:
        lines.append(f"tcpsweep: and {len(plan.warnings) - MOST_WARNINGS} more warnings, in the report")
    lines.append(f"tcpsweep: {sweep.name}: {sweep.counted()}, {total} cells, {state}")
    return "\n".join(lines)
