# SPDX-License-Identifier: MIT
"""A cell to audit, its network, and the functions that several checks share."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt
import polars as pl

from tcpsweep.core.measure import flow_rows, traced_ways
from tcpsweep.core.measure.traced_ways import TracedWay
from tcpsweep.core.parse.parsed import Parsed, Way
from tcpsweep.core.words import table_columns, units

# ns-3's clock ticks in nanoseconds, and each link of a path rounds.
CLOCK_S = 1e-8
PPP_BYTES = 2
_TCP_BYTES, _UDP_BYTES = 20, 8
_LONGEST_TCP_BYTES = 60
_EVENTS = table_columns.EVENT.categories.to_list()
_AUDITED = ("received_bytes", "ip_received_bytes", "owd_s", "ip_sent_bytes", "sent_packets", "in_flight_bytes")

Numbers: TypeAlias = npt.NDArray[np.float64]
Check: TypeAlias = tuple[str, int | None, float, float, float]
"""A check's name, its flow or None, the least that it may be, what was found, and the most that it may be."""


@dataclass(frozen=True)
class Network:
    """The network, from the simulator's record.

    Attributes
    ----------
    end_s : float
        When the simulation ended.
    ways : dict
        The directions of links that flows' data cross and whose queues were traced.
    wireless : bool
        Whether hosts are stations, so that packets may be lost between them and the bottleneck.
    """

    parameters: dict[str, Any]
    derived: dict[str, Any]
    end_s: float
    ways: dict[Way, TracedWay]
    wireless: bool

    @classmethod
    def from_record(cls, run: dict[str, Any]) -> Network:
        """The network of a simulator's record."""
        parameters, derived = run["parameters"], run["derived"]
        return cls(
            parameters,
            derived,
            float(units.si(parameters["duration"], "time")),
            {way.key: way for way in traced_ways.ways_in_record(run)},
            "nodes" in run,
        )

    @functools.cached_property
    def longest_packet_bytes(self) -> int:
        """The longest packet on the wire: a full segment, a CBR packet, or an ACK with all options."""
        has_cbr = int(self.parameters.get("cbr_flows", 0)) > 0
        cbr_bytes = self.cbr_headers_bytes + int(self.parameters["cbr_packet_size"]) if has_cbr else 0
        ack_bytes = self.derived["ip_header_bytes"] + _LONGEST_TCP_BYTES
        longest: int = max(self.derived["wire_packet_bytes"], cbr_bytes + PPP_BYTES, ack_bytes + PPP_BYTES)
        return longest

    @property
    def headers_bytes(self) -> int:
        """The headers of IP and TCP without TCP's options."""
        return int(self.derived["ip_header_bytes"]) + _TCP_BYTES

    @property
    def cbr_headers_bytes(self) -> int:
        """The IP and UDP headers of a CBR packet."""
        return int(self.derived["ip_header_bytes"]) + _UDP_BYTES


