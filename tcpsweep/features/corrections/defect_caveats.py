# SPDX-License-Identifier: MIT
"""The known defects of ns-3's TCP as caveats of a sweep's numbers."""

from tcpsweep.core.sweep.sweep_parts import Caveat
from tcpsweep.core.sweep.sweep_record import Sweep
from tcpsweep.features.corrections import defect_conditions, defects_file


def caveats(sweep: Sweep, ns3_version: str) -> list[Caveat]:
    """A caveat for each defect that affects some of the sweep's own combinations, in the order of their file."""
    numbers_by_name: dict[str, list[int]] = {}
    defects_by_combination = defect_conditions.by_combination(defects_file.defects(), sweep.combinations, ns3_version)
    for number, defects in enumerate(defects_by_combination):
        for defect in defects:
            numbers_by_name.setdefault(defect.name, []).append(number)
    names = defect_conditions.variants(sweep.own)
    return [
        Caveat(
            name=defect.name,
            metrics=defect.metrics,
            effect=defect.effect,
            source=defect.source,
            combinations=numbers,
            correction=defect.correction,
            variants=defect_conditions.variants_with(defect, names),
        )
        for defect in defects_file.defects()
        if (numbers := numbers_by_name.get(defect.name, [])) and numbers[0] < sweep.swept
    ]
