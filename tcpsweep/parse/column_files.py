# SPDX-License-Identifier: MIT
"""The simulator's files of columns as frames; ``ns3-scenarios/lib/output/series-file.h`` writes them."""

from __future__ import annotations

import ctypes
import itertools
import struct
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from tcpsweep.parse.simulator_files import Damaged
from tcpsweep.words import table_columns
from tcpsweep.words.table_columns import Kind

_ALIGNMENT = 8
# Type to its format in Arrow's C data interface, and its bytes.
_FORMATS: dict[Kind, tuple[bytes, int]] = {
    pl.Int64: (b"l", 8),
    pl.Int32: (b"i", 4),
    pl.UInt32: (b"I", 4),
    pl.UInt8: (b"C", 1),
}
TIME = "time_ns"


def read(path: Path, data: bytes, rows: Mapping[str, int], columns: Mapping[str, Kind]) -> pl.DataFrame:
    """The rows of a file.

    Parameters
    ----------
    path : Path
        The file, for messages.
    data : bytes
        Its content.
    rows : dict
        Each of its series to the number of its rows, in the order of the file.
    columns : dict
        Its columns to their types, in the order of the file, but for the times, which come first.

    Returns
    -------
    DataFrame
        One series after the other: `TIME`, integers of nanoseconds, and ``columns``.

    Raises
    ------
    Damaged
    """
    kinds: dict[str, Kind] = {TIME: pl.Int64, **columns}
    blocks = list(_blocks(path, data, len(rows), kinds))
    counts = [counts for counts, _ in blocks]
    for name, found in zip(rows, map(sum, zip(*counts, strict=True)) if counts else [0] * len(rows), strict=True):
        if found != rows[name]:
            raise Damaged(f"{path}: {found} rows of {name}; the simulator's record has {rows[name]}")
    firsts = [[0, *itertools.accumulate(own)] for own in counts]
    frame = {}
    for name, kind in kinds.items():
        parts = [
            block[name].slice(first[series], own[series])
            for series in range(len(rows))
            for own, first, (_, block) in zip(counts, firsts, blocks, strict=True)
            if own[series]
        ]
        frame[name] = _copied(parts) if parts else pl.Series(name, dtype=kind)
    return pl.DataFrame(frame)


def seconds(nanoseconds: str | pl.Expr) -> pl.Expr:
    """Exact seconds, of integers of nanoseconds."""
    value = pl.col(nanoseconds) if isinstance(nanoseconds, str) else nanoseconds
    return value.cast(pl.Int128).reinterpret(dtype=table_columns.SECONDS)


def _copied(parts: Sequence[pl.Series]) -> pl.Series:
    """Parts one after the other, in memory of polars' own.

    What lies in the file's bytes is freed by Python, whose lock another thread may hold when polars drops it.
    """
    if len(parts) > 1:
        return pl.concat(parts, rechunk=True)
    return parts[0].gather(pl.int_range(len(parts[0]), eager=True))


def _blocks(
    path: Path, data: bytes, series: int, kinds: Mapping[str, Kind]
) -> Iterator[tuple[tuple[int, ...], dict[str, pl.Series]]]:
    """The blocks of a file: how many rows of each series, and the columns, one series after the other."""
    head = struct.Struct(f"<{series}I")
    place = 0
    while place < len(data):
        block, place = place, place + _padded(head.size)
        if place > len(data):
            raise Damaged(f"{path}: offset {block}: ends within a block")
        counts = head.unpack_from(data, block)
        columns = {}
        for name, kind in kinds.items():
            form, width = _FORMATS[kind]
            end = place + width * sum(counts)
            if end > len(data):
                raise Damaged(f"{path}: offset {block}: ends within a block")
            columns[name] = pl.Series(name, _Column(form, data, place, sum(counts)))
            place = end
        place = _padded(place)
        yield counts, columns


def _padded(size: int) -> int:
    return (size + _ALIGNMENT - 1) // _ALIGNMENT * _ALIGNMENT


class _Schema(ctypes.Structure):
    """``struct ArrowSchema`` of Arrow's C data interface."""


class _Array(ctypes.Structure):
    """``struct ArrowArray`` of Arrow's C data interface."""


_ReleaseSchema = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Schema))
_ReleaseArray = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Array))
_Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.c_void_p),
    ("dictionary", ctypes.c_void_p),
    ("release", _ReleaseSchema),
    ("private_data", ctypes.c_void_p),
]
_Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.c_void_p),
    ("dictionary", ctypes.c_void_p),
    ("release", _ReleaseArray),
    ("private_data", ctypes.c_void_p),
]
# What arrays that polars holds need to stay: each array's number to its data and its pointers into these.
_held: dict[int, tuple[bytes, Any]] = {}
_numbers = itertools.count(1)


def _release_schema(schema: Any) -> None:
    schema.contents.release = _ReleaseSchema()


def _release_array(array: Any) -> None:
    del _held[array.contents.private_data]
    array.contents.release = _ReleaseArray()


_SCHEMA_RELEASE, _ARRAY_RELEASE = _ReleaseSchema(_release_schema), _ReleaseArray(_release_array)


class _Column:
    """Numbers within bytes for polars, by the Arrow PyCapsule interface, which hands them over uncopied."""

    def __init__(self, form: bytes, data: bytes, place: int, length: int) -> None:
        number, start = next(_numbers), ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0
        buffers = (ctypes.c_void_p * 2)(None, start + place)
        _held[number] = data, buffers
        pointers = ctypes.cast(buffers, ctypes.POINTER(ctypes.c_void_p))
        self._schema = _Schema(form, b"", None, 0, 0, None, None, _SCHEMA_RELEASE, None)
        self._array = _Array(length, 0, 0, 2, 0, pointers, None, None, _ARRAY_RELEASE, number)

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[Any, ...]:
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
        structures = ((self._schema, b"arrow_schema"), (self._array, b"arrow_array"))
        return tuple(new(ctypes.addressof(structure), name, None) for structure, name in structures)
