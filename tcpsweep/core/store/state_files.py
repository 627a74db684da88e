# SPDX-License-Identifier: MIT
"""Read files that tcpsweep wrote for its own use, but do not trust them.

A full disk, a flipped bit or an edit by hand may have changed them. A file with unexpected content counts as missing
and is made again.
"""

from pathlib import Path
from typing import TypeVar

import msgspec

T = TypeVar("T")


def read(path: Path, kind: type[T]) -> T | None:
    """The content of a JSON file, checked against a type; None if the file is missing or damaged."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.MsgspecError, ValueError, RecursionError):
        return None


def read_text(path: Path) -> str | None:
    """The content of a text file; None if the file is missing or not UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
