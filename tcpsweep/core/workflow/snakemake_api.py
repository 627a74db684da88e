# SPDX-License-Identifier: MIT
"""Read Snakemake's command line and settings from its ``workflow`` object.

Snakemake documents the directives, ``config``, ``workflow.cores`` and ``workflow.source_path``. `ATTRIBUTES` lists the
undocumented attributes that the rules need. `tests/core/workflow/test_snakemake_api.py` fails if Snakemake lacks one.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tcpsweep.core.identity import source_folders

if TYPE_CHECKING:
    from snakemake.workflow import Workflow

    from tcpsweep.core.workflow.snakemake_messages import LogHandler

# Each attribute of ``workflow``, and the information that no documented attribute gives.
ATTRIBUTES = {
    "is_main_process": "whether this is the Snakemake that a person started, or one that runs a job on another machine",
    "local_exec": "whether jobs run on this machine; known when the run begins",
    "scheduler": "whether there was anything to run, and what submits its jobs",
    "main_snakefile": "whether another workflow uses these rules as a module",
    "modifier.path_modifier.prefix": "the folder in which that module's results are",
    "modifier.path_modifier.modifies_prefixes": "whether that module replaces prefixes",
    "current_basedir": "where these rules come from, which may be another repository",
    "sourcecache.open": "the text of a rule file in that repository",
    "configfiles": "the paths of the sweep files, of which `config` has only the contents",
    "config_settings.configfiles": "the sweep files that the command line names",
    "config_settings.config": "what a profile or --config sets, which `config` mixes with the sweep file",
    "resource_settings.cores": "the number of cores; --lint needs none",
    "resource_settings.local_cores": "the number of cores of a login node that jobs may use",
    "nodes": "the number of jobs that a cluster runs at a time",
    "output_settings.dryrun": "whether this is a dry run, before the executor is known",
    "output_settings.quiet": "whether a dry run lists its jobs",
    "snakemake_tmp_dir": "the temporary folder that a killed Snakemake leaves",
    "logger_manager.get_log_handlers": "the logger that shows the progress",
    "logger_manager.queue_listener": "whether that logger has shown all earlier messages",
}
# Profiles set this under `config`, because Snakemake chooses its executor only after it has read the Snakefile.
ON_CLUSTER = "on_cluster"
BATCH_CORES = "cores_per_job"


@dataclass(frozen=True)
class Invocation:
    """The relevant part of Snakemake's command line and settings."""

    is_main: bool  # whether a person started it; otherwise it runs one job on another machine
    runs: bool  # whether it changes anything; false with --lint, in a dry run, and on another machine
    is_linted: bool
    lists: bool  # whether it is a dry run that lists the cells
    is_module: bool  # whether another workflow uses the rules as a module
    on_cluster: bool  # whether jobs of cells run on other machines
    cores: int  # this machine's cores for the jobs that run here
    slots: int  # the number of cells that run at a time
    batch_cores: int  # the cores of a job of cells on another machine
    started_in: Path  # the folder of Snakemake's own files
    folder: Path  # from there, the folder of `results/` and `reports/`, which a module's `prefix:` names


def read_invocation(workflow: Workflow) -> Invocation:
    """Read the `Invocation` from Snakemake's ``workflow``."""
    resources = workflow.resource_settings
    is_main, is_linted = workflow.is_main_process, "--lint" in sys.argv
    on_cluster = not is_main or bool(workflow.config_settings.config.get(ON_CLUSTER))
    cores = (resources.local_cores or os.cpu_count() or 1) if on_cluster else resources.cores or 1
    batch_cores: int = workflow.config_settings.config.get(BATCH_CORES, 1)
    output: Any = workflow.output_settings
    return Invocation(
        is_main=is_main,
        runs=is_main and not is_linted and not output.dryrun,
        is_linted=is_linted,
        lists=output.dryrun and not output.quiet,
        is_module=Path(workflow.main_snakefile).resolve() != source_folders.ROOT / "Snakefile",
        on_cluster=on_cluster,
        cores=cores,
        slots=(workflow.nodes or cores) * batch_cores if on_cluster else cores,
        batch_cores=batch_cores,
        started_in=Path.cwd(),
        folder=Path(workflow.modifier.path_modifier.prefix or ""),
    )


def job_name(workflow: Workflow) -> str | None:
    """The name of all jobs that Snakemake's plugin submits to SLURM; None if jobs run elsewhere."""
    return getattr(getattr(workflow.scheduler, "_executor", None), "run_uuid", None)


def log_handler(workflow: Workflow) -> LogHandler | None:
    """The logger of `snakemake_messages`; None if another logger writes to the terminal."""
    from tcpsweep.core.workflow.snakemake_messages import LogHandler

    handlers = workflow.logger_manager.get_log_handlers()
    return next((handler for handler in handlers if isinstance(handler, LogHandler)), None)


def show_pending_messages(workflow: Workflow) -> None:
    """Wait until the logger has shown all earlier messages."""
    if listener := workflow.logger_manager.queue_listener:
        listener.stop()
        listener.start()
