# SPDX-License-Identifier: MIT
"""The checks that a cell must have by its request, so that an incomplete record does not shorten the audit."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tcpsweep.core.measure.checks import capacity, captures, untraced
from tcpsweep.core.measure.checks.audited_cell import AuditedCell, Check, exact
from tcpsweep.core.parse.parsed import Way
from tcpsweep.core.words import table_columns
from tcpsweep.core.words.mixes import NOBODY, Mix

Row: TypeAlias = Check | tuple[str, int | None, None, None, None]
"""A check, or one that is missing: its name and its flow alone."""

# The checks of each flow that a trace allows: for all flows, and for flows that FlowMonitor remembered to their ends.
_CHECK_OF_TRACE = {"received_bytes": "sink_bytes", "ip_sent_bytes": "ip_sent_bytes", "sent_packets": "ip_sent_packets"}
_CHECKS_OF_FOLLOWED = {"ip_received_bytes": ("ip_bytes",), "owd_s": ("ip_packets", "owd_sum_s")}
_COUNTERS = ("sent_packets", "sent_bytes", "drop_packets", "mark_packets", "loss_packets")
# Arguments that change no result, or that depend on the machine.
_IGNORED_ARGUMENTS = ("--load=", "--text=", "--out=", "--program_folder=")


@dataclass(frozen=True)
class AskedFor:
    """The simulation and the files that were requested for a cell.

    Attributes
    ----------
    arguments : tuple of str
        The planned arguments that determine the cell's results.
    options : dict
        The value of each option of the cell's scenario, from these arguments or else from the record.
    """

    arguments: tuple[str, ...]
    options: dict[str, str]

    @classmethod
    def from_arguments(cls, cell: AuditedCell, arguments: Sequence[str]) -> AskedFor:
        """The request for a cell, from the arguments of its scenario."""
        compared = tuple(argument for argument in arguments if not argument.startswith(_IGNORED_ARGUMENTS))
        pairs = (argument.removeprefix("--").split("=", 1) for argument in compared if "::" not in argument)
        return cls(compared, cell.network.parameters | {pair[0]: pair[-1] for pair in pairs})

    @property
    def traces(self) -> tuple[str, ...]:
        """The flows' traces."""
        requested = self.options["traces"]
        if requested == "all":
            return table_columns.TRACES
        return () if requested == "none" else tuple(requested.split(","))

    def queues(self, cell: AuditedCell) -> set[Way]:
        """The directions of links whose queues are traced.

        In a custom topology, they are the directions on its flows' paths; elsewhere, the bottleneck's directions.
        """
        if self.options["queue_trace"] != "true":
            return set()
        if "reverse_flows" not in self.options and cell.run["scenario"] == "network":
            return set().union(*cell.paths.values())
        directions = ("forward", "reverse") if int(self.options.get("reverse_flows", 0)) else ("forward",)
        return {("bottleneck", direction) for direction in directions}


def record(cell: AuditedCell, asked: AskedFor) -> Iterator[Check]:
    """Compares the record with the request: arguments, traces and queues, and flows."""
    arguments = cell.run.get("arguments", ())
    yield exact(
        "asked_arguments", None, len(asked.arguments), sum(argument in arguments for argument in asked.arguments)
    )
    queues = {(queue["link"], queue["direction"]) for queue in cell.run["queue"]}
    asked_for, recorded = {*asked.traces, *asked.queues(cell)}, {*cell.run["traces"], *queues}
    yield exact("asked_traces", None, len(asked_for), len(asked_for & recorded))
    least, most = _least_and_most_flows(asked)
    yield "asked_flows", None, least, len(cell.flows), most


def _least_and_most_flows(asked: AskedFor) -> tuple[int, int]:
    """The least and the most flows that are possible; if some positions have no flow, the rotation decides."""
    least, most = 0, 0
    for variants, count in _variants_and_counts(asked.options):
        mix = Mix.parse(variants)
        whole_turns, remainder = divmod(count, len(mix.turns))
        used_positions = sum(turn != NOBODY for turn in mix.turns)
        least += whole_turns * used_positions + max(0, remainder - (len(mix.turns) - used_positions))
        most += whole_turns * used_positions + min(remainder, used_positions)
    return least, most


