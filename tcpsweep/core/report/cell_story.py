# SPDX-License-Identifier: MIT
"""A cell's events in two sentences: packets lost and timers expired, and which flow starved when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple, TypeAlias

import numpy as np
import polars as pl

from tcpsweep.core.figures import trace_reduction
from tcpsweep.core.figures.cell_timeline_data import Tables
from tcpsweep.core.words import table_columns
from tcpsweep.core.words.rounding import significant
from tcpsweep.core.words.thresholds import LEAST_WINDOW_S, WINDOW_RTTS

STARVED = 0.1  # the part of an equal share below which a flow starves
LEAST_WINDOWS = 3  # how many windows in a row make it worth saying
_MOST_NAMED = 3  # flows that a sentence names
_DROPS = {"drop", "drop_after_wait"}


class Stretch(NamedTuple):
    """A time in which a flow starves, in s."""

    flow: int
    from_s: float
    until_s: float


class Words(NamedTuple):
    """A part of a sentence, with its time span if it has one."""

    text: str
    from_s: float | None = None
    until_s: float | None = None


Sentence: TypeAlias = list[Words]


def starved(tables: Tables, end_s: float, base_rtt_s: float) -> list[Stretch]:
    """When forward flows starve, in order of time.

    A flow starves while it gets less than `STARVED` of an equal share for `LEAST_WINDOWS` windows or more. Shares are
    among the forward flows that are there throughout a window. Windows are the same as for Jain's index over time.
    ``base_rtt_s`` is the longest round trip without queues.
    """
    width_s = window_s(base_rtt_s)
    bounds = [number * width_s for number in range(int(end_s / width_s + 1e-9) + 1)]
    received_by_flow = tables.trace("received_bytes") if len(bounds) > 1 else {}
    rates_by_flow = {flow: trace_reduction.rates(trace, bounds).tolist() for flow, trace in received_by_flow.items()}
    flow_times = tables.flows.select("direction", "flow", "start_s", "finish_s", "stop_s")
    lives = [
        (flow, start, min(end for end in (end_s, *ends) if end is not None))
        for direction, flow, start, *ends in flow_times.iter_rows()
        if direction == "forward"
    ]
    # Of each flow the windows in which it starves.
    starved_windows_by_flow: dict[int, list[int]] = {flow: [] for flow, _, _ in lives}
    for window, begin in enumerate(bounds[:-1]):
        flows_there = [flow for flow, start, end in lives if start <= begin and begin + width_s <= end + 1e-9]
        rate_by_flow = {flow: rates_by_flow[flow][window] if flow in rates_by_flow else 0.0 for flow in flows_there}
        equal_share = sum(rate_by_flow.values()) / len(rate_by_flow) if len(rate_by_flow) > 1 else 0.0
        for flow, rate in rate_by_flow.items():
            if rate < STARVED * equal_share:
                starved_windows_by_flow[flow].append(window)
    stretches = []
    for flow, windows in starved_windows_by_flow.items():
        for _, successive in groupby(enumerate(windows), key=lambda item: item[1] - item[0]):
            window_numbers = [window for _, window in successive]
            if len(window_numbers) >= LEAST_WINDOWS:
                stretches.append(Stretch(flow, window_numbers[0] * width_s, (window_numbers[-1] + 1) * width_s))
    return sorted(stretches, key=lambda stretch: (stretch.from_s, stretch.flow))


def window_s(base_rtt_s: float) -> float:
    """The length of a window of Jain's index over time."""
    return max(LEAST_WINDOW_S, WINDOW_RTTS * base_rtt_s)


def sentences(
    tables: Tables, stretches: Sequence[Stretch], names: Mapping[int, str], end_s: float, base_rtt_s: float
) -> list[Sentence]:
    """The events in two sentences, over the whole simulation with its warm-up; one sentence if there are no flows.

    ``stretches`` are from `starved`; ``names`` call each flow something such as "0" or "0 (TcpCubic)".
    """
    if tables.flows.is_empty():
        return [_sentence(_packet_clauses(tables.queue, names), end_s)]
    losses = _sentence([*_packet_clauses(tables.queue, names), *_timer_clauses(tables, names)], end_s)
    return [losses, _starvation_sentence(tables, stretches, names, end_s, base_rtt_s)]


def _sentence(clauses: Sequence[str], end_s: float) -> Sentence:
    joined = ", and ".join(filter(None, [", ".join(clauses[:-1]), clauses[-1]]))
    return [Words(f"In {significant(end_s, 4)} s, {joined}.")]


