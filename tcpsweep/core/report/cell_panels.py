# SPDX-License-Identifier: MIT
"""The panels of the timeline on a cell's page: their choice, their titles, and the words next to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from tcpsweep.core.figures import cell_timeline_chart
from tcpsweep.core.figures.cell_timeline_data import Rows
from tcpsweep.core.words.rounding import significant


class Panel(NamedTuple):
    """A panel of the timeline, with words."""

    chart: str  # of `cell_timeline_chart.timeline`
    title: str
    unit: str
    rows: list[str]  # that it shows
    flow: int | None = None  # that it is about; None if it is about all
    note: str = ""
    key: Sequence[str] = ()  # the states or events whose colours are explained next to it


def panels(data: Mapping[str, Rows], labels: Mapping[int, str], link: str | None = None) -> list[Panel]:
    """The panels of a cell from `cell_timeline_data.reduced` and the drawn flows' labels, from top to bottom.

    ``link`` is the link whose queue is drawn, where the network has several.
    """
    timeline = []
    if "goodput" in data:
        note = f"Over windows of {significant(data['goodput'][0]['width'], 3)} s."
        note += " A bar along the lower edge marks who starves." if data.get("starved") else ""
        title = "Throughput at the receiver" if data["goodput"][0].get("is_of_arrivals") else "Goodput"
        timeline.append(Panel("goodput", title, "Mbit/s", ["goodput", "starved"], note=note))
    window_rows = ["states", "in flight", "ssthresh", "cwnd"]
    flows = [
        flow for flow in labels if any(row["flow"] == flow for name in window_rows[1:] for row in data.get(name, ()))
    ]
    for flow in flows:
        key = _occurring(data, "states", "state", cell_timeline_chart.STATE_COLOURS) if flow == flows[0] else []
        title = f"Window of flow {labels[flow]}" if len(labels) > 1 else "Window"
        timeline.append(Panel("window", title, "segments", window_rows, flow, note=_axis_note(data, flow), key=key))
    if "rtt" in data:
        timeline.append(Panel("rtt", "Round-trip time", "ms", ["rtt"], note=_smoothed_note(data, labels)))
    if "queue" in data:
        key = _occurring(data, "events", "what", cell_timeline_chart.EVENT_COLOURS)
        timeline.append(
            Panel("queue", f"Queue of {link}" if link else "Queue", "packets", ["queue", "events"], key=key)
        )
    if "delay" in data:
        timeline.append(Panel("delay", f"Queueing delay at {link}" if link else "Queueing delay", "ms", ["delay"]))
    if "jain" in data:
        timeline.append(Panel("jain", "Jain's index", "", ["jain"]))
    return timeline


def _occurring(data: Mapping[str, Rows], name: str, column: str, order: Iterable[str]) -> list[str]:
    """The states or events that occur."""
    present = {row[column] for row in data.get(name, ())}
    return [value for value in order if value in present]


def _smoothed_note(data: Mapping[str, Rows], labels: Mapping[int, str]) -> str:
    """The flows whose round-trip times are smoothed."""
    flows = [row["flow"] for row in data.get("smoothed", ())]
    if not flows:
        return ""
    is_every = len(flows) == len(data["rtt"])
    whose = "Smoothed" if is_every else f"Of {', '.join(labels[flow] for flow in flows)} smoothed"
    return f"{whose}, because there are no single samples."


def _axis_note(data: Mapping[str, Rows], flow: int) -> str:
    """A remark on the flow's windows beyond the axis."""
    is_unlimited = any(row["flow"] == flow for row in data.get("unlimited", ()))
    cwnd = "cwnd is 2³² − 1 bytes at times, which limits nothing: drawn at the upper edge."
    return " ".join(filter(None, (_threshold_note(data, flow), cwnd if is_unlimited else "")))


def _threshold_note(data: Mapping[str, Rows], flow: int) -> str:
    """A remark on the cut of a flow's slow-start threshold."""
    rows = [row for row in data.get("above", ()) if row["flow"] == flow]
    if not rows:
        return ""
    finite = [row["most"] for row in rows if row["most"] is not None]
    what = ["infinite"] if len(finite) < len(rows) else []
    what += [f"up to {max(finite):,.0f} segments"] if finite else []
    if len(rows) == 1:
        when = f"from {significant(rows[0]['t'], 3)} to {significant(rows[0]['until'], 3)} s"
    else:
        when = f"for {significant(sum(row['until'] - row['t'] for row in rows), 3)} s in {len(rows)} parts"
    return f"ssthresh is {' or '.join(what)} {when}: drawn at the upper edge."
