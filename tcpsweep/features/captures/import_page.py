# SPDX-License-Identifier: MIT
"""The self-contained page of imported captures: their timeline, and the flows' metrics."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import polars as pl

from tcpsweep.core.figures import cell_timeline_chart, cell_timeline_data, colour_palette, flow_colours
from tcpsweep.core.report import flow_and_node_tables, page_libraries, page_parts
from tcpsweep.core.store.whole_files import write_whole
from tcpsweep.core.words import control_characters, rounding
from tcpsweep.core.words.metric_form import Metric
from tcpsweep.features.captures import (
    connection_metrics,
    import_details,
    import_metrics,
    import_timeline,
    imported_files,
    sequence_chart,
    sequence_data,
)

MOST_ROWS = 500  # flows in the table
_COLUMNS = (
    *("received_payload_bytes", "goodput_bps", "throughput_bps", "receive_bitrate_bps", "path_rtt_s", "rtt_p95_s"),
    *("retransmitted_share", "retransmitted_packets", "fast_retransmissions", "timeouts", "lost_at_most_packets"),
    *("lost_before_packets", "reordered_packets", "duplicate_acks", "receive_window_max_bytes", "zero_windows"),
    *("idle_s", "resets", "repeated_syns", "repeated_fins", "rtt_min_s", "rtt_mean_s", "handshake_s", "ecn_marks"),
    *("unseen_bytes", "owd_mean_s", "jitter_mean_s", "delivery_ratio", "drop_ratio", "bitrate_share"),
    *("between_packets", "between_lost_packets", "between_delay_mean_s", "between_delay_p95_s"),
)
# Left out where no flow has any.
_SHOWN_IF_NOT_ZERO = ("zero_windows", "resets", "repeated_syns", "repeated_fins", "idle_s", "timeouts", "unseen_bytes")


def remarks(record: Mapping[str, Any]) -> list[str]:
    """Sentences on parts of the files that are not in the tables, or are damaged."""
    sentences = []
    if record["began_at_s"]:
        sentences.append(f"0 s is {record['began_at_s']:.9g} s of the simulator's clock.")
    if not record["flows"] and any(file.get("rows") for file in record["files"] if "frames" in file):
        sentences.append("There are no flows: no packet carries payload, for example because only ACKs were captured.")
    if count := sum(flow.get("unseen_bytes", 0) > 0 for flow in record["flows"]):
        flow_count = "1 flow" if count == 1 else f"{count} flows"
        sentences.append(
            f"Of {flow_count}, payload was acknowledged that was not captured: the capture missed packets."
        )
    for file in record["files"]:
        name = Path(file["file"]).name
        if file.get("incomplete"):
            sentences.append(f"{name} is imported in part: {_without_path(file['incomplete'], name)}.")
        if file.get("damaged"):
            sentences.append(
                f"{file['damaged']} of the {file['frames']} frames of {name} contradict themselves, "
                f"the first at {_without_path(file['first_damaged'], name)}."
            )
        if file.get("headless"):
            sentences.append(f"{file['headless']} frames of {name} have no whole header of IP.")
        if file.get("cut"):
            sentences.append(f"Of {file['cut']} packets of {name} not all headers were captured.")
        if file.get("others"):
            counts_of_kinds = ", ".join(f"{kind} ({count})" for kind, count in file["others"].items())
            sentences.append(f"Not IP in {name}: {counts_of_kinds}.")
        if file.get("unknown"):
            sentences.append(f"{file['unknown']} of the {file['lines']} lines of {name} are not events.")
    if record["measured"] and record["measured"] < len(record["flows"]):
        sentences.append(
            f"Of the {len(record['flows'])} flows, only the packets of the {record['measured']} with the most payload "
            "were read; the other flows have totals only."
        )
    return sentences


def _without_path(fault: str, name: str) -> str:
    """A fault without the path of its file, which ends with its name."""
    return fault.partition(f"{name}: ")[2] or fault


def write(folder: Path, page: Path) -> None:
    """Write the page of the import in a folder."""
    write_whole(page, page_parts.render("features/captures/page/import.html.jinja", _contents(folder, page)))


def _contents(folder: Path, page: Path) -> dict[str, Any]:
    record = json.loads((folder / imported_files.RECORD).read_text(encoding="utf-8"))
    tables = {path.stem: path for path in sorted(folder.glob("*.parquet"))}
    listed = len(record["flows"])
    flows = pl.scan_parquet(tables["flows"]).head(listed).collect() if "flows" in tables else pl.DataFrame()
    measures = _listed_measures(tables["measures"], listed) if "measures" in tables else pl.DataFrame()
    metrics = _metrics_by_direction(measures)
    return {
        "record": record,
        "flow_count": imported_files.flow_count(record),
        "began": record["began"],
        "remarks": list(map(control_characters.escaped, remarks(record))),
        "limit": connection_metrics.limit_sentence(metrics.get((0, "forward"), {})) if flows.height else None,
        "table": _table(flows, metrics, record) if flows.height else None,
        "network": _network_metrics(measures),
        "formulas": [(metric.title, metric.formula, metric.source) for metric in _measured_metrics(tables)],
        "flow_monitor": flow_and_node_tables.flows(pl.scan_parquet(tables["flow_monitor"]))
        if "flow_monitor" in tables
        else None,
        "nodes": flow_and_node_tables.nodes(pl.scan_parquet(tables["nodes"])) if "nodes" in tables else None,
    } | (_timeline(folder, tables, record, flows, measures) | _files(folder, page, record))


def _timeline(
    folder: Path, tables: Mapping[str, Path], record: Mapping[str, Any], flows: pl.DataFrame, measures: pl.DataFrame
) -> dict[str, Any]:
    """The charts over time, and the segments of single flows."""
    end_s, metrics = record["length_s"], _metrics_by_direction(measures)
    drawn = flows.head(cell_timeline_data.MOST_FLOWS)
    labels = {row["flow"]: import_details.label(row) for row in drawn.iter_rows(named=True)}
    layers = import_timeline.reduced(folder, list(labels), measures, end_s) if "traces" in tables and end_s > 0 else {}
    panels = import_timeline.panels(layers)
    has_diagrams = layers and "packets" in tables
    diagrams = sequence_data.layer_rows(tables["packets"], pl.DataFrame(record["flows"]), end_s) if has_diagrams else {}
    script_data = {
        "end": end_s,
        "top": 1,
        "room": 1,
        "flows": labels,
        "data": cell_timeline_data.for_script(layers | diagrams),
    }
    return {
        "end_s": end_s,
        "drawn": [
            (flow, text, flow_colours.Colours(colour, flow_colours.on_dark(colour)))
            for (flow, text), colour in zip(labels.items(), itertools.cycle(colour_palette.PALETTE), strict=False)
        ],
        "more_flows": imported_files.flow_count(record) - len(labels),
        "panels": panels,
        "data": page_parts.as_json(script_data) if panels else None,
        "charts": page_parts.as_json(sequence_chart.with_diagram(cell_timeline_chart.timeline())) if panels else None,
        "sequence": import_details.choices(tables["packets"], flows, diagrams, metrics) if diagrams else None,
        "sequence_key": [("segment", sequence_chart.COLOURS["new"]), *_sequence_key()],
        "signals": sequence_data.SIGNALS,
        "library": page_libraries.chart_library() if panels else None,
        "spans": cell_timeline_data.SPANS,
    }


def _files(folder: Path, page: Path, record: Mapping[str, Any]) -> dict[str, Any]:
    """The files that were imported, and those that the import wrote, with their sizes."""
    return {
        "sources": [
            (
                control_characters.escaped(Path(file["file"]).name),
                rounding.bytes_text(file["bytes"]),
                file.get("frames"),
            )
            for file in record["files"]
        ],
        "files": [
            (path.name, quote(os.path.relpath(path, page.parent)), rounding.bytes_text(path.stat().st_size))
            for path in sorted(folder.iterdir())
        ],
    }


def _listed_measures(path: Path, listed: int) -> pl.DataFrame:
    """The measures of the network and of the flows in the record, the first ``listed``."""
    return (
        pl.scan_parquet(path).filter(pl.col("flow").is_null() | (pl.col("flow") < listed)).collect(engine="streaming")
    )


def _measured_metrics(tables: Mapping[str, Path]) -> list[Metric]:
    if "measures" not in tables:
        return []
    names = set(pl.scan_parquet(tables["measures"]).select("metric").unique().collect(engine="streaming")["metric"])
    return [metric for name, metric in import_metrics.METRICS.items() if name in names]


def _metric_text(value: float | None, metric: Metric) -> str:
    return "–" if value is None else f"{value * metric.scale:.4g}"


def _sequence_key() -> list[tuple[str, str]]:
    """The meanings of the lines of the time–sequence diagram, and the custom property of each line's colour."""
    return [
        ("retransmitted", sequence_chart.COLOURS["retransmitted"]),
        ("late or SACK block", sequence_chart.SACK_COLOUR),
        ("acknowledged", sequence_chart.ACK_COLOUR),
        (
            f"end of the receive window, at most {sequence_data.FLIGHTS:g} times the largest flight above the ACKs",
            sequence_chart.EDGE_COLOUR,
        ),
    ]


