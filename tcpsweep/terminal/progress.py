# SPDX-License-Identifier: MIT
"""How far a run is: its cells by their state, the time that is left, and both in words.

The state is read from the folders of `store` alone, so it is the same wherever the cells run.
"""

from dataclasses import dataclass, field, replace

from tcpsweep.store import layout
from tcpsweep.words import units

# Estimates count as much as this many core-seconds of cells that have ended: the first cells say little about the pace.
PRIOR_SECONDS = 10
# A cell that takes longer than expected is expected to take this much of what it is late more.
OVERDUE = 0.1


@dataclass(frozen=True)
class Seen:
    """The cells, by id, that a look at the store found in each state."""

    done: frozenset = frozenset()
    running: frozenset = frozenset()
    failed: frozenset = frozenset()


@dataclass(frozen=True)
class Progress:
    """A run's cells so far.

    ``seconds`` maps the cells that the run began with to the CPU time that each was expected to take. ``since`` maps
    those that run to when they were first seen to. ``busy_s`` is the time that cores have spent on cells since the
    first of them began, and ``at`` the time of the last look; None before a cell began.
    """

    seconds: dict
    cores: int
    done: frozenset = frozenset()
    failed: frozenset = frozenset()
    since: dict = field(default_factory=dict)
    busy_s: float = 0.0
    at: float | None = None

    @property
    def waiting(self):
        """The cells that have not begun."""
        return self.seconds.keys() - self.done - self.failed - self.since.keys()

    @property
    def share(self):
        """The share of the expected CPU time whose cells have ended."""
        ended = sum(self.seconds[cell] for cell in self.done | self.failed)
        return ended / (sum(self.seconds.values()) or 1)


def look(results, parser, old_failures):
    """Which of the cells are done, running or failed.

    ``results`` maps the cells to the folders that each leaves when it is done. What is read are the folders' lists, and
    what is inside of the folders of cells whose Parquet is being made; a failure is
    the log of one, unless it is in ``old_failures`` as `failures` gave them when the run began.

    Returns
    -------
    Seen
    """
    done, running = set(), set()
    for name in layout.listed(layout.RAW):
        # A cell is simulated in a scratch folder, .cell.host.process.
        if name.startswith(".") and (cell := name[1:].rsplit(".", 2)[0]) in results:
            running.add(cell)
    for cell in results.keys() & layout.listed(layout.CELLS):
        inside = layout.listed(layout.CELLS / cell)
        if parser in inside and all(folder.is_dir() for folder in results[cell]):
            done.add(cell)
        elif any(name.startswith(".") for name in inside):
            running.add(cell)
    failed = failures(results.keys() - done)
    failed = {cell for cell, time in failed.items() if old_failures.get(cell) != time}
    return Seen(frozenset(done), frozenset(running - done - failed), frozenset(failed))


def failures(cells):
    """The cells that have a log of a failure, each with the time of its log in ns."""
    times = {}
    for cell in cells & set(layout.listed(layout.FAILED)):
        try:
            times[cell] = (layout.FAILED / cell / "log.txt").stat().st_mtime_ns
        except OSError:
            continue  # about to be written, or removed as the cell has succeeded
    return times


def advanced(progress, seen, now):
    """The progress after another look at a time in seconds, on any clock that only goes forward."""
    done = progress.done | seen.done
    failed = (progress.failed | seen.failed) - done
    running = seen.running - done - failed
    since = {cell: progress.since.get(cell, now) for cell in running}
    begun = bool(done or failed or running)
    busy_s = progress.busy_s
    if progress.at is not None:
        busy_s += (now - progress.at) * _slots(progress)
    return replace(progress, done=done, failed=failed, since=since, busy_s=busy_s, at=now if begun else None)


def _slots(progress):
    """How many cells run at a time: as many as there are cores for, or more if another machine has them."""
    running = len(progress.since)
    return max(running, min(progress.cores, running + len(progress.waiting)))


def time_left(progress):
    """The seconds until the last cell ends, as of the last look.

    What cells were expected to take is corrected by what those that are done took. The cores share what is left, but
    no cell is shared: the longest one is the least that it takes.
    """
    ages = {cell: progress.at - since for cell, since in progress.since.items()}
    expected = sum(progress.seconds[cell] for cell in progress.done)
    pace = (max(0.0, progress.busy_s - sum(ages.values())) + PRIOR_SECONDS) / (expected + PRIOR_SECONDS)
    left = [pace * progress.seconds[cell] - age for cell, age in ages.items()]
    left = [max(seconds, -OVERDUE * seconds) for seconds in left]
    left += [pace * progress.seconds[cell] for cell in progress.waiting]
    return max(sum(left) / _slots(progress), max(left)) if left else 0.0


def line(progress, name, total, step=None, width=None):
    """The progress in one line.

    Parameters
    ----------
    progress : Progress
    name : str
        The sweep's name.
    total : int
        The sweep's cells, with those that were finished before.
    step : str, optional
        What is done while no cell runs.
    width : int, optional
        The most characters; parts are left out to fit.
    """
    done = total - len(progress.seconds) + len(progress.done)
    running, failed = len(progress.since), len(progress.failed)
    failures = [f"{failed} failed"] * bool(failed)
    counts = [f"{running} running"] * bool(running) + failures
    ended = len(progress.done) + len(progress.failed) == len(progress.seconds)
    left = [] if ended else [f"about {units.time_text(max(1, time_left(progress)))} left"]
    step = [step] if step and not running else []
    long, short = f"{done} of {total} cells done", f"{done}/{total}"
    fitting = [
        f"{name}: {', '.join([long, *counts, *step, *left])}",
        ", ".join([long, *counts, *step, *left]),
        ", ".join([short, *counts, *step, *left]),
        ", ".join([short, *failures, *left]),
        short,
    ]
    return next((text for text in fitting if width is None or len(text) <= width), short[: max(width or 0, 0)])
