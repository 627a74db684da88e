# SPDX-License-Identifier: MIT
# The plan: which sweep file, and what is left of it. A job that Snakemake starts on another node plans nothing: its
# plan file says all that it needs.
import shlex
import shutil
import sys
from pathlib import Path

from tcpsweep import plan, slurm, store

# On a cluster, --jobs says how many jobs run at a time, and --cores nothing.
ON_CLUSTER = workflow.nodes is not None or not workflow.is_main_process
# The cores of this machine, for what runs here, and the cells' jobs at a time.
CORES = workflow.resource_settings.local_cores if ON_CLUSTER else workflow.cores or 1
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
        store.clear_scratch(everywhere=True)


def planned():
    """The plan, and the lock that keeps other runs out of results/ while this one lives."""
    lock = None
    try:
        try:
            lock = store.lock()
        except store.Busy as error:
            if not workflow.output_settings.dryrun:
                stop(f"tcpsweep: {error}")
        if lock and ON_CLUSTER and not workflow.output_settings.dryrun:
            take_over()
        found = plan.prepare(sweep_file(), SLOTS, ON_CLUSTER, locked=lock is not None)
    except plan.Stop as error:
        stop(error)
    print(plan.describe(found), file=sys.stderr, flush=True)
    return found, lock


if workflow.is_main_process:
    PLAN, LOCK = planned()
else:
    PLAN = plan.outline(sweep_file())

# Every command runs this Python and this package, wherever Snakemake was started.
TCPSWEEP = f"PYTHONPATH={shlex.quote(str(workflow.basedir))} {shlex.quote(sys.executable)} -m tcpsweep"
