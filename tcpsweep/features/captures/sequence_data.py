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


_SackBlocks: TypeAlias = tuple[float, int, list[int], list[int]]
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
    small_enough = flows.filter(pl.col("protocol") == TCP, count <= _MOST_PACKETS)
    drawn = small_enough.filter(count.cum_sum() <= _MOST_PACKETS).head(MOST_FLOWS)
    if drawn.is_empty():
        return {}
    blocks_by_direction = _sack_blocks(packets, drawn)
    most_points = _MOST_POINTS // max(drawn.height, 8)
    for flow, data, acks in captured_packets.flow_by_flow(packets, drawn):
        for direction, sent, answers in (("forward", data, acks), ("reverse", acks, data)):
            if (sent.payload > 0).any():
                connection = captured_connection.followed_connection(sent, answers)
                flow_blocks = blocks_by_direction.get((flow, direction == "reverse"), ())
                for name, row in _layers_of_direction(connection, sent, answers, flow_blocks, end_s, most_points):
                    layers[name].append({"flow": key(flow, direction)} | row)
    return {name: layer for name, layer in layers.items() if layer}


def _sack_blocks(packets: Path, flows: pl.DataFrame) -> dict[tuple[int, bool], list[_SackBlocks]]:
    """The SACK blocks of each flow's packets, in the data's direction and in the other."""
    packet_rows = captured_packets.rows_of(packets, flows, "sack_left", "sack_right")
    blocks_by_direction: dict[tuple[int, bool], list[_SackBlocks]] = {}
    for flow, is_data, *row in (
        packet_rows.filter(pl.col("sack_left").is_not_null())
        .select("flow", "is_data", "time_s", "ack", "sack_left", "sack_right")
        .iter_rows()
    ):
        blocks_by_direction.setdefault((flow, is_data), []).append((row[0], row[1], row[2], row[3]))
    return blocks_by_direction


def _layers_of_direction(
    connection: Told, data: Packets, acks: Packets, blocks: Any, end_s: float, most: int
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The layers of a direction's diagram and their rows."""
    size = connection.new + np.where(connection.is_late, 0, connection.again)
    kind = np.where(connection.is_late, 2, np.where(connection.again > 0, 1, 0))
    yield (
        "segments",
        _bars(connection.time_s, connection.start, connection.start + np.maximum(size, 1), kind, end_s, most),
    )
    if len(connection.ack_s):
        yield "acks", _line(connection.ack_s, np.maximum.accumulate(connection.ack_to), end_s, most)
        highest_edge = np.maximum.accumulate(connection.ack_to) + int(FLIGHTS * connection.in_flight.max())
        yield "edges", _line(connection.ack_s, np.minimum(connection.edge, highest_edge), end_s, most)
        if blocks:
            yield "sacks", _sacks(connection, blocks, end_s, most)
    for begin, until in connection.idle:
        yield "idle", {"t": round(begin, 6), "until": round(until, 6)}
    for sign, time_s in sorted(_signals(connection, data, acks), key=lambda signal: signal[1])[:_MOST_SIGNALS]:
        yield "signals", {"t": round(time_s, 6), "sign": sign, "what": SIGNALS[sign]}


def _signals(connection: Told, data: Packets, acks: Packets) -> Iterator[tuple[str, float]]:
    for side in (data, acks):
        for sign, flag in (("S", SYN), ("F", FIN), ("R", RST)):
            yield from ((sign, time_s) for time_s in side.time_s[(side.flags & flag) > 0].tolist())
    is_zero = (acks.window == 0) & ((acks.flags & (SYN | FIN | RST)) == 0) & ((acks.flags & ACK) > 0)
    yield from (("0", time_s) for time_s in acks.time_s[is_zero].tolist())
    yield from (("T", time_s) for time_s in connection.timeouts)
    yield from (("D", time_s) for time_s in connection.fast)


def _sacks(connection: Told, blocks: Any, end_s: float, most: int) -> dict[str, Any]:
    """The SACK blocks, which are above the acknowledgement of their packet."""
    times_s, lows, highs = [], [], []
    for time_s, ack, left, right in blocks:
        next_ack = min(int(np.searchsorted(connection.ack_s, time_s)), len(connection.ack_s) - 1)
        for low, high in zip(left, right, strict=True):
            above = _signed(low - ack)
            if above > 0:  # a block below reports a duplicate
                times_s.append(time_s)
                lows.append(int(connection.ack_to[next_ack]) + above)
                highs.append(int(connection.ack_to[next_ack]) + _signed(high - ack))
    kinds = np.zeros(len(times_s), np.int64)
    return _bars(np.array(times_s), np.array(lows, np.int64), np.array(highs, np.int64), kinds, end_s, most)


def _signed(difference: int) -> int:
    """A difference of sequence numbers, within 2³¹."""
    return (difference + 2**31) % 2**32 - 2**31


def _bars(time_s: Any, low: Any, high: Any, kind: Any, end_s: float, most: int) -> dict[str, Any]:
    """Bars; if there are too many, one for each kind and part of the time, from the lowest to the highest byte."""
    if len(time_s) > most:
        part_and_kind = np.floor(time_s * (most / 2 / end_s)).astype(np.int64) * len(KINDS) + kind
        bars, first_of_bar, bar = np.unique(part_and_kind, return_index=True, return_inverse=True)
        lowest, highest = np.full(len(bars), np.inf), np.full(len(bars), -np.inf)
        np.minimum.at(lowest, bar, low)
        np.maximum.at(highest, bar, high)
        time_s, low, high, kind = time_s[first_of_bar], lowest, highest, kind[first_of_bar]
    return {"t": time_s, "low": low * _KB, "high": high * _KB, "kind": np.asarray(kind, float)}


def _line(time_s: Any, value: npt.NDArray[np.int64], end_s: float, most: int) -> dict[str, Any]:
    """A line; if it has too many points, only the last one in each part of the time."""
    if len(time_s) > most:
        part_of_time = np.floor(time_s * (most / 2 / end_s)).astype(np.int64)
        last_of_part = np.append(np.flatnonzero(np.diff(part_of_time)), len(part_of_time) - 1)
        time_s, value = time_s[last_of_part], value[last_of_part]
    return {"t": time_s, "v": value * _KB}
