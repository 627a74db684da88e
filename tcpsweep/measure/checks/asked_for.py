# SPDX-License-Identifier: MIT
"""The checks that a cell must have, from what was asked for: a record that says less makes an audit no shorter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tcpsweep.measure import flow_rows
from tcpsweep.measure.checks import capacity, captures
from tcpsweep.measure.checks.audited_cell import AuditedCell, Check, exact
from tcpsweep.words import table_columns
from tcpsweep.words.mixes import NOBODY, Mix

Row: TypeAlias = Check | tuple[str, int | None, None, None, None]
"""A check, or one that is missing: its name and its flow alone."""

# Trace to the checks of each flow that it allows: of all flows, and of those that FlowMonitor remembered to their ends.
_OF_ALL = {"received_bytes": "sink_bytes", "ip_sent_bytes": "ip_sent_bytes", "sent_packets": "ip_sent_packets"}
_OF_FOLLOWED = {"ip_received_bytes": ("ip_bytes",), "owd_s": ("ip_packets", "owd_sum_s")}
_COUNTERS = ("sent_packets", "sent_bytes", "drop_packets", "mark_packets", "loss_packets")
# Arguments that change no result, or that depend on the machine.
_FREE = ("--load=", "--text=", "--out=")


@dataclass(frozen=True)
class AskedFor:
    """What a cell was to simulate and to leave.

    Attributes
    ----------
    arguments : tuple of str
        The arguments that it was planned with and that determine its results.
    options : dict
        Each option of its scenario to its value: as these arguments have it, or else the record.
    """

    arguments: tuple[str, ...]
    options: dict[str, str]

    @classmethod
    def of(cls, cell: AuditedCell, arguments: Sequence[str]) -> AskedFor:
        """What a cell was asked for by the arguments of its scenario."""
        own = tuple(argument for argument in arguments if not argument.startswith(_FREE))
        pairs = (argument.removeprefix("--").split("=", 1) for argument in own if "::" not in argument)
        return cls(own, cell.network.parameters | {pair[0]: pair[-1] for pair in pairs})

    @property
    def traces(self) -> tuple[str, ...]:
        """The flows' traces."""
        named = self.options["traces"]
        return table_columns.TRACES if named == "all" else () if named == "none" else tuple(named.split(","))

    @property
    def directions(self) -> tuple[str, ...]:
        """The directions of the bottleneck whose queues are traced."""
        if self.options["queue_trace"] != "true":
            return ()
        return ("forward", "reverse") if int(self.options.get("reverse_flows", 0)) else ("forward",)


def record(cell: AuditedCell, asked: AskedFor) -> Iterator[Check]:
    """The record against what was asked for: arguments, traces and queues, and flows."""
    said = cell.run.get("arguments", ())
    yield exact("asked_arguments", None, len(asked.arguments), sum(each in said for each in asked.arguments))
    wanted, there = {*asked.traces, *asked.directions}, {*cell.run["traces"], *cell.run["queue"]}
    yield exact("asked_traces", None, len(wanted), len(wanted & there))
    low, high = _flows(asked)
    yield "asked_flows", None, low, len(cell.flows), high


def _flows(asked: AskedFor) -> tuple[int, int]:
    """The least and the most flows that there may be; where turns are left out, rotation decides."""
    mix, low, high = Mix.of(asked.options["variant"]), 0, 0
    for name in ("flows", "reverse_flows"):
        count = int(asked.options.get(name, 0))
        of_all, left = divmod(count, len(mix.turns))
        taken = sum(turn != NOBODY for turn in mix.turns)
        low += of_all * taken + max(0, left - (len(mix.turns) - taken))
        high += of_all * taken + min(left, taken)
    return low, high


def missing(cell: AuditedCell, asked: AskedFor, rows: Sequence[Row]) -> list[Row]:
    """The checks that the cell must have and that are not among its audit's rows, without numbers."""
    there = {row[:2] for row in rows}
    return [(check, flow, None, None, None) for check, flow in _names(cell, asked) if (check, flow) not in there]


def _names(cell: AuditedCell, asked: AskedFor) -> Iterator[tuple[str, int | None]]:
    """The checks, each with its flow, that the cell must have.

    What depends on what happened, such as on packets that FlowMonitor forgot, is taken from the tables.
    """
    yield from ((check, None) for check in ("rows", "time_steps_back"))
    followed = {flow: cell.followed(flow) for flow in cell.flows["flow"]}
    for row in cell.flows.iter_rows(named=True):
        flow = row["flow"]
        for trace in asked.traces:
            if asked.options["flow_monitor"] != "true" and trace != "received_bytes":
                continue
            if trace in _OF_ALL:
                yield _OF_ALL[trace], flow
            if trace in _OF_FOLLOWED and followed[flow]:
                yield from ((check, flow) for check in _OF_FOLLOWED[trace])
        if "owd_s" in asked.traces and row["rx_packets"]:
            yield "owd_above_floor_s", flow
    received = flow_rows.of_all(cell.flows, "direction", "received_bytes")
    if sum(count or 0 for way, count in received if way == "forward"):
        yield "jain", None
    for direction in asked.directions:
        prefix, counter = ("", "bottleneck") if direction == "forward" else ("reverse_", "bottleneck_reverse")
        yield from ((prefix + check, None) for check in (*_COUNTERS, "waiting_bytes", "losses_of_sent"))
        if cell.run.get(counter, {"sent_packets": 1})["sent_packets"]:
            yield from ((prefix + check, None) for check in ("carried_bytes", "busiest_second_bytes"))
            if capacity.bounds_delay(asked.options["queue_disc"]):
                yield prefix + "queueing_delay_s", None
        for flow in cell.going(direction):
            if followed[flow]:
                yield from (("delivered_packets", flow), ("delivered_bytes", flow))
    if asked.options["pcap"] != "none" and captures.hold_headers(asked.options["snaplen"]):
        yield from _of_captures(cell, asked, followed)


def _of_captures(cell: AuditedCell, asked: AskedFor, followed: dict[int, bool]) -> Iterator[tuple[str, int]]:
    if asked.directions:
        for flow in cell.going("forward"):
            yield from (("captured_packets", flow), ("captured_bytes", flow))
    if asked.options["pcap"] != "all" or cell.network.wireless:
        return
    for flow, received in flow_rows.of_all(cell.flows, "flow", "rx_bytes"):
        if cell.recorded[flow]["source_access"]:
            yield "captured_sent_bytes", flow
        if followed[flow]:
            yield from (("captured_received_packets", flow), ("captured_received_bytes", flow))
        if received < captures.WRAPS_BYTES:
            yield "captured_sink_bytes", flow
