# SPDX-License-Identifier: MIT
"""A direction of a link whose queue was traced, packet by packet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from tcpsweep.core.measure.checks.audited_cell import CLOCK_S, Events, Numbers
from tcpsweep.core.measure.traced_ways import TracedWay


@dataclass(frozen=True)
class Queue:
    """A direction of a link whose queue was traced, and its packets.

    Attributes
    ----------
    flow, wire_bytes : array of int
        The packets that reached the link's other end, in the order of their arrival.
    reached_s : array of float
        The packets' earliest possible arrival times.
    losses : int
        The losses that were found among the packets that the link sent.
    """

    way: TracedWay
    events: Events
    flow: npt.NDArray[np.int32]
    wire_bytes: npt.NDArray[np.int64]
    reached_s: Numbers
    losses: int

    @classmethod
    def from_events(cls, way: TracedWay, events: Events) -> Queue:
        """The packets in a direction of a link, one by one from their times of departure."""
        is_carried = events.are("transmit")
        flow, wire_bytes, time_s = events.flow[is_carried], events.wire_bytes[is_carried], events.time_s[is_carried]
        bandwidth_bps, delay_s = (way.in_force(name, time_s) for name in ("bandwidth_bps", "delay_s"))
        transmission_s = 0.0 if way.has_trace else wire_bytes * 8 / bandwidth_bps
        # Packets stay in order when the delay falls.
        reached_s = np.maximum.accumulate(time_s + transmission_s + delay_s)
        is_loss = events.are("loss")
        lost = _lost(flow, reached_s, events.flow[is_loss], events.time_s[is_loss], way.record["jitter_s"])
        is_kept = np.ones(len(flow), bool)
        is_kept[lost] = False
        return cls(way, events, flow[is_kept], wire_bytes[is_kept], reached_s[is_kept], len(lost))


def _lost(
    flow: npt.NDArray[np.int32],
    reached_s: Numbers,
    lost_flow: npt.NDArray[np.int32],
    lost_s: Numbers,
    jitter_s: float,
) -> npt.NDArray[np.int64]:
    """The row numbers of the lost packets, each found by its flow and by the time when it reached the link's end."""
    if not len(lost_s):
        return np.zeros(0, np.int64)
    packets = pl.DataFrame({"flow": flow, "packet": np.arange(len(flow)), "reached_s": reached_s})
    matched = (
        pl.DataFrame({"flow": lost_flow, "time_s": lost_s})
        .sort("time_s")
        .join_asof(
            packets,
            left_on="time_s",
            right_on="reached_s",
            by="flow",
            strategy="nearest",
            tolerance=CLOCK_S + jitter_s,
            check_sortedness=False,
        )
    )
    return matched["packet"].drop_nulls().unique().to_numpy()
