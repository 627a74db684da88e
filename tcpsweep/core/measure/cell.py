# SPDX-License-Identifier: MIT
"""The inputs for measuring a cell: its tables, the time that counts, and figures for its network."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from tcpsweep.core.measure import bottlenecks, flow_rows, lives, traced_ways, warmup_search
from tcpsweep.core.measure.traced_ways import TracedWay
from tcpsweep.core.parse.parsed import Parsed, Way
from tcpsweep.core.sweep.span import OPPORTUNITY_BITS, Span
from tcpsweep.core.words import link_words
from tcpsweep.core.words.thresholds import LEAST_WINDOW_S, WINDOW_RTTS

LINK_HEADER_BYTES = 2  # the PPP header, which precedes the IP header on the wire
Numbers: TypeAlias = npt.NDArray[np.float64]
OfFlows: TypeAlias = dict[str, dict[int, float | None]]
"""Each metric's values by the flows' numbers; a flow without a value is left out, or has None."""

_LINKS = "links."  # the prefix of the simulator's parameters for a custom topology's links
# The traces that count up from zero.
_COUNTER_TRACES = (
    *("sent_bytes", "ip_sent_bytes", "sent_packets", "received_bytes", "ip_received_bytes"),
    *("acked_bytes", "retransmitted_bytes", "duplicate_bytes", "timeouts"),
    *("receiver_limited_s", "application_limited_s", "send_buffer_limited_s"),
)


@dataclass(frozen=True)
class Queue:
    """The queue of a direction of a link.

    Attributes
    ----------
    rows : DataFrame
        The queue's rows of the table `queue`.
    capacity_bps : float
        The link's mean rate in that direction, over the time that counts.
    rates : tuple of (float, float)
        The link's rates: each with its start, in s, and its value, in bit/s; empty if packets leave at a trace's times.
    header_bytes : int
        The bytes on the wire per packet that do not count, because a trace's opportunities are for IP packets.
    """

    rows: pl.DataFrame
    capacity_bps: float
    rates: tuple[tuple[float, float], ...] = ()
    header_bytes: int = 0


@dataclass(frozen=True)
class Cell:
    """The inputs for measuring a cell.

    Attributes
    ----------
    flows : DataFrame
        The table `flows`.
    traces : dict
        Each trace that the cell has, by name: ``flow``, ``time_s``, ``value``, in order of time for each
        flow.
    queue : DataFrame or None
        The table `queue`; None where it was not traced.
    from_s, to_s : float
        The time that counts.
    queues : dict
        Each direction of a link whose queue was traced, by the link's name and the direction.
    paths : dict
        The traced directions that each flow's data cross, in their order, by the flow's number.
    window_s : float
        The length of a window of `fairness.over_time`.
    warmup : str
        Whether the end of the warm-up was "given", or searched for and "found" or "missed".
    base_rtt_s : tuple of float
        Each flow's RTT without queues; empty where it is not known.
    flow_warmup_s : float or None
        The least time from a flow's start until it counts; None as in `lives.ends`.
    traffic : tuple of dict
        The groups of applications' traffic in the record.
    transfers : DataFrame or None
        The table `transfers`; None where there is no such traffic.
    has_named_links : bool
        Whether the network is a custom topology, with links that have the names of the sweep file.
    reference : tuple or None
        The one of ``queues`` that the numbers of the whole network describe; None if there is none.
    bottlenecks : dict
        The name of each forward flow's bottleneck, by the flow's number, from `bottlenecks.names`; empty unless the
        network is a custom topology.
    bottleneck : str or None
        The bottleneck of the flows that the numbers of the whole network describe; None if ``bottlenecks`` is empty.
    bottleneck_links : dict
        The one of ``queues`` with each name in ``bottlenecks``; none for names of several links.
    lost_after_s : float
        A packet counts as lost if it was not received, and was sent at least this time before the end.
    forgets_packets : bool
        Whether packets that take longer do not count as received, because the sweep sets FlowMonitor's MaxPerHopDelay.
    """

    flows: pl.DataFrame
    traces: dict[str, pl.DataFrame]
    queue: pl.DataFrame | None
    from_s: float
    to_s: float
    queues: dict[Way, Queue] = field(default_factory=dict)
    paths: dict[int, tuple[Way, ...]] = field(default_factory=dict)
    window_s: float = LEAST_WINDOW_S
    warmup: str = "given"
    base_rtt_s: tuple[float, ...] = ()
    flow_warmup_s: float | None = 0.0
    traffic: tuple[dict[str, Any], ...] = ()
    transfers: pl.DataFrame | None = None
    has_named_links: bool = False
    reference: Way | None = None
    bottlenecks: dict[int, str] = field(default_factory=dict)
    bottleneck: str | None = None
    bottleneck_links: dict[str, Way] = field(default_factory=dict)
    lost_after_s: float = 10.0
    forgets_packets: bool = False

    @functools.cached_property
    def lives(self) -> pl.DataFrame:
        """Each flow's part of the time that counts: ``flow``, ``from_s``, ``to_s``; no row where it has none."""
        warmup_s = pl.lit(self.flow_warmup_s, pl.Float64)
        parts = self.flows.lazy().select("flow", *lives.ends(pl.lit(self.from_s), pl.lit(self.to_s), warmup_s))
        return parts.filter(pl.col("to_s") > pl.col("from_s")).collect(engine="in-memory")

    @functools.cached_property
    def life_rows(self) -> list[tuple[int, float, float]]:
        """The rows of `lives`."""
        return self.lives.rows()

    @functools.cached_property
    def lengths_s(self) -> Numbers:
        """The length of each of `lives`."""
        return np.array([to_s - from_s for _, from_s, to_s in self.life_rows])

    @functools.cached_property
    def forward(self) -> list[int]:
        """The forward flows' numbers."""
        ways = zip(self.flows["flow"], self.flows["direction"], strict=True)
        return [flow for flow, direction in ways if direction == "forward"]

    @functools.cached_property
    def pooled(self) -> list[int]:
        """The forward flows that the numbers of the whole network describe: the flows with its `bottleneck`."""
        return self.sharing(self.bottleneck)

    def sharing(self, bottleneck: str | None) -> list[int]:
        """The forward flows that have this bottleneck; all where bottlenecks are not known."""
        return [flow for flow in self.forward if self.bottlenecks.get(flow) == bottleneck or not self.bottlenecks]

    @functools.cached_property
    def crossed(self) -> list[Way]:
        """The `queues` that forward flows' data cross, in the order of the record; all if there are no such flows."""
        crossed_ways = {way for flow in self.forward for way in self.paths.get(flow, ())}
        return [way for way in self.queues if way in crossed_ways] or list(self.queues)

    @functools.cached_property
    def names_links(self) -> bool:
        """Whether metrics name links: in custom topologies, with several links, or with a link crossed backward."""
        has_several = len({link for link, _ in self.queues}) > 1 or len(self.crossed) > 1
        return self.has_named_links or has_several or any(direction != "forward" for _, direction in self.crossed)

    @functools.cached_property
    def sent_bytes(self) -> dict[Way, int]:
        """The bytes that each of `queues` sent."""
        is_sent = pl.col("event") == "transmit"
        return {way: int(queue.rows.filter(is_sent)["wire_bytes"].sum()) for way, queue in self.queues.items()}

    def of_lives(self, values: Iterable[float | None]) -> dict[int, float | None]:
        """Values, one for each of `lives`, by their flows."""
        return {flow: value for (flow, *_), value in zip(self.life_rows, values, strict=True)}

    def lived(self, rows: pl.DataFrame, *columns: str) -> dict[int, tuple[npt.NDArray[Any], ...]]:
        """The given columns of a table's rows within their flows' lives, by the flow; only flows with rows."""
        columns_of_flow = {}
        by_flow = flow_rows.rows_by_flow(rows, "time_s", *columns)
        for flow, from_s, to_s in self.life_rows:
            if flow in by_flow:
                time_s, *values = by_flow[flow]
                is_within = (time_s > from_s) & (time_s <= to_s)
                if is_within.any():
                    columns_of_flow[flow] = tuple(column[is_within] for column in values)
        return columns_of_flow

    @functools.cached_property
    def _counters(self) -> dict[str, dict[int, tuple[Numbers, Numbers]]]:
        """Each trace that counts up, by flow: its times, and its values after the initial 0."""
        return {
            name: {
                flow: (time_s, np.concatenate(([0.0], value)))
                for flow, (time_s, value) in flow_rows.rows_by_flow(self.traces[name], "time_s", "value").items()
            }
            for name in _COUNTER_TRACES
            if name in self.traces
        }

    def rows(self, trace: str, flow: int, times: Sequence[float]) -> npt.NDArray[np.int64]:
        """The number of a flow's rows by each of the times, in a trace that counts up."""
        if flow not in self._counters[trace]:
            return np.zeros(len(times), np.int64)
        return np.searchsorted(self._counters[trace][flow][0], times, side="right")

    def counted(self, trace: str, flow: int, times: Sequence[float]) -> Numbers:
        """A flow's value of a trace that counts up, at each of the times."""
        if flow not in self._counters[trace]:
            return np.zeros(len(times))
        return self._counters[trace][flow][1][self.rows(trace, flow, times)]

    def gain(self, trace: str) -> Numbers:
        """The gain within each flow's life of a trace that counts up, a value per row of `lives`."""
        return self._gained(trace, self.counted)

    def gained_rows(self, trace: str) -> Numbers:
        """The number of rows within each flow's life of a trace that counts up, a value per row of `lives`."""
        return self._gained(trace, self.rows)

    def _gained(self, trace: str, count: Callable[[str, int, Sequence[float]], npt.NDArray[np.generic]]) -> Numbers:
        counts = (count(trace, flow, life).tolist() for flow, *life in self.life_rows)
        return np.array([until - before for before, until in counts], float)

    def held(self, trace: str) -> dict[int, tuple[Numbers, Numbers]]:
        """The values of a trace and their durations within the flow's life, by the flow; see `lives.held`."""
        values_of_flow = {}
        by_flow = flow_rows.rows_by_flow(self.traces[trace], "time_s", "value")
        for flow, from_s, to_s in self.life_rows:
            if flow in by_flow:
                time_s, value = by_flow[flow]
                until_s = np.append(time_s[1:], np.inf)
                held_s = np.minimum(until_s, to_s) - np.maximum(time_s, from_s)
                if (held_s > 0).any():
                    values_of_flow[flow] = value[held_s > 0], held_s[held_s > 0]
        return values_of_flow


