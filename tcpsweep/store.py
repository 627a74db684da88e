# SPDX-License-Identifier: MIT
"""Where results lie. A cell's folder that exists is whole and right: it was made beside its place and renamed into it.

``results/raw/<cell>/`` holds what the simulator wrote, ``results/cells/<cell>/<parser>/`` its Parquet, with the code id
of the parser as the last part, and ``measured-<id>/`` in that its metrics, ``results/failed/<cell>/`` the log of a cell
that failed last time,
``results/sweeps/<name>/`` what is computed from all cells of a sweep. No two processes can spoil each other's work: the
second to finish a folder finds it there and throws its own away.
"""

import contextlib
import fcntl
import json
import os
import shutil
import socket
from contextlib import contextmanager
from pathlib import Path

RESULTS = Path("results")
RAW = RESULTS / "raw"
CELLS = RESULTS / "cells"
FAILED = RESULTS / "failed"
PLANS = RESULTS / "plans"
SWEEPS = RESULTS / "sweeps"
LOCK = RESULTS / ".lock"
SUBMITTED = RESULTS / ".submitted"
COMPLETE = "complete"
_HOST = socket.gethostname().replace(".", "_")


class Busy(Exception):
    """Another run, or a job of one, works in this folder, or nobody can know; the user reads it."""


def raw(cell):
    """The folder of the cell's raw files."""
    return RAW / cell


def parquet(cell, parser):
    """The folder of the cell's Parquet as the parser with that code id makes it."""
    return CELLS / cell / parser


def measured(cell, parser, measure):
    """The folder of the cell's metrics, measured as the id ``measure`` says."""
    return parquet(cell, parser) / f"measured-{measure}"


def finished(runs, parser, measures):
    """Those of a sweep's runs that have their metrics.

    Parameters
    ----------
    runs : iterable of (str, int, int)
        Cell, combination, run.
    parser : str
    measures : list of str
        How each combination is measured.

    Returns
    -------
    list of (str, int, int)
    """
    return [run for run in runs if measured(run[0], parser, measures[run[1]]).is_dir()]


@contextmanager
def made_whole(place, above=None):
    """A scratch folder that is renamed to ``place`` when the block ends well and is removed when it does not.

    It lies beside ``place``, or in the folder ``above``.
    """
    scratch = _scratch((above or place.parent) / place.name)
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    try:
        yield scratch
        try:
            scratch.rename(place)
        except OSError:
            if not place.is_dir():  # otherwise somebody else made the same folder meanwhile
                raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


@contextmanager
def written_whole(place):
    """A path to write a file to, which replaces the one at ``place`` when the block ends well."""
    scratch = _scratch(place)
    try:
        yield scratch
        scratch.replace(place)
    finally:
        scratch.unlink(missing_ok=True)


def remove_whole(place):
    """Remove a folder so that nobody ever sees half of it."""
    scratch = _scratch(place)
    with contextlib.suppress(FileNotFoundError):
        place.rename(scratch)
    shutil.rmtree(scratch, ignore_errors=True)


def _scratch(place):
    return place.with_name(f".{place.name}.{_HOST}.{os.getpid()}")


def clear_scratch(everywhere=False):
    """Remove the scratch folders that processes of this machine left when they were killed.

    With ``everywhere``, also those of all other machines; nothing may run there.
    """
    for folder in [
        *_hidden(RAW),
        *(path for cell in listed(CELLS) for path in _hidden(CELLS / cell)),
        *_hidden(FAILED),
    ]:
        *_, owner_host, pid = folder.name.rsplit(".", 2)
        if everywhere if owner_host != _HOST else not Path(f"/proc/{pid}").exists():
            shutil.rmtree(folder, ignore_errors=True)


def clear_cell(cell):
    """Remove the scratch folders that killed jobs, of any machine, left of a cell; none may be at work on it."""
    for folder in [*RAW.glob(f".{cell}.*"), *_hidden(CELLS / cell)]:
        shutil.rmtree(folder, ignore_errors=True)


def listed(folder):
    """The names in a folder; none where there is no folder, or not any more."""
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in entries]
    except OSError:
        return []


def _hidden(folder):
    return [folder / name for name in listed(folder) if name.startswith(".")]


def lock():
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
    RESULTS.mkdir(parents=True, exist_ok=True)
    file = LOCK.open("a+")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        owner = file.read().strip() or "another process"
        file.close()
        raise Busy(f"{RESULTS.absolute()} is in use by {owner}; wait until it ends, or end it") from None
    except OSError as error:
        file.close()
        raise Busy(
            f"{LOCK.absolute()} cannot be locked: {error.strerror}; results/ has to be on a file system with locks "
            "(flock), such as NFS, or Lustre mounted with `-o flock`"
        ) from None
    file.truncate(0)
    file.write(f"process {os.getpid()} on {socket.gethostname()}")
    file.flush()
    return file


def complete(folder):
    """What the last step of a run wrote of a sweep, in the sweep's folder; None where none has ended there.

    Returns
    -------
    dict
        ``made``: steps to the files that they made, each to its size; ``table``: the sweep's summary as text.
    """
    try:
        return json.loads((folder / COMPLETE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def submitted():
    """The name of the sweep whose jobs a run on a cluster has submitted and not seen end; None if there is none.

    Such a run holds `lock` while it lives. If it was killed, its jobs go on without it.
    """
    try:
        return SUBMITTED.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
