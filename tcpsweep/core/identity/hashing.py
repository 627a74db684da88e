# SPDX-License-Identifier: MIT
"""Short hashes of texts."""

import hashlib
import os
from pathlib import Path
from typing import Protocol

DIGITS = 12
_PART_BYTES = 1 << 20  # bytes to read at once


class _Hash(Protocol):
    def update(self, data: bytes, /) -> None: ...


def short_hash(*parts: str | bytes) -> str:
    """The first 12 hex digits of a hash over texts and their lengths, so that texts cannot run into each other."""
    digest = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode()
        digest.update(b"%d:" % len(data) + data)
    return digest.hexdigest()[:DIGITS]


def add_file(digest: _Hash, name: str, path: Path) -> None:
    """Add a file's name, size and content to a hash, and keep only a part of the file in memory. Raises `OSError`."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        digest.update(f"{name}\0{size}\0".encode())
        while part := file.read(_PART_BYTES):
            digest.update(part)
