# SPDX-License-Identifier: MIT
"""Files and folders that are there whole or not at all, even if a process is killed meanwhile."""

import contextlib
import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tcpsweep.store import layout

_HOST = socket.gethostname().replace(".", "_")


@contextmanager
def made_whole(place: Path, above: Path | None = None) -> Iterator[Path]:
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
            if not place.is_dir():  # otherwise another process made the same folder meanwhile
                raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


@contextmanager
def written_whole(place: Path) -> Iterator[Path]:
    """A path to write a file to, which replaces the one at ``place`` when the block ends well."""
    scratch = _scratch(place)
    try:
        yield scratch
        scratch.replace(place)
    finally:
        scratch.unlink(missing_ok=True)


def remove_whole(place: Path) -> None:
    """Remove a folder so that nobody ever sees half of it."""
    scratch = _scratch(place)
    with contextlib.suppress(FileNotFoundError):
        place.rename(scratch)
    shutil.rmtree(scratch, ignore_errors=True)


def _scratch(place: Path) -> Path:
    return place.with_name(f".{place.name}.{_HOST}.{os.getpid()}")


def clear_scratch(everywhere: bool = False) -> None:
    """Remove the scratch folders that processes of this machine left when they were killed.

    With ``everywhere``, also those of all other machines; nothing may run there.
    """
    for folder in [
        *_hidden(layout.RAW),
        *(path for cell in layout.listed(layout.CELLS) for path in _hidden(layout.CELLS / cell)),
        *_hidden(layout.FAILED),
    ]:
        *_, owner_host, pid = folder.name.rsplit(".", 2)
        if everywhere if owner_host != _HOST else not Path(f"/proc/{pid}").exists():
            shutil.rmtree(folder, ignore_errors=True)


def clear_cell(cell: str) -> None:
    """Remove the scratch folders that killed jobs, of any machine, left for a cell; none may be at work on it."""
    for folder in [*layout.RAW.glob(f".{cell}.*"), *_hidden(layout.CELLS / cell)]:
        shutil.rmtree(folder, ignore_errors=True)


def _hidden(folder: Path) -> list[Path]:
    return [folder / name for name in layout.listed(folder) if name.startswith(".")]


def write_whole(path: Path | str, text: str) -> None:
    """Write a file so that it is there whole or not at all."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(
        "w", dir=path.parent, prefix=f".{path.name}.", delete=False, encoding="utf-8"
    ) as file:
        file.write(text)
    Path(file.name).chmod(0o644)
    Path(file.name).replace(path)
