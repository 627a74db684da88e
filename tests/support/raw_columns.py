# SPDX-License-Identifier: MIT
"""Raw files in the simulator's format: columns, and checksums of the files."""

import array
import zlib


def padded(data):
    return data + bytes(-len(data) % 8)


def write(path, series, codes):
    """A file of one block; each row of a series is its time in s and its other columns, of the types of ``codes``."""
    counts = padded(array.array("I", map(len, series)).tobytes())
    rows = [row for rows in series for row in rows]
    times, *columns = zip(*rows, strict=True) if rows else [()] * (1 + len(codes))
    columns = [array.array(code, column).tobytes() for code, column in zip(codes, columns, strict=True)]
    nanoseconds = array.array("q", (round(time * 1e9) for time in times)).tobytes()
    path.write_bytes(counts + padded(nanoseconds + b"".join(columns)))


def write_checksums(folder):
    """The checksums of a folder's files, as if the simulator had written these."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name != "checksums.txt")
    lines = (f"{zlib.crc32(data):08x} {len(data)} {path.name}\n" for path in files for data in [path.read_bytes()])
    (folder / "checksums.txt").write_text("".join(lines))
