# SPDX-License-Identifier: MIT
"""Check a network preset's file: its parameters, and its network with the parameters' defaults."""

from collections.abc import Iterator, Mapping
from typing import Any

from tcpsweep.core.sweepfile.document import sections
from tcpsweep.core.sweepfile.document.yaml_document import Document, KeyPath, Problem
from tcpsweep.core.sweepfile.keys import network_fields, network_presets, schema, schema_check, schema_file
from tcpsweep.core.words import normal_forms, spelling

_OF_ONE = ("description", "like", "type", "format", "enum", "minimum", "maximum", "unit", "default", "examples")
_TYPES = ("string", "integer", "number", "boolean")
_TEXT = {"type": "string", "minLength": 1, "maxLength": 500}
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["description", "network"],
    "properties": {
        "description": _TEXT,
        "slug": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
        "defaults": {"type": "object"},
        "network": {"type": "object", "minProperties": 1},
        "parameters": {
            "type": "object",
            "patternProperties": {
                r"^[A-Za-z_][A-Za-z0-9_]*$(?!\n)": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {key: True for key in _OF_ONE}
                    | {
                        "description": _TEXT,
                        "unit": _TEXT,
                        "type": {
                            "if": {"type": "array"},
                            "then": {"items": {"enum": list(_TYPES)}},
                            "else": {"enum": list(_TYPES)},
                        },
                        "format": {"enum": sorted(normal_forms.FORMATS)},
                        "enum": {"type": "array", "minItems": 1},
                        "minimum": {"type": "number"},
                        "maximum": {"type": "number"},
                        "examples": {"type": "array"},
                    },
                }
            },
            "additionalProperties": False,
        },
    },
}


def checked(document: Document) -> None:
    """Raise an error if a preset's file is wrong.

    Raises
    ------
    yaml_document.Mistakes
        The file's problems.
    """
    if mistakes := list(problems(document.data)):
        raise document.mistakes(mistakes)


def problems(data: Any) -> list[Problem]:
    """All problems with a preset's data."""
    mistakes = schema_check.against(_SCHEMA, data)
    if mistakes:
        return mistakes
    mistakes = list(_of_parameters(data))
    if mistakes:
        return mistakes
    return list(_of_network(data)) + list(_of_lists(data))


def named(data: dict[str, Any]) -> Iterator[tuple[KeyPath, str, Any]]:
    """Each fixed value in a preset without problems: its path, its format, and the value.

    Values that contain parameters are left out.
    """
    for name, about in data.get("parameters", {}).items():
        if "default" in about:
            yield ("parameters", name, "default"), _format(network_presets.parameter(about)), about["default"]
    for name, value in data.get("defaults", {}).items():
        yield ("defaults", name), _format(schema.parameters(schema.PROGRAM)[name]), value
    for name, value in sections.network_values(data["network"]):
        if not network_presets.named_in(value):
            yield sections.place_in_network(name), _format(network_fields.described(name) or {}), value


def _format(about: Mapping[str, Any]) -> str:
    return str(about.get("format", ""))


def _of_parameters(data: dict[str, Any]) -> Iterator[Problem]:
    names = schema_file.raw()["$defs"]["parameters"]
    of_network = schema.parameters(schema.PROGRAM)
    for name, about in data.get("parameters", {}).items():
        path: KeyPath = ("parameters", name)
        if name in of_network:
            yield Problem(path, "every network has this parameter already; give it another name", at_key=True)
            continue
        like = about.get("like")
        if like is not None and like not in names:
            near = spelling.did_you_mean(like, names)
            yield Problem(
                (*path, "like"), f"there is no parameter {like!r}{near}", choices=f"expected one of {', '.join(names)}"
            )
            continue
        for key in ("description", "default"):
            if key not in about and like is None:
                yield Problem(path, f"the key {key!r} is missing")
        if "default" in about or like is not None:
            described = network_presets.parameter(about)
            at = (*path, "default") if "default" in about else path
            for problem in schema_check.against(
                {"properties": {"default": described}}, {"default": described["default"]}
            ):
                yield Problem(at, problem.message, choices=problem.choices, nearest=problem.nearest)
    for name, value in data.get("defaults", {}).items():
        if name not in of_network:
            near = spelling.did_you_mean(name, of_network)
            expected = f"expected a parameter of every network{near}"
            yield Problem(("defaults", name), expected, at_key=True, choices=", ".join(of_network))
            continue
        for problem in schema_check.against({"properties": {name: of_network[name]}}, {name: value}):
            yield Problem(("defaults", *problem.path), problem.message)


def _of_lists(data: dict[str, Any]) -> Iterator[Problem]:
    names = [*data.get("parameters", {}), *schema.parameters(schema.PROGRAM)]
    for number, name in enumerate(data.get("slug", [])):
        if name not in names:
            near = spelling.did_you_mean(name, names)
            yield Problem(("slug", number), f"expected a parameter, got {name!r}{near}")


def _of_network(data: dict[str, Any]) -> Iterator[Problem]:
    """Problems with the network when all parameters have their defaults."""
    parameters = {name: network_presets.parameter(about) for name, about in data.get("parameters", {}).items()}
    row = {name: normal_forms.normal(about["default"], about.get("format")) for name, about in parameters.items()}
    row |= {
        name: normal_forms.normal(about["default"], about.get("format"))
        for name, about in schema.parameters(schema.PROGRAM).items()
    }
    mistakes: list[Problem] = []

    def put_in(value: Any, path: KeyPath, dotted: str) -> Any:
        if isinstance(value, dict):
            return {key: put_in(entry, (*path, key), f"{dotted}.{key}") for key, entry in value.items()}
        for name in network_presets.named_in(value):
            if name not in row:
                near = spelling.did_you_mean(name, parameters)
                has = f"the preset has {', '.join(parameters)}" if parameters else "the preset has none"
                mistakes.append(Problem(path, f"there is no parameter {name!r}", choices=has, nearest=near))
                return None
        try:
            return network_presets.put_in(dotted, value, row)
        except ValueError as error:
            mistakes.append(Problem(path, f"with the parameters' defaults, {error}"))
            return None

    whole = put_in(data["network"], ("network",), "network")
    if mistakes:
        yield from mistakes
        return
    yield from schema_check.against({"properties": {"network": network_fields.section_schema()}}, {"network": whole})
