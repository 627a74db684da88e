# SPDX-License-Identifier: MIT
"""Remove files and folders of results and reports, and nothing elsewhere.

A folder of results may come from others, so nothing behind a link in it is removed (`links`).
"""

import contextlib
import errno
import os
import shutil
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tcpsweep.core.store import layout, links

_SNAKEMAKE = ".snakemake"
_ALLOWED_TOPS = (str(layout.RESULTS), str(layout.REPORTS), _SNAKEMAKE)
_PATH_ONLY = os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC


def remove(place: Path, within: Path | None = None) -> None:
    """Remove a file, a link or a whole folder, if it exists. No process sees a folder half removed.

    The place is below ``results``, ``reports`` or ``.snakemake``, or below ``within``, a folder that tcpsweep owns.
    What a folder contains stays if it cannot be removed. Raises `OSError`, and `links.Outside` if a folder on the
    way is a link.
    """
    with contextlib.suppress(FileNotFoundError), _folder_of(place, within) as folder:
        if not stat.S_ISDIR(os.stat(place.name, dir_fd=folder, follow_symlinks=False).st_mode):
            os.unlink(place.name, dir_fd=folder)
            return
        name = place.name
        if not name.startswith("."):  # a hidden one is not finished anyway
            name = f".{name}.{socket.gethostname().replace('.', '_')}.{os.getpid()}"
            os.rename(place.name, name, src_dir_fd=folder, dst_dir_fd=folder)
        shutil.rmtree(name, ignore_errors=True, dir_fd=folder)


@contextmanager
def _folder_of(place: Path, within: Path | None) -> Iterator[int]:
    """A descriptor of the folder that a place is in, reached without links."""
    top = within or next((parent for parent in reversed(place.parents) if parent.name in _ALLOWED_TOPS), None)
    if top is None or ".." in place.relative_to(top).parts:
        raise links.Outside(errno.EINVAL, f"not below {' or '.join(_ALLOWED_TOPS)}", str(place))
    folder, so_far = _open_folder(str(top), None, top) if top.name == _SNAKEMAKE else os.open(top, _PATH_ONLY), top
    try:
        for name in place.relative_to(top).parts[:-1]:
            so_far /= name
            below = _open_folder(name, folder, so_far)
            os.close(folder)
            folder = below
        yield folder
    finally:
        os.close(folder)


def _open_folder(name: str, parent: int | None, path: Path) -> int:
    try:
        return os.open(name, _PATH_ONLY | os.O_NOFOLLOW, dir_fd=parent)
    except NotADirectoryError:
        if stat.S_ISLNK(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode):
            raise links.error(path) from None
        raise
