# SPDX-License-Identifier: MIT
"""One cell's metrics, from its tables; `metrics` says what each is."""

import functools
from dataclasses import dataclass

import polars as pl

from tcpsweep.measure import delivery, fairness, warmup_search
from tcpsweep.words import table_columns
from tcpsweep.words.thresholds import FAIR, FASTEST_S, LEAST_EPOCHS, LEAST_WINDOW_S, LEVEL, WINDOW_RTTS

_OPEN, _DISORDER, _CWR, _RECOVERY, _LOSS = range(5)
_STATES = {"open": _OPEN, "disorder": _DISORDER, "CWR": _CWR, "recovery": _RECOVERY, "loss": _LOSS}
_WAITED = ("transmit", "drop_after_wait")
_LIFE_S = pl.col("to_s") - pl.col("from_s")
_PERCENTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}


@dataclass(frozen=True)
class Cell:
    """What a cell is measured by.

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
        The bottleneck's rate, its mean over that time.
    window_s : float
        Over how long fairness is followed.
    link_header_bytes : int
        What a packet has on the wire besides IP.
    warmup : str
        Whether the time before was "given", or "found", or "missed" when it was looked for.
    base_rtt_s : tuple of float
        Each flow's round trip without queues; empty where it is not known.
    """

    flows: pl.DataFrame
    traces: dict
    queue: pl.DataFrame | None
    from_s: float
    to_s: float
    capacity_bps: float
    window_s: float = LEAST_WINDOW_S
    link_header_bytes: int = 2
    warmup: str = "given"
    base_rtt_s: tuple = ()

    @functools.cached_property
    def queued(self):
        """The queue's rows of the flows, within their lives."""
        columns = ["flow", "time_s", "event", "delay_s"]
        return self.within(self.queue.select(columns).filter(pl.col("flow") >= 0))

    @functools.cached_property
    def windows(self):
        """What `fairness_over_time` says of it."""
        return fairness_over_time(self)

    @functools.cached_property
    def lives(self):
        """Each flow's part of the time that counts: ``flow``, ``from_s``, ``to_s``; no row where it has none."""
        return self.flows.select(
            "flow",
            from_s=pl.max_horizontal(pl.lit(self.from_s), "start_s"),
            to_s=pl.min_horizontal(pl.lit(self.to_s), "finish_s", "stop_s"),
        ).filter(pl.col("to_s") > pl.col("from_s"))

    def within(self, rows):
        """The rows of a table that lie within their flows' lives."""
        return rows.join(self.lives, on="flow", maintain_order="left").filter(
            pl.col("time_s").is_between("from_s", "to_s", closed="right")
        )

    @functools.cached_property
    def _counters(self):
        """Each trace that counts up, by flow: when, and to what, with the 0 before."""
        zero = pl.Series([0.0])
        return {
            name: {
                flow: (rows["time_s"], pl.concat([zero, rows["value"]]))
                for (flow,), rows in self.traces[name].partition_by("flow", as_dict=True).items()
            }
            for name in _COUNTERS
            if name in self.traces
        }

    def rows(self, trace, flow, times):
        """How many rows a trace that counts up has of a flow, up to each of some times."""
        if flow not in self._counters[trace]:
            return pl.zeros(len(times), pl.Int64, eager=True)
        time_s, _ = self._counters[trace][flow]
        return time_s.search_sorted(pl.Series(times, dtype=pl.Float64), side="right").cast(pl.Int64)

    def counted(self, trace, flow, times):
        """What a trace that counts up has come to for a flow, at each of some times."""
        if flow not in self._counters[trace]:
            return pl.zeros(len(times), pl.Float64, eager=True)
        return self._counters[trace][flow][1].gather(self.rows(trace, flow, times))

    def held(self, trace):
        """How long a trace held each of its values in its flow's life: ``flow``, ``value``, ``since_s``, ``held_s``."""
        return (
            self.traces[trace]
            .join(self.lives, on="flow", maintain_order="left")
            .with_columns(until_s=pl.col("time_s").shift(-1).over("flow"))
            .select(
                "flow",
                "value",
                since_s=pl.max_horizontal("time_s", "from_s"),
                held_s=pl.min_horizontal("until_s", "to_s") - pl.max_horizontal("time_s", "from_s"),
            )
            .filter(pl.col("held_s") > 0)
        )


