# SPDX-License-Identifier: MIT
"""A results folder without a simulator: raw files of flows with a constant rate, parsed like real ones."""

import dataclasses
import itertools
import json
from pathlib import Path

import polars as pl

from tcpsweep.core.analysis import aggregate, sweep_results
from tcpsweep.core.measure import cell_metrics
from tcpsweep.core.ns3 import engine
from tcpsweep.core.parse import raw_files
from tcpsweep.core.plan import cell_commands, checked_sweep, plan_record, planned_round, result_ids, sweep_files
from tcpsweep.core.store import digests, layout, table_files, whole_files
from tcpsweep.core.sweep import sweep_parts, sweep_record
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.sweep_record import Run
from tcpsweep.core.sweepfile.combinations import grid
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.core.sweepfile.keys import schema
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.core.words import metrics, table_columns, units
from tcpsweep.features.corrections import ingredient as corrections_ingredient
from tcpsweep.registry.tables import TABLES
from tests.support import raw_columns

NS3 = engine.Engine(Path("ns3"), "3.44", "abc123")
SETTINGS = {
    "ns3::TcpSocket::DelAckCount": "2",
    "ns3::TcpSocket::InitialCwnd": "10",
    "ns3::TcpSocketBase::MinRto": "+1e+09ns",
    "ns3::TcpSocket::SegmentSize": "1448",
}
PAYLOAD, IP, WIRE = 1448, 1500, 1502


def sweep(
    text,
    goodput=lambda row, run: [1e6] * row["flows"],
    fails=lambda row, run: False,
    traces=None,
    off=None,
    finishes=None,
):
    """Fill the working folder's ``results/`` with a sweep's cells and tables.

    ``goodput(row, run)`` returns each flow's payload rate in bit/s. ``fails`` says which runs have no result.
    ``traces(row, run)`` returns rows of (time, flow, value) by name, which replace the default ones. ``off(row, run)``
    is the error of the audit's only check, in bytes of 1000. ``finishes(row, run)`` is the end of each flow, or None.
    Returns the sweep's folder.
    """
    Path("sweep.yaml").write_text(text)
    document = yaml_document.read("sweep.yaml")
    expanded, problems = checked_sweep.expanded(document)
    assert not problems, problems
    binary = Path("build/ns3.44-abc123/dumbbell-def456/dumbbell")
    expanded, made, is_decided = planned_round.with_cells(
        document, expanded, lambda sweep: cell_commands.cells(sweep, "code", NS3, dict)
    )
    parsing = result_ids.parser_and_decoder(expanded.capture)
    selected = checked_sweep.corrections(expanded, NS3)
    planned = plan_record.Plan(expanded, made, *parsing, binary, {}, is_decided=is_decided, corrections=selected)
    for cell in made:
        row = expanded.combinations[cell.combination]
        if all(place.is_dir() for place in planned.results()[cell.id]):
            continue
        if fails(row, cell.run):
            fail(cell.id)
            continue
        with whole_files.made_whole(layout.raw(cell.id)) as raw:
            ends = finishes(row, cell.run) if finishes else [None] * row["flows"]
            write_raw(raw, row, cell, goodput(row, cell.run), traces(row, cell.run) if traces else {}, ends)
            with digests.made_whole(layout.parquet(cell.id, planned.parser)) as out:
                parsed = raw_files.cell(raw, out)
            combination = cell.combination
            place = layout.measured(cell.id, planned.parser, planned.measures[combination])
            with digests.made_whole(place) as out:
                table_files.write_all(cell_metrics.tables(parsed, cell.id, planned.spans[combination]), out)
                write_audit(out, off(row, cell.run) if off else 0)
    sweep_files.write(planned, document, NS3, set(planned.finished()))
    aggregate.write_tables(planned.folder, TABLES)
    return planned.folder


