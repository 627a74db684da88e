# SPDX-License-Identifier: MIT
"""Which TCP runs: the key `tcp`, and presets, which are named sets of ns-3 attributes.

Both apply where a sweep file sets no value.
"""

import functools
from collections.abc import Iterable
from typing import Any, cast

from tcpsweep.core.sweep import ns3_tcp
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.ns3_tcp import ALL, BY_TCP, CORRECTIONS, NONE, PRESET, TCP
from tcpsweep.core.sweep.sweep_parts import Preset, PresetSetting
from tcpsweep.core.sweepfile.keys import schema
from tcpsweep.core.words import normal_forms

CORRECTED, OF_NS3, LISTED = "corrected", "ns-3", "listed"
# Each value of `tcp`, to the preset and the corrections that it stands for.
_MEANING = {CORRECTED: ("linux", ALL), OF_NS3: (NONE, NONE)}


@functools.cache
def preset(name: str) -> Preset:
    """A preset with all its settings, including those inherited from the preset that it is like.

    Raises
    ------
    KeyError
        There is no such preset.
    """
    description = cast(dict[str, Any], schema.raw()["presets"][name])
    settings = {
        attribute: PresetSetting(
            str(normal_forms.normal_attribute(setting["value"])), setting["source"], setting.get("unless")
        )
        for attribute, setting in description["settings"].items()
    }
    inherited = preset(description["like"]).settings if "like" in description else {}
    return Preset(description["description"], inherited | settings)


def preset_names() -> list[str]:
    """The presets' names."""
    return list(schema.raw()["presets"])


def resolved(row: Combination) -> Combination:
    """A combination with the preset and the corrections that its ``tcp`` stands for, if it does not set its own.

    With corrections of its own, its ``tcp`` is ``listed``.
    """
    preset_of_tcp, corrections_of_tcp = _MEANING[str(row[TCP])]
    name = preset_of_tcp if row[PRESET] == BY_TCP else row[PRESET]
    settings = {CORRECTIONS: corrections_of_tcp} if row[CORRECTIONS] == BY_TCP else {TCP: LISTED}
    return row.with_values({PRESET: name, **settings})


def filled(row: Combination) -> Combination:
    """A combination with its preset's settings added; its own settings take precedence.

    Settings that work around a defect of ns-3 are left out if this ns-3 has the correction.
    """
    name = str(row[PRESET])
    if name == NONE:
        return row
    settings = preset(name).settings.items()
    return row.with_values(
        {
            attribute: setting.value
            for attribute, setting in settings
            if attribute not in row and not (setting.unless and ns3_tcp.is_corrected(row, setting.unless))
        }
    )


def used(combinations: Iterable[Combination]) -> dict[str, Preset]:
    """The presets that combinations have, by name."""
    return {name: preset(name) for name in dict.fromkeys(row[PRESET] for row in combinations) if name != NONE}
