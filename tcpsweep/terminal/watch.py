# SPDX-License-Identifier: MIT
"""A run's progress for the person who watches it: one line that follows it on a terminal, a line now and then in a log.

A thread looks at the store and writes; whoever writes to the same stream meanwhile does so through `Watch.write`, which
clears the line first.
"""

import atexit
import os
import threading
import time

from tcpsweep.store import layout
from tcpsweep.terminal import progress

LEAST_PAUSE_S = 1
MOST_LOAD = 0.05  # looking takes no more than this share of a core, however many cells there are
LEAST_BETWEEN_S, MOST_BETWEEN_S = 10, 30  # lines of a log
MOST_NAMED = 5
_CLEAR = "\r\x1b[K"


def is_live(stream):
    """Whether a stream is a terminal on which a line can be cleared."""
    return stream.isatty() and os.environ.get("TERM", "dumb") not in ("", "dumb")


def due(now, share, last, last_share):
    """Whether a log gets its next line.

    For each tenth of the work, and anyway from time to time, ever less often as hours pass. Times are in seconds since
    the start; the last line's are 0 before there is one, so that a run of some seconds has none.
    """
    if now - last < LEAST_BETWEEN_S:
        return False
    return int(10 * share) > int(10 * last_share) or now - last >= max(MOST_BETWEEN_S, now / 20)


def named(failed, already):
    """Lines that name cells that have just failed, as far as they are the first few of all that did."""
    room = max(0, MOST_NAMED - already)
    lines = [f"tcpsweep: {cell} failed; its log: {layout.FAILED / cell / 'log.txt'}" for cell in sorted(failed)[:room]]
    if already <= MOST_NAMED < already + len(failed):
        lines.append(f"tcpsweep: more cells failed; they are counted, and have their logs in {layout.FAILED}/ too")
    return "".join(f"{line}\n" for line in lines)


def _width(terminal):
    """The columns of a terminal as it is now, but the last: a character in that begins a new line on some terminals."""
    return (os.get_terminal_size(terminal.fileno()).columns or 80) - 1  # 0 where nobody has told it


class Watch:
    """Follows a plan's cells from `start` to `stop`, on a stream that it shares with others.

    Parameters
    ----------
    plan : plan.Plan
    cores : int
        How many cells run at a time on this machine.
    stream : text file
    """

    def __init__(self, plan, cores, stream):
        self.step = None
        self._plan = plan
        self._stream = stream
        self._live = is_live(self._stream)
        self._progress = progress.Progress(plan.seconds, cores)
        self._results = plan.results()
        self._total = len({cell.id for cell in plan.cells})
        self._lock = threading.RLock()  # a signal's handler may write while its own thread does
        self._drawn = self._midway = False
        self._old_failures = {}
        self._notes = ""
        self._last = (0.0, 0.0)
        self._ended = threading.Event()
        # It must not keep the process from ending, whatever it waits for.
        self._thread = threading.Thread(target=self._follow, name="tcpsweep-watch", daemon=True)

    def start(self):
        """Begin to follow."""
        if not self._thread.ident:
            self._old_failures = progress.failures(self._plan.seconds.keys())
            atexit.register(self.stop)
            self._thread.start()

    def stop(self):
        """Clear the line and follow no more; any number of times."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(timeout=1)  # more only if a file system does not answer
        with self._lock:
            self._clear()

    def write(self, text):
        """Write to the stream where the line is not."""
        with self._lock:
            self._clear()
            self._stream.write(text)
            self._midway = not text.endswith("\n")

    def flush(self):
        """Flush the stream."""
        self._stream.flush()

    def isatty(self):
        """Whether the stream is a terminal."""
        return self._stream.isatty()

    def _follow(self):
        try:
            start, pause = time.monotonic(), 0
            while not self._ended.wait(pause):
                now = time.monotonic()
                self._look(now)
                self._show(now - start)
                pause = max(LEAST_PAUSE_S, (time.monotonic() - now) / MOST_LOAD)
        except Exception as error:  # the run goes on without a display
            self._give_up(error)

    def _give_up(self, error):
        try:
            self.write(f"tcpsweep: no more progress is shown ({type(error).__name__}: {error})\n")
        except Exception:
            self._ended.set()  # nor is there anybody to tell

    def _look(self, now):
        before = self._progress
        left = {cell: self._results[cell] for cell in before.seconds.keys() - before.done}
        seen = progress.look(left, self._plan.parser, self._old_failures)
        self._progress = progress.advanced(before, seen, now)
        self._notes += named(self._progress.failed - before.failed, len(before.failed))

    def _show(self, elapsed):
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

    def _line(self, width=None):
        return progress.line(self._progress, self._plan.sweep.name, self._total, self.step, width)

    def _clear(self):
        if self._drawn:
            self._stream.write(_CLEAR)
            self._stream.flush()
            self._drawn = False
