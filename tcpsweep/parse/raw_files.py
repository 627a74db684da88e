# SPDX-License-Identifier: MIT
"""A cell's raw files to Parquet: `flows`, `flow_monitor`, `traces`, `queue`, and where there is traffic `transfers`."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tcpsweep.parse import column_files, flow_monitor, run_record, simulator_files, transfers
from tcpsweep.parse.parsed import Parsed
from tcpsweep.parse.simulator_files import Damaged, SimulatorFiles
from tcpsweep.words import table_columns

INFINITE_SSTHRESH = 2**32 - 1
RECORD = "run.json"
# The simulator's files of columns, and their columns after the times.
_TRACES = "traces.columns", {"value": pl.Int64, "flow": pl.Int32}
_QUEUE = (
    "queue.columns",
    {
        "delay_ns": pl.Int64,
        "queued_bytes": pl.Int64,
        "flow": pl.Int32,
        "wire_bytes": pl.UInt32,
        "queued_packets": pl.UInt32,
        "event": pl.UInt8,
    },
)
_ROWS_TOGETHER = 1 << 16
_UNKNOWN = 255


def cell(raw: Path, out: Path) -> Parsed:
    """Parse one cell.

    Parameters
    ----------
    raw : Path
        The folder that the simulator filled.
    out : Path
        The folder that receives ``flows.parquet``, ``flow_monitor.parquet``, ``traces.parquet``, ``queue.parquet``,
        where there is traffic ``transfers.parquet``, and ``run.json``, the simulator's record.

    Returns
    -------
    Parsed
        The tables just written, for later steps.

    Raises
    ------
    Damaged
    """
    files = simulator_files.of(raw)
    run = run_record.read(files, RECORD)
    is_monitored = run["parameters"].get("flow_monitor", "true") == "true"
    monitored = flow_monitor.read(files) if is_monitored else {}
    flows = (
        flow_monitor.flows(raw / flow_monitor.FILE, monitored, run) if is_monitored else flow_monitor.counted_flows(run)
    )
    all_traces, found_queue = _all_traces(files, run["traces"]), queue(files, run["queue"])
    found = {"flows": flows, "flow_monitor": flow_monitor.printed(raw / flow_monitor.FILE, monitored, run)}
    stacked = _stacked(all_traces, run["traces"])
    of_traffic = transfers.table(files, run)
    found |= {"traces": stacked, "queue": found_queue} | ({} if of_traffic is None else {"transfers": of_traffic})
    table_columns.write_all(found, out)
    (out / RECORD).write_text(json.dumps(run), encoding="utf-8")
    in_floats = pl.DataFrame(
        {"flow": all_traces["flow"], "time_s": all_traces["float_s"], "value": all_traces["value"]}
    )
    traces = dict(_parts(in_floats, run["traces"]))
    return Parsed(run, flows, traces, _in_floats(found_queue), None if of_traffic is None else _in_floats(of_traffic))


def _in_floats(frame: pl.DataFrame) -> pl.DataFrame:
    """A frame with its exact seconds as floats."""
    return pl.DataFrame([each.cast(pl.Float64) if each.dtype == table_columns.SECONDS else each for each in frame])


def read(folder: Path) -> Parsed:
    """The tables that `cell` wrote to ``folder``, as it returned them."""
    run = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    columns = ["metric", "flow", "time_s", "value"]
    stacked = table_columns.scan(folder / "traces.parquet").select(columns).collect()
    by_name = stacked.partition_by("metric", include_key=False, as_dict=True)
    traces = {name: by_name.get((name,), stacked.clear().drop("metric")) for name in run["traces"]}
    flows, queue = (table_columns.scan(folder / f"{table}.parquet").collect() for table in ("flows", "queue"))
    of_traffic = table_columns.scan(folder / "transfers.parquet").collect() if run.get("traffic") else None
    return Parsed(run, flows, traces, queue, of_traffic)


def traces(files: SimulatorFiles, rows: Mapping[str, int]) -> dict[str, pl.DataFrame]:
    """The flows' traces.

    Parameters
    ----------
    files : SimulatorFiles
    rows : dict
        Each trace to the number of its rows, as the record has them.

    Returns
    -------
    dict
        Each trace to its rows: the columns of the table `traces`, and ``float_s``, the time as a float.

    Raises
    ------
    Damaged
    """
    return dict(_parts(_all_traces(files, rows), rows))


def _all_traces(files: SimulatorFiles, rows: Mapping[str, int]) -> pl.DataFrame:
    """The rows of all traces, each behind the one before: polars takes longer to begin a query than for its rows."""
    name, columns = _TRACES
    if not rows:
        return pl.DataFrame(schema=table_columns.schema("traces") | {"float_s": pl.Float64})
    frame = column_files.read(files.folder / name, files.read(name), rows, columns)
    counts = list(rows.values())
    codes = np.repeat(np.array([table_columns.TRACES.index(trace) for trace in rows], np.uint8), counts)
    in_seconds = pl.Series(np.repeat([trace.endswith("_s") for trace in rows], counts))
    # Until it is set, a slow-start threshold is infinite.
    infinite = pl.Series(codes == table_columns.TRACES.index("ssthresh_bytes")) & (frame["value"] >= INFINITE_SSTHRESH)
    value = pl.when(in_seconds).then(_float_s("value")).otherwise(pl.col("value").cast(pl.Float64))
    return frame.select(
        "flow",
        pl.when(~infinite).then(value).alias("value"),
        time_s=column_files.seconds(column_files.TIME),
        float_s=_float_s(column_files.TIME),
        metric=pl.lit(pl.Series(codes)).cat.to(table_columns.METRIC),
    )


def queue(files: SimulatorFiles, queues: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """The table `queue`, of links' directions that have so many rows each, as the record lists them.

    Raises
    ------
    Damaged
    """
    name, columns = _QUEUE
    if not queues:
        return pl.DataFrame(schema=table_columns.schema("queue"))
    names, counts = [f"{each['link']} {each['direction']}" for each in queues], [each["rows"] for each in queues]
    data = files.read(name)
    frame = column_files.read(files.folder / name, data, dict(zip(names, counts, strict=True)), columns)
    events = np.full(256, _UNKNOWN, np.uint8)
    events[[ord(letter) for letter in table_columns.QUEUE_EVENTS]] = range(len(table_columns.QUEUE_EVENTS))
    found = events[frame["event"].to_numpy()]
    if (found == _UNKNOWN).any():
        place = int(np.argmax(found == _UNKNOWN))
        raise Damaged(f"{files.folder / name}: row {place + 1}: unknown event {frame['event'][place]!r}")
    ways = [table_columns.DIRECTION.categories.to_list().index(each["direction"]) for each in queues]
    directions = np.repeat(np.array(ways, np.uint8), counts)
    links = [pl.Series([each["link"]], dtype=table_columns.LINK).new_from_index(0, each["rows"]) for each in queues]
    return frame.select(
        link=pl.lit(pl.concat(links)),
        direction=pl.lit(pl.Series(directions)).cat.to(table_columns.DIRECTION),
        time_s=column_files.seconds(column_files.TIME),
        event=pl.lit(pl.Series(found)).cat.to(table_columns.EVENT),
        flow="flow",
        wire_bytes=pl.col("wire_bytes").cast(pl.Int64),
        delay_s=column_files.seconds("delay_ns"),
        queued_packets=pl.col("queued_packets").cast(pl.Int64),
        queued_bytes="queued_bytes",
    )


def _parts(frame: pl.DataFrame, rows: Mapping[str, int]) -> Iterator[tuple[str, pl.DataFrame]]:
    """Each series of a file of columns, and its rows."""
    first = 0
    for name, count in rows.items():
        yield name, frame.slice(first, count)
        first += count


def _float_s(column: str) -> pl.Expr:
    """Seconds as floats, of integers of nanoseconds: for each the closest one, which its digits would be read as.

    To divide by a constant, polars multiplies with its reciprocal, and two of five results are not the closest.
    """
    nanoseconds = pl.col(column).cast(pl.Float64)
    return nanoseconds / (nanoseconds * 0.0 + 1e9)


def _stacked(all_traces: pl.DataFrame, rows: Mapping[str, int]) -> pl.DataFrame:
    """All traces in one frame: part of the time after part, in each the traces in the order of `table_columns.TRACES`.

    Many traces have rows at the same times. Within a part, these times lie so close together that zstd finds the
    repetitions.
    """
    together = pl.DataFrame([all_traces[name] for name in table_columns.schema("traces")])
    traces = dict(_parts(together, rows))
    named = [traces[name] for name in table_columns.TRACES if name in traces]
    end_s = max((frame["time_s"][-1] for frame in named if frame.height), default=0)
    parts = all_traces.height // _ROWS_TOGETHER + 1
    if parts == 1:
        in_order = list(rows) == [name for name in table_columns.TRACES if name in rows]
        return together if in_order else pl.concat(named, rechunk=True)
    cuts = pl.Series([end_s * part / parts for part in range(1, parts)], dtype=table_columns.SECONDS)
    stacked = [pl.DataFrame(schema=table_columns.schema("traces"))]
    bounds = [[0, *frame["time_s"].search_sorted(cuts), frame.height] for frame in named]
    for part in range(parts):
        for frame, places in zip(named, bounds, strict=True):
            stacked.append(frame.slice(places[part], places[part + 1] - places[part]))
    return pl.concat(stacked, rechunk=True)
