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
from tcpsweep.core.sweep.matching import Combination, Value
from tcpsweep.core.sweepfile.document import sections
from tcpsweep.core.sweepfile.keys import network_fields, network_presets, schema
from tcpsweep.core.words import dotted_names, normal_forms
from tcpsweep.core.words.mixes import JOINT, Mix


def network_values(data: dict[str, Any]) -> Combination:
    """The values in a sweep file's own `network`: dotted names to normal forms; empty without that section."""
    values: Combination = {}
    for name, value in sections.network_values(data.get("network", {})):
        about = network_fields.described(name) or {}
        values[name] = normal_forms.normal(value, about.get("format"))
    return values


def parameters(scenario: str) -> list[str]:
    """The parameters of the scenario's network preset, from which its values are made; empty for other scenarios."""
    preset = schema.preset(scenario)
    return list(preset.parameters) if preset else []


def filled(scenario: str, row: Combination, folder: Path) -> Combination:
    """A combination with its preset's values, its network in order, and its flows' variant.

    ``folder`` is the sweep file's.

    Raises
    ------
    ValueError
        A value of the preset cannot be computed.
    """
    preset_values = network_presets.values(scenario, row, folder) if schema.preset(scenario) else {}
    dotted = preset_values | {name: value for name, value in row.items() if dotted_names.split(name)}
    whole = {name: value for name, value in row.items() if name not in dotted}
    for kind in dotted_names.KINDS:
        things: dict[str, dict[str, Any]] = {}
        for name, value in dotted.items():
            parts = dotted_names.split(name)
            if parts and parts.kind == kind:
                things.setdefault(parts.thing, {})[parts.field] = value
        if things or kind == "links":
            whole[dotted_names.names_key(kind)] = ",".join(things)
        order = network_fields.fields(kind)
        if kind == "flows":
            _deal(str(row["variant"]), things)
        for thing, says in things.items():
            if kind == "traffic" and "variant" in network_fields.taken(kind, says):
                says.setdefault("variant", Mix.parse(str(row["variant"])).turns[0])
            whole |= {dotted_names.dotted_name(kind, thing, field): says[field] for field in order if field in says}
    return whole | {"variant": _variant(whole, network_graph.things(whole, "traffic"))}


def _deal(variant: str, groups: dict[str, dict[str, Any]]) -> None:
    """Give groups without a variant the scenario's mix, beginning at their first flow's position in it.

    Flows take the mix's variants in turn. A group has the whole mix even if it has fewer flows than the mix has
    variants: its flows take the others in other runs.
    """
    turns, at = Mix.parse(variant).turns, 0
    dealt = sum(int(says.get("count", 1)) for says in groups.values() if "variant" not in says)
    for says in groups.values():
        if "variant" not in says:
            count = int(says.get("count", 1))
            group_turns = tuple(turns[(at + i) % len(turns)] for i in range(min(max(dealt, 1), len(turns))))
            says["variant"] = group_turns[0] if len(set(group_turns)) == 1 else str(Mix(group_turns))
            at += count


def forms(combinations: Iterable[Combination]) -> dict[str, str]:
    """The dotted names in combinations that have a format: name to format."""
    return {name: about["format"] for name, about in _dotted(combinations) if "format" in about}


def plain_units(combinations: Iterable[Combination]) -> dict[str, str]:
    """The dotted names in combinations that have a unit: name to unit; counts and shares have none."""
    return {name: about["unit"] for name, about in _dotted(combinations) if about.get("unit", "1") != "1"}


def _dotted(combinations: Iterable[Combination]) -> list[tuple[str, dict[str, Any]]]:
    names = dict.fromkeys(itertools.chain.from_iterable(combinations))
    described = ((name, network_fields.described(name)) for name in names)
    return [(name, about) for name, about in described if about]


def named(rows: Sequence[Combination]) -> list[Combination]:
    """A sweep's combinations, each with its variant, which distinguishes the combinations of one network.

    It is the flows' variant, or the groups' variants joined by +. Variants of traffic next to flows are part of it only
    if they are swept: constant ones are part of the network.
    """
    by_name: dict[str, set[str]] = {}
    for row in rows:
        for name in network_graph.things(row, "traffic"):
            by_name.setdefault(name, set()).add(str(row.get(dotted_names.dotted_name("traffic", name, "variant"))))
    swept = [name for name, variants in by_name.items() if len(variants) > 1]

    def groups(row: Combination) -> list[str]:
        traffic = network_graph.things(row, "traffic")
        return [name for name in traffic if name in swept or not network_graph.things(row, "flows")]

    return [row | {"variant": _variant(row, groups(row))} for row in rows]


def alike(rows: Sequence[Combination]) -> tuple[Combination, Combination] | None:
    """Two combinations of one network to which `named` gives the same variant; None if there are none."""
    seen: dict[tuple[str, str], Combination] = {}
    for row in rows:
        other = seen.setdefault((combination_parts.key(combination_parts.network(row)), str(row["variant"])), row)
        if other is not row:
            return other, row
    return None


def _variant(row: Combination, traffic: Sequence[str]) -> str:
    """The variant that all flows and groups of traffic in a combination have; else the groups' variants joined by +.

    Groups with the same mix count as one variant, even if they begin at different positions of it.
    """
    named = [
        str(row[dotted_names.dotted_name("flows", name, "variant")]) for name in network_graph.things(row, "flows")
    ]
    variants = [name for name, turns in zip(named, network_graph.dealt(row).values(), strict=True) if turns]
    of_traffic = (dotted_names.dotted_name("traffic", name, "variant") for name in traffic)
    variants += [str(row[name]) for name in of_traffic if name in row]
    parts = variants or [str(row["variant"])]
    return parts[0] if all(Mix.parse(text).is_turned(Mix.parse(parts[0])) for text in parts) else JOINT.join(parts)


def axes(axes: dict[str, list[Value]], combinations: Iterable[Combination]) -> dict[str, list[Value]]:
    """A sweep's axes, in which one axis of the combinations' variants replaces all axes of groups' variants."""
    merged: dict[str, list[Value]] = {}
    for name, values in axes.items():
        if name == "variant" or dotted_names.is_variant(name):
            merged.setdefault("variant", list(dict.fromkeys(row["variant"] for row in combinations)))
        else:
            merged[name] = values
    return merged
