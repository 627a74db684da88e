# SPDX-License-Identifier: MIT
"""All locks (``flock``) but those of simulations (`claims`): of runs, of compiled programs, and of builds.

A sweep's lock prevents a second run of the sweep. Runs share ``results/.lock``; a command that removes results holds
it exclusively. If locks may not hold between machines, a run holds it exclusively too, because claims of cells
(`claims`) would not hold either. A test of that would need two machines: a lock that only this machine knows of does
not fail. So the mount of the file system decides.
"""

import contextlib
import fcntl
import os
import re
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import IO

from tcpsweep.core.store import compiled_programs, layout, links, removal
from tcpsweep.core.words.user_error import UserError

_STEPS_LOCK = ".steps"
_TRIES, _PAUSE_S = 4, 0.1
ADVICE = "results/ has to be a folder, or a link to one, in which you may write"

# File systems of a host or a remote machine, which do not pass on this machine's locks.
_LOCAL_LOCKS = ("9p", "beegfs", "fuse", "fuse.bindfs", "fuse.sshfs", "vboxsf", "fuse.vmhgfs-fuse")
_MOUNTS = Path("/proc/self/mountinfo")


class Busy(UserError):
    """Another run or its job works in this folder, or nothing can be known about it. The user reads the message."""


def store(alone: bool = False, holder: str = "") -> IO[str]:
    """Hold ``results/.lock`` until the process ends or the returned file is closed.

    ``alone`` excludes all other runs. Without it, runs share the lock if locks hold between machines. ``holder`` names
    the holder for the message to another process, such as "a removal of results". Raises `Busy` if another process
    holds the lock, or the file system has no locks.
    """
    alone = alone or bool(why_alone())
    file = _open_lock_file(layout.LOCK)
    if not _try_lock(file, alone):
        owners = " and ".join(_holders_of_sweeps()) or _read_holder(file) or "a job whose run was killed"
        file.close()
        raise Busy(f"{layout.RESULTS.absolute()} is in use by {owners}; wait until it ends, or end it")
    if alone:
        _write_holder(file, holder)
    else:
        file.truncate(0)
    return file


def why_alone() -> str:
    """A phrase that says why only one run at a time is possible here; empty if several may run."""
    return shortcoming(layout.RESULTS)


def sweep(name: str) -> IO[str]:
    """Hold a sweep's lock until the process ends or the returned file is closed. The caller holds `store`.

    Raises `Busy` if another process runs the sweep.
    """
    return _hold(layout.SWEEPS / name, f"the sweep {name}")


def derived(folder: Path, holder: str) -> IO[str]:
    """Hold a folder of sweep files that a command makes, until the process ends or the returned file is closed.

    Until then, no other process makes them for something else, and their results stay the holder's. Raises `Busy`.
    """
    return _hold(folder, holder)


def _hold(folder: Path, holder: str) -> IO[str]:
    file = _open_lock_file(folder / layout.SWEEP_LOCK)
    for _ in range(_TRIES):  # a run that looks for other runs holds it for a moment
        if _try_lock(file, alone=True):
            _write_holder(file, holder)
            return file
        time.sleep(_PAUSE_S)
    owner = _read_holder(file) or "another process"
    file.close()
    raise Busy(f"{folder} is in use by {owner}; wait until it ends, or end it")


def is_only_run() -> bool:
    """Whether only the sweep whose lock the caller holds runs in ``results/``."""
    return len(_holders_of_sweeps()) <= 1


def job() -> AbstractContextManager[object]:
    """Share ``results/`` as a job of cells, which may live longer than its run. Raises `Busy`.

    Returns a file, or an empty context if the run holds ``results/`` exclusively.
    """
    return nullcontext() if why_alone() else store()


def step(folder: Path) -> AbstractContextManager[object]:
    """Lock a sweep's folder for a step that follows the cells; `await_steps` waits for it."""
    try:
        file = (folder / _STEPS_LOCK).open("a")
        fcntl.flock(file, fcntl.LOCK_SH)
    except OSError:
        return nullcontext()
    return file


def await_steps(sweep: str) -> None:
    """Wait until the steps of a killed run of the sweep have ended, and remove unfinished files.

    The caller holds the lock of `sweep`.
    """
    folder = layout.SWEEPS / sweep
    with (folder / _STEPS_LOCK).open("a") as file:
        _wait_for(file, f"a killed run of the sweep {sweep} left a job that makes tables, the report or pages")
    kept_names = (layout.SWEEP_LOCK, layout.SUBMITTED, layout.TEMPORARY, _STEPS_LOCK)
    for path in folder.glob(".*"):
        if path.name not in kept_names:
            removal.remove(path)
    for place in (folder / "code", folder / "logs", layout.REPORTS / f"{sweep}_files"):
        for path in place.glob(".*"):
            removal.remove(path)
    for pattern in (f".{sweep}.html.*", f".{sweep}.png.*", f".{sweep}_files.*"):  # not all: a sweep may be called a.b
        for path in layout.REPORTS.glob(pattern):
            removal.remove(path)


