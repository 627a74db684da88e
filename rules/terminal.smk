# SPDX-License-Identifier: MIT
# Show a run's progress and how it ended, beside Snakemake's messages.
import functools
import signal

from tcpsweep.terminal import summary
from tcpsweep.terminal.snakemake_messages import LogHandler

# A logger other than the profile's has the terminal for itself: TERMINAL is None.
TERMINAL = next((each for each in workflow.logger_manager.plugin_handlers if isinstance(each, LogHandler)), None)
if TERMINAL and RUNS:
    TERMINAL.follow(PLAN, SLOTS)


def stop_jobs(number, frame, before):
    """Let jobs begin no more cells, and do what Snakemake does at a signal: wait for those that run."""
    for file in PLAN.stop_files():
        file.touch()
    before(number, frame)


def begin_run():
    """Show the progress, and be ready to stop."""
    for number in (signal.SIGINT, signal.SIGTERM) if RUNS else ():
        if callable(before := signal.getsignal(number)):
            signal.signal(number, functools.partial(stop_jobs, before=before))
    if not workflow.local_exec and not ON_CLUSTER:
        stop("tcpsweep: jobs would run elsewhere, and the profile does not say `config: {on_cluster: true}`")
    if TERMINAL:
        TERMINAL.begin()


def end_run(*logs):
    """Show how the run ended; ``logs`` are Snakemake's, for anyone who needs more."""
    if TERMINAL:
        listener = workflow.logger_manager.queue_listener
        listener.stop()  # returns when all earlier messages are shown
        listener.start()
        TERMINAL.end()
    if RUNS:
        for file in PLAN.stop_files():
            file.unlink(missing_ok=True)
    if ON_CLUSTER and workflow.is_main_process:
        # Snakemake has waited for its jobs, or cancelled them.
        layout.submitted(PLAN.sweep.name).unlink(missing_ok=True)
    summary.show(PLAN, logs)


def after(handler, own):
    """A handler of a workflow, and then one of ours."""

    def both(log):
        handler(log)
        own(log)

    return both


# Snakemake has the handlers of a module called by the workflow that uses it, or by nobody.
if IS_MODULE:
    workflow._onstart = after(workflow._onstart, lambda log: begin_run())
    workflow._onsuccess = after(workflow._onsuccess, lambda log: end_run())
    workflow._onerror = after(workflow._onerror, lambda log: end_run(*log))
