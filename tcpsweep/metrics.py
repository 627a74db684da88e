# SPDX-License-Identifier: MIT
"""What is measured: each metric's formula once, in code and in the words that the report shows.

All count from the warm-up's end to the simulation's end, or over the part of that time in which a flow is alive.
"""

from dataclasses import dataclass

import polars as pl

from tcpsweep import tables

LEAST_EPOCHS = 5
_LOWERED = [2.0, 3.0, 4.0]  # CWR, recovery and loss: the states that a reduction of cwnd leads into


@dataclass(frozen=True)
class Metric:
    """A metric in the report's words.

    ``scope`` is "flow" where each flow has its own value and a variant's is the mean of its flows, "network" where
    there is one value for all flows together. ``scale`` and ``shown_unit`` are what tables for people use.
    """

    title: str
    unit: str
    scope: str
    formula: str
    source: str
    scale: float = 1.0
    shown_unit: str = ""


METRICS = {
    "goodput_bps": Metric(
        "Goodput per flow",
        "bit/s",
        "flow",
        "payload that the receiving application read × 8 / time",
        "RFC 5166, section 2.1",
        1e-6,
        "Mbit/s",
    ),
    "throughput_bps": Metric(
        "Throughput per flow",
        "bit/s",
        "flow",
        "IP bytes, headers and repeats included, that reached the receiver × 8 / time",
        "RFC 5166, section 2.1",
        1e-6,
        "Mbit/s",
    ),
    "utilisation": Metric(
        "Link utilisation",
        "1",
        "network",
        "bytes that the bottleneck sent towards the receivers, link headers included, × 8 / (its mean rate × time)",
        "RFC 5166, section 2.1",
    ),
    "jain": Metric(
        "Jain's fairness index",
        "1",
        "network",
        "(Σ xᵢ)² / (n Σ xᵢ²) over the goodputs xᵢ of the n forward flows; 1 where all are equal, 1/n where one has all",
        "Jain, Chiu and Hawe 1984",
    ),
    "congestion_loss": Metric(
        "Congestion loss",
        "1",
        "flow",
        "packets that the bottleneck's disc or device queue dropped / packets that came to it",
        "RFC 5166, section 2.3",
        100,
        "%",
    ),
    "random_loss": Metric(
        "Random loss",
        "1",
        "flow",
        "packets lost on the bottleneck link / packets that it carried",
        "RFC 5166, section 2.3",
        100,
        "%",
    ),
    "mean_delay_s": Metric(
        "Mean one-way delay",
        "s",
        "flow",
        "mean over the packets that arrived of the time from the sender's IP layer to the receiver's",
        "RFC 7679",
        1e3,
        "ms",
    ),
}


def jain(values):
    """Jain's fairness index as an expression: (Σ x)² / (n Σ x²); null where nothing was received at all.

    Jain, Chiu, Hawe: A Quantitative Measure of Fairness and Discrimination for Resource Allocation in Shared Computer
    Systems. DEC-TR-301, 1984.
    """
    squares = (values**2).sum()
    return pl.when(squares > 0).then(values.sum() ** 2 / (values.count() * squares))


def windows(flows, spans):
    """The time over which each flow is measured.

    Parameters
    ----------
    flows : DataFrame
        The cells' `tables` "flows".
    spans : DataFrame
        ``combination``, ``run``, ``cell``, ``from_s``, ``to_s``, ``capacity_bps``, and ``captured``, the list of traces
        that the cell has: a row per measured run.

    Returns
    -------
    DataFrame
        A row per run and flow, ``from_s`` and ``to_s`` now within the flow's own life; ``to_s`` may lie before
        ``from_s`` for a flow that ended or left in the warm-up.
    """
    return spans.join(flows, on="cell").with_columns(
        from_s=pl.max_horizontal("from_s", "start_s"), to_s=pl.min_horizontal("to_s", "finish_s", "stop_s")
    )


