# SPDX-License-Identifier: MIT
"""Texts that take long to make, kept beside compiled programs, each below a line with its digest.

A text that is not what was written counts as missing. The digest finds damage. It is no protection from somebody who
may write there (`compiled_programs.folder`).
"""

import contextlib
import hashlib
from pathlib import Path

from tcpsweep.store import compiled_programs, whole_files

_HEAD = "sha256 "


def read(place: Path) -> str | None:
    """The text that `write` left at a place; None if it is missing or damaged."""
    try:
        head, _, text = place.read_bytes().partition(b"\n")
    except OSError:
        return None
    return text.decode() if head.decode("latin-1") == _head(text) else None


def write(place: Path, text: str) -> None:
    """Keep a text, where that is possible: the folder may be read-only."""
    with contextlib.suppress(OSError):
        if place.parent == compiled_programs.folder():
            compiled_programs.made_folder()
        whole_files.write_whole(place, f"{_head(text.encode())}\n{text}")


def _head(text: bytes) -> str:
    return f"{_HEAD}{hashlib.sha256(text).hexdigest()}"
