# SPDX-License-Identifier: MIT
"""Run a command inside a kernel whose time is virtual, as an ordinary process of this user."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import hashlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from tcpsweep.core.identity import hashing
from tcpsweep.core.processes import forks
from tcpsweep.features.linux import guest_programs
from tcpsweep.features.linux.kernel_source import NoKernel

NEWEST = "newest"  # the value of the parameter `kernel` for the newest version
LINUX = "linux"  # the file in a kernel's folder
_LIBC = ctypes.CDLL(None)
_ADDR_NO_RANDOMIZE = 0x0040000
_NO_PTRACE = "this machine or container forbids `ptrace`, which this kernel in virtual time needs"
_WORK_FOLDER = ".kernel"  # the folder in which a kernel runs
_NICE = 10  # a kernel's, and its session's
_AUTOGROUP_TRIES = 5
# The kernel mixes its command line into its random numbers, so all simulations have the same.
# It belongs to the ids of cells.
_COMMAND_LINE = (
    # Linux derives its largest buffers from its memory. With less memory, they would be smaller than on usual machines.
    # The host provides only the memory that is in use.
    "mem=1G",
    "root=/dev/root",  # without it, Linux 6.1 mounts nothing
    "rootfstype=hostfs",
    "rootflags=/",
    "ro",
    "init=/proc/self/cwd/init",
    "time-travel=inf-cpu",
    "time-travel-start=1000000000000000000",
    "con=null",
    "con0=null,fd:1",
    "quiet",
)
# Kernels from 6.16 on can serve their programs' system calls by signals (seccomp) instead of ptrace, with half the
# context switches. Earlier kernels do not get this option, because it would change their random numbers.
_SECCOMP_OPTION = "seccomp=on"


def identity() -> str:
    """A hash over the programs and the command line, which influence a simulation's bytes as the kernel does."""
    return hashing.short_hash(guest_programs.identity(), *_COMMAND_LINE, _SECCOMP_OPTION)


def seed(*parts: str) -> int:
    """A seed of 64 bits for the random numbers of a kernel."""
    return int.from_bytes(hashlib.sha256("\0".join(parts).encode()).digest()[:8], "big")


def run(
    kernel: Path,
    command: Sequence[str],
    out: Path,
    seed: int,
    seconds: float | None = None,
) -> int:
    """Run a command inside the kernel in the folder ``kernel``, and return its status as `subprocess.Popen` does.

    The command sees the host's files. It may write only to the folder ``out`` and to /tmp. What it prints is appended
    to `log.txt` in ``out``. The kernel ends with this process. Raises `NoKernel` if the kernel ends without a status,
    and `subprocess.TimeoutExpired`.
    """
    parent, programs, processor = os.getpid(), guest_programs.folder(), _processor()

    def begin() -> None:
        os.setsid()
        os.sched_setaffinity(0, {processor})
        _give_way()
        # The addresses of the kernel's data must be the same each time, because it hashes some of them.
        _LIBC.personality(_ADDR_NO_RANDOMIZE)
        forks.begin_child(parent)

    # This folder is inside the folder that the command writes to. So a clean-up after a kill removes both.
    work_folder = out.absolute() / _WORK_FOLDER
    work_folder.mkdir()
    try:
        (work_folder / "init").symlink_to(programs / guest_programs.INIT)
        words = [os.fspath(out.absolute()), os.fspath(Path.cwd()), *command]
        (work_folder / "command").write_bytes(b"".join(os.fsencode(text) + b"\0" for text in words))
        environment = {
            "TCPSWEEP_SEED": str(seed),
            "LD_PRELOAD": os.fspath(programs / guest_programs.RANDOM),
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": os.fspath(work_folder),
        }
        with (work_folder / "console").open("wb") as console:
            with forks.signals_held():
                process = subprocess.Popen(
                    [kernel / LINUX, *_COMMAND_LINE, *_options(kernel)],
                    cwd=work_folder,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=console,
                    stderr=subprocess.STDOUT,
                    preexec_fn=begin,
                )
            try:
                process.wait(seconds)
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        return _exit_status(work_folder)
    finally:
        shutil.rmtree(work_folder, ignore_errors=True)


@functools.cache
def _options(kernel: Path) -> tuple[str, ...]:
    """The options that only some kernels have."""
    help_text = subprocess.run([kernel / LINUX, "--help"], capture_output=True, check=False).stdout
    return (_SECCOMP_OPTION,) if b"\nseccomp=" in help_text else ()


def _processor() -> int:
    """The processor on which this process's kernel runs.

    The kernel and its programs never run at the same time, but they take turns 100,000 times a second. On two
    processors, these turns cost more CPU time, and keep other programs from running. The processes of a worker pool
    have consecutive ids, so each gets another processor.
    """
    allowed = sorted(os.sched_getaffinity(0))
    return allowed[os.getpid() % len(allowed)]


def _give_way() -> None:
    """Let other programs run first, for as long as any wants to.

    Linux shares the processors between sessions. But of a session in which two processes take turns all the time, other
    sessions get a fiftieth of a processor instead of half. Called in a session of its own.
    """
    os.nice(_NICE)
    for _ in range(_AUTOGROUP_TRIES):
        try:
            Path("/proc/self/autogroup").write_text(str(_NICE), encoding="ascii")
        except BlockingIOError:  # Linux allows one such change in 100 ms
            time.sleep(0.1)
        except OSError:  # no such file, where Linux does not share between sessions
            return
        else:
            return


def _exit_status(work_folder: Path) -> int:
    """The status that the kernel's first process wrote. Raises `NoKernel` with the kernel's last lines if not."""
    try:
        return os.waitstatus_to_exitcode(int((work_folder / "status").read_text(encoding="ascii")))
    except (OSError, ValueError):
        console_lines = (work_folder / "console").read_text(encoding="utf-8", errors="replace").strip().splitlines()
        if any("ptrace" in line for line in console_lines):
            raise NoKernel(
                f"{_NO_PTRACE}; build a kernel from 6.16 on, which needs no `ptrace`, or allow it, "
                "as `docker run --cap-add SYS_PTRACE` does"
            ) from None
        raise NoKernel("\n".join(["the kernel in virtual time ended early:", *console_lines[-15:]])) from None