def _open_lock_file(place: Path) -> IO[str]:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.is_symlink():
            raise Busy(str(links.error(place)))
        return place.open("a+", encoding="utf-8", errors="replace")
    except OSError as error:
        raise Busy(f"{place.absolute()} cannot be written: {error.strerror}; {ADVICE}") from None


def _try_lock(file: IO[str], alone: bool) -> bool:
    """Lock a file. Returns whether that succeeded; it fails if another process holds the lock."""
    try:
        fcntl.flock(file, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        file.close()
        raise Busy(
            f"{Path(file.name).absolute()} cannot be locked: {error.strerror}; results/ has to be on a file system "
            "with locks (flock), such as NFS, or Lustre mounted with `-o flock`"
        ) from None
    return True


def _read_holder(lock_file: IO[str]) -> str:
    """The holder of a lock file, as `_write_holder` wrote it."""
    lock_file.seek(0)
    return lock_file.read().strip()


def _write_holder(lock_file: IO[str], holder: str) -> None:
    """Write the holder's name into the lock file."""
    lock_file.truncate(0)
    lock_file.write(f"{f'{holder}, ' if holder else ''}process {os.getpid()} on {socket.gethostname()}")
    lock_file.flush()


def _holders_of_sweeps() -> list[str]:
    """The runs that hold the locks of their sweeps."""
    holders = []
    for place in sorted(layout.SWEEPS.glob(f"*/{layout.SWEEP_LOCK}")):
        with _open_lock_file(place) as file:
            if not _try_lock(file, alone=True):
                holders.append(_read_holder(file))
    return holders


def programs(alone: bool = False) -> AbstractContextManager[object]:
    """Lock the compiled programs of all folders until the returned file is closed or the process ends.

    ``alone`` excludes all processes that use them, so that some can be removed. Without it, these processes share the
    lock. If the file system has no locks, nothing is locked. Raises `Busy`.
    """
    folder = compiled_programs.folder()
    try:
        compiled_programs.made_folder()
        file = (folder / ".lock").open("a")
    except OSError:  # read-only: no process removes anything
        return nullcontext()
    try:
        fcntl.flock(file, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        who = "a sweep that runs, perhaps in another folder" if alone else "a command that removes programs"
        raise Busy(f"{folder} is in use by {who}; wait until that ends") from None
    except OSError:
        file.close()
        return nullcontext()
    return file


def shortcoming(folder: Path) -> str:
    """A phrase that says why locks in a folder may not hold between machines; empty if there is no known reason."""
    try:
        mounts = _MOUNTS.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return ""
    place, nearest = Path(os.path.realpath(folder)), ("", "", frozenset[str]())  # resolve raises for a link to itself
    for line in mounts:
        mount, _, system = line.partition(" - ")
        mount_point = re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), mount.split()[4])
        if place.is_relative_to(mount_point) and len(mount_point) >= len(nearest[0]):
            kind, _, options = system.split(" ", 2)
            nearest = mount_point, kind, frozenset(options.split(",")) | frozenset(mount.split()[5].split(","))
    return _shortcoming_of_mount(*nearest[1:])


def _shortcoming_of_mount(kind: str, options: frozenset[str]) -> str:
    if kind in _LOCAL_LOCKS:
        return f"its file system is {kind}, whose locks other machines may not see"
    if kind == "lustre" and "flock" not in options:
        return "its Lustre is not mounted with `-o flock`"
    if kind.startswith("nfs") and (local_options := options & {"nolock", "local_lock=flock", "local_lock=all"}):
        return f"its NFS is mounted with `{min(local_options)}`"
    if kind in ("cifs", "smb3") and "nobrl" in options:
        return f"its {kind} is mounted with `nobrl`"
    return ""


@contextlib.contextmanager
def build(path: Path, what: str) -> Iterator[None]:
    """Hold an exclusive lock on the file ``path``, which ends with the process.

    If another process holds it, say that this one waits, and name ``what`` is built.
    """
    with path.open("a") as file:
        _wait_for(file, f"another process builds {what}")
        yield


def _wait_for(lock_file: IO[str], why: str) -> None:
    """Lock a file. If another process holds the lock, say ``why`` and wait."""
    try:
        fcntl.flock(lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        print(f"tcpsweep: {why}; waiting for it", file=sys.stderr, flush=True)
        fcntl.flock(lock_file, fcntl.LOCK_EX)