def record(**given):
    """The record of a planned sweep, from its relevant parts."""
    kept = {"queue": True, "keep_raw": False, "pcap": "none", "snaplen": "headers", "ascii": False, "anim": False}
    capture = sweep_parts.Capture(traces=[], **kept)
    combinations = given.get("combinations", [])
    empty = {"name": "x", "title": "x", "scenario": "dumbbell", "seed": 1, "runs": (1,), "capture": capture, "axes": {}}
    empty |= {"forms": schema.forms("dumbbell"), "plain_units": schema.plain_units("dumbbell"), "combinations": []}
    empty |= {"baseline": None, "pages": False, "swept": len(combinations), "cells": [], "warnings": [], "variants": {}}
    empty |= {"published": sweep_parts.Published(len(combinations), [], 0), "parser": "p", "measures": [], "spans": []}
    empty |= {"ns3_version": "3.44", "ns3_libraries": "l", "ns3_prefix": None}
    empty |= {"scenario_code": "c", "metrics_code": "m", "corrections": {"all": ["prr"], "none": []}}
    values = empty | given
    rows = [Combination(values["scenario"], row) for row in values["combinations"]]
    return sweep_record.PlannedSweep(**values | {"combinations": rows})


def results(sweep, **tables):
    """The results of a sweep with these tables, without a folder."""
    return sweep_results.SweepResults(Path("nowhere"), sweep, tables=tables)


def crossed(**values):
    """The record of a sweep of five runs of each combination of the axes' values."""
    rows = [dict(zip(values, row, strict=True)) for row in itertools.product(*values.values())]
    return record(axes=values, combinations=rows, runs=(1, 2, 3, 4, 5))


def by_run(rows):
    """Values in the form of `summaries.by_run`.

    The rows have combination, flows' variant, metric, run, digest, value, and whether it counts.
    """
    schema = {"combination": pl.Int64, "flow_variant": pl.String, "metric": pl.Enum(list(metrics.METRICS))}
    schema |= {"run": pl.Int64, "digest": pl.String, "value": pl.Float64, "counts": pl.Boolean}
    found = pl.DataFrame(list(rows), schema=schema, orient="row")
    return found.with_columns(link=pl.lit(None, pl.String), steady_shown=True)


def planned(data, points=(), wanted=None, first=None):
    """A sweep given as data, in the state after the plan of a round, with a cell for each run.

    ``wanted`` has the number of runs by a combination's first cell. Other combinations have ``first`` runs, or the
    number in the data.
    """
    sweep, problems = grid.expand(SweepFile(data), known=points)
    assert problems == []
    names = [str(sorted(row.items())) for row in sweep.combinations]
    if first:
        sweep = dataclasses.replace(sweep, counts=[(wanted or {}).get(f"{name} 1", first) for name in names])
    cells = [Run(f"{name} {run}", n, run) for n, name in enumerate(names) for run in sweep.runs_of(n)]
    about = {"parser": "p", "measures": [], "spans": [], "ns3_version": "", "ns3_libraries": "", "ns3_prefix": None}
    about |= {"scenario_code": "", "variants": {}, "warnings": [], "metrics_code": ""}
    about["corrections"] = corrections_ingredient.INGREDIENT.selected(sweep.combinations, "")
    return sweep_record.planned(sweep, **about, cells=cells)


def write_audit(out, difference):
    """An audit with one check, because these flows have no network to audit."""
    row = {"check": "sink_bytes", "flow": 0, "low": 1e3, "found": 1e3 + difference, "high": 1e3}
    audit = pl.DataFrame([row | {"agrees": not difference}], schema=table_columns.schema("audit"))
    table_files.write(audit, "audit", out / "audit.parquet")


def fail(cell, lines=30):
    """Record a failure in the same way as a job."""
    folder = layout.FAILED / cell
    folder.mkdir(parents=True, exist_ok=True)
    words = "\n".join(f"line {number} <of the log>" for number in range(1, lines + 1))
    (folder / "log.txt").write_text(f"build/dumbbell --flows=2 --out=DIR\nthe simulator ended with SIGABRT\n{words}\n")


