# SPDX-License-Identifier: MIT
"""Compile C++ with CMake. Compiled files appear only when complete, and all folders of a user share them."""

import contextlib
import fcntl
import functools
import json
import os
import re
import resource
import shlex
import shutil
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from tcpsweep.core.store import digests, state_files, whole_files
from tcpsweep.core.words.user_error import UserError

ELSEWHERE = "TCPSWEEP_BUILD"  # the environment variable that names another folder
SHARED = "TCPSWEEP_SHARED_BUILD"  # set to 1, it allows a folder that others own or may write to
RECORD = "build.json"
# The CPU time to compile a scenario with GCC 12 without ccache, and the number of files compiled at once.
FIRST_CPU_S, FILES = 30, 3


class BuildError(UserError):
    """A program does not compile. The message says which program and why, and the user reads it."""


@dataclass(frozen=True)
class Record:
    """The record in a compiled file's folder."""

    source: str  # the folder of its ``CMakeLists.txt``
    needs: list[str]  # the file is useless without these files
    seconds: float  # the time to compile on idle cores, estimated from the CPU time
    digests: dict[str, str] = field(default_factory=dict)  # of the folder's files, by their paths in it


def folder() -> Path:
    """The folder of all compiled programs: ``TCPSWEEP_BUILD``. Default: ``tcpsweep/build`` in the user's cache.

    Programs in this folder are run. So `BuildError` is raised if another user owns it or others may write to it, unless
    ``TCPSWEEP_SHARED_BUILD`` is 1. It is also raised if no program can run there, if this user has no home folder, or
    for a path with a comma, which separates libraries in arguments, or a semicolon, which separates CMake's options.
    """
    place = _chosen_folder()
    if sign := next((sign for sign in ",;" if sign in str(place)), None):
        raise BuildError(f"{place} has {sign!r} in its path: set {ELSEWHERE} to another folder for compiled programs")
    with contextlib.suppress(OSError):
        if os.statvfs(place).f_flag & os.ST_NOEXEC:
            raise BuildError(
                f"{place} is on a file system without programs (noexec): set {ELSEWHERE} to another folder"
            )
        if os.environ.get(SHARED) != "1" and (why := _why_foreign(place)):
            raise BuildError(
                f"{place} {why}, and programs in it would be run: set {ELSEWHERE} to another folder, or set {SHARED}=1 "
                "to trust them"
            )
    return place


def made_folder() -> Path:
    """As `folder`, but create it if it is missing. Only this user can access the new folder, for any umask.

    Raises `OSError`.
    """
    place = folder()
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        place.mkdir(mode=0o700, exist_ok=True)
    return place


@contextlib.contextmanager
def written(place: Path | None = None) -> Iterator[None]:
    """A block that writes compiled programs. Its `OSError` becomes a `BuildError` that names the file, or ``place``."""
    try:
        yield
    except OSError as error:
        where = error.filename or place or _chosen_folder()
        raise BuildError(
            f"{where} cannot be written: {error.strerror or error}; set {ELSEWHERE} to another folder for compiled "
            "programs"
        ) from None


def _why_foreign(place: Path) -> str:
    """A phrase that says how others may have put programs into a folder; empty if only this user or root may."""
    status = place.stat()
    if status.st_uid not in (os.getuid(), 0):
        return f"belongs to another user (id {status.st_uid})"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"may be written by others (`chmod -R go-w {shlex.quote(str(place))}` ends that)"
    return ""


def _chosen_folder() -> Path:
    """As `folder`, without its checks. Raises `BuildError` if there is no home folder."""
    named = os.environ.get(ELSEWHERE)
    try:
        if named:
            return Path(named).expanduser().absolute()
        cache = Path(os.environ.get("XDG_CACHE_HOME", ""))
        # The XDG Base Directory Specification says to ignore paths that are not absolute.
        return (cache if cache.is_absolute() else Path.home() / ".cache") / "tcpsweep" / "build"
    except RuntimeError:
        why = f", as in {named}" if named else ""
        raise BuildError(f"there is no home folder for compiled programs{why}; set {ELSEWHERE} to a folder") from None


