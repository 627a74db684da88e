# SPDX-License-Identifier: MIT
"""A cell's raw files to Parquet: `flows`, `flow_monitor`, `traces` and `queue` as `tables` describes them."""

import hashlib
import json
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass

import polars as pl

from tcpsweep import tables

INFINITE_SSTHRESH = 2**32 - 1
# The bottleneck's directions and their queues' files.
_QUEUES = {"forward": "queue.txt", "reverse": "queue_reverse.txt"}


@dataclass(frozen=True)
class Parsed:
    """A cell's tables, as `tables` describes them.

    ``run`` is the simulator's record, ``traces`` maps each trace that was asked for to ``flow``, ``time_s``, ``value``.
    """

    run: dict
    flows: pl.DataFrame
    traces: dict
    queue: pl.DataFrame


class Damaged(Exception):
    """A raw file is not what a finished simulation leaves; names the file and the place."""


def cell(raw, out):
    """Parse one cell.

    Parameters
    ----------
    raw : Path
        The folder that the simulator filled.
    out : Path
        The folder that receives ``flows.parquet``, ``flow_monitor.parquet``, ``traces.parquet``, ``queue.parquet`` and
        ``run.json``, the simulator's record with a digest of what these hold: equal digests, identical simulations.

    Returns
    -------
    Parsed
        What was written, for who goes on with it.

    Raises
    ------
    Damaged
    """
    run = _run(raw / "run.json")
    monitored = _monitored(raw / "flow.xml")
    flows = _flows(raw / "flow.xml", monitored, run)
    tables.write(_flow_monitor(raw / "flow.xml", monitored, run), "flow_monitor", out / "flow_monitor.parquet")
    traces = {
        name.removesuffix(".txt"): _trace(raw / name, name.removesuffix(".txt"), rows)
        for name, rows in run["files"].items()
        if name not in _QUEUES.values()
    }
    queue = pl.concat(_queue(raw / name, run["files"].get(name), direction) for direction, name in _QUEUES.items())
    for frame, table in ((flows, "flows"), (_stacked(traces), "traces"), (queue, "queue")):
        tables.write(frame.select(list(tables.schema(table))), table, out / f"{table}.parquet")
    run["digest"] = _digest([raw / "flow.xml", out / "traces.parquet", out / "queue.parquet"])
    (out / "run.json").write_text(json.dumps(run), encoding="utf-8")
    return Parsed(run, flows, traces, queue)


def read(folder):
    """What `cell` left in ``folder``, as it returned it."""
    run = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    columns = ["metric", "flow", "time_s", "value"]
    stacked = pl.read_parquet(folder / "traces.parquet", columns=columns)
    by_name = stacked.partition_by("metric", include_key=False, as_dict=True)
    traced = [name.removesuffix(".txt") for name in run["files"] if name not in _QUEUES.values()]
    traces = {name: by_name.get((name,), stacked.clear().drop("metric")) for name in traced}
    flows, queue = (pl.read_parquet(folder / f"{table}.parquet") for table in ("flows", "queue"))
    return Parsed(run, flows, traces, queue)


def _run(path):
    try:
        run = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Damaged(f"{path}: not a simulator's record: {error}") from None
    if not isinstance(run, dict) or not {"files", "flows"} <= run.keys():
        raise Damaged(f"{path}: not a simulator's record: 'files' or 'flows' is missing")
    return run


def _digest(paths):
    digest = hashlib.sha256()
    for path in paths:
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _rows(path, columns, expected):
    """Read a file of blank-separated columns that must have the number of rows that its writer counted."""
    try:
        if path.stat().st_size == 0:
            frame = pl.DataFrame(schema=columns)
        else:
            frame = pl.read_csv(path, has_header=False, separator=" ", schema=columns, truncate_ragged_lines=False)
    except FileNotFoundError:
        raise Damaged(f"{path}: missing") from None
    except pl.exceptions.PolarsError:
        raise _first_bad_line(path, columns) from None
    if frame.null_count().sum_horizontal().item():
        raise _first_bad_line(path, columns)
    if frame.height != expected:
        raise Damaged(f"{path}: line {frame.height + 1}: ends after {frame.height} of {expected} rows")
    if not frame["time_s"].is_sorted():
        place = (frame["time_s"].diff() < 0).arg_true()[0] + 1
        raise Damaged(f"{path}: line {place}: time goes backwards")
    return frame


