# SPDX-License-Identifier: MIT
"""The variants to compare: each network's variants with the baseline, and a mix's variants with each other.

It needs no table library, because `tcpsweep check` counts the comparisons before anything else is installed.
"""

from __future__ import annotations

import itertools
from collections import Counter
from typing import NamedTuple

from tcpsweep.core.sweep import axes, combination_parts
from tcpsweep.core.sweep.sweep_record import Sweep
from tcpsweep.core.words import metrics

BESIDE = {"TcpNewReno": "TcpLinuxReno"}  # a baseline, and a second reference for verdicts


class Pair(NamedTuple):
    """A comparison of two combinations, or of two variants of a mix.

    ``mix`` is set if both are in one. ``own`` and ``reference_own`` are the flows' variants, None for metrics of the
    whole network. ``simulator`` is from `axes.simulator_texts`.
    """

    combination: int
    reference_combination: int
    variant: str
    reference: str
    mix: str | None
    own: str | None
    reference_own: str | None
    simulator: str | None


def references(sweep: Sweep) -> list[str]:
    """The reference variants: the baseline, and its second reference in `BESIDE` if the sweep has it."""
    baseline = sweep.baseline
    swept = {row["variant"] for row in sweep.combinations}
    return [name for name in (baseline, BESIDE.get(baseline or "")) if name is not None and name in swept]


def pairs(sweep: Sweep) -> list[Pair]:
    """The combinations and variants to compare."""
    numbers_by_network: dict[str, dict[str, int]] = {}
    for number, key in enumerate(axes.network_keys(sweep)):
        numbers_by_network.setdefault(key, {})[sweep.combinations[number].variant] = number
    flow_variants = [combination_parts.variants_of_flows(row) for row in sweep.combinations]
    shown_against, simulators = references(sweep), axes.simulator_texts(sweep)
    compared = []
    for network in numbers_by_network.values():
        for position, reference in enumerate(shown_against):
            for variant, number in network.items():
                if reference not in network or variant in shown_against[: position + 1]:
                    continue
                common = number, network[reference], variant, reference, None
                compared.append(Pair(*common, None, None, simulators[number]))
                own_variants, reference_variants = flow_variants[number], flow_variants[network[reference]]
                if len(own_variants) == len(reference_variants) == 1:
                    compared.append(Pair(*common, own_variants[0], reference_variants[0], simulators[number]))
        for mix, number in network.items():
            for first, second in itertools.combinations(flow_variants[number], 2):
                variant, reference = (first, second) if second in shown_against[:1] else (second, first)
                compared.append(Pair(number, number, variant, reference, mix, variant, reference, simulators[number]))
    return compared


def primary(sweep: Sweep) -> int:
    """The number of comparisons of the headline metrics, which are corrected together; of several simulators, the most.

    It is an upper bound: a metric of which no run has a value makes no comparison.
    """
    pair_counts = Counter((pair.simulator, pair.own is not None) for pair in pairs(sweep))
    headline = metrics.headline(metrics.METRICS, sweep.headline).values()
    simulators = {simulator for simulator, _ in pair_counts}
    return max(
        (sum(pair_counts[simulator, metric.by_variant] for metric in headline) for simulator in simulators),
        default=0,
    )
