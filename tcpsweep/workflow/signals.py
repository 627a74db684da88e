# SPDX-License-Identifier: MIT
"""Handle Ctrl-C and SIGTERM while Snakemake runs a sweep."""

import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

_Handler = Callable[[int, FrameType | None], Any]


def receive() -> None:
    """Allow one interrupt of this process: a terminal and `tcpsweep sweep` may both send the same SIGINT.

    `tcpsweep sweep` starts Snakemake with these signals blocked, because an interrupted import prints a traceback. A
    signal that was sent in the meantime arrives now.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # a shell may ignore it for background processes
        signal.signal(signal.SIGINT, _interrupt_once)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGCHLD})


def _interrupt_once(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGINT, _do_nothing)
    signal.default_int_handler(number, frame)


def _do_nothing(number: int, frame: FrameType | None) -> None:
    """Ignore a signal. Unlike SIG_IGN, started processes do not inherit this handler."""


def stop_jobs_when_told(stop_files: Sequence[Path]) -> None:
    """On SIGINT and SIGTERM, let jobs begin no more cells. Then let Snakemake wait for the running cells."""

    def stop_before(handler: _Handler) -> _Handler:
        def stop(number: int, frame: FrameType | None) -> None:
            for file in stop_files:
                file.touch()
            handler(number, frame)

        return stop

    for number in (signal.SIGINT, signal.SIGTERM):
        if callable(handler := signal.getsignal(number)):
            signal.signal(number, stop_before(handler))
