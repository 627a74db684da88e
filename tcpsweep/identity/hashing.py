# SPDX-License-Identifier: MIT
"""Short hashes of texts."""

import hashlib

DIGITS = 12


def short_hash(*parts: str | bytes) -> str:
    """The first 12 hex digits of a hash over texts and their lengths, so that texts cannot run into each other."""
    digest = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode()
        digest.update(b"%d:" % len(data) + data)
    return digest.hexdigest()[:DIGITS]
