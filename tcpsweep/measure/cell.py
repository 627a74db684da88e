# SPDX-License-Identifier: MIT
"""The inputs for measuring a cell: its tables, the time that counts, and figures for its network."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import polars as pl

from tcpsweep.measure import lives, warmup_search
from tcpsweep.parse.parsed import Parsed
from tcpsweep.sweep.span import Span
from tcpsweep.words.thresholds import LEAST_WINDOW_S, WINDOW_RTTS

LIFE_S = pl.col("to_s") - pl.col("from_s")
# The traces that count up from zero.
_COUNTERS = (
    *("sent_bytes", "ip_sent_bytes", "sent_packets", "received_bytes", "ip_received_bytes"),
    *("acked_bytes", "retransmitted_bytes", "duplicate_bytes", "timeouts"),
    *("receiver_limited_s", "application_limited_s"),
)


@dataclass(frozen=True)
class Cell:
    """The inputs for measuring a cell.

    Attributes
    ----------
    flows : DataFrame
        The table `flows`.
    traces : dict
        Each trace that the cell has, by name: ``flow``, ``time_s``, ``value``, in order of time.
    queue : DataFrame or None
        The table `queue`; None where it was not traced.
    from_s, to_s : float
        The time that counts.
    capacity_bps : float
        The bottleneck's mean rate over that time.
    window_s : float
        How long a window of `fairness.over_time` is.
    link_header_bytes : int
        The link's header, which a packet has on the wire before IP's.
    warmup : str
        Whether the end of the warm-up was "given", or searched for and "found" or "missed".
    base_rtt_s : tuple of float
        Each flow's RTT without queues; empty where it is not known.
    flow_warmup_s : float or None
        How long after its start a flow begins to count at the earliest; None as in `lives.ends`.
    """

    flows: pl.DataFrame
    traces: dict[str, pl.DataFrame]
    queue: pl.DataFrame | None
    from_s: float
    to_s: float
    capacity_bps: float
    window_s: float = LEAST_WINDOW_S
    link_header_bytes: int = 2
    warmup: str = "given"
    base_rtt_s: tuple[float, ...] = ()
    flow_warmup_s: float | None = 0.0

    @functools.cached_property
    def queued(self) -> pl.DataFrame | None:
        """The flows' rows of `queue`, within their lives; None where it was not traced."""
        if self.queue is None:
            return None
        columns = ["flow", "time_s", "event", "delay_s"]
        return self.within(self.queue.select(columns).filter(pl.col("flow") >= 0))

    @functools.cached_property
    def lives(self) -> pl.DataFrame:
        """Each flow's part of the time that counts: ``flow``, ``from_s``, ``to_s``; no row where it has none."""
        own_s = pl.lit(self.flow_warmup_s, pl.Float64)
        found = self.flows.select("flow", *lives.ends(pl.lit(self.from_s), pl.lit(self.to_s), own_s))
        return found.filter(pl.col("to_s") > pl.col("from_s"))

    def within(self, rows: pl.DataFrame) -> pl.DataFrame:
        """The rows of a table that lie within their flows' lives."""
        return rows.join(self.lives, on="flow", maintain_order="left").filter(
            pl.col("time_s").is_between("from_s", "to_s", closed="right")
        )

    @functools.cached_property
    def _counters(self) -> dict[str, dict[int, tuple[pl.Series, pl.Series]]]:
        """Each trace that counts up, by flow: its times, and its values after the 0 that it begins with."""
        zero = pl.Series([0.0])
        return {
            name: {
                flow: (rows["time_s"], pl.concat([zero, rows["value"]]))
                for (flow,), rows in self.traces[name].partition_by("flow", as_dict=True).items()
            }
            for name in _COUNTERS
            if name in self.traces
        }

    def rows(self, trace: str, flow: int, times: Sequence[float]) -> pl.Series:
        """How many rows a flow has by each of the times, in a trace that counts up."""
        if flow not in self._counters[trace]:
            return pl.zeros(len(times), pl.Int64, eager=True)
        time_s, _ = self._counters[trace][flow]
        return time_s.search_sorted(pl.Series(times, dtype=pl.Float64), side="right").cast(pl.Int64)

    def counted(self, trace: str, flow: int, times: Sequence[float]) -> pl.Series:
        """A flow's value of a trace that counts up, at each of the times."""
        if flow not in self._counters[trace]:
            return pl.zeros(len(times), pl.Float64, eager=True)
        return self._counters[trace][flow][1].gather(self.rows(trace, flow, times))

    def gain(self, trace: str) -> pl.Series:
        """How much a trace that counts up gains within each flow's life, a value per row of `lives`."""
        return self._gained(trace, self.counted)

    def gained_rows(self, trace: str) -> pl.Series:
        """How many rows a trace that counts up has within each flow's life, a value per row of `lives`."""
        return self._gained(trace, self.rows)

    def _gained(self, trace: str, count: Callable[[str, int, Sequence[float]], pl.Series]) -> pl.Series:
        ends = (count(trace, flow, life) for flow, *life in self.lives.iter_rows())
        return pl.Series([until - before for before, until in ends], dtype=pl.Float64)

    def held(self, trace: str) -> pl.DataFrame:
        """How long a trace held each value within its flow's life: ``flow``, ``value``, ``since_s``, ``held_s``."""
        return lives.held(self.traces[trace], self.lives)


def of(parsed: Parsed, span: Span) -> Cell:
    """A parsed cell's inputs, with the time that counts from `measured_spans.of`."""
    run = parsed.run
    unavailable, rtt_s = run.get("unavailable", ()), max(run["derived"]["base_rtt_s"])
    from_s, how = span.from_s, "given"
    if from_s is None:
        from_s, settled = warmup_search.found(parsed.flows, parsed.traces["received_bytes"], span.to_s, rtt_s)
        how = "found" if settled else "missed"
    return Cell(
        parsed.flows,
        {name: rows for name, rows in parsed.traces.items() if name not in unavailable},
        parsed.queue if "forward" in run["queue"] else None,
        from_s,
        span.to_s,
        span.mean_rate(from_s),
        window_s=max(LEAST_WINDOW_S, WINDOW_RTTS * rtt_s),
        warmup=how,
        base_rtt_s=tuple(run["derived"]["base_rtt_s"]),
        flow_warmup_s=lives.flow_warmup_s(span),
    )
