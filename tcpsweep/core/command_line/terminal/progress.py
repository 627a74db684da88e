# SPDX-License-Identifier: MIT
"""A run's progress: its cells by state, the time left, and both in words.

Only the results' folders determine the state, so it is the same wherever the cells run.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from pathlib import Path

from tcpsweep.core.plan import expected_costs
from tcpsweep.core.store import layout
from tcpsweep.core.sweep.cost import Kind
from tcpsweep.core.words import rounding

# The planned pace weighs as much as this many CPU seconds of finished cells, because looks see their ends late.
PRIOR_SECONDS = 2
# A late cell is expected to take longer still, by this share of its lateness so far.
OVERDUE = 0.1
SAMPLE = 100  # the finished cells of a kind whose CPU time is read


@dataclass(frozen=True)
class Seen:
    """The ids of the cells in each state, from one look at the store."""

    done: frozenset[str] = frozenset()
    running: frozenset[str] = frozenset()
    failed: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Progress:
    """A run's cells so far; times are in seconds on any clock that only goes forward."""

    seconds: Mapping[str, float]  # the cells at the run's beginning, each with its expected CPU time
    cores: int
    done: frozenset[str] = frozenset()
    failed: frozenset[str] = frozenset()
    since: dict[str, float] = field(
        default_factory=dict
    )  # the running cells, with the time at which they were first seen
    busy_s: float = 0.0  # the time that cores have spent on cells since the first one began
    at: float | None = None  # the last look; None before the first of the remaining cells began
    slower: float = 1.0  # the time that a CPU second takes by the plan, because of other programs
    compiling_s: float = 0.0  # the expected time until a cell can begin
    after_s: float = 0.0  # the expected time from the last cell's end to the run's
    ended: float | None = None  # the first look that found all cells ended; None before that
    first: float | None = None  # the first look
    waited_s: float = 0.0  # how long the run had waited for its first cell at the last look
    kinds: Mapping[str, Kind] = field(default_factory=dict)  # the kinds of the cells to simulate
    planned: Mapping[str, float] = field(default_factory=dict)  # the expected CPU times before any cell was read
    taken: Mapping[str, float] = field(default_factory=dict)  # the CPU times of finished cells that were read

    @property
    def waiting(self) -> Set[str]:
        """The cells that are still waiting."""
        return self.seconds.keys() - self.done - self.failed - self.since.keys()

    @property
    def share(self) -> float:
        """The share of the expected CPU time whose cells have ended."""
        ended = sum(self.seconds[cell] for cell in self.done | self.failed)
        return ended / (sum(self.seconds.values()) or 1)


def look(results: Mapping[str, Iterable[Path]], parser: str, old_failures: Mapping[str, int]) -> Seen:
    """Find the cells that are done, running or failed.

    ``results`` maps each cell to the folders of its results. ``old_failures``, from `failures` when the run began, are
    logs from earlier runs.
    """
    done: set[str] = set()
    running: set[str] = set()
    for name in layout.names_in(layout.RAW):
        # A cell is simulated in a scratch folder, .cell.host.process.
        if name.startswith(".") and (cell := name[1:].rsplit(".", 2)[0]) in results:
            running.add(cell)
    for cell in results.keys() & layout.names_in(layout.CELLS):
        inside = layout.names_in(layout.CELLS / cell)
        if parser in inside and all(folder.is_dir() for folder in results[cell]):
            done.add(cell)
        elif any(name.startswith(".") for name in inside):
            running.add(cell)
    logs = failures(results.keys() - done)
    failed = {cell for cell, time in logs.items() if old_failures.get(cell) != time}
    return Seen(frozenset(done), frozenset(running - done - failed), frozenset(failed))


def failures(cells: Set[str]) -> dict[str, int]:
    """The cells with a failure log, each with the log's time in ns."""
    times = {}
    for cell in cells & set(layout.names_in(layout.FAILED)):
        try:
            times[cell] = (layout.FAILED / cell / "log.txt").stat().st_mtime_ns
        except OSError:
            continue  # not written yet, or removed because the cell succeeded
    return times


