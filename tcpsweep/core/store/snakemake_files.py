# SPDX-License-Identifier: MIT
"""Remove the files of runs that Snakemake keeps and never removes, and correct the times of files.

If a clock was set back, Snakemake takes newly made files for older ones.
"""

import base64
import binascii
import contextlib
import fcntl
import os
import socket
import time
from collections.abc import Iterable
from pathlib import Path
from typing import IO

import msgspec

from tcpsweep.core.store import layout, removal, state_files

FOLDER = Path(".snakemake")
LOGS = FOLDER / "log"
MOST_LOGS = 20
_RECORDS = ("incomplete", "metadata")  # folders with a file for each output

_STEP_NS = 1_000_000


def in_use(logs: Iterable[Path | str]) -> list[IO[str]]:
    """Protect a run's logs from `clear` while the returned files are open."""
    files: list[IO[str]] = []
    for log in logs:
        with contextlib.suppress(OSError):
            file = Path(log).open(encoding="utf-8")  # noqa: SIM115  (until the process ends)
            files.append(file)
            fcntl.flock(file, fcntl.LOCK_SH)
    return files


def clear(sweep: str, is_only_run: bool = False, root: Path = Path()) -> None:
    """Remove old logs of runs that have ended, and the records and marks of a sweep's batches.

    The working folder is Snakemake's, and ``root`` is the folder that holds ``results/``. The caller holds
    `locks.sweep`, and no job of the sweep is running. If no other sweep runs either, also remove the folders with job
    scripts that killed Snakemake processes left.
    """
    for folder in FOLDER.glob("*tmp.*") if is_only_run else ():
        with contextlib.suppress(OSError):
            removal.remove(folder)
    for log in sorted(LOGS.glob("*.log"))[:-MOST_LOGS]:
        with contextlib.suppress(OSError), log.open("r+") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            removal.remove(log)
    for place in (FOLDER / kind / name for kind in _RECORDS for name in layout.names_in(FOLDER / kind)):
        with contextlib.suppress(binascii.Error, OSError):
            output = base64.urlsafe_b64decode(place.name).decode("utf-8", "replace")
            if output.startswith(f"{root / layout.SWEEPS / sweep / layout.JOBS}/"):
                removal.remove(place)


def note_temporary(sweep: str, folder: Path) -> None:
    """Note the temporary folder of a sweep's run. If the last run was killed, remove its temporary folder.

    The caller has `locks.sweep`.
    """
    note = layout.SWEEPS / sweep / layout.TEMPORARY
    host, path = state_files.read(note, tuple[str, str]) or ("", "")
    earlier = Path(path)
    # The names of two runs' temporary folders differ only in the last 8 characters, which Python's tempfile chooses.
    is_like = earlier != folder and earlier.name[:-8] == folder.name[:-8]
    if host == socket.gethostname() and earlier.parent == folder.parent and is_like:
        with contextlib.suppress(OSError):
            removal.remove(earlier, within=folder.parent)
    note.write_bytes(msgspec.json.encode((socket.gethostname(), str(folder))))


def bring_back_times(sweep: str) -> None:
    """Set the times of a sweep's files from the future to times up to now, and keep their order.

    The caller holds `locks.sweep`.
    """
    folder, now_ns = layout.SWEEPS / sweep, time.time_ns()
    paths = [*folder.glob("*"), *folder.glob("code/*"), *folder.glob("figures/.*"), *layout.REPORTS.glob(f"{sweep}.*")]
    paths_by_time: dict[int, list[Path]] = {}
    for path in paths:
        with contextlib.suppress(OSError):
            if (time_ns := path.stat().st_mtime_ns) > now_ns:
                paths_by_time.setdefault(time_ns, []).append(path)
    for steps_back, time_ns in enumerate(sorted(paths_by_time, reverse=True)):
        for path in paths_by_time[time_ns]:
            with contextlib.suppress(OSError):
                os.utime(path, ns=(now_ns - steps_back * _STEP_NS,) * 2)
