# SPDX-License-Identifier: MIT
"""The combinations with which a mix is compared for harm: one variant's flows only, or all flows with it."""

import itertools
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from tcpsweep.sweep import assignment, network_graph
from tcpsweep.sweep.matching import Combination, Value
from tcpsweep.words import dotted_names
from tcpsweep.words.mixes import NOBODY, Mix


def flows_of(row: Mapping[str, Any]) -> Counter[str]:
    """The number of flows of each variant in a combination whose flows take the variants in turn."""
    if network_graph.is_described(row):
        turns = itertools.chain(*network_graph.dealt(row).values())
        return Counter(variant for variant in turns if variant != NOBODY)
    return Mix.parse(row["variant"]).flows(row["flows"])


def variants_of_flows(row: Mapping[str, Any]) -> list[str]:
    """The distinct variants of a combination's flows; without flows, the variants that it names."""
    found = list(flows_of(row)) if network_graph.is_described(row) else []
    return found or Mix.parse(str(row["variant"])).variants


def alone(row: Combination, variant: str) -> Combination:
    """The combination with only the flows of one variant of a mix.

    The flows keep their numbers from the mix, and so their starts, random numbers and links. If they are the first
    flows in every run and all flows are equal, this is the combination with that number of flows.
    """
    if network_graph.is_described(row):
        mix = Mix.parse(str(row["variant"])).only(variant)
        return _of_groups(row, lambda own: own.only(variant)) | {"variant": str(mix)}
    count, mix = flows_of(row)[variant], Mix.parse(str(row["variant"]))
    is_first = all(mix.variant_of(flow) == variant for flow in range(count))
    if is_first and not assignment.is_rotated(row) and not assignment.differing(row):
        return row | {"variant": variant, "flows": count}
    return row | {"variant": str(mix.only(variant))}


def among_itself(row: Combination, variant: str) -> Combination:
    """The homogeneous combination: all flows of a mix have one variant."""
    if network_graph.is_described(row):
        return _of_groups(row, lambda mix: Mix((variant,))) | {"variant": variant}
    return row | {"variant": variant}


def _of_groups(row: Combination, other: Callable[[Mix], Mix]) -> Combination:
    """A custom topology's combination with other variants for its groups of flows."""
    names = [dotted_names.dotted_name("flows", name, "variant") for name in network_graph.things(row, "flows")]
    return row | {name: str(other(Mix.parse(str(row[name])))) for name in names if name in row}


def key(row: Mapping[str, Value]) -> str:
    """A text that is the same for equal combinations."""
    return msgspec.json.encode(row, order="deterministic").decode()


def network(row: Combination) -> dict[str, Value]:
    """A combination without its flows' variants."""
    return {name: value for name, value in row.items() if name != "variant" and not dotted_names.is_variant(name)}


def missing(rows: Sequence[Combination]) -> list[Combination]:
    """The distinct combinations that harm needs and ``rows`` lack."""
    there, found = {key(row) for row in rows}, dict[str, Combination]()
    for row in rows:
        variants = flows_of(row)
        for variant in variants if len(variants) > 1 else ():
            for wanted in (alone(row, variant), among_itself(row, variant)):
                found.setdefault(key(wanted), wanted)
    return [row for name, row in found.items() if name not in there]
