# SPDX-License-Identifier: MIT
# What a person sees of a run, beside Snakemake's messages: its progress and how it ended.
from tcpsweep.terminal import summary
from tcpsweep.terminal.snakemake_messages import LogHandler

# Another logger than that of the profile has the terminal for itself.
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
    """Show how the run ended; logs are for those whom that does not tell enough."""
    if TERMINAL:
        listener = workflow.logger_manager.queue_listener
        listener.stop()  # when all is shown that was said before
        listener.start()
        TERMINAL.end()
    if ON_CLUSTER and workflow.is_main_process:
        layout.SUBMITTED.unlink(missing_ok=True)  # Snakemake has waited for its jobs, or cancelled them
    summary.show(PLAN, logs)
