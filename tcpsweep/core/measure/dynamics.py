# SPDX-License-Identifier: MIT
"""Losses as events, oscillation, the start, and the answer to a change of the link's rate."""

from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tcpsweep.core.measure import flow_rows
from tcpsweep.core.measure.cell import Cell, Numbers, OfFlows, Queue
from tcpsweep.core.words import table_columns
from tcpsweep.core.words.thresholds import ANSWERED, LEAST_ANSWER_S, LEAST_WINDOWS

_EVENTS = table_columns.EVENT.categories.to_list()
_TRANSMIT, _DROP, _LATE_DROP, _LOSS = (
    _EVENTS.index(event) for event in ("transmit", "drop", "drop_after_wait", "loss")
)


def oscillations(cell: Cell) -> OfFlows:
    """The coefficient of variation of each flow's goodput: standard deviation / mean over the windows of its life.

    None for a flow with fewer than `LEAST_WINDOWS` windows, or that received nothing.

    Floyd, Handley, Padhye and Widmer: Equation-Based Congestion Control for Unicast Applications. SIGCOMM 2000.
    """
    if "received_bytes" not in cell.traces:
        return {}
    variations: dict[int, float | None] = {}
    for flow, from_s, to_s in cell.life_rows:
        windows = int((to_s - from_s) / cell.window_s + 1e-9)
        ends_s = [from_s + number * cell.window_s for number in range(windows + 1)]
        gains = np.diff(cell.counted("received_bytes", flow, ends_s))
        has_enough = windows >= LEAST_WINDOWS and gains.any()
        variations[flow] = float(gains.std() / gains.mean()) if has_enough else None
    return {"goodput_variation": variations}


def loss_events(cell: Cell, round_trips_s: dict[int, float | None]) -> OfFlows:
    """The rate of each flow's loss events, and the mean number of its packets that were dropped in a row.

    ``round_trips_s`` are the flows' mean round-trip times, which a loss event lasts.

    Returns
    -------
    dict
        ``loss_event_rate``: loss events / packets that arrived at the first link; none without packets or round trips.
        ``drops_in_a_row``: packets dropped / runs of drops without a packet of the flow that the queue accepted; none
        without drops.
    """
    if cell.queue is None:
        return {}
    rates: dict[int, float | None] = {}
    bursts: dict[int, float | None] = {}
    by_link = [_outcomes_by_flow(queue.rows) for queue in cell.queues.values()]
    for flow, from_s, to_s in cell.life_rows:
        lost_s, drops, drop_runs, arrived = [np.zeros(0)], 0, 0, 0
        for outcomes in by_link:
            if flow not in outcomes:
                continue
            time_s, event, delay_s = outcomes[flow]
            within = (time_s > from_s) & (time_s <= to_s)
            time_s, event, delay_s = time_s[within], event[within], delay_s[within]
            lost_s.append(time_s[np.isin(event, (_DROP, _LATE_DROP, _LOSS))])
            dropped = _drops_by_arrival(time_s, event, delay_s)
            drops += int(dropped.sum())
            drop_runs += int(np.count_nonzero(np.diff(dropped.astype(np.int8), prepend=0) == 1))
            arrived = arrived or len(dropped)
        round_trip_s = round_trips_s.get(flow)
        event_count = _count_events(np.sort(np.concatenate(lost_s)), round_trip_s) if round_trip_s else None
        rates[flow] = event_count / arrived if arrived and event_count is not None else None
        bursts[flow] = drops / drop_runs if drop_runs else None
    return {"loss_event_rate": rates, "drops_in_a_row": bursts}


def _outcomes_by_flow(rows: pl.DataFrame) -> dict[int, tuple[npt.NDArray[Any], ...]]:
    as_floats = rows.with_columns(pl.col("time_s", "delay_s").cast(pl.Float64))
    return flow_rows.rows_by_flow(as_floats, "time_s", "event", "delay_s")


