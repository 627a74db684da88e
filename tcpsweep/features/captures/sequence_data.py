# SPDX-License-Identifier: MIT
"""The time–sequence diagrams on the page of an import: segments, ACK line, window edge, SACK blocks and events."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from tcpsweep.core.figures.cell_timeline_data import Rows
from tcpsweep.features.captures import captured_connection, captured_packets
from tcpsweep.features.captures.captured_connection import Told
from tcpsweep.features.captures.captured_flows import TCP
from tcpsweep.features.captures.captured_packets import ACK, FIN, RST, SYN, Packets

MOST_FLOWS = 40  # flows that have diagrams
_MOST_PACKETS = 4_000_000  # of all these flows; more would make an import slow
_MOST_POINTS = 60_000  # points of a layer in all diagrams; more are thinned to one per part of the time
_MOST_SIGNALS = 400
FLIGHTS = 1.5  # a window is drawn to end at most this many of the largest flights above the ACKs
_KB = 1e-3
KINDS = ("new", "retransmitted", "late")
SIGNALS = {
    "S": "SYN",
    "F": "FIN",
    "R": "reset",
    "0": "zero window",
    "T": "timeout",
    "D": "fast retransmission, after duplicate ACKs",
}


_Blocks: TypeAlias = tuple[float, int, list[int], list[int]]
"""SACK blocks of a packet: its time, its acknowledgement's number, and the blocks' edges as sent."""


def key(flow: int, direction: str) -> int:
    """The number by which the page's script knows a flow's direction."""
    return flow if direction == "forward" else -1 - flow


def layer_rows(packets: Path, flows: pl.DataFrame, end_s: float) -> dict[str, Rows]:
    """The rows of the diagrams, by the name of their layer; ``flow`` is the `key` of a flow's direction.

    ``segments`` and ``sacks`` are bars with ``t`` in s, ``low`` and ``high`` in kB from the connection's first byte,
    ``kind`` one of `KINDS` by number. ``acks`` and ``edges`` are lines. ``signals`` have ``t`` and ``sign``, of
    `SIGNALS`; ``idle`` is from ``t`` until ``until``.
    """
    layers: dict[str, Rows] = {name: [] for name in ("idle", "segments", "sacks", "edges", "acks", "signals")}
    count = pl.col("packets") + pl.col("ack_packets")
    fitting = flows.filter(pl.col("protocol") == TCP, count <= _MOST_PACKETS)
    wanted = fitting.filter(count.cum_sum() <= _MOST_PACKETS).head(MOST_FLOWS)
    if wanted.is_empty():
        return {}
    blocks = _blocks(packets, wanted)
    most = _MOST_POINTS // max(wanted.height, 8)
    for flow, data, acks in captured_packets.flow_by_flow(packets, wanted):
        for direction, one, other in (("forward", data, acks), ("reverse", acks, data)):
            if (one.payload > 0).any():
                told = captured_connection.followed_connection(one, other)
                flow_blocks = blocks.get((flow, direction == "reverse"), ())
                for name, row in _of_direction(told, one, other, flow_blocks, end_s, most):
                    layers[name].append({"flow": key(flow, direction)} | row)
    return {name: layer for name, layer in layers.items() if layer}


def _blocks(packets: Path, flows: pl.DataFrame) -> dict[tuple[int, bool], list[_Blocks]]:
    """The SACK blocks of each flow's packets, in the data's direction and in the other."""
    read = captured_packets.rows_of(packets, flows, "sack_left", "sack_right")
    blocks: dict[tuple[int, bool], list[_Blocks]] = {}
    for flow, is_data, *row in (
        read.filter(pl.col("sack_left").is_not_null())
        .select("flow", "is_data", "time_s", "ack", "sack_left", "sack_right")
        .iter_rows()
    ):
        blocks.setdefault((flow, is_data), []).append((row[0], row[1], row[2], row[3]))
    return blocks


def _of_direction(
    told: Told, data: Packets, acks: Packets, blocks: Any, end_s: float, most: int
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The layers of a direction's diagram and their rows."""
    size = told.new + np.where(told.is_late, 0, told.again)
    kind = np.where(told.is_late, 2, np.where(told.again > 0, 1, 0))
    yield "segments", _bars(told.time_s, told.start, told.start + np.maximum(size, 1), kind, end_s, most)
    if len(told.ack_s):
        yield "acks", _line(told.ack_s, np.maximum.accumulate(told.ack_to), end_s, most)
        limit = np.maximum.accumulate(told.ack_to) + int(FLIGHTS * told.in_flight.max())
        yield "edges", _line(told.ack_s, np.minimum(told.edge, limit), end_s, most)
        if blocks:
            yield "sacks", _sacks(told, blocks, end_s, most)
    for begin, until in told.idle:
        yield "idle", {"t": round(begin, 6), "until": round(until, 6)}
    for sign, time_s in sorted(_signals(told, data, acks), key=lambda signal: signal[1])[:_MOST_SIGNALS]:
        yield "signals", {"t": round(time_s, 6), "sign": sign, "what": SIGNALS[sign]}


