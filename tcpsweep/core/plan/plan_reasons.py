# SPDX-License-Identifier: MIT
"""Why a sweep's simulations run again: what changed since its last plan, and damage."""

from collections.abc import Iterator

from tcpsweep.core.identity import cpp_code
from tcpsweep.core.ns3 import variants
from tcpsweep.core.ns3.engine import Engine
from tcpsweep.core.plan.plan_record import Plan
from tcpsweep.core.store import layout
from tcpsweep.core.sweep import sweep_record
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.sweepfile.keys import schema


def reasons(plan: Plan, ns3: Engine) -> list[str]:
    """The reasons in words; empty if the sweep has none, or was never planned."""
    try:
        earlier = sweep_record.read(plan.folder)
    except sweep_record.Unreadable:
        return []
    marks = set(layout.names_in(layout.DAMAGED))
    damaged = {cell.id for cell in plan.cells if layout.damage_mark(cell.id, plan.parser) in marks}
    lost = f"files of {len(damaged)} are missing or damaged"
    return [*(f"{name} changed" for name in _changed(plan, ns3, earlier)), *([lost] if damaged else [])]


def _changed(plan: Plan, ns3: Engine, earlier: PlannedSweep) -> Iterator[str]:
    """What is part of the ids of all simulations, or of those with a variant, and differs from an earlier plan."""
    sweep, program = plan.sweep, schema.program(plan.sweep.scenario)
    if earlier.scenario != sweep.scenario:
        return
    if earlier.scenario_code != cpp_code.cpp_id(program):
        yield f"the code of {program}"
    if (earlier.ns3_version, earlier.ns3_libraries) != (ns3.version, ns3.libraries_id):
        yield "ns-3"
    if earlier.seed != sweep.seed:
        yield "`seed`"
    for name in variants.used(sweep.combinations, sweep.variant_files):
        if earlier.variants.get(name, code := variants.code_id(name, sweep.variant_files)) != code:
            yield f"the code of {name}"
