# SPDX-License-Identifier: MIT
"""The files of a cell that was run by hand, and its tables with their audit."""

import functools
import json
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import polars as pl

from tcpsweep.core.measure import audit
from tcpsweep.core.parse import captures, raw_files
from tcpsweep.core.plan import expected_costs
from tcpsweep.core.sweepfile.combinations import grid
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.core.words import table_columns
from tests.support.packet_files import library


class Cell:
    """What a cell that was run by hand left."""

    def __init__(self, folder):
        self.folder = folder
        self.record = json.loads((folder / "run.json").read_text())

    @functools.cached_property
    def _parsed(self):
        with tempfile.TemporaryDirectory() as out:
            return raw_files.cell(self.folder, Path(out))

    def trace(self, name, flow=None):
        rows = self._parsed.traces[name]
        if flow is not None:
            rows = rows.filter(flow=flow)
        return rows.select("time_s", pl.col("value").fill_null(float(raw_files.INFINITE_SSTHRESH))).rows()

    def rows(self, name):
        return self._parsed.traces[name].select("flow", "value").rows()

    def way(self, direction="forward", link=None):
        """What the record says of a direction of a link; of the only link, if none is named."""
        (found,) = (each for each in self.record["links"] if link in (None, each["link"]))
        return found[direction]

    def queue(self, *events, direction="forward", link=None):
        letters = {event: letter for letter, event in table_columns.QUEUE_EVENTS.items()}
        names = [each["link"] for each in self.record["links"]]
        (link,) = [link] if link else names
        rows = self._parsed.queue.filter(pl.col("link") == link, direction=direction)
        return [
            {"time": row["time_s"], "event": letters[row["event"]], "flow": row["flow"], "bytes": row["wire_bytes"]}
            | {"delay": row["delay_s"], "packets": row["queued_packets"], "queued": row["queued_bytes"]}
            for row in rows.iter_rows(named=True)
            if not events or letters[row["event"]] in events
        ]

    def flow_monitor(self):
        """FlowMonitor's numbers of each data flow, in the order of the sweep's flows."""
        root = ElementTree.parse(self.folder / "flow.xml").getroot()
        stats = {flow.get("flowId"): flow for flow in root.find("FlowStats")}
        keys = ("sourceAddress", "sourcePort", "destinationAddress", "destinationPort")
        by_ends = {
            tuple(flow.get(key) for key in keys): stats[flow.get("flowId")]
            for classifier in ("Ipv4FlowClassifier", "Ipv6FlowClassifier")
            for flow in root.find(classifier)
        }
        ends = ("source", "source_port", "destination", "destination_port")
        return [by_ends[tuple(str(flow[end]) for end in ends)] for flow in self.record["flows"]]


def estimated(scenario, fixed, capture="{}"):
    """The planner's estimate for a cell with a sweep file's fixed parameters and captures."""
    text = f"sweep: s\nscenario: {scenario}\nfixed: {json.dumps(fixed | {'warmup': '0s'})}\ncapture: {capture}\n"
    sweep, problems = grid.expand(SweepFile(yaml_document.parse(text, "sweep.yaml").data))
    assert problems == []
    return expected_costs.estimate(sweep.combinations[0], sweep.capture, sweep.inputs)[1]


def audited(cell, out):
    """A cell's tables, which are written to ``out``, its packets where it has any, and its audit."""
    out.mkdir(exist_ok=True)
    parsed = raw_files.cell(cell.folder, out)
    captures.cell(cell.folder, out, library())
    path = out / "packets.parquet"
    packets = pl.scan_parquet(path) if path.is_file() else None
    return parsed, packets, audit.audit_table(parsed, packets, cell.record["arguments"])


def disagreeing(parsed, packets=None):
    """The checks of a cell's audit that do not agree: (check, flow)."""
    return set(audit.audit_table(parsed, packets).filter(~pl.col("agrees")).select("check", "flow").rows())


def without(frame, where):
    """A table without the first row that an expression is true of."""
    place = frame.select(where.arg_true().first()).item()
    return pl.concat([frame.head(place), frame.slice(place + 1)])
