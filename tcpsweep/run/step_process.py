# SPDX-License-Identifier: MIT
"""A process that has loaded what the steps after the cells need, and from which they are forked.

To load polars and the other libraries takes the steps of a small sweep longer than their work. So a run loads them
once, in this process, beside Snakemake's own start. A step's command hands over its arguments, its environment and what
it writes to (`step_request`), and ends as the process ends that is forked for it. Without such a process, as in a run
that submits its jobs, the command does its work itself.

A step ends with its command, and this process, with its steps, with the run.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import functools
import json
import os
import secrets
import select
import signal
import socket
import struct
import sys
import traceback
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any, NoReturn

from tcpsweep.run import loading_ahead, worker_pool
from tcpsweep.run.step_request import ADDRESS, BEGUN

_PR_SET_NAME = 15
_NAME = b"tcpsweep-steps"  # at most 15 bytes
_MOST_BYTES = 1 << 20  # of a request; a message may not be longer
_CREDENTIALS = struct.Struct("3i")  # process, user, group
_SIGNALS = (signal.SIGINT, signal.SIGTERM)

_Action = Callable[[int, FrameType | None], Any] | int | None  # what a signal does


def begin(load: Callable[[], object], command: Callable[[Sequence[str]], object]) -> Callable[[], None]:
    """Start the process from which this run's steps are forked. It ends with this process.

    The caller has one thread, and no locks that a fork may not have.

    Parameters
    ----------
    load : callable
        Imports what steps need.
    command : callable
        Runs a step, given its arguments.

    Returns
    -------
    callable
        Ends the process at once.
    """
    os.environ.pop(ADDRESS, None)
    if sys.stdout is None or sys.stderr is None:  # closed, as in every process that is forked, whatever steps write to
        return lambda: None
    address = f"tcpsweep-{os.getpid()}-{secrets.token_hex(8)}"
    try:
        os.close(os.pidfd_open(os.getpid()))
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listening.bind(f"\0{address}")
        listening.listen()
    except (OSError, AttributeError):  # no Linux, or one before 5.3
        return lambda: None
    sys.stdout.flush()
    sys.stderr.flush()
    parent = os.getpid()
    process = os.fork()
    if not process:
        _be_ready(listening, parent, load, command)
    listening.close()
    os.environ[ADDRESS] = address
    end = functools.partial(_end, parent, process)
    atexit.register(end)
    return end


def _end(parent: int, process: int) -> None:
    """End the process that `begin` started, and wait for it, so that what it cost counts as its parent's."""
    if os.getpid() == parent and ADDRESS in os.environ:
        del os.environ[ADDRESS]
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)


def _be_ready(
    listening: socket.socket,
    parent: int,
    load: Callable[[], object],
    command: Callable[[Sequence[str]], object],
) -> NoReturn:
    """Load, and fork a process for each request, until the parent ends."""
    try:
        worker_pool.die_with_parent(parent)
        ctypes.CDLL(None).prctl(_PR_SET_NAME, _NAME)
        before = [signal.signal(number, signal.SIG_IGN) for number in _SIGNALS]  # steps get them themselves
        nowhere = os.open(os.devnull, os.O_RDWR)
        for number in range(3):  # whoever reads what the run says waits until nobody can write it
            os.dup2(nowhere, number)
        loading_ahead.load(load)
        _Ready(listening, before, command).serve()
    finally:
        os._exit(1)


class _Ready:
    """The process that waits: its socket, and the connection and the process of each step at work."""

    def __init__(
        self,
        listening: socket.socket,
        before: Sequence[_Action],
        command: Callable[[Sequence[str]], object],
    ) -> None:
        self._listening = listening
        self._before = before
        self._command = command
        self._poll = select.poll()
        self._poll.register(listening, select.POLLIN)
        self._asking: dict[int, tuple[socket.socket, int]] = {}  # a connection's number, to it and its step's process
        self._working: dict[int, tuple[int, int]] = {}  # the number of a pidfd, to its process and its connection

    def serve(self) -> NoReturn:
        """Answer requests until this process is killed."""
        while True:
            number, _ = self._poll.poll()[0]  # one at a time, as numbers of what is closed are given again
            if number == self._listening.fileno():
                self._take()
            elif number in self._working:
                self._answer(number)
            else:  # whoever asked has ended
                self._poll.unregister(number)
                os.kill(self._asking[number][1], signal.SIGKILL)

    def _take(self) -> None:
        """Begin the step that somebody asks for."""
        there, _ = self._listening.accept()
        who = there.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
        if _CREDENTIALS.unpack(who)[1] != os.getuid():
            there.close()
            return
        ours = os.getpid()
        try:
            data, files, *_ = socket.recv_fds(there, _MOST_BYTES, 2)
            process = os.fork() if data else -1
        except OSError:
            process = -1
        if process < 0:  # whoever asked has ended, or does it without us
            there.close()
            return
        if not process:
            there.close()
            self._be_step(data, files, ours)
        for file in files:
            os.close(file)
        pidfd = os.pidfd_open(process)
        self._asking[there.fileno()] = there, process
        self._working[pidfd] = process, there.fileno()
        self._poll.register(pidfd, select.POLLIN)
        self._poll.register(there, select.POLLIN)
        with contextlib.suppress(OSError):
            there.send(BEGUN)

    def _answer(self, pidfd: int) -> None:
        """Tell how a step ended."""
        process, number = self._working.pop(pidfd)
        self._poll.unregister(pidfd)
        os.close(pidfd)
        ended = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        there, _ = self._asking.pop(number)
        with contextlib.suppress(KeyError):
            self._poll.unregister(number)
        with there, contextlib.suppress(OSError):
            there.send(str(ended).encode())

    def _be_step(self, data: bytes, files: Sequence[int], parent: int) -> NoReturn:
        """Be the step that was asked for, with what its command writes to, where it is, and its environment."""
        status = 1
        try:
            worker_pool.die_with_parent(parent)
            self._listening.close()
            for there, _ in self._asking.values():
                there.close()
            for pidfd in self._working:
                os.close(pidfd)
            for each, action in zip(_SIGNALS, self._before, strict=True):
                signal.signal(each, action)
            for number, file in enumerate(files, 1):
                os.dup2(file, number)
                os.close(file)
            asked = json.loads(data)
            os.chdir(asked["folder"])
            os.environ.clear()
            os.environ.update(asked["environment"])
            os.environ.pop(ADDRESS)
            status = _status(self._command, asked["arguments"])
        finally:
            os._exit(status)


def _status(command: Callable[[Sequence[str]], object], arguments: Sequence[str]) -> int:
    """Run a step; how it ended, and its last words on standard error, as at the end of a Python of its own."""
    status = 1
    try:
        command(arguments)
        status = 0
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            status = end.code or 0
        else:
            print(end.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    return status
