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
_OWN_KEYS = ("like", "whole", "unit", "sets", "per_flow")


@functools.cache
def fields(kind: str) -> dict[str, dict[str, Any]]:
    """The fields of links, flows or traffic, described as parameters are: name to description, format, default."""
    defs = schema_file.raw()
    descriptions = {}
    for name, description in defs["network"][kind].items():
        shared = dict(defs["parameters"][description["like"]]) if "like" in description else {}
        shared.pop("per_flow", None)
        descriptions[name] = {key: value for key, value in (shared | description).items() if key != "like"}
    if kind == "links":
        directed = {name: description for name, description in descriptions.items() if not description.get("whole")}
        # The reverse direction has no defaults: a field that it leaves out is as in the forward direction.
        descriptions |= {
            dotted_names.BACK + name: {key: value for key, value in description.items() if key != "default"}
            | {
                "description": f"{description['description']}; in the reverse direction. "
                "Default: as in the forward direction"
            }
            for name, description in directed.items()
        }
    return descriptions


def described(name: str) -> dict[str, Any] | None:
    """The description of a dotted name's field; None if the field does not exist."""
    parts = dotted_names.split(name)
    return fields(parts.kind).get(parts.field) if parts else None


def kind_of(values: Mapping[str, Any]) -> str | None:
    """The ``kind`` of traffic; None if it is missing or not a text."""
    kind = values.get("kind")
    return kind if isinstance(kind, str) else None


def taken(kind: str, values: Mapping[str, Any]) -> list[str]:
    """The fields that a link, a flow or traffic takes; traffic's fields depend on its ``kind``."""
    traffic_kind = kind_of(values)
    return [
        name for name, description in fields(kind).items() if traffic_kind in description.get("kinds", [traffic_kind])
    ]


def value_schema(description: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON Schema of a field's value: one value, or a list of them if the field may have one per member."""
    one_value = {key: value for key, value in description.items() if key not in _OWN_KEYS}
    if description.get("format") in network_forms.LISTS:
        node_name = {"type": "string", "format": "node"}
        list_schema: dict[str, Any] = {"type": "array", "minItems": 1, "items": node_name}
        if description["format"] == "ends":
            list_schema |= {"minItems": 2, "maxItems": 2}
        return {"if": {"type": "array"}, "then": list_schema, "else": one_value}
    if description.get("per_member"):
        return {
            "if": {"type": "array"},
            "then": {"type": "array", "items": one_value, "minItems": 1},
            "else": one_value,
        }
    return one_value


def is_ends(field_schema: Mapping[str, Any]) -> bool:
    """Whether a JSON Schema describes a link's two end nodes."""
    items = field_schema.get("items", {})
    return isinstance(items, dict) and items.get("format") == "node" and field_schema.get("maxItems") == 2


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
    schema_by_field = {name: value_schema(description) for name, description in fields(kind).items() if "." not in name}
    thing_schema: dict[str, Any] = {"type": "object", "additionalProperties": False, "properties": schema_by_field}
    if kind == "links":
        back = dotted_names.BACK
        reverse = {
            name.removeprefix(back): value_schema(description)
            for name, description in fields(kind).items()
            if "." in name
        }
        schema_by_field["back"] = {
            "type": "object",
            "additionalProperties": False,
            "minProperties": 1,
            "properties": reverse,
        }
    return thing_schema


def patterns() -> dict[str, dict[str, Any]]:
    """The dotted names of fields, as regular expressions, each with its field's description."""
    return {
        rf"^network\.{kind}\.{network_forms.THING.pattern}\.{name.replace('.', chr(92) + '.')}$(?!\n)": description
        for kind in KINDS
        for name, description in fields(kind).items()
    }


@functools.cache
def defaults(kind: str) -> dict[str, Any]:
    """The defaults of a kind's fields, in normal form."""
    return {
        name: normal_forms.normal(description["default"], description.get("format"))
        for name, description in fields(kind).items()
        if "default" in description
    }
