# SPDX-License-Identifier: MIT
"""The choices of the time–sequence diagram on the page of an import, the words about each, and labels of flows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from tcpsweep.core.figures.cell_timeline_data import Rows
from tcpsweep.features.captures import connection_metrics, import_metrics, sequence_data
from tcpsweep.features.captures.captured_packets import SYN

# Counts that are said where they are not 0.
_COUNTS = ("zero_windows", "resets", "repeated_syns", "repeated_fins", "timeouts", "fast_retransmissions", "idle_s")


def choices(
    packets: Path,
    flows: pl.DataFrame,
    diagrams: Mapping[str, Rows],
    metrics_by_direction: Mapping[tuple[int, str], Mapping[str, float]],
) -> list[dict[str, Any]]:
    """The flows' directions that have diagrams: ``key``, ``name``, ``limit``, a sentence, and ``details``."""
    drawn_keys = {row["flow"] for row in diagrams.get("segments", ())}
    options_by_flow = _options(packets)
    entries = []
    for row in flows.iter_rows(named=True):
        for direction, name in (("forward", label(row)), ("reverse", back_label(row))):
            key = sequence_data.key(row["flow"], direction)
            if key in drawn_keys:
                metrics = metrics_by_direction.get((row["flow"], direction), {})
                limit = connection_metrics.limit_sentence(metrics) or "No ACKs show what limited it."
                details = [*options_by_flow.get(row["flow"], []), *_event_counts(metrics)]
                entries.append({"key": key, "name": name, "limit": limit, "details": "; ".join(details)})
    return entries


def _event_counts(metrics: Mapping[str, float]) -> list[str]:
    counts = []
    for name in _COUNTS:
        if value := metrics.get(name):
            metric = import_metrics.METRICS[name]
            unit = " s" if metric.shown_unit == "s" else ""
            counts.append(f"{metric.title.lower()}: {value:.4g}{unit}")
    return counts


def _options(packets: Path) -> dict[int, list[str]]:
    """The TCP options in the SYNs of each flow's sender and receiver."""
    columns = ("mss", "window_scale", "sack_permitted", "tsval")
    first_syns = (
        pl.scan_parquet(packets)
        .filter(pl.col("flow").is_not_null(), pl.col("flags") & SYN > 0)
        .group_by("flow", pl.col("direction") == "data", maintain_order=True)
        .agg(*(pl.col(name).first() for name in columns))
        .collect()
    )
    syn_options: dict[int, dict[bool, tuple[Any, ...]]] = {}
    for flow, is_data, *options in first_syns.iter_rows():
        syn_options.setdefault(flow, {})[is_data] = tuple(options)
    return {
        flow: [_syn_in_words(sides.get(True), "sender"), _syn_in_words(sides.get(False), "receiver")]
        for flow, sides in syn_options.items()
    }


def _syn_in_words(options: tuple[Any, ...] | None, who: str) -> str:
    if options is None:
        return f"the {who}'s SYN was not captured"
    mss, scale, sack, timestamp = options
    words = [f"MSS {'none' if mss is None else mss}", f"window scale {'none' if scale is None else scale}"]
    words += ["SACK"] * bool(sack) + ["timestamps"] * (timestamp is not None)
    return f"{who}: {', '.join(words)}"


def label(flow: Mapping[str, Any]) -> str:
    """A flow's number and ends."""
    ends = (f"{_bracketed(flow[end])}:{flow[f'{end}_port']}" for end in ("source", "destination"))
    return f"{flow['flow']} {' → '.join(ends)}"


def back_label(flow: Mapping[str, Any]) -> str:
    """A flow's number and ends, in the direction in which less payload goes."""
    ends = (f"{_bracketed(flow[end])}:{flow[f'{end}_port']}" for end in ("destination", "source"))
    return f"{flow['flow']} back {' → '.join(ends)}"


def _bracketed(address: str) -> str:
    return f"[{address}]" if ":" in address else address