def per_flow(cell):
    """The metrics of scope "flow".

    Returns
    -------
    DataFrame
        ``flow``, and a column for each metric that the cell's traces allow; null where a flow has none, as it was not
        there or nothing arrived.
    """
    lives = cell.lives
    result = cell.flows.select("flow")
    for part in (
        _rates,
        _fastest,
        _delays,
        _rtts,
        _queueing,
        _losses,
        _delivery,
        _repeats,
        _limits,
        _states,
        _completion,
    ):
        frame = part(cell, lives)
        if frame is not None:
            result = result.join(frame, on="flow", how="left", maintain_order="left")
    if "goodput_bps" not in result.columns:
        return result
    shares = fairness.shares(cell.flows.join(result.select("flow", "goodput_bps"), on="flow"))
    return result.join(shares, on="flow", how="left", maintain_order="left")


_LAYERS = {
    "sent_payload_bytes": "sent_bytes",
    "sent_ip_bytes": "ip_sent_bytes",
    "received_payload_bytes": "received_bytes",
    "received_ip_bytes": "ip_received_bytes",
}
_RATES = {
    "sent_payload_bytes": "sent_payload_bps",
    "sent_ip_bytes": "sent_throughput_bps",
    "sent_wire_bytes": "sent_wire_throughput_bps",
    "received_payload_bytes": "goodput_bps",
    "received_ip_bytes": "throughput_bps",
    "received_wire_bytes": "wire_throughput_bps",
}


def _rates(cell, lives):
    """Payload, IP and wire bytes that were sent and that arrived, as they are and per second."""
    found = {name: _gain(cell, trace) for name, trace in _LAYERS.items() if trace in cell.traces}
    if {"sent_packets", "ip_sent_bytes"} <= cell.traces.keys():
        found["sent_wire_bytes"] = found["sent_ip_bytes"] + _gain(cell, "sent_packets") * cell.link_header_bytes
    if "ip_received_bytes" in cell.traces:
        packets = _gained(cell, "ip_received_bytes", cell.rows)
        found["received_wire_bytes"] = found["received_ip_bytes"] + packets * cell.link_header_bytes
    rates = [(pl.col(name) * 8 / _LIFE_S).alias(rate) for name, rate in _RATES.items() if name in found]
    sent, received = pl.col("sent_ip_bytes"), pl.col("received_ip_bytes")
    if {"sent_ip_bytes", "received_ip_bytes"} <= found.keys():
        rates.append(pl.when(sent > 0).then((sent - received) / sent).alias("unreceived_share"))
    return lives.with_columns(**found).with_columns(rates).drop("from_s", "to_s")


def _gain(cell, trace):
    """How much a trace that counts up has gained within each of the flows' lives."""
    return _gained(cell, trace, cell.counted)


def _gained(cell, trace, count):
    ends = (count(trace, flow, life) for flow, *life in cell.lives.iter_rows())
    return pl.Series([until - before for before, until in ends], dtype=pl.Float64)


def _fastest(cell, lives):
    """The largest rate at which IP bytes arrived in one of the intervals of `FASTEST_S` that a flow's life has."""
    if "ip_received_bytes" not in cell.traces:
        return None
    fastest = {}
    for flow, from_s, to_s in lives.iter_rows():
        whole = int((to_s - from_s) / FASTEST_S + 1e-9)
        # An interval has its end but not its beginning, as the time that counts.
        ends = [from_s + number * FASTEST_S for number in range(whole + 1)]
        if whole:
            fastest[flow] = cell.counted("ip_received_bytes", flow, ends).diff().max() * 8 / FASTEST_S
    schema = {"flow": pl.Int32, "max_throughput_bps": pl.Float64}
    return pl.DataFrame({"flow": list(fastest), "max_throughput_bps": list(fastest.values())}, schema=schema)


