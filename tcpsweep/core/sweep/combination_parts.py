# SPDX-License-Identifier: MIT
"""The parts of a combination: its flows by variant, its network, and a text that names it."""

import itertools
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from tcpsweep.core.sweep import network_graph
from tcpsweep.core.sweep.matching import Combination, Value
from tcpsweep.core.words import dotted_names
from tcpsweep.core.words.mixes import NOBODY


def flows_of(row: Mapping[str, Any]) -> Counter[str]:
    """The number of flows of each variant in a combination whose flows take the variants in turn."""
    compared = (group.variants() for group in network_graph.groups(row) if group.is_compared)
    return Counter(variant for variant in itertools.chain(*compared) if variant != NOBODY)


def variants_of_flows(row: Combination) -> list[str]:
    """The distinct variants of a combination's flows; without flows, the variants that it names."""
    return list(flows_of(row)) or row.mix.variants


def key(row: Mapping[str, Value]) -> str:
    """A text that is the same for equal combinations."""
    return msgspec.json.encode(row, order="deterministic").decode()


def network(row: Combination, beside: Collection[str] = ()) -> dict[str, Value]:
    """A combination without its flows' variants, and without the names in ``beside``."""
    left_out = {"variant", *beside}
    return {name: value for name, value in row.items() if name not in left_out and not dotted_names.is_variant(name)}
