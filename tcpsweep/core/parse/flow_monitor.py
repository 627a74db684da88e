# SPDX-License-Identifier: MIT
"""Parse FlowMonitor's file into the table `flow_monitor`, and each flow's totals into the table `flows`."""

import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import polars as pl

from tcpsweep.core.parse.simulator_files import Damaged
from tcpsweep.core.words import table_columns

_Ends: TypeAlias = tuple[str | None, ...]
Monitored: TypeAlias = dict[_Ends, dict[str, str]]
"""Each flow's source, port, destination and port, to its attributes."""

FILE = "flow.xml"
_PART_BYTES = 1 << 16
_FLOW_DEPTH, _MOST_DEPTH = 2, 20  # the nesting depth of a flow's tags, and the limit for any tag


class FlowTags:
    """Receives the file's tags as they are parsed, and keeps only the flows' tags to save memory."""

    def __init__(self, path: Path) -> None:
        self.stats: dict[str | None, dict[str, str]] = {}
        self.classified: list[dict[str, str]] = []
        self._path, self._above = path, list[str]()

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Receive a start tag. Raises `Damaged` if it is nested too deeply."""
        if len(self._above) >= _MOST_DEPTH:
            raise Damaged(f"{self._path}: has tags nested more than {_MOST_DEPTH} deep")
        if len(self._above) == _FLOW_DEPTH:
            part = self._above[-1]
            if part == "FlowStats" and tag == "Flow":
                self.stats[attributes.get("flowId")] = attributes
            elif part.endswith("FlowClassifier"):
                self.classified.append(attributes)
        self._above.append(tag)

    def end(self, tag: str) -> None:
        """Receive an end tag."""
        self._above.pop()

    def close(self) -> None:
        """Receive the end of the file."""


def monitored(path: Path, data: bytes) -> Monitored:
    """The attributes of each flow in FlowMonitor's file, by its ends: (source, port, destination, port).

    ``path`` is the file's path, for messages.

    Raises `Damaged`.
    """
    target = FlowTags(path)
    try:
        parser = ElementTree.XMLParser(target=target)
        for begin in range(
            0, len(data), _PART_BYTES
        ):  # the parser reads each part to its end, even if `target` raises an error
            parser.feed(data[begin : begin + _PART_BYTES])
        parser.close()
    except ElementTree.ParseError as error:
        line, column = error.position
        raise Damaged(f"{path}: line {line}, column {column}: {error}") from None
    except (ValueError, LookupError) as error:  # an unknown encoding, or not a text
        raise Damaged(f"{path}: line 1: {error}") from None
    stats, classified = target.stats, target.classified
    ids = [flow.get("flowId") for flow in classified]
    if len(set(ids)) < len(ids):
        # ns-3 numbers IPv4 and IPv6 flows separately from 1, and adds up the counts of equal numbers.
        raise Damaged(f"{path}: IPv4 and IPv6 flows have the same numbers, so their separate counts are lost")
    ends = ("sourceAddress", "sourcePort", "destinationAddress", "destinationPort")
    return {
        tuple(flow.get(key) for key in ends): flow | stats[flow.get("flowId")]
        for flow in classified
        if flow.get("flowId") in stats
    }


def _ends(flow: Mapping[str, Any]) -> tuple[str, str, str, str]:
    """A flow's ends in FlowMonitor's notation."""
    return flow["source"], str(flow["source_port"]), flow["destination"], str(flow["destination_port"])


def flows(path: Path, monitored: Monitored, run: Mapping[str, Any]) -> pl.DataFrame:
    """FlowMonitor's and the sinks' totals for each flow of the sweep, matched by addresses and ports.

    ``path`` is the file's path, for messages.

    Raises `Damaged`.
    """
    rows = []
    for flow in run["flows"]:
        ends, at_any_port = _ends(flow), bool(flow.get("programs"))
        data, acks = (
            _flows_between(monitored, ends, at_any_port),
            _flows_between(monitored, ends[2:] + ends[:2], at_any_port),
        )
        rows.append(
            {name: flow.get(name) for name in table_columns.schema("flows")}
            | {"direction": flow.get("direction", "forward")}
            | _totals(path, data, "")
            | _totals(path, acks, "ack_")
        )
    return pl.DataFrame(rows, schema=table_columns.schema("flows"))


def _flows_between(monitored: Monitored, ends: _Ends, at_any_port: bool) -> list[dict[str, str]]:
    """The attributes of one flow between these ends; of all flows between their addresses, ``at_any_port``."""
    if not at_any_port:
        return [monitored[ends]] if ends in monitored else []
    return [flow for flow_ends, flow in monitored.items() if flow_ends[::2] == ends[::2]]


def counted_flows(run: Mapping[str, Any]) -> pl.DataFrame:
    """The simulator's own totals and the sinks' totals for each flow of the sweep, if there is no FlowMonitor."""
    schema = table_columns.schema("flows")
    rows = [{name: (flow | flow["counted"]).get(name) for name in schema} for flow in run["flows"]]
    return pl.DataFrame(rows, schema=schema)


_PRINTED = (
    *("flowId", "protocol", "sourcePort", "destinationPort", "txBytes", "rxBytes", "rxPackets", "lostPackets"),
    *("timeFirstTxPacket", "timeLastTxPacket", "timeFirstRxPacket", "timeLastRxPacket", "delaySum"),
)
# Exclusive upper limits of numbers. The limit for other numbers is 2⁶³.
_UPPER_LIMITS = {"flowId": 2**31, "protocol": 2**8, "sourcePort": 2**16, "destinationPort": 2**16}
_TOTALS = {
    "tx_packets": "txPackets",
    "tx_bytes": "txBytes",
    "rx_packets": "rxPackets",
    "rx_bytes": "rxBytes",
    "lost_packets": "lostPackets",
    "delay_sum_s": "delaySum",
    "jitter_sum_s": "jitterSum",
}


def _totals(path: Path, flows: list[dict[str, str]], prefix: str) -> dict[str, float]:
    """FlowMonitor's totals of one direction. A flow that never sent anything is not in its file: its totals are 0."""
    totals: dict[str, float] = {}
    for name, key in _TOTALS.items():
        if f"{prefix}{name}" not in table_columns.schema("flows"):
            continue
        totals[f"{prefix}{name}"] = sum(number_of(path, flow, key) for flow in flows)
    return totals


