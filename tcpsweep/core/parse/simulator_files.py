# SPDX-License-Identifier: MIT
"""Read a simulator's files, and compare each with the checksum that the simulator wrote."""

import re
import zlib
from dataclasses import dataclass
from pathlib import Path

from tcpsweep.core.words.user_error import UserError

CHECKSUMS = "checksums.txt"
_LINE = re.compile(r"([0-9a-f]{8}) ([0-9]{1,18}) ([^\x00-\x20/][^\x00-\x1f/]*)")
_PIECE_BYTES = 1 << 20


class Damaged(UserError):
    """A raw file differs from a finished simulation's file. The message names the file and the place."""


@dataclass(frozen=True)
class SimulatorFiles:
    """The files of one finished simulation.

    Attributes
    ----------
    checksums : dict
        The CRC-32 and the size in bytes of each file, by name.
    """

    folder: Path
    checksums: dict[str, tuple[int, int]]

    def __contains__(self, name: str) -> bool:
        """Whether the simulator wrote a file of that name."""
        return name in self.checksums

    def read(self, name: str) -> bytes:
        """The content of a file. Raises `Damaged`."""
        try:
            data = (self.folder / name).read_bytes()
        except OSError as error:
            raise _unreadable(self.folder / name, error) from None
        self._compare(name, zlib.crc32(data), len(data))
        return data

    def check(self, name: str) -> Path:
        """Check that a file, possibly larger than the memory, is as the simulator wrote it, and return its path.

        Raises `Damaged`.
        """
        crc, size = 0, 0
        try:
            with (self.folder / name).open("rb", buffering=0) as file:
                while piece := file.read(_PIECE_BYTES):
                    crc, size = zlib.crc32(piece, crc), size + len(piece)
        except OSError as error:
            raise _unreadable(self.folder / name, error) from None
        self._compare(name, crc, size)
        return self.folder / name

    def _compare(self, name: str, crc: int, size: int) -> None:
        if name not in self.checksums:
            raise Damaged(f"{self.folder / CHECKSUMS}: no line for {name}")
        written_crc, written_size = self.checksums[name]
        if size != written_size:
            where = f"offset {min(size, written_size)}"
            raise Damaged(f"{self.folder / name}: {where}: has {size} bytes; the simulator wrote {written_size} bytes")
        if crc != written_crc:
            raise Damaged(
                f"{self.folder / name}: its CRC-32 is {crc:08x}; the simulator wrote {written_crc:08x}: "
                f"somewhere in its {size} bytes it was changed"
            )


def _unreadable(path: Path, error: OSError) -> Damaged:
    why = "missing" if isinstance(error, FileNotFoundError) else f"cannot be read: {error.strerror}"
    return Damaged(f"{path}: {why}")


def files_in(folder: Path) -> SimulatorFiles:
    """The files in the simulator's folder, from ``checksums.txt``, which the simulator writes last.

    Raises `Damaged`.
    """
    path = folder / CHECKSUMS
    try:
        lines = path.read_bytes().decode("utf-8", errors="replace").split("\n")
    except OSError as error:
        raise _unreadable(path, error) from None
    checksums: dict[str, tuple[int, int]] = {}
    for number, line in enumerate(lines[:-1], start=1):
        match = _LINE.fullmatch(line)
        if match is None or match[3] in checksums:
            raise Damaged(f"{path}: line {number}: expected a CRC-32, a size and the name of a file, got {line[:80]!r}")
        checksums[match[3]] = int(match[1], 16), int(match[2])
    if lines[-1]:
        raise Damaged(f"{path}: line {len(lines)}: ends within the line, got {lines[-1][:80]!r}")
    return SimulatorFiles(folder, checksums)
