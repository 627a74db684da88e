# SPDX-License-Identifier: MIT
"""How busy other programs keep this machine."""

import os
from pathlib import Path


def other_load() -> float:
    """The number of cores that programs other than ours want: the load of the last minute, but at most what runs now.

    Ours are the processes of this session: what the same command line has started, such as the set-up and its
    compilers. Their load lasts for a minute after their end, but does not slow down the work to come.
    """
    running = sum(running_elsewhere(process) for process in Path("/proc").glob("[0-9]*"))
    return min(os.getloadavg()[0], running)


def running_elsewhere(process: Path) -> int:
    """The number of running threads of a process, by its folder in ``/proc``; 0 if it is of this session."""
    try:
        if _fields(process)[3] == str(os.getsid(0)):
            return 0
        return sum(_fields(thread)[0] == "R" for thread in (process / "task").iterdir())
    except (OSError, IndexError):  # it has ended
        return 0


def _fields(thread: Path) -> list[str]:
    """The fields of ``stat`` after the name: the state is the first, the session the fourth."""
    return (thread / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
