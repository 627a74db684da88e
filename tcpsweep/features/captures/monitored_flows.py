# SPDX-License-Identifier: MIT
"""FlowMonitor's flows, from a file of any size: they are sorted on disk, and read in parts."""

from __future__ import annotations

import json
import sqlite3
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from tcpsweep.core.parse import flow_monitor
from tcpsweep.core.parse.flow_monitor import Monitored
from tcpsweep.core.parse.simulator_files import Damaged
from tcpsweep.core.words.user_error import UserError

PART_FLOWS = 10_000  # flows in memory at one time
_READ_BYTES = 1 << 16
_CACHE_KIB = 1 << 16
_KEYS = (
    *("sourcePort", "destinationPort", "protocol", "txPackets", "txBytes"),
    *("timeFirstTxPacket", "timeLastTxPacket", "timeLastRxPacket", "flowId"),
)
_ENDS = ("sourceAddress", "sourcePort", "destinationAddress", "destinationPort")
_BETWEEN = "\x1f"  # between the four in a text; it comes before all characters of addresses
_SCHEMA = """
CREATE TABLE stats (id TEXT PRIMARY KEY, attributes TEXT);
CREATE TABLE classified (id TEXT, attributes TEXT);
CREATE TABLE monitored (ends TEXT PRIMARY KEY, back TEXT, flow_id INTEGER, sent INTEGER, attributes TEXT);
CREATE TABLE flows (flow INTEGER PRIMARY KEY, ends TEXT, back TEXT);
"""
_LARGER_DIRECTIONS = """
INSERT INTO flows
SELECT row_number() OVER (ORDER BY m.sent DESC, m.rowid) - 1, m.ends, m.back
FROM monitored m LEFT JOIN monitored r ON r.ends = m.back
WHERE r.ends IS NULL OR m.sent > r.sent OR (m.sent = r.sent AND m.ends <= m.back)
"""
_PARTS = """
SELECT f.flow, m.attributes, r.attributes
FROM flows f JOIN monitored m USING (ends) LEFT JOIN monitored r ON r.ends = f.back
ORDER BY f.flow
"""
_OF_FLOWS = """
SELECT m.ends, m.attributes FROM flows f JOIN monitored m ON m.ends IN (f.ends, f.back) WHERE f.flow BETWEEN ? AND ?
"""
_BY_NUMBER = """
SELECT m.ends, m.attributes, d.flow, a.flow, m.back
FROM monitored m LEFT JOIN flows d ON d.ends = m.ends LEFT JOIN flows a ON a.back = m.ends
ORDER BY m.flow_id
"""


@dataclass(frozen=True)
class FlowFile:
    """FlowMonitor's file and its flows, in a database on disk that ends with the process."""

    path: Path
    database: sqlite3.Connection


def read(path: Path) -> FlowFile:
    """Read FlowMonitor's file. Raises `UserError` with its name if it is damaged."""
    database = sqlite3.connect("", check_same_thread=False)  # polars reads the parts in a thread
    database.executescript(_SCHEMA)
    database.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
    _read_tags(path, database)
    count, different = database.execute("SELECT count(*), count(DISTINCT id) FROM classified").fetchone()
    if different < count:
        # ns-3 numbers IPv4 and IPv6 flows separately from 1, and adds up the counts of equal numbers.
        raise Damaged(f"{path}: IPv4 and IPv6 flows have the same numbers, so their separate counts are lost")
    joined = database.execute(
        "SELECT c.attributes, s.attributes FROM classified c JOIN stats s USING (id) ORDER BY c.rowid"
    )
    database.executemany(
        "INSERT INTO monitored VALUES (?, ?, ?, ?, ?) ON CONFLICT (ends) DO UPDATE SET "
        "flow_id = excluded.flow_id, sent = excluded.sent, attributes = excluded.attributes",
        (_monitored_row(path, json.loads(classified) | json.loads(stats)) for classified, stats in joined),
    )
    return FlowFile(path, database)


def _read_tags(path: Path, database: sqlite3.Connection) -> None:
    """Read the file part by part into the tables of tags. Raises `Damaged`."""
    tags = flow_monitor.FlowTags(path)
    parser = ElementTree.XMLParser(target=tags)
    try:
        with path.open("rb") as file:
            while data := file.read(_READ_BYTES):
                parser.feed(data)
                stats = ((number or "", json.dumps(flow)) for number, flow in tags.stats.items())
                database.executemany("INSERT OR REPLACE INTO stats VALUES (?, ?)", stats)
                classified = ((flow.get("flowId", ""), json.dumps(flow)) for flow in tags.classified)
                database.executemany("INSERT INTO classified VALUES (?, ?)", classified)
                tags.stats.clear()
                tags.classified.clear()
        parser.close()
    except ElementTree.ParseError as error:
        line, column = error.position
        raise Damaged(f"{path}: line {line}, column {column}: {error}") from None
    except (ValueError, LookupError) as error:  # an unknown encoding, or not a text
        raise Damaged(f"{path}: line 1: {error}") from None


