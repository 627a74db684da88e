# SPDX-License-Identifier: MIT
"""Refuse links in folders of results: a folder may come from others, and a link in it may lead to any place.

Only the folders ``results`` and ``reports`` themselves may be links, for example to another disk.
"""

import errno
import os
from pathlib import Path

from tcpsweep.core.words.user_error import UserError


class Outside(UserError, OSError):
    """A path leads, or may lead, out of the folders of results; the user reads the message."""

    def __str__(self) -> str:
        """The message."""
        return f"{self.filename} is {self.strerror}"


def error(path: Path) -> Outside:
    """The error for a link where only a folder or a file is allowed."""
    words = "a link, which may lead anywhere; remove it. Only `results` and `reports` themselves may be links"
    return Outside(errno.ELOOP, words, str(path))


def refuse(*paths: Path) -> None:
    """Raise `Outside` if a file or a folder, or anything in the folder, is a link."""
    for path in paths:
        if path.is_symlink():
            raise error(path)
        _refuse_below(str(path))


def _refuse_below(folder: str) -> None:
    try:
        entries = os.scandir(folder)  # which knows the kinds of a hundred thousand files at once
    except (FileNotFoundError, NotADirectoryError):
        return
    with entries:
        for entry in entries:
            if entry.is_symlink():
                raise error(Path(entry.path))
            if entry.is_dir(follow_symlinks=False):
                _refuse_below(entry.path)
