# SPDX-License-Identifier: MIT
"""A cell's raw files to Parquet: `flows`, `flow_monitor`, `traces` and `queue`."""

import hashlib
import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import polars as pl
import polars.selectors as cs

from tcpsweep.parse.parsed import Parsed
from tcpsweep.words import table_columns

_Ends: TypeAlias = tuple[str | None, ...]
_Monitored: TypeAlias = dict[_Ends, dict[str, str]]

INFINITE_SSTHRESH = 2**32 - 1
# The bottleneck's directions and their queues' files.
_QUEUES = {"forward": "queue.txt", "reverse": "queue_reverse.txt"}
_TRACE_COLUMNS: table_columns.Schema = {"time_s": table_columns.SECONDS, "flow": pl.Int32, "value": pl.Float64}
_QUEUE_COLUMNS: table_columns.Schema = {
    "time_s": table_columns.SECONDS,
    "event": pl.String,
    "flow": pl.Int32,
    "wire_bytes": pl.Int64,
    "delay_s": table_columns.SECONDS,
    "queued_packets": pl.Int64,
    "queued_bytes": pl.Int64,
}
_ROWS_TOGETHER = 1 << 16


class Damaged(Exception):
    """A raw file is not what a finished simulation leaves; names the file and the place."""


def cell(raw: Path, out: Path) -> Parsed:
    """Parse one cell.

    Parameters
    ----------
    raw : Path
        The folder that the simulator filled.
    out : Path
        The folder that receives ``flows.parquet``, ``flow_monitor.parquet``, ``traces.parquet``, ``queue.parquet`` and
        ``run.json``, the simulator's record with a digest of these tables: equal digests mean identical simulations.

    Returns
    -------
    Parsed
        The tables just written, for later steps.

    Raises
    ------
    Damaged
    """
    run = _run(raw / "run.json")
    monitored = _monitored(raw / "flow.xml")
    flows = _flows(raw / "flow.xml", monitored, run)
    rows = _rows(raw, run["files"])
    traces = {name.removesuffix(".txt"): rows[name] for name in rows if name not in _QUEUES.values()}
    _mark_infinite(traces)
    queue = pl.concat(_queue(raw / name, rows.get(name), direction) for direction, name in _QUEUES.items())
    found = {"flows": flows, "flow_monitor": _flow_monitor(raw / "flow.xml", monitored, run)}
    for table, frame in (found | {"traces": _stacked(traces), "queue": queue}).items():
        table_columns.write(frame, table, out / f"{table}.parquet")
    run["digest"] = _digest([raw / "flow.xml", out / "traces.parquet", out / "queue.parquet"])
    (out / "run.json").write_text(json.dumps(run), encoding="utf-8")
    in_floats = {name: frame.select("flow", time_s="float_s", value="value") for name, frame in traces.items()}
    return Parsed(run, flows, in_floats, queue.with_columns(cs.decimal().cast(pl.Float64)))


def read(folder: Path) -> Parsed:
    """The tables that `cell` wrote to ``folder``, as it returned them."""
    run = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    columns = ["metric", "flow", "time_s", "value"]
    stacked = table_columns.scan(folder / "traces.parquet").select(columns).collect()
    by_name = stacked.partition_by("metric", include_key=False, as_dict=True)
    traced = [name.removesuffix(".txt") for name in run["files"] if name not in _QUEUES.values()]
    traces = {name: by_name.get((name,), stacked.clear().drop("metric")) for name in traced}
    flows, queue = (table_columns.scan(folder / f"{table}.parquet").collect() for table in ("flows", "queue"))
    return Parsed(run, flows, traces, queue)


def _run(path: Path) -> dict[str, Any]:
    try:
        run = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Damaged(f"{path}: not a simulator's record: {error}") from None
    if not isinstance(run, dict) or not {"files", "flows"} <= run.keys():
        raise Damaged(f"{path}: not a simulator's record: 'files' or 'flows' is missing")
    return run


