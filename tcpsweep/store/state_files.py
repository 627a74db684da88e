# SPDX-License-Identifier: MIT
"""Read the JSON that tcpsweep writes for itself, without trusting it.

A disk that filled up, a bit that turned or a hand may have left anything there. A file that does not hold what it must
counts as missing, and is made again like one.
"""

from pathlib import Path
from typing import TypeVar

import msgspec

T = TypeVar("T")


def read(path: Path, kind: type[T]) -> T | None:
    """What a file of JSON holds, of a type that it must have in full; None if it is missing or damaged."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.MsgspecError, ValueError, RecursionError):
        return None