def _first_bad_line(path, columns):
    """What to say of a file that cannot be read as its columns."""
    readers = [str if kind == pl.String else (float if kind == pl.Float64 else int) for kind in columns.values()]
    with path.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            fields = line.rstrip("\n").split(" ")
            try:
                for read, field in zip(readers, fields, strict=True):
                    read(field)
            except ValueError:
                shown = line.rstrip("\n")[:80]
                return Damaged(f"{path}: line {number}: expected {' '.join(columns)}, got {shown!r}")
    return Damaged(f"{path}: cannot be read")


def _trace(path, metric, rows):
    if metric not in tables.TRACES:
        raise Damaged(f"{path}: unknown trace")
    frame = _rows(path, {"time_s": pl.Float64, "flow": pl.Int32, "value": pl.Float64}, rows)
    value = pl.col("value")
    if metric == "ssthresh_bytes":
        value = pl.when(value < INFINITE_SSTHRESH).then(value)
    return frame.select("flow", "time_s", value.alias("value"))


def _stacked(traces):
    """All traces in one frame, in the order of `tables.TRACES`, so that a reader finds one in few row groups."""
    named = (
        traces[name].select(pl.lit(name, dtype=tables.METRIC).alias("metric"), pl.all())
        for name in tables.TRACES
        if name in traces
    )
    return pl.concat([pl.DataFrame(schema=tables.schema("traces")), *named])


def _queue(path, rows, direction):
    columns = {
        "time_s": pl.Float64,
        "event": pl.String,
        "flow": pl.Int32,
        "wire_bytes": pl.Int64,
        "delay_s": pl.Float64,
        "queued_packets": pl.Int64,
        "queued_bytes": pl.Int64,
    }
    frame = _rows(path, columns, rows) if rows is not None else pl.DataFrame(schema=columns)
    event = pl.col("event").replace_strict(tables.QUEUE_EVENTS, default=None, return_dtype=tables.EVENT)
    queue = frame.with_columns(event, pl.lit(direction, dtype=tables.DIRECTION).alias("direction"))
    if queue["event"].null_count():
        place = queue["event"].is_null().arg_true()[0]
        raise Damaged(f"{path}: line {place + 1}: unknown event {frame['event'][place]!r}")
    return queue


def _monitored(path):
    """What FlowMonitor's file says of each flow: its ends, (source, port, destination, port), to its attributes."""
    try:
        root = ElementTree.parse(path).getroot()
    except FileNotFoundError:
        raise Damaged(f"{path}: missing") from None
    except ElementTree.ParseError as error:
        line, column = error.position
        raise Damaged(f"{path}: line {line}, column {column}: {error}") from None
    stats = {flow.get("flowId"): flow.attrib for flow in root.findall("./FlowStats/Flow")}
    classified = [flow.attrib for part in root if part.tag.endswith("FlowClassifier") for flow in part]
    ends = ("sourceAddress", "sourcePort", "destinationAddress", "destinationPort")
    return {
        tuple(flow.get(key) for key in ends): flow | stats[flow.get("flowId")]
        for flow in classified
        if flow.get("flowId") in stats
    }


def _ends(flow):
    """A flow's ends as FlowMonitor writes them."""
    return flow["source"], str(flow["source_port"]), flow["destination"], str(flow["destination_port"])


def _flows(path, monitored, run):
    """FlowMonitor's totals beside the sinks' for each flow of the sweep, found by its addresses and ports."""
    rows = []
    for flow in run["flows"]:
        there = _ends(flow)
        data, acks = monitored.get(there), monitored.get(there[2:] + there[:2])
        rows.append(
            {name: flow.get(name) for name in tables.schema("flows")}
            | {"direction": flow.get("direction", "forward")}
            | _totals(path, data, "")
            | _totals(path, acks, "ack_")
        )
    return pl.DataFrame(rows, schema=tables.schema("flows"))


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


def _totals(path, flow, prefix):
    """FlowMonitor's totals of one direction; a flow that never sent anything is not in its file and has zeros."""
    totals = {}
    for name, key in _TOTALS.items():
        if f"{prefix}{name}" not in tables.schema("flows"):
            continue
        totals[f"{prefix}{name}"] = 0 if flow is None else _number(path, flow, key)
    return totals


def _number(path, flow, key):
    """A number that FlowMonitor's file has of a flow; times, which look like +1.5e+09ns, in seconds."""
    text = flow.get(key, "")
    try:
        return float(text.removesuffix("ns")) / 1e9 if text.endswith("ns") else int(text)
    except ValueError:
        raise Damaged(f"{path}: flow {flow.get('flowId')}: {key} is {text!r}") from None


def _flow_monitor(path, monitored, run):
    """The numbers of ns-3's src/flow-monitor/examples/flowmon-parse-results.py, by its formulas, in its order."""
    known = {}
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
    return pl.DataFrame(rows, schema=tables.schema("flow_monitor")).sort("flow_id")