def _spread(value, name):
    """A mean and percentiles, each the smallest value that at least so large a share of all does not exceed."""
    return [value.mean().alias(f"{name}_mean_s")] + [
        value.quantile(share, "equiprobable").alias(f"{name}_{rank}_s") for rank, share in _PERCENTILES.items()
    ]


def _delays(cell, lives):
    """One-way delays of the packets that arrived."""
    if "owd_s" not in cell.traces:
        return None
    return cell.within(cell.traces["owd_s"]).group_by("flow").agg(_spread(pl.col("value"), "owd"))


def _rtts(cell, lives):
    """Round trips as last measured, each weighted by how long it was the last; ns-3 traces changes alone."""
    if "rtt_s" not in cell.traces:
        return None
    held = cell.held("rtt_s").sort("value")
    value, weight = pl.col("value"), pl.col("held_s")
    reached = weight.cum_sum() / weight.sum()
    # A rounding's breadth, so that a share that is met to the last digit counts as met.
    ranks = {f"rtt_{rank}_s": value.filter(reached >= share - 1e-12).first() for rank, share in _PERCENTILES.items()}
    return held.group_by("flow").agg(rtt_mean_s=(value * weight).sum() / weight.sum(), **ranks)


def _queueing(cell, lives):
    """Times from entering the bottleneck's buffer to the start of transmission."""
    if cell.queue is None:
        return None
    sent = pl.col("delay_s").filter(pl.col("event") == "transmit")
    return cell.queued.group_by("flow").agg(_spread(sent, "queueing_delay"))


def _losses(cell, lives):
    """What the bottleneck dropped, lost and marked of each flow, and the shares that these are."""
    if cell.queue is None:
        return None
    counts = cell.queued.group_by("flow").agg(
        drops=_count("drop", "drop_after_wait"),
        losses=_count("loss"),
        marks=_count("mark"),
        carried=_count("transmit"),
    )
    came = pl.col("carried") + pl.col("drops")
    return (
        lives.join(counts, on="flow", how="left")
        .with_columns(pl.col("drops", "losses", "marks", "carried").fill_null(0))
        .select(
            "flow",
            lost_packets=pl.col("drops") + pl.col("losses"),
            congestion_loss=pl.when(came > 0).then(pl.col("drops") / came),
            random_loss=pl.when(pl.col("carried") > 0).then(pl.col("losses") / pl.col("carried")),
            ecn_marks=pl.when(came > 0).then(pl.col("marks") / came),
        )
    )


def _delivery(cell, lives):
    """The shares of the packets that arrived, and that were lost anywhere, over the whole simulation."""
    return delivery.per_flow(cell.flows)


def _count(*events):
    names = pl.Series(events, dtype=table_columns.EVENT)
    return pl.col("event").is_in(names.implode()).sum().cast(pl.Int64)


_COUNTED = {
    "acked_bytes": "acked_bytes",
    "retransmitted_bytes": "retransmitted_bytes",
    "duplicate_bytes": "spurious_bytes",
    "timeouts": "timeouts",
}
_LIMITS = ("receiver_limited", "application_limited")
_COUNTERS = (*_LAYERS.values(), "sent_packets", *_COUNTED, *(f"{limit}_s" for limit in _LIMITS))


def _repeats(cell, lives):
    """What was acknowledged, what was sent again, what of it for nothing, and how often the timer ran out."""
    found = {name: _gain(cell, trace) for trace, name in _COUNTED.items() if trace in cell.traces}
    return lives.select("flow", **found)


def _limits(cell, lives):
    """Shares of time in which something else than the congestion window held the sender back."""
    found = {f"{limit}_share": _gain(cell, f"{limit}_s") for limit in _LIMITS if f"{limit}_s" in cell.traces}
    return lives.with_columns(**found).select("flow", pl.col(list(found)) / _LIFE_S)


