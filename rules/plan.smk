# SPDX-License-Identifier: MIT
# The plan: which sweep file, and what is left of it. A job that Snakemake starts on another node plans nothing: its
# plan file says all that it needs, and the sweep file may have changed meanwhile.
import contextlib
import io
import os
import shutil
import sys
from pathlib import Path

from snakemake import cli as snakemake_cli
from snakemake_interface_executor_plugins.registry import ExecutorPluginRegistry

from tcpsweep import cli
from tcpsweep.identity import source_folders
from tcpsweep.plan import plan, plan_words
from tcpsweep.run import slurm
from tcpsweep.store import layout, run_lock, whole_files


def on_cluster():
    """Whether jobs run on other machines, of which --jobs says how many, and --cores nothing."""
    if not workflow.is_main_process or workflow.nodes is None:
        return not workflow.is_main_process
    # Snakemake tells a workflow its executor when it has been read. Its parser says again which profile it uses.
    with contextlib.redirect_stderr(io.StringIO()):
        _, arguments = snakemake_cli.parse_args(sys.argv[1:])
    return ExecutorPluginRegistry().get_plugin(arguments.executor or "local").common_settings.non_local_exec


ON_CLUSTER = on_cluster()
# The cores of this machine, for what runs here, and the cells' jobs at a time.
CORES = (workflow.resource_settings.local_cores or os.cpu_count()) if ON_CLUSTER else workflow.cores or 1
SLOTS = workflow.nodes if ON_CLUSTER else CORES


def stop(message):
    """End Snakemake with a message and without a traceback."""
    print(message, file=sys.stderr, flush=True)
    sys.exit(1)


def sweep_file():
    """The one file that --configfile names, or the default sweep."""
    if workflow.config_settings.config:
        stop("tcpsweep: --config is not read: a sweep is what its file says; change the file")
    files = [Path(path) for path in workflow.configfiles]
    if len(files) > 1:
        stop(f"tcpsweep: one sweep at a time; --configfile names {len(files)} files")
    return files[0] if files else Path(workflow.basedir) / "config" / "config.yaml"


def take_over():
    """End what a run that was killed left in SLURM's queue, as its cells are planned anew."""
    if shutil.which("squeue"):
        try:
            left = slurm.cancel_left(Path.cwd())
        except slurm.Unreachable as error:
            stop(f"tcpsweep: {error}")
        if left:
            jobs = f"{left} job{'s' * (left > 1)}"
            print(f"tcpsweep: cancelled {jobs} that an earlier run left in the queue", file=sys.stderr, flush=True)
        whole_files.clear_scratch(everywhere=True)
    layout.SUBMITTED.unlink(missing_ok=True)


def planned():
    """The plan, and the locks that keep other runs out of results/ and programs where they are while this one lives."""
    lock = programs = None
    try:
        try:
            programs = run_lock.programs()
            lock = run_lock.lock()
        except run_lock.Busy as error:
            if not workflow.output_settings.dryrun:
                stop(f"tcpsweep: {error}")
        runs = lock and not workflow.output_settings.dryrun
        if runs and (ON_CLUSTER or layout.submitted()):
            take_over()
        found = plan.prepare(sweep_file(), SLOTS, ON_CLUSTER, locked=lock is not None)
        if runs and ON_CLUSTER and any(found.jobs.values()):
            layout.SUBMITTED.write_text(found.sweep.name, encoding="utf-8")
    except plan.Stop as error:
        stop(error)
    print(plan_words.describe(found), file=sys.stderr, flush=True)
    return found, (lock, programs)


if not Path(sys.executable).with_name("tcpsweep").is_file():
    stop(f"tcpsweep: {sys.executable} has no command tcpsweep beside it; run `make setup`")
if source_folders.ROOT != Path(workflow.basedir).resolve():
    stop(
        f"tcpsweep: this Python has the package of {source_folders.ROOT}, not that of {workflow.basedir}; "
        "run `make setup` there, and take its .venv/bin/snakemake"
    )
cli.own_programs_first()  # the rules' commands call `tcpsweep`, wherever Snakemake was started
if workflow.is_main_process:
    PLAN, LOCKS = planned()
else:
    try:
        PLAN = plan.outline()
    except plan.Stop as error:
        stop(f"tcpsweep: {error}")
