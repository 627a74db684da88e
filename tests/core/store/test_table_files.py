# SPDX-License-Identifier: MIT
"""The files of tables, read by polars, which shares no code with the writer."""

import subprocess
import sys
from decimal import Decimal

import numpy as np
import polars as pl
import pyarrow.parquet
import pytest

from tcpsweep.core.store import table_files
from tcpsweep.core.store.table_files import Column
from tcpsweep.core.words import table_columns


def column(kind, rows, numbers):
    """Random values of a type, a tenth of them missing."""
    if isinstance(kind, pl.List):
        values = [numbers.integers(0, 2**32, count).tolist() for count in numbers.integers(0, 4, rows)]
    elif isinstance(kind, pl.Enum):
        values = numbers.choice(kind.categories.to_list(), rows).tolist()
    elif kind in (pl.String, pl.Categorical):
        values = [f"n{number}" for number in numbers.integers(0, 300, rows)]
    elif isinstance(kind, pl.Decimal):
        values = [Decimal(number).scaleb(-9) for number in numbers.integers(-(10**17), 10**17, rows).tolist()]
    elif kind == pl.Boolean:
        values = (numbers.random(rows) < 0.5).tolist()
    elif kind == pl.Float64:
        values = numbers.normal(size=rows).tolist()
    else:  # whole numbers, many of them the type's limits
        ends = [kind.min(), kind.max()]
        low, high = pl.select(*(end.alias(str(i)) for i, end in enumerate(ends))).row(0)
        values = numbers.choice([low, low + 1, high, 3, 3, 3], rows).tolist()
    missing = numbers.random(rows) < 0.1
    return pl.Series([None if none else value for value, none in zip(values, missing, strict=True)], dtype=kind)


def random_frame(table, rows):
    numbers = np.random.default_rng(rows)
    return pl.DataFrame({name: column(kind, rows, numbers) for name, kind in table_columns.schema(table).items()})


@pytest.mark.parametrize("rows", [0, 1, 255, 2049])
@pytest.mark.parametrize("table", table_columns.COLUMNS)
def test_tables_are_read_as_they_were_written(table, rows, tmp_path):
    frame, path = random_frame(table, rows), tmp_path / "x.parquet"
    table_files.write(frame, table, path)
    again = pl.read_parquet(path)
    assert again.schema == frame.schema
    assert again.equals(frame)
    for name in frame.columns:
        assert pl.scan_parquet(path).select(name).collect()[name].equals(frame[name])


@pytest.mark.parametrize("table", ["packets", "events"])
def test_frames_that_come_one_by_one_are_one_table(table, tmp_path):
    frame, path = random_frame(table, 3000), tmp_path / "x.parquet"
    table_files.sink((frame.slice(first, 700) for first in range(0, 3000, 700)), table, path)
    assert pl.read_parquet(path).equals(frame)
    assert pl.scan_parquet(path).filter(pl.col("time_s") > 0).collect().equals(frame.filter(pl.col("time_s") > 0))
    table_files.sink(iter(()), table, path)
    assert pl.read_parquet(path).equals(frame.clear())
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_an_interrupted_write_leaves_no_file(tmp_path):
    def frames():
        yield random_frame("events", 100)
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="the disk is full"):
        table_files.sink(frames(), "events", tmp_path / "x.parquet")
    assert not list(tmp_path.iterdir())


def test_a_disk_that_is_full_is_named(tmp_path):
    full = tmp_path / "full"
    full.symlink_to("/dev/full")
    with pytest.raises(OSError, match=f"No space left on device: '{full}'"):
        table_files.write(random_frame("events", 5000), "events", full)


def test_arrays_are_the_columns_of_a_frame(tmp_path):
    known = np.arange(600) % 3 > 0
    columns = {
        "metric": Column(np.arange(600) % 2, texts=table_columns.TRACES),
        "flow": Column(np.arange(600, dtype=np.uint32)),
        "time_s": Column(np.arange(600) * 1_000_000_007),
        "value": Column(np.where(known, np.arange(600) / 8, np.nan)),
    }
    table_files.write_columns(columns, "traces", tmp_path / "x.parquet")
    again = pl.read_parquet(tmp_path / "x.parquet")
    assert again.schema == table_columns.schema("traces")
    for number, row in enumerate(again.rows()):
        time_s, value = Decimal(number * 1_000_000_007).scaleb(-9), number / 8 if number % 3 else None
        assert row == (table_columns.TRACES[number % 2], number, time_s, value)
    assert again.height == 600


def test_a_table_has_its_columns_and_no_others(tmp_path):
    with pytest.raises(ValueError, match="audit: expected the columns"):
        table_files.write(pl.DataFrame({"flow": [1]}), "audit", tmp_path / "x.parquet")
    with pytest.raises(ValueError, match="traces: expected the columns"):
        table_files.write_columns({"flow": Column(np.arange(3))}, "traces", tmp_path / "x.parquet")
    assert not list(tmp_path.iterdir())


def test_the_bytes_do_not_depend_on_what_the_process_has_seen(tmp_path):
    first, again = tmp_path / "first.parquet", tmp_path / "again.parquet"
    table_files.write(random_frame("transfers", 200), "transfers", first)
    code = (
        "import sys, polars as pl; from tcpsweep.core.store import table_files\n"
        "pl.Series(['x', 'n7', 'n3'], dtype=pl.Categorical())\n"
        "table_files.write(pl.read_parquet(sys.argv[1]), 'transfers', __import__('pathlib').Path(sys.argv[2]))"
    )
    subprocess.run([sys.executable, "-c", code, str(first), str(again)], check=True)
    assert again.read_bytes() == first.read_bytes()


def test_the_bytes_do_not_name_the_version_of_arrow_that_is_installed(tmp_path):
    for table in ("flows", "traces"):
        file = tmp_path / f"{table}.parquet"
        frame = random_frame(table, 200)
        table_files.write(frame, table, file)
        assert pyarrow.parquet.read_metadata(file).created_by == "parquet-cpp-arrow version 22.0.0"
        assert pl.read_parquet(file).equals(frame)


def test_times_take_less_than_half_of_what_they_take_without_differences(tmp_path):
    # Packets that leave a link one after the other, each at a whole nanosecond.
    time_ns = np.cumsum(np.random.default_rng(1).integers(1_200_000, 1_200_900, 20_000))
    nothing = np.zeros(len(time_ns), np.int32)
    columns = {"metric": Column(nothing, texts=table_columns.TRACES), "flow": Column(nothing)}
    columns |= {"time_s": Column(time_ns), "value": Column(nothing.astype(np.float64))}
    table_files.write_columns(columns, "traces", tmp_path / "ours.parquet")
    pl.read_parquet(tmp_path / "ours.parquet").write_parquet(tmp_path / "plain.parquet", compression="zstd")
    sizes = [(tmp_path / f"{name}.parquet").stat().st_size for name in ("ours", "plain")]
    assert sizes[0] < sizes[1] / 2
    assert sizes[0] * 8 > 20_000 * np.log2(900)  # the least that the differences need
