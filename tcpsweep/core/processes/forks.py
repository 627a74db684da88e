# SPDX-License-Identifier: MIT
"""Forked processes: they end with their parent, and no signal is lost during the fork."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
from collections.abc import Iterator

_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1
_SIGNALS = {signal.SIGINT, signal.SIGTERM}


@contextlib.contextmanager
def signals_held() -> Iterator[None]:
    """Hold back SIGINT and SIGTERM while this process forks. The child must call `begin_child`.

    Modules such as `logging` run functions before and after a fork. If a signal arrives meanwhile and its handler
    raises an exception, Python ignores the exception.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def begin_child(parent: int) -> None:
    """Begin a process that was forked with `signals_held`: let it end with its parent, and receive signals."""
    end_with_parent(parent)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)


def end_with_parent(parent: int) -> None:
    """Have this process killed when its parent ends for any reason; ``parent`` is the parent's process id."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # the parent has already ended
        os._exit(1)
