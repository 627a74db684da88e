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
    network: dict[str, float | None] = field(default_factory=dict)  # each metric's value for all flows together


def traces(packets: Path, flows: pl.DataFrame, measured: Measured) -> Iterator[pl.DataFrame]:
    """The table `traces`, batch by batch; the flows' metrics are added to ``measured``.

    ``packets`` is the table of packets, with the flows' numbers and directions; the flows are from
    `captured_flows.flows_in_captures`.
    """
    yield pl.DataFrame(schema=table_columns.schema("traces"))
    _add_totals(flows, measured)
    protocols = dict(flows.select("flow", "protocol").iter_rows())
    batch: list[_Trace] = []
    for flow, data, acks in captured_packets.flow_by_flow(packets, flows.head(MOST_FLOWS)):
        batch += _traces_of_flow(flow, data, acks, protocols[flow] == TCP, measured)
        if sum(len(trace.time_s) for trace in batch) > _BLOCK_ROWS:
            yield _traces_table(batch)
            batch = []
    yield _traces_table(batch)


def _add_totals(flows: pl.DataFrame, measured: Measured) -> None:
    """Add the metrics from the totals of the flows."""
    for row in flows.iter_rows(named=True):
        flow, length_s = row["flow"], row["last_s"] - row["first_s"] if row["last_s"] is not None else 0
        totals = {"sent_payload_bytes": row["payload_bytes"], "sent_ip_bytes": row["ip_bytes"]}
        if length_s > 0:
            totals["throughput_bps"] = row["ip_bytes"] * 8 / length_s
        _add_metrics(measured.values, flow, totals)


def _add_metrics(
    values_by_metric: dict[str, dict[int, float]], flow: int, value_by_metric: Mapping[str, float | None]
) -> None:
    for name, value in value_by_metric.items():
        if value is not None:
            values_by_metric.setdefault(name, {})[flow] = float(value)


def _reverse_metrics(data: Packets, acks: Packets) -> dict[str, float | None]:
    """The metrics of the direction in which less payload goes."""
    connection = captured_connection.followed_connection(data, acks)
    sent = data.chosen(data.payload > 0)
    has_acks = bool(np.any((acks.flags & (ACK | RST)) == ACK))
    received_bytes = int(connection.acked.sum() if has_acks else connection.new.sum())
    length_s = float(max(data.time_s[-1], acks.time_s[-1] if len(acks.time_s) else 0) - data.time_s[0])
    return {
        "sent_payload_bytes": int(sent.payload.sum()),
        "received_payload_bytes": received_bytes,
        "goodput_bps": received_bytes * 8 / length_s if length_s > 0 else None,
        **connection_metrics.of_connection(connection, len(sent.time_s), has_acks),
    }


def _traces_of_flow(flow: int, data: Packets, acks: Packets, is_tcp: bool, measured: Measured) -> list[_Trace]:
    """The traces of one flow; its metrics are added to ``measured``."""
    sent = data.chosen(data.payload > 0)
    end_times_s = [side.time_s[end] for side in (data, acks) if len(side.time_s) for end in (0, -1)]
    length_s = float(max(end_times_s) - min(end_times_s))
    points: dict[str, tuple[Any, Any]] = {
        "sent_bytes": (sent.time_s, np.cumsum(sent.payload)),
        "ip_sent_bytes": (sent.time_s, np.cumsum(sent.ip_bytes)),
    }
    received = points["sent_bytes"]
    if is_tcp:
        connection = captured_connection.followed_connection(data, acks)
        received = (connection.time_s, np.cumsum(connection.new))
        has_acks = bool(np.any((acks.flags & (ACK | RST)) == ACK))
        if has_acks:
            received = points["acked_bytes"] = (connection.acked_s, np.cumsum(connection.acked))
            points["in_flight_bytes"] = (connection.time_s, connection.in_flight)
        points["rtt_s"] = (connection.rtt_at_s, connection.rtt_s)
        is_resent = connection.again > 0
        points["retransmitted_bytes"] = (connection.time_s[is_resent], np.cumsum(connection.again[is_resent]))
        _add_metrics(measured.values, flow, connection_metrics.of_connection(connection, len(sent.time_s), has_acks))
        _add_metrics(measured.values, flow, connection_events.signals(data, acks))
        if (acks.payload > 0).any():
            _add_metrics(measured.reverse, flow, _reverse_metrics(acks, data))
    points["received_bytes"] = received
    measured.received[flow] = received
    received_bytes = float(received[1][-1]) if len(received[1]) else 0.0
    _add_metrics(
        measured.values,
        flow,
        {
            "received_payload_bytes": received_bytes,
            "goodput_bps": received_bytes * 8 / length_s if length_s > 0 else None,
            "ecn_marks": float(np.mean(sent.ecn == _CE)) if (sent.ecn > 0).any() else None,
        },
    )
    return [_Trace(name, flow, *points[name]) for name in _TRACES if name in points and len(points[name][0])]


