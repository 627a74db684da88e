# SPDX-License-Identifier: MIT
"""One run of each variant in the same network, over time: windows, round-trip times, the queue, rates."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.section import Section
from tcpsweep.core.figures import cell_traces, drawn_queue, trace_reduction
from tcpsweep.core.figures.trace_reduction import Trace
from tcpsweep.core.report.sections import finished_runs
from tcpsweep.core.store import cell_files
from tcpsweep.core.store.cell_files import Damaged
from tcpsweep.core.sweep import assignment, axes
from tcpsweep.core.sweep.sweep_record import PlannedSweep, Run

# Show this many round-trip times without queues after the warm-up: more would hide single windows.
SHOWN_RTTS, LEAST_S, MOST_S = 200, 8.0, 60.0
SPANS = 150  # parts of that time; each keeps its lowest and highest value
WINDOWS = 40  # parts of it whose rate is shown
MOST_FLOWS, MOST_VARIANTS = 4, 12
_DRAWN_TRACES = ("cwnd_bytes", "rtt_s", "srtt_s", "received_bytes", "ip_received_bytes")


def runs_over_time(sweep: PlannedSweep, finished: Sequence[Run]) -> dict[str, Any] | None:
    """The data of runs in the first network in which most variants have a finished run; None where nothing was traced.

    - ``where``, the network in words
    - ``begin`` and ``end`` of the time shown, in s
    - ``link``, whose queue is drawn
    - ``runs``: for each variant's first finished run its ``combination``, ``run``, ``cell``, ``smoothed``, the variants
      that have only smoothed round-trip times, and ``lines``, each with its ``kind`` ("window", "RTT", "queue" or
      "rate"), its ``flow`` (a number; -1 for the queue), that flow's ``variant``, and lists ``t`` in s and ``v`` in
      segments, ms, packets, or Mbit/s
    """
    texts, networks = sweep.texts, axes.network_texts(sweep)
    first_runs: dict[tuple[str, ...], dict[str, Run]] = {}  # of each network, by variant
    for run in finished:
        if run.combination < len(texts):
            network = tuple(networks[run.combination].values())
            first_runs.setdefault(network, {}).setdefault(texts[run.combination]["variant"], run)
    if not first_runs:
        return None
    chosen = max(first_runs.values(), key=len)
    shown = list(chosen.values())[:MOST_VARIANTS]
    row = sweep.combinations[shown[0].combination]
    shown_s = min(
        MOST_S, max(LEAST_S, SHOWN_RTTS * finished_runs.base_rtts_s(sweep, shown[:1]).get(shown[0].combination, 0.1))
    )
    begin_s = max(0.0, min(row.warmup_s, row.duration_s - shown_s))
    end_s = min(row.duration_s, begin_s + shown_s)
    runs = []
    for run in shown:
        # A page without a run's lines is better than none.
        with contextlib.suppress(OSError, Damaged, pl.exceptions.PolarsError):
            runs.append(_run_data(sweep, run, begin_s, end_s))
    runs = [data for data in runs if data["lines"]]
    where = axes.axes_in_words(networks[shown[0].combination])
    return {"where": where, "begin": begin_s, "end": end_s, "runs": runs, "link": _link(sweep, shown)} if runs else None


def _link(sweep: PlannedSweep, shown: Sequence[Run]) -> str:
    """The link whose queue is drawn; empty where links have no names, and where it is not the same in all runs."""
    links = set()
    for run in shown:
        with contextlib.suppress(OSError, Damaged, pl.exceptions.PolarsError):
            links.add(drawn_queue.link_words_of(sweep.measured(run)))
    return links.pop() if len(links) == 1 else ""


def first_flows(folder: Path, names: Sequence[str], flows: int) -> dict[str, dict[int, Trace]]:
    """The drawable values of these traces for the given number of a cell's first flows."""
    is_wanted = cell_traces.wanted(names, range(min(MOST_FLOWS, flows))) & cell_traces.is_limit()
    return cell_traces.read(cell_files.checked(folder / "traces.parquet"), is_wanted)


