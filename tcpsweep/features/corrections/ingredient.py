# SPDX-License-Identifier: MIT
"""Corrections of ns-3's TCP as an ingredient of simulations."""

from collections.abc import Iterable

from tcpsweep.core.contact.ingredient import Ingredient, Part, Simulation
from tcpsweep.core.sweep.matching import Settings
from tcpsweep.core.sweep.ns3_tcp import CORRECTIONS
from tcpsweep.features.corrections import correction_names, corrections_in_force


def _part(simulation: Simulation) -> Part:
    names = corrections_in_force.in_force(simulation.row, simulation.ns3_version, simulation.own_variants)
    return Part(settings={CORRECTIONS: names} if names else {})


def _selected(rows: Iterable[Settings], ns3_version: str) -> dict[str, list[str]]:
    values = dict.fromkeys(str(row[CORRECTIONS]) for row in rows if CORRECTIONS in row)
    return {value: correction_names.in_version(value, ns3_version) for value in values}


INGREDIENT = Ingredient(forms={CORRECTIONS: correction_names.normal}, part=_part, selected=_selected)
