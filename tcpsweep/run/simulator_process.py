# SPDX-License-Identifier: MIT
"""How simulators are started: each as a process of its own, or forked from one that has loaded its program already."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import shutil
import signal
import struct
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any

from tcpsweep.ns3 import simulator_environment
from tcpsweep.run import limits
from tcpsweep.run.limits import Limits

_PR_SET_PDEATHSIG = 1
_SERVE = "--serve"
_READY = b"ready\n"
_LONGEST_ANSWER = 64


def started(command: Sequence[str], out: IO[bytes], limit: Limits = limits.NONE) -> subprocess.Popen[bytes]:
    """A simulator that ends with this process, even if this process is killed; ``out`` gets what it says."""
    options: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": out, "stderr": subprocess.STDOUT}
    before = _ending_with_its_parent() if limit.data_bytes is None and Path(command[0]).is_file() else []
    if before:
        return subprocess.Popen([*before, *command], env=simulator_environment.environment(), **options)
    libc = ctypes.CDLL(None)

    def prepare() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        limit.enforce()

    return subprocess.Popen(command, env=simulator_environment.environment(), preexec_fn=prepare, **options)


@functools.cache
def _ending_with_its_parent() -> list[str]:
    """What a command begins with that is killed when its parent ends; empty where there is no such program.

    Without it, Python copies the tables of this process's memory for each simulator, which takes 3 ms more.
    """
    program = shutil.which("setpriv")
    found = [program, "--pdeathsig", "KILL", "--"] if program else []
    works = found and subprocess.run([*found, "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0
    return found if works else []


class Server:
    """A program's process from which its simulators are forked, as ``ns3-scenarios/lib/options/serve.h`` says.

    It is started with the first simulator, and again after it was killed. All end with this process.
    """

    def __init__(self, program: str) -> None:
        self._program = program
        self._process: subprocess.Popen[bytes] | None = None
        self._serves = True  # until it shows that it does not

    def status(self, command: Sequence[str], log: Path, meanwhile: Callable[[], object]) -> int | None:
        """Run a simulator to its end; its status as `subprocess.Popen.returncode`, None if it cannot be run this way.

        Parameters
        ----------
        command : sequence of str
        log : Path
            The file that gets what it says.
        meanwhile : callable
            What to do while it runs.
        """
        if not self._serves or command[0] != self._program:
            return None
        try:
            self._serves = self._is_ready()
            if not self._serves:
                return None
            texts = b"".join(os.fsencode(text) + b"\0" for text in (os.fspath(log), *command))
            self._send(struct.pack("=I", len(texts)) + texts)
            meanwhile()
            answer = self._answer()
        except BaseException:
            self.end()
            raise
        if answer:
            return os.waitstatus_to_exitcode(int(answer))
        return self.end() or -signal.SIGKILL  # the server was killed, and the simulator with it

    def end(self) -> int | None:
        """End the process and the simulator that was forked from it, if there are any; the status of the process."""
        if self._process is None:
            return None
        process, self._process = self._process, None
        assert process.stdin and process.stdout
        process.stdin.close()
        process.kill()
        while process.stdout.read(_LONGEST_ANSWER):  # which the simulator has open as well
            pass
        process.stdout.close()
        return process.wait()

    def _is_ready(self) -> bool:
        """Whether there is a process that serves, which is started unless it was."""
        if self._process and self._process.poll() is not None:  # somebody killed it
            self.end()
        before = _ending_with_its_parent()
        if self._process is None and before:
            self._process = subprocess.Popen(
                [*before, self._program, _SERVE],
                env=simulator_environment.environment()
                | {"LD_BIND_NOW": "1"},  # looked up once, not in each forked process
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
            )
            if self._answer() != _READY:
                self.end()
        return self._process is not None

    def _send(self, data: bytes) -> None:
        assert self._process and self._process.stdin
        with contextlib.suppress(BrokenPipeError):  # there is no answer either
            while data:
                data = data[self._process.stdin.write(data) :]

    def _answer(self) -> bytes:
        """The next line; empty if there is none."""
        assert self._process and self._process.stdout
        return self._process.stdout.read(_LONGEST_ANSWER) or b""
