# SPDX-License-Identifier: MIT
"""A combination's custom topology: the values in the sweep file and its preset, in the order of links and flows.

After its parameters, such a combination has the names of its links, flows and traffic, and their values by dotted
names. Its ``variant`` is its flows' variant, or a mix if groups have several.
"""

import itertools
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tcpsweep.core.sweep import combination_parts, network_graph
from tcpsweep.core.sweep.matching import Combination, Settings, Value
from tcpsweep.core.sweepfile.document import sections
from tcpsweep.core.sweepfile.keys import network_fields, network_presets, schema
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.core.words import dotted_names, normal_forms
from tcpsweep.core.words.mixes import JOINT, Mix


def network_values(file: SweepFile) -> dict[str, Value]:
    """The values in a sweep file's own `network`: dotted names to normal forms; empty without that section."""
    values: dict[str, Value] = {}
    for name, value in sections.network_values(file.keys.network):
        description = network_fields.described(name) or {}
        values[name] = normal_forms.normal(value, description.get("format"))
    return values


def parameters(scenario: str) -> list[str]:
    """The parameters of the scenario's network preset, from which its values are made; empty for other scenarios."""
    preset = schema.preset(scenario)
    return list(preset.parameters) if preset else []


def filled(row: Combination, folder: Path) -> Combination:
    """A combination with its preset's values, its network in order, and its flows' variant.

    ``folder`` is the sweep file's.

    Raises
    ------
    ValueError
        A value of the preset cannot be computed.
    """
    preset_values = network_presets.values(row, folder) if schema.preset(row.scenario) else {}
    value_by_dotted_name = preset_values | {name: value for name, value in row.items() if dotted_names.split(name)}
    filled_row = {name: value for name, value in row.items() if name not in value_by_dotted_name}
    for kind in dotted_names.KINDS:
        values_by_name: dict[str, dict[str, Any]] = {}
        for name, value in value_by_dotted_name.items():
            parts = dotted_names.split(name)
            if parts and parts.kind == kind:
                values_by_name.setdefault(parts.thing, {})[parts.field] = value
        if values_by_name or kind == "links":
            filled_row[dotted_names.names_key(kind)] = ",".join(values_by_name)
        fields_in_order = network_fields.fields(kind)
        if kind == "flows":
            _give_variants(row.mix, values_by_name)
        for thing, values in values_by_name.items():
            if kind == "traffic" and "variant" in network_fields.taken(kind, values):
                values.setdefault("variant", row.mix.turns[0])
            filled_row |= {
                dotted_names.dotted_name(kind, thing, field): values[field]
                for field in fields_in_order
                if field in values
            }
    variant = _joint_variant(filled_row, network_graph.things(filled_row, "traffic"))
    return Combination(row.scenario, filled_row | {"variant": variant})


def _give_variants(mix: Mix, values_by_group: dict[str, dict[str, Any]]) -> None:
    """Give groups without a variant the scenario's mix, beginning at their first flow's position in it.

    Flows take the mix's variants in turn. A group has the whole mix even if it has fewer flows than the mix has
    variants: its flows take the others in other runs.
    """
    turns, position = mix.turns, 0
    flow_count = sum(int(values.get("count", 1)) for values in values_by_group.values() if "variant" not in values)
    for values in values_by_group.values():
        if "variant" not in values:
            count = int(values.get("count", 1))
            group_turns = tuple(turns[(position + i) % len(turns)] for i in range(min(max(flow_count, 1), len(turns))))
            values["variant"] = group_turns[0] if len(set(group_turns)) == 1 else str(Mix(group_turns))
            position += count


def forms(combinations: Iterable[Combination]) -> dict[str, str]:
    """The dotted names in combinations that have a format: name to format."""
    return {
        name: description["format"]
        for name, description in _dotted_descriptions(combinations)
        if "format" in description
    }


def plain_units(combinations: Iterable[Combination]) -> dict[str, str]:
    """The dotted names in combinations that have a unit: name to unit; counts and shares have none."""
    return {
        name: description["unit"]
        for name, description in _dotted_descriptions(combinations)
        if description.get("unit", "1") != "1"
    }


def _dotted_descriptions(combinations: Iterable[Combination]) -> list[tuple[str, dict[str, Any]]]:
    names = dict.fromkeys(itertools.chain.from_iterable(combinations))
    described = ((name, network_fields.described(name)) for name in names)
    return [(name, description) for name, description in described if description]


def named(rows: Sequence[Combination]) -> list[Combination]:
    """A sweep's combinations, each with its variant, which distinguishes the combinations of one network.

    It is the flows' variant, or the groups' variants joined by +. Variants of traffic next to flows are part of it only
    if they are swept: constant ones are part of the network.
    """
    variants_of: dict[str, set[str]] = {}
    for row in rows:
        for name in network_graph.things(row, "traffic"):
            variants_of.setdefault(name, set()).add(str(row.get(dotted_names.dotted_name("traffic", name, "variant"))))
    swept_traffic = [name for name, variants in variants_of.items() if len(variants) > 1]

    def distinguishing_traffic(row: Combination) -> list[str]:
        traffic = network_graph.things(row, "traffic")
        return [name for name in traffic if name in swept_traffic or not network_graph.things(row, "flows")]

    return [row.with_values({"variant": _joint_variant(row, distinguishing_traffic(row))}) for row in rows]


def alike(rows: Sequence[Combination]) -> tuple[Combination, Combination] | None:
    """Two combinations of one network to which `named` gives the same variant; None if there are none."""
    seen: dict[tuple[str, str], Combination] = {}
    for row in rows:
        other = seen.setdefault((combination_parts.key(combination_parts.network(row)), row.variant), row)
        if other is not row:
            return other, row
    return None


def _joint_variant(row: Settings, traffic: Sequence[str]) -> str:
    """The variant that all flows and groups of traffic in a combination have; else the groups' variants joined by +.

    Groups with the same mix count as one variant, even if they begin at different positions of it.
    """
    variants = [str(row[f"{group.prefix}variant"]) for group in network_graph.groups(row) if group.members]
    traffic_names = (dotted_names.dotted_name("traffic", name, "variant") for name in traffic)
    variants += [str(row[name]) for name in traffic_names if name in row]
    distinct = variants or [str(row["variant"])]
    return (
        distinct[0]
        if all(Mix.parse(other).is_turned(Mix.parse(distinct[0])) for other in distinct)
        else JOINT.join(distinct)
    )


def axes(axes: dict[str, list[Value]], combinations: Iterable[Combination]) -> dict[str, list[Value]]:
    """A sweep's axes, in which one axis of the combinations' variants replaces all axes of groups' variants."""
    merged: dict[str, list[Value]] = {}
    for name, values in axes.items():
        if name == "variant" or dotted_names.is_variant(name):
            merged.setdefault("variant", list(dict.fromkeys(row["variant"] for row in combinations)))
        else:
            merged[name] = values
    return merged
