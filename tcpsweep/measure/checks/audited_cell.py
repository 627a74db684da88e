# SPDX-License-Identifier: MIT
"""A cell to audit, its network, and what several checks share."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt
import polars as pl

from tcpsweep.measure import flow_rows
from tcpsweep.parse.parsed import Parsed
from tcpsweep.words import quantities, table_columns

# ns-3's clock ticks in nanoseconds, and each of three links rounds.
CLOCK_S = 1e-8
PPP_BYTES = 2
HEADERS_BYTES = 20 + 20  # the least, of IPv4 and TCP
_UDP_BYTES = 8
_LONGEST_TCP_BYTES = 60
# FlowMonitor forgets a packet that it has not seen for so long (MaxPerHopDelay), and does not count its arrival.
_FORGOTTEN_S = 10
_EVENTS = table_columns.EVENT.categories.to_list()
_DIRECTIONS = table_columns.DIRECTION.categories.to_list()
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
    links : list of dict
        The bottleneck, ``from_s``, ``bandwidth_bps``, ``delay_s``: one dict, and another if there is a step.
    jitter_s : float
        The longest random delay of a packet's sending.
    wireless : bool
        Whether hosts are stations, so that packets may be lost between them and the bottleneck.
    """

    parameters: dict[str, Any]
    derived: dict[str, Any]
    end_s: float
    links: list[dict[str, Any]]
    jitter_s: float
    wireless: bool

    @classmethod
    def of(cls, run: dict[str, Any]) -> Network:
        """The network of a simulator's record."""
        parameters, derived = run["parameters"], run["derived"]
        packet_s = derived["wire_packet_bytes"] * 8 / derived["link"][0]["bandwidth_bps"]
        return cls(
            parameters,
            derived,
            float(quantities.si(parameters["duration"], "time")),
            derived["link"],
            float(parameters["packet_jitter"]) * packet_s,
            "nodes" in run,
        )

    @functools.cached_property
    def least_rate_bps(self) -> float:
        """The lower of the bottleneck's rates before and after a step."""
        return min(self._rates_bps)

    @functools.cached_property
    def largest_rate_bps(self) -> float:
        """The higher of the bottleneck's rates before and after a step."""
        return max(self._rates_bps)

    @property
    def _rates_bps(self) -> list[float]:
        return [link["bandwidth_bps"] for link in self.links]

    @functools.cached_property
    def longest_packet_bytes(self) -> int:
        """The longest packet on the wire: a full segment, a CBR packet, or an ACK with all options."""
        cbr = (
            self.cbr_headers_bytes + int(self.parameters["cbr_packet_size"]) if int(self.parameters["cbr_flows"]) else 0
        )
        ack = self.derived["ip_header_bytes"] + _LONGEST_TCP_BYTES
        longest: int = max(self.derived["wire_packet_bytes"], cbr + PPP_BYTES, ack + PPP_BYTES)
        return longest

    @property
    def cbr_headers_bytes(self) -> int:
        """The IP and UDP headers of a CBR packet."""
        return int(self.derived["ip_header_bytes"]) + _UDP_BYTES

    def in_force(self, name: str, time_s: Numbers) -> Numbers:
        """A property of the bottleneck at each of some times."""
        value = np.full(len(time_s), float(self.links[0][name]))
        for link in self.links[1:]:
            value[time_s >= link["from_s"]] = float(link[name])
        return value

    def capacity_bytes(self, from_s: float, to_s: float) -> float:
        """The integral of the bottleneck's rate."""
        ends = [link["from_s"] for link in self.links[1:]] + [self.end_s]
        parts: list[float] = [
            max(0, min(end_s, to_s) - max(link["from_s"], from_s)) * link["bandwidth_bps"] / 8
            for link, end_s in zip(self.links, ends, strict=True)
        ]
        return sum(parts)


