# SPDX-License-Identifier: MIT
"""A sweep's state from its files, look after look: cells by state, failures, time left, results.

Its lock's file says whether it is running. The lock itself is never taken.
"""

from __future__ import annotations

import os
import re
import socket
import time
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from tcpsweep.core.command_line.terminal import progress
from tcpsweep.core.plan import step_costs
from tcpsweep.core.store import layout, state_files
from tcpsweep.core.sweep import failures, job_plan, sweep_record
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.features.watch.early_results import EarlyResults, Row

MOST_FAILURES, LOG_LINES = 5, 8
SILENT_S = 600  # after this time without a change, a run elsewhere may have ended

_HOLDER = re.compile(r"process ([0-9]+) on (\S+)$")
_LOCKS = Path("/proc/locks")


@dataclass(frozen=True)
class Seen:
    """A look at a sweep.

    In the state "ending", all cells have ended and later rules run. In "unknown", a run on another machine may be
    running or may have been killed.
    """

    name: str
    folder: str  # the folder of ``results/``
    state: str  # missing, unreadable, planned, running, ending, stopped, finished or unknown
    at: float  # seconds since 1970
    title: str = ""
    why: str = ""  # unreadable or unusual things, in words
    total: int = 0  # in cells, like the next three
    done: int = 0
    running: int = 0
    failed: int = 0
    seconds_left: float | None = None  # until the run ends; None if nothing runs, or if unknown
    silent_s: float | None = None  # time since the last visible change
    holder: _Holder | None = None
    failures: list[tuple[str, tuple[str, ...]]] = field(
        default_factory=list
    )  # the first failures, with the ends of their logs
    names: list[str] = field(default_factory=list)  # the metrics of the rows
    rows: list[Row] = field(default_factory=list)
    damaged: int = 0  # finished cells with damaged files
    report: str = ""  # its path, if there is one

    @property
    def is_over(self) -> bool:
        """Whether the state will not change any more."""
        return self.state == "finished"


