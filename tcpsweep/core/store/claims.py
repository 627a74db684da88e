# SPDX-License-Identifier: MIT
"""Claims: if several runs work in ``results/`` at a time, only one of them works on a cell.

A claim is a file in ``results/claims/`` with the name of its cell. The process that works on the cell locks it
(``flock``), and the lock ends with the process. If the process was killed, the unlocked file stays and names a cell
that may have unfinished files. So no process works on a cell without a claim, even if the disk is full only for a
moment: without the claim, nothing would lead to the unfinished files.
"""

import contextlib
import errno
import fcntl
import os
import time
from collections.abc import Iterator

from tcpsweep.core.store import layout, removal, whole_files

PAUSE_S = 0.5


@contextlib.contextmanager
def awaited(cell: str) -> Iterator[None]:
    """Wait until no other process has the cell, then claim it for the block. Raises `OSError` if that fails."""
    while True:
        with claimed(cell) as hindrance:
            if hindrance is None:
                yield
                return
            if not isinstance(hindrance, BlockingIOError):
                raise hindrance
        time.sleep(PAUSE_S)


def is_held(cell: str) -> bool:
    """Whether a process has claimed the cell now; False if the file system has no locks."""
    try:
        descriptor = os.open(layout.CLAIMS / cell, os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return False


@contextlib.contextmanager
def claimed(cell: str) -> Iterator[OSError | None]:
    """Claim a cell for the block, and first remove the unfinished files that a killed process left for it.

    Yields None if this process has the claim, `BlockingIOError` if another process has it, and another `OSError` if the
    claim cannot be made, for example because the disk is full.
    """
    try:
        descriptor, is_new = _open_and_lock(cell)
    except OSError as error:
        yield error
        return
    is_clear = is_new
    try:
        is_clear = is_clear or clear_cell(cell)
        yield None
    finally:
        # Unlink the file while it is locked: a process that has opened it sees that it is gone, and tries again. Keep
        # it if unfinished files could not be removed, for example because the folder has become read-only.
        with contextlib.suppress(OSError):
            if (is_clear or clear_cell(cell)) and not _has_scratch(cell):
                removal.remove(layout.CLAIMS / cell)
        os.close(descriptor)


def _has_scratch(cell: str) -> bool:
    """Whether this process left unfinished files for a cell."""
    return whole_files.has_scratch(layout.raw(cell)) or any(
        name.startswith(".") for name in layout.names_in(layout.CELLS / cell)
    )


def _open_and_lock(cell: str) -> tuple[int, bool]:
    """The claim's open and locked file, and whether it is new.

    If the file system has no locks, the file is only opened: then only one run works there (`locks.why_alone`).
    """
    claim = layout.CLAIMS / cell
    while True:
        is_new = True
        try:
            descriptor = os.open(claim, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
        except FileExistsError:
            is_new = False
            try:
                descriptor = os.open(claim, os.O_RDWR)
            except FileNotFoundError:
                if claim.is_symlink():
                    raise OSError(errno.ENOENT, "a link to nothing; remove it", str(claim)) from None
                continue
        except FileNotFoundError:
            layout.CLAIMS.mkdir(parents=True, exist_ok=True)
            continue
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(descriptor), claim.stat()):
                    return descriptor, is_new
        except BlockingIOError:
            os.close(descriptor)
            raise
        except OSError:
            return descriptor, True
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def clear(nobody_works: bool = False) -> None:
    """Remove the unfinished files that killed processes left, and their claims.

    ``nobody_works`` means that no process works on any cell, even if the locks say otherwise.
    """
    for cell in layout.names_in(layout.CLAIMS):
        if nobody_works:
            if clear_cell(cell):
                removal.remove(layout.CLAIMS / cell)
        else:
            with claimed(cell):
                pass


def clear_cell(cell: str) -> bool:
    """Remove the scratch folders that killed jobs on any machine left for a cell. No process may be working on it.

    A folder that was about to be replaced comes back to its place. Returns whether all are gone. One stays if its
    folder has become read-only, for example.
    """
    folders = [layout.RAW / name for name in layout.names_in(layout.RAW) if whole_files.is_scratch_of(name, cell)]
    folders += [layout.CELLS / cell / name for name in layout.names_in(layout.CELLS / cell) if name.startswith(".")]
    for folder in folders:
        with contextlib.suppress(OSError):
            whole_files.bring_back(folder)
            removal.remove(folder)
    return not any(folder.exists() for folder in folders)
