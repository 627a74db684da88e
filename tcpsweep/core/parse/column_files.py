# SPDX-License-Identifier: MIT
"""Read the simulator's column files, which ``ns3-scenarios/lib/output/series-file.h`` writes, into arrays."""

from __future__ import annotations

import itertools
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from tcpsweep.core.parse.simulator_files import Damaged
from tcpsweep.core.words import table_columns

Columns: TypeAlias = dict[str, npt.NDArray[Any]]
_ALIGNMENT = 8
TIME = "time_ns"


def read(path: Path, data: bytes, rows: Mapping[str, int], columns: Mapping[str, str]) -> Columns:
    """Read the rows of a file. Raises `Damaged`.

    Parameters
    ----------
    path : Path
        The file, for messages.
    data : bytes
        Its content.
    rows : dict
        The number of rows of each series, in the file's order.
    columns : dict
        The numpy type of each column, in the file's order, without the times, which come first.

    Returns
    -------
    dict of array
        `TIME`, in whole nanoseconds, and ``columns``; the rows of each series are contiguous.
    """
    kind_of_column = {TIME: "<i8", **columns}
    blocks = list(_blocks(path, data, len(rows), kind_of_column))
    counts = [counts for counts, _ in blocks]
    for name, count in zip(rows, map(sum, zip(*counts, strict=True)) if counts else [0] * len(rows), strict=True):
        if count != rows[name]:
            raise Damaged(f"{path}: {count} rows of {name}; the simulator's record has {rows[name]}")
    first_rows = [[0, *itertools.accumulate(block_counts)] for block_counts in counts]
    if len(blocks) == 1:  # in the order of the file
        return blocks[0][1]
    return {
        name: np.concatenate(
            [np.zeros(0, kind)]
            + [
                block[name][first[series] : first[series + 1]]
                for series in range(len(rows))
                for first, (_, block) in zip(first_rows, blocks, strict=True)
            ]
        )
        for name, kind in kind_of_column.items()
    }


def seconds(nanoseconds: str | pl.Expr) -> pl.Expr:
    """Exact seconds, as a decimal, from whole nanoseconds."""
    value = pl.col(nanoseconds) if isinstance(nanoseconds, str) else nanoseconds
    return value.cast(pl.Int128).reinterpret(dtype=table_columns.SECONDS)


def _blocks(
    path: Path, data: bytes, series: int, kinds: Mapping[str, str]
) -> Iterator[tuple[tuple[int, ...], Columns]]:
    """Yield the blocks of a file: the number of rows of each series, and the columns, series by series."""
    head = struct.Struct(f"<{series}I")
    offset = 0
    while offset < len(data):
        block_offset, offset = offset, offset + _padded(head.size)
        if offset > len(data):
            raise Damaged(f"{path}: offset {block_offset}: ends within a block")
        counts = head.unpack_from(data, block_offset)
        columns = {}
        for name, kind in kinds.items():
            end = offset + np.dtype(kind).itemsize * sum(counts)
            if end > len(data):
                raise Damaged(f"{path}: offset {block_offset}: ends within a block")
            # Do not copy it, not even for polars: if polars frees it in another thread, this thread waits for the GIL.
            columns[name] = np.frombuffer(data, kind, sum(counts), offset)
            offset = end
        offset = _padded(offset)
        yield counts, columns


def _padded(size: int) -> int:
    return (size + _ALIGNMENT - 1) // _ALIGNMENT * _ALIGNMENT