@dataclass(frozen=True)
class AuditedCell:
    """A cell to audit.

    Attributes
    ----------
    run : dict
        The simulator's record.
    flows : DataFrame
        The table `flows`.
    queue : DataFrame
        The table `queue`.
    queues : dict
        Its rows of each direction of a link that has any.
    traces : dict
        The traces of `_AUDITED` that the cell has, by name: each flow's values, in order of time.
    arrivals : dict
        The trace ``received_bytes`` by flow, if the cell has it: the times, and the values.
    """

    run: dict[str, Any]
    network: Network
    flows: pl.DataFrame
    queue: pl.DataFrame
    queues: dict[Way, pl.DataFrame]
    traces: dict[str, dict[int, pl.Series]]
    arrivals: dict[int, tuple[Numbers, ...]]

    @classmethod
    def from_parsed(cls, parsed: Parsed) -> AuditedCell:
        """The audited cell from a parsed one."""
        traces = {
            trace: {
                flow: pl.Series(value)
                for flow, (value,) in flow_rows.rows_by_flow(parsed.traces[trace], "value").items()
            }
            for trace in _AUDITED
            if trace in parsed.traces
        }
        received = parsed.traces.get("received_bytes")
        arrivals = {} if received is None else flow_rows.rows_by_flow(received, "time_s", "value")
        network = Network.from_record(parsed.run)
        return cls(parsed.run, network, parsed.flows, parsed.queue, parsed.queues, traces, arrivals)

    @functools.cached_property
    def traced(self) -> list[TracedWay]:
        """The directions of links with traced queues, in the record's order."""
        queues = {(queue["link"], queue["direction"]) for queue in self.run["queue"]}
        return [way for key, way in self.network.ways.items() if key in queues]

    @functools.cached_property
    def paths(self) -> dict[int, tuple[Way, ...]]:
        """The directions of links with queues that each flow's data cross, in their order, by the flow's number."""
        return traced_ways.traced_paths(self.run)

    @functools.cached_property
    def crossing(self) -> dict[Way, set[int | None]]:
        """Whose packets cross each direction of any link: flows' data by their numbers, and None for all others."""
        flows_by_way: dict[Way, set[int | None]] = {}
        for flow in self.run["flows"]:
            for link, direction in traced_ways.path_ways(flow["path"]):
                flows_by_way.setdefault((link, direction), set()).add(flow["flow"])
                flows_by_way.setdefault((link, "reverse" if direction == "forward" else "forward"), set()).add(None)
        for cbr in self.run.get("cbr_flows", ()):
            for way in traced_ways.path_ways(cbr["path"]):
                flows_by_way.setdefault(way, set()).add(None)
        return flows_by_way

    @property
    def has_other_traffic(self) -> bool:
        """Whether there is traffic besides the flows. The traces of queues have its packets without a flow."""
        return bool(self.run.get("traffic"))

    def going(self, way: Way) -> list[int]:
        """The numbers of the flows whose data cross a direction of a link."""
        return [flow for flow in self.flows["flow"] if way in self.paths[flow]]

    def after_another(self, way: Way) -> list[int]:
        """The flows from `going` that cross another traced link before."""
        return [flow for flow in self.going(way) if self.paths[flow][0] != way]

    def check_name(self, way: Way, check: str) -> str:
        """A check's name for a direction of a link: with the link where the network has several."""
        link, direction = way
        name = f"reverse_{check}" if direction == "reverse" else check
        return name if len(self.run["links"]) == 1 else f"{name} of {link}"

    def values(self, trace: str, flow: int) -> pl.Series:
        """A flow's values in a trace; none if it has no rows."""
        return self.traces[trace].get(flow, pl.Series(dtype=pl.Float64))

    def last(self, trace: str, flow: int) -> float:
        """A flow's last value in a trace that counts up from zero."""
        values = self.values(trace, flow)
        return values[-1] if values.len() else 0

    @property
    def is_monitored(self) -> bool:
        """Whether FlowMonitor counted, and not the simulator itself."""
        return bool(self.network.parameters.get("flow_monitor", "true") == "true")

    @functools.cached_property
    def recorded(self) -> dict[int, dict[str, Any]]:
        """The simulator's record of each flow, by its number; some numbers may be left out."""
        return {flow["flow"]: flow for flow in self.run["flows"]}

    def followed(self, flow: int) -> bool:
        """Whether each packet of a flow was counted when it arrived, and once.

        The simulator itself counts a packet twice that a mesh duplicates. FlowMonitor forgets packets that take longer
        than its MaxPerHopDelay, if the sweep sets that.
        """
        if not self.is_monitored:
            return "mesh_radius_left" not in self.network.parameters
        if not self.network.derived["forgets_packets"]:
            return True
        if "owd_s" in self.traces:
            longest_s = self.values("owd_s", flow).max()
        else:
            longest_s = self.queue["delay_s"].filter(self.queue["flow"] == flow).max()
        # FlowMonitor looks for packets to forget once a second.
        return cast(float, longest_s or 0) < cast(float, self.network.derived["lost_after_s"]) - 1


@dataclass(frozen=True)
class Events:
    """The events at a link in one direction: the rows of `queue`, as arrays.

    Attributes
    ----------
    happened : array of int
        The rows' events, by their numbers in `table_columns.EVENT`.
    """

    happened: npt.NDArray[np.uint8]
    flow: npt.NDArray[np.int32]
    wire_bytes: npt.NDArray[np.int64]
    queued_packets: npt.NDArray[np.int64]
    queued_bytes: npt.NDArray[np.int64]
    time_s: Numbers
    delay_s: Numbers

    @classmethod
    def from_rows(cls, queue: pl.DataFrame) -> Events:
        """Rows of the table `queue`."""
        columns = ("flow", "wire_bytes", "queued_packets", "queued_bytes", "time_s", "delay_s")
        return cls(queue["event"].to_physical().to_numpy(), *(queue[name].to_numpy() for name in columns))

    def are(self, *events: str) -> npt.NDArray[np.bool_]:
        """Which rows are events of these kinds."""
        matches = np.zeros(len(self.happened), bool)
        for event in events:
            matches |= self.happened == _EVENTS.index(event)
        return matches


def total(values: pl.Series) -> float:
    """The sum of numbers."""
    return cast(float, values.sum())


def exact(check: str, flow: int | None, expected: float, value: float) -> Check:
    """A check whose number is exact."""
    return check, flow, float(expected), float(value), float(expected)


def unacknowledged_bytes(cell: AuditedCell, flow: int) -> float:
    """The most IP bytes of a flow that may be on its access links in one direction: its sender's bytes in flight.

    The flow's ACKs are fewer and shorter. One additional full packet allows for packets without data.
    """
    derived, largest = cell.network.derived, int(cell.network.parameters["segment_size"])
    segment_bytes: int = cell.recorded[flow].get("segment_bytes", largest)
    full_bytes: int = segment_bytes + derived["wire_packet_bytes"] - PPP_BYTES - largest
    in_flight_bytes: float = derived["socket_buffer_bytes"]
    if "in_flight_bytes" in cell.traces:
        in_flight_bytes = cell.last("in_flight_bytes", flow)
    return in_flight_bytes * full_bytes / segment_bytes + full_bytes