def _traces_table(batch: Sequence[_Trace]) -> pl.DataFrame:
    """The rows of traces in the table `traces`."""
    lengths = [len(trace.time_s) for trace in batch]
    names = table_columns.METRIC.categories.to_list()
    category_numbers = np.array([names.index(trace.name) for trace in batch], np.uint32)
    metric = pl.Series(np.repeat(category_numbers, lengths), dtype=pl.UInt32)
    return pl.DataFrame(
        {
            "metric": metric.cat.to(table_columns.METRIC),
            "flow": np.repeat(np.array([trace.flow for trace in batch], np.int32), lengths),
            "time_s": np.concatenate([np.zeros(0), *(trace.time_s for trace in batch)]),
            "value": np.concatenate([np.zeros(0), *(trace.value for trace in batch)]),
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
    flows_with_packets = flows.filter(pl.col("flow").is_in(list(measured.received)), pl.col("start_s").is_not_null())
    least_rtt_s_by_flow = measured.values.get("rtt_min_s", {})
    window_s = max(LEAST_WINDOW_S, WINDOW_RTTS * max(least_rtt_s_by_flow.values(), default=0.0))
    cell = Cell(flows_with_packets, {"received_bytes": received}, None, 0.0, to_s, window_s=window_s)
    windows = over_time(flows_with_packets, measured.received, window_s)
    network_metrics = dict(measured.network)
    if flows_with_packets.height > 1:
        goodputs = fairness.together(cell)
        network_metrics["jain"] = fairness.jain(pl.Series(list(goodputs.values()), dtype=pl.Float64))
    if windows.height:
        network_metrics["jain_windows"] = windows["jain"].mean()  # type: ignore[assignment]
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
    rows += [(name, *[None] * 6, metric, value) for metric, value in network_metrics.items() if value is not None]
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
    spans = {flow: (start_s, stop_s) for flow, start_s, stop_s in flows.select("flow", "start_s", "stop_s").rows()}
    gains = [_window_gains(*received[flow], width_s, *spans[flow]) for flow in spans if flow in received]
    numbers = np.concatenate([np.zeros(0, np.int64), *(number for number, _ in gains)])
    gained = np.concatenate([np.zeros(0), *(of_flow for _, of_flow in gains)])
    windows, index = np.unique(numbers, return_inverse=True)
    total, squares = (np.bincount(index, weights, len(windows)) for weights in (gained, gained * gained))
    presences = [_windows_present(width_s, *span) for span in spans.values()]
    first, last = np.array([bounds for bounds in presences if bounds[0] <= bounds[1]], np.int64).reshape(-1, 2).T
    counts = np.searchsorted(np.sort(first), windows, side="right") - np.searchsorted(np.sort(last), windows)
    shared = (counts > 1) & (squares > 0)
    windows, counts, total, squares = (windows[shared], counts[shared], total[shared], squares[shared])
    columns = {"from_s": windows * width_s, "flows": counts, "jain": total**2 / (counts * squares)}
    return pl.DataFrame(columns, schema={"from_s": pl.Float64, "flows": pl.Int32, "jain": pl.Float64})


def _windows_present(width_s: float, start_s: float, stop_s: float) -> tuple[int, int]:
    """The first and the last window throughout which a flow is present; if none is, the last lies before the first."""
    return int(np.ceil(start_s / width_s)), int(np.floor((stop_s + 1e-9) / width_s)) - 1


def _window_gains(
    time_s: _Numbers, total_bytes: _Numbers, width_s: float, start_s: float, stop_s: float
) -> tuple[npt.NDArray[np.int64], _Numbers]:
    """The windows throughout which a flow is present and in which it delivers something, and the bytes in each.

    ``total_bytes`` is how much the flow delivered until each time.
    """
    # A window includes its end, not its begin.
    window_numbers = np.maximum(np.ceil(np.asarray(time_s, float) / width_s) - 1, 0).astype(np.int64)
    first, last = _windows_present(width_s, start_s, stop_s)
    gained_bytes = np.diff(np.asarray(total_bytes, float), prepend=0)
    is_counted = (window_numbers >= first) & (window_numbers <= last) & (gained_bytes > 0)
    windows, window_index = np.unique(window_numbers[is_counted], return_inverse=True)
    return windows, np.bincount(window_index, gained_bytes[is_counted], len(windows)).astype(float)
