# SPDX-License-Identifier: MIT
"""Parse a cell's raw files into `flows`, `flow_monitor`, `traces`, `queue`, and with traffic `transfers`."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tcpsweep.core.parse import column_files, flow_monitor, run_record, simulator_files, transfers
from tcpsweep.core.parse.parsed import Parsed
from tcpsweep.core.parse.simulator_files import Damaged, SimulatorFiles
from tcpsweep.core.store import table_files
from tcpsweep.core.store.table_files import Column
from tcpsweep.core.words import table_columns

INFINITE_SSTHRESH = 2**32 - 1
RECORD = "run.json"
# The simulator's column files, and their columns after the times.
_TRACES_FILE = "traces.columns", {"value": "<i8", "flow": "<i4"}
_QUEUE_FILE = (
    "queue.columns",
    {
        "delay_ns": "<i8",
        "queued_bytes": "<i8",
        "flow": "<i4",
        "wire_bytes": "<u4",
        "queued_packets": "<u4",
        "event": "u1",
    },
)
_UNKNOWN_EVENT = 255


@dataclass(frozen=True)
class _Traces:
    """The rows of all traces, sorted by trace in the order of `table_columns.TRACES`, then by flow.

    Attributes
    ----------
    rows : dict
        The number of rows of each trace, in that order.
    metric : array of int
        The index of each row's trace in `table_columns.TRACES`.
    value : array of float
        NaN for a missing value.
    """

    rows: dict[str, int]
    metric: npt.NDArray[np.uint8]
    flow: npt.NDArray[np.int32]
    time_ns: npt.NDArray[np.int64]
    value: npt.NDArray[np.float64]

    def columns(self) -> dict[str, Column]:
        """The table `traces`."""
        return {
            "metric": Column(self.metric, texts=table_columns.TRACES),
            "flow": Column(self.flow),
            "time_s": Column(self.time_ns),
            "value": Column(self.value),
        }

    def frames(self) -> dict[str, pl.DataFrame]:
        """The rows of each trace: ``flow``, ``time_s`` and ``value``."""
        value = pl.Series(self.value, nan_to_null=True)
        frame = pl.DataFrame({"flow": self.flow, "time_s": self.time_ns / 1e9, "value": value})
        frame_by_trace, first = {}, 0
        for name, count in self.rows.items():
            frame_by_trace[name] = frame.slice(first, count)
            first += count
        return frame_by_trace


@dataclass(frozen=True)
class _Queues:
    """The rows of the queues' traces, sorted by link and direction.

    Attributes
    ----------
    ways : list of dict
        The links' directions in the record's order, each with its number of ``rows``.
    event : array of int
        The index of each row's event in `table_columns.EVENT`.
    of_file : dict of array
        The other columns, unchanged from the simulator's file.
    """

    ways: Sequence[Mapping[str, Any]]
    event: npt.NDArray[np.uint8]
    of_file: column_files.Columns

    def _named(self, key: str) -> tuple[npt.NDArray[np.intp], list[str]]:
        """A field of the record for each row's direction: indexes, and the texts that they refer to."""
        texts = list(dict.fromkeys(way[key] for way in self.ways))
        text_numbers = [texts.index(way[key]) for way in self.ways]
        return np.repeat(np.array(text_numbers, np.intp), [way["rows"] for way in self.ways]), texts

    def columns(self) -> dict[str, Column]:
        """The table `queue`."""
        (link, links), (direction, directions) = self._named("link"), self._named("direction")
        return {
            "link": Column(link, texts=links),
            "direction": Column(direction, texts=directions),
            "time_s": Column(self.of_file[column_files.TIME]),
            "event": Column(self.event, texts=table_columns.EVENT.categories.to_list()),
            "flow": Column(self.of_file["flow"]),
            "wire_bytes": Column(self.of_file["wire_bytes"]),
            "delay_s": Column(self.of_file["delay_ns"]),
            "queued_packets": Column(self.of_file["queued_packets"]),
            "queued_bytes": Column(self.of_file["queued_bytes"]),
        }

    def frame(self) -> pl.DataFrame:
        """The table `queue`, with seconds as floats instead of decimals."""
        (link, links), (direction, directions) = self._named("link"), self._named("direction")
        ways = table_columns.DIRECTION.categories.to_list()
        codes = np.array([ways.index(way) for way in directions], np.uint8)
        names, columns = pl.Series(links, dtype=table_columns.LINK), self.of_file
        frame = pl.DataFrame(
            {
                "link": names.new_from_index(0, len(link)) if len(links) == 1 else names.gather(link),
                "direction": codes[direction],
                "time_s": columns[column_files.TIME] / 1e9,
                "event": self.event,
                "flow": columns["flow"],
                "wire_bytes": columns["wire_bytes"].astype(np.int64),
                "delay_s": columns["delay_ns"] / 1e9,
                "queued_packets": columns["queued_packets"].astype(np.int64),
                "queued_bytes": columns["queued_bytes"],
            }
        )
        event, way = pl.col("event"), pl.col("direction")
        return frame.with_columns(event.cat.to(table_columns.EVENT), way.cat.to(table_columns.DIRECTION))