def _digest(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _rows(raw: Path, expected: Mapping[str, int]) -> dict[str, pl.DataFrame]:
    """Read the files of blank-separated columns, all at once, because polars takes a while to start on each.

    Parameters
    ----------
    raw : Path
    expected : dict
        Each file's name to the number of rows that its writer counted.

    Returns
    -------
    dict
        Name to frame: the file's columns, and for a trace also ``metric`` and ``float_s``, its time as a float.
    """
    columns = {name: _QUEUE_COLUMNS if name in _QUEUES.values() else _TRACE_COLUMNS for name in expected}
    try:
        frames = pl.collect_all(_scan(raw / name, kinds) for name, kinds in columns.items())
    except pl.exceptions.PolarsError:
        raise _first_bad_line(raw, columns) from None
    for (name, rows), frame in zip(expected.items(), frames, strict=True):
        if any(column.null_count() for column in frame):
            raise _first_bad_line(raw, {name: columns[name]})
        if frame.height != rows:
            raise Damaged(f"{raw / name}: line {frame.height + 1}: ends after {frame.height} of {rows} rows")
        if not frame["time_s"].is_sorted():
            place = (frame["time_s"].diff() < 0).arg_true()[0] + 1
            raise Damaged(f"{raw / name}: line {place}: time goes backwards")
    return dict(zip(expected, frames, strict=True))


def _scan(path: Path, columns: table_columns.Schema) -> pl.LazyFrame:
    metric = path.name.removesuffix(".txt")
    if columns is _TRACE_COLUMNS and metric not in table_columns.TRACES:
        raise Damaged(f"{path}: unknown trace")
    try:
        empty = path.stat().st_size == 0
    except FileNotFoundError:
        raise Damaged(f"{path}: missing") from None
    rows = pl.LazyFrame(schema=columns) if empty else pl.scan_csv(path, has_header=False, separator=" ", schema=columns)
    if columns is _QUEUE_COLUMNS:
        return rows
    return rows.with_columns(
        metric=pl.lit(metric, dtype=table_columns.METRIC), float_s=pl.col("time_s").cast(pl.Float64)
    )


def _first_bad_line(raw: Path, files: Mapping[str, table_columns.Schema]) -> Damaged:
    """The error that names the first line that polars cannot read, in the first file that has one."""
    for name, columns in files.items():
        lines = (raw / name).read_bytes().splitlines(keepends=True)
        if _is_readable(lines, columns):
            continue
        # Halve what holds it: Python reads numbers that polars does not, so that only polars can tell.
        first, last = 0, len(lines)
        while last - first > 1:
            middle = (first + last) // 2
            if _is_readable(lines[first:middle], columns):
                first = middle
            else:
                last = middle
        shown = lines[first].decode(errors="replace").rstrip("\n")[:80]
        return Damaged(f"{raw / name}: line {last}: expected {' '.join(columns)}, got {shown!r}")
    return Damaged(f"{raw / next(iter(files))}: changed while it was read")


def _is_readable(lines: Sequence[bytes], columns: table_columns.Schema) -> bool:
    """Whether polars reads all fields of lines."""
    try:
        frame = pl.read_csv(b"".join(lines), has_header=False, separator=" ", schema=columns) if lines else None
    except pl.exceptions.PolarsError:
        return False
    return frame is None or (frame.height == len(lines) and not any(column.null_count() for column in frame))


def _mark_infinite(traces: dict[str, pl.DataFrame]) -> None:
    """Replace slow-start thresholds that were not set yet by null."""
    if "ssthresh_bytes" in traces:
        value = pl.col("value")
        finite = pl.when(value < INFINITE_SSTHRESH).then(value)
        traces["ssthresh_bytes"] = traces["ssthresh_bytes"].with_columns(value=finite)


def _stacked(traces: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """All traces in one frame: part of the time after part, in each the traces in the order of `table_columns.TRACES`.

    Many traces have rows at the same times. Within a part, these times lie so close together that zstd finds the
    repetitions.
    """
    named = [
        traces[name].select(list(table_columns.schema("traces"))) for name in table_columns.TRACES if name in traces
    ]
    rows = sum(frame.height for frame in named)
    end_s = max((frame["time_s"][-1] for frame in named if frame.height), default=0)
    parts = rows // _ROWS_TOGETHER + 1
    cuts = pl.Series([end_s * part / parts for part in range(1, parts)], dtype=table_columns.SECONDS)
    stacked = [pl.DataFrame(schema=table_columns.schema("traces"))]
    bounds = [[0, *frame["time_s"].search_sorted(cuts), frame.height] for frame in named]
    for part in range(parts):
        for frame, places in zip(named, bounds, strict=True):
            stacked.append(frame.slice(places[part], places[part + 1] - places[part]))
    return pl.concat(stacked)


def _queue(path: Path, rows: pl.DataFrame | None, direction: str) -> pl.DataFrame:
    frame = pl.DataFrame(schema=_QUEUE_COLUMNS) if rows is None else rows
    event = pl.col("event").replace_strict(table_columns.QUEUE_EVENTS, default=None, return_dtype=table_columns.EVENT)
    way = pl.lit(direction, dtype=table_columns.DIRECTION).alias("direction")
    queue = frame.with_columns(event, way).select(list(table_columns.schema("queue")))
    if queue["event"].null_count():
        place = queue["event"].is_null().arg_true()[0]
        raise Damaged(f"{path}: line {place + 1}: unknown event {frame['event'][place]!r}")
    return queue


def _monitored(path: Path) -> _Monitored:
    """Each flow's ends, (source, port, destination, port), to its attributes in FlowMonitor's file."""
    try:
        root = ElementTree.parse(path).getroot()
    except FileNotFoundError:
        raise Damaged(f"{path}: missing") from None
    except ElementTree.ParseError as error:
        line, column = error.position
        raise Damaged(f"{path}: line {line}, column {column}: {error}") from None
    stats = {flow.get("flowId"): flow.attrib for flow in root.findall("./FlowStats/Flow")}
    classified = [flow.attrib for part in root if part.tag.endswith("FlowClassifier") for flow in part]
    ids = [flow.get("flowId") for flow in classified]
    if len(set(ids)) < len(ids):
        # ns-3 numbers flows of IPv4 and of IPv6 each from 1, and adds up the counts of equal numbers.
        raise Damaged(f"{path}: flows of IPv4 and of IPv6 have the same numbers, so that their counts are lost")
    ends = ("sourceAddress", "sourcePort", "destinationAddress", "destinationPort")
    return {
        tuple(flow.get(key) for key in ends): flow | stats[flow.get("flowId")]
        for flow in classified
        if flow.get("flowId") in stats
    }


def _ends(flow: Mapping[str, Any]) -> tuple[str, str, str, str]:
    """A flow's ends as FlowMonitor writes them."""
    return flow["source"], str(flow["source_port"]), flow["destination"], str(flow["destination_port"])


def _flows(path: Path, monitored: _Monitored, run: Mapping[str, Any]) -> pl.DataFrame:
    """FlowMonitor's totals beside the sinks' for each flow of the sweep, found by its addresses and ports."""
    rows = []
    for flow in run["flows"]:
        there = _ends(flow)
        data, acks = monitored.get(there), monitored.get(there[2:] + there[:2])
        rows.append(
            {name: flow.get(name) for name in table_columns.schema("flows")}
            | {"direction": flow.get("direction", "forward")}
            | _totals(path, data, "")
            | _totals(path, acks, "ack_")
        )
    return pl.DataFrame(rows, schema=table_columns.schema("flows"))


_PRINTED = (
    *("flowId", "protocol", "sourcePort", "destinationPort", "txBytes", "rxBytes", "rxPackets", "lostPackets"),
    *("timeFirstTxPacket", "timeLastTxPacket", "timeFirstRxPacket", "timeLastRxPacket", "delaySum"),
)
_TOTALS = {
    "tx_packets": "txPackets",
    "tx_bytes": "txBytes",
    "rx_packets": "rxPackets",
    "rx_bytes": "rxBytes",
    "lost_packets": "lostPackets",
    "delay_sum_s": "delaySum",
    "jitter_sum_s": "jitterSum",
}


def _totals(path: Path, flow: Mapping[str, str] | None, prefix: str) -> dict[str, float]:
    """FlowMonitor's totals of one direction; a flow that never sent anything is not in its file and has zeros."""
    totals: dict[str, float] = {}
    for name, key in _TOTALS.items():
        if f"{prefix}{name}" not in table_columns.schema("flows"):
            continue
        totals[f"{prefix}{name}"] = 0 if flow is None else _number(path, flow, key)
    return totals


def _number(path: Path, flow: Mapping[str, str], key: str) -> float:
    """A number that FlowMonitor's file has for a flow; times, which look like +1.5e+09ns, in seconds."""
    text = flow.get(key, "")
    try:
        return float(text.removesuffix("ns")) / 1e9 if text.endswith("ns") else int(text)
    except ValueError:
        raise Damaged(f"{path}: flow {flow.get('flowId')}: {key} is {text!r}") from None


def _flow_monitor(path: Path, monitored: _Monitored, run: Mapping[str, Any]) -> pl.DataFrame:
    """The numbers of ns-3's src/flow-monitor/examples/flowmon-parse-results.py, by its formulas, in its order."""
    known: dict[_Ends, tuple[int | None, str | None]] = {}
    for flow in run["flows"]:
        there = _ends(flow)
        known |= {there: (flow["flow"], "data"), there[2:] + there[:2]: (flow["flow"], "ack")}
    rows = []
    for ends, flow in monitored.items():
        number = {key: _number(path, flow, key) for key in _PRINTED}
        sent_s = number["timeLastTxPacket"] - number["timeFirstTxPacket"]
        received_s = number["timeLastRxPacket"] - number["timeFirstRxPacket"]
        received, lost = number["rxPackets"], number["lostPackets"]
        flow_number, direction = known.get(ends, (None, None))
        rows.append(
            {
                "flow_id": number["flowId"],
                "flow": flow_number,
                "direction": direction,
                "protocol": number["protocol"],
                "source": ends[0],
                "source_port": number["sourcePort"],
                "destination": ends[2],
                "destination_port": number["destinationPort"],
                "tx_bitrate_bps": number["txBytes"] * 8 / sent_s if sent_s > 0 else None,
                "rx_bitrate_bps": number["rxBytes"] * 8 / received_s if received_s > 0 else None,
                "mean_delay_s": number["delaySum"] / received if received else None,
                "packet_loss_ratio": lost / (received + lost) if received else None,
            }
        )
    return pl.DataFrame(rows, schema=table_columns.schema("flow_monitor")).sort("flow_id")