def _run_data(sweep: PlannedSweep, run: Run, from_s: float, to_s: float) -> dict[str, Any]:
    row, folder = sweep.combinations[run.combination], sweep.parquet(run.cell)
    variants = assignment.flow_variants(row, run.run)
    traces = first_flows(folder, _DRAWN_TRACES, len(variants))
    round_trips, only_smoothed = cell_traces.round_trips(traces)
    # After a lost segment is repaired, an application reads the waiting data all at once, faster than any link.
    counted = traces.get("ip_received_bytes", traces.get("received_bytes", {}))
    bounds = [from_s + (to_s - from_s) * number / WINDOWS for number in range(WINDOWS + 1)]
    segments = 1 / float(row["segment_size"])
    lines = []

    def add(kind: str, flow: int, trace: Trace, thin: bool = True) -> None:
        """Append a flow's line to ``lines``, if it has values."""
        if len(trace.value):
            kept = trace_reduction.thin(trace, from_s, to_s, SPANS) if thin else trace
            times, values = ([float(f"{number:.4g}") for number in numbers.tolist()] for numbers in kept)
            lines.append(
                {"kind": kind, "flow": flow, "variant": variants[flow] if flow >= 0 else None, "t": times, "v": values}
            )

    for flow, trace in traces.get("cwnd_bytes", {}).items():
        add("window", flow, cell_traces.scaled(trace_reduction.held(trace, from_s, to_s), segments))
    for flow, trace in round_trips.items():
        add("RTT", flow, cell_traces.scaled(cell_traces.between(trace, from_s, to_s), 1e3))
    if (queue_file := folder / "queue.parquet").is_file():
        is_drawn = drawn_queue.rows_of_cell(sweep.measured(run)) & pl.col("time_s").is_between(from_s, to_s)
        add(
            "queue",
            -1,
            cell_traces.queue_lengths(cell_traces.queue(cell_files.checked(queue_file), is_drawn).collect()),
        )
    for flow, counter in counted.items():
        add("rate", flow, Trace(np.array(bounds), trace_reduction.rates(counter, bounds)), thin=False)
    named = list(dict.fromkeys(variants[flow] for flow in only_smoothed))
    return {"combination": run.combination, "run": run.run, "cell": run.cell, "lines": lines, "smoothed": named}


def smoothed(sweep: PlannedSweep, times: Mapping[str, Any]) -> str:
    """A note on smoothed round-trip times in the data of `runs_over_time`; empty if there are none."""
    names = axes.names_for_print(sweep)
    if not any(run["smoothed"] for run in times["runs"]):
        return ""
    drawn = {(i, line["variant"]) for i, run in enumerate(times["runs"]) for line in run["lines"] if line["variant"]}
    of = {(i, variant) for i, run in enumerate(times["runs"]) for variant in run["smoothed"]}
    whose = "" if drawn <= of else f" of {' and '.join(sorted({names.get(variant, variant) for _, variant in of}))}"
    return f"Round-trip times{whose} are smoothed, because there are no single samples."


@dataclass(frozen=True)
class OverTime:
    """The data of `runs_over_time`, which run and network it is, and a note on smoothed round-trip times."""

    data: dict[str, Any]
    run: str
    smoothed: str


def _over_time(results: SweepResults) -> OverTime | None:
    data = runs_over_time(results.swept, results.finished) if results.is_interactive else None
    if data is None:
        return None
    where = f" at {data['where']}" if data["where"] else ""
    return OverTime(data, f"Run {data['runs'][0]['run']}{where}", smoothed(results.sweep, data))


SECTION = Section(
    "over_time",
    "report/over_time.html.jinja",
    _over_time,
    heading="Over time",
    script_data=lambda over_time: {"overTime": over_time.data},
)
