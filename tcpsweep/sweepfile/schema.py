# SPDX-License-Identifier: MIT
"""Look up `config/schema.yaml`: scenarios, their parameters and constants, defaults and formats."""

import functools
from collections.abc import Mapping
from typing import Any, cast

import yaml

from tcpsweep.identity import source_folders
from tcpsweep.sweep.base_network import Topology
from tcpsweep.sweep.matching import Value
from tcpsweep.words import quantities, type_names

SCHEMA_FILE = source_folders.ROOT / "config" / "schema.yaml"


@functools.cache
def raw() -> dict[str, Any]:
    """`config/schema.yaml` as it stands."""
    # libyaml's loader saves a tenth of a second at every start, and is in every wheel of PyYAML.
    return cast(dict[str, Any], yaml.load(SCHEMA_FILE.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader))


def scenarios() -> list[str]:
    """The scenarios' names."""
    return list(raw()["$defs"]["scenarios"])


def scenario_of(data: Any) -> str:
    """The scenario by whose schema a file's data is checked: the first if it names none, to tell all its mistakes."""
    scenario = data.get("scenario") if isinstance(data, dict) else None
    return scenario if isinstance(scenario, str) and scenario in scenarios() else scenarios()[0]


def _about(scenario: str) -> dict[str, Any]:
    return cast(dict[str, Any], raw()["$defs"]["scenarios"][scenario])


@functools.cache
def parameters(scenario: str) -> dict[str, dict[str, Any]]:
    """The scenario's parameters: name to description, format, unit, default, stage; in the schema's order."""
    defs = raw()["$defs"]
    about = _about(scenario)
    found = {name: defs["parameters"][name] for name in about["parameters"]}
    return found | {name: found[name] | {"default": value} for name, value in about.get("defaults", {}).items()}


def usual(described: Mapping[str, Any]) -> str:
    """A quantity as it is usual for a parameter: its default, or an example where that has no unit or is 0."""
    shown = [str(each) for each in (*described.get("examples", ()), described.get("default", ""))]
    return shown[0] if quantities.split(shown[0]) else ""


def forms(scenario: str) -> dict[str, str]:
    """The format of each parameter of the scenario that has one, by name."""
    return {name: about["format"] for name, about in parameters(scenario).items() if "format" in about}


def plain_units(scenario: str) -> dict[str, str]:
    """The unit of each parameter that is written as a number alone, by name; counts and shares have none."""
    found = {name: about.get("unit", "1") for name, about in parameters(scenario).items()}
    return {name: unit for name, unit in found.items() if unit != "1"}


def constants(scenario: str) -> dict[str, Value]:
    """The values of parameters that the scenario does not take, by name."""
    return cast(dict[str, Value], _about(scenario).get("constants", {}))


def links(scenario: str) -> int:
    """How many links a packet of the scenario crosses."""
    return cast(int, _about(scenario)["links"])


def headline(scenario: str) -> list[str] | None:
    """The metrics that tables and figures of the scenario begin with; None for the usual ones."""
    return _about(scenario).get("headline")


def ip(scenario: str) -> int:
    """The version of IP that the scenario's nodes speak, 4 or 6."""
    return cast(int, _about(scenario).get("ip", 4))


def topology(scenario: str) -> Topology:
    """The scenario's topology, as far as `base_network` needs it."""
    return Topology(access_links=links(scenario) - 1, ip=ip(scenario))


def slug_parameters(scenario: str) -> list[str]:
    """The parameters that the names of the scenario's cells show."""
    return cast(list[str], _about(scenario)["slug"])


def default(key: str, *more: str) -> Any:
    """The default of a key of the sweep file, such as ``default("capture", "traces")``."""
    node = raw()
    for part in (key, *more):
        node = node["properties"][part]
    return node["default"]


def value_form(scenario: str, name: str) -> str | None:
    """The format in which a parameter's values are written, if it has one."""
    return None if type_names.is_attribute(name) else parameters(scenario)[name].get("format")
