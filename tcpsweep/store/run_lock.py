# SPDX-License-Identifier: MIT
"""The lock that keeps a second run out of ``results/``."""

import fcntl
import os
import socket
from typing import IO

from tcpsweep.store import layout


class Busy(Exception):
    """Another run, or a job of one, works in this folder, or nobody can know; the user reads it."""


def lock() -> IO[str]:
    """Hold `results/.lock` until the process ends, however it ends.

    Returns
    -------
    file
        To be kept open.

    Raises
    ------
    Busy
        Somebody else holds it, or the file system has no locks.
    """
    layout.RESULTS.mkdir(parents=True, exist_ok=True)
    file = layout.LOCK.open("a+")
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
    file.truncate(0)
    file.write(f"process {os.getpid()} on {socket.gethostname()}")
    file.flush()
    return file
