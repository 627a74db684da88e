# SPDX-License-Identifier: MIT
"""A lock for the processes that need the same build: one builds, and the others wait."""

import contextlib
import fcntl
import sys
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def alone(path: Path, what: str) -> Iterator[None]:
    """Hold an exclusive lock on the file ``path``, which ends with the process.

    If another process holds it, say that this one waits, and name ``what`` is built.
    """
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            print(f"tcpsweep: another process builds {what}; waiting for it", file=sys.stderr)
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
