# SPDX-License-Identifier: MIT
# What a person sees of a run. Of Snakemake's messages on the terminal only what went wrong, as the progress and the
# summary say the rest; its log file has them all. Options that ask for more (-p, --verbose, …) get more.
import logging
import os
import sys

from snakemake.logging import logger
from snakemake.settings.enums import Quietness

from tcpsweep.store import layout
from tcpsweep.terminal import summary, watch

# What Snakemake says without a level or an event of its own that would tell it from its chatter.
TOLD = ("Nothing to be done", "Terminating processes", "Will exit after", "Trying to restart job")
# That a job's command failed is said again, with its log. That SLURM's default account holds is no reason to warn.
UNTOLD = (
    "CalledProcessError in file",
    "No SLURM account given",
    "No account was given",
    "Unable to guess SLURM account",
)
# A full disk fails hundreds of jobs for one reason, and so does Ctrl-C.
MOST_JOB_ERRORS = 3
STEPS = {
    "compile": "compiling",
    "decoder": "compiling",
    "aggregate": "making tables",
    "figures": "drawing figures",
    "report": "writing report",
    "pages": "writing the cells' pages",
}


def event(record):
    """What Snakemake says the message is about, such as "job_info"."""
    return str(getattr(record, "event", None))


class Brief(logging.Filter):
    """Lets through what went wrong, and the few remarks that a person waits for, once each."""

    def __init__(self):
        super().__init__()
        self.told = set()
        self.job_errors = 0

    def filter(self, record):
        text = record.getMessage()
        if event(record) == "job_error":
            self.job_errors += 1
            return self.job_errors <= MOST_JOB_ERRORS
        if record.levelno >= logging.WARNING:
            return not any(part in text for part in UNTOLD)
        if text in self.told or not text.startswith(TOLD):
            return False
        self.told.add(text)
        return True


class BriefErrors(logging.Formatter):
    """Says in one line which job failed and where its log is."""

    def __init__(self, full):
        super().__init__()
        self.full = full

    def format(self, record):
        if event(record) != "job_error":
            return self.full.format(record)
        logs = f"; its log: {', '.join(record.log)}" if record.log else ""
        return f"tcpsweep: rule {record.rule_name} failed{logs}"


class Steps(logging.Handler):
    """Tells the watch what runs beside the cells."""

    def emit(self, record):
        if event(record) == "job_info":
            WATCH.step = STEPS.get(record.rule_name)


def share_terminal(handler):
    """Let Snakemake's handler write by way of the watch, and no more than a person wants."""
    handler.setStream(WATCH)
    handler.nocolor = handler.nocolor or "NO_COLOR" in os.environ
    settings = workflow.output_settings
    if not (settings.verbose or settings.printshellcmds or settings.debug_dag):
        handler.addFilter(Brief())
        if not settings.show_failed_logs:
            handler.setFormatter(BriefErrors(handler.formatter))


def begin_watch():
    """Show the progress, unless Snakemake was told not to."""
    if WATCH and not {Quietness.PROGRESS, Quietness.ALL} & set(workflow.output_settings.quiet or ()):
        WATCH.start()


def end_run(*logs):
    """Show how the run ended; logs are for those whom that does not tell enough."""
    if WATCH:
        WATCH.stop()
    if ON_CLUSTER and workflow.is_main_process:
        layout.SUBMITTED.unlink(missing_ok=True)  # Snakemake has waited for its jobs, or cancelled them
    summary.show(PLAN, logs)


WATCH = None
# Another handler in its place, of a plugin that --logger names, has the terminal for itself.
for handler in [handler for handler in logger.handlers if handler.name == "DefaultStreamHandler"]:
    if workflow.is_main_process and not workflow.output_settings.dryrun and sys.stderr:
        WATCH = watch.Watch(PLAN, SLOTS, sys.stderr)
        share_terminal(handler)
        logger.addHandler(Steps())