def number_of(path: Path, flow: Mapping[str, str], key: str) -> float:
    """A number of a flow in FlowMonitor's file. Times, such as +1.5e+09ns, are converted to seconds.

    Raises `Damaged`.
    """
    text = flow.get(key, "")
    is_time = key.startswith("time") or key.endswith("Sum")
    try:
        number = float(text.removesuffix("ns")) / 1e9 if is_time else int(text)
        least, most = (-(2**63), 2**63) if is_time else (0, _UPPER_LIMITS.get(key, 2**63))
        if text.endswith("ns") != is_time or not least <= number < most:  # also false for NaN
            raise ValueError
        return number
    except ValueError:
        raise Damaged(f"{path}: flow {flow.get('flowId')}: {key} is {text!r}") from None


def printed_table(path: Path, monitored: Monitored, run: Mapping[str, Any]) -> pl.DataFrame:
    """The numbers that ns-3's src/flow-monitor/examples/flowmon-parse-results.py prints, by its formulas.

    ``path`` is the file's path, for messages.

    Raises `Damaged`.
    """
    flow_by_ends: dict[_Ends, tuple[int | None, str | None]] = {}
    for flow in run["flows"]:
        data_ends = _ends(flow)
        flow_by_ends |= {data_ends: (flow["flow"], "data"), data_ends[2:] + data_ends[:2]: (flow["flow"], "ack")}
    rows = []
    for ends, flow in monitored.items():
        numbers = {key: number_of(path, flow, key) for key in _PRINTED}
        sent_s = numbers["timeLastTxPacket"] - numbers["timeFirstTxPacket"]
        received_s = numbers["timeLastRxPacket"] - numbers["timeFirstRxPacket"]
        received, lost = numbers["rxPackets"], numbers["lostPackets"]
        flow_number, direction = flow_by_ends.get(ends, (None, None))
        rows.append(
            {
                "flow_id": numbers["flowId"],
                "flow": flow_number,
                "direction": direction,
                "protocol": numbers["protocol"],
                "source": ends[0],
                "source_port": numbers["sourcePort"],
                "destination": ends[2],
                "destination_port": numbers["destinationPort"],
                "tx_bitrate_bps": numbers["txBytes"] * 8 / sent_s if sent_s > 0 else None,
                "rx_bitrate_bps": numbers["rxBytes"] * 8 / received_s if received_s > 0 else None,
                "mean_delay_s": numbers["delaySum"] / received if received else None,
                "packet_loss_ratio": lost / (received + lost) if received else None,
            }
        )
    return pl.DataFrame(rows, schema=table_columns.schema("flow_monitor")).sort("flow_id")