def _states(cell, lives):
    """Shares of time in the congestion states, and how often these were entered."""
    if "congestion_state" not in cell.traces:
        return None
    held, value = cell.held("congestion_state"), pl.col("value")
    shares = held.group_by("flow").agg(
        **{
            f"{name}_share": pl.col("held_s").filter(value == state).sum() / pl.col("held_s").sum()
            for name, state in _STATES.items()
        }
    )
    entered = cell.traces["congestion_state"].with_columns(before=value.shift(1, fill_value=float(_OPEN)).over("flow"))
    lowered = value >= _CWR
    counts = (
        cell.within(entered)
        .group_by("flow")
        .agg(
            cwnd_reductions=lowered.sum(),
            fast_recoveries=(value == _RECOVERY).sum(),
            congestion_epochs=(lowered & (pl.col("before") < _CWR)).sum(),
        )
    )
    names = ["cwnd_reductions", "fast_recoveries", "congestion_epochs"]
    return (
        lives.join(shares, on="flow", how="left")
        .join(counts, on="flow", how="left")
        .with_columns(pl.col(names).fill_null(0))
        .join(_level(cell), on="flow", how="left")
        .select("flow", *shares.columns[1:], *names, steady=(_steady() & (cell.warmup != "missed")).cast(pl.Int8))
    )


def _steady():
    """Whether a flow's mean does not depend on where the simulation was cut, as an expression."""
    epochs = pl.col("congestion_epochs")
    return (epochs >= LEAST_EPOCHS) | ((epochs == 0) & pl.col("level").fill_null(False))


def _level(cell):
    """Whether each flow's goodput was the same in equal parts of its life: ``flow``, ``level``, null if not traced."""
    if "received_bytes" not in cell.traces:
        return cell.lives.select("flow", level=pl.lit(None, pl.Boolean))
    level = []
    for flow, from_s, to_s in cell.lives.iter_rows():
        ends = [from_s + (to_s - from_s) * part / LEAST_EPOCHS for part in range(LEAST_EPOCHS + 1)]
        gained = cell.counted("received_bytes", flow, ends).diff().drop_nulls()
        level.append(gained.mean() > 0 and (gained - gained.mean()).abs().max() <= LEVEL * gained.mean())
    return cell.lives.select("flow", level=pl.Series(level, dtype=pl.Boolean))


def _completion(cell, lives):
    """How long flows of a limited length took, also where they ended in the warm-up."""
    return cell.flows.select("flow", completion_s=pl.col("finish_s") - pl.col("start_s"))


def per_network(cell, flows):
    """The metrics of scope "network", all of the forward direction.

    Parameters
    ----------
    cell : Cell
    flows : DataFrame
        From `per_flow`.

    Returns
    -------
    dict
        Metric to value; what cannot be told is not in it.
    """
    found = delivery.per_network(cell.flows, cell.to_s)
    if "goodput_bps" in flows.columns:
        forward = flows.join(cell.flows.filter(pl.col("direction") == "forward").select("flow"), on="flow")
        found["jain"] = forward.select(jain(pl.col("goodput_bps"))).item()
        rtts = pl.DataFrame(
            enumerate(cell.base_rtt_s), schema={"flow": pl.Int32, "base_rtt_s": pl.Float64}, orient="row"
        )
        found |= fairness.between_rtts(forward.join(rtts, on="flow"))
    if cell.queue is not None:
        found |= _link(cell) | _buffer(cell) | _little(cell)
    if cell.windows is not None:
        found |= _fairness_in_windows(cell, cell.windows)
    if cell.warmup == "found":
        found["warmup_s"] = cell.from_s
    return {name: float(value) for name, value in found.items() if value is not None}


def jain(values):
    """Jain's fairness index as an expression: (Σ x)² / (n Σ x²); null where nothing was received at all.

    Jain, Chiu, Hawe: A Quantitative Measure of Fairness and Discrimination for Resource Allocation in Shared Computer
    Systems. DEC-TR-301, 1984.
    """
    squares = (values**2).sum()
    return pl.when(squares > 0).then(values.sum() ** 2 / (values.count() * squares))


