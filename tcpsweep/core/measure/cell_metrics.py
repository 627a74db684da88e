# SPDX-License-Identifier: MIT
"""One cell's metrics, from its tables; `words.metrics` says what each is."""

from typing import TypeAlias

import polars as pl

from tcpsweep.core.measure import (
    cell,
    completion_times,
    delivery,
    dynamics,
    fairness,
    links,
    losses,
    rates_and_delays,
    sender_states,
    steadiness,
    traffic,
)
from tcpsweep.core.measure.cell import Cell, OfFlows
from tcpsweep.core.parse.parsed import Parsed, Way
from tcpsweep.core.sweep.span import Span
from tcpsweep.core.words import table_columns

# As in the table `measures`, after ``cell``.
_Row: TypeAlias = tuple[str | None, str | None, str | None, int | None, str | None, str | None, str, float]

_WINDOWS = ("from_s", "flows", "jain")


def per_flow(cell: Cell) -> OfFlows:
    """The metrics of scope "flow" that the cell's traces allow.

    A flow without a value, because it was not there or nothing arrived, is left out or has None.
    """
    values: OfFlows = rates_and_delays.rates(cell) | rates_and_delays.fastest(cell)
    values |= rates_and_delays.one_way_delays(cell) | rates_and_delays.round_trips(cell)
    values |= losses.losses(cell) | delivery.per_flow(cell) | losses.retransmissions(cell)
    values |= sender_states.limits(cell) | sender_states.states(cell)
    values |= steadiness.shapes(cell) | completion_times.per_flow(cell)
    values |= dynamics.oscillations(cell) | dynamics.loss_events(cell, values.get("rtt_mean_s", {}))
    variants = dict(zip(cell.flows["flow"], cell.flows["variant"], strict=True))
    if "goodput_bps" in values and len(set(variants.values())) > 1:
        values["share"] = {}
        for flows in _flows_by_bottleneck(cell).values():
            values["share"] |= fairness.shares(fairness.together(cell, flows), variants)
    return values


def _flows_by_bottleneck(cell: Cell) -> dict[str | None, list[int]]:
    """The forward flows of each bottleneck; all where bottlenecks are not known."""
    return {name: cell.sharing(name) for name in dict.fromkeys(cell.bottlenecks.values())} or {None: cell.forward}


def _jain_by_link(cell: Cell) -> dict[Way, float]:
    """Jain's index of the flows that each link limits, where there are several such links, by the link."""
    has_several = len(set(cell.bottlenecks.values())) > 1 and "received_bytes" in cell.traces
    indices = {}
    for name, flows in _flows_by_bottleneck(cell).items() if has_several else ():
        if name in cell.bottleneck_links and len(flows) > 1:
            goodputs = pl.Series([*fairness.together(cell, flows).values()], dtype=pl.Float64)
            indices[cell.bottleneck_links[name]] = fairness.jain(goodputs)
    return {way: value for way, value in indices.items() if value is not None}


def per_network(
    cell: Cell, windows: pl.DataFrame | None, of_links: dict[Way, dict[str, float]] | None = None
) -> dict[str, float]:
    """The metrics of scope "network", all of the forward direction; of several links, of the one that binds.

    How flows share is of those that share the network's bottleneck.

    ``windows`` is from `fairness.over_time`, and ``of_links`` from `links.metrics`.

    Returns
    -------
    dict
        Metric to value; a metric that is undefined is left out.
    """
    values: dict[str, float | None] = {**delivery.per_network(cell)}
    if "received_bytes" in cell.traces:
        goodputs = fairness.together(cell)
        values["jain"] = fairness.jain(pl.Series(list(goodputs.values()), dtype=pl.Float64))
        values["worst_share"] = fairness.worst_share(goodputs)
        rtts_s = dict(enumerate(cell.base_rtt_s))
        measured_s = rates_and_delays.round_trips(cell).get("rtt_mean_s", {})
        flows = [flow for flow in goodputs if flow in rtts_s]
        if len({rtts_s[flow] for flow in flows}) > 1:
            columns = {
                "goodput_bps": [goodputs[flow] for flow in flows],
                "base_rtt_s": [rtts_s[flow] for flow in flows],
                "rtt_s": [measured_s.get(flow) for flow in flows],
            }
            kinds = {"base_rtt_s": pl.Float64, "rtt_s": pl.Float64}
            values |= fairness.between_rtts(pl.DataFrame(columns, schema_overrides=kinds))
    values |= dynamics.start(cell) | dynamics.answer(cell)
    values |= links.binding(links.metrics(cell) if of_links is None else of_links)
    if windows is not None:
        values |= fairness.in_windows(cell, windows)
    values["completion_horizon_s"] = completion_times.horizon(cell)
    if cell.warmup == "found":
        values["warmup_s"] = cell.from_s
    return {name: float(value) for name, value in values.items() if value is not None}


def tables(parsed: Parsed, cell_id: str, span: Span) -> dict[str, pl.DataFrame]:
    """Measure a cell.

    ``span`` is the time that counts, from `result_ids.span`.

    Returns
    -------
    dict of DataFrame
        The tables `measures` and `fairness`.
    """
    inputs = cell.cell_inputs(parsed, span)
    values, windows, of_links = per_flow(inputs), fairness.over_time(inputs), links.metrics(inputs)
    flows = inputs.flows.select("flow", "direction", "variant").rows()
    bottleneck, bottleneck_of = inputs.bottleneck, inputs.bottlenecks
    rows: list[_Row] = [
        (None, bottleneck_of.get(flow[0]), None, *flow, metric, float(value))
        for metric, by_flow in values.items()
        for flow in flows
        if (value := by_flow.get(flow[0])) is not None
    ]
    variants = completion_times.per_variant(inputs)
    rows += [(None, bottleneck, None, None, "forward", variant, metric, value) for variant, metric, value in variants]
    rows += [
        (None, bottleneck, None, None, None, None, metric, value)
        for metric, value in per_network(inputs, windows, of_links).items()
    ]
    rows += [
        (link, None, None, None, direction, None, "jain", value)
        for (link, direction), value in _jain_by_link(inputs).items()
    ]
    if inputs.names_links:
        rows += [
            (link, None, None, None, direction, None, metric, value)
            for (link, direction), link_metrics in of_links.items()
            for metric, value in link_metrics.items()
        ]
    rows += [
        (None, None, group, None, None, variant, metric, value)
        for group, (variant, group_metrics) in traffic.metrics(inputs).items()
        for metric, value in group_metrics.items()
    ]
    schema = {name: kind for name, kind in table_columns.schema("measures").items() if name != "cell"}
    measures = pl.DataFrame(dict(zip(schema, zip(*rows, strict=True), strict=True)), schema=schema)
    if windows is None:
        windows = pl.DataFrame(schema={name: table_columns.schema("fairness")[name] for name in _WINDOWS})
    for frame in (measures, windows):
        frame.insert_column(0, pl.Series("cell", [cell_id] * frame.height, pl.String))
    return {"measures": measures, "fairness": windows}
