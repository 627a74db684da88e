# SPDX-License-Identifier: MIT
"""A pool of processes that goes on if one of them is killed. All end with the process that runs the pool."""

from __future__ import annotations

import multiprocessing
import os
import select
import sys
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import TypeVar

from tcpsweep.core.processes import forks

Piece = TypeVar("Piece")
Result = TypeVar("Result")


def until(stop: Path, process: int | None = None) -> Callable[[], bool]:
    """A function that says whether to begin more work: not after ``stop`` exists or ``process`` has ended."""
    try:
        pidfd = None if process is None else os.pidfd_open(process)
    except ProcessLookupError:
        return lambda: False
    except OSError:  # a kernel before 5.3
        pidfd = None
    return lambda: not stop.exists() and (pidfd is None or not select.select([pidfd], [], [], 0)[0])


def run(
    pieces: Iterable[Piece],
    workers: int,
    work: Callable[[Piece], Result],
    may_begin: Callable[[], bool],
    was_at: Callable[[Piece], bool],
) -> tuple[list[tuple[Piece, Result]], list[Piece]]:
    """Do pieces of work in order, in several processes. Returns the pieces with their results, and the lost pieces.

    A killed process breaks the pool. A new pool repeats the pieces of the other processes, but not the killed process's
    piece, which is lost. ``may_begin`` says whether to begin another piece. ``was_at`` says whether a process was
    killed while it worked on a piece.
    """
    left = deque(pieces)
    done: list[tuple[Piece, Result]] = []
    lost: list[Piece] = []
    while left and may_begin():
        running: dict[Future[Result], Piece] = {}
        done_before = len(done)
        # The caller must have no threads: for example, it must not have run a polars query.
        context = multiprocessing.get_context("fork")
        count = min(workers, len(left))
        with ProcessPoolExecutor(count, context, _call, (forks.begin_child, os.getpid())) as pool:
            try:
                while running or (left and may_begin()):
                    while left and len(running) < count and may_begin():
                        piece = left.popleft()
                        with forks.signals_held():  # the first call forks the processes
                            running[pool.submit(_call, work, piece)] = piece
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        done.append((running[future], future.result()))
                        del running[future]
            except BrokenProcessPool:
                pass
            except BaseException:
                for process in multiprocessing.active_children():
                    process.terminate()
                raise
        at_fault = [piece for piece in running.values() if was_at(piece)]
        if not at_fault and len(done) == done_before:  # a new pool might make no progress either
            at_fault = list(running.values())
        lost += at_fault
        left.extendleft(piece for piece in running.values() if piece not in at_fault)
    return done, lost


def _call(work: Callable[[Piece], Result], piece: Piece) -> Result:
    try:
        return work(piece)
    except SystemExit as end:  # the executor would take it for a result and go on
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(end.code if isinstance(end.code, int) else 1)
