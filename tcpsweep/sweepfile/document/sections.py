# SPDX-License-Identifier: MIT
"""The sections of a sweep file that give parameters and attributes their values, walked in one place.

A section is a mapping of names to values, a block, or a list of blocks.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from tcpsweep.sweepfile.document.yaml_document import KeyPath
from tcpsweep.words import corrections, dotted_names, network_forms

SECTIONS = ("grid", "zip", "fixed", "attributes")
OPEN = ("refine", "search")  # what has open axes, with the ends of their ranges
PARAMETERS = (corrections.KEY, network_forms.REFERENCE_LINK)  # keys of the file that are parameters
SETTING = ("published", "setting")
NETWORK = "network"
PAIRS = "pairs"  # variants, an axis of their own
# Sections that have conditions, by the keys that lead there.
_CONDITIONS = (("only",), ("exclude",), ("published", "where"))


def blocks(data: Any, *section: str) -> list[tuple[KeyPath, dict[str, Any]]]:
    """The blocks of a section with their paths, by the keys that lead there, such as ``"published", "setting"``.

    There are none if the file has no such section; what is no mapping is skipped.
    """
    content = data
    for key in section:
        content = content.get(key) if isinstance(content, dict) else None
    several = isinstance(content, list)
    parts: list[tuple[KeyPath, Any]] = [((*section, i), part) for i, part in enumerate(content)] if several else []
    return [(path, part) for path, part in parts or [(section, content)] if isinstance(part, dict)]


def values(data: Any) -> Iterator[tuple[KeyPath, str, Any]]:
    """Every value that a sweep file gives a parameter or an attribute: path, name, value."""
    if isinstance(data, dict) and NETWORK in data:
        yield from ((place_in_network(name), name, value) for name, value in network_values(data[NETWORK]))
    if isinstance(data, dict) and isinstance(data.get(PAIRS), list):
        yield from (((PAIRS, number), "variant", value) for number, value in enumerate(data[PAIRS]))
    for _, name, at_ends, ends in opened(data):
        yield from ((at_ends, name, end.strip()) for end in ends)
    for section in (*((name,) for name in SECTIONS), SETTING):
        # A list under `fixed` is one value, with a part for each flow; elsewhere it is an axis.
        is_axis = section[0] not in ("fixed", "published")
        for path, block in blocks(data, *section):
            for name, value in block.items():
                if is_axis and isinstance(value, list):
                    yield from (((*path, name, number), name, item) for number, item in enumerate(value))
                else:
                    yield (*path, name), name, value


def opened(data: Any) -> Iterator[tuple[KeyPath, str, KeyPath, list[str]]]:
    """Every open axis: the place of its name, the name, the place of its ends, and these as they are written."""
    for _, block in blocks(data, "refine"):
        if isinstance(axis := block.get("axis"), str):
            ends = str(block.get("between", "")).split(" and ")
            yield ("refine", "axis"), axis, ("refine", "between"), ends
    for path, block in blocks(data, "search", "over"):
        for name, text in block.items():
            yield (*path, name), name, (*path, name), str(text).split(" to ")


def place(data: Any, *names: str) -> KeyPath:
    """The path of the first of the named parameters that the file sets; empty if it sets none of them."""
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
        return _in_network(data, names)
    return ()


def place_in_network(name: str) -> KeyPath:
    """Where a file's `network` has what a dotted name means."""
    parts = dotted_names.split(name)
    return (NETWORK, parts.kind, parts.thing, *parts.field.split(".")) if parts else (NETWORK,)


def _in_network(data: dict[str, Any], names: Iterable[str]) -> KeyPath:
    """The place of the first of dotted names that the file's `network` has, or of the thing; else of the scenario."""
    said = dict(network_values(data.get(NETWORK)))
    for name in names:
        if name in said:
            return place_in_network(name)
    for name in names:
        parts = dotted_names.split(name)
        if parts and any(other.startswith(dotted_names.dotted_name(parts.kind, parts.thing, "")) for other in said):
            return (NETWORK, parts.kind, parts.thing)
    return ("scenario",)


def named(data: Any) -> Iterator[tuple[KeyPath, str]]:
    """Every name of a parameter or an attribute outside `network`, in sections and conditions, with its path."""
    for section in (*((name,) for name in SECTIONS), SETTING, *_CONDITIONS):
        for path, block in blocks(data, *section):
            yield from (((*path, name), name) for name in block)
    yield from ((at_name, name) for at_name, name, _, _ in opened(data))
    for key in ("figures", "tables"):
        for path, entry in blocks(data, key):
            if isinstance(entry.get("where"), dict):
                yield from (((*path, "where", name), name) for name in entry["where"])


def network_values(network: Any) -> Iterator[tuple[str, Any]]:
    """What a `network` says, by dotted names, in the order of links, flows and traffic, and of the file in each.

    What is no mapping where one belongs is left out.
    """
    for kind in dotted_names.KINDS:
        for thing, says in _items(network.get(kind) if isinstance(network, dict) else None):
            for field, value in _items(says):
                if field == "back":
                    within = _items(value)
                    yield from (
                        (dotted_names.dotted_name(kind, thing, dotted_names.BACK + each), own) for each, own in within
                    )
                else:
                    yield dotted_names.dotted_name(kind, thing, field), value


def _items(content: Any) -> list[tuple[str, Any]]:
    return list(content.items()) if isinstance(content, dict) else []