def _link(cell):
    """Utilisation, and the queueing delays of all packets."""
    counted = pl.col("time_s").is_between(cell.from_s, cell.to_s, closed="right")
    transmitted = (pl.col("direction") == "forward") & (pl.col("event") == "transmit")
    sent = cell.queue.lazy().filter(transmitted & counted).select("delay_s", "wire_bytes").collect()
    found = sent.select(_spread(pl.col("delay_s"), "network_queueing_delay")).row(0, named=True)
    bits = sent["wire_bytes"].sum() * 8
    return found | {"utilisation": bits / (cell.capacity_bps * (cell.to_s - cell.from_s))}


def queue_length(cell):
    """The forward queue's length over time: ``time_s`` and the ``packets`` in disc and device from then on.

    The table has a row for each packet that leaves, with the time that it spent, so it came that much earlier. Packets
    that are still there at the end are not in it.
    """
    waited = (pl.col("direction") == "forward") & pl.col("event").is_in(_WAITED)
    left = cell.queue.lazy().filter(waited).select("time_s", "delay_s").collect()
    came = left.select(time_s=pl.col("time_s") - pl.col("delay_s"), step=pl.lit(1, dtype=pl.Int8))
    gone = left.select("time_s", step=pl.lit(-1, dtype=pl.Int8))
    steps = pl.concat([came, gone]).sort("time_s")
    return steps.select("time_s", packets=pl.col("step").cast(pl.Int32).cum_sum())


def _buffer(cell):
    """Time-weighted mean and percentiles of the queue's length."""
    held = (
        queue_length(cell)
        .with_columns(until_s=pl.col("time_s").shift(-1, fill_value=cell.to_s))
        .select(
            "packets",
            held_s=pl.min_horizontal("until_s", pl.lit(cell.to_s)) - pl.max_horizontal("time_s", pl.lit(cell.from_s)),
        )
        .filter(pl.col("held_s") > 0)
        .sort("packets")
    )
    if held.is_empty():
        return {}
    total_s = cell.to_s - cell.from_s
    missing_s = total_s - held["held_s"].sum()  # before the first packet came
    reached = (held["held_s"].cum_sum() + missing_s) / total_s
    found = {"queue_mean_packets": (held["packets"] * held["held_s"]).sum() / total_s}
    for rank, share in _PERCENTILES.items():
        below = missing_s / total_s >= share
        found[f"queue_{rank}_packets"] = 0 if below else held["packets"].filter(reached >= share - 1e-12).first()
    return found


def _little(cell):
    """Little's law of the forward queue: its arrival rate, the mean time in it, and their product.

    Little: A Proof for the Queuing Formula L = λW. Operations Research 9(3), 1961.
    """
    came_s = pl.col("time_s") - pl.col("delay_s")
    waited = (pl.col("direction") == "forward") & pl.col("event").is_in(_WAITED)
    wait_s = (
        cell.queue.lazy()
        .filter(waited, came_s.is_between(cell.from_s, cell.to_s, closed="right"))
        .select("delay_s")
        .collect()["delay_s"]
    )
    if wait_s.is_empty():
        return {}
    rate = len(wait_s) / (cell.to_s - cell.from_s)
    mean_s = wait_s.mean()
    return {"queue_arrival_rate_pps": rate, "queue_wait_mean_s": mean_s, "queue_little_packets": rate * mean_s}