def cell(raw: Path, out: Path) -> Parsed:
    """Parse one cell. Raises `Damaged`.

    Parameters
    ----------
    raw : Path
        The folder that the simulator filled.
    out : Path
        The folder for ``flows.parquet``, ``flow_monitor.parquet``, ``traces.parquet``, ``queue.parquet``, and
        ``run.json``, the simulator's record. With traffic, it also gets ``transfers.parquet``; with programs as flows,
        their output.

    Returns
    -------
    Parsed
        The tables just written, for later steps.
    """
    files = simulator_files.files_in(raw)
    run = run_record.read(files, RECORD)
    is_monitored = run["parameters"].get("flow_monitor", "true") == "true"
    monitor_path = raw / flow_monitor.FILE
    monitored = flow_monitor.monitored(monitor_path, files.read(flow_monitor.FILE)) if is_monitored else {}
    flows = flow_monitor.flows(monitor_path, monitored, run) if is_monitored else flow_monitor.counted_flows(run)
    raw_traces, raw_queue = _traces(files, run["traces"]), _queues(files, run["queue"])
    traffic_transfers = transfers.table(files, run)
    tables = {"flows": flows, "flow_monitor": flow_monitor.printed_table(monitor_path, monitored, run)}
    table_files.write_all(tables | ({} if traffic_transfers is None else {"transfers": traffic_transfers}), out)
    table_files.write_columns(raw_traces.columns(), "traces", out / "traces.parquet")
    table_files.write_columns(raw_queue.columns(), "queue", out / "queue.parquet")
    (out / RECORD).write_text(json.dumps(run), encoding="utf-8")
    for name in run_record.program_files(run):
        (out / name).write_bytes(files.read(name))
    traces = raw_traces.frames()
    return Parsed(
        run,
        flows,
        {name: traces[name] for name in run["traces"]},
        raw_queue.frame(),
        None if traffic_transfers is None else _with_float_seconds(traffic_transfers),
    )


def _with_float_seconds(frame: pl.DataFrame) -> pl.DataFrame:
    """A frame with seconds as floats instead of decimals."""
    return pl.DataFrame(
        [column.cast(pl.Float64) if column.dtype == table_columns.SECONDS else column for column in frame]
    )


def read_parsed(folder: Path) -> Parsed:
    """Read the tables that `cell` wrote to ``folder``. It returns the same as `cell`."""
    run = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    columns = ["metric", "flow", "time_s", "value"]
    stacked = table_columns.scan(folder / "traces.parquet").select(columns).collect()
    frame_by_trace = stacked.partition_by("metric", include_key=False, as_dict=True)
    traces = {name: frame_by_trace.get((name,), stacked.clear().drop("metric")) for name in run["traces"]}
    flows, queue = (table_columns.scan(folder / f"{table}.parquet").collect() for table in ("flows", "queue"))
    traffic_transfers = table_columns.scan(folder / "transfers.parquet").collect() if run.get("traffic") else None
    return Parsed(run, flows, traces, queue, traffic_transfers)


def _traces(files: SimulatorFiles, rows: Mapping[str, int]) -> _Traces:
    name, columns = _TRACES_FILE
    ordered_rows = {trace: rows[trace] for trace in table_columns.TRACES if trace in rows}
    columns_read = column_files.read(files.folder / name, files.read(name), rows, columns) if rows else {}
    flow, time_ns = (
        columns_read.get("flow", np.zeros(0, np.int32)),
        columns_read.get(column_files.TIME, np.zeros(0, np.int64)),
    )
    counts = list(rows.values())
    metric = np.repeat(np.array([table_columns.TRACES.index(trace) for trace in rows], np.uint8), counts)
    value = columns_read.get("value", np.zeros(0, np.int64)).astype(np.float64)
    ssthresh, first = table_columns.TRACES.index("ssthresh_bytes"), 0
    for trace, count in rows.items():
        trace_values = value[first : first + count]
        if trace.endswith("_s"):
            trace_values /= 1e9
        first += count
    # A slow-start threshold is infinite until it is set.
    value[(metric == ssthresh) & (value >= INFINITE_SSTHRESH)] = np.nan
    # Sort by flow: then successive times and values are close, which compresses much better than interleaved flows.
    least_flow = int(flow.min(initial=0))
    flows = int(flow.max(initial=0)) - least_flow + 1
    key = metric.astype(np.int64) * flows + (flow - least_flow)
    if (key[1:] < key[:-1]).any():
        fits_16_bits = len(table_columns.TRACES) * flows < 1 << 16  # numpy sorts 16-bit numbers several times faster
        order = np.argsort(key.astype(np.uint16) if fits_16_bits else key, kind="stable")
        metric, flow, time_ns, value = metric[order], flow[order], time_ns[order], value[order]
    return _Traces(ordered_rows, metric, flow, time_ns, value)


def _queues(files: SimulatorFiles, queues: Sequence[Mapping[str, Any]]) -> _Queues:
    name, columns = _QUEUE_FILE
    if not queues:
        no_rows = {column: np.zeros(0, kind) for column, kind in {column_files.TIME: "<i8", **columns}.items()}
        return _Queues([], np.zeros(0, np.uint8), no_rows)
    row_counts = {f"{queue['link']} {queue['direction']}": queue["rows"] for queue in queues}
    file_columns = column_files.read(files.folder / name, files.read(name), row_counts, columns)
    index_of_letter = np.full(256, _UNKNOWN_EVENT, np.uint8)
    index_of_letter[[ord(letter) for letter in table_columns.QUEUE_EVENTS]] = range(len(table_columns.QUEUE_EVENTS))
    event = index_of_letter[file_columns["event"]]
    if (event == _UNKNOWN_EVENT).any():
        bad_row = int(np.argmax(event == _UNKNOWN_EVENT))
        raise Damaged(f"{files.folder / name}: row {bad_row + 1}: unknown event {file_columns['event'][bad_row]}")
    return _Queues(queues, event, file_columns)