def _always() -> bool:
    return True


def build(
    source: Path,
    made: Path,
    definitions: Sequence[str] = (),
    needs: Sequence[Path] = (),
    is_current: Callable[[], bool] = _always,
) -> Path:
    """Compile a CMake project into one file and return it. If the file exists and is intact, only return it.

    If several processes need the same file, one compiles it and the others wait. ``source`` is the folder of the
    ``CMakeLists.txt``. The file ``made`` has a folder of its own, which is renamed into place when complete. CMake
    leaves a file of the same name in its build folder. ``definitions`` are CMake options. ``needs`` are the files that
    the compiled file depends on, for its `Record`. ``is_current`` says after compiling whether the sources are still
    those that the place stands for; if not, the file is discarded. Raises `BuildError`, for example with the compiler's
    first errors and the log's path.
    """
    if is_there(made):
        return made
    place = made.parent.absolute()
    with written(place):
        if place.is_relative_to(folder()):
            made_folder()
        place.parent.mkdir(parents=True, exist_ok=True)
        with Path(f"{place}.log").open("a", encoding="utf-8") as log:
            with contextlib.suppress(OSError):  # without locks, each process compiles its own
                fcntl.flock(log, fcntl.LOCK_EX)
            if not is_there(made):
                clear(place)
                log.truncate(0)
                _compile(source, made, definitions, needs, log, is_current)
    return made


def _compile(
    source: Path,
    made: Path,
    definitions: Sequence[str],
    needs: Sequence[Path],
    log: IO[str],
    is_current: Callable[[], bool],
) -> None:
    """Compile, and write the compiler's output to an open log."""
    final, began_cpu_s = made.parent.absolute(), _children_cpu_s()
    build_folder = final.with_name(f".{final.name}.{socket.gethostname()}.{os.getpid()}")
    shutil.rmtree(build_folder, ignore_errors=True)
    build_folder.mkdir()
    commands: list[list[str | Path]] = [
        ["cmake", "-S", source, "-B", build_folder, "-G", "Ninja", *definitions],
        ["cmake", "--build", build_folder],
    ]
    try:
        for command in commands:
            try:
                ended = subprocess.run(
                    command,
                    env=environment(),
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    stdin=subprocess.DEVNULL,
                    check=False,
                )
            except FileNotFoundError as error:
                raise BuildError(
                    f"{error.filename} is not installed; run `make setup` in a clone, `tcpsweep setup` elsewhere"
                ) from None
            if ended.returncode:
                raise BuildError(f"{made.name} does not compile; the whole log is {log.name}\n{errors(log.name)}")
        if not is_current():
            raise BuildError(f"{made.name}: its source has changed while it was compiled; run the command again")
        (build_folder / "made").mkdir()
        (build_folder / made.name).rename(build_folder / "made" / made.name)
        seconds = (_children_cpu_s() - began_cpu_s) / _files_at_once()
        write_record(build_folder / "made", source, needs, seconds)
        try:
            (build_folder / "made").rename(final)
        except OSError:
            if not made.is_file():  # another process was first: use its file
                raise
    finally:
        shutil.rmtree(build_folder, ignore_errors=True)


def environment() -> dict[str, str]:
    """The environment without variables that add compiler flags: no identity has these flags."""
    left_out = ("CXXFLAGS", "CFLAGS", "CPPFLAGS", "LDFLAGS", "GCC_")
    return {name: value for name, value in os.environ.items() if not name.startswith(left_out)}


def is_there(made: Path) -> bool:
    """Whether a compiled file exists, and its folder `is_intact`."""
    return made.is_file() and is_intact(made.parent)


def is_intact(place: Path) -> bool:
    """Whether the folder of a compiled file has a record, and all files of the record are as they were compiled.

    Each file is read once in a process, and again if it changes.
    """
    return not damage(place)


def damage(place: Path) -> str:
    """What is wrong with the folder of a compiled file; empty if nothing is."""
    known = record(place)
    if known is None or not known.digests:
        return f"{place / RECORD} is missing, damaged or of an earlier version"
    differing = next((name for name, digest in known.digests.items() if _digest_or_none(place / name) != digest), None)
    return f"{place / differing} is not as it was compiled" if differing else ""


