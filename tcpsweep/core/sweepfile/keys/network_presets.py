# SPDX-License-Identifier: MIT
"""Network presets: `config/networks/NAME.yaml`, or a user's own file, with parameters and a `network`.

A value of the network may be ``$name``, a parameter's value. Or it may contain ``${name}``: in templates, counts, rates
and times. Rates and times are then computed.
"""

import functools
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tcpsweep.core.identity import source_folders
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweepfile.document import sections, yaml_document
from tcpsweep.core.sweepfile.document.yaml_document import Document
from tcpsweep.core.sweepfile.keys import network_fields, schema_file
from tcpsweep.core.words import arithmetic, normal_forms, units

FOLDER = source_folders.ROOT / "config" / "networks"
ENDING = ".yaml"
FILES = ("trace-file", "schedule-file", "sizes-file")  # formats of values that name files
_WHOLE_VALUE = re.compile(r"\$([A-Za-z_]\w*)")
_PART_OF_VALUE = re.compile(r"\$\{([A-Za-z_]\w*)\}")
_UNITS_OF_FORMAT: dict[str, units.Factors] = {
    "rate": units.RATES,
    "time": units.TIMES,
    "duration": units.TIMES,
}


@dataclass(frozen=True)
class NetworkPreset:
    """A network with parameters."""

    name: str  # the beginning of its cells' ids
    description: str
    slug: list[str]  # the parameters shown in cells' names
    parameters: dict[str, dict[str, Any]]  # its own parameters, described as the schema describes scenarios' parameters
    defaults: dict[str, Any]  # other defaults for parameters of the scenario `network`
    values: dict[str, Any]  # dotted names to the file's values, in which parameters' names are not yet replaced


def preset_names() -> list[str]:
    """The presets that come with tcpsweep."""
    return sorted(path.stem for path in FOLDER.glob(f"*{ENDING}"))


def is_file(scenario: str) -> bool:
    """Whether a file's ``scenario`` is the path of a preset."""
    return scenario.endswith((ENDING, ".yml"))


def path_of(scenario: str) -> Path:
    """The file of a preset."""
    return Path(scenario) if is_file(scenario) else FOLDER / f"{scenario}{ENDING}"


@functools.cache
def document(scenario: str) -> Document:
    """A preset's file.

    Raises
    ------
    yaml_document.Mistakes
    """
    return yaml_document.read(path_of(scenario))


@functools.cache
def preset(scenario: str) -> NetworkPreset:
    """A preset. `network_preset_check.problems` must have found no problem with its file.

    Raises
    ------
    yaml_document.Mistakes
        The file cannot be read.
    """
    data = document(scenario).data
    return NetworkPreset(
        name=path_of(scenario).stem,
        description=data["description"],
        slug=data.get("slug", ["variant"]),
        parameters={name: parameter(description) for name, description in data.get("parameters", {}).items()},
        defaults=data.get("defaults", {}),
        values=dict(sections.network_values(data["network"])),
    )


def parameter(description: Mapping[str, Any]) -> dict[str, Any]:
    """A preset's parameter, described as the schema describes parameters; the simulator does not read it."""
    parameters = schema_file.raw()["parameters"]
    shared: dict[str, Any] = parameters[description["like"]] if "like" in description else {}
    keys = {
        key: value for key, value in (shared | dict(description)).items() if key not in ("like", "sets", "per_flow")
    }
    return {"type": "string"} | keys | {"stage": "read"} if "enum" not in keys else keys | {"stage": "read"}


def named_in(value: Any) -> list[str]:
    """The parameters that a network's value contains."""
    if isinstance(value, list):
        return [name for item in value for name in named_in(item)]
    if not isinstance(value, str):
        return []
    whole = _WHOLE_VALUE.fullmatch(value)
    return [whole[1]] if whole else _PART_OF_VALUE.findall(value)


def put_in(name: str, value: Any, row: Mapping[str, Any]) -> Any:
    """The value of a dotted name for a combination, as a sweep file would write it.

    Raises
    ------
    ValueError
        The value cannot be computed.
    """
    if isinstance(value, list):
        return [put_in(name, item, row) for item in value]
    if not isinstance(value, str):
        return value
    if whole := _WHOLE_VALUE.fullmatch(value):
        return row[whole[1]]
    if not _PART_OF_VALUE.search(value):
        return value
    text = _PART_OF_VALUE.sub(lambda match: units.value_text(row[match[1]]), value)
    description = network_fields.described(name) or {}
    form = str(description.get("format"))
    if form in _UNITS_OF_FORMAT:
        amount = arithmetic.quantity(text, _UNITS_OF_FORMAT[form])
        return f"{int(amount)}bps" if form == "rate" else f"{int(amount * 10**9)}ns"
    if description.get("type") == "integer":
        return int(arithmetic.quantity(text, {}))
    return text


def values(row: Combination, folder: Path) -> dict[str, Any]:
    """The values of a preset's network for a combination: dotted names to normal forms.

    Files that the preset names are relative to ``folder``, the sweep file's.

    Raises
    ------
    ValueError
        A value cannot be computed, or its field does not take it.
    """
    normal_values = {}
    for name, value in preset(row.scenario).values.items():
        form = (network_fields.described(name) or {}).get("format")
        if form in FILES and not named_in(value):
            normal_values[name] = _from_sweep_folder(row.scenario, value, folder)
        else:
            normal_values[name] = normal_forms.normal(put_in(name, value, row), form)
    return normal_values


def _from_sweep_folder(scenario: str, value: Any, folder: Path) -> Any:
    """The path of a file that a preset names, relative to the sweep file's folder; other values unchanged.

    It is absolute if the preset says so, or comes with tcpsweep.
    """
    if value == "none" or ":" in str(value):
        return value
    path, preset_folder = Path(value).expanduser(), path_of(scenario).parent
    if path.is_absolute() or not is_file(scenario):
        return str((preset_folder / path).absolute())
    return str(Path(os.path.relpath(preset_folder, folder)) / path)
