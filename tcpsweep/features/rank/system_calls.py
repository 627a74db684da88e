# SPDX-License-Identifier: MIT
"""System calls that a sandbox forbids, and the number of processes that it may start, by seccomp filters."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import functools
import os
import platform
import select
import socket
import struct
from collections.abc import Mapping

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # as in linux/audit.h
_STARTS = {"clone": (56, 220), "fork": (57, None), "vfork": (58, None)}
# Each call's number on x86_64 and on aarch64.
_FORBIDDEN = {
    **{"socket": (41, 198), "connect": (42, 203), "bind": (49, 200), "listen": (50, 201), "socketpair": (53, 199)},
    **{"accept": (43, 202), "accept4": (288, 242), "ptrace": (101, 117), "mount": (165, 40), "umount2": (166, 39)},
    **{"unshare": (272, 97), "setns": (308, 268), "pivot_root": (155, 41), "chroot": (161, 51), "bpf": (321, 280)},
    **{"add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219), "perf_event_open": (298, 241)},
    **{"shmget": (29, 194), "shmat": (30, 196), "semget": (64, 190), "msgget": (68, 186)},
    **{"memfd_create": (319, 279), "memfd_secret": (447, 447), "process_vm_readv": (310, 270)},
    **{"process_vm_writev": (311, 271), "userfaultfd": (323, 282), "io_uring_setup": (425, 425)},
    **{"init_module": (175, 105), "finit_module": (313, 273), "kexec_load": (246, 104), "personality": (135, 92)},
    **{"open_by_handle_at": (304, 265), "mknod": (133, None), "mknodat": (259, 33), "pidfd_open": (434, 434)},
    **{"pidfd_getfd": (438, 438), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430)},
    **{"fsmount": (432, 432), "mount_setattr": (442, 442), "mkdir": (83, None), "mkdirat": (258, 34)},
    **{"link": (86, None), "linkat": (265, 37), "symlink": (88, None), "symlinkat": (266, 36)},
}
_CLONE3 = 435  # its flags are in memory, where a filter cannot read; libraries then use clone
_SECCOMP = (317, 277)
_NEW_NAMESPACES = 0x7E020000  # clone's flags CLONE_NEW*
_LOAD, _IF_EQUAL, _IF_AT_LEAST, _IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16  # places in the kernel's struct seccomp_data
_ALLOW, _NOTIFY, _FAIL, _KILL = 0x7FFF0000, 0x7FC00000, 0x00050000, 0x80000000
_X32 = 0x40000000
_GONE_MS = 5000
_RECEIVE, _SEND = 0xC0502100, 0xC0182101  # ioctls of a filter's listener
_LIBC = ctypes.CDLL(None, use_errno=True)


def hindrance() -> str | None:
    """Why no filter is possible on this machine; None if one is."""
    return None if platform.machine() in _ARCHITECTURES else f"no filter of system calls for {platform.machine()}"


def _number(call: tuple[int, int | None]) -> int | None:
    return call[0] if platform.machine() == "x86_64" else call[1]


def _line(code: int, value: int, on_true: int = 0, on_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, on_true, on_false, value)


def _filter(action_of_number: Mapping[int, int], rest: bytes = b"") -> bytes:
    lines = [_line(_LOAD, _ARCHITECTURE), _line(_IF_EQUAL, _ARCHITECTURES[platform.machine()], 1)]
    lines += [_line(_RETURN, _KILL), _line(_LOAD, _NUMBER)]
    lines += [_line(_IF_AT_LEAST, _X32, 0, 1), _line(_RETURN, _KILL)]
    for number, action in action_of_number.items():
        lines += [_line(_IF_EQUAL, number, 0, 1), _line(_RETURN, action)]
    return b"".join([*lines, rest, _line(_RETURN, _ALLOW)])


def forbidding() -> bytes:
    """The filter, in the kernel's form, that fails forbidden calls with EPERM and clone3 with ENOSYS."""
    refused = _FAIL | errno.EPERM
    actions = {number: refused for call in _FORBIDDEN.values() if (number := _number(call)) is not None}
    clone = _number(_STARTS["clone"])
    assert clone is not None
    no_namespaces = _line(_IF_EQUAL, clone, 0, 3) + _line(_LOAD, _FIRST_ARGUMENT)
    no_namespaces += _line(_IF_ANY_BIT, _NEW_NAMESPACES, 0, 1) + _line(_RETURN, refused)
    return _filter(actions | {_CLONE3: _FAIL | errno.ENOSYS}, no_namespaces)


@functools.cache
def forbidding_file() -> int:
    """A file in memory with `forbidding`. Other processes open it in /proc while this process or a fork of it lives."""
    file = os.memfd_create("seccomp")
    os.write(file, forbidding())
    return file


class ProcessCount:
    """Limits how many processes and threads a command and its descendants start.

    Unlike RLIMIT_NPROC, it also holds for root. `begin` is called in the new process, before the command is executed,
    and `answer` in this process until the command ends. Each `OSError` says that the kernel is older than Linux 5.5.
    """

    def __init__(self, most: int) -> None:
        self._left = most
        self.is_reached = False  # whether a process was refused
        self._here, self._in_child = socket.socketpair()
        self._listener: int | None = None

    def begin(self) -> None:
        """Have the kernel ask before each start of a process by this process."""
        actions = {number: _NOTIFY for call in _STARTS.values() if (number := _number(call)) is not None}
        code = _filter(actions | {_CLONE3: _FAIL | errno.ENOSYS})
        kept = ctypes.create_string_buffer(code, len(code))
        program = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(kept))
        _LIBC.prctl(38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS
        listener = _LIBC.syscall(_number(_SECCOMP), 1, 8, program)  # a filter with a listener
        if listener < 0:
            raise OSError(ctypes.get_errno(), "seccomp")
        socket.send_fds(self._in_child, [b"."], [listener])
        os.close(listener)

    def answer(self, process: int, seconds: float) -> None:
        """Answer the kernel's next question; return after these seconds, or when the process with this id has ended."""
        if self._listener is None:
            self._listener = socket.recv_fds(self._here, 1, 1)[1][0]
        watched, ending = select.poll(), os.pidfd_open(process)
        try:
            watched.register(ending, select.POLLIN)
            watched.register(self._listener, select.POLLIN)
            if (self._listener, select.POLLIN) in watched.poll(max(0.0, seconds) * 1000):
                self._answer_one(self._listener)
        finally:
            os.close(ending)

    def _answer_one(self, listener: int) -> None:
        question = bytearray(80)
        with contextlib.suppress(FileNotFoundError):  # the process that asks was killed
            fcntl.ioctl(listener, _RECEIVE, question, True)
            self.is_reached |= self._left <= 0
            error, goes_on = (-errno.EPERM, 0) if self._left <= 0 else (0, 1)
            self._left -= 1
            (number,) = struct.unpack_from("=Q", question)
            fcntl.ioctl(listener, _SEND, struct.pack("=QqiI", number, 0, error, goes_on))

    def close(self) -> None:
        """Wait until the command's processes, which were killed or have ended, are gone; close this process's files."""
        if self._listener is not None:
            gone = select.poll()
            gone.register(self._listener, 0)  # hang-up: no process has the filter any more
            gone.poll(_GONE_MS)
            os.close(self._listener)
        self._here.close()
        self._in_child.close()
