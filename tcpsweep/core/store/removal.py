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
_TOPS = (str(layout.RESULTS), str(layout.REPORTS), _SNAKEMAKE)
_ON_THE_WAY = os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC


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
    top = within or next((parent for parent in reversed(place.parents) if parent.name in _TOPS), None)
    if top is None or ".." in place.relative_to(top).parts:
        raise links.Outside(errno.EINVAL, f"not below {' or '.join(_TOPS)}", str(place))
    folder, path = _opened(str(top), None, top) if top.name == _SNAKEMAKE else os.open(top, _ON_THE_WAY), top
    try:
        for name in place.relative_to(top).parts[:-1]:
            path /= name
            below = _opened(name, folder, path)
            os.close(folder)
            folder = below
        yield folder
    finally:
        os.close(folder)


def _opened(name: str, above: int | None, path: Path) -> int:
    try:
        return os.open(name, _ON_THE_WAY | os.O_NOFOLLOW, dir_fd=above)
    except NotADirectoryError:
        if stat.S_ISLNK(os.stat(name, dir_fd=above, follow_symlinks=False).st_mode):
            raise links.error(path) from None
        raise
