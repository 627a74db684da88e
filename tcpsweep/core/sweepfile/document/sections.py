# SPDX-License-Identifier: MIT
"""Walk the sections of a sweep file that set parameters and attributes.

A section is a mapping of names to values, a block, or a list of blocks.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from tcpsweep.core.sweep.ns3_tcp import CORRECTIONS, TCP
from tcpsweep.core.sweepfile.document.yaml_document import KeyPath
from tcpsweep.core.words import dotted_names, network_forms

SECTIONS = ("grid", "zip", "fixed", "attributes")
OPEN = ("refine", "search")  # sections with open axes and the ends of their ranges
PARAMETERS = (TCP, CORRECTIONS, network_forms.REFERENCE_LINK)  # top-level keys that are parameters
SETTING = ("published", "setting")
NETWORK = "network"
PAIRS = "pairs"  # variants, as an axis
# Sections with conditions, as paths of keys.
_CONDITIONS = (("only",), ("exclude",), ("published", "where"))


def blocks(data: Any, *section: str) -> list[tuple[KeyPath, dict[str, Any]]]:
    """The blocks of a section with their paths. The section is a path of keys, such as ``"published", "setting"``.

    Nothing if the file has no such section. Values that are not mappings are skipped.
    """
    content = data
    for key in section:
        content = content.get(key) if isinstance(content, dict) else None
    is_list = isinstance(content, list)
    parts: list[tuple[KeyPath, Any]] = [((*section, i), part) for i, part in enumerate(content)] if is_list else []
    return [(path, part) for path, part in parts or [(section, content)] if isinstance(part, dict)]


def values(data: Any) -> Iterator[tuple[KeyPath, str, Any]]:
    """Every value of a parameter or an attribute in a sweep file: path, name, value."""
    if isinstance(data, dict) and NETWORK in data:
        yield from ((place_in_network(name), name, value) for name, value in network_values(data[NETWORK]))
    if isinstance(data, dict) and isinstance(data.get(PAIRS), list):
        yield from (((PAIRS, number), "variant", value) for number, value in enumerate(data[PAIRS]))
    for _, name, at_ends, ends in opened(data):
        yield from ((at_ends, name, end.strip()) for end in ends)
    for section in (*((name,) for name in SECTIONS), SETTING):
        # A list under `fixed` is one value, with an entry for each flow. Elsewhere it is an axis.
        is_axis = section[0] not in ("fixed", "published")
        for path, block in blocks(data, *section):
            for name, value in block.items():
                if is_axis and isinstance(value, list):
                    yield from (((*path, name, number), name, item) for number, item in enumerate(value))
                else:
                    yield (*path, name), name, value


class OpenAxis(NamedTuple):
    """An open axis in a sweep file: the path of its name, the name, the path of its ends, and the ends as written."""

    at_name: KeyPath
    name: str
    at_ends: KeyPath
    ends: list[str]


def opened(data: Any) -> Iterator[OpenAxis]:
    """Every open axis."""
    for _, block in blocks(data, "refine"):
        if isinstance(axis := block.get("axis"), str):
            ends = str(block.get("between", "")).split(" and ")
            yield OpenAxis(("refine", "axis"), axis, ("refine", "between"), ends)
    for path, block in blocks(data, "search", "over"):
        for name, text in block.items():
            yield OpenAxis((*path, name), name, (*path, name), str(text).split(" to "))


def place(data: Any, *names: str) -> KeyPath:
    """The path of the first named parameter that the file sets; empty if it sets none."""
    for name in names:
        if name in PARAMETERS and isinstance(data, dict) and name in data:
            return (name,)
        for section in SECTIONS:
            for path, block in blocks(data, section):
                if name in block:
                    return (*path, name)
    if "variant" in names and isinstance(data, dict) and PAIRS in data:
        return (PAIRS,)
    for at_name, name, _, _ in opened(data):
        if name in names:
            return at_name
    if isinstance(data, dict) and any(map(dotted_names.split, names)):
        return _path_in_network(data, names)
    return ()


def place_in_network(name: str) -> KeyPath:
    """The path of a dotted name in a file's `network`."""
    parts = dotted_names.split(name)
    return (NETWORK, parts.kind, parts.thing, *parts.field.split(".")) if parts else (NETWORK,)


def _path_in_network(data: dict[str, Any], names: Iterable[str]) -> KeyPath:
    """The path of the first dotted name that `network` has; else of the link, flow or traffic; else of the scenario."""
    value_by_name = dict(network_values(data.get(NETWORK)))
    for name in names:
        if name in value_by_name:
            return place_in_network(name)
    for name in names:
        parts = dotted_names.split(name)
        if parts and any(
            other.startswith(dotted_names.dotted_name(parts.kind, parts.thing, "")) for other in value_by_name
        ):
            return (NETWORK, parts.kind, parts.thing)
    return ("scenario",)


def named(data: Any) -> Iterator[tuple[KeyPath, str]]:
    """Every name of a parameter or an attribute in sections and conditions outside `network`, with its path."""
    for section in (*((name,) for name in SECTIONS), SETTING, *_CONDITIONS):
        for path, block in blocks(data, *section):
            yield from (((*path, name), name) for name in block)
    yield from ((at_name, name) for at_name, name, _, _ in opened(data))
    for key in ("figures", "tables"):
        for path, entry in blocks(data, key):
            if isinstance(entry.get("where"), dict):
                yield from (((*path, "where", name), name) for name in entry["where"])


def network_values(network: Any) -> Iterator[tuple[str, Any]]:
    """The values in a `network` by dotted names: links, then flows, then traffic, each in the file's order.

    Values that should be mappings but are not are left out.
    """
    for kind in dotted_names.KINDS:
        for thing, field_values in _items_of_mapping(network.get(kind) if isinstance(network, dict) else None):
            for field, value in _items_of_mapping(field_values):
                if field == "back":
                    reverse_values = _items_of_mapping(value)
                    yield from (
                        (dotted_names.dotted_name(kind, thing, dotted_names.BACK + name), item)
                        for name, item in reverse_values
                    )
                else:
                    yield dotted_names.dotted_name(kind, thing, field), value


def _items_of_mapping(content: Any) -> list[tuple[str, Any]]:
    return list(content.items()) if isinstance(content, dict) else []
