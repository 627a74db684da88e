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
from tcpsweep.core.sweep.job_plan import PlannedCell
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
        self._record_stamp: tuple[int, ...] | None = None
        self._sweep: PlannedSweep | None = None
        self._results: EarlyResults | None = None
        self._unfinished: dict[str, list[Path]] = {}
        self._done: set[str] = set()
        self._progress: progress.Progress | None = None
        self._job_files: tuple[tuple[str, int], ...] = ()
        self._planned_cells: dict[str, PlannedCell] = {}
        self._run_id: tuple[int, str, int] | None = None
        self._changed = 0.0
        self._counts: tuple[int, int, int] | None = None

    def look(self) -> Seen:
        """The current state."""
        holder = _holder(self.name)
        problem = self._read_record()
        now_s = time.time()
        here = str(Path.cwd())
        if self._sweep is None:
            is_planned = (layout.SWEEPS / self.name / sweep_record.FILE).exists()
            state = "unreadable" if is_planned else "planned" if holder and holder.works else "missing"
            return Seen(self.name, here, state, now_s, why=problem, holder=holder)
        sweep = self._sweep
        self._read_jobs(holder)
        is_running = holder.works if holder else False
        began_ns = holder.since if holder and is_running else 0  # older failure logs belong to an earlier run
        old_failures = {
            cell: failed_ns
            for cell, failed_ns in progress.failures(self._unfinished.keys()).items()
            if failed_ns < began_ns
        }
        seen = progress.look(self._unfinished, sweep.parser, old_failures)
        self._done |= seen.done
        for cell in seen.done:
            self._unfinished.pop(cell, None)
        done, failed, running = len(self._done), len(seen.failed), len(seen.running)
        total = done + len(self._unfinished)
        if self._results:
            self._results.add(run for run in sweep.cells if run.cell in self._done)
        counts = (done, running, failed)
        if counts != self._counts:
            self._changed, self._counts = (now_s if self._counts else self._written_s()), counts
        self._changed = max(self._changed, self._written_s())
        silent_s = max(0.0, now_s - self._changed) if self._changed else None
        report = layout.REPORTS / f"{self.name}.html"
        return Seen(
            name=self.name,
            folder=here,
            state=self._state(is_running, total, done, failed),
            at=now_s,
            title=sweep.title,
            why=problem,
            total=total,
            done=done,
            running=running if is_running is not False else 0,
            failed=failed,
            seconds_left=self._seconds_left(seen, is_running),
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
            status = path.stat()
            stamp = (status.st_mtime_ns, status.st_ino, status.st_size)
            if stamp == self._record_stamp:
                return ""
            read = sweep_record.read(path.parent)
        except OSError as error:
            return f"{path}: {error.strerror}"
        except sweep_record.Unreadable as error:
            return str(error)
        self._record_stamp = stamp
        cell_ids = {run.cell for run in read.cells}
        places: dict[str, list[Path]] = {cell: [] for cell in cell_ids}
        for run in read.cells:
            places[run.cell].append(read.measured(run))
        former_results = self._results
        is_same = self._sweep is not None and (read.parser, read.measures) == (self._sweep.parser, self._sweep.measures)
        self._sweep = read
        self._done = self._done & cell_ids if is_same else set()
        self._unfinished = {cell: measured for cell, measured in places.items() if cell not in self._done}
        if not (former_results and is_same and former_results.sweep.combinations == read.combinations):
            self._results = EarlyResults(read)
        elif self._results:
            self._results.sweep = read
        self._progress = None
        return ""

    def _read_jobs(self, holder: _Holder | None) -> None:
        """Read the expected times of the run's cells, from its job files, if these or the run have changed."""
        folder = layout.SWEEPS / self.name / layout.JOBS
        job_files = []
        for kind in ("simulate", "parse", "measure"):
            for path in (folder / kind / name for name in layout.names_in(folder / kind) if name.endswith(".json")):
                try:
                    job_files.append((str(path), path.stat().st_mtime_ns))
                except OSError:
                    continue
        sorted_job_files = tuple(sorted(job_files))
        running = (holder.process, holder.host, holder.since) if holder else None
        if (sorted_job_files, running) == (self._job_files, self._run_id):
            return
        self._job_files, self._run_id, self._progress = sorted_job_files, running, None
        self._planned_cells = {}
        for name, _ in sorted_job_files:
            try:
                self._planned_cells |= {cell.id: cell for cell in job_plan.read(name).cells}
            except (OSError, msgspec.MsgspecError, ValueError, RecursionError):
                continue  # removed meanwhile or damaged; the estimate leaves it out

    def _state(self, is_running: bool | None, total: int, done: int, failed: int) -> str:
        """The field `Seen.state` of a planned sweep; ``is_running`` is None if that is unknown."""
        if is_running is None:
            return "finished" if done == total and self._is_complete() else "unknown"
        if is_running:
            return "ending" if done + failed == total else "running"
        return "finished" if done == total and self._is_complete() else "stopped"

    def _is_complete(self) -> bool:
        """Whether the last rule has ended since the sweep was planned."""
        folder = layout.SWEEPS / self.name
        try:
            return (folder / layout.COMPLETE).stat().st_mtime_ns >= (folder / sweep_record.FILE).stat().st_mtime_ns
        except OSError:
            return False

    def _seconds_left(self, seen: progress.Seen, is_running: bool | None) -> float | None:
        """The time until the run ends, from the cells remaining at the first look."""
        if is_running is False or not self._planned_cells:
            return None
        assert self._sweep is not None
        before = self._progress or self._first_progress(seen)
        now = time.monotonic()
        states = (frozenset(state & before.seconds.keys()) for state in (seen.done, seen.running, seen.failed))
        counted = progress.Seen(*states)
        ended = counted.done - before.done
        self._progress = progress.learnt(progress.advanced(before, counted, now), self._sweep.parser, ended)
        if not self._progress.seconds:
            return None
        return progress.time_left(self._progress)

    def _first_progress(self, seen: progress.Seen) -> progress.Progress:
        """A run's progress at its first look, with its remaining cells, and the time of the rules after them."""
        assert self._sweep is not None
        # Nobody saw how long the finished ones took, so they say nothing about the pace, unless all have ended.
        cells = [self._planned_cells[cell] for cell in self._unfinished or seen.done if cell in self._planned_cells]
        is_here = bool(self._run_id and self._run_id[1] == socket.gethostname())
        cores = max(1, len(seen.running), len(os.sched_getaffinity(0)) if is_here else 1)
        step_seconds = state_files.read(layout.SWEEPS / self.name / "logs" / step_costs.EXPECTED, dict[str, float])
        cell_count = len(self._unfinished) + len(self._done)
        after_s = step_costs.together_s(step_seconds, cell_count, cores) if step_seconds else 0.0
        kinds = {cell.id: cell.kind for cell in cells}
        return progress.Progress({cell.id: cell.seconds for cell in cells}, cores, after_s=after_s, kinds=kinds)

    def _written_s(self) -> float:
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
    lock = layout.SWEEPS / sweep / layout.SWEEP_LOCK
    try:
        match, status = (_HOLDER.search(lock.read_text(encoding="utf-8", errors="replace").strip()), lock.stat())
    except OSError:
        return None
    if not match:
        return None
    process, host = int(match[1]), match[2]
    is_running = _is_locked(status.st_ino, process) if host == socket.gethostname() else None
    return _Holder(process, host, status.st_mtime_ns, is_running)


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