def fairness_over_time(cell):
    """Jain's index over windows of the whole simulation: ``from_s``, ``flows`` there all through it, ``jain``.

    None where payload was not traced. Only windows in which at least two forward flows are there all the time.
    """
    if "received_bytes" not in cell.traces:
        return None
    width_s = cell.window_s
    ends = [number * width_s for number in range(int(cell.to_s / width_s + 1e-9) + 1)]
    windows = pl.DataFrame(
        {"from_s": ends[:-1], "until_s": ends[1:]}, schema={"from_s": pl.Float64, "until_s": pl.Float64}
    )
    forward = cell.flows.filter(pl.col("direction") == "forward").select(
        "flow", "start_s", end_s=pl.min_horizontal(pl.lit(cell.to_s), "finish_s", "stop_s")
    )
    gained = [
        windows.with_columns(gain=cell.counted("received_bytes", flow, ends).diff().slice(1)).filter(
            pl.col("from_s") >= start_s, pl.col("until_s") <= end_s + 1e-9
        )
        for flow, start_s, end_s in forward.iter_rows()
    ]
    return (
        pl.concat(gained)
        .group_by("from_s")
        .agg(flows=pl.len().cast(pl.Int32), jain=jain(pl.col("gain")))
        .filter(pl.col("flows") > 1)
        .sort("from_s")
    )


def _fairness_in_windows(cell, windows):
    """The mean index after the warm-up, and how long after the last flow joined it is for good no less than `FAIR`."""
    counted = windows.filter(pl.col("from_s") >= cell.from_s)
    found = {"jain_windows": counted["jain"].mean()}
    joined = cell.flows.filter(pl.col("direction") == "forward")["start_s"].max()
    after = windows.filter(pl.col("from_s") >= joined)
    unfair = after.filter(~(pl.col("jain") >= FAIR).fill_null(False))
    if after.is_empty() or (unfair.height and unfair["from_s"][-1] == after["from_s"][-1]):
        return found  # nothing to follow, or it never settles
    settled = (
        after["from_s"][0] if unfair.is_empty() else after.filter(pl.col("from_s") > unfair["from_s"][-1])["from_s"][0]
    )
    return found | {"convergence_s": settled - joined}


def of(parsed, span):
    """A cell as it was parsed, to be measured by one of `measured_spans.of`."""
    run = parsed.run
    unavailable, rtt_s = run.get("unavailable", ()), max(run["derived"]["base_rtt_s"])
    from_s, how = span.from_s, "given"
    if from_s is None:
        from_s, settled = warmup_search.found(parsed.flows, parsed.traces["received_bytes"], span.to_s, rtt_s)
        how = "found" if settled else "missed"
    return Cell(
        parsed.flows,
        {name: rows for name, rows in parsed.traces.items() if name not in unavailable},
        parsed.queue if "queue.txt" in run["files"] else None,
        from_s,
        span.to_s,
        span.mean_rate(from_s),
        window_s=max(LEAST_WINDOW_S, WINDOW_RTTS * rtt_s),
        warmup=how,
        base_rtt_s=tuple(run["derived"]["base_rtt_s"]),
    )


def write(parsed, out, cell_id, span):
    """Measure a cell.

    Parameters
    ----------
    parsed : parse.Parsed
    out : Path
        The folder that receives ``measures.parquet`` and ``fairness.parquet``.
    cell_id : str
    span : Span
        What it is measured by, as `measured_spans.of` gives it.
    """
    cell = of(parsed, span)
    flows = per_flow(cell)
    network = per_network(cell, flows)
    of_flows = (
        flows.join(cell.flows.select("flow", "direction", "variant"), on="flow")
        .with_columns(pl.exclude("flow", "direction", "variant").cast(pl.Float64))
        .unpivot(index=["flow", "direction", "variant"], variable_name="metric")
        .drop_nulls("value")
    )
    of_network = pl.DataFrame(
        {"metric": list(network), "value": list(network.values())}, schema=_schema("metric", "value")
    )
    windows = cell.windows
    for table, frame in (
        ("measures", pl.concat([of_flows, of_network], how="diagonal")),
        (
            "fairness",
            pl.DataFrame(schema=_schema("from_s", "flows", "jain", of="fairness")) if windows is None else windows,
        ),
    ):
        named = frame.with_columns(cell=pl.lit(cell_id)).select(list(table_columns.schema(table)))
        table_columns.write(named, table, out / f"{table}.parquet")


def _schema(*names, of="measures"):
    return {name: table_columns.schema(of)[name] for name in names}
