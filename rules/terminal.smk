# SPDX-License-Identifier: MIT
# Show a run's progress and how it ended, beside Snakemake's messages.
from tcpsweep.terminal import summary
from tcpsweep.terminal.snakemake_messages import LogHandler

# A logger other than the profile's has the terminal for itself: TERMINAL is None.
TERMINAL = next((each for each in workflow.logger_manager.plugin_handlers if isinstance(each, LogHandler)), None)
if TERMINAL and RUNS:
    TERMINAL.follow(PLAN, SLOTS)


def begin_run():
    """Show the progress."""
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
    if ON_CLUSTER and workflow.is_main_process:
        layout.SUBMITTED.unlink(missing_ok=True)  # Snakemake has waited for its jobs, or cancelled them
    summary.show(PLAN, logs)