def advanced(progress: Progress, seen: Seen, now: float) -> Progress:
    """The progress after another look at the time ``now``, in seconds on any clock that only goes forward."""
    done = progress.done | seen.done
    failed = (progress.failed | seen.failed) - done
    running = seen.running - done - failed
    since = {cell: progress.since.get(cell, now) for cell in running}
    begun = bool(done or failed or running) or not progress.seconds
    busy_s = progress.busy_s
    if progress.at is not None:
        busy_s += (now - progress.at) * _slots(progress)
    first = now if progress.first is None else progress.first
    ended = progress.ended
    if ended is None and len(done) + len(failed) == len(progress.seconds):
        ended = now
    seen_so_far = replace(
        progress, done=done, failed=failed, since=since, busy_s=busy_s, at=now if begun else None, ended=ended
    )
    return replace(seen_so_far, first=first, waited_s=progress.waited_s if begun else now - first)


def learnt(progress: Progress, parser: str, ended: Iterable[str]) -> Progress:
    """The progress with the CPU times that cells took, for themselves and for the remaining cells of their kind.

    ``ended`` are cells that have ended since the last time, and ``parser`` names their Parquet.
    """
    read = Counter(progress.kinds[cell] for cell in progress.taken)
    taken = dict(progress.taken)
    for cell, kind in ((cell, progress.kinds[cell]) for cell in sorted(ended) if cell in progress.kinds):
        cost = expected_costs.read(layout.parquet(cell, parser)) if read[kind] < SAMPLE else None
        if cost:
            taken[cell] = cost.taken.seconds
            read[kind] += 1
    if len(taken) == len(progress.taken):
        return progress
    planned = progress.planned or progress.seconds
    ratio = expected_costs.ratios((progress.kinds[cell], planned[cell], seconds) for cell, seconds in taken.items())
    seconds = {cell: planned_s * ratio(progress.kinds.get(cell, ())) for cell, planned_s in planned.items()} | taken
    return replace(progress, seconds=seconds, planned=planned, taken=taken)


def _slots(progress: Progress) -> int:
    """The number of cells that run at a time: the number of cores, or more if other machines run some."""
    running = len(progress.since)
    return max(running, min(progress.cores, running + len(progress.waiting)))


def time_left(progress: Progress) -> float:
    """The seconds until the run ends, from the last look.

    Compiling precedes the first cell; the rules for tables and pages follow the last. The finished cells' times scale
    the expected times. The cores share the remaining cells, but a cell runs on one core, so the time is at least the
    longest cell's.
    """
    ages = {cell: (progress.at or 0.0) - since for cell, since in progress.since.items()}
    expected = sum(progress.seconds[cell] for cell in progress.done)
    spent_s = max(0.0, progress.busy_s - sum(ages.values()))
    pace = (spent_s + progress.slower * PRIOR_SECONDS) / (expected + PRIOR_SECONDS)
    left = [pace * progress.seconds[cell] - age for cell, age in ages.items()]
    left = [max(seconds, -OVERDUE * seconds) for seconds in left]
    left += [pace * progress.seconds[cell] for cell in progress.waiting]
    compiling_s = progress.compiling_s - progress.waited_s if progress.at is None and progress.compiling_s else 0.0
    cells_s = max(sum(left) / _slots(progress), max(left)) if left else 0.0
    after_s = progress.after_s - ((progress.at or 0.0) - progress.ended if progress.ended is not None else 0.0)
    return max(compiling_s, -OVERDUE * compiling_s) + cells_s + max(after_s, -OVERDUE * after_s)


def in_one_line(progress: Progress, name: str, total: int, step: str | None = None, width: int | None = None) -> str:
    """The progress in one line, for a sweep of ``total`` cells, including cells finished earlier.

    While no cell runs, the line shows the running rule. Parts are left out until the line fits ``width`` characters.
    """
    done = total - len(progress.seconds) + len(progress.done)
    running, failed = len(progress.since), len(progress.failed)
    failed_words = [f"{failed} failed"] * bool(failed)
    counts = [f"{running} running"] * bool(running) + failed_words
    ended = len(progress.done) + len(progress.failed) == len(progress.seconds)
    is_over = ended and not progress.after_s
    left = [] if is_over else [f"about {rounding.time_text(max(1, time_left(progress)))} left"]
    steps = [step] if step and not running else []
    long, short = f"{done}/{total} simulations", f"{done}/{total}"
    texts = [
        f"{name}: {' · '.join([long, *counts, *steps, *left])}",
        " · ".join([long, *counts, *steps, *left]),
        " · ".join([short, *counts, *steps, *left]),
        " · ".join([short, *failed_words, *left]),
        short,
    ]
    return next((text for text in texts if width is None or len(text) <= width), short[: max(width or 0, 0)])
