# SPDX-License-Identifier: MIT
"""Compiling C++ with CMake, so that what is compiled is there whole or not at all, once for all folders of a user."""

import contextlib
import fcntl
import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

ELSEWHERE = "TCPSWEEP_BUILD"  # the environment variable that names another folder
RECORD = "build.json"
# What compiling a scenario takes with GCC 12 and without ccache, in CPU time, and how many files are compiled at once.
FIRST_CPU_S, FILES = 30, 3


class BuildError(Exception):
    """What does not compile, and why; the user reads it."""


@dataclass(frozen=True)
class Record:
    """What a compiled file's folder says of it.

    Attributes
    ----------
    source : str
        The folder of its ``CMakeLists.txt``.
    needs : list of str
        Files that it is of no use without.
    seconds : float
        The time that compiling took, on all cores together with whatever else they did.
    """

    source: str
    needs: list[str]
    seconds: float


def folder() -> Path:
    """Where all that is compiled lies: what ``TCPSWEEP_BUILD`` names, or else ``tcpsweep/build`` in the user's cache.

    Raises
    ------
    BuildError
        This user has no home.
    """
    if named := os.environ.get(ELSEWHERE):
        return Path(named).expanduser().absolute()
    try:
        cache = Path(os.environ.get("XDG_CACHE_HOME", ""))
        # The XDG Base Directory Specification has paths ignored that are not absolute.
        return (cache if cache.is_absolute() else Path.home() / ".cache") / "tcpsweep" / "build"
    except RuntimeError:
        raise BuildError(f"there is no home folder for compiled programs; name a folder with {ELSEWHERE}") from None


def build(source: Path, made: Path, definitions: Sequence[str] = (), needs: Sequence[Path] = ()) -> Path:
    """Compile a CMake project into one file, where that is not there yet.

    Of processes that want the same file, one compiles it and the others wait.

    Parameters
    ----------
    source : Path
        The folder of its ``CMakeLists.txt``.
    made : Path
        The file, in a folder of its own, which is renamed into place when all of it is made. CMake leaves a file of
        that name in its build folder.
    definitions : list of str
        Options of CMake.
    needs : list of Path
        Files that it is of no use without, for its `Record`.

    Returns
    -------
    Path
        ``made``.

    Raises
    ------
    BuildError
        With the compiler's last lines and the log's path.
    """
    if made.is_file():
        return made
    place = made.parent.absolute()
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with Path(f"{place}.log").open("a", encoding="utf-8") as log:
            with contextlib.suppress(OSError):  # without locks, each compiles for itself
                fcntl.flock(log, fcntl.LOCK_EX)
            if not made.is_file():
                log.truncate(0)
                _compile(source, made, definitions, needs, log)
    except FileNotFoundError as error:
        raise BuildError(f"{error.filename} is not installed; run `make setup`") from None
    except OSError as error:
        where = error.filename or place
        raise BuildError(
            f"{where} cannot be written: {error.strerror}; {ELSEWHERE} names another folder for what is compiled"
        ) from None
    return made


def _compile(source: Path, made: Path, definitions: Sequence[str], needs: Sequence[Path], log: IO[str]) -> None:
    """Compile, with the compiler's words in a log that is open."""
    place, began = made.parent.absolute(), time.monotonic()
    work = place.with_name(f".{place.name}.{socket.gethostname()}.{os.getpid()}")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    commands: list[list[str | Path]] = [
        ["cmake", "-S", source, "-B", work, "-G", "Ninja", *definitions],
        ["cmake", "--build", work],
    ]
    try:
        for command in commands:
            done = subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False)
            if done.returncode:
                raise BuildError(f"{made.name} does not compile; {log.name} ends with\n{tail(log.name)}")
        (work / "made").mkdir()
        (work / made.name).rename(work / "made" / made.name)
        record = {"source": str(source), "needs": [str(path) for path in needs], "seconds": time.monotonic() - began}
        (work / "made" / RECORD).write_text(json.dumps(record), encoding="utf-8")
        try:
            (work / "made").rename(place)
        except OSError:
            if not made.is_file():  # another process was first: its file is as good
                raise
    finally:
        shutil.rmtree(work, ignore_errors=True)


def record(place: Path) -> Record | None:
    """What the folder of a compiled file says of it; None where it is no such folder."""
    try:
        return Record(**json.loads((place / RECORD).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def expected_seconds(made: Path) -> float:
    """How long it will take to compile a file that is not there.

    It is what the last one of that name took, with other code or for another ns-3, where there is one.

    Parameters
    ----------
    made : Path
        The file, as `build` takes it; its folder is called as it is, with a hyphen and its code's identity behind.
    """
    name = made.parent.name.rpartition("-")[0]
    for above, pattern in ((made.parent.parent, f"{name}-*"), (folder(), f"ns*/{name}-*")):
        earlier = sorted(above.glob(f"{pattern}/{RECORD}"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
        if known := next(filter(None, (record(path.parent) for path in earlier)), None):
            return known.seconds
    return FIRST_CPU_S / min(FILES, len(os.sched_getaffinity(0)))


def tail(log: Path | str, lines: int = 15) -> str:
    """The last lines of a log, indented."""
    text = Path(log).read_text(encoding="utf-8", errors="replace").splitlines()
    return "\n".join(f"    {line}" for line in text[-lines:])
