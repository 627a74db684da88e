# SPDX-License-Identifier: MIT
# Plan what is left of the sweep. A job that Snakemake starts on another node plans nothing: its plan file says all that
# it needs, and the sweep file may have changed meanwhile. Linting plans nothing either.
import os
import shutil
import sys
from pathlib import Path

from tcpsweep.plan import plan, plan_words
from tcpsweep.run import slurm
from tcpsweep.store import cell_files, claims, file_times, layout, run_lock, snakemake_files

# The profile says it, under `config`: Snakemake tells a workflow its executor only after the Snakefile has been read.
ON_CLUSTER = not workflow.is_main_process or bool(workflow.config_settings.config.get(ON_CLUSTER_KEY))
# `snakemake --lint` alone leaves the environment unchecked.
IS_LINTED = not workflow.check_envvars
RUNS = workflow.is_main_process and not IS_LINTED and not workflow.output_settings.dryrun
# CORES: this machine's cores, for jobs that run here. SLOTS: how many of the cells' jobs run at a time.
CORES = (
    (workflow.resource_settings.local_cores or os.cpu_count()) if ON_CLUSTER else workflow.resource_settings.cores or 1
)
SLOTS = workflow.nodes or CORES if ON_CLUSTER else CORES


def take_over(sweep):
    """Cancel the jobs that a killed run of the sweep left in SLURM's queue, because their cells are planned anew."""
    if shutil.which("squeue"):
        try:
            left = slurm.cancel_left(Path.cwd(), sweep)
        except slurm.Unreachable as error:
            if layout.submitted(sweep).is_file():
                stop(f"tcpsweep: {error}")
            left = 0  # no run was killed, and jobs may go to another scheduler
        if left:
            jobs = f"{left} job{'s' * (left > 1)}"
            print(f"tcpsweep: cancelled {jobs} that an earlier run left in the queue", file=sys.stderr, flush=True)
        if run_lock.is_alone():
            claims.clear(nobody_works=True)
    layout.submitted(sweep).unlink(missing_ok=True)


def is_held(lock, *arguments):
    """Take a lock until this process ends; whether it is taken, without which a dry run goes on and a run ends."""
    try:
        LOCKS.append(lock(*arguments))
    except run_lock.Busy as error:
        if RUNS:
            stop(f"tcpsweep: {error}")
        return False
    return True


def begin(sweep):
    """Lock the sweep for this run, and take over what killed runs left; whether it is locked."""
    if not is_held(run_lock.sweep, sweep):
        return False
    if RUNS and (ON_CLUSTER or layout.submitted(sweep).is_file()):
        take_over(sweep)
    if not run_lock.is_alone():  # else the next job with a killed job's cell clears what that left
        claims.clear()
    if RUNS:
        run_lock.await_steps(sweep)
        file_times.bring_back(sweep)
        for words in cell_files.clear_damaged():
            print(f"tcpsweep: {words}", file=sys.stderr, flush=True)
        snakemake_files.clear(sweep, run_lock.is_only_run())
        snakemake_files.note_temporary(sweep, Path(workflow.snakemake_tmp_dir))
    return True


def planned():
    """The plan; from then on, this process keeps other runs of the sweep out, and programs and results in place."""
    if RUNS and (why := run_lock.is_alone()):
        print(f"tcpsweep: results/ takes one run at a time, as {why}", file=sys.stderr, flush=True)
    shares = is_held(run_lock.programs) and is_held(run_lock.store, False, f"the run of {sweep_file()}")
    found = plan.prepare(sweep_file(), SLOTS, ON_CLUSTER, lock=lambda sweep: shares and begin(sweep), cores=CORES)
    if RUNS and ON_CLUSTER and any(found.jobs.values()):
        name = found.sweep.name
        layout.submitted(name).touch()
        workflow.config_settings.config_args = [*workflow.config_settings.config_args, f"{PLANNED}={name!r}"]
    print(plan_words.describe(found), file=sys.stderr, flush=True)
    if workflow.output_settings.dryrun and not workflow.output_settings.quiet:
        print(plan_words.cells(found), file=sys.stderr, flush=True)
    return found


LOCKS = snakemake_files.in_use(workflow.logger_manager.logfile_handlers.values())  # all until this process ends
try:
    if IS_LINTED:
        PLAN = plan.without_work(sweep_file())
    elif workflow.is_main_process:
        PLAN = planned()
    else:
        PLAN = plan.outline(workflow.config_settings.config[PLANNED])
except plan.Stop as error:
    stop(f"tcpsweep: {error}" if not workflow.is_main_process else error)