def _monitored_row(path: Path, flow: dict[str, str]) -> tuple[Any, ...]:
    """A row of the table `monitored`."""
    numbers = {key: flow_monitor.number_of(path, flow, key) for key in _KEYS}
    for key in _ENDS:
        if key not in flow:
            raise UserError(f"{path}: a flow has no {key}")
    ends = [flow[key] for key in _ENDS]
    back = ends[2:] + ends[:2]
    return _BETWEEN.join(ends), _BETWEEN.join(back), numbers["flowId"], numbers["txBytes"], json.dumps(flow)


def number_flows(file: FlowFile, flows: pl.DataFrame | None) -> None:
    """Number the flows as ``flows`` does, or by bytes: of two directions, data go where more bytes go.

    Raises `UserError` if there are none.
    """
    if flows is None:
        if not file.database.execute(_LARGER_DIRECTIONS).rowcount:
            raise UserError(f"{file.path}: expected flows, found none")
    else:
        columns = ("flow", "source", "source_port", "destination", "destination_port")
        rows = ((flow, list(map(str, ends))) for flow, *ends in flows.select(columns).iter_rows())
        file.database.executemany(
            "INSERT INTO flows VALUES (?, ?, ?)",
            ((flow, _BETWEEN.join(ends), _BETWEEN.join(ends[2:] + ends[:2])) for flow, ends in rows),
        )
    file.database.executescript("CREATE INDEX by_ends ON flows (ends); CREATE INDEX by_back ON flows (back);")


def parts(file: FlowFile) -> Iterator[pl.DataFrame]:
    """The numbered flows, in parts, with the columns of `captured_flows.flows_in_captures`; no payload is known."""
    cursor = file.database.execute(_PARTS)
    overrides = {"first_s": pl.Float64, "last_s": pl.Float64, "ip_bytes": pl.Int64, "packets": pl.Int64}
    while rows := cursor.fetchmany(PART_FLOWS):
        yield pl.DataFrame([_flow(file.path, *row) for row in rows], schema_overrides=overrides)


def _flow(path: Path, number: int, data: str, acks: str | None) -> dict[str, Any]:
    flow, reverse = json.loads(data), json.loads(acks) if acks else None
    numbers = {key: flow_monitor.number_of(path, flow, key) for key in _KEYS}
    return {
        "flow": number,
        "source": flow["sourceAddress"],
        "source_port": numbers["sourcePort"],
        "destination": flow["destinationAddress"],
        "destination_port": numbers["destinationPort"],
        "protocol": numbers["protocol"],
        "interface": "FlowMonitor",
        "packets": numbers["txPackets"],
        "payload_bytes": 0,
        "ip_bytes": numbers["txBytes"],
        "ack_packets": flow_monitor.number_of(path, reverse, "txPackets") if reverse else 0,
        "first_s": numbers["timeFirstTxPacket"],
        "last_s": numbers["timeLastRxPacket"] or numbers["timeLastTxPacket"],  # the first is 0 if nothing arrived
    }


def between(file: FlowFile, flows: pl.DataFrame) -> Monitored:
    """What FlowMonitor has of numbered flows, in both directions."""
    if not flows.height:
        return {}
    rows = file.database.execute(_OF_FLOWS, (flows["flow"][0], flows["flow"][-1]))
    return {tuple(ends.split(_BETWEEN)): json.loads(attributes) for ends, attributes in rows}


def printed(file: FlowFile) -> Iterator[pl.DataFrame]:
    """The table `flow_monitor`, in parts."""
    cursor = file.database.execute(_BY_NUMBER)
    yield flow_monitor.printed_table(file.path, {}, {"flows": []})
    while rows := cursor.fetchmany(PART_FLOWS):
        monitored = {tuple(ends.split(_BETWEEN)): json.loads(attributes) for ends, attributes, *_ in rows}
        ends_by_flow = {flow: ends for ends, _, flow, _, _ in rows if flow is not None}
        ends_by_flow |= {flow: back for _, _, _, flow, back in rows if flow is not None}
        run_flows = []
        for flow, ends in sorted(ends_by_flow.items()):
            source, source_port, destination, destination_port = ends.split(_BETWEEN)
            run_flows.append(
                {
                    "flow": flow,
                    **{"source": source, "source_port": source_port},
                    **{"destination": destination, "destination_port": destination_port},
                }
            )
        yield flow_monitor.printed_table(file.path, monitored, {"flows": run_flows})