def _variants_and_counts(options: dict[str, str]) -> Iterator[tuple[str, int]]:
    """The variants and the number of flows of each direction, or of each name in a custom topology."""
    for name in ("flows", "reverse_flows"):
        yield options["variant"], int(options.get(name, 0))
    for name in dict.fromkeys(key.split(".")[1] for key in options if key.startswith("flows.")):
        fields = {field: options.get(f"flows.{name}.{field}") for field in ("variant", "count")}
        yield fields["variant"] or options["variant"], int(fields["count"] or 1)


def missing(cell: AuditedCell, asked: AskedFor, rows: Sequence[Row]) -> list[Row]:
    """The checks that the cell must have and that are not among its audit's rows, without numbers."""
    checked = {row[:2] for row in rows}
    return [(check, flow, None, None, None) for check, flow in _required(cell, asked) if (check, flow) not in checked]


def _required(cell: AuditedCell, asked: AskedFor) -> Iterator[tuple[str, int | None]]:
    """The checks that the cell must have, each with its flow.

    Some checks depend on the simulation's course, such as on packets that FlowMonitor forgot. These come from the
    tables.
    """
    yield from ((check, None) for check in ("rows", "time_steps_back"))
    followed = {flow: cell.followed(flow) for flow in cell.flows["flow"]}
    for row in cell.flows.iter_rows(named=True):
        flow = row["flow"]
        for trace in asked.traces:
            if asked.options["flow_monitor"] != "true" and trace != "received_bytes":
                continue
            if trace in _CHECK_OF_TRACE:
                yield _CHECK_OF_TRACE[trace], flow
            if trace in _CHECKS_OF_FOLLOWED and followed[flow]:
                yield from ((check, flow) for check in _CHECKS_OF_FOLLOWED[trace])
        if "owd_s" in asked.traces and row["rx_packets"]:
            yield "owd_above_floor_s", flow
    received = cell.flows.select("direction", "received_bytes").rows()
    if sum(count or 0 for way, count in received if way == "forward"):
        yield "jain", None
    queues = asked.queues(cell)
    for key in queues:
        yield from _checks_of_queue(cell, asked, key)
    for flow, path in cell.paths.items():
        if path and path[-1] in queues and followed.get(flow):
            yield from (("delivered_packets", flow), ("delivered_bytes", flow))
    if asked.options["pcap"] != "none" and captures.hold_headers(cell.network, asked.options["snaplen"]):
        yield from _checks_of_captures(cell, asked, followed)


def _checks_of_queue(cell: AuditedCell, asked: AskedFor, key: Way) -> Iterator[tuple[str, int | None]]:
    way = cell.network.ways.get(key)
    name_of = functools.partial(cell.check_name, key)
    yield from ((name_of(check), None) for check in (*_COUNTERS, "waiting_bytes"))
    if {"received_bytes", "owd_s"} <= set(asked.traces):
        yield name_of("arrived_bytes"), None
    if way is None or not way.record["jitter_s"]:
        yield name_of("losses_of_sent"), None
    yield from ((name_of("reached_packets"), flow) for flow in cell.after_another(key))
    if way is None or (way.record["sent_packets"] and not way.has_trace):
        yield from ((name_of(check), None) for check in ("carried_bytes", "busiest_second_bytes"))
        if capacity.has_bound(way) if way else capacity.bounds_delay(asked.options.get("queue_disc")):
            yield name_of("queueing_delay_s"), None


def _checks_of_captures(cell: AuditedCell, asked: AskedFor, followed: dict[int, bool]) -> Iterator[tuple[str, int]]:
    ways = [way for way in cell.network.ways.values() if way.key in asked.queues(cell) and way.direction == "forward"]
    if asked.options["pcap"] == "bottleneck":  # only at the first link
        ways = [way for way in ways if way.link == cell.run["links"][0]["link"]]
    for way in ways:
        for flow in cell.going(way.key):
            names = (cell.check_name(way.key, check) for check in ("captured_packets", "captured_bytes"))
            yield from ((name, flow) for name in names)
    if asked.options["pcap"] != "all" or cell.network.wireless:
        return
    for flow, received in cell.flows.select("flow", "rx_bytes").rows():
        if untraced.near(cell, flow):
            yield "captured_sent_bytes", flow
        if followed[flow]:
            yield from (("captured_received_packets", flow), ("captured_received_bytes", flow))
        if received < captures.WRAPS_BYTES:
            yield "captured_sink_bytes", flow
