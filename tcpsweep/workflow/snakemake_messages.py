# SPDX-License-Identifier: MIT
"""Which of Snakemake's messages the terminal shows: a logger plugin, which profiles choose by ``logger: tcpsweep``.

While a sweep runs, it shows only what went wrong: the progress and the summary say the rest, and Snakemake's log file
has everything. Options that ask for more (-p, --verbose, …) get more. Anything else that Snakemake does looks as it
does without the plugin.
"""

from __future__ import annotations

import logging
import os
import sys
from typing import TYPE_CHECKING, Any

from snakemake.logging import ColorizingTextHandler, DefaultFilter, DefaultFormatter
from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

if TYPE_CHECKING:
    from tcpsweep.command_line.terminal.watch import Watch
    from tcpsweep.plan.plan_record import Plan

# Messages to show, which no level or event of their own tells from Snakemake's chatter.
TOLD = ("Nothing to be done", "Terminating processes", "Will exit after", "Trying to restart job")
# Warnings to hide: a failed command is reported again, with its log, and so is that the run failed; SLURM's default
# account is no reason to warn.
UNTOLD = (
    "CalledProcessError in file",
    "No SLURM account given",
    "No account was given",
    "Unable to guess SLURM account",
    "Exiting because a job execution failed",
    "At least one job did not complete successfully",
)
# A full disk fails hundreds of jobs for one reason, and so does Ctrl-C.
MOST_JOB_ERRORS = 3
STEPS = {
    "compile": "compiling",
    "decoder": "compiling",
    "aggregate": "making tables",
    "report": "drawing figures, writing report",
    "pages": "writing the cells' pages",
}


def event(record: logging.LogRecord) -> LogEvent | None:
    """The event that Snakemake attaches to a message."""
    return getattr(record, "event", None)


def is_of_records(record: logging.LogRecord) -> bool:
    """Whether a message misses Snakemake's records of a job, which profiles have it drop: `--report` asks for all."""
    return record.getMessage().startswith("Missing metadata for file")


class Brief(logging.Filter):
    """Lets through what went wrong, and the few remarks that a person waits for, once each."""

    def __init__(self) -> None:
        super().__init__()
        self.told: set[str] = set()
        self.job_errors = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to show a message."""
        text = record.getMessage()
        if event(record) == LogEvent.JOB_ERROR:
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

    def __init__(self, full: logging.Formatter) -> None:
        super().__init__()
        self.full = full

    def format(self, record: logging.LogRecord) -> str:
        """The line for a failed job; Snakemake's own format for any other message."""
        if event(record) != LogEvent.JOB_ERROR:
            return self.full.format(record)
        said: dict[str, Any] = vars(record)
        logs = f"; its log: {', '.join(said['log'])}" if said["log"] else ""
        return f"tcpsweep: rule {said['rule_name']} failed{logs}"


class LogHandler(LogHandlerBase):
    """Snakemake's own terminal handler; once a sweep runs, it is brief and shares the terminal with the progress."""

    writes_to_stream = True
    writes_to_file = False
    has_filter = True  # the handler below has them
    has_formatter = True
    needs_rulegraph = False

    def __post_init__(self) -> None:
        """Begin as Snakemake's own handler."""
        asked = self.common_settings
        self.watch: Watch | None = None
        self.full = DefaultFormatter(asked.quiet, asked.show_failed_logs)
        self.terminal = ColorizingTextHandler(
            nocolor=asked.nocolor or "NO_COLOR" in os.environ,
            stream=sys.stdout if asked.stdout else sys.stderr,
            formatter=self.full,
            filter=DefaultFilter(asked.quiet, asked.debug_dag, asked.verbose, asked.dryrun, asked.printshellcmds),
        )
        self.terminal.addFilter(lambda record: not is_of_records(record))
        if asked.dryrun and not self._is_asked_for_jobs():
            self.terminal.addFilter(Brief())  # the plan names the cells, of which jobs are only bundles

    def _is_asked_for_jobs(self) -> bool:
        asked = self.common_settings
        return bool(asked.verbose or asked.printshellcmds or asked.debug_dag)

    def emit(self, record: logging.LogRecord) -> None:
        """Show a message; note from it which step runs."""
        if self.watch and event(record) == LogEvent.JOB_INFO:
            self.watch.step = STEPS.get(vars(record)["rule_name"])
        self.terminal.handle(record)

    def follow(self, plan: Plan, slots: int) -> None:
        """Be brief from now on, and prepare to show the progress of a plan whose cells run ``slots`` at a time."""
        if sys.stderr is None:  # closed
            return
        from tcpsweep.command_line.terminal.watch import Watch

        asked = self.common_settings
        self.watch = Watch(plan, slots, sys.stderr)
        self.terminal.setStream(self.watch)
        if not self._is_asked_for_jobs():
            self.terminal.addFilter(Brief())
            if not asked.show_failed_logs:
                self.terminal.setFormatter(BriefErrors(self.full))

    def begin(self) -> None:
        """Show the progress, unless Snakemake was told not to."""
        from snakemake.settings.enums import Quietness

        if self.watch and not {Quietness.PROGRESS, Quietness.ALL} & set(self.common_settings.quiet or ()):
            self.watch.start()

    def end(self) -> None:
        """Show no more progress."""
        if self.watch:
            self.watch.stop()
