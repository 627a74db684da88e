# SPDX-License-Identifier: MIT
"""The assignment of a mix's variants to flows in each run, the same as in ns3-scenarios/lib/flows/assignment.cc."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

from tcpsweep.core.sweep import network_graph
from tcpsweep.core.sweep.matching import Settings
from tcpsweep.core.words import dotted_names, field_names, units
from tcpsweep.core.words.mixes import Mix


def flow_count(row: Settings) -> int:
    """The number of flows in a combination, in both directions."""
    return sum(len(group.members) for group in network_graph.groups(row))


def forward_count(row: Settings) -> int:
    """The number of forward flows in a combination; in a custom topology, all flows are forward flows."""
    return sum(len(group.members) for group in network_graph.groups(row) if group.is_compared)


def is_rotated(row: Settings) -> bool:
    """Whether the variants of a combination's mix swap positions from run to run.

    With ``auto``, variants in a custom topology always do, because its flows have their own ends.
    """
    setting = row.get("assignment", "fixed")
    return differing(row) is not None if setting == "auto" else bool(setting == "rotated")


def differing(row: Settings) -> str | None:
    """The first parameter that makes the flows of a combination's mix differ; None if there is none."""
    if network_graph.has_named_parts(row):
        return dotted_names.names_key("flows") if matters(row) else None
    if list_parameter := next((name for name, value in row.items() if isinstance(value, list)), None):
        return list_parameter
    return "start_stagger" if units.si(row.get("start_stagger", "0s"), "time") > 0 else None


def flow_variants(row: Settings, run: int) -> list[str]:
    """Each flow's variant in a run of a combination, the forward flows first.

    With rotation, a flow in run ``r`` takes the variant that the flow ``r - 1`` positions later in its direction has in
    run 1. In a custom topology, it takes the variant ``r - 1`` positions later in the mix.
    """
    shift = run - 1 if run != 1 and is_rotated(row) else 0
    return [variant for group in network_graph.groups(row) for variant in group.variants(shift)]


def matters(row: Settings) -> bool:
    """Whether a combination's cells depend on ``assignment``: variants can swap positions only in a mix."""
    return any(len(set(group.turns)) > 1 for group in network_graph.groups(row))


def period(row: Settings) -> int:
    """The number of runs after which each flow of a combination has the same variant again."""
    if not matters(row) or not is_rotated(row):
        return 1
    return math.lcm(*(_turns_period(group.turns) for group in network_graph.groups(row) if group.turns))


def is_balanced(row: Settings, runs: Iterable[int]) -> bool:
    """Whether each flow has each variant equally often in these runs, or no number of runs would change that."""
    period_runs = period(row)
    runs_at_position = Counter((run - 1) % period_runs for run in runs)
    return len(runs_at_position) == period_runs and len(set(runs_at_position.values())) == 1


def _turns_period(turns: list[str]) -> int:
    return next(shift for shift in range(1, len(turns) + 1) if turns[shift:] + turns[:shift] == turns)


OF_KERNEL = "linux"  # the value of the parameter `stack`, and the implementation of the kernel's own variants


def kernel_variants(row: Settings) -> list[str]:
    """A combination's variants with the kernel's TCP: all if ``stack`` is the kernel's, else the kernel's own."""
    variants = Mix.parse(row["variant"]).variants
    return [variant for variant in variants if (field_names.implementation(variant) or row.get("stack")) == OF_KERNEL]


def is_kernel_asked(row: Settings) -> bool:
    """Whether flows of a combination use the kernel's TCP, so that it runs in real or virtual time."""
    return bool(kernel_variants(row))


def is_only_kernels(row: Settings) -> bool:
    """Whether all flows of a combination of a scenario with `variant` use the kernel's TCP."""
    return len(kernel_variants(row)) == len(Mix.parse(row["variant"]).variants)
