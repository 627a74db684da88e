# SPDX-License-Identifier: MIT
"""What a cell that was run by hand left."""

import functools
import json
import xml.etree.ElementTree as ElementTree

import polars as pl

from tcpsweep.parse import raw_files, simulator_files
from tcpsweep.words import table_columns


class Cell:
    """What a cell that was run by hand left."""

    def __init__(self, folder):
        self.folder = folder
        self.record = json.loads((folder / "run.json").read_text())

    @functools.cached_property
    def _files(self):
        return simulator_files.of(self.folder)

    @functools.cached_property
    def _traces(self):
        return raw_files.traces(self._files, self.record["traces"])

    @functools.cached_property
    def _queues(self):
        return raw_files.queue(self._files, self.record["queue"])

    def trace(self, name, flow=None):
        rows = self._traces[name]
        if flow is not None:
            rows = rows.filter(flow=flow)
        return rows.select("time_s", pl.col("value").fill_null(float(raw_files.INFINITE_SSTHRESH))).rows()

    def rows(self, name):
        return self._traces[name].select("flow", "value").rows()

    def way(self, direction="forward", link=None):
        """What the record says of a direction of a link; of the only link, if none is named."""
        (found,) = (each for each in self.record["links"] if link in (None, each["link"]))
        return found[direction]

    def queue(self, *events, direction="forward", link=None):
        letters = {event: letter for letter, event in table_columns.QUEUE_EVENTS.items()}
        names = [each["link"] for each in self.record["links"]]
        (link,) = [link] if link else names
        rows = self._queues.filter(pl.col("link") == link, direction=direction)
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
