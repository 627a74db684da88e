# SPDX-License-Identifier: MIT
"""The pairs of variants to compare: each network's variants with the baseline, and a mix's variants with each other."""

from __future__ import annotations

import itertools

import polars as pl

from tcpsweep.sweep import axes, harm_combinations
from tcpsweep.sweep.sweep_record import PlannedSweep

BESIDE = {"TcpNewReno": "TcpLinuxReno"}  # a baseline, and a second reference for verdicts
PAIR = {
    "combination": pl.Int64,
    "reference_combination": pl.Int64,
    "variant": pl.String,
    "reference": pl.String,
    "mix": pl.String,
    "own": pl.String,
    "reference_own": pl.String,
}


def references(sweep: PlannedSweep) -> list[str]:
    """The reference variants: the baseline, and its second reference in `BESIDE` if the sweep has it."""
    baseline = sweep.baseline
    swept = {row["variant"] for row in sweep.combinations}
    return [name for name in (baseline, BESIDE.get(baseline or "")) if name is not None and name in swept]


def pairs(sweep: PlannedSweep) -> pl.DataFrame:
    """The combinations and variants to compare.

    Returns
    -------
    DataFrame
        ``combination`` and ``reference_combination``; ``variant`` and ``reference``, ``mix`` if both are in one;
        ``own`` and ``reference_own``, the flows' variant, null for the metrics of the whole network.
    """
    networks: dict[str, dict[str, int]] = {}
    rows: list[tuple[int, int, str, str, str | None, str | None, str | None]] = []
    for number, key in enumerate(axes.network_keys(sweep)):
        networks.setdefault(key, {})[str(sweep.combinations[number]["variant"])] = number
    flows = [harm_combinations.variants_of_flows(row) for row in sweep.combinations]
    shown_against = references(sweep)
    for network in networks.values():
        for place, reference in enumerate(shown_against):
            for variant, number in network.items():
                if reference not in network or variant in shown_against[: place + 1]:
                    continue
                rows.append((number, network[reference], variant, reference, None, None, None))
                own, other = flows[number], flows[network[reference]]
                if len(own) == len(other) == 1:
                    rows.append((number, network[reference], variant, reference, None, own[0], other[0]))
        for mix, number in network.items():
            for first, second in itertools.combinations(flows[number], 2):
                variant, reference = (first, second) if second in shown_against[:1] else (second, first)
                rows.append((number, number, variant, reference, mix, variant, reference))
    return pl.DataFrame(rows, schema=PAIR, orient="row")
