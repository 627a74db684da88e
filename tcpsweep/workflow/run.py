# SPDX-License-Identifier: MIT
"""A run of Snakemake on a sweep, from reading the rules to printing the summary."""

from __future__ import annotations

import atexit
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tcpsweep.command_line import main
from tcpsweep.command_line.terminal import summary
from tcpsweep.identity import source_folders
from tcpsweep.plan import step_costs
from tcpsweep.plan.plan_record import Plan
from tcpsweep.store import digests, layout, removal, snakemake_files
from tcpsweep.sweep import sweep_tables
from tcpsweep.workflow import planning, report_entries, signals, snakemake_api
from tcpsweep.workflow.job_resources import JobResources
from tcpsweep.workflow.snakemake_api import Invocation
from tcpsweep.workflow.stop import stop
from tcpsweep.workflow.sweep_file import check_package, sweep_file

if TYPE_CHECKING:
    from snakemake.workflow import Workflow


@dataclass
class Run:
    """The plan of the remaining work, with the values that the rules use and the functions that handlers call."""

    plan: Plan
    asked: Invocation
    _workflow: Workflow
    _locks: list[Any]  # held until this process ends
    _has_ended: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        """Prepare to show the progress."""
        self.jobs = JobResources(self.plan, self.asked)
        self.figures = report_entries.Figures(self.plan.folder)
        self._terminal = snakemake_api.log_handler(self._workflow)
        if self._terminal and self.asked.runs:
            self._terminal.follow(self.plan, self.asked.slots)

    @property
    def jobs_folder(self) -> Path:
        """The folder of the jobs' plan files, logs and stamps."""
        return self.plan.folder / layout.JOBS

    @property
    def tcpsweep(self) -> str:
        """The command of this package, for the rules' shell."""
        path = shlex.quote(source_folders.python_path())
        return f"PYTHONPATH={path} {shlex.quote(sys.executable)} -P -m tcpsweep"

    @property
    def tables(self) -> list[Path]:
        """The tables that every sweep has."""
        return [self.plan.folder / name for name in sweep_tables.always()]

    @property
    def table_records(self) -> list[Path]:
        """The files written with the tables: the attributes in force, the cells that are included, and digests."""
        return [self.plan.folder / name for name in (sweep_tables.ATTRIBUTES, sweep_tables.COVERED, digests.FILE)]

    @property
    def table_threads(self) -> int:
        """The number of threads that make the tables."""
        return step_costs.table_threads(len(self.plan.cells))

    @property
    def page_workers(self) -> int:
        """The number of processes that make the cells' pages."""
        return step_costs.page_workers(len(self.plan.cells), self.asked.cores)

    def reported_folders(self) -> list[Path]:
        """The folder of the pages, for Snakemake's own report. No rule makes it: it also has other sweeps' pages."""
        return [self.plan.report.parent] if self.plan.report.is_file() else []

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
            signals.stop_jobs_when_told(self.plan.stop_files())
        if not self._workflow.local_exec and not self.asked.on_cluster:
            stop("tcpsweep: jobs would run on other machines, but the profile lacks `config: {on_cluster: true}`")
        if self._terminal:
            self._terminal.begin()

    def end(self, logs: Sequence[str] = ()) -> None:
        """Show the result of the run. ``logs`` are Snakemake's, if something went wrong."""
        if self._terminal:
            snakemake_api.show_pending_messages(self._workflow)
            self._terminal.end()
        self._clear_and_show(logs)

    def end_of_module(self) -> None:
        """Show the result of the run when Snakemake ends, unless the surrounding workflow has called `end`."""
        if not self._has_ended and self._workflow.scheduler is not None:  # no scheduler: there was nothing to run
            self._clear_and_show(())

    def _clear_and_show(self, logs: Sequence[str]) -> None:
        self._has_ended = True
        if self.asked.runs:
            for file in self.plan.stop_files():
                removal.remove(file)
        if self.asked.on_cluster and self.asked.is_main:
            # Snakemake has waited for its jobs, or cancelled them.
            removal.remove(layout.submitted(self.plan.sweep.name))
        summary.show(self.plan, logs)


def start(workflow: Workflow, config: Mapping[str, Any]) -> Run:
    """Plan the sweep of this Snakemake, and lock it until this process ends.

    ``config`` has Snakemake's settings: the sweep file's contents, or the settings of another workflow.
    """
    signals.receive()
    check_package(workflow)
    main.own_programs_first()
    asked = snakemake_api.read_invocation(workflow)
    file = sweep_file(workflow, config, asked.is_module)
    plan, locks = planning.planned(file, asked, workflow.snakemake_tmp_dir)
    run = Run(plan, asked, workflow, locks)
    if asked.is_module and asked.runs:
        atexit.register(run.end_of_module)
    return run
