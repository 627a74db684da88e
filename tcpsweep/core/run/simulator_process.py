# SPDX-License-Identifier: MIT
"""Start simulators: each as a separate process, or forked from a process that has already loaded the program."""

from __future__ import annotations

import contextlib
import functools
import multiprocessing.util
import os
import signal
import struct
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from tcpsweep.core.ns3 import simulator_environment
from tcpsweep.core.processes import forks
from tcpsweep.core.run import limits
from tcpsweep.core.run.limits import SimulatorLimits

_SERVE = "--serve"
_READY = b"ready\n"
_LONGEST_ANSWER = 64


def start(command: Sequence[str], out: IO[bytes], limit: SimulatorLimits = limits.NONE) -> subprocess.Popen[bytes]:
    """Start a simulator that ends with this process, even if this process is killed. ``out`` receives its messages."""
    parent = os.getpid()

    def prepare() -> None:
        forks.begin_child(parent)
        limit.enforce()

    with forks.signals_held():
        return subprocess.Popen(
            command,
            env=simulator_environment.environment(),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            preexec_fn=prepare,
        )


class Server:
    """A process that has loaded a program and forks its simulators; see ``ns3-scenarios/lib/options/serve.h``.

    It is started with the first simulator, and again if it was killed. The server and its simulators end with this
    process. If this process ends normally, it waits for the server first. Otherwise, measurements of this process would
    miss the CPU time of its simulators.
    """

    def __init__(self, program: str) -> None:
        self._program = program
        self._process: subprocess.Popen[bytes] | None = None
        self._serves = True  # until a program turns out not to serve
        multiprocessing.util.Finalize(None, self.end, exitpriority=1)

    def run(self, command: Sequence[str], log: Path) -> int | None:
        """Run a simulator to its end, with its messages in the file ``log``.

        Returns its status as `subprocess.Popen.returncode` does, or None if the program cannot be run this way.
        """
        try:
            self._serves = self._serves and self._is_ready()
            if not self._serves:
                return None
            texts = b"".join(os.fsencode(text) + b"\0" for text in (os.fspath(log), *command))
            self._send(struct.pack("=I", len(texts)) + texts)
            answer = self._answer()
        except BaseException:
            self.end()
            raise
        if answer:
            return os.waitstatus_to_exitcode(int(answer))
        return self.end() or -signal.SIGKILL  # the server was killed, and the simulator with it

    def end(self) -> int | None:
        """End the process and its forked simulator, if there are any; return the status of the process."""
        if self._process is None:
            return None
        process, self._process = self._process, None
        assert process.stdin and process.stdout
        process.stdin.close()
        process.kill()
        while process.stdout.read(_LONGEST_ANSWER):  # the simulator also has it open
            pass
        process.stdout.close()
        return process.wait()

    def _is_ready(self) -> bool:
        """Start the process if it is not running. Returns whether it can serve."""
        if self._process and self._process.poll() is not None:  # it was killed
            self.end()
        if self._process is None:
            with forks.signals_held():
                self._process = subprocess.Popen(
                    [self._program, _SERVE],
                    # Look up symbols once, not in each forked process.
                    env=simulator_environment.environment() | {"LD_BIND_NOW": "1"},
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    bufsize=0,
                    preexec_fn=functools.partial(forks.begin_child, os.getpid()),
                )
            if self._answer() != _READY:
                self.end()
        return self._process is not None

    def _send(self, data: bytes) -> None:
        assert self._process and self._process.stdin
        with contextlib.suppress(BrokenPipeError):  # the missing answer shows this too
            while data:
                data = data[self._process.stdin.write(data) :]

    def _answer(self) -> bytes:
        """The next line; empty at the end."""
        assert self._process and self._process.stdout
        return self._process.stdout.read(_LONGEST_ANSWER) or b""


@functools.cache
def server(program: str) -> Server:
    """Return the `Server` of this process for a program."""
    return Server(program)
