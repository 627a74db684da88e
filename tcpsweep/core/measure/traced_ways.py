# SPDX-License-Identifier: MIT
"""The directions of traced links that flows' data cross, from the simulator's record."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tcpsweep.core.parse.parsed import Way
from tcpsweep.core.sweep.span import mean_rate

DIRECTIONS = ("forward", "reverse")


@dataclass(frozen=True)
class TracedWay:
    """A direction of a traced link.

    Attributes
    ----------
    node : str
        The node at which the direction begins.
    over_time : list of dict
        ``from_s``, ``bandwidth_bps``, ``delay_s``: one dict, and another if there is a step.
    record : dict
        The direction's part of the record: its buffers, and the values of its own counters.
    """

    link: str
    direction: str
    node: str
    over_time: list[dict[str, Any]]
    record: dict[str, Any]

    @property
    def key(self) -> Way:
        """The direction's name in the table `queue`."""
        return self.link, self.direction

    @property
    def has_trace(self) -> bool:
        """Whether the link delivers at the times of a trace, so that its rate is a mean."""
        return bool(self.record.get("has_trace"))

    @functools.cached_property
    def least_rate_bps(self) -> float:
        """The lowest of its rates."""
        return min(float(period["bandwidth_bps"]) for period in self.over_time)

    @functools.cached_property
    def largest_rate_bps(self) -> float:
        """The highest of its rates."""
        return max(float(period["bandwidth_bps"]) for period in self.over_time)

    @functools.cached_property
    def least_delay_s(self) -> float:
        """The shortest of its delays."""
        return min(float(period["delay_s"]) for period in self.over_time)

    def in_force(self, name: str, time_s: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Its rate or delay at each of some times."""
        value = np.full(len(time_s), float(self.over_time[0][name]))
        for period in self.over_time[1:]:
            value[time_s >= period["from_s"]] = float(period[name])
        return value

    def mean_rate(self, from_s: float, to_s: float) -> float:
        """The mean of its rate between two times, in bit/s."""
        return mean_rate([(period["from_s"], period["bandwidth_bps"]) for period in self.over_time], from_s, to_s)


def ways_in_record(run: dict[str, Any]) -> list[TracedWay]:
    """The directions that flows' data cross, link by link."""
    ways = []
    for link in run["links"]:
        for direction, node in zip(DIRECTIONS, (link["left"], link["right"]), strict=True):
            record = link[direction]
            if record is not None:
                over_time = record.get("over_time", link["over_time"])
                ways.append(TracedWay(link["link"], direction, node, over_time, record))
    return ways


def traced_paths(run: dict[str, Any]) -> dict[int, tuple[Way, ...]]:
    """The traced ways that each flow's data cross, in their order, by the flow's number."""
    traced = {way.key for way in ways_in_record(run)}
    return {flow["flow"]: tuple(step for step in path_ways(flow["path"]) if step in traced) for flow in run["flows"]}


def path_ways(path: list[dict[str, Any]]) -> list[Way]:
    """A path of the record, as links and directions."""
    return [(step["link"], step["direction"]) for step in path]
