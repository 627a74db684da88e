# SPDX-License-Identifier: MIT
"""Look up `config/schema.yaml`: scenarios, their parameters and constants, defaults and formats."""

import functools
from collections.abc import Mapping
from typing import Any, cast

from tcpsweep.core.sweep.matching import Value
from tcpsweep.core.sweepfile.keys import network_fields, network_presets, schema_file
from tcpsweep.core.sweepfile.keys.network_presets import NetworkPreset
from tcpsweep.core.words import field_names, units

raw = schema_file.raw
PROGRAM = "network"  # the scenario that builds the network described in a sweep file or a preset


def scenarios() -> list[str]:
    """The scenarios' names: first programs, then network presets."""
    return [*programs(), *network_presets.preset_names()]


def programs() -> list[str]:
    """The scenarios with their own program."""
    return list(raw()["scenarios"])


def program(scenario: str) -> str:
    """The program that simulates a scenario."""
    return scenario if scenario in programs() else PROGRAM


def has_dotted_names(scenario: str) -> bool:
    """Whether a scenario's parameters have dotted names: the file or a network preset describes its network."""
    return "described" in _scenario_section(scenario)


def slug_name(scenario: str) -> str:
    """The beginning of the names of a scenario's cells."""
    network_preset = preset(scenario)
    return network_preset.name if network_preset else scenario


def preset(scenario: str) -> NetworkPreset | None:
    """A scenario's network preset; None for a program."""
    return None if scenario in programs() else network_presets.preset(scenario)


def scenario_of(data: Any) -> str:
    """The scenario whose schema checks a file's data; the first one if it names none, so that all mistakes show."""
    scenario = data.get("scenario") if isinstance(data, dict) else None
    is_known = isinstance(scenario, str) and (scenario in scenarios() or network_presets.is_file(scenario))
    return str(scenario) if is_known else scenarios()[0]


def _scenario_section(scenario: str) -> dict[str, Any]:
    return cast(dict[str, Any], raw()["scenarios"][program(scenario)])


@functools.cache
def parameters(scenario: str) -> dict[str, dict[str, Any]]:
    """The scenario's parameters: name to description, format, unit, default, stage; in the schema's order."""
    defs = raw()
    section = _scenario_section(scenario)
    descriptions = {name: defs["parameters"][name] for name in section["parameters"]}
    network_preset = preset(scenario)
    defaults = section.get("defaults", {}) | (network_preset.defaults if network_preset else {})
    descriptions |= {name: descriptions[name] | {"default": value} for name, value in defaults.items()}
    return network_preset.parameters | descriptions if network_preset else descriptions


def described(scenario: str, name: str) -> dict[str, Any]:
    """The description of a parameter or of a network's dotted name; empty for other names."""
    dotted = network_fields.described(name) if has_dotted_names(scenario) else None
    return parameters(scenario).get(name) or dotted or {}


def usual(described: Mapping[str, Any]) -> str:
    """A typical value of a parameter: its default, or an example if the default has no unit or is 0."""
    shown = [str(value) for value in (*described.get("examples", ()), described.get("default", ""))]
    return shown[0] if units.split(shown[0]) else ""


def forms(scenario: str) -> dict[str, str]:
    """The scenario's parameters that have a format: name to format."""
    return {
        name: description["format"] for name, description in parameters(scenario).items() if "format" in description
    }


def plain_units(scenario: str) -> dict[str, str]:
    """The units of parameters written as plain numbers: name to unit; counts and shares have none."""
    unit_by_name = {name: description.get("unit", "1") for name, description in parameters(scenario).items()}
    return {name: unit for name, unit in unit_by_name.items() if unit != "1"}


def constants(scenario: str) -> dict[str, Value]:
    """Parameters that the scenario fixes: name to value."""
    return cast(dict[str, Value], _scenario_section(scenario).get("constants", {}))


def headline(scenario: str) -> list[str] | None:
    """The first metrics in the scenario's tables and figures; None for the usual ones."""
    return _scenario_section(scenario).get("headline")


def slug_parameters(scenario: str) -> list[str]:
    """The parameters shown in the names of the scenario's cells."""
    network_preset = preset(scenario)
    return network_preset.slug if network_preset else cast(list[str], _scenario_section(scenario)["slug"])


def value_form(scenario: str, name: str) -> str | None:
    """The format of a parameter's values, or None."""
    return None if field_names.is_attribute(name) else described(scenario, name).get("format")