def by_metric(of_flows: Mapping[int, Mapping[str, float | None]]) -> OfFlows:
    """Each flow's values, by the metrics' names and then by flow."""
    metrics: OfFlows = {}
    for flow, values in of_flows.items():
        for metric, value in values.items():
            metrics.setdefault(metric, {})[flow] = value
    return metrics


def _capacity_bps(way: TracedWay, span: Span, from_s: float) -> float:
    """The mean rate of a direction of a link in the time that counts; with a trace, the rate that the trace allows."""
    opportunities = span.opportunities.get(link_words.said(*way.key))
    if not way.has_trace or not opportunities:
        return way.mean_rate(from_s, span.to_s)
    before, after = np.interp((from_s, span.to_s), np.arange(len(opportunities)), opportunities).tolist()
    return float(max(1.0, after - before) * OPPORTUNITY_BITS / (span.to_s - from_s))


def cell_inputs(parsed: Parsed, span: Span) -> Cell:
    """A parsed cell's inputs, with the time that counts from `result_ids.span`."""
    run = parsed.run
    unavailable, rtt_s = run.get("unavailable", ()), max(run["derived"]["base_rtt_s"], default=0.0)
    from_s, warmup = span.from_s, "given"
    if from_s is None:
        from_s, is_settled = warmup_search.warmup_end(parsed.flows, parsed.traces["received_bytes"], span.to_s, rtt_s)
        warmup = "found" if is_settled else "missed"
    traced_ways_keys = {(queue["link"], queue["direction"]) for queue in run["queue"]}
    queues = {
        way.key: Queue(
            # In one piece: parsing and reading leave different pieces, whose sums differ in the last digit.
            parsed.queues.get(way.key, parsed.queue.clear()).rechunk(),
            _capacity_bps(way, span, from_s),
            () if way.has_trace else tuple((period["from_s"], period["bandwidth_bps"]) for period in way.over_time),
            LINK_HEADER_BYTES if way.has_trace else 0,
        )
        for way in traced_ways.ways_in_record(run)
        if way.key in traced_ways_keys
    }
    has_named_links = any(name.startswith(_LINKS) for name in run.get("parameters", ()))
    paths = traced_ways.traced_paths(run)
    rates_bps = bottlenecks.rates(run, from_s, span.to_s)
    limiting_link = bottlenecks.of_flows(run, rates_bps) if has_named_links else {}
    cell = Cell(
        parsed.flows,
        {name: rows for name, rows in parsed.traces.items() if name not in unavailable},
        parsed.queue.rechunk() if queues else None,
        from_s,
        span.to_s,
        queues,
        paths,
        window_s=max(LEAST_WINDOW_S, WINDOW_RTTS * rtt_s),
        warmup=warmup,
        base_rtt_s=tuple(run["derived"]["base_rtt_s"]),
        flow_warmup_s=lives.flow_warmup_s(span),
        traffic=tuple(run.get("traffic") or ()),
        transfers=parsed.transfers,
        has_named_links=has_named_links,
        lost_after_s=run["derived"]["lost_after_s"],
        forgets_packets=run["derived"]["forgets_packets"],
    )
    names = bottlenecks.names(run, limiting_link, cell.crossed) if has_named_links else {}
    reference = bottlenecks.reference(
        run, cell.crossed, [paths.get(flow, ()) for flow in cell.forward], limiting_link, rates_bps, cell.sent_bytes
    )
    named_link = link_words.read(span.reference_link) if span.reference_link else None
    if named_link in queues:
        reference = named_link
    bottleneck = next((names[flow] for flow, way in limiting_link.items() if way == reference), None)
    counts = Counter(names.values())
    commonest = max(counts, key=lambda name: counts[name], default=None)
    links = {
        names[flow]: way
        for flow, way in limiting_link.items()
        if way in queues and names[flow] == link_words.said(*way)
    }
    return replace(
        cell, reference=reference, bottlenecks=names, bottleneck=bottleneck or commonest, bottleneck_links=links
    )
