# SPDX-License-Identifier: MIT
"""Corrections of ns-3's TCP as an ingredient of simulations."""

from collections.abc import Collection, Iterable, Iterator

from tcpsweep.core.contact.ingredient import Ingredient, Part, Simulation
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.ns3_tcp import CORRECTIONS, is_corrected
from tcpsweep.features.corrections import correction_names, corrections_in_force

_BBR_GAINS = "ns3::TcpBbrGains::"  # a type of ours: ns3-scenarios/lib/corrections/bbr-gains.h


def _clashes(row: Combination, _: Collection[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    gains = [] if is_corrected(row, "bbr") else [name for name in row if name.startswith(_BBR_GAINS)]
    if gains:
        yield (gains[0],), "this needs the correction bbr: ns-3's own BBR has only the gain ns3::TcpBbr::HighGain"


def _part(simulation: Simulation) -> Part:
    names = corrections_in_force.in_force(simulation.row, simulation.ns3_version, simulation.own_variants)
    return Part(settings={CORRECTIONS: names} if names else {})


def _selected(rows: Iterable[Combination], ns3_version: str) -> dict[str, list[str]]:
    values = dict.fromkeys(str(row[CORRECTIONS]) for row in rows if CORRECTIONS in row)
    return {value: correction_names.in_version(value, ns3_version) for value in values}


INGREDIENT = Ingredient(forms={CORRECTIONS: correction_names.normal}, clashes=_clashes, part=_part, selected=_selected)