def _signals(told: Told, data: Packets, acks: Packets) -> Iterator[tuple[str, float]]:
    for side in (data, acks):
        for sign, flag in (("S", SYN), ("F", FIN), ("R", RST)):
            yield from ((sign, time_s) for time_s in side.time_s[(side.flags & flag) > 0].tolist())
    is_zero = (acks.window == 0) & ((acks.flags & (SYN | FIN | RST)) == 0) & ((acks.flags & ACK) > 0)
    yield from (("0", time_s) for time_s in acks.time_s[is_zero].tolist())
    yield from (("T", time_s) for time_s in told.timeouts)
    yield from (("D", time_s) for time_s in told.fast)


def _sacks(told: Told, blocks: Any, end_s: float, most: int) -> dict[str, Any]:
    """The SACK blocks, which are above the acknowledgement of their packet."""
    times, lows, highs = [], [], []
    for time_s, ack, left, right in blocks:
        row = min(int(np.searchsorted(told.ack_s, time_s)), len(told.ack_s) - 1)
        for low, high in zip(left, right, strict=True):
            above = _signed(low - ack)
            if above > 0:  # a block below reports a duplicate
                times.append(time_s)
                lows.append(int(told.ack_to[row]) + above)
                highs.append(int(told.ack_to[row]) + _signed(high - ack))
    none = np.zeros(len(times), np.int64)
    return _bars(np.array(times), np.array(lows, np.int64), np.array(highs, np.int64), none, end_s, most)


def _signed(difference: int) -> int:
    """A difference of sequence numbers, within 2³¹."""
    return (difference + 2**31) % 2**32 - 2**31


def _bars(time_s: Any, low: Any, high: Any, kind: Any, end_s: float, most: int) -> dict[str, Any]:
    """Bars; if there are too many, one for each kind and part of the time, from the lowest to the highest byte."""
    if len(time_s) > most:
        part = np.floor(time_s * (most / 2 / end_s)).astype(np.int64) * len(KINDS) + kind
        numbers, firsts, place = np.unique(part, return_index=True, return_inverse=True)
        lowest, highest = np.full(len(numbers), np.inf), np.full(len(numbers), -np.inf)
        np.minimum.at(lowest, place, low)
        np.maximum.at(highest, place, high)
        time_s, low, high, kind = time_s[firsts], lowest, highest, kind[firsts]
    return {"t": time_s, "low": low * _KB, "high": high * _KB, "kind": np.asarray(kind, float)}


def _line(time_s: Any, value: npt.NDArray[np.int64], end_s: float, most: int) -> dict[str, Any]:
    """A line; if it has too many points, only the last one in each part of the time."""
    if len(time_s) > most:
        part = np.floor(time_s * (most / 2 / end_s)).astype(np.int64)
        last = np.append(np.flatnonzero(np.diff(part)), len(part) - 1)
        time_s, value = time_s[last], value[last]
    return {"t": time_s, "v": value * _KB}
