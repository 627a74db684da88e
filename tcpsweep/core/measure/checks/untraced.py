# SPDX-License-Identifier: MIT
"""The links of a path without a traced queue, before, between and after the links with a traced queue."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tcpsweep.core.measure import traced_ways
from tcpsweep.core.measure.checks.audited_cell import CLOCK_S, PPP_BYTES, AuditedCell, Numbers
from tcpsweep.core.measure.checks.traced_queue import Queue
from tcpsweep.core.parse.parsed import Way


@dataclass(frozen=True)
class Arrivals:
    """A flow's packets that went on from a traced link to the next one, or to their receiver.

    Attributes
    ----------
    earliest_s : array of float
        The earliest possible arrival times.
    late_s : float
        The largest possible delay after these times; infinite if it is unknown.
    """

    wire_bytes: npt.NDArray[np.int64]
    earliest_s: Numbers
    late_s: float

    def perhaps(self, time_s: float) -> npt.NDArray[np.bool_]:
        """Which of the packets may have arrived by a time."""
        return self.earliest_s <= time_s + CLOCK_S

    def surely(self, time_s: float) -> npt.NDArray[np.bool_]:
        """Which of the packets must have arrived by a time."""
        return self.earliest_s + self.late_s <= time_s - CLOCK_S

    def perhaps_bytes(self, time_s: float) -> int:
        """The IP bytes of the packets that may have arrived by a time."""
        return int((self.wire_bytes - PPP_BYTES)[self.perhaps(time_s)].sum())

    def surely_bytes(self, time_s: float) -> int:
        """The IP bytes of the packets that must have arrived by a time."""
        return int((self.wire_bytes - PPP_BYTES)[self.surely(time_s)].sum())


def arrivals(cell: AuditedCell, queue: Queue) -> dict[int, Arrivals]:
    """The arrivals of each flow's packets at the next traced link or at their receiver, after a traced link.

    On this path they cross first in, first out links without traced queues. The other traffic on these links decides
    the packets' delay. It is known if there is no other traffic, or only flows that come from the same traced link and
    take the same path. Otherwise it is unknown.
    """
    flows_by_path: dict[tuple[Way, ...], list[int]] = {}
    for flow in cell.going(queue.way.key):
        flows_by_path.setdefault(tuple(traced_ways.path_ways(_steps_after(cell, flow, queue.way.key))), []).append(flow)
    rows_of_flow = _rows_of_each(queue.flow)
    by_flow: dict[int, Arrivals] = {}
    for flows in flows_by_path.values():
        steps = _steps_after(cell, flows[0], queue.way.key)
        is_exact = all(alone(cell, step, flows) and not step["varies"] for step in steps)
        late_s = queue.way.record["jitter_s"] + sum(step["jitter_s"] for step in steps) if is_exact else np.inf
        for group in [flows] if is_exact and steps else [[flow] for flow in flows]:
            packet_rows = (
                np.sort(np.concatenate([rows_of_flow.get(flow, _NO_ROWS) for flow in group]))
                if len(group) > 1
                else None
            )
            packet_rows = rows_of_flow.get(group[0], _NO_ROWS) if packet_rows is None else packet_rows
            wire_bytes, time_s = queue.wire_bytes[packet_rows], queue.reached_s[packet_rows]
            for step in steps:
                time_s = through(time_s, wire_bytes, step) if is_exact else time_s + _least_s(wire_bytes, step)
            positions_of_flow = (
                _rows_of_each(queue.flow[packet_rows]) if len(group) > 1 else {group[0]: np.arange(len(packet_rows))}
            )
            for flow in group:
                positions = positions_of_flow.get(flow, _NO_ROWS)
                by_flow[flow] = Arrivals(wire_bytes[positions], time_s[positions], late_s)
    return by_flow


_NO_ROWS = np.zeros(0, np.int64)


def _rows_of_each(flow: npt.NDArray[np.int32]) -> dict[int, npt.NDArray[np.int64]]:
    """The row numbers of each flow's packets, in their order."""
    in_order = np.argsort(flow, kind="stable")
    numbers, firsts = np.unique(flow[in_order], return_index=True)
    return dict(zip(numbers.tolist(), np.split(in_order, firsts[1:]), strict=True)) if len(numbers) else {}


def _steps_after(cell: AuditedCell, flow: int, key: Way) -> list[dict[str, Any]]:
    """The steps of a flow's path after a traced link, up to the next traced link or to the end."""
    path: list[dict[str, Any]] = cell.recorded[flow]["path"]
    traced, keys = cell.paths[flow], traced_ways.path_ways(path)
    first = keys.index(key) + 1 if key in keys else 0
    next_traced = traced.index(key) + 1
    return path[first : keys.index(traced[next_traced]) if next_traced < len(traced) else len(path)]


def alone(cell: AuditedCell, step: dict[str, Any], flows: list[int]) -> bool:
    """Whether nothing but these flows' data crosses a step."""
    crossing = cell.crossing.get((step["link"], step["direction"]), set())
    return not cell.has_other_traffic and len(crossing) <= len(flows) and crossing <= set(flows)


def _least_s(wire_bytes: npt.NDArray[np.int64], step: dict[str, Any]) -> Numbers | float:
    """The least time that packets spend on a step; 0 where this time varies."""
    return 0.0 if step["varies"] else wire_bytes * 8 / step["bandwidth_bps"] + step["delay_s"]


def through(reached_s: Numbers, wire_bytes: npt.NDArray[np.int64], step: dict[str, Any]) -> Numbers:
    """The times at which packets leave a first in, first out link.

    Packet k leaves at e_k = max(a_k, e_(k−1)) + s_k = S_k + max over j ≤ k of (a_j − S_(j−1)). Here a_k is its arrival
    at the link, s_k its transmission time, and S_k = s_1 + … + s_k.
    """
    duration_s = wire_bytes * 8 / step["bandwidth_bps"]
    sums_s = np.cumsum(duration_s)
    through_s: Numbers = sums_s + np.maximum.accumulate(reached_s - (sums_s - duration_s)) + step["delay_s"]
    return through_s


def near(cell: AuditedCell, flow: int) -> list[dict[str, Any]]:
    """The steps of a flow's path before its first traced link; all if it crosses none."""
    path: list[dict[str, Any]] = cell.recorded[flow]["path"]
    traced, keys = cell.paths[flow], traced_ways.path_ways(path)
    return path[: keys.index(traced[0])] if traced else path


def may_lose(cell: AuditedCell, flow: int) -> bool:
    """Whether packets may be lost before a flow's first traced link."""
    return any(step["varies"] for step in near(cell, flow))