def clear(place: Path) -> None:
    """Remove the folder of a compiled file that is about to be compiled again, and say so."""
    if place.is_dir():
        print(f"tcpsweep: {damage(place)}; compiling it again", file=sys.stderr, flush=True)
        shutil.rmtree(place, ignore_errors=True)


def _digest_or_none(path: Path) -> str | None:
    try:
        status = path.stat()
        return _digest_by_stat(path, status.st_ino, status.st_size, status.st_mtime_ns)
    except OSError:
        return None


@functools.cache
def _digest_by_stat(path: Path, *_stat: int) -> str:
    """A file's digest. The file's `stat` is a part of the cache's key, so that a changed file is read again."""
    return digests.file_digest(path)


def record(place: Path) -> Record | None:
    """The record in the folder of a compiled file; None if it is missing or unreadable."""
    return state_files.read(place / RECORD, Record)


def write_record(place: Path, source: Path | str, needs: Sequence[Path], seconds: float) -> None:
    """Write the `Record` of a folder with a digest of each file below it, and write all to the disk.

    The folder can then be renamed.
    """
    files = sorted(path for path in place.rglob("*") if path.is_file())
    digest_of_file = {path.relative_to(place).as_posix(): digests.file_digest(path) for path in files}
    new_record = Record(str(source), [str(path) for path in needs], seconds, digest_of_file)
    (place / RECORD).write_text(json.dumps(vars(new_record)), encoding="utf-8")
    for path in (*files, place / RECORD, place):
        whole_files.sync(path)


def expected_seconds(made: Path) -> float:
    """The expected time, in s, to compile a file that does not exist.

    It is the longest time among the last three files of that name, because a compiler cache may have made the others
    faster. These files have other code, or were compiled for another ns-3. Without such files, it is a guess. The name
    of a folder is the file's name, a hyphen, and the identity of its code.
    """
    name = made.parent.name.rpartition("-")[0]
    for above, pattern in ((made.parent.parent, f"{name}-*"), (folder(), f"ns*/{name}-*")):
        earlier = sorted(above.glob(f"{pattern}/{RECORD}"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
        if seconds := [compilation.seconds for path in earlier[:3] if (compilation := record(path.parent))]:
            return max(seconds)
    return FIRST_CPU_S / _files_at_once()


def follow(command: Sequence[Path | str], environment: Mapping[str, str], take: Callable[[str], object]) -> int:
    """Run a command to its end, call ``take`` with each line of its output, and return its status."""
    with subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        try:
            for line in process.stdout or ():
                take(line)
        except BaseException:
            process.terminate()  # make and ninja then end their compilers
            raise
    return process.returncode


def _files_at_once() -> int:
    """The number of files compiled at once."""
    return min(FILES, len(os.sched_getaffinity(0)))


def _children_cpu_s() -> float:
    """The CPU time, in s, of this process's children that have ended. Other load does not add to it."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# Lines that CMake and Ninja print, in contrast to the compiler's; the command follows "FAILED:".
_CHATTER = re.compile(r"-- |\[[0-9]+/[0-9]+\] |FAILED: |ninja: |\S+ .*(-o \S+|-c \S+|-E env )")


def errors(log: Path | str, lines: int = 12) -> str:
    """The first lines of a build's log that the compiler or CMake wrote about errors, indented."""
    text = Path(log).read_text(encoding="utf-8", errors="replace").splitlines()
    messages = [line for line in text if line.strip() and not _CHATTER.match(line)]
    more = [f"    and {len(messages) - lines} lines more"] if len(messages) > lines else []
    return "\n".join([*(f"    {line}" for line in messages[:lines]), *more]) if messages else tail(log)


def tail(log: Path | str, lines: int = 15) -> str:
    """The last lines of a log, indented."""
    text = Path(log).read_text(encoding="utf-8", errors="replace").splitlines()
    return "\n".join(f"    {line}" for line in text[-lines:])