@dataclass(frozen=True)
class AuditedCell:
    """A cell to audit.

    Attributes
    ----------
    run : dict
        The simulator's record.
    network : Network
    flows : DataFrame
        The table `flows`.
    queue : DataFrame
        The table `queue`.
    traces : dict
        The traces of `_AUDITED` that the cell has, by name: each flow's values, in order of time.
    """

    run: dict[str, Any]
    network: Network
    flows: pl.DataFrame
    queue: pl.DataFrame
    traces: dict[str, dict[int, pl.Series]]

    @classmethod
    def of(cls, parsed: Parsed) -> AuditedCell:
        """The audited cell from a parsed one."""
        traces = {
            trace: {
                flow: pl.Series(value) for flow, (value,) in flow_rows.by_flow(parsed.traces[trace], "value").items()
            }
            for trace in _AUDITED
            if trace in parsed.traces
        }
        return cls(parsed.run, Network.of(parsed.run), parsed.flows, parsed.queue, traces)

    def going(self, direction: str) -> list[int]:
        """The numbers of the flows in a direction."""
        return [flow for flow, way in flow_rows.of_all(self.flows, "flow", "direction") if way == direction]

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

        FlowMonitor forgets those that take long; the simulator itself counts one that a mesh brings again.
        """
        if not self.is_monitored:
            return "mesh_radius_left" not in self.network.parameters
        if "owd_s" in self.traces:
            longest = self.values("owd_s", flow).max()
        else:
            longest = self.queue["delay_s"].filter(self.queue["flow"] == flow).max()
        return cast(float, longest or 0) < _FORGOTTEN_S - 1


@dataclass(frozen=True)
class Events:
    """What happened at the bottleneck in one direction: the rows of `queue`, as arrays.

    Attributes
    ----------
    happened : array of int
        Their events, by their numbers in `table_columns.EVENT`.
    flow, wire_bytes, queued_packets, queued_bytes : array of int
    time_s, delay_s : array of float
    """

    happened: npt.NDArray[np.uint8]
    flow: npt.NDArray[np.int32]
    wire_bytes: npt.NDArray[np.int64]
    queued_packets: npt.NDArray[np.int64]
    queued_bytes: npt.NDArray[np.int64]
    time_s: Numbers
    delay_s: Numbers

    @classmethod
    def of(cls, queue: pl.DataFrame, direction: str) -> Events:
        """The rows of the table `queue` in a direction."""
        own = queue["direction"].to_physical().to_numpy() == _DIRECTIONS.index(direction)
        columns = ("flow", "wire_bytes", "queued_packets", "queued_bytes", "time_s", "delay_s")
        return cls(queue["event"].to_physical().to_numpy()[own], *(queue[name].to_numpy()[own] for name in columns))

    def are(self, *events: str) -> npt.NDArray[np.bool_]:
        """Which of them are some kinds of events."""
        found = np.zeros(len(self.happened), bool)
        for event in events:
            found |= self.happened == _EVENTS.index(event)
        return found


def total(values: pl.Series) -> float:
    """The sum of numbers."""
    return cast(float, values.sum())


def exact(check: str, flow: int | None, expected: float, found: float) -> Check:
    """A check whose number is exact."""
    return check, flow, float(expected), float(found), float(expected)


def access(flow: dict[str, Any], end: str) -> tuple[float, float]:
    """The rate in bit/s and delay in s of the access link at a flow's end; infinite and 0 if there is none."""
    link = flow[f"{end}_access"]
    return (link["bandwidth_bps"], link["delay_s"]) if link else (math.inf, 0.0)


def unacknowledged_bytes(cell: AuditedCell, flow: int) -> float:
    """The most IP bytes of a flow that may be on its access links, one way: those that its sender has in flight.

    Its ACKs are fewer and shorter. One full packet more allows for packets without data.
    """
    derived = cell.network.derived
    full: int = derived["wire_packet_bytes"] - PPP_BYTES
    in_flight: float = derived["socket_buffer_bytes"]
    if "in_flight_bytes" in cell.traces:
        in_flight = cell.last("in_flight_bytes", flow)
    return in_flight * full / int(cell.network.parameters["segment_size"]) + full
