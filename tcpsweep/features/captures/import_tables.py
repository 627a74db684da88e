# SPDX-License-Identifier: MIT
"""The tables of imported files: captures, FlowMonitor's XML, an ascii trace."""

from __future__ import annotations

import functools
import io
import itertools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import polars as pl

from tcpsweep.core.parse import ascii_trace, flow_monitor, nodes, packets
from tcpsweep.core.store import digests, table_files
from tcpsweep.core.words import table_columns
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.captures import (
    captured_flows,
    captured_metrics,
    captured_path,
    imported_files,
    monitored_flows,
    monitored_metrics,
)
from tcpsweep.features.captures.captured_metrics import Measured
from tcpsweep.features.captures.monitored_flows import FlowFile

# A capture whose clock begins before this is a simulator's, and keeps its times.
_EPOCH_FROM_NS = 10**6 * 10**9
_MOST_XML_BYTES = 1 << 30
_LEAST_ROWS = 500  # a block of fewer rows takes as much memory as this


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


def write(
    files: Files, name: str, out: Path, decoder: Path | None, partial: bool = False, path: bool = False
) -> dict[str, Any]:
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
    - ``more_flows``: if there are more flows of FlowMonitor than these, their number
    - ``measured``: the number of flows whose packets were read

    Raises `OSError`, and `UserError` with the name of a file that is of no kind or damaged.
    """
    monitored = _monitored(files.flow_monitor) if files.flow_monitor else None
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
        if path:
            _write_path(files.captures, flows, measured, out)
    if monitored:
        monitored_flows.number_flows(monitored, flows)
    if flows is not None:
        parts = functools.partial(iter, [flows])
    elif monitored:
        parts = functools.partial(monitored_flows.parts, monitored)
        flows = next(parts())
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
        unseen_bytes_by_flow = measured.values.get("unseen_bytes", {})
        record["flows"] = [
            row | {"unseen_bytes": int(unseen_bytes_by_flow.get(row["flow"], 0))}
            for row in flows.select("flow", "interface", "protocol", "packets", "ack_packets").to_dicts()
        ]
        record["length_s"], count = _write_flows(name, parts, monitored, measured, out)
        if count > flows.height:
            record["more_flows"] = count - flows.height
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


def _write_path(captures: Mapping[str, Path], flows: pl.DataFrame, measured: Measured, out: Path) -> None:
    """Write `captured_path.between` to ``path.parquet``. Raises `UserError` if a capture has several interfaces."""
    rows = pl.scan_parquet(out / "packets.parquet").select("interface").unique().collect(engine="streaming")
    places = sorted(rows["interface"], key=lambda place: [place.startswith(name) for name in captures], reverse=True)
    if len(places) != len(captures):
        raise UserError(f"--path: expected one interface in each capture, got {', '.join(places)}")
    captured_path.between(out / "packets.parquet", flows, places, measured).write_parquet(out / "path.parquet")


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


def _monitored(path: Path) -> FlowFile:
    if path.stat().st_size > _MOST_XML_BYTES:
        raise UserError(f"{path}: has {path.stat().st_size} bytes; expected at most {_MOST_XML_BYTES} of XML")
    return monitored_flows.read(path)


def _write_flows(
    name: str, parts: Callable[[], Iterator[pl.DataFrame]], file: FlowFile | None, measured: Measured, out: Path
) -> tuple[float, int]:
    """Write the tables `flows`, `measures`, `fairness` and, from FlowMonitor's file, `flow_monitor`.

    ``parts`` gives the flows in parts. Returns the time of the last packet, and the number of flows.
    """
    if file:
        _write_parts(monitored_flows.printed(file), "flow_monitor", out)
    _write_parts((_flows_table(part, file, measured) for part in parts()), "flows", out)
    flows = pl.scan_parquet(out / "flows.parquet")
    count, to_s = flows.select(pl.len(), pl.col("stop_s").max().fill_null(0.0)).collect().row(0)
    rates = monitored_metrics.rates(out) if file else None
    if rates is not None:
        measured.network |= monitored_metrics.of_network(rates)

    def tables() -> Iterator[dict[str, pl.DataFrame]]:
        for part in parts():
            is_last = (part["flow"].max() or 0) >= count - 1
            of_part = replace(measured, values=dict(measured.values), network=measured.network if is_last else {})
            flows = _flows_table(part, file, measured)
            if file and rates is not None:
                monitored_metrics.add(flows, rates, of_part.values)
            yield captured_metrics.tables(name, flows, to_s, of_part)

    _write_parts((part["measures"] for part in tables()), "measures", out)
    # Captures are one part, and FlowMonitor's flows have no windows.
    table_files.write(next(tables())["fairness"], "fairness", out / "fairness.parquet")
    return to_s, count


def _write_parts(parts: Iterator[pl.DataFrame], table: str, out: Path) -> None:
    """Write a table that comes in parts; few parts are written as one."""
    path = out / f"{table}.parquet"
    first = pl.concat(itertools.islice(parts, 2))
    rest = next(parts, None)
    if rest is None:
        table_files.write(first, table, path)
    else:
        table_files.sink(itertools.chain((first, rest), parts), table, path)


def _flows_table(part: pl.DataFrame, file: FlowFile | None, measured: Measured) -> pl.DataFrame:
    """The table `flows`; with FlowMonitor's file, its totals, null for flows that it did not see."""
    # The fields of a simulator's record of its run that `flow_monitor` reads.
    run_record = {
        "flows": [
            {name: row[name] for name in ("flow", "source", "source_port", "destination", "destination_port")}
            | {"start_s": row["first_s"], "stop_s": row["last_s"]}
            for row in part.iter_rows(named=True)
        ]
    }
    schema = table_columns.schema("flows")
    if file:
        flows = flow_monitor.flows(file.path, monitored_flows.between(file, part), run_record)
        totals = [name for name in schema if name.startswith(("tx_", "rx_", "ack_", "lost_", "delay_", "jitter_"))]
        is_seen = pl.col("tx_packets") > 0
        flows = flows.with_columns(pl.when(is_seen).then(pl.col(name)).alias(name) for name in totals)
    else:
        flows = pl.DataFrame([{key: row.get(key) for key in schema} for row in run_record["flows"]], schema=schema)
    received_bytes = measured.values.get("received_payload_bytes", {})
    return flows.with_columns(
        direction=pl.lit("forward", dtype=table_columns.DIRECTION),
        received_bytes=pl.Series([received_bytes.get(flow) for flow in flows["flow"]], dtype=pl.Float64).cast(pl.Int64),
    ).select(list(schema))


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