def _packet_clauses(queue: pl.DataFrame, names: Mapping[int, str]) -> list[str]:
    """The fate of the packets at the bottleneck, as clauses."""
    if queue.is_empty():
        return ["the bottleneck's queue was not traced"]
    event_of_row, flow_of_row = queue["event"].to_physical().to_numpy(), queue["flow"].to_numpy()

    def packets_by_flow(*events: str) -> Counter[int]:
        """The number of packets of each flow with one of the given events."""
        event_numbers = [table_columns.EVENT.categories.to_list().index(name) for name in events]
        flows, counts = np.unique(flow_of_row[np.isin(event_of_row, event_numbers)], return_counts=True)
        return Counter(dict(zip(flows.tolist(), counts.tolist(), strict=True)))

    dropped, seen = packets_by_flow(*_DROPS), packets_by_flow("transmit", *_DROPS)
    if dropped:
        part = (
            f"{dropped.total():,} of {seen.total():,} packets ({significant(100 * dropped.total() / seen.total())} %)"
        )
        clauses = [f"the bottleneck dropped {part}{_most_affected(dropped, names)}"]
    else:
        clauses = [f"the bottleneck dropped none of {seen.total():,} packets"]
    if lost := packets_by_flow("loss"):
        clauses.append(f"its link lost {lost.total():,}{_most_affected(lost, names)}")
    if marked := packets_by_flow("mark"):
        clauses.append(f"its disc marked {marked.total():,}{_most_affected(marked, names)}")
    return clauses


def _timer_clauses(tables: Tables, names: Mapping[int, str]) -> list[str]:
    """A clause on how often retransmission timers expired."""
    if not tables.traces:
        return ["nothing was traced in the senders"]
    if "timeouts" not in tables.traces and "received_bytes" not in tables.traces:
        return ["timeouts were not traced"]
    timeouts_by_flow = {flow: int(trace.value.max()) for flow, trace in tables.trace("timeouts").items()}
    expired = Counter({flow: number for flow, number in timeouts_by_flow.items() if number})
    if not expired:
        return ["no retransmission timer expired"]
    return [f"retransmission timers expired {_how_often(expired.total())}{_most_affected(expired, names)}"]


def _how_often(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number:,} times")


def _most_affected(counts: Counter[int], names: Mapping[int, str]) -> str:
    """A remark on the flow with most of the counted events; empty unless it has well more than its share."""
    if len(names) < 2 or not counts:
        return ""
    (flow, number), *others = counts.most_common(2)
    if flow not in names or number * len(names) < 1.5 * counts.total() or number in dict(others).values():
        return ""
    part = f"{number:,} " if others else "all "
    if counts.total() == 1:
        part = ""
    return f", {part}in flow {names[flow]}"


def _starvation_sentence(
    tables: Tables, stretches: Sequence[Stretch], names: Mapping[int, str], end_s: float, base_rtt_s: float
) -> Sentence:
    least_text = significant(LEAST_WINDOWS * window_s(base_rtt_s))
    if "received_bytes" not in tables.traces:
        return [Words("Which flow starved is unknown, because payload was not traced.")]
    if tables.flows["direction"].to_list().count("forward") < 2:
        return [Words("There was no other flow that could starve this one.")]
    if LEAST_WINDOWS * window_s(base_rtt_s) > end_s:
        return [Words(f"Whether a flow starved shows only over {least_text} s, longer than this simulation.")]
    meaning = f"less than {STARVED * 100:.0f} % of an equal share for {least_text} s or more"
    if not stretches:
        return [Words(f"No flow starved: none got {meaning}.")]
    by_flow: dict[int, list[Stretch]] = {}
    for stretch in stretches:
        by_flow.setdefault(stretch.flow, []).append(stretch)
    worst_first = sorted(by_flow.items(), key=lambda item: -_total_s(item[1]))
    words: Sentence = []
    for number, (flow, starving) in enumerate(worst_first[:_MOST_NAMED]):
        longest = max(starving, key=lambda stretch: stretch.until_s - stretch.from_s)
        words.append(Words("; flow " if number else "Flow "))
        words.append(Words(f"{names[flow]} starved "))
        if len(starving) > 1:
            words.append(
                Words(f"{_how_often(len(starving))} for {significant(_total_s(starving), 3)} s in all, the longest ")
            )
        span = f"from {significant(longest.from_s, 3)} to {significant(longest.until_s, 3)} s"
        words.append(Words(span, longest.from_s, longest.until_s))
    if (unnamed_flows := len(worst_first) - _MOST_NAMED) > 0:
        words.append(Words(f"; {unnamed_flows} more flow{'s' if unnamed_flows > 1 else ''} starved too"))
    return [*words, Words(f" ({meaning}).")]


def _total_s(stretches: Sequence[Stretch]) -> float:
    return sum(stretch.until_s - stretch.from_s for stretch in stretches)
