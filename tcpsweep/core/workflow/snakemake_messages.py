# SPDX-License-Identifier: MIT
"""A logger plugin that chooses which of Snakemake's messages the terminal shows; profiles set ``logger: tcpsweep``.

While a sweep runs, it shows only problems. The progress and the summary show the rest, and Snakemake's log file has
everything. Options such as -p and --verbose show more. Snakemake's other output is the same as without the plugin.
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
    from tcpsweep.core.command_line.terminal.watch import Watch
    from tcpsweep.core.plan.plan_record import Plan

_STOPPED = "Terminating processes"  # after it, Snakemake reports each job that it ends as failed
# Messages to show although their level and event are the same as for messages to hide.
TOLD = ("Nothing to be done", _STOPPED, "Will exit after", "Trying to restart job")
# Warnings to hide: failed commands and failed runs are also reported with their logs. To use SLURM's default account
# is no problem.
UNTOLD = (
    "CalledProcessError in file",
    "No SLURM account given",
    "No account was given",
    "Unable to guess SLURM account",
    "Exiting because a job execution failed",
    "At least one job did not complete successfully",
)
# A full disk fails hundreds of jobs for one reason.
MOST_JOB_ERRORS = 3
STEPS = {
    "compile": "compiling",
    "decoder": "compiling",
    "summarise": "making tables",
    "report": "drawing figures, writing report",
    "pages": "writing the cells' pages",
}


def event(record: logging.LogRecord) -> LogEvent | None:
    """The event that Snakemake attaches to a message."""
    return getattr(record, "event", None)


def is_of_records(record: logging.LogRecord) -> bool:
    """Whether a message reports missing job records. Profiles turn these records off, but `--report` looks for them."""
    return record.getMessage().startswith("Missing metadata for file")


class Brief(logging.Filter):
    """Shows problems, and each of a few useful remarks once."""

    def __init__(self) -> None:
        super().__init__()
        self.told: set[str] = set()
        self.job_errors = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to show a message."""
        text = record.getMessage()
        if event(record) == LogEvent.JOB_ERROR:
            self.job_errors += 1
            return self.job_errors <= MOST_JOB_ERRORS and not any(text.startswith(_STOPPED) for text in self.told)
        if record.levelno >= logging.WARNING:
            return not any(part in text for part in UNTOLD)
        if text in self.told or not text.startswith(TOLD):
            return False
        self.told.add(text)
        return True


class BriefErrors(logging.Formatter):
    """Formats a failed job as one line with its rule and its log."""

    def __init__(self, full: logging.Formatter) -> None:
        super().__init__()
        self.full = full

    def format(self, record: logging.LogRecord) -> str:
        """One line for a failed job; Snakemake's own format for any other message."""
        if event(record) != LogEvent.JOB_ERROR:
            return self.full.format(record)
        fields: dict[str, Any] = vars(record)
        logs = f"; its log: {', '.join(fields['log'])}" if fields["log"] else ""
        return f"tcpsweep: rule {fields['rule_name']} failed{logs}"


class LogHandler(LogHandlerBase):
    """Snakemake's terminal handler. While a sweep runs, it is brief and shares the terminal with the progress."""

    writes_to_stream = True
    writes_to_file = False
    has_filter = True  # the handler below has them
    has_formatter = True
    needs_rulegraph = False

    def __post_init__(self) -> None:
        """Begin with the behaviour of Snakemake's own handler."""
        settings = self.common_settings
        self.watch: Watch | None = None
        self.full = DefaultFormatter(settings.quiet, settings.show_failed_logs)
        self.terminal = ColorizingTextHandler(
            nocolor=settings.nocolor or "NO_COLOR" in os.environ,
            stream=sys.stdout if settings.stdout else sys.stderr,
            formatter=self.full,
            filter=DefaultFilter(
                settings.quiet, settings.debug_dag, settings.verbose, settings.dryrun, settings.printshellcmds
            ),
        )
        self.terminal.addFilter(lambda record: not is_of_records(record))
        if settings.dryrun and not self._is_asked_for_jobs():
            self.terminal.addFilter(Brief())  # the plan lists the cells; jobs only bundle them

    def _is_asked_for_jobs(self) -> bool:
        settings = self.common_settings
        return bool(settings.verbose or settings.printshellcmds or settings.debug_dag)

    def emit(self, record: logging.LogRecord) -> None:
        """Show a message, and note which step runs if it says so."""
        if self.watch and event(record) == LogEvent.JOB_INFO:
            self.watch.step = STEPS.get(vars(record)["rule_name"])
        self.terminal.handle(record)

    def follow(self, plan: Plan, slots: int) -> None:
        """From now on, be brief; prepare to show the progress of a plan, with ``slots`` jobs at a time."""
        if sys.stderr is None:  # closed
            return
        from tcpsweep.core.command_line.terminal.watch import Watch

        settings = self.common_settings
        self.watch = Watch(plan, slots, sys.stderr)
        self.terminal.setStream(self.watch)
        if not self._is_asked_for_jobs():
            self.terminal.addFilter(Brief())
            if not settings.show_failed_logs:
                self.terminal.setFormatter(BriefErrors(self.full))

    def begin(self) -> None:
        """Show the progress, unless Snakemake's options forbid it."""
        from snakemake.settings.enums import Quietness

        if self.watch and not {Quietness.PROGRESS, Quietness.ALL} & set(self.common_settings.quiet or ()):
            self.watch.start()

    def end(self) -> None:
        """Stop showing the progress."""
        if self.watch:
            self.watch.stop()
