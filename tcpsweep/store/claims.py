# SPDX-License-Identifier: MIT
"""Claims: of all runs that work in ``results/`` at a time, one brings a cell to its results.

A claim is a file in ``results/claims/`` with the name of its cell, locked (``flock``) by the process that works on the
cell. However that process ends, its lock ends with it. The claim of one that was killed stays as a file that nobody
has locked: it names a cell of which something half made may lie about. So nobody works on a cell without its claim,
even where the disk is full only for a moment: nobody would find again what was half made without one.
"""

import contextlib
import fcntl
import os
import shutil
import time
from collections.abc import Iterator

from tcpsweep.store import layout, whole_files

PAUSE_S = 0.5


@contextlib.contextmanager
def awaited(cell: str) -> Iterator[None]:
    """Claim a cell for the block, as soon as no other process has it. Raises `OSError` if the claim cannot be made."""
    while True:
        with claimed(cell) as hindrance:
            if hindrance is None:
                yield
                return
            if not isinstance(hindrance, BlockingIOError):
                raise hindrance
        time.sleep(PAUSE_S)


def is_held(cell: str) -> bool:
    """Whether a process has a claim of a cell now; False where the file system has no locks."""
    try:
        file = os.open(layout.CLAIMS / cell, os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(file)
    return False


@contextlib.contextmanager
def claimed(cell: str) -> Iterator[OSError | None]:
    """Claim a cell for the block. What a killed process left half made for the cell is removed first.

    Yields None if this process has the claim; `BlockingIOError` if another has it; another `OSError` if it cannot be
    made, as where the disk is full.
    """
    try:
        file, is_new = _locked(cell)
    except OSError as error:
        yield error
        return
    is_clear = is_new
    try:
        is_clear = is_clear or clear_cell(cell)
        yield None
    finally:
        # Unlinked while it is locked: whoever opened it before sees that it is gone, and tries again. It stays where
        # something half made could not be removed, as in a folder that has become read-only.
        with contextlib.suppress(OSError):
            if (is_clear or clear_cell(cell)) and not _has_scratch(cell):
                (layout.CLAIMS / cell).unlink(missing_ok=True)
        os.close(file)


def _has_scratch(cell: str) -> bool:
    """Whether this process left something half made for a cell."""
    return whole_files.has_scratch(layout.raw(cell)) or any(
        name.startswith(".") for name in layout.names_in(layout.CELLS / cell)
    )


def _locked(cell: str) -> tuple[int, bool]:
    """The claim's file, open and locked, and whether it was not there before.

    Where the file system has no locks, it is open only: there, a run is alone (`run_lock.is_alone`).
    """
    place = layout.CLAIMS / cell
    while True:
        is_new = True
        try:
            file = os.open(place, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
        except FileExistsError:
            is_new = False
            try:
                file = os.open(place, os.O_RDWR)
            except FileNotFoundError:
                continue
        except FileNotFoundError:
            layout.CLAIMS.mkdir(parents=True, exist_ok=True)
            continue
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(file), place.stat()):
                    return file, is_new
        except BlockingIOError:
            os.close(file)
            raise
        except OSError:
            return file, True
        except BaseException:
            os.close(file)
            raise
        os.close(file)


def clear(nobody_works: bool = False) -> None:
    """Remove what killed processes left half made, and their claims.

    ``nobody_works`` says that no process works on any cell, whatever the locks say.
    """
    for cell in layout.names_in(layout.CLAIMS):
        if nobody_works:
            if clear_cell(cell):
                (layout.CLAIMS / cell).unlink(missing_ok=True)
        else:
            with claimed(cell):
                pass


def clear_cell(cell: str) -> bool:
    """Remove the scratch folders that killed jobs, of any machine, left for a cell; none may be at work on it.

    Returns whether none is left, as one is in a folder that has become read-only.
    """
    found = [layout.RAW / name for name in layout.names_in(layout.RAW) if whole_files.is_scratch_of(name, cell)]
    found += [layout.CELLS / cell / name for name in layout.names_in(layout.CELLS / cell) if name.startswith(".")]
    for folder in found:
        shutil.rmtree(folder, ignore_errors=True)
    return not any(folder.exists() for folder in found)
