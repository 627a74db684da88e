# SPDX-License-Identifier: MIT
"""Check a network preset's file: its parameters, and its network with the parameters' defaults."""

from collections.abc import Iterator, Mapping
from typing import Any

from tcpsweep.core.sweepfile.document import sections
from tcpsweep.core.sweepfile.document.yaml_document import Document, KeyPath, Problem
from tcpsweep.core.sweepfile.keys import network_fields, network_presets, schema, schema_check, schema_file
from tcpsweep.core.words import normal_forms, spelling

_PARAMETER_KEYS = ("description", "like", "type", "format", "enum", "minimum", "maximum", "unit", "default", "examples")
_TYPES = ("string", "integer", "number", "boolean")
_TEXT_SCHEMA = {"type": "string", "minLength": 1, "maxLength": 500}


def _schema() -> dict[str, Any]:
    """The JSON Schema of a preset's file, without the types of its parameters' values."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["description", "network"],
        "properties": {
            "description": _TEXT_SCHEMA,
            "slug": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
            "defaults": {"type": "object"},
            "network": {"type": "object", "minProperties": 1},
            "parameters": {
                "type": "object",
                "patternProperties": {
                    r"^[A-Za-z_][A-Za-z0-9_]*$(?!\n)": {
                        "type": "object",
                        "additionalProperties": False,
                        "properties": {key: True for key in _PARAMETER_KEYS}
                        | {
                            "description": _TEXT_SCHEMA,
                            "unit": _TEXT_SCHEMA,
                            "type": {
                                "if": {"type": "array"},
                                "then": {"items": {"enum": list(_TYPES)}},
                                "else": {"enum": list(_TYPES)},
                            },
                            "format": {"enum": sorted(normal_forms.formats())},
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
    mistakes = schema_check.against(_schema(), data)
    if mistakes:
        return mistakes
    mistakes = list(_parameter_problems(data))
    if mistakes:
        return mistakes
    return list(_network_problems(data)) + list(_slug_problems(data))


def named(data: dict[str, Any]) -> Iterator[tuple[KeyPath, str, Any]]:
    """Each fixed value in a preset without problems: its path, its format, and the value.

    Values that contain parameters are left out.
    """
    for name, description in data.get("parameters", {}).items():
        if "default" in description:
            yield (
                ("parameters", name, "default"),
                _format(network_presets.parameter(description)),
                description["default"],
            )
    for name, value in data.get("defaults", {}).items():
        yield ("defaults", name), _format(schema.parameters(schema.PROGRAM)[name]), value
    for name, value in sections.network_values(data["network"]):
        if not network_presets.named_in(value):
            yield sections.place_in_network(name), _format(network_fields.described(name) or {}), value


def _format(description: Mapping[str, Any]) -> str:
    return str(description.get("format", ""))


def _parameter_problems(data: dict[str, Any]) -> Iterator[Problem]:
    known_parameters = schema_file.raw()["parameters"]
    common_parameters = schema.parameters(schema.PROGRAM)
    for name, description in data.get("parameters", {}).items():
        path: KeyPath = ("parameters", name)
        if name in common_parameters:
            yield Problem(path, "every network has this parameter already; give it another name", at_key=True)
            continue
        model = description.get("like")
        if model is not None and model not in known_parameters:
            near = spelling.did_you_mean(model, known_parameters)
            yield Problem(
                (*path, "like"),
                f"there is no parameter {model!r}{near}",
                choices=f"expected one of {', '.join(known_parameters)}",
            )
            continue
        for key in ("description", "default"):
            if key not in description and model is None:
                yield Problem(path, f"the key {key!r} is missing")
        if "default" in description or model is not None:
            parameter = network_presets.parameter(description)
            default_path = (*path, "default") if "default" in description else path
            for problem in schema_check.against(
                {"properties": {"default": parameter}}, {"default": parameter["default"]}
            ):
                yield Problem(default_path, problem.message, choices=problem.choices, nearest=problem.nearest)
    for name, value in data.get("defaults", {}).items():
        if name not in common_parameters:
            near = spelling.did_you_mean(name, common_parameters)
            expected = f"expected a parameter of every network{near}"
            yield Problem(("defaults", name), expected, at_key=True, choices=", ".join(common_parameters))
            continue
        for problem in schema_check.against({"properties": {name: common_parameters[name]}}, {name: value}):
            yield Problem(("defaults", *problem.path), problem.message)


def _slug_problems(data: dict[str, Any]) -> Iterator[Problem]:
    parameters = [*data.get("parameters", {}), *schema.parameters(schema.PROGRAM)]
    for number, name in enumerate(data.get("slug", [])):
        if name not in parameters:
            near = spelling.did_you_mean(name, parameters)
            yield Problem(("slug", number), f"expected a parameter, got {name!r}{near}")


def _network_problems(data: dict[str, Any]) -> Iterator[Problem]:
    """Problems with the network when all parameters have their defaults."""
    parameters = {
        name: network_presets.parameter(description) for name, description in data.get("parameters", {}).items()
    }
    default_by_parameter = {
        name: normal_forms.normal(description["default"], description.get("format"))
        for name, description in parameters.items()
    }
    default_by_parameter |= {
        name: normal_forms.normal(description["default"], description.get("format"))
        for name, description in schema.parameters(schema.PROGRAM).items()
    }
    mistakes: list[Problem] = []

    def checked_values(value: Any, path: KeyPath, dotted: str) -> Any:
        if isinstance(value, dict):
            return {key: checked_values(entry, (*path, key), f"{dotted}.{key}") for key, entry in value.items()}
        for name in network_presets.named_in(value):
            if name not in default_by_parameter:
                near = spelling.did_you_mean(name, parameters)
                choices = f"the preset has {', '.join(parameters)}" if parameters else "the preset has none"
                mistakes.append(Problem(path, f"there is no parameter {name!r}", choices=choices, nearest=near))
                return None
        try:
            return network_presets.put_in(dotted, value, default_by_parameter)
        except ValueError as error:
            mistakes.append(Problem(path, f"with the parameters' defaults, {error}"))
            return None

    network = checked_values(data["network"], ("network",), "network")
    if mistakes:
        yield from mistakes
        return
    yield from schema_check.against({"properties": {"network": network_fields.section_schema()}}, {"network": network})
