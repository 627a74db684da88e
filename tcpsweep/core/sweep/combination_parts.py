# SPDX-License-Identifier: MIT
"""The parts of a combination: its flows by variant, its network, and a text that names it."""

import itertools
from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec

from tcpsweep.core.sweep import network_graph
from tcpsweep.core.sweep.matching import Combination, Value
from tcpsweep.core.words import dotted_names
from tcpsweep.core.words.mixes import NOBODY, Mix


def flows_of(row: Mapping[str, Any]) -> Counter[str]:
    """The number of flows of each variant in a combination whose flows take the variants in turn."""
    if network_graph.is_described(row):
        turns = itertools.chain(*network_graph.dealt(row).values())
        return Counter(variant for variant in turns if variant != NOBODY)
    return Mix.parse(row["variant"]).flows(row["flows"])


def variants_of_flows(row: Mapping[str, Any]) -> list[str]:
    """The distinct variants of a combination's flows; without flows, the variants that it names."""
    variants = list(flows_of(row)) if network_graph.is_described(row) else []
    return variants or Mix.parse(str(row["variant"])).variants


def key(row: Mapping[str, Value]) -> str:
    """A text that is the same for equal combinations."""
    return msgspec.json.encode(row, order="deterministic").decode()


def network(row: Combination) -> dict[str, Value]:
    """A combination without its flows' variants."""
    return {name: value for name, value in row.items() if name != "variant" and not dotted_names.is_variant(name)}
