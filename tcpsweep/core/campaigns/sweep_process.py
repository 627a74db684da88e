# SPDX-License-Identifier: MIT
"""Run `tcpsweep sweep` in a process of its own, for commands that run several sweeps."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from tcpsweep.core.processes import forks

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
# The exit statuses of a sweep that the user ended; others are failures of the sweep.
_INTERRUPTED = {status for number in _SIGNALS for status in (-number, 128 + number)}


def run(file: Path, options: Sequence[str], stdout: IO[str] | None = None, stderr: IO[str] | None = None) -> int:
    """Run a sweep file, and return the exit status. The options are Snakemake's.

    The sweep gets each SIGINT and SIGTERM that this process gets, and ends with this process. It imports no modules
    from the working folder. Raises `KeyboardInterrupt` if the user ended it.
    """
    own_process = os.getpid()
    command = [sys.executable, "-P", "-m", "tcpsweep", "sweep", str(file), *options]
    with (
        subprocess.Popen(
            command, stdout=stdout, stderr=stderr, preexec_fn=lambda: forks.end_with_parent(own_process)
        ) as process,
        _signals_passed_on(process) as received,
    ):
        status = process.wait()
    if received or status in _INTERRUPTED:
        raise KeyboardInterrupt
    return status


@contextlib.contextmanager
def _signals_passed_on(process: subprocess.Popen[bytes]) -> Iterator[list[int]]:
    """Send this process's signals to another process, too, except those that this process ignores.

    Yields the list of the signals so far, which grows.
    """
    received = []

    def pass_on(number: int, frame: object) -> None:
        received.append(number)
        process.send_signal(number)

    old_handlers = {number: signal.getsignal(number) for number in _SIGNALS}
    for number, handler in old_handlers.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, pass_on)
    try:
        yield received
    finally:
        for number, handler in old_handlers.items():
            signal.signal(number, handler)
