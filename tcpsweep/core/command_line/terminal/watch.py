# SPDX-License-Identifier: MIT
"""A run's progress: one line that is updated on a terminal, or occasional lines in a log.

A thread looks at the results' folders and writes. Other writers to the same stream use `Watch.write`, which clears the
line first.
"""

import atexit
import os
import threading
import time
from collections.abc import Collection
from typing import TextIO

from tcpsweep.core.command_line.terminal import progress
from tcpsweep.core.plan.plan_record import Plan
from tcpsweep.core.store import layout

LEAST_PAUSE_S = 1
MOST_LOAD = 0.05  # the largest share of a core for looking, with any number of cells
LEAST_BETWEEN_S, MOST_BETWEEN_S = 10, 30  # between lines of a log
MOST_NAMED = 5
_CLEAR = "\r\x1b[K"


def is_live(stream: TextIO) -> bool:
    """Whether a stream is a terminal that can clear a line."""
    return stream.isatty() and os.environ.get("TERM", "dumb") not in ("", "dumb")


def due(now: float, share: float, last: float, last_share: float) -> bool:
    """Whether a log gets its next line.

    It gets one for each tenth of the work, and some in between, less often as hours pass. Times are in seconds since
    the start. ``last`` and ``last_share`` belong to the last line; they are 0 before the first line, so that a run of
    some seconds has none.
    """
    if now - last < LEAST_BETWEEN_S:
        return False
    return int(10 * share) > int(10 * last_share) or now - last >= max(MOST_BETWEEN_S, now / 20)


def named(new: Collection[str], already: int) -> str:
    """Lines that name newly failed cells, up to `MOST_NAMED` in all; ``already`` failed before."""
    room = max(0, MOST_NAMED - already)
    lines = [f"tcpsweep: {cell} failed; its log: {layout.FAILED / cell / 'log.txt'}" for cell in sorted(new)[:room]]
    if already <= MOST_NAMED < already + len(new):
        lines.append(f"tcpsweep: more simulations failed; their logs are in {layout.FAILED}/ too")
    return "".join(f"{line}\n" for line in lines)


def _width(terminal: TextIO) -> int:
    """A terminal's columns without the last one, where on some terminals a character begins a new line."""
    return (os.get_terminal_size(terminal.fileno()).columns or 80) - 1  # 0 if unknown


class Watch:
    """Follows a plan's cells from `start` to `stop`, ``cores`` at a time, on a stream that it shares with others."""

    def __init__(self, plan: Plan, cores: int, stream: TextIO) -> None:
        self.step: str | None = None
        self._plan = plan
        self._stream = stream
        self._live = is_live(self._stream)
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
        self._drawn = self._midway = False
        self._old_failures: dict[str, int] = {}
        self._notes = ""
        self._last = (0.0, 0.0)
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
        share = self._progress.share
        with self._lock:
            if self._ended.is_set() or self._midway:
                return
            if self._notes:
                self.write(self._notes)
                self._notes = ""
            if self._live:
                self._stream.write(_CLEAR + self._line(_width(self._stream)))
                self._stream.flush()
                self._drawn = True
            elif due(elapsed, share, *self._last):
                self.write(f"tcpsweep: {self._line()}\n")
                self.flush()
                self._last = (elapsed, share)

    def _line(self, width: int | None = None) -> str:
        return progress.in_one_line(self._progress, self._plan.sweep.name, self._total, self.step, width)

    def _clear(self) -> None:
        if self._drawn:
            self._stream.write(_CLEAR)
            self._stream.flush()
            self._drawn = False
