# SPDX-License-Identifier: MIT
"""What a cell that was run by hand left."""

import json
import xml.etree.ElementTree as ElementTree


class Cell:
    """What a cell that was run by hand left."""

    def __init__(self, folder):
        self.folder = folder
        self.record = json.loads((folder / "run.json").read_text())

    def trace(self, name, flow=None):
        rows = [line.split() for line in (self.folder / f"{name}.txt").read_text().splitlines()]
        return [(float(time), float(value)) for time, of, value in rows if flow is None or int(of) == flow]

    def queue(self, *events):
        rows = [line.split() for line in (self.folder / "queue.txt").read_text().splitlines()]
        return [
            {"time": float(r[0]), "event": r[1], "flow": int(r[2]), "bytes": int(r[3]), "delay": float(r[4])}
            | {"packets": int(r[5]), "queued": int(r[6])}
            for r in rows
            if not events or r[1] in events
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
