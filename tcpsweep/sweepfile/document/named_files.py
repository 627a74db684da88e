# SPDX-License-Identifier: MIT
"""Files that a sweep file names."""

from pathlib import Path


def exists(path: Path) -> bool:
    """Whether a path is a file. A text that is too long for a path is none, where `Path.is_file` raises `OSError`."""
    try:
        return path.is_file()
    except OSError:
        return False
