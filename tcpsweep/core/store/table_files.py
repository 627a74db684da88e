# SPDX-License-Identifier: MIT
"""Write a cell's Parquet files, in encodings that suit times and counters.

polars' own writer stores plain numbers or a dictionary. Arrow's writer also stores differences, for times in whole
nanoseconds, and floats split by byte. zstd compresses both much better, and Arrow's writer is faster with short tables.
The files still contain the metadata from which polars restores its own types. polars writes the long tables that
arrive in blocks, `packets` and `events`, because it writes their columns on all cores.
"""

from __future__ import annotations

import functools
import io
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt
import polars as pl
import polars.selectors as cs
import pyarrow as pa
import pyarrow.parquet as pq

from tcpsweep.core.words import table_columns

_OLDEST_FORM = pl.CompatLevel.oldest()  # texts in the form that other readers of Parquet know

_FEW_ROWS = 256  # zstd does not make a table of so few rows smaller, and starting it takes longer than everything else
# Each polars type with its Arrow and numpy types.
_ARROW_AND_NUMPY: dict[table_columns.Kind, tuple[Any, type[np.generic]]] = {
    pl.Int32: (pa.int32(), np.int32),
    pl.Int64: (pa.int64(), np.int64),
    pl.Float64: (pa.float64(), np.float64),
}


# The text in a footer's last bytes that names the writer: the C++ version of Arrow, which is pyarrow's.
_WRITER = f"parquet-cpp-arrow version {pa.cpp_version}".encode()
OLDEST_WRITER = b"parquet-cpp-arrow version 22.0.0"
_FOOTER_BYTES = 1000  # bytes; the writer is followed by 3 bytes a column at most


@dataclass(frozen=True)
class Column:
    """A column as an array, for `write_columns`."""

    values: npt.NDArray[Any]  # seconds as whole nanoseconds; NaN means a missing value
    texts: Sequence[str] | None = None  # for a column of texts: its distinct texts, which the values index


def write(frame: pl.DataFrame, table: str, path: Path) -> None:
    """Write a frame to Parquet. Raises `ValueError` if its columns or types differ from the table's."""
    names, kinds = _names_and_kinds(table)
    if frame.columns != names or frame.dtypes != kinds:
        raise ValueError(f"{table}: expected the columns {table_columns.schema(table)}, got {dict(frame.schema)}")
    _write(_arrow_table(frame), table, path)


def write_all(frames: Mapping[str, pl.DataFrame], folder: Path) -> None:
    """Write a cell's tables, by name, with `write`. Raises `ValueError` as `write` does."""
    for table, frame in frames.items():
        write(frame, table, folder / f"{table}.parquet")


def write_columns(columns: Mapping[str, Column], table: str, path: Path) -> None:
    """Write arrays to Parquet. Raises `ValueError` if their names differ from the table's columns."""
    kinds = table_columns.schema(table)
    if list(columns) != list(kinds):
        raise ValueError(f"{table}: expected the columns {list(kinds)}, got {list(columns)}")
    _write(pa.table({name: _arrow_column(column, kinds[name]) for name, column in columns.items()}), table, path)


def sink(frames: Iterator[pl.DataFrame], table: str, out: Path) -> None:
    """Write frames to one Parquet file as they arrive, with few of them in memory and on all cores.

    Each frame becomes a row group. The file appears when it is complete.
    """
    from polars.io.plugins import register_io_source

    failures: list[Exception] = []

    def source(*_: object) -> Iterator[pl.DataFrame]:
        try:
            yield from frames
        except Exception as error:
            failures.append(error)
            raise

    part = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        # Statistics would take a sixth of the time, and save little because readers read whole columns.
        register_io_source(source, schema=table_columns.schema(table)).sink_parquet(
            part, compression="zstd", compression_level=3, statistics=False
        )
        part.rename(out)
    except Exception as error:
        if failures:  # raise the cause, not polars' error about it
            raise failures[0] from None
        if isinstance(error, pl.exceptions.ComputeError):
            raise OSError(f"{out} cannot be written: {error}") from None
        raise
    finally:
        part.unlink(missing_ok=True)


