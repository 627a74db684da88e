# SPDX-License-Identifier: MIT
"""Whether a sweep is running, only from its lock's file. The lock itself is never taken."""

import re
import socket
from dataclasses import dataclass
from pathlib import Path

from tcpsweep.store import layout

_HOLDER = re.compile(r"process ([0-9]+) on (\S+)$")
_LOCKS = Path("/proc/locks")


@dataclass(frozen=True)
class Holder:
    """The last run that locked a sweep: its process, its host, and its start by the file system's clock, in ns.

    ``works`` says whether it is still running; None if that is unknown, because it runs on another machine.
    """

    process: int
    host: str
    since: int
    works: bool | None


def holder(sweep: str) -> Holder | None:
    """The last run of a sweep; None if there was none, or if its lock cannot be read."""
    place = layout.SWEEPS / sweep / layout.SWEEP_LOCK
    try:
        found, about = _HOLDER.search(place.read_text(encoding="utf-8", errors="replace").strip()), place.stat()
    except OSError:
        return None
    if not found:
        return None
    process, host = int(found[1]), found[2]
    works = _is_locked(about.st_ino, process) if host == socket.gethostname() else None
    return Holder(process, host, about.st_mtime_ns, works)


def _is_locked(inode: int, process: int) -> bool:
    """Whether a process on this machine has locked a file, from the kernel's list of locks."""
    try:
        lines = _LOCKS.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return Path(f"/proc/{process}").exists()
    # A line: 1: FLOCK ADVISORY WRITE 4711 08:01:1234 0 EOF. Its device numbers may differ from `stat`'s.
    for words in (line.split() for line in lines if "->" not in line):
        if len(words) >= 6 and words[3] == "WRITE" and words[5].rpartition(":")[2] == str(inode):
            return True
    return False
