# SPDX-License-Identifier: MIT
"""Damage to files, as by a disk or a copy that failed."""

import os
from pathlib import Path


def turn_a_bit(path: Path) -> None:
    """Change a bit in the middle of a file.

    The file keeps its size and its time. It is another inode, because a process reads a file once.
    """
    found = path.stat()
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    damaged = path.with_name(f"{path.name}.damaged")
    damaged.write_bytes(data)
    damaged.chmod(found.st_mode)
    os.utime(damaged, ns=(found.st_atime_ns, found.st_mtime_ns))
    damaged.replace(path)
