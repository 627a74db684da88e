# SPDX-License-Identifier: MIT
"""The lock that keeps a second run out of ``results/``, and the one that keeps the programs in use from removal."""

import fcntl
import os
import socket
from contextlib import AbstractContextManager, nullcontext
from typing import IO

from tcpsweep.store import compiled_programs, layout

ADVICE = "results/ has to be a folder, or a link to one, in which you may write"


class Busy(Exception):
    """Another run, or a job of one, works in this folder, or that cannot be known; the user reads it."""


def lock(holder: str = "") -> IO[str]:
    """Hold `results/.lock` until the process ends, however it ends.

    Parameters
    ----------
    holder : str, optional
        What holds it, for the message to another process, such as "the run of my-sweep.yaml".

    Returns
    -------
    file
        Keep it open: the lock ends when it is closed.

    Raises
    ------
    Busy
        Another process holds it, or the file system has no locks.
    """
    try:
        layout.RESULTS.mkdir(parents=True, exist_ok=True)
        file = layout.LOCK.open("a+", errors="replace")
    except OSError as error:
        raise Busy(f"{layout.LOCK.absolute()} cannot be written: {error.strerror}; {ADVICE}") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        owner = file.read().strip() or "another process"
        file.close()
        raise Busy(f"{layout.RESULTS.absolute()} is in use by {owner}; wait until it ends, or end it") from None
    except OSError as error:
        file.close()
        raise Busy(
            f"{layout.LOCK.absolute()} cannot be locked: {error.strerror}; results/ has to be on a file system with "
            "locks (flock), such as NFS, or Lustre mounted with `-o flock`"
        ) from None
    name(file, holder)
    return file


def name(file: IO[str], holder: str) -> None:
    """Say in the lock's file what holds it."""
    file.truncate(0)
    file.write(f"{f'{holder}, ' if holder else ''}process {os.getpid()} on {socket.gethostname()}")
    file.flush()


def programs(alone: bool = False) -> AbstractContextManager[object]:
    """Lock the compiled programs of all folders, until the returned file is closed or the process ends.

    Parameters
    ----------
    alone : bool
        Whether to lock out all processes that use them, so as to remove some; else share the lock with these.

    Returns
    -------
    context manager
        A file, or nothing where the file system has no locks.

    Raises
    ------
    Busy
    """
    folder = compiled_programs.folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / ".lock").open("a")
    except OSError:  # read-only: nobody removes anything
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
