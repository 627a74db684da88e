# SPDX-License-Identifier: MIT
"""The tables of imported files: captures, FlowMonitor's XML, an ascii trace."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import polars as pl

from tcpsweep.core.measure import delivery, fairness
from tcpsweep.core.parse import ascii_trace, flow_monitor, nodes, packets
from tcpsweep.core.parse.flow_monitor import Monitored
from tcpsweep.core.store import digests, table_files
from tcpsweep.core.words import table_columns
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.captures import captured_flows, captured_metrics, imported_files
from tcpsweep.features.captures.captured_metrics import Measured

# A capture whose clock begins before this is a simulator's, and keeps its times.
_EPOCH_FROM_NS = 10**6 * 10**9
_MOST_XML_BYTES = 1 << 30
_LEAST_ROWS = 500  # a block of fewer rows takes as much memory as this
_FLOW_MONITOR_KEYS = (
    *("sourcePort", "destinationPort", "protocol", "txPackets", "txBytes"),
    *("timeFirstTxPacket", "timeLastTxPacket", "timeLastRxPacket"),
)


@dataclass(frozen=True)
class Files:
    """Files to import, by kind; captures by the names of their interfaces."""

    captures: Mapping[str, Path]
    flow_monitor: Path | None
    ascii_trace: Path | None

    @property
    def all(self) -> list[Path]:
        """All files."""
        return [*self.captures.values(), *(path for path in (self.flow_monitor, self.ascii_trace) if path)]


def sorted_out(paths: Sequence[Path]) -> Files:
    """Sort files by kind. Raises `UserError`."""
    paths_by_kind: dict[str, list[Path]] = {kind: [] for kind in imported_files.KINDS}
    for path in paths:
        paths_by_kind[imported_files.kind(path)].append(path)
    for kind in imported_files.KINDS[1:]:
        if len(paths_by_kind[kind]) > 1:
            first, second = paths_by_kind[kind][:2]
            raise UserError(f"{second}: is a second {kind}, after {first}; import them separately, with two names")
    captures = imported_files.interfaces(paths_by_kind["capture"])
    return Files(captures, *(next(iter(paths_by_kind[kind]), None) for kind in imported_files.KINDS[1:]))


def write(files: Files, name: str, out: Path, decoder: Path | None, partial: bool = False) -> dict[str, Any]:
    """Write the tables of files to the folder ``out``; return the record, which is there as ``import.json``.

    The tables of `words.table_columns` are these. Captures give ``packets``, ``flows``, ``traces``, ``measures`` and
    ``fairness``. FlowMonitor's file gives ``flows``, ``flow_monitor`` and ``measures``. An ascii trace gives ``events``
    and ``nodes``. The library ``decoder`` reads captures. If a file is damaged or cut off, ``partial`` takes everything
    before that place.

    The record has

    - ``name``, ``length_s``, and ``files`` with counts of their content
    - ``began_ns``: the time of 0 s since the epoch, or None for a simulator's clock; ``began``: the same in words
    - ``began_at_s``: the time of 0 s by a simulator's clock
    - ``flows``: each with the ``interface`` at which it was measured, its ``protocol``, and counts of its packets
    - ``measured``: the number of flows whose packets were read

    Raises `OSError`, and `UserError` with the name of a file that is of no kind or damaged.
    """
    monitored = _monitored(files.flow_monitor)
    measured = Measured({}, {})
    flows: pl.DataFrame | None = None
    began_ns: int | None = None
    offset_s = 0.0
    summaries: list[packets.Summary] = []
    if files.captures and decoder:
        base_ns = _base_ns(decoder, files.captures)
        began_ns = base_ns or None
        flows, summaries = _flows(decoder, files.captures, base_ns, partial)
        if not base_ns and (offset_s := _slice_begin_s(flows)):
            base_ns = round(offset_s * 1e9)
            flows = flows.with_columns(pl.col("first_s", "last_s") - offset_s)
        blocks = _of_some_size(packets.blocks(decoder, files.captures, (), [], base_ns))
        table_files.sink(_with_flows(blocks, flows), "packets", out / "packets.parquet")
        traces = captured_metrics.traces(out / "packets.parquet", flows, measured)
        table_files.sink(traces, "traces", out / "traces.parquet")
    elif files.flow_monitor:
        flows = _flow_monitor_flows(files.flow_monitor, monitored)
    summary_by_path = {summary.path: summary for summary in summaries}
    record: dict[str, Any] = {
        "name": name,
        "files": [_file_record(path, summary_by_path.get(path)) for path in files.all],
        "began_ns": began_ns,
        "began": began_ns and f"{datetime.fromtimestamp(began_ns / 1e9, UTC):%Y-%m-%d %H:%M:%S} UTC",
        "began_at_s": offset_s,
        "length_s": 0.0,
        "flows": [],
        "measured": len(measured.received),
    }
    if flows is not None:
        record["length_s"] = cast("float | None", flows["last_s"].max()) or 0.0
        unseen_bytes_by_flow = measured.values.get("unseen_bytes", {})
        record["flows"] = [
            row | {"unseen_bytes": int(unseen_bytes_by_flow.get(row["flow"], 0))}
            for row in flows.select("flow", "interface", "protocol", "packets", "ack_packets").to_dicts()
        ]
        _write_flows(name, flows, files.flow_monitor, monitored, measured, record["length_s"], out)
    if files.ascii_trace:
        record["length_s"] = max(
            record["length_s"], _write_events(files.ascii_trace, out, record["files"][-1], partial)
        )
    (out / imported_files.RECORD).write_text(json.dumps(record, indent=1), encoding="utf-8")
    return record


def _base_ns(decoder: Path, captures: Mapping[str, Path]) -> int:
    """The time of 0 s since the epoch: the first packet's; 0 if that is a simulator's time, or if there is none."""
    first_times_ns = [packets.first_time_ns(decoder, path) for path in captures.values()]
    first_ns = min((time_ns for time_ns in first_times_ns if time_ns is not None), default=0)
    return first_ns if first_ns >= _EPOCH_FROM_NS else 0


def _slice_begin_s(flows: pl.DataFrame) -> float:
    """When a slice of a simulator's capture begins; 0 for a whole one, with packets in the first half of its time."""
    first_s, earliest_last_s = (cast("float | None", flows[name].min()) for name in ("first_s", "last_s"))
    last_s = cast("float | None", flows["last_s"].max())
    return first_s if first_s and earliest_last_s and last_s and first_s > last_s / 2 else 0.0


