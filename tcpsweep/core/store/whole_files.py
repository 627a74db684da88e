# SPDX-License-Identifier: MIT
"""Write files and folders so that they are complete or absent, even if the process is killed."""

import contextlib
import fcntl
import os
import secrets
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_TEMPORARY = "tcpsweep-cell-"
_NOT_YET_LOCKED_S = 10
_HOST = socket.gethostname().replace(".", "_")
_FORMER = "-former"


@contextmanager
def made_whole(place: Path, above: Path | None = None, replaces: bool = False) -> Iterator[Path]:
    """A scratch folder. If the block succeeds, it is renamed to ``place``; otherwise it is removed.

    It is next to ``place``, or in the folder ``above``. With ``replaces``, it takes the place of an earlier folder. If
    the process is killed in between, `bring_back` brings the earlier one back.
    """
    scratch = _scratch((above or place.parent) / place.name)
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    try:
        yield scratch
        if replaces:
            _replace_folder(scratch, place)
            return
        try:
            scratch.rename(place)
        except OSError:
            if not place.is_dir():  # otherwise another process made the same folder meanwhile
                raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _replace_folder(scratch: Path, place: Path) -> None:
    """Rename a folder to its place, and remove the earlier one there."""
    former = scratch.with_name(f"{scratch.name}{_FORMER}")
    try:
        with contextlib.suppress(FileNotFoundError):
            place.rename(former)
        scratch.rename(place)
    finally:
        bring_back(former)
    shutil.rmtree(former, ignore_errors=True)


def bring_back(scratch: Path) -> None:
    """Rename a folder back to its place if it was to be replaced, and nothing has come there. Raises `OSError`."""
    place = scratch.with_name(scratch.name[1:].rsplit(".", 2)[0])
    if scratch.name.endswith(_FORMER) and scratch.exists() and not place.exists():
        scratch.rename(place)


@contextmanager
def written_whole(place: Path) -> Iterator[Path]:
    """A path for a new file. If the block succeeds, the new file replaces the one at ``place``.

    Its content reaches the disk before its name: after a power cut, either the old file or the new one is there.
    """
    scratch = _scratch(place)
    try:
        yield scratch
        sync(scratch)
        _replace(scratch, place)
    finally:
        scratch.unlink(missing_ok=True)


def _replace(scratch: Path, place: Path) -> None:
    """Rename a file to its place. An empty folder there is removed: only an accident makes one."""
    try:
        scratch.replace(place)
    except IsADirectoryError:
        with contextlib.suppress(OSError):
            place.rmdir()
        try:
            scratch.replace(place)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(place)) from None


@contextmanager
def temporary(above: Path | str) -> Iterator[Path]:
    """A folder that is removed when the block ends. If its process is killed, the next block removes it."""
    for leftover in Path(above).glob(f"{_TEMPORARY}*"):
        with contextlib.suppress(OSError):
            if time.time() - leftover.stat().st_mtime > _NOT_YET_LOCKED_S:
                with _locked_folder(leftover):
                    shutil.rmtree(leftover, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=_TEMPORARY, dir=above) as folder, contextlib.ExitStack() as locks:
        with contextlib.suppress(OSError):
            locks.enter_context(_locked_folder(Path(folder)))
        yield Path(folder)


@contextmanager
def _locked_folder(folder: Path) -> Iterator[None]:
    """Lock a folder. Raises `OSError` if another process has locked it."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)


def _scratch(place: Path) -> Path:
    return place.with_name(f".{place.name}.{_HOST}.{os.getpid()}")


def has_scratch(place: Path) -> bool:
    """Whether this process has a scratch folder or file for a place."""
    return _scratch(place).exists()


def is_scratch_of(name: str, place: str) -> bool:
    """Whether a name is a scratch name for ``place``, made by any process."""
    return name.startswith(".") and name[1:].rsplit(".", 2)[0] == place


def write_whole(path: Path | str, text: str, is_lasting: bool = False) -> None:
    """Write a file so that it is complete or absent; with ``is_lasting`` also after a power cut."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    # Do not use Python's temporary files, which only their owner may read: the umask says who may.
    scratch = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with scratch.open("x", encoding="utf-8") as file:
            file.write(text)
            if is_lasting:
                file.flush()
                os.fsync(file.fileno())
        _replace(scratch, path)
    except BaseException:
        scratch.unlink(missing_ok=True)
        raise


def sync(path: Path) -> None:
    """Make a file's content, or a folder's names, survive a power cut, if the file system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
