# SPDX-License-Identifier: MIT
"""Several processes that take pieces of work from one queue, in its order, until it is empty.

A worker that is killed loses the piece that it was at; another takes its place. No worker outlives the process that
started it.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import select
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_NUMBER = 8  # the bytes of a number in the queue's file


def die_with_parent(parent: int) -> None:
    """Let this process be killed when its parent ends, however that ends; ``parent`` is its process id."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before
        os._exit(1)


@dataclass(frozen=True)
class Going:
    """Until when work is taken: until a file appears, or until a process ends, each if it is given."""

    stop: Path | None = None
    pidfd: int | None = None

    @classmethod
    def of(cls, stop: Path | None = None, process: int | None = None) -> Going:
        """As long as there is no file ``stop``, and a process with that id."""
        try:
            return cls(stop, None if process is None else os.pidfd_open(process))
        except ProcessLookupError:
            return cls(Path("/"))
        except OSError:  # a kernel before 5.3
            return cls(stop)

    def __bool__(self) -> bool:
        """Whether to take more."""
        if self.stop is not None and self.stop.exists():
            return False
        return self.pidfd is None or not select.select([self.pidfd], [], [], 0)[0]


class _Queue:
    """The numbers from 0 up to a count, each taken once, by processes that share this object from their fork on.

    A file in memory holds the next number, and what each worker took last. A lock on it ends with the process that has
    it.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._file = os.memfd_create("tcpsweep-queue")

    def take(self, worker: int) -> int | None:
        """The next number, or None if all are taken."""
        fcntl.lockf(self._file, fcntl.LOCK_EX)
        try:
            number = self._read(0)
            if number >= self._count:
                return None
            self._write(0, number + 1)
            self._write(1 + worker, number + 1)
            return number
        finally:
            fcntl.lockf(self._file, fcntl.LOCK_UN)

    def taken(self, worker: int) -> int | None:
        """What a worker took last, None if nothing."""
        return self._read(1 + worker) - 1 if self._read(1 + worker) else None

    def has_more(self) -> bool:
        """Whether a number is left."""
        return self._read(0) < self._count

    def _read(self, place: int) -> int:
        return int.from_bytes(os.pread(self._file, _NUMBER, place * _NUMBER), "little")

    def _write(self, place: int, number: int) -> None:
        os.pwrite(self._file, number.to_bytes(_NUMBER, "little"), place * _NUMBER)


def run(count: int, workers: int, work: Callable[[Iterator[int]], object], going: Going) -> list[int]:
    """Do pieces of work in several processes.

    The processes are forked: the caller has run nothing that makes threads, such as a query of polars.

    Parameters
    ----------
    count : int
        The pieces are the numbers from 0 up to it.
    workers : int
        How many processes there are at a time.
    work : callable
        Does the pieces that it gets, one after the other; what it raises ends its worker. Its result is not used.
    going : Going
        Until when pieces are taken.

    Returns
    -------
    list of int
        The pieces whose workers ended before they were done.
    """
    queue = _Queue(count)
    lost: list[int] = []
    alive: dict[int, int] = {}  # the process id of each worker, to its number
    started = 0
    try:
        while started < min(workers, count) or alive:
            if started < min(workers, count):
                alive[_fork(queue, started, work, going)] = started
                started += 1
                continue
            process, status = os.wait()
            worker = alive.pop(process, None)
            if worker is None or status == 0:
                continue
            taken = queue.taken(worker)
            if taken is not None:
                lost.append(taken)
                if queue.has_more() and going:
                    alive[_fork(queue, started + len(lost), work, going)] = started + len(lost)
        return lost
    finally:
        for process in alive:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGTERM)
        for process in alive:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(process, 0)


def _fork(queue: _Queue, worker: int, work: Callable[[Iterator[int]], object], going: Going) -> int:
    """Start a worker; returns its process id."""
    parent = os.getpid()
    sys.stdout.flush()
    sys.stderr.flush()
    process = os.fork()
    if process:
        return process
    status = 1
    try:
        die_with_parent(parent)
        work(_pieces(queue, worker, going))
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)  # what the caller wants to do at its end is not the worker's


def _pieces(queue: _Queue, worker: int, going: Going) -> Iterator[int]:
    while going and (piece := queue.take(worker)) is not None:
        yield piece