def _flows(
    decoder: Path, captures: Mapping[str, Path], base_ns: int, partial: bool
) -> tuple[pl.DataFrame, list[packets.Summary]]:
    """The flows in captures; a capture that is not whole is an error unless ``partial``."""
    summaries: list[packets.Summary] = []
    flows = captured_flows.flows_in_captures(
        packets.blocks(decoder, {name: path}, (), summaries, base_ns) for name, path in captures.items()
    )
    for summary in summaries:
        if summary.incomplete and not partial:
            raise UserError(f"{summary.incomplete}; --partial imports the {summary.frames} packets before that place")
    if not any(summary.rows for summary in summaries):
        count_by_kind = {kind: count for summary in summaries for kind, count in summary.others.items()}
        content = ", ".join(f"{kind} ({count})" for kind, count in count_by_kind.items()) or "no packets"
        raise UserError(f"{', '.join(map(str, captures.values()))}: expected packets of IP, found {content}")
    return flows, summaries


def _of_some_size(blocks: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """The blocks, small ones together: each becomes a part of a Parquet file, with a description of all columns.

    A small block waits as bytes, because the decoder's memory for it is as large as for a large one.
    """
    pending, pending_rows = list[bytes](), 0
    for block in blocks:
        if not pending and block.height == packets.BLOCK_ROWS:
            yield block
            continue
        pending.append(block.serialize())
        pending_rows += max(block.height, _LEAST_ROWS)
        if pending_rows >= packets.BLOCK_ROWS:
            yield _joined(pending)
            pending, pending_rows = [], 0
    if pending:
        yield _joined(pending)


def _joined(blocks: Sequence[bytes]) -> pl.DataFrame:
    return pl.concat([pl.DataFrame.deserialize(io.BytesIO(block)) for block in blocks], rechunk=True)


def _with_flows(blocks: Iterator[pl.DataFrame], flows: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """The blocks with each packet's ``flow`` and ``direction``: the decoder would read all flows for each capture."""
    forward = flows.select("flow", *captured_flows.ENDS, direction=pl.lit("data", table_columns.PACKET_DIRECTION))
    backward = forward.select(
        *("flow", pl.col("destination").alias("source"), pl.col("destination_port").alias("source_port")),
        *(pl.col("source").alias("destination"), pl.col("source_port").alias("destination_port"), "protocol"),
        direction=pl.lit("ack", table_columns.PACKET_DIRECTION),
    )
    directions = pl.concat([forward, backward])
    for block in blocks:
        unnumbered = block.drop("flow", "direction")
        numbered = unnumbered.join(directions, on=captured_flows.ENDS, how="left", maintain_order="left")
        yield numbered.select(block.columns)


def _file_record(path: Path, summary: packets.Summary | None) -> dict[str, Any]:
    """The record's part on a file; a capture's has its summary, too."""
    file_record: dict[str, Any] = {
        "file": str(path.absolute()),
        "bytes": path.stat().st_size,
        "sha256": digests.file_digest(path),
    }
    if summary:
        file_record |= {name: value for name, value in asdict(summary).items() if name != "path"}
    return file_record


def _monitored(path: Path | None) -> Monitored:
    if path is None:
        return {}
    if path.stat().st_size > _MOST_XML_BYTES:
        raise UserError(f"{path}: has {path.stat().st_size} bytes; expected at most {_MOST_XML_BYTES} of XML")
    return flow_monitor.monitored(path, path.read_bytes())


def _flow_monitor_flows(path: Path, monitored: Monitored) -> pl.DataFrame:
    """FlowMonitor's flows, as `captured_flows` has them: of two directions, data go where more bytes go."""
    numbers_by_ends = {
        ends: {key: flow_monitor.number_of(path, flow, key) for key in _FLOW_MONITOR_KEYS}
        for ends, flow in monitored.items()
    }
    rows: list[dict[str, Any]] = []
    for ends, flow in numbers_by_ends.items():
        if ends[0] is None or ends[2] is None:
            raise UserError(f"{path}: a flow has no {'sourceAddress' if ends[0] is None else 'destinationAddress'}")
        reverse = numbers_by_ends.get(ends[2:] + ends[:2], {})
        reverse_bytes = reverse.get("txBytes", -1)
        if flow["txBytes"] > reverse_bytes or (flow["txBytes"] == reverse_bytes and ends <= ends[2:] + ends[:2]):
            rows.append(
                {
                    "source": ends[0],
                    "source_port": flow["sourcePort"],
                    "destination": ends[2],
                    "destination_port": flow["destinationPort"],
                    "protocol": flow["protocol"],
                    "interface": "FlowMonitor",
                    "packets": flow["txPackets"],
                    "payload_bytes": 0,
                    "ip_bytes": flow["txBytes"],
                    "ack_packets": reverse.get("txPackets", 0),
                    "first_s": flow["timeFirstTxPacket"],
                    "last_s": flow["timeLastRxPacket"] or flow["timeLastTxPacket"],  # 0 if nothing arrived
                }
            )
    if not rows:
        raise UserError(f"{path}: expected flows, found none")
    rows.sort(key=lambda row: -row["ip_bytes"])
    overrides = {"first_s": pl.Float64, "last_s": pl.Float64, "ip_bytes": pl.Int64, "packets": pl.Int64}
    return pl.DataFrame(rows, schema_overrides=overrides).with_row_index("flow")


def _write_flows(
    name: str,
    flow_rows: pl.DataFrame,
    file: Path | None,
    monitored: Monitored,
    measured: Measured,
    to_s: float,
    out: Path,
) -> None:
    """Write the tables `flows`, `measures`, `fairness` and, from its file, `flow_monitor`."""
    # The fields of a simulator's record of its run that `flow_monitor` reads.
    run_record = {
        "flows": [
            {name: row[name] for name in ("flow", "source", "source_port", "destination", "destination_port")}
            | {"start_s": row["first_s"], "stop_s": row["last_s"]}
            for row in flow_rows.iter_rows(named=True)
        ]
    }
    schema = table_columns.schema("flows")
    if file:
        printed = flow_monitor.printed_table(file, monitored, run_record)
        flows = _with_unseen_as_null(flow_monitor.flows(file, monitored, run_record))
        table_files.write(printed, "flow_monitor", out / "flow_monitor.parquet")
        _add_totals(flows, printed, measured)
    else:
        flows = pl.DataFrame([{key: row.get(key) for key in schema} for row in run_record["flows"]], schema=schema)
    received_bytes = measured.values.get("received_payload_bytes", {})
    flows = flows.with_columns(
        direction=pl.lit("forward", dtype=table_columns.DIRECTION),
        received_bytes=pl.Series([received_bytes.get(flow) for flow in flows["flow"]], dtype=pl.Float64).cast(pl.Int64),
    ).select(list(schema))
    table_files.write(flows, "flows", out / "flows.parquet")
    for table, frame in captured_metrics.tables(name, flows, to_s, measured).items():
        table_files.write(frame, table, out / f"{table}.parquet")


def _with_unseen_as_null(flows: pl.DataFrame) -> pl.DataFrame:
    """FlowMonitor's totals, null instead of 0 for flows that it did not see."""
    totals = [name for name in flows.columns if name.startswith(("tx_", "rx_", "ack_", "lost_", "delay_", "jitter_"))]
    return flows.with_columns(pl.when(pl.col("tx_packets") > 0).then(pl.col(name)).alias(name) for name in totals)


def _add_totals(flows: pl.DataFrame, printed: pl.DataFrame, measured: Measured) -> None:
    """Add the metrics from FlowMonitor's totals that captures do not have."""
    monitored = flows.drop_nulls("tx_packets")
    bitrate_by_flow = dict(printed.filter(pl.col("direction") == "data").select("flow", "rx_bitrate_bps").iter_rows())
    delay_s_by_flow = {
        flow: total / count
        for flow, total, count in monitored.select("flow", "delay_sum_s", "rx_packets").iter_rows()
        if count
    }
    jitter_s_by_flow = {
        flow: total / (count - 1)
        for flow, total, count in monitored.select("flow", "jitter_sum_s", "rx_packets").iter_rows()
        if count > 1
    }
    values_by_metric: dict[str, Mapping[int, float | None]] = {
        "receive_bitrate_bps": bitrate_by_flow,
        "jitter_mean_s": jitter_s_by_flow,
        "owd_mean_s": delay_s_by_flow,
        **delivery.ratios(monitored),
    }
    for metric, value_by_flow in values_by_metric.items():
        known_by_flow = {flow: float(value) for flow, value in value_by_flow.items() if value is not None}
        measured.values[metric] = known_by_flow | measured.values.get(metric, {})
    _add_shares(monitored, bitrate_by_flow, measured)


def _add_shares(monitored: pl.DataFrame, bitrate_by_flow: Mapping[int, float | None], measured: Measured) -> None:
    """Add how FlowMonitor's flows share, if all of them were there together and each rate is known.

    FlowMonitor has no bytes over time, so each rate is over its flow's own time. A flow that received nothing has 0.
    """
    start_s, stop_s = monitored["start_s"], monitored["stop_s"]
    together_s = cast("float", stop_s.min() or 0.0) - cast("float", start_s.max() or 0.0)
    received_packets = monitored.select("flow", "rx_packets").iter_rows()
    rates = {flow: bitrate_by_flow.get(flow) if packets else 0.0 for flow, packets in received_packets}
    bitrates = {flow: rate for flow, rate in rates.items() if rate is not None}
    if together_s <= 0 or len(bitrates) < max(monitored.height, 2):
        return
    all_s = cast("float", stop_s.max()) - cast("float", start_s.min())
    measured.network |= {
        "jain_bitrate": fairness.jain(pl.Series(list(bitrates.values()), dtype=pl.Float64)),
        "time_together_share": together_s / all_s,
    }
    shares = fairness.shares(bitrates, {flow: str(flow) for flow in bitrates})  # every flow for itself
    measured.values["bitrate_share"] = {flow: share for flow, share in shares.items() if share is not None}


def _write_events(path: Path, out: Path, file_record: dict[str, Any], partial: bool) -> float:
    """Write the tables `events` and `nodes` from an ascii trace, and return the time of its last event.

    ``file_record`` gets the counts of lines.
    """
    summary = ascii_trace.write_events(path, out / "events.parquet")
    if summary.incomplete and not partial:
        raise UserError(f"{summary.incomplete}; --partial imports the {summary.rows} events before that place")
    if not summary.rows:
        raise UserError(f"{path}: line 1: expected an event of a device or of IP, as EnableAscii writes it")
    file_record |= {"lines": summary.lines, "rows": summary.rows, "unknown": summary.unknown}
    events = pl.scan_parquet(out / "events.parquet")
    to_s = cast("float", events.select(pl.col("time_s").max()).collect().item())
    enqueued = events.filter(pl.col("event").is_in(pl.Series(["enqueue"], dtype=table_columns.DEVICE_EVENT).implode()))
    if to_s > 0 and enqueued.head(1).collect().height:
        nodes.write(out / "events.parquet", to_s, out / "nodes.parquet")
    return to_s
