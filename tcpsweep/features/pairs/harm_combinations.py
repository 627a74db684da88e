# SPDX-License-Identifier: MIT
"""The combinations with which a mix is compared for harm: one variant's flows only, or all flows with it."""

from collections.abc import Callable, Sequence

from tcpsweep.core.sweep import assignment, combination_parts, network_graph
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.words import dotted_names
from tcpsweep.core.words.mixes import Mix


def alone(row: Combination, variant: str) -> Combination:
    """The combination with only the flows of one variant of a mix.

    The flows keep their numbers from the mix, and so their starts, random numbers and links. If they are the first
    flows in every run and all flows are equal, this is the combination with that number of flows.
    """
    count, mix = combination_parts.flows_of(row)[variant], row.mix
    is_first = all(mix.variant_of(flow) == variant for flow in range(count))
    are_alike = not (network_graph.has_named_parts(row) or assignment.is_rotated(row) or assignment.differing(row))
    if is_first and are_alike:
        return row.with_values({"variant": variant, "flows": count})
    return _with_mixes(row, lambda turns: turns.only(variant))


def among_itself(row: Combination, variant: str) -> Combination:
    """The homogeneous combination: all flows of a mix have one variant."""
    return _with_mixes(row, lambda turns: Mix((variant,)))


def _with_mixes(row: Combination, changed: Callable[[Mix], Mix]) -> Combination:
    """A combination with another mix, also for the groups of flows that have variants of their own."""
    names = ["variant"]
    names += [dotted_names.dotted_name("flows", name, "variant") for name in network_graph.things(row, "flows")]
    return row.with_values({name: str(changed(Mix.parse(row[name]))) for name in names if name in row})


def missing(rows: Sequence[Combination]) -> list[Combination]:
    """The distinct combinations that harm needs and ``rows`` lack."""
    existing, needed = set(rows), dict[Combination, None]()  # an ordered set
    for row in rows:
        variants = combination_parts.flows_of(row)
        for variant in variants if len(variants) > 1 else ():
            needed |= dict.fromkeys((alone(row, variant), among_itself(row, variant)))
    return [row for row in needed if row not in existing]
