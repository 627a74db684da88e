# SPDX-License-Identifier: MIT
"""A cell's raw files to Parquet: `flows`, `flow_monitor`, `traces`, `queue`, and where there is traffic `transfers`."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tcpsweep.parse import column_files, flow_monitor, run_record, simulator_files, transfers
from tcpsweep.parse.parsed import Parsed
from tcpsweep.parse.simulator_files import Damaged, SimulatorFiles
from tcpsweep.store import table_files
from tcpsweep.store.table_files import Column
from tcpsweep.words import table_columns

INFINITE_SSTHRESH = 2**32 - 1
RECORD = "run.json"
# The simulator's files of columns, and their columns after the times.
_TRACES = "traces.columns", {"value": "<i8", "flow": "<i4"}
_QUEUE = (
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
_UNKNOWN = 255


@dataclass(frozen=True)
class _Traces:
    """The rows of all traces, trace by trace in the order of `table_columns.TRACES`, and in each flow by flow.

    Attributes
    ----------
    rows : dict
        Each trace to the number of its rows, in that order.
    metric : array of int
        The place of each row's trace in `table_columns.TRACES`.
    value : array of float
        NaN where there is none.
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
        """Each trace to its rows: ``flow``, ``time_s`` and ``value``."""
        value = pl.Series(self.value, nan_to_null=True)
        frame = pl.DataFrame({"flow": self.flow, "time_s": self.time_ns / 1e9, "value": value})
        found, first = {}, 0
        for name, count in self.rows.items():
            found[name] = frame.slice(first, count)
            first += count
        return found


@dataclass(frozen=True)
class _Queues:
    """The rows of queues' traces, one direction of a link after the other.

    Attributes
    ----------
    ways : list of dict
        The links' directions, as the record lists them, with the number of the ``rows`` of each.
    event : array of int
        The place of each row's event in `table_columns.EVENT`.
    of_file : dict of array
        The other columns, as the simulator wrote them.
    """

    ways: Sequence[Mapping[str, Any]]
    event: npt.NDArray[np.uint8]
    of_file: column_files.Columns

    def _named(self, key: str) -> tuple[npt.NDArray[np.intp], list[str]]:
        """What the record says of each row's way, as a place among the texts."""
        texts = list(dict.fromkeys(way[key] for way in self.ways))
        places = [texts.index(way[key]) for way in self.ways]
        return np.repeat(np.array(places, np.intp), [way["rows"] for way in self.ways]), texts

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
        """The table `queue`, with its exact seconds as floats."""
        (link, links), (direction, directions) = self._named("link"), self._named("direction")
        ways = table_columns.DIRECTION.categories.to_list()
        codes = np.array([ways.index(way) for way in directions], np.uint8)
        names, found = pl.Series(links, dtype=table_columns.LINK), self.of_file
        frame = pl.DataFrame(
            {
                "link": names.new_from_index(0, len(link)) if len(links) == 1 else names.gather(link),
                "direction": codes[direction],
                "time_s": found[column_files.TIME] / 1e9,
                "event": self.event,
                "flow": found["flow"],
                "wire_bytes": found["wire_bytes"].astype(np.int64),
                "delay_s": found["delay_ns"] / 1e9,
                "queued_packets": found["queued_packets"].astype(np.int64),
                "queued_bytes": found["queued_bytes"],
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
        The folder that receives ``flows.parquet``, ``flow_monitor.parquet``, ``traces.parquet``, ``queue.parquet``,
        where there is traffic ``transfers.parquet``, and ``run.json``, the simulator's record.

    Returns
    -------
    Parsed
        The tables just written, for later steps.
    """
    files = simulator_files.files_in(raw)
    run = run_record.read(files, RECORD)
    is_monitored = run["parameters"].get("flow_monitor", "true") == "true"
    path = raw / flow_monitor.FILE
    monitored = flow_monitor.monitored(path, files.read(flow_monitor.FILE)) if is_monitored else {}
    flows = flow_monitor.flows(path, monitored, run) if is_monitored else flow_monitor.counted_flows(run)
    found_traces, found_queue = _traces(files, run["traces"]), _queues(files, run["queue"])
    of_traffic = transfers.table(files, run)
    found = {"flows": flows, "flow_monitor": flow_monitor.printed_table(path, monitored, run)}
    table_files.write_all(found | ({} if of_traffic is None else {"transfers": of_traffic}), out)
    table_files.write_columns(found_traces.columns(), "traces", out / "traces.parquet")
    table_files.write_columns(found_queue.columns(), "queue", out / "queue.parquet")
    (out / RECORD).write_text(json.dumps(run), encoding="utf-8")
    traces = found_traces.frames()
    return Parsed(
        run,
        flows,
        {name: traces[name] for name in run["traces"]},
        found_queue.frame(),
        None if of_traffic is None else _in_floats(of_traffic),
    )


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


def _traces(files: SimulatorFiles, rows: Mapping[str, int]) -> _Traces:
    name, columns = _TRACES
    in_order = {trace: rows[trace] for trace in table_columns.TRACES if trace in rows}
    found = column_files.read(files.folder / name, files.read(name), rows, columns) if rows else {}
    flow, time_ns = found.get("flow", np.zeros(0, np.int32)), found.get(column_files.TIME, np.zeros(0, np.int64))
    counts = list(rows.values())
    metric = np.repeat(np.array([table_columns.TRACES.index(trace) for trace in rows], np.uint8), counts)
    value = found.get("value", np.zeros(0, np.int64)).astype(np.float64)
    of_ssthresh, first = table_columns.TRACES.index("ssthresh_bytes"), 0
    for trace, count in rows.items():
        own = value[first : first + count]
        if trace.endswith("_s"):
            own /= 1e9
        first += count
    # Until it is set, a slow-start threshold is infinite.
    value[(metric == of_ssthresh) & (value >= INFINITE_SSTHRESH)] = np.nan
    # Flow by flow, times and values have what comes next beside them, which takes much less space than in turns.
    low = int(flow.min(initial=0))
    flows = int(flow.max(initial=0)) - low + 1
    key = metric.astype(np.int64) * flows + (flow - low)
    if (key[1:] < key[:-1]).any():
        small = len(table_columns.TRACES) * flows < 1 << 16  # which numpy sorts several times faster
        order = np.argsort(key.astype(np.uint16) if small else key, kind="stable")
        metric, flow, time_ns, value = metric[order], flow[order], time_ns[order], value[order]
    return _Traces(in_order, metric, flow, time_ns, value)


def _queues(files: SimulatorFiles, queues: Sequence[Mapping[str, Any]]) -> _Queues:
    name, columns = _QUEUE
    if not queues:
        nothing = {column: np.zeros(0, kind) for column, kind in {column_files.TIME: "<i8", **columns}.items()}
        return _Queues([], np.zeros(0, np.uint8), nothing)
    rows = {f"{each['link']} {each['direction']}": each["rows"] for each in queues}
    found = column_files.read(files.folder / name, files.read(name), rows, columns)
    events = np.full(256, _UNKNOWN, np.uint8)
    events[[ord(letter) for letter in table_columns.QUEUE_EVENTS]] = range(len(table_columns.QUEUE_EVENTS))
    event = events[found["event"]]
    if (event == _UNKNOWN).any():
        place = int(np.argmax(event == _UNKNOWN))
        raise Damaged(f"{files.folder / name}: row {place + 1}: unknown event {found['event'][place]}")
    return _Queues(queues, event, found)
