# SPDX-License-Identifier: MIT
"""The metrics and traces of flows in captures, from packets that were seen in one place.

Jain's index over windows of time needs memory and time that grow with the packets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from tcpsweep.core.measure import fairness
from tcpsweep.core.measure.cell import Cell
from tcpsweep.core.words import table_columns
from tcpsweep.core.words.thresholds import LEAST_WINDOW_S, WINDOW_RTTS
from tcpsweep.features.captures import captured_connection, captured_packets, connection_events, connection_metrics
from tcpsweep.features.captures.captured_flows import TCP
from tcpsweep.features.captures.captured_packets import ACK, RST, Packets

MOST_FLOWS = 1000  # flows whose packets are read; the others have totals only
_BLOCK_ROWS = 1 << 18  # rows of traces that are written together
_CE = 3
_TRACES = (
    *("received_bytes", "acked_bytes", "retransmitted_bytes"),
    *("sent_bytes", "ip_sent_bytes", "in_flight_bytes", "rtt_s"),
)

_Numbers = npt.NDArray[np.float64]


class _Trace(NamedTuple):
    """A trace of a flow, whose times are in order."""

    name: str
    flow: int
    time_s: Any
    value: Any


@dataclass
class Measured:
    """The metrics of the flows so far.

    ``received`` has, of each flow that was looked at, when payload was delivered, as far as is known, and how much
    until then.
    """

    values: dict[str, dict[int, float]]  # each metric's values by the flows' numbers
    received: dict[int, tuple[Any, Any]]
    reverse: dict[str, dict[int, float]] = field(default_factory=dict)  # as ``values``, of the other direction


def traces(packets: Path, flows: pl.DataFrame, measured: Measured) -> Iterator[pl.DataFrame]:
    """The table `traces`, batch by batch; the flows' metrics are added to ``measured``.

    ``packets`` is the table of packets, with the flows' numbers and directions; the flows are from
    `captured_flows.flows_in_captures`.
    """
    yield pl.DataFrame(schema=table_columns.schema("traces"))
    _totals(flows, measured)
    protocols = dict(flows.select("flow", "protocol").iter_rows())
    made: list[_Trace] = []
    for flow, data, acks in captured_packets.flow_by_flow(packets, flows.head(MOST_FLOWS)):
        made += _of_flow(flow, data, acks, protocols[flow] == TCP, measured)
        if sum(len(trace.time_s) for trace in made) > _BLOCK_ROWS:
            yield _table(made)
            made = []
    yield _table(made)


def _totals(flows: pl.DataFrame, measured: Measured) -> None:
    """The metrics from the totals of the flows."""
    for row in flows.iter_rows(named=True):
        flow, time_s = row["flow"], row["last_s"] - row["first_s"] if row["last_s"] is not None else 0
        totals = {"sent_payload_bytes": row["payload_bytes"], "sent_ip_bytes": row["ip_bytes"]}
        if time_s > 0:
            totals["throughput_bps"] = row["ip_bytes"] * 8 / time_s
        _add(measured.values, flow, totals)


def _add(values: dict[str, dict[int, float]], flow: int, measures: Mapping[str, float | None]) -> None:
    for name, value in measures.items():
        if value is not None:
            values.setdefault(name, {})[flow] = float(value)


def _of_reverse(data: Packets, acks: Packets) -> dict[str, float | None]:
    """The metrics of the direction in which less payload goes."""
    told = captured_connection.followed_connection(data, acks)
    sent = data.chosen(data.payload > 0)
    has_acks = bool(np.any((acks.flags & (ACK | RST)) == ACK))
    total = int(told.acked.sum() if has_acks else told.new.sum())
    length_s = float(max(data.time_s[-1], acks.time_s[-1] if len(acks.time_s) else 0) - data.time_s[0])
    return {
        "sent_payload_bytes": int(sent.payload.sum()),
        "received_payload_bytes": total,
        "goodput_bps": total * 8 / length_s if length_s > 0 else None,
        **connection_metrics.of_connection(told, len(sent.time_s), has_acks),
    }


def _of_flow(flow: int, data: Packets, acks: Packets, is_tcp: bool, measured: Measured) -> list[_Trace]:
    """The traces of one flow, and its metrics."""
    sent = data.chosen(data.payload > 0)
    times = [side.time_s[place] for side in (data, acks) if len(side.time_s) for place in (0, -1)]
    length_s = float(max(times) - min(times))
    made: dict[str, tuple[Any, Any]] = {
        "sent_bytes": (sent.time_s, np.cumsum(sent.payload)),
        "ip_sent_bytes": (sent.time_s, np.cumsum(sent.ip_bytes)),
    }
    received = made["sent_bytes"]
    if is_tcp:
        told = captured_connection.followed_connection(data, acks)
        received = (told.time_s, np.cumsum(told.new))
        has_acks = bool(np.any((acks.flags & (ACK | RST)) == ACK))
        if has_acks:
            received = made["acked_bytes"] = (told.acked_s, np.cumsum(told.acked))
            made["in_flight_bytes"] = (told.time_s, told.in_flight)
        made["rtt_s"] = (told.rtt_at_s, told.rtt_s)
        resent = told.again > 0
        made["retransmitted_bytes"] = (told.time_s[resent], np.cumsum(told.again[resent]))
        _add(measured.values, flow, connection_metrics.of_connection(told, len(sent.time_s), has_acks))
        _add(measured.values, flow, connection_events.signals(data, acks))
        if (acks.payload > 0).any():
            _add(measured.reverse, flow, _of_reverse(acks, data))
    made["received_bytes"] = received
    measured.received[flow] = received
    total = float(received[1][-1]) if len(received[1]) else 0.0
    _add(
        measured.values,
        flow,
        {
            "received_payload_bytes": total,
            "goodput_bps": total * 8 / length_s if length_s > 0 else None,
            "ecn_marks": float(np.mean(sent.ecn == _CE)) if (sent.ecn > 0).any() else None,
        },
    )
    return [_Trace(name, flow, *made[name]) for name in _TRACES if name in made and len(made[name][0])]


def _table(made: Sequence[_Trace]) -> pl.DataFrame:
    """The rows of traces in the table `traces`."""
    lengths = [len(trace.time_s) for trace in made]
    names = table_columns.METRIC.categories.to_list()
    numbers = np.array([names.index(trace.name) for trace in made], np.uint32)
    kind = pl.Series(np.repeat(numbers, lengths), dtype=pl.UInt32)
    return pl.DataFrame(
        {
            "metric": kind.cat.to(table_columns.METRIC),
            "flow": np.repeat(np.array([trace.flow for trace in made], np.int32), lengths),
            "time_s": np.concatenate([np.zeros(0), *(trace.time_s for trace in made)]),
            "value": np.concatenate([np.zeros(0), *(trace.value for trace in made)]),
        }
    ).with_columns(pl.col("time_s").round(9).cast(table_columns.SECONDS))


def tables(name: str, flows: pl.DataFrame, to_s: float, measured: Measured) -> dict[str, pl.DataFrame]:
    """The tables `measures` and `fairness`, after all of `traces`.

    The column ``cell`` has the import's name. A flow's data go forward; rows of the other direction say ``reverse``.
    ``to_s`` is the time of the last packet.
    """
    received = pl.concat(
        [
            pl.DataFrame(schema={"flow": pl.Int32, "time_s": pl.Float64, "value": pl.Float64}),
            *(
                pl.DataFrame({"time_s": at_s, "value": np.asarray(value, float)}).select(
                    pl.lit(flow, dtype=pl.Int32).alias("flow"), "time_s", "value"
                )
                for flow, (at_s, value) in measured.received.items()
            ),
        ]
    )
    shared = flows.filter(pl.col("flow").is_in(list(measured.received)), pl.col("start_s").is_not_null())
    rtts_s = measured.values.get("rtt_min_s", {})
    window_s = max(LEAST_WINDOW_S, WINDOW_RTTS * max(rtts_s.values(), default=0.0))
    inputs = Cell(shared, {"received_bytes": received}, None, 0.0, to_s, window_s=window_s)
    windows = over_time(shared, measured.received, window_s)
    of_network: dict[str, float | None] = {}
    if shared.height > 1:
        goodputs = fairness.together(inputs)
        of_network["jain"] = fairness.jain(pl.Series(list(goodputs.values()), dtype=pl.Float64))
    if windows.height:
        of_network["jain_windows"] = windows["jain"].mean()  # type: ignore[assignment]
    rows: list[tuple[Any, ...]] = [
        (name, None, None, None, flow, "forward", None, metric, value)
        for metric, values in measured.values.items()
        for flow, value in values.items()
    ]
    rows += [
        (name, None, None, None, flow, "reverse", None, metric, value)
        for metric, values in measured.reverse.items()
        for flow, value in values.items()
    ]
    rows += [(name, *[None] * 6, metric, value) for metric, value in of_network.items() if value is not None]
    measures = pl.DataFrame(rows, schema=table_columns.schema("measures"), orient="row")
    windows.insert_column(0, pl.Series("cell", [name] * windows.height, pl.String))
    return {"measures": measures, "fairness": windows}


def over_time(flows: pl.DataFrame, received: Mapping[int, tuple[_Numbers, _Numbers]], width_s: float) -> pl.DataFrame:
    """Jain's index over the windows in which a flow delivered something, as `measure.fairness.over_time` has it.

    Parameters
    ----------
    flows : DataFrame
        ``flow``, and ``start_s`` and ``stop_s``, the times of its first and last packet.
    received : dict
        By the flow's number: the times at which it delivered payload, in order, and the bytes until then.
    width_s : float
        The length of a window. Window n begins at n · ``width_s``.

    Returns
    -------
    DataFrame
        ``from_s``; ``flows``, the number of flows that are present throughout the window; ``jain``. It leaves out
        windows with fewer than two such flows, and windows without data. A capture may span years, so empty windows
        have no row.
    """
    lives = {flow: (start_s, stop_s) for flow, start_s, stop_s in flows.select("flow", "start_s", "stop_s").rows()}
    gains = [_gains(*received[flow], width_s, *lives[flow]) for flow in lives if flow in received]
    numbers = np.concatenate([np.zeros(0, np.int64), *(number for number, _ in gains)])
    gain = np.concatenate([np.zeros(0), *(gained for _, gained in gains)])
    windows, place = np.unique(numbers, return_inverse=True)
    total, squares = (np.bincount(place, weights, len(windows)) for weights in (gain, gain * gain))
    present = [_present(width_s, *life) for life in lives.values()]
    first, last = np.array([span for span in present if span[0] <= span[1]], np.int64).reshape(-1, 2).T
    counts = np.searchsorted(np.sort(first), windows, side="right") - np.searchsorted(np.sort(last), windows)
    several = (counts > 1) & (squares > 0)
    windows, counts, total, squares = windows[several], counts[several], total[several], squares[several]
    columns = {"from_s": windows * width_s, "flows": counts, "jain": total**2 / (counts * squares)}
    return pl.DataFrame(columns, schema={"from_s": pl.Float64, "flows": pl.Int32, "jain": pl.Float64})


def _present(width_s: float, start_s: float, stop_s: float) -> tuple[int, int]:
    """The first and the last window throughout which a flow is present; the last may lie before the first."""
    return int(np.ceil(start_s / width_s)), int(np.floor((stop_s + 1e-9) / width_s)) - 1


def _gains(
    time_s: _Numbers, total: _Numbers, width_s: float, start_s: float, stop_s: float
) -> tuple[npt.NDArray[np.int64], _Numbers]:
    """The windows throughout which a flow is present and delivers something, and the bytes of each."""
    # A window includes its end, not its begin.
    number = np.maximum(np.ceil(np.asarray(time_s, float) / width_s) - 1, 0).astype(np.int64)
    first, last = _present(width_s, start_s, stop_s)
    gained = np.diff(np.asarray(total, float), prepend=0)
    counts = (number >= first) & (number <= last) & (gained > 0)
    windows, place = np.unique(number[counts], return_inverse=True)
    return windows, np.bincount(place, gained[counts], len(windows)).astype(float)
