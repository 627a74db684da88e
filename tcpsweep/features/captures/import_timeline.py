# SPDX-License-Identifier: MIT
"""The timeline on the page of imported captures: its panels, and their data at a screen's resolution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypedDict

import numpy as np
import polars as pl

from tcpsweep.core.figures import cell_timeline_data, cell_traces, trace_reduction
from tcpsweep.core.figures.cell_timeline_data import SPANS, Rows, Tables
from tcpsweep.core.figures.trace_reduction import Trace
from tcpsweep.core.words import table_columns
from tcpsweep.core.words.rounding import significant

_WINDOW_RTTS = 2  # the goodput's windows, in least round trips
_MB, _KB, _MS = 1e-6, 1e-3, 1e3
_SHOWN = ("received_bytes", "sent_bytes", "retransmitted_bytes", "in_flight_bytes", "rtt_s")


class Panel(TypedDict):
    """A panel: its chart in `cell_timeline_chart.timeline`, the rows that it shows, and words."""

    chart: str
    rows: list[str]
    title: str
    unit: str
    note: str


def reduced(folder: Path, flows: Sequence[int], measures: pl.DataFrame, end_s: float) -> dict[str, Rows]:
    """The data of an import's timeline, for the flows that are drawn; the import's tables are in the folder.

    Returns rows by name, in the form of `cell_timeline_data.reduced`:

    - ``goodput``, ``rtt`` in ms, ``jain``, ``in_flight`` in kB, ``seen``, payload in MB, as lines
    - ``again``, the retransmitted packets: ``flow``, ``t``, ``v``, as high as ``seen`` is there, and ``packets``, how
      many

    Unknown quantities are left out.
    """
    traces = cell_traces.read(folder / "traces.parquet", cell_traces.wanted(_SHOWN, list(flows)))
    fairness = pl.read_parquet(folder / "fairness.parquet")
    longest_rtt_min_s = measures.filter(pl.col("metric") == "rtt_min_s")["value"].max()
    window_s = _WINDOW_RTTS * float(longest_rtt_min_s) if isinstance(longest_rtt_min_s, float) else 0.0
    drawn = pl.DataFrame({"flow": list(flows)}, schema={"flow": pl.Int32})
    queue = pl.DataFrame(schema=table_columns.schema("queue"))
    shared_traces: dict[str, dict[int, Trace]] = {
        name: traces[name] for name in ("received_bytes", "rtt_s") if name in traces
    }
    layers = cell_timeline_data.reduced(
        Tables(drawn, shared_traces, queue, fairness if fairness.height else None), end_s, 1, max(window_s, end_s / 1e6)
    )
    layers["in_flight"] = _lines(traces.get("in_flight_bytes", {}), _KB, end_s)
    layers["seen"] = _lines(traces.get("sent_bytes", {}), _MB, end_s)
    layers["again"] = [
        row
        for flow, trace in sorted(traces.get("retransmitted_bytes", {}).items())
        for row in _retransmission_marks(flow, trace, traces["sent_bytes"][flow], end_s)
    ]
    return {name: rows for name, rows in layers.items() if rows}


def _lines(trace_by_flow: Mapping[int, Trace], scale: float, end_s: float) -> Rows:
    thinned = {
        flow: trace_reduction.thin(trace, 0, end_s, SPANS)
        for flow, trace in sorted(trace_by_flow.items())
        if len(trace.value)
    }
    return [{"flow": flow, "t": trace.time_s, "v": trace.value * scale} for flow, trace in thinned.items()]


def _retransmission_marks(flow: int, retransmitted: Trace, sent: Trace, end_s: float) -> Rows:
    """Marks for the retransmitted packets, at most one in each of `SPANS` parts of the time."""
    if not len(retransmitted.time_s):
        return []
    part_of_time = np.floor(retransmitted.time_s * (SPANS / end_s))
    _, first_of_part, counts = np.unique(part_of_time, return_index=True, return_counts=True)
    times = retransmitted.time_s[first_of_part]
    sent_mb = sent.value[np.maximum(np.searchsorted(sent.time_s, times, side="right") - 1, 0)] * _MB
    rows = zip(times.tolist(), sent_mb.tolist(), counts.tolist(), strict=True)
    return [{"flow": flow, "t": round(t, 6), "v": v, "packets": count} for t, v, count in rows]


def panels(data: Mapping[str, Rows]) -> list[Panel]:
    """The panels, from top to bottom."""
    drawn = []
    if "goodput" in data:
        width = significant(data["goodput"][0]["width"], 3)
        drawn.append(_panel("goodput", ["goodput", "starved"], "Goodput", "Mbit/s", f"Over windows of {width} s."))
    if "rtt" in data:
        note = "From where it was captured to the receiver and back."
        drawn.append(_panel("rtt", ["rtt"], "Round-trip time", "ms", note))
    if "in_flight" in data:
        note = "Seen where it was captured, and not acknowledged there."
        drawn.append(_panel("in_flight", ["in_flight"], "In flight", "kB", note))
    if "seen" in data:
        note = "With retransmissions; each mark is a retransmitted packet, or several close together."
        note = note if "again" in data else "Nothing was retransmitted."
        drawn.append(_panel("seen", ["seen", "again"], "Payload sent", "MB", note))
    if "jain" in data:
        drawn.append(_panel("jain", ["jain"], "Jain's index", "", ""))
    return drawn


def _panel(chart: str, rows: list[str], title: str, unit: str, note: str) -> Panel:
    return Panel(chart=chart, rows=rows, title=title, unit=unit, note=note)