def _drops_by_arrival(time_s: Numbers, event: npt.NDArray[Any], delay_s: Numbers) -> npt.NDArray[np.bool_]:
    """Whether each packet that arrived at a queue was dropped, in the order of arrival."""
    has_arrived = np.isin(event, (_TRANSMIT, _DROP, _LATE_DROP))
    order = np.argsort(time_s[has_arrived] - delay_s[has_arrived], kind="stable")
    dropped: npt.NDArray[np.bool_] = event[has_arrived][order] != _TRANSMIT
    return dropped


def _count_events(lost_s: Numbers, round_trip_s: float) -> int:
    """The loss events: losses within a round trip of an event's first loss belong to it (RFC 5348, section 5.2)."""
    events, until_s = 0, -np.inf
    for time_s in lost_s.tolist():
        if time_s > until_s:
            events, until_s = events + 1, time_s + round_trip_s
    return events


def start(cell: Cell) -> dict[str, float]:
    """The longest queue of the network's bottleneck before the time that counts, and the packets lost until then.

    Returns
    -------
    dict
        ``start_queue_max_packets``, ``start_lost_packets``; empty without a warm-up or a traced bottleneck.
    """
    queue = _bottleneck(cell)
    if queue is None or cell.from_s <= 0:
        return {}
    event = queue.rows["event"].to_physical().to_numpy()
    time_s, delay_s = (queue.rows[name].cast(pl.Float64).to_numpy() for name in ("time_s", "delay_s"))
    is_lost = np.isin(event, (_DROP, _LATE_DROP, _LOSS)) & (time_s <= cell.from_s)
    has_left = np.isin(event, (_TRANSMIT, _LATE_DROP))
    times_s = np.concatenate((time_s[has_left] - delay_s[has_left], time_s[has_left]))
    order = np.argsort(times_s, kind="stable")
    changes = np.where(order < int(has_left.sum()), 1, -1)[times_s[order] <= cell.from_s]
    longest = int(np.cumsum(changes).max(initial=0))
    return {"start_queue_max_packets": float(longest), "start_lost_packets": float(is_lost.sum())}


def answer(cell: Cell) -> dict[str, float]:
    """The time until the senders have answered the only change of the bottleneck's rate.

    It ends with the first window in which packets arrive at the bottleneck at the new rate, within `ANSWERED` of it. A
    window is ten of the longest base round trips, at least `LEAST_ANSWER_S`, and moves by a tenth of that.

    Returns
    -------
    dict
        ``rate_answer_s``; empty if the rate does not change once while flows run, or there is no such window.
    """
    queue = _bottleneck(cell)
    if queue is None or len(queue.rates) != 2:
        return {}
    _, (change_s, rate_bps) = queue.rates
    width_s = max(10 * max(cell.base_rtt_s, default=0.0), LEAST_ANSWER_S)
    event = queue.rows["event"].to_physical().to_numpy()
    has_arrived = np.isin(event, (_TRANSMIT, _DROP, _LATE_DROP))
    time_s, delay_s = (queue.rows[name].cast(pl.Float64).to_numpy()[has_arrived] for name in ("time_s", "delay_s"))
    order = np.argsort(time_s - delay_s, kind="stable")
    arrivals_s, so_far = (time_s - delay_s)[order], np.cumsum(queue.rows["wire_bytes"].to_numpy()[has_arrived][order])
    ends_s = np.arange(change_s + width_s, cell.to_s + 1e-9, width_s / 10)
    if not len(ends_s) or not len(arrivals_s):
        return {}
    bytes_by = np.concatenate(([0], so_far))
    after, before = (
        bytes_by[np.searchsorted(arrivals_s, times_s, side="right")] for times_s in (ends_s, ends_s - width_s)
    )
    answered = np.abs((after - before) * 8 / width_s - rate_bps) <= ANSWERED * rate_bps
    return {"rate_answer_s": float(ends_s[answered.argmax()] - change_s)} if answered.any() else {}


def _bottleneck(cell: Cell) -> Queue | None:
    """The queue that the network's numbers describe."""
    way = cell.reference if cell.reference is not None else next(iter(cell.crossed), None)
    return None if way is None else cell.queues.get(way)
