# SPDX-License-Identifier: MIT
"""Run simulators that load a library of a candidate in a sandbox."""

from __future__ import annotations

import contextlib
import functools
import math
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from tcpsweep.core.ns3.programs import LOAD
from tcpsweep.core.processes import forks
from tcpsweep.features.rank import confinement, system_calls

# These bytes are in each library of a candidate: `vetting` puts them into its source.
MARK = "tcpsweep: code that nobody has reviewed"
MOST_S = 600.0  # CPU time of a simulation on this machine; on a cluster, the job's time is the limit
TOO_LONG = "it did not end in time"
MOST_FOLDER_BYTES = 4_000_000_000
MOST_PROCESSES = 64  # bubblewrap's, and those in which simulators try whether ns-3 accepts values
_MOST_LOG_BYTES = 1_000_000  # which others read whole
_LOOK_S = 1.0


def run(command: Sequence[str], out: Path, seconds: float | None) -> int | None:
    """Run a simulator that loads a library of a candidate, as a `Runner` in `contact.features`."""
    libraries = [name for word in command if word.startswith(LOAD) for name in word.removeprefix(LOAD).split(",")]
    if not any(_is_marked(Path(name)) for name in libraries):
        return None
    if seconds is None:
        return confined(command, out, MOST_S)
    return confined(command, out, seconds, patience=1, is_raised=True)


@functools.cache
def _is_marked(library: Path) -> bool:
    return library.is_file() and MARK.encode() in library.read_bytes()


def confined(
    command: Sequence[str],
    out: Path,
    seconds: float,
    *,
    patience: float = confinement.PATIENCE,
    is_raised: bool = False,
) -> int:
    """Run a command in the sandbox of a simulation, and return its status as `subprocess.Popen.returncode`.

    It may take ``seconds`` of CPU time, and ``patience`` times as many of the clock. Its messages go to ``log.txt`` in
    ``out``, with a line that says which limit it exceeded. Only with ``is_raised``, too long a run raises
    `subprocess.TimeoutExpired`.
    """
    out = out.absolute()
    count, ends = system_calls.ProcessCount(MOST_PROCESSES), time.monotonic() + patience * seconds
    with (out / "log.txt").open("wb") as log:
        try:
            process = _started(confinement.simulation(out, command, math.ceil(seconds) + 1), log.fileno(), count)
            try:
                why = _reason_to_stop(process, out, count, ends)
            finally:
                process.kill()
                process.wait()
        finally:
            count.close()
        if process.returncode in (-signal.SIGXCPU, 128 + signal.SIGXCPU):
            why = why or TOO_LONG
        if why == TOO_LONG and is_raised:
            raise subprocess.TimeoutExpired(list(command), seconds)
        # By the open file: the command may have put a link in the place of its name.
        log.truncate(min(os.fstat(log.fileno()).st_size, _MOST_LOG_BYTES))
        log.seek(0, os.SEEK_END)
        log.write(f"\nstopped: {why}\n".encode() if why else b"")
    if why:
        return -signal.SIGKILL
    return 128 - process.returncode if process.returncode > 128 else process.returncode  # bubblewrap's 128 + signal


def _started(command: Sequence[str], log: int, count: system_calls.ProcessCount) -> subprocess.Popen[bytes]:
    """Start a command that ends with this process, and whose processes are counted."""
    parent = os.getpid()

    def prepare() -> None:
        forks.begin_child(parent)
        count.begin()

    with forks.signals_held():
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, preexec_fn=prepare
        )


def _reason_to_stop(
    process: subprocess.Popen[bytes], out: Path, count: system_calls.ProcessCount, ends: float
) -> str | None:
    """Wait until a process ends, or exceeds a limit; then return which, in words."""
    next_look = time.monotonic() + _LOOK_S
    while process.poll() is None:
        count.answer(process.pid, min(next_look, ends) - time.monotonic())
        if count.is_reached:
            break
        if (now := time.monotonic()) >= ends:
            return TOO_LONG
        if now >= next_look:
            next_look = now + _LOOK_S
            if _bytes(out) > MOST_FOLDER_BYTES:
                return f"it wrote more than {MOST_FOLDER_BYTES / 1e9:.1f} GB"
    return f"it started more than {MOST_PROCESSES} processes" if count.is_reached else None


def _bytes(folder: Path) -> int:
    """The bytes of a folder's files, some of which may be renamed in the meantime."""
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):
            total += path.lstat().st_size
    return total