def _metrics_by_direction(measures: pl.DataFrame) -> dict[tuple[int, str], dict[str, float]]:
    """The metrics of each flow's directions, by name."""
    metrics_by_direction: dict[tuple[int, str], dict[str, float]] = {}
    if measures.width:
        rows = measures.drop_nulls("flow").select("flow", pl.col("direction").cast(pl.String), "metric", "value")
        for flow, direction, metric, value in rows.iter_rows():
            metrics_by_direction.setdefault((flow, direction), {})[metric] = value
    return metrics_by_direction


def _table(
    flows: pl.DataFrame, metrics: Mapping[tuple[int, str], Mapping[str, float]], record: Mapping[str, Any]
) -> dict[str, Any]:
    """The flows with their metrics.

    ``heads`` are titles, units and formulas; ``rows`` are from `_table_row`, a flow's two directions one after the
    other; ``more`` is the number of flows left out; ``several`` says whether there are several interfaces.
    """
    shown_names = {
        name
        for by_metric in metrics.values()
        for name, value in by_metric.items()
        if value or name not in _SHOWN_IF_NOT_ZERO
    }
    columns = [name for name in _COLUMNS if name in shown_names]
    column_metrics = [import_metrics.METRICS[name] for name in columns]
    record_by_flow = {flow["flow"]: flow for flow in record["flows"]}
    has_several = len({flow["interface"] for flow in record["flows"]}) > 1
    shown = []
    for row in flows.head(MOST_ROWS).iter_rows(named=True):
        recorded = record_by_flow[row["flow"]]
        for direction, name in (("forward", import_details.label(row)), ("reverse", import_details.back_label(row))):
            measures = metrics.get((row["flow"], direction), {})
            if direction == "forward" or measures:
                shown.append(_table_row(row, recorded, name, measures, columns, has_several))
    return {
        "heads": [(metric.title, metric.shown_unit, metric.formula) for metric in column_metrics],
        "rows": shown,
        "more": max(imported_files.flow_count(record) - MOST_ROWS, 0),
        "several": has_several,
    }


def _table_row(
    row: Mapping[str, Any],
    recorded: Mapping[str, Any],
    name: str,
    measures: Mapping[str, float],
    columns: Sequence[str],
    has_several: bool,
) -> dict[str, Any]:
    protocols = flow_and_node_tables.PROTOCOLS
    return {
        "name": name,
        "protocol": protocols.get(recorded["protocol"], recorded["protocol"]),
        "interface": recorded["interface"] if has_several else None,
        "start": "–" if row["start_s"] is None else f"{row['start_s']:.4g}",
        "stop": "–" if row["stop_s"] is None else f"{row['stop_s']:.4g}",
        "limit": connection_metrics.limit_words(measures),
        "texts": [_metric_text(measures.get(metric), import_metrics.METRICS[metric]) for metric in columns],
    }


def _network_metrics(measures: pl.DataFrame) -> list[tuple[str, str, str]]:
    if not measures.width:
        return []
    rows = measures.filter(pl.col("flow").is_null()).select("metric", "value")
    value_by_metric = dict(rows.iter_rows())
    return [
        (metric.title, f"{value_by_metric[name] * metric.scale:.4g}", metric.formula)
        for name, metric in import_metrics.METRICS.items()
        if name in value_by_metric
    ]
