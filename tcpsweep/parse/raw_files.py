# SPDX-License-Identifier: MIT
"""A cell's raw files to Parquet: `flows`, `flow_monitor`, `traces`, `queue`, and where there is traffic `transfers`."""

import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import polars as pl

from tcpsweep.parse import column_files, run_record, simulator_files, transfers
from tcpsweep.parse.parsed import Parsed
from tcpsweep.parse.simulator_files import Damaged, SimulatorFiles
from tcpsweep.words import table_columns

_Ends: TypeAlias = tuple[str | None, ...]
_Monitored: TypeAlias = dict[_Ends, dict[str, str]]

INFINITE_SSTHRESH = 2**32 - 1
RECORD = "run.json"
_MONITOR = "flow.xml"
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
    monitored = _monitored(files) if is_monitored else {}
    flows = _flows(raw / _MONITOR, monitored, run) if is_monitored else _counted_flows(run)
    all_traces, found_queue = _all_traces(files, run["traces"]), queue(files, run["queue"])
    found = {"flows": flows, "flow_monitor": _flow_monitor(raw / _MONITOR, monitored, run)}
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
        time_s=_seconds(column_files.TIME),
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
        time_s=_seconds(column_files.TIME),
        event=pl.lit(pl.Series(found)).cat.to(table_columns.EVENT),
        flow="flow",
        wire_bytes=pl.col("wire_bytes").cast(pl.Int64),
        delay_s=_seconds("delay_ns"),
        queued_packets=pl.col("queued_packets").cast(pl.Int64),
        queued_bytes="queued_bytes",
    )


def _parts(frame: pl.DataFrame, rows: Mapping[str, int]) -> Iterator[tuple[str, pl.DataFrame]]:
    """Each series of a file of columns, and its rows."""
    first = 0
    for name, count in rows.items():
        yield name, frame.slice(first, count)
        first += count


def _seconds(column: str) -> pl.Expr:
    """Exact seconds, of integers of nanoseconds."""
    return pl.col(column).cast(pl.Int128).reinterpret(dtype=table_columns.SECONDS)


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


def _monitored(files: SimulatorFiles) -> _Monitored:
    """Each flow's ends, (source, port, destination, port), to its attributes in FlowMonitor's file."""
    path = files.folder / _MONITOR
    try:
        root = ElementTree.fromstring(files.read(_MONITOR))
    except ElementTree.ParseError as error:
        line, column = error.position
        raise Damaged(f"{path}: line {line}, column {column}: {error}") from None
    except (ValueError, LookupError) as error:  # of an encoding that is not known, or no text
        raise Damaged(f"{path}: line 1: {error}") from None
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


def _counted_flows(run: Mapping[str, Any]) -> pl.DataFrame:
    """The simulator's own totals beside the sinks' for each flow of the sweep, where there is no FlowMonitor."""
    schema = table_columns.schema("flows")
    rows = [{name: (flow | flow["counted"]).get(name) for name in schema} for flow in run["flows"]]
    return pl.DataFrame(rows, schema=schema)


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
        number = float(text.removesuffix("ns")) / 1e9 if text.endswith("ns") else int(text)
        if not -(2**63) <= number < 2**63:  # not a number among them
            raise ValueError
        return number
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
