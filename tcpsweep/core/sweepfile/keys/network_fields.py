# SPDX-License-Identifier: MIT
"""The fields of a `network`'s links, flows and traffic in `config/schema.yaml`, and their JSON Schema."""

import functools
from collections.abc import Mapping
from typing import Any

from tcpsweep.core.sweepfile.keys import schema_file
from tcpsweep.core.words import dotted_names, network_forms, normal_forms

KINDS = dotted_names.KINDS
NAME = rf"^{network_forms.THING.pattern}$(?!\n)"
ONE = {"links": "link", "flows": "flow", "traffic": "traffic"}
# Keys of `config/schema.yaml` that JSON Schema does not need.
_ABOUT = ("like", "whole", "unit", "sets", "per_flow")


@functools.cache
def fields(kind: str) -> dict[str, dict[str, Any]]:
    """The fields of links, flows or traffic, described as parameters are: name to description, format, default."""
    defs = schema_file.raw()["$defs"]
    descriptions = {}
    for name, about in defs["network"][kind].items():
        like = dict(defs["parameters"][about["like"]]) if "like" in about else {}
        like.pop("per_flow", None)
        descriptions[name] = {key: value for key, value in (like | about).items() if key != "like"}
    if kind == "links":
        directed = {name: about for name, about in descriptions.items() if not about.get("whole")}
        # The reverse direction has no defaults: a field that it leaves out is as in the forward direction.
        descriptions |= {
            dotted_names.BACK + name: {key: value for key, value in about.items() if key != "default"}
            | {"description": f"{about['description']}; in the reverse direction. Default: as in the forward direction"}
            for name, about in directed.items()
        }
    return descriptions


def described(name: str) -> dict[str, Any] | None:
    """The description of a dotted name's field; None if the field does not exist."""
    parts = dotted_names.split(name)
    return fields(parts.kind).get(parts.field) if parts else None


def kind_of(says: Mapping[str, Any]) -> str | None:
    """The ``kind`` of traffic; None if it is missing or not a text."""
    kind = says.get("kind")
    return kind if isinstance(kind, str) else None


def taken(kind: str, says: Mapping[str, Any]) -> list[str]:
    """The fields that a link, a flow or traffic takes; traffic's fields depend on its ``kind``."""
    traffic_kind = kind_of(says)
    return [name for name, about in fields(kind).items() if traffic_kind in about.get("kinds", [traffic_kind])]


def value_schema(about: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON Schema of a field's value: one value, or a list of them if the field may have one per member."""
    plain = {key: value for key, value in about.items() if key not in _ABOUT}
    if about.get("format") in network_forms.LISTS:
        entries = {"type": "string", "format": "node"}
        listed: dict[str, Any] = {"type": "array", "minItems": 1, "items": entries}
        if about["format"] == "ends":
            listed |= {"minItems": 2, "maxItems": 2}
        return {"if": {"type": "array"}, "then": listed, "else": plain}
    if about.get("per_member"):
        return {"if": {"type": "array"}, "then": {"type": "array", "items": plain, "minItems": 1}, "else": plain}
    return plain


def is_ends(described: Mapping[str, Any]) -> bool:
    """Whether a JSON Schema describes a link's two end nodes."""
    items = described.get("items", {})
    return isinstance(items, dict) and items.get("format") == "node" and described.get("maxItems") == 2


@functools.cache
def section_schema() -> dict[str, Any]:
    """The JSON Schema of a file's `network`."""
    return {
        "type": "object",
        "additionalProperties": False,
        "minProperties": 1,
        "properties": {
            kind: {
                "type": "object",
                "additionalProperties": False,
                "minProperties": 1,
                "patternProperties": {NAME: _thing_schema(kind)},
            }
            for kind in KINDS
        },
    }


def _thing_schema(kind: str) -> dict[str, Any]:
    values = {name: value_schema(about) for name, about in fields(kind).items() if "." not in name}
    thing_schema: dict[str, Any] = {"type": "object", "additionalProperties": False, "properties": values}
    if kind == "links":
        back = dotted_names.BACK
        reverse = {name.removeprefix(back): value_schema(about) for name, about in fields(kind).items() if "." in name}
        values["back"] = {"type": "object", "additionalProperties": False, "minProperties": 1, "properties": reverse}
    return thing_schema


def patterns() -> dict[str, dict[str, Any]]:
    """The dotted names of fields, as regular expressions, each with its field's description."""
    return {
        rf"^network\.{kind}\.{network_forms.THING.pattern}\.{name.replace('.', chr(92) + '.')}$(?!\n)": about
        for kind in KINDS
        for name, about in fields(kind).items()
    }


@functools.cache
def defaults(kind: str) -> dict[str, Any]:
    """The defaults of a kind's fields, in normal form."""
    return {
        name: normal_forms.normal(about["default"], about.get("format"))
        for name, about in fields(kind).items()
        if "default" in about
    }