def _arrow_table(frame: pl.DataFrame) -> Any:
    """A frame as Arrow's table."""
    if any(isinstance(kind, pl.Categorical) for kind in frame.dtypes):
        # polars numbers categories in the order in which a process meets them; a file must have the order of its rows.
        frame = frame.with_columns(cs.categorical().cast(pl.String))
    return frame.to_arrow(compat_level=_OLDEST_FORM)


def _arrow_column(column: Column, kind: table_columns.Kind) -> Any:
    """A column as an Arrow array, made from its bytes because `pa.array` would load pandas if it is installed."""
    if column.texts is not None:
        texts = pl.Series(column.texts, dtype=pl.String).to_arrow(compat_level=_OLDEST_FORM)
        return pa.DictionaryArray.from_arrays(_arrow_numbers(column.values, pa.int32(), np.int32), texts)
    if isinstance(kind, pl.Decimal):
        return _arrow_numbers(column.values, pa.decimal64(kind.precision, kind.scale), np.int64)
    return _arrow_numbers(column.values, *_ARROW_AND_NUMPY[kind])


def _arrow_numbers(values: npt.NDArray[Any], arrow_type: Any, numpy_type: type[np.generic]) -> Any:
    numbers = np.ascontiguousarray(values, numpy_type)
    missing = np.isnan(numbers) if numbers.dtype.kind == "f" else None
    validity = None if missing is None or not missing.any() else pa.py_buffer(np.packbits(~missing, bitorder="little"))
    return pa.Array.from_buffers(arrow_type, len(numbers), [validity, pa.py_buffer(numbers)])


def _write(rows: Any, table: str, path: Path) -> None:
    """Write rows in encodings that suit their types, without statistics because readers read whole columns."""
    encodings, dictionaries = {}, []
    for field in rows.schema:
        if pa.types.is_floating(field.type):
            encodings[field.name] = "BYTE_STREAM_SPLIT"
        elif pa.types.is_integer(field.type) or pa.types.is_decimal(field.type):
            encodings[field.name] = "DELTA_BINARY_PACKED"
        elif not pa.types.is_boolean(field.type):
            dictionaries.append(field.name)
    compressed = (
        {"compression": "snappy"} if rows.num_rows < _FEW_ROWS else {"compression": "zstd", "compression_level": 3}
    )
    try:
        with path.open("w+b") as file:
            with pq.ParquetWriter(
                file,
                rows.schema,
                **compressed,
                use_dictionary=dictionaries,
                column_encoding=encodings,
                store_decimal_as_integer=True,
                store_schema=False,
                write_statistics=False,
            ) as writer:
                writer.add_key_value_metadata(_polars_metadata(table))
                writer.write_table(rows)
            _name_oldest_writer(file)
    except OSError as error:  # usually a full disk; Arrow does not name the file
        raise OSError(error.errno, error.strerror or str(error), str(path)) from None


def _name_oldest_writer(file: IO[bytes]) -> None:
    """Write the oldest version of Arrow that writes these bytes into the footer of Parquet, instead of its own version.

    Equal tables then have equal digests, whatever version is installed.
    """
    size = file.seek(0, os.SEEK_END)
    begin = file.seek(max(0, size - _FOOTER_BYTES))
    position = file.read().rfind(_WRITER)
    if position >= 0 and len(OLDEST_WRITER) == len(_WRITER):  # so that the footer's lengths stay right
        file.seek(begin + position)
        file.write(OLDEST_WRITER)


@functools.cache
def _names_and_kinds(table: str) -> tuple[list[str], list[pl.DataType]]:
    schema = pl.Schema(table_columns.schema(table))
    return schema.names(), schema.dtypes()


@functools.cache
def _polars_metadata(table: str) -> dict[str, str]:
    """The metadata from which polars restores its own types."""
    empty = io.BytesIO()
    pl.DataFrame(schema=table_columns.schema(table)).write_parquet(empty)
    empty.seek(0)
    return pl.read_parquet_metadata(empty)