def write_raw(raw, row, cell, goodput, traces, finishes):
    """A finished simulation's files: a row per second and flow, or the rows of ``traces``."""
    end = round(units.si(row["duration"], "time"))
    variants = row["variant"].split("+")
    flows, plain = range(row["flows"]), {"cwnd_bytes": [], "ssthresh_bytes": [], "rtt_s": []}
    plain |= {"congestion_state": [], "received_bytes": [], "ip_received_bytes": [], "owd_s": []}
    events = []
    for second in range(end + 1):
        for flow in flows:
            packets = goodput[flow] / 8 / PAYLOAD * second
            plain["received_bytes"].append((second, flow, round(packets * PAYLOAD)))
            plain["ip_received_bytes"].append((second, flow, round(packets * IP)))
            plain["cwnd_bytes"].append((second, flow, PAYLOAD * (10 + second % 5)))
            plain["ssthresh_bytes"].append((second, flow, 4294967295 if second < 2 else PAYLOAD * 8))
            plain["rtt_s"].append((second, flow, 0.05 + 0.01 * (second % 5)))
            plain["congestion_state"].append((second, flow, 3 if second % 5 == 0 else 0))
            plain["owd_s"].append((second, flow, 0.025))
            size = round(goodput[flow] / 8 / PAYLOAD * WIRE)
            events.append((second, 10_000_000, 3 * WIRE, flow, size, 3, ord("t")))
    series = {
        name: [(time, round(value * (1e9 if name.endswith("_s") else 1)), flow) for time, flow, value in rows]
        for name, rows in (plain | traces).items()
    }
    raw_columns.write(raw / "traces.columns", series.values(), "qi")
    raw_columns.write(raw / "queue.columns", [events], "qqiIIB")
    (raw / "flow.xml").write_text("<FlowMonitor><FlowStats/><Ipv4FlowClassifier/></FlowMonitor>")
    ends = {"source": "10.0.0.1", "source_port": 49152, "destination": "10.1.0.1", "destination_port": 5000}
    rate_bps = round(units.si(row["bandwidth"], "rate"))
    step = {"link": "bottleneck", "direction": "forward", "bandwidth_bps": rate_bps, "delay_s": 0.02}
    step |= {"jitter_s": 0, "varies": False}
    counted = dict.fromkeys(("sent_packets", "sent_bytes", "drop_packets", "mark_packets", "loss_packets"), 0)
    buffers = {"queue_packets": 10, "queue_bytes": None, "queue_disc": None}
    buffers |= {"device_queue_packets": None, "device_queue_bytes": None}
    link = {"link": "bottleneck", "left": "left", "right": "right", "bdp_bytes": 1000, "reverse": None}
    link["over_time"] = [{"from_s": 0, "bandwidth_bps": rate_bps, "delay_s": 0.02}]
    link["forward"] = {"bandwidth_bps": rate_bps, "jitter_s": 0} | buffers | counted
    run = {
        "scenario": "dumbbell",
        "ns3_version": "3.44",
        "seed": 1,
        "run": cell.run,
        "derived": {"base_rtt_s": [0.044 for _ in flows], "lost_after_s": 10.0, "forgets_packets": False},
        "flows": [
            ends
            | {"flow": flow, "variant": variants[flow % len(variants)], "bytes": row["bytes"] or None}
            | {"start_s": 0.0, "finish_s": finishes[flow], "direction": "forward", "group": None, "path": [step]}
            for flow in flows
        ],
        "settings": SETTINGS | {"ns3::TcpSocketBase::MaxQueue": row["bandwidth"]},
        "traces": {name: len(rows) for name, rows in series.items()},
        "queue": [{"link": "bottleneck", "direction": "forward", "rows": len(events)}],
        "links": [link],
        "captures": [],
        "cpu_s": 1.0,
        "peak_rss_bytes": None,
        "parameters": {},
    }
    for flow in run["flows"]:
        flow |= {"received_bytes": round(goodput[flow["flow"]] / 8 * end), "waiting_bytes": 0}
    (raw / "run.json").write_text(json.dumps(run))
    raw_columns.write_checksums(raw)
