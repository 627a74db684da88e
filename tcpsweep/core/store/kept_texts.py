# SPDX-License-Identifier: MIT
"""Keep texts that take long to make, next to the compiled programs, each below a line with its digest.

A text that differs from the written one counts as missing. The digest detects damage. It does not protect against
people who may write to the folder (`compiled_programs.folder`).
"""

import contextlib
import hashlib
from pathlib import Path

from tcpsweep.core.store import compiled_programs, whole_files

_HEAD = "sha256 "


def read(place: Path) -> str | None:
    """The text that `write` wrote to a path; None if it is missing or damaged."""
    try:
        head, _, text = place.read_bytes().partition(b"\n")
    except OSError:
        return None
    return text.decode() if head.decode("latin-1") == _head(text) else None


def write(place: Path, text: str) -> None:
    """Keep a text, if possible: the folder may be read-only."""
    with contextlib.suppress(OSError):
        if place.parent == compiled_programs.folder():
            compiled_programs.made_folder()
        whole_files.write_whole(place, f"{_head(text.encode())}\n{text}")


def _head(text: bytes) -> str:
    return f"{_HEAD}{hashlib.sha256(text).hexdigest()}"
