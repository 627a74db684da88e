# SPDX-License-Identifier: MIT
"""A run of Snakemake on a sweep, from reading the rules to printing the summary.

It finds the sweep file, checks that the rules belong to this package, and handles Ctrl-C and SIGTERM.
"""

from __future__ import annotations

import _thread
import atexit
import contextlib
import os
import shlex
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from tcpsweep.core.command_line import main
from tcpsweep.core.command_line.terminal import summary
from tcpsweep.core.identity import source_folders
from tcpsweep.core.plan import step_costs
from tcpsweep.core.plan.plan_record import Plan
from tcpsweep.core.store import layout, removal, snakemake_files
from tcpsweep.core.workflow import planning, report_entries, snakemake_api
from tcpsweep.core.workflow.job_resources import JobResources
from tcpsweep.core.workflow.planning import stop
from tcpsweep.core.workflow.snakemake_api import BATCH_CORES, ON_CLUSTER, Invocation

if TYPE_CHECKING:
    from snakemake.workflow import Workflow

_Handler = Callable[[int, FrameType | None], Any]

_SWEEP_FILE = "sweep_file"  # the key by which another workflow names it


@dataclass
class Run:
    """The plan of the remaining work, with the values that the rules use and the functions that handlers call."""

    plan: Plan
    asked: Invocation
    _workflow: Workflow
    _locks: list[Any]  # held until this process ends
    folder: Path  # the folder of `results/` and `reports/`, which a module's `prefix:` names
    _has_ended: bool = field(default=False, init=False)
    _is_stopped: bool = field(default=False, init=False)  # by a signal

    def __post_init__(self) -> None:
        """Prepare to show the progress."""
        self.jobs = JobResources(self.plan, self.asked, self.folder)
        self.figures = report_entries.Figures(self.folder / self.plan.folder)
        self._terminal = snakemake_api.log_handler(self._workflow)
        if self._terminal and self.asked.runs and self.folder == Path():
            self._terminal.follow(self.plan, self.asked.slots)

    @property
    def tcpsweep(self) -> str:
        """The command of this package, for the rules' shell."""
        path = shlex.quote(source_folders.python_path())
        command = f"PYTHONPATH={path} {shlex.quote(sys.executable)} -P -m tcpsweep"
        return command if self.folder == Path() else f"env -C {shlex.quote(str(self.folder))} {command}"

    @property
    def back(self) -> str:
        """The beginning of a path from `folder` to a file that Snakemake names."""
        return "" if self.folder == Path() else f"{os.path.relpath('.', self.folder)}/"

    def simulations(self) -> list[dict[str, Any]]:
        """The runs of the sweep, for rules of another workflow: a table with a row for each run.

        Its columns are the axes, with values as texts, ``run``, the cell's id, and the folder of its Parquet.
        """
        return [
            self.plan.sweep.texts[run.combination]
            | {
                "run": run.run,
                "cell": run.cell,
                "folder": str(self.folder / layout.parquet(run.cell, self.plan.parser)),
            }
            for run in self.plan.runs
        ]

    @property
    def page_workers(self) -> int:
        """The number of processes that make the cells' pages, here or on a node."""
        cores = self.asked.batch_cores if self.asked.on_cluster else self.asked.cores
        return step_costs.page_workers(self.plan.simulations, cores)

    def reported_folders(self) -> list[Path]:
        """The folder of the pages, for Snakemake's own report. No rule makes it: it also has other sweeps' pages."""
        return [self.plan.report.parent] if (self.folder / self.plan.report).is_file() else []

    @property
    def reported_pages(self) -> dict[str, Any]:
        """The pages that Snakemake's own report takes from that folder, with their groups and names."""
        return {
            "patterns": report_entries.page_patterns(self.plan.sweep.name, len(self.plan.cells)),
            "category": "Pages",
            "subcategory": report_entries.page_group,
            "labels": report_entries.page_labels,
        }

    def begin(self, logs: Sequence[str]) -> None:
        """Show the progress, and prepare to stop on signals. ``logs`` are Snakemake's, kept until this process ends."""
        self._locks += snakemake_files.in_use(logs)
        if self.asked.runs:
            self._stop_when_told()
        if not self._workflow.local_exec and not self.asked.on_cluster:
            stop("tcpsweep: jobs would run on other machines, but the profile lacks `config: {on_cluster: true}`")
        if self.asked.runs and (name := snakemake_api.job_name(self._workflow)):
            with (self.folder / layout.submitted(self.plan.sweep.name)).open("a", encoding="utf-8") as file:
                file.write(f"\n{name}")  # for the next run, which cancels them if this one is killed
        if self._terminal:
            self._terminal.begin()

    def end(self, logs: Sequence[str] = ()) -> None:
        """Show the result of the run. ``logs`` are Snakemake's, if something went wrong."""
        if self._terminal:
            snakemake_api.show_pending_messages(self._workflow)
            self._terminal.end()
        self._clear_and_show(logs)

    def end_of_process(self) -> None:
        """Show the result of a module's run when Snakemake ends, unless the surrounding workflow has called `end`."""
        if self._workflow.scheduler is None:  # there was nothing to run
            with contextlib.chdir(self.folder):
                removal.remove(layout.submitted(self.plan.sweep.name))
        elif self.asked.is_module and not self._has_ended:
            self._clear_and_show(())

    def _clear_and_show(self, logs: Sequence[str]) -> None:
        self._has_ended = True
        with contextlib.chdir(self.folder):
            if self.asked.runs:
                for file in self.plan.stop_files():
                    removal.remove(file)
            if self.asked.on_cluster and self.asked.is_main:
                # Snakemake has waited for its jobs, or cancelled them.
                removal.remove(layout.submitted(self.plan.sweep.name))
            summary.show(self.plan, logs, is_stopped=self._is_stopped and bool(logs))

    def _stop_when_told(self) -> None:
        """On SIGINT and SIGTERM, let jobs begin no more cells. Then let Snakemake wait for the running cells."""
        stop_files = [self.folder.absolute() / file for file in self.plan.stop_files()]

        def stop_before(handler: _Handler) -> _Handler:
            def stop(number: int, frame: FrameType | None) -> None:
                self._is_stopped = True
                for file in stop_files:
                    file.touch()
                handler(number, frame)

            return stop

        if callable(handler := signal.getsignal(signal.SIGINT)):
            signal.signal(signal.SIGINT, stop_before(handler))
        if callable(handler := signal.getsignal(signal.SIGTERM)):
            signal.signal(signal.SIGTERM, stop_before(in_own_thread(handler)))


