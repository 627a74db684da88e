# SPDX-License-Identifier: MIT
"""A run's progress: a line with a bar on a terminal, or a line a minute in a log.

A thread looks at the results' folders and writes. Other writers to the same stream use `Watch.write`, which clears the
line first.
"""

from __future__ import annotations

import atexit
import os
import threading
import time
from collections.abc import Collection
from typing import TYPE_CHECKING, TextIO

from tcpsweep.core.command_line.terminal import progress
from tcpsweep.core.plan.plan_record import Plan
from tcpsweep.core.store import layout

if TYPE_CHECKING:
    from rich.console import Console

LEAST_PAUSE_S = 1
MOST_LOAD = 0.05  # the largest share of a core for looking, with any number of cells
BETWEEN_S = 60  # between lines of a log
MOST_NAMED = 5
_BAR = 10  # columns of the bar


def is_live(stream: TextIO) -> bool:
    """Whether a stream is a terminal that can redraw a line."""
    return stream.isatty() and os.environ.get("TERM", "dumb") not in ("", "dumb")


def log_line(text: str) -> str:
    """A line of a log, with the time of day."""
    return f"{time.strftime('%H:%M')} {text}"


def named(new: Collection[str], already: int) -> str:
    """Lines that name newly failed cells, up to `MOST_NAMED` in all; ``already`` failed before."""
    room = max(0, MOST_NAMED - already)
    lines = [f"tcpsweep: {cell} failed; its log: {layout.FAILED / cell / 'log.txt'}" for cell in sorted(new)[:room]]
    if already <= MOST_NAMED < already + len(new):
        lines.append(f"tcpsweep: more simulations failed; their logs are in {layout.FAILED}/ too")
    return "".join(f"{line}\n" for line in lines)


def _console(stream: TextIO) -> Console | None:
    """The console of a terminal that can redraw a line; None for other streams."""
    if not is_live(stream):
        return None
    from rich.console import Console

    return Console(file=stream)


class Watch:
    """Follows a plan's cells from `start` to `stop`, ``cores`` at a time, on a stream that it shares with others."""

    def __init__(self, plan: Plan, cores: int, stream: TextIO) -> None:
        self.step: str | None = None
        self._plan = plan
        self._stream = stream
        self._terminal = _console(stream)
        self._drawn = False
        self._progress = progress.Progress(
            plan.seconds,
            cores,
            slower=plan.slower,
            compiling_s=plan.compiling_s,
            after_s=plan.after_s,
            kinds=plan.kinds,
        )
        self._results = plan.results()
        self._total = len({cell.id for cell in plan.cells})
        self._lock = threading.RLock()  # a signal handler may write while its own thread is writing
        self._midway = False
        self._old_failures: dict[str, int] = {}
        self._notes = ""
        self._last_s = 0.0  # when the log got its last line
        self._ended = threading.Event()
        # As a daemon, it does not keep the process alive.
        self._thread = threading.Thread(target=self._follow, name="tcpsweep-watch", daemon=True)

    def start(self) -> None:
        """Begin to follow."""
        if not self._thread.ident:
            self._old_failures = progress.failures(self._plan.seconds.keys())
            atexit.register(self.stop)
            self._thread.start()

    def stop(self) -> None:
        """Clear the line and follow no more; may be called again."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(timeout=1)  # takes longer only if a file system does not answer
        with self._lock:
            self._clear()

    def write(self, text: str) -> None:
        """Write to the stream after clearing the line."""
        with self._lock:
            self._clear()
            self._stream.write(text)
            self._midway = not text.endswith("\n")

    def flush(self) -> None:
        """Flush the stream."""
        self._stream.flush()

    def isatty(self) -> bool:
        """Whether the stream is a terminal."""
        return self._stream.isatty()

    def _follow(self) -> None:
        try:
            start, pause = time.monotonic(), 0.0
            while not self._ended.wait(pause):
                now = time.monotonic()
                self._look(now)
                self._show(now - start)
                pause = max(LEAST_PAUSE_S, (time.monotonic() - now) / MOST_LOAD)
        except Exception as error:  # the run continues without a display
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        try:
            self.write(f"tcpsweep: no more progress is shown ({type(error).__name__}: {error})\n")
        except Exception:
            self._ended.set()  # nobody is left to tell

    def _look(self, now: float) -> None:
        before = self._progress
        unfinished = {cell: self._results[cell] for cell in before.seconds.keys() - before.done}
        seen = progress.look(unfinished, self._plan.parser, self._old_failures)
        self._progress = progress.learnt(progress.advanced(before, seen, now), self._plan.parser, seen.done)
        self._notes += named(self._progress.failed - before.failed, len(before.failed))

    def _show(self, elapsed: float) -> None:
        with self._lock:
            if self._ended.is_set() or self._midway:
                return
            if self._notes:
                self.write(self._notes)
                self._notes = ""
            if self._terminal:
                self._clear()
                self._draw(self._terminal)
            elif elapsed - self._last_s >= BETWEEN_S:
                self.write(f"tcpsweep: {log_line(self._line())}\n")
                self.flush()
                self._last_s = elapsed

    def _line(self, width: int | None = None) -> str:
        return progress.in_one_line(self._progress, self._plan.sweep.name, self._total, self.step, width)

    def _draw(self, terminal: Console) -> None:
        """Draw the line. The cursor stays visible, because a killed process could not show it again."""
        from rich.progress_bar import ProgressBar
        from rich.text import Text

        # Some terminals begin a new line at a character in the last column.
        line = Text(self._line(terminal.width - _BAR - 2) + " ", end="")
        terminal.print(line, ProgressBar(1, self._progress.share, _BAR), sep="", end="")
        self._drawn = True

    def _clear(self) -> None:
        """Clear the line."""
        if self._terminal and self._drawn:
            from rich.control import Control
            from rich.segment import ControlType

            self._terminal.control(Control(ControlType.CARRIAGE_RETURN, (ControlType.ERASE_IN_LINE, 2)))
            self._drawn = False