def per_flow(flows, spans, traces, queue):
    """Each flow's metrics.

    Parameters
    ----------
    flows, spans : DataFrame
        As for `windows`.
    traces, queue : LazyFrame
        The cells' `tables` of these names.

    Returns
    -------
    DataFrame
        ``combination``, ``run`` and the columns of `tables` "flows"; the metrics of scope "flow";
        ``drop_packets``, ``loss_packets``, ``carried_packets`` at the bottleneck, ``congestion_epochs``, and
        ``steady``: at least five epochs. What was not traced is null; a flow that nothing arrived of has goodput 0.
    """
    life = windows(flows, spans)
    key = ["combination", "run", "flow"]
    lives = life.lazy().select("combination", "run", "cell", "flow", "from_s", "to_s")
    within = pl.col("time_s").is_between("from_s", "to_s", closed="right")
    now, value = pl.col("time_s"), pl.col("value")

    def trace(*names):
        return traces.filter(pl.col("metric").is_in([*names])).join(lives, on=["cell", "flow"])

    def gained(name, result):
        until, before = value.filter(now <= pl.col("to_s")).max(), value.filter(now <= pl.col("from_s")).max()
        return trace(name).group_by(key).agg((until - before.fill_null(0)).alias(result))

    frames = [
        gained("received_bytes", "payload_bytes"),
        gained("ip_received_bytes", "ip_bytes"),
        trace("owd_s").filter(within).group_by(key).agg(mean_delay_s=value.mean()),
        trace("congestion_state")
        .filter(within & value.is_in(_LOWERED))
        .group_by(key)
        .agg(congestion_epochs=pl.len().cast(pl.Int64)),
        queue.join(lives, on=["cell", "flow"])
        .filter(within)
        .group_by(key)
        .agg(
            drop_packets=_count("drop", "drop_after_wait"),
            loss_packets=_count("loss"),
            carried_packets=_count("transmit"),
        ),
    ]
    result = life
    for frame in pl.collect_all(frames):
        result = result.join(frame, on=key, how="left")

    def counted(name, trace):
        return pl.when(pl.col("captured").list.contains(trace)).then(pl.col(name).fill_null(0))

    result = result.with_columns(
        payload_bytes=counted("payload_bytes", "received_bytes"),
        ip_bytes=counted("ip_bytes", "ip_received_bytes"),
        congestion_epochs=counted("congestion_epochs", "congestion_state"),
        drop_packets=counted("drop_packets", "queue"),
        loss_packets=counted("loss_packets", "queue"),
        carried_packets=counted("carried_packets", "queue"),
    )
    alive = pl.when(pl.col("to_s") > pl.col("from_s"))
    rate = alive.then(8 / (pl.col("to_s") - pl.col("from_s")))
    came = pl.col("carried_packets") + pl.col("drop_packets")
    return result.with_columns(
        goodput_bps=pl.col("payload_bytes") * rate,
        throughput_bps=pl.col("ip_bytes") * rate,
        congestion_loss=pl.when(came > 0).then(pl.col("drop_packets") / came),
        random_loss=pl.when(pl.col("carried_packets") > 0).then(pl.col("loss_packets") / pl.col("carried_packets")),
        steady=pl.col("congestion_epochs") >= LEAST_EPOCHS,
    ).drop("captured")


def _count(*events):
    names = pl.Series(events, dtype=tables.EVENT)
    return pl.col("event").is_in(names.implode()).sum().cast(pl.Int64)


def per_network(flow_metrics, spans, queue):
    """The metrics of scope "network" of each run.

    Parameters
    ----------
    flow_metrics : DataFrame
        From `per_flow`.
    spans, queue
        As for `per_flow`.

    Returns
    -------
    DataFrame
        ``combination``, ``run``, ``utilisation``, ``jain``.
    """
    key = ["combination", "run"]
    carried = (
        queue.filter((pl.col("event") == "transmit") & (pl.col("direction") == "forward"))
        .join(spans.lazy(), on="cell")
        .filter(pl.col("time_s").is_between("from_s", "to_s", closed="right"))
        .group_by(key)
        .agg(wire_bytes=pl.col("wire_bytes").sum())
        .collect()
    )
    forward = flow_metrics.filter(pl.col("direction") == "forward")
    fairness = forward.group_by(key).agg(jain=jain(pl.col("goodput_bps")))
    return (
        spans.join(carried, on=key, how="left")
        .join(fairness, on=key, how="left")
        .select(
            *key,
            utilisation=pl.when(pl.col("captured").list.contains("queue")).then(pl.col("wire_bytes").fill_null(0))
            * 8
            / (pl.col("capacity_bps") * (pl.col("to_s") - pl.col("from_s"))),
            jain="jain",
        )
    )
