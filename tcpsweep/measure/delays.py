# SPDX-License-Identifier: MIT
"""The flows' one-way delays and round-trip times."""

from tcpsweep.measure import percentiles
from tcpsweep.measure.cell import Cell, OfFlows, by_metric


def one_way_delays(cell: Cell) -> OfFlows:
    """One-way delays of the packets that arrived."""
    if "owd_s" not in cell.traces:
        return {}
    lived = cell.lived(cell.traces["owd_s"], "value")
    return by_metric({flow: percentiles.spread_of(value, "owd") for flow, (value,) in lived.items()})


def round_trips(cell: Cell) -> OfFlows:
    """Round-trip times, each weighted by how long it was the latest, as ns-3 traces changes only."""
    if "rtt_s" not in cell.traces:
        return {}
    held = cell.held("rtt_s")
    return by_metric({flow: percentiles.weighted_spread_of(*own, "rtt") for flow, own in held.items()})