class Watcher:
    """Looks at a sweep in ``results/sweeps`` repeatedly, without reading finished results twice."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._stamp: tuple[int, ...] | None = None
        self._sweep: PlannedSweep | None = None
        self._results: EarlyResults | None = None
        self._left: dict[str, list[Path]] = {}
        self._done: set[str] = set()
        self._progress: progress.Progress | None = None
        self._jobs: tuple[tuple[str, int], ...] = ()
        self._seconds: dict[str, float] = {}
        self._run: tuple[int, str, int] | None = None
        self._changed = 0.0
        self._last: tuple[int, int, int] | None = None

    def look(self) -> Seen:
        """The current state."""
        holder = _holder(self.name)
        why = self._read_record()
        at = time.time()
        place = str(Path.cwd())
        if self._sweep is None:
            is_there = (layout.SWEEPS / self.name / sweep_record.FILE).exists()
            state = "unreadable" if is_there else "planned" if holder and holder.works else "missing"
            return Seen(self.name, place, state, at, why=why, holder=holder)
        sweep = self._sweep
        self._read_jobs(holder)
        works = holder.works if holder else False
        began = holder.since if holder and works else 0  # older failure logs belong to an earlier run
        old = {cell: at for cell, at in progress.failures(self._left.keys()).items() if at < began}
        seen = progress.look(self._left, sweep.parser, old)
        self._done |= seen.done
        for cell in seen.done:
            self._left.pop(cell, None)
        done, failed, running = len(self._done), len(seen.failed), len(seen.running)
        total = done + len(self._left)
        if self._results:
            self._results.add(run for run in sweep.cells if run.cell in self._done)
        sign = (done, running, failed)
        if sign != self._last:
            self._changed, self._last = (at if self._last else self._sign_of_life()), sign
        self._changed = max(self._changed, self._sign_of_life())
        silent_s = max(0.0, at - self._changed) if self._changed else None
        report = layout.REPORTS / f"{self.name}.html"
        return Seen(
            name=self.name,
            folder=place,
            state=self._state(works, total, done, failed),
            at=at,
            title=sweep.title,
            why=why,
            total=total,
            done=done,
            running=running if works is not False else 0,
            failed=failed,
            seconds_left=self._seconds_left(seen, works),
            silent_s=silent_s,
            holder=holder,
            failures=[
                (cell, failures.last_lines(layout.FAILED / cell / "log.txt", LOG_LINES))
                for cell in sorted(seen.failed)[:MOST_FAILURES]
            ],
            names=self._results.names if self._results else [],
            rows=self._results.rows() if self._results else [],
            damaged=len(self._results.damaged) if self._results else 0,
            report=str(report) if report.is_file() else "",
        )

    def _read_record(self) -> str:
        """Read the sweep's record if it has changed; return why that failed, in words."""
        path = layout.SWEEPS / self.name / sweep_record.FILE
        try:
            about = path.stat()
            stamp = (about.st_mtime_ns, about.st_ino, about.st_size)
            if stamp == self._stamp:
                return ""
            read = sweep_record.read(path.parent)
        except OSError as error:
            return f"{path}: {error.strerror}"
        except sweep_record.Unreadable as error:
            return str(error)
        self._stamp = stamp
        cells = {run.cell for run in read.cells}
        places: dict[str, list[Path]] = {cell: [] for cell in cells}
        for run in read.cells:
            places[run.cell].append(read.measured(run))
        before = self._results
        is_same = self._sweep is not None and (read.parser, read.measures) == (self._sweep.parser, self._sweep.measures)
        self._sweep = read
        self._done = self._done & cells if is_same else set()
        self._left = {cell: place for cell, place in places.items() if cell not in self._done}
        if not (before and is_same and before.sweep.combinations == read.combinations):
            self._results = EarlyResults(read)
        elif self._results:
            self._results.sweep = read
        self._progress = None
        return ""

    def _read_jobs(self, holder: _Holder | None) -> None:
        """Read the expected times of the run's cells if they have changed."""
        folder = layout.SWEEPS / self.name / layout.JOBS
        found = []
        for kind in ("simulate", "parse", "measure"):
            for path in (folder / kind / name for name in layout.names_in(folder / kind) if name.endswith(".json")):
                try:
                    found.append((str(path), path.stat().st_mtime_ns))
                except OSError:
                    continue
        jobs = tuple(sorted(found))
        run = (holder.process, holder.host, holder.since) if holder else None
        if (jobs, run) == (self._jobs, self._run):
            return
        self._jobs, self._run, self._progress = jobs, run, None
        self._seconds = {}
        for name, _ in jobs:
            try:
                self._seconds |= {cell.id: cell.seconds for cell in job_plan.read(name).cells}
            except (OSError, msgspec.MsgspecError, ValueError, RecursionError):
                continue  # removed meanwhile or damaged; the estimate leaves it out

    def _state(self, works: bool | None, total: int, done: int, failed: int) -> str:
        if works is None:
            return "finished" if done == total and self._is_complete() else "unknown"
        if works:
            return "ending" if done + failed == total else "running"
        return "finished" if done == total and self._is_complete() else "stopped"

    def _is_complete(self) -> bool:
        """Whether the last rule has ended since the sweep was planned."""
        folder = layout.SWEEPS / self.name
        try:
            return (folder / layout.COMPLETE).stat().st_mtime_ns >= (folder / sweep_record.FILE).stat().st_mtime_ns
        except OSError:
            return False

    def _seconds_left(self, seen: progress.Seen, works: bool | None) -> float | None:
        """The time until the run ends, from the cells remaining at the first look."""
        if works is False or not self._seconds:
            return None
        before = self._progress or self._begun(seen)
        now = time.monotonic()
        states = (frozenset(state & before.seconds.keys()) for state in (seen.done, seen.running, seen.failed))
        inside = progress.Seen(*states)
        self._progress = progress.advanced(before, inside, now)
        if not self._progress.seconds:
            return None
        return progress.time_left(self._progress)

    def _begun(self, seen: progress.Seen) -> progress.Progress:
        """A run's progress at the first look: its remaining cells and the rules after them."""
        assert self._sweep is not None
        # Nobody saw how long the finished ones took, so they say nothing about the pace, unless all have ended.
        known = {cell: self._seconds[cell] for cell in self._left or seen.done if cell in self._seconds}
        here = bool(self._run and self._run[1] == socket.gethostname())
        cores = max(1, len(seen.running), len(os.sched_getaffinity(0)) if here else 1)
        noted = state_files.read(layout.SWEEPS / self.name / "logs" / step_costs.EXPECTED, dict[str, float])
        after_s = 0.0
        if noted and noted.keys() >= set(step_costs.STEPS):
            after_s = step_costs.together_s(step_costs.corrected(noted), len(self._left) + len(self._done), cores)
        return progress.Progress(known, cores, after_s=after_s)

    def _sign_of_life(self) -> float:
        """When one of the sweep's cheaply checked files was last written; s since 1970, 0 if never."""
        folder = layout.SWEEPS / self.name
        newest = 0.0
        for path in (folder, folder / sweep_record.FILE, folder / layout.SWEEP_LOCK, folder / "logs", layout.REPORTS):
            try:
                newest = max(newest, path.stat().st_mtime)
            except OSError:
                continue
        return newest


@dataclass(frozen=True)
class _Holder:
    """The last run that locked a sweep: its process, its host, and its start by the file system's clock, in ns.

    ``works`` says whether it is still running; None if that is unknown, because it runs on another machine.
    """

    process: int
    host: str
    since: int
    works: bool | None


def _holder(sweep: str) -> _Holder | None:
    """The last run of a sweep; None if there was none, or if its lock cannot be read."""
    place = layout.SWEEPS / sweep / layout.SWEEP_LOCK
    try:
        found, about = _HOLDER.search(place.read_text(encoding="utf-8", errors="replace").strip()), place.stat()
    except OSError:
        return None
    if not found:
        return None
    process, host = int(found[1]), found[2]
    works = _is_locked(about.st_ino, process) if host == socket.gethostname() else None
    return _Holder(process, host, about.st_mtime_ns, works)


def _is_locked(inode: int, process: int) -> bool:
    """Whether a process on this machine has locked a file, from the kernel's list of locks."""
    try:
        lines = _LOCKS.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return Path(f"/proc/{process}").exists()
    # A line: 1: FLOCK ADVISORY WRITE 4711 08:01:1234 0 EOF. Its device numbers may differ from `stat`'s.
    for words in (line.split() for line in lines if "->" not in line):
        if len(words) >= 6 and words[3] == "WRITE" and words[5].rpartition(":")[2] == str(inode):
            return True
    return False