def start(workflow: Workflow, config: Mapping[str, Any]) -> Run:
    """Plan the sweep of this Snakemake, and lock it until this process ends.

    ``config`` has Snakemake's settings: the sweep file's contents, or the settings of another workflow.
    """
    receive_signals()
    _check_package(workflow)
    main.own_programs_first()
    _check_cores_per_job(workflow)
    asked = snakemake_api.read_invocation(workflow)
    folder = asked.folder
    folder.mkdir(parents=True, exist_ok=True)
    file = os.path.relpath(_sweep_file(workflow, config, asked.is_module), folder)
    with contextlib.chdir(folder):
        plan, locks = planning.planned(Path(file), asked, workflow.snakemake_tmp_dir)
    run = Run(plan, asked, workflow, locks, folder)
    if asked.runs:
        atexit.register(run.end_of_process)
    return run


def receive_signals() -> None:
    """Allow one interrupt of this process: a terminal and `tcpsweep sweep` may both send the same SIGINT.

    `tcpsweep sweep` starts Snakemake with these signals blocked, because an interrupted import prints a traceback. A
    signal that was sent in the meantime arrives now.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # a shell may ignore it for background processes
        signal.signal(signal.SIGINT, _interrupt_once)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGCHLD})


def in_own_thread(handler: _Handler) -> _Handler:
    """A handler that calls ``handler`` in a thread, and does not wait for it.

    Snakemake's handler of SIGTERM takes locks. Python interrupts the main thread for a handler, also while it holds
    these locks: there, Snakemake's handler would wait forever.
    """

    def begin(number: int, frame: FrameType | None) -> None:
        # An object of `threading` would take a lock of that module, which the main thread may hold.
        _thread.start_new_thread(handler, (number, frame))

    return begin


def _interrupt_once(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGINT, _do_nothing)
    signal.default_int_handler(number, frame)


def _do_nothing(number: int, frame: FrameType | None) -> None:
    """Ignore a signal. Unlike SIG_IGN, started processes do not inherit this handler."""


def _check_package(workflow: Workflow) -> None:
    """Refuse rules that do not belong to this package: a module may take its rules from anywhere."""
    root, rules_root = source_folders.ROOT, workflow.current_basedir.join("..")
    if rules_root.is_local:
        if root != (folder := Path(rules_root.get_path_or_uri(secret_free=True)).resolve()):
            stop(
                f"tcpsweep: this Python has the package of {root}, but the rules are in {folder}; "
                "run `make setup` there, and use its .venv/bin/snakemake"
            )
        return
    for file in [root / "Snakefile", *sorted(root.glob("rules/*.smk"))]:
        name = file.relative_to(root)
        if workflow.sourcecache.open(rules_root.join(name)).read().strip() != file.read_text().strip():
            stop(
                f"tcpsweep: {name} differs between {rules_root} and this Python's package in {root}; "
                "check out the same version there, or name that version in the Snakefile"
            )


def _check_cores_per_job(workflow: Workflow) -> None:
    cores = workflow.config_settings.config.get(BATCH_CORES, 1)
    if type(cores) is not int or cores < 1:
        stop(f"tcpsweep: {BATCH_CORES}: expected a whole number from 1 on, got {cores!r}")


def _sweep_file(workflow: Workflow, config: Mapping[str, Any], is_module: bool) -> Path:
    """The sweep file that --configfile or another workflow names. Default: the default sweep."""
    if is_module:
        return _file_of_module(workflow, config)
    if workflow.config_settings.config.keys() - {ON_CLUSTER, BATCH_CORES}:
        stop("tcpsweep: --config has no effect: only the sweep file defines a sweep; edit the file")
    files = [Path(path) for path in workflow.configfiles]
    if len(files) > 1:
        stop(f"tcpsweep: --configfile names {len(files)} files; run one sweep at a time")
    file = files[0] if files else source_folders.ROOT / "config" / "config.yaml"
    # Snakemake makes paths absolute. Messages name the file as its author does.
    return file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file


def _file_of_module(workflow: Workflow, config: Mapping[str, Any]) -> Path:
    """The sweep file that another workflow names, or its only config file, as in workflows by snakedeploy."""
    if workflow.modifier.path_modifier.modifies_prefixes:
        stop("tcpsweep: a module's `replace_prefix:` has no effect; `prefix:` names another folder")
    if _SWEEP_FILE in config:
        return Path(config[_SWEEP_FILE])
    files = workflow.config_settings.configfiles or workflow.configfiles
    if "sweep" not in config or len(files) != 1:
        stop(f'tcpsweep: a module has to name its sweep file: `config: {{"{_SWEEP_FILE}": "my-sweep.yaml"}}`')
    return Path(files[0])
