# SPDX-License-Identifier: MIT
"""One cell's metrics, from its tables; `words.metrics` says what each is."""

from pathlib import Path

import polars as pl

from tcpsweep.measure import (
    bottleneck,
    cell,
    completion,
    delays,
    delivery,
    fairness,
    losses,
    rates,
    sender_states,
    steadiness,
)
from tcpsweep.measure.cell import Cell
from tcpsweep.parse.parsed import Parsed
from tcpsweep.sweep.span import Span
from tcpsweep.words import table_columns


def per_flow(cell: Cell) -> pl.DataFrame:
    """The metrics of scope "flow".

    Returns
    -------
    DataFrame
        ``flow``, and a column for each metric that the cell's traces allow; null for a flow without a value, because
        it was not there or nothing arrived.
    """
    lives = cell.lives
    result = cell.flows.select("flow")
    for part in (
        rates.rates,
        rates.fastest,
        delays.one_way_delays,
        delays.round_trips,
        delays.queueing_delays,
        losses.losses,
        _delivery,
        losses.retransmissions,
        sender_states.limits,
        sender_states.states,
        steadiness.trends,
        completion.per_flow,
    ):
        frame = part(cell, lives)
        if frame is not None:
            result = result.join(frame, on="flow", how="left", maintain_order="left")
    if "goodput_bps" not in result.columns:
        return result
    shares = fairness.shares(cell.flows.select("flow", "variant").join(fairness.together(cell), on="flow"))
    return result.join(shares, on="flow", how="left", maintain_order="left")


def _delivery(cell: Cell, lives: pl.DataFrame) -> pl.DataFrame:
    return delivery.per_flow(cell.flows)


def per_network(cell: Cell, windows: pl.DataFrame | None) -> dict[str, float]:
    """The metrics of scope "network", all of the forward direction.

    Parameters
    ----------
    cell : Cell
    windows : DataFrame or None
        From `fairness.over_time`.

    Returns
    -------
    dict
        Metric to value; a metric that is undefined is left out.
    """
    found: dict[str, float | None] = {**delivery.per_network(cell.flows, cell.to_s)}
    if "received_bytes" in cell.traces:
        forward = fairness.together(cell)
        found["jain"] = forward.select(fairness.jain(pl.col("goodput_bps"))).item()
        rtts = pl.DataFrame(
            enumerate(cell.base_rtt_s), schema={"flow": pl.Int32, "base_rtt_s": pl.Float64}, orient="row"
        )
        found |= fairness.between_rtts(forward.join(rtts, on="flow"))
    if cell.queue is not None:
        found |= bottleneck.link(cell, cell.queue)
        found |= bottleneck.queue_percentiles(cell, cell.queue)
        found |= bottleneck.littles_law(cell, cell.queue)
    if windows is not None:
        found |= fairness.in_windows(cell, windows)
    found["completion_horizon_s"] = completion.horizon(cell)
    if cell.warmup == "found":
        found["warmup_s"] = cell.from_s
    return {name: float(value) for name, value in found.items() if value is not None}


def write(parsed: Parsed, out: Path, cell_id: str, span: Span) -> None:
    """Measure a cell, and write its tables `measures` and `fairness`.

    Parameters
    ----------
    parsed : Parsed
    out : Path
        The folder that receives ``measures.parquet`` and ``fairness.parquet``.
    cell_id : str
    span : Span
        The time that counts, from `measured_spans.of`.
    """
    inputs = cell.of(parsed, span)
    flows, windows = per_flow(inputs), fairness.over_time(inputs)
    network = per_network(inputs, windows)
    of_flows = (
        flows.join(inputs.flows.select("flow", "direction", "variant"), on="flow")
        .with_columns(pl.exclude("flow", "direction", "variant").cast(pl.Float64))
        .unpivot(index=["flow", "direction", "variant"], variable_name="metric")
        .drop_nulls("value")
    )
    of_variants = completion.per_variant(inputs).with_columns(direction=pl.lit("forward", table_columns.DIRECTION))
    of_network = pl.DataFrame(
        {"metric": list(network), "value": list(network.values())}, schema=_schema("metric", "value")
    )
    for table, frame in (
        ("measures", pl.concat([of_flows, of_variants, of_network], how="diagonal")),
        (
            "fairness",
            pl.DataFrame(schema=_schema("from_s", "flows", "jain", of="fairness")) if windows is None else windows,
        ),
    ):
        named = frame.with_columns(cell=pl.lit(cell_id)).select(list(table_columns.schema(table)))
        table_columns.write(named, table, out / f"{table}.parquet")


def _schema(*names: str, of: str = "measures") -> table_columns.Schema:
    return {name: table_columns.schema(of)[name] for name in names}
