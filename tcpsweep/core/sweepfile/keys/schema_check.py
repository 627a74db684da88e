# SPDX-License-Identifier: MIT
"""Check a sweep file's data with its scenario's JSON Schema.

An axis is a list of a parameter's values. A condition is one value or a list. `sweep_schema` derives both from the
parameters in `config/schema.yaml`.
"""

import copy
import functools
import re
from collections.abc import Callable, Iterator
from typing import Any, cast

import jsonschema

from tcpsweep.core.contact import features
from tcpsweep.core.sweep.ns3_tcp import BY_TCP, CORRECTIONS, PRESET, TCP
from tcpsweep.core.sweepfile.document import sections
from tcpsweep.core.sweepfile.document.yaml_document import KeyPath, Problem
from tcpsweep.core.sweepfile.keys import network_fields, network_section, schema, suggestions, sweep_keys
from tcpsweep.core.words import network_forms, normal_forms, not_for, quantity_forms, spelling, units

# Hints that follow the message on a wrong value of these keys.
_HINT_BY_PATH: dict[KeyPath, str] = {
    ("scenario",): " (to add a scenario: docs/scenarios.md; limits of tcpsweep: docs/not-for.md)",
}
# Examples of required keys that mean the same wherever they are required.
_EXAMPLE_BY_KEY = {"sweep": "sweep: NAME", "scenario": "scenario: dumbbell", "cells": "cells: 200"}
# The keys of an ns-3 that only a source has.
_REASON_BY_SOURCE_KEY = {
    "march": "only an ns-3 built from source is compiled for a processor",
    "commit": "only a source has commits",
    "build": "only an ns-3 built from source can be built in another way",
}
_MOST_CHOICES = 8  # the most choices that a message lists
ATTRIBUTE = r"^ns3::[A-Za-z_][A-Za-z0-9_]*(::[A-Za-z_][A-Za-z0-9_]*)+$(?!\n)"
_ATTRIBUTE_VALUE = {"type": ["string", "number", "boolean"], "maxLength": 1000, "format": "attribute-value"}


def _one_or_list(described: dict[str, Any]) -> dict[str, Any]:
    """The schema of one value or a list of values; errors come from the branch that applies."""
    return {"if": {"type": "array"}, "then": {"type": "array", "items": described, "minItems": 1}, "else": described}


@functools.cache
def sweep_schema(scenario: str) -> dict[str, Any]:
    """The whole JSON Schema of the scenario's sweep files."""
    properties = copy.deepcopy(sweep_keys.properties())
    if schema.has_dotted_names(scenario):
        properties["network"] |= network_fields.section_schema()
    else:
        del properties["network"], properties[network_forms.REFERENCE_LINK]
    properties["scenario"]["enum"] = schema.scenarios() if scenario in schema.scenarios() else [scenario]
    block = _block(scenario)
    for key, content in {
        "grid": _one_or_list(block(_axis)),
        "zip": _one_or_list(block(_axis)),
        "exclude": _one_or_list(block(_one_or_list)),
        "only": _one_or_list(block(_one_or_list)),
        "fixed": block(lambda value: value, attributes=False),
        "attributes": {
            "type": "object",
            "additionalProperties": False,
            "patternProperties": {ATTRIBUTE: _one_or_list(_ATTRIBUTE_VALUE)},
        },
    }.items():
        properties[key] |= content
    for key in ("figures", "tables"):
        properties[key]["items"]["properties"]["where"] |= block(_one_or_list)
    study = properties["published"]["properties"]
    study["setting"] |= block(lambda value: value)
    study["where"] |= block(_one_or_list)
    for key in ("where", "more", "less", "outlier"):
        study["claims"]["items"]["properties"][key] |= (
            _one_or_list(block(_one_or_list)) if key == "where" else block(_one_or_list)
        )
    return {
        "type": "object",
        "additionalProperties": False,
        "required": sweep_keys.required(),
        "properties": properties,
    }


def _block(scenario: str) -> Callable[..., dict[str, Any]]:
    """A function that gives the schema of the scenario's names with values, such as a block of `grid`."""
    schema_by_parameter: dict[str, dict[str, Any]] = {}
    for name, parameter in schema.parameters(scenario).items():
        schema_by_parameter[name] = _one_or_list(parameter) if parameter.get("per_flow") else parameter
    schema_by_pattern = {}
    if schema.has_dotted_names(scenario):
        for pattern, description in network_fields.patterns().items():
            schema_by_pattern[pattern] = network_fields.value_schema(description)

    def block(with_values: Callable[[dict[str, Any]], dict[str, Any]], attributes: bool = True) -> dict[str, Any]:
        """The schema of names with values; ``with_values`` makes a name's schema from the schema of one value."""
        return {
            "type": "object",
            "minProperties": 1,
            "additionalProperties": False,
            "properties": {name: with_values(value) for name, value in schema_by_parameter.items()},
            "patternProperties": {pattern: with_values(value) for pattern, value in schema_by_pattern.items()}
            | ({ATTRIBUTE: with_values(_ATTRIBUTE_VALUE)} if attributes else {}),
        }

    return block


def _axis(value: dict[str, Any]) -> dict[str, Any]:
    """The schema of an axis, from the schema of one of its values."""
    return {"type": "array", "minItems": 1, "items": value}


def _format_checker() -> jsonschema.FormatChecker:
    checker = jsonschema.FormatChecker(formats=())
    for name, read in normal_forms.formats().items():

        def check(value: object, read: Callable[[Any], Any] = read) -> bool:
            # Another error already reports the wrong type of a list or a mapping.
            return isinstance(value, list | dict) or read(value) is not None

        checker.checks(name, raises=ValueError)(check)
    return checker


def _check_unique(_: Any, wanted: bool, entries: Any, __: Any) -> Iterator[jsonschema.ValidationError]:
    """`uniqueItems`, because jsonschema's own validator compares all pairs of entries without an order."""
    if (
        wanted
        and isinstance(entries, list)
        and len({repr(quantity_forms.number(entry)) for entry in entries}) < len(entries)
    ):
        yield jsonschema.ValidationError("the list has the same entry twice")


def _limit_check(key: str) -> Callable[..., Iterator[jsonschema.ValidationError]]:
    """`minimum` or `maximum`, also for numbers of bytes written with a unit."""
    check_number = jsonschema.Draft202012Validator.VALIDATORS[key]

    def check(validator: Any, limit: Any, value: Any, described: Any) -> Iterator[jsonschema.ValidationError]:
        if described.get("format") == "bytes" and isinstance(value, str):
            try:
                count = quantity_forms.byte_count(value)
            except ValueError:  # the format reports it
                return
            if any(check_number(validator, limit, count, described)):
                yield jsonschema.ValidationError(f"not within {limit}")
        else:
            yield from check_number(validator, limit, value, described)

    return check


_Validator: Any = jsonschema.validators.extend(  # type: ignore[no-untyped-call]
    jsonschema.Draft202012Validator,
    {"uniqueItems": _check_unique, "minimum": _limit_check("minimum"), "maximum": _limit_check("maximum")},
)


def against(described: dict[str, Any], data: Any) -> list[Problem]:
    """All problems that a JSON Schema finds in a file's data."""
    validator = _Validator(described, format_checker=_format_checker())
    return [problem for error in validator.iter_errors(data) for problem in _problems_of_error(error, data)]


def problems(data: Any) -> list[Problem]:
    """All problems that the schema finds in a sweep file's data."""
    mistakes = against(sweep_schema(schema.scenario_of(data)), data)
    if schema.has_dotted_names(schema.scenario_of(data)):
        mistakes += network_section.problems(data, schema.scenario_of(data))
    for question in features.questions():
        mistakes += question.added.key_problems(data) if question.added else ()
    corrections = data.get(CORRECTIONS) if isinstance(data, dict) else None
    if isinstance(corrections, list) and not any(problem.path[:1] == (CORRECTIONS,) for problem in mistakes):
        mistakes += suggestions.format_problems((CORRECTIONS,), corrections, {"format": CORRECTIONS}, data)
    mistakes += _tcp_problems(data)
    if isinstance(data, dict) and "runs" in data and "repetitions" in data:
        mistakes.append(Problem(("runs",), "give `runs` or `repetitions`, not both", at_key=True))
    ns3 = data.get("ns3") if isinstance(data, dict) else None
    if isinstance(ns3, dict):
        mistakes += _ns3_problems(ns3)
    return mistakes


def _tcp_problems(data: Any) -> Iterator[Problem]:
    """Corrections without a preset, and corrections beside `tcp`, which has both."""
    corrections_path = sections.place(data, CORRECTIONS)
    if not corrections_path:
        return
    if tcp_path := sections.place(data, TCP):
        yield Problem(tcp_path, "give `tcp` or `corrections`, not both", at_key=True)
    default_preset = schema.parameters(schema.scenario_of(data))[PRESET]["default"]
    if default_preset == BY_TCP and not sections.place(data, PRESET):
        message = "write a `preset`, too: linux, datacentre or none"
        words = "`tcp: corrected` has all corrections and Linux' settings, `tcp: ns-3` neither"
        yield Problem(corrections_path, f"{message}; {words}", at_key=True)


def _ns3_problems(ns3: dict[str, Any]) -> Iterator[Problem]:
    """Keys of an ns-3 that exclude each other."""
    if {"source", "prefix"} <= set(ns3):
        yield Problem(("ns3", "source"), "give `source` or `prefix`, not both", at_key=True)
    for key, why in _REASON_BY_SOURCE_KEY.items():
        if key in ns3 and "source" not in ns3:
            yield Problem(("ns3", key), f"`{key}` needs `source`: {why}", at_key=True)
    if "march" in ns3 and ns3.get("build") == "plain":
        yield Problem(("ns3", "march"), "a plain build is for no processor: remove `march` or `build`", at_key=True)


def _types_in_words(types: str | list[str]) -> str:
    words_of_type = {
        "string": "text",
        "object": "a mapping (key: value)",
        "array": "a list",
        "boolean": "true or false",
        "integer": "a whole number",
        "number": "a number",
        "null": "nothing",
    }
    return " or ".join(words_of_type[type_name] for type_name in ([types] if isinstance(types, str) else types))


def _problems_of_error(error: jsonschema.ValidationError, data: Any) -> Iterator[Problem]:
    """A jsonschema error, in words for the file's author."""
    path: KeyPath = tuple(error.absolute_path)
    value: Any = error.instance
    limit: Any = error.validator_value
    subschema = cast(dict[str, Any], error.schema)
    match error.validator:
        case "additionalProperties":
            allowed = list(subschema.get("properties", {}))
            patterns = subschema.get("patternProperties", {})
            for key in value:
                if key in allowed or any(re.search(pattern, key) for pattern in patterns):
                    continue
                yield suggestions.unknown_key((*path, key), allowed, patterns, data)
        case "required":
            for key in limit:
                if key not in value:
                    example = f"; write `{_EXAMPLE_BY_KEY[key]}`" if key in _EXAMPLE_BY_KEY else ""
                    yield Problem(path, f"the key {key!r} is missing{example}")
        case "type":
            format_problems: list[Problem] = []
            if subschema.get("format") in normal_forms.formats() and not isinstance(value, list | dict):
                format_problems = list(suggestions.format_problems(path, value, subschema, data))
            yield from format_problems
            if not format_problems:
                other_place = suggestions.elsewhere(path, value, subschema)
                yield Problem(path, f"expected {_types_in_words(limit)}, got {_value_text(value)}{other_place}")
        case "enum":
            expected, near = f"expected one of {', '.join(map(str, limit))}", spelling.did_you_mean(value, limit)
            reason = not_for.not_done(value) if path == ("scenario",) else ""
            if reason or (len(limit) <= _MOST_CHOICES and not near):
                yield Problem(path, reason or f"{expected}, got {_value_text(value)}{_HINT_BY_PATH.get(path, '')}")
            else:
                yield Problem(path, f"{_value_text(value)} is unknown here", choices=expected, nearest=near)
        case "format":
            yield from suggestions.format_problems(path, value, subschema, data)
        case "minimum" | "maximum" | "exclusiveMinimum":
            words = {"minimum": "at least", "maximum": "at most", "exclusiveMinimum": "more than"}
            yield Problem(path, f"expected {words[error.validator]} {limit}, got {_value_text(value)}")
        case "minItems" | "maxItems" if network_fields.is_ends(subschema):
            yield Problem(path, f"expected the names of two nodes, such as [a, b], got {_value_text(value)}")
        case "minItems" if limit > 1 and value:
            yield Problem(path, f"expected at least {limit} entries, got {len(value)}")
        case "minItems" | "minProperties" | "minLength":
            yield Problem(path, "expected at least one entry, got none")
        case "maxItems":
            yield Problem(path, f"expected at most {limit} entries, got {len(value)}")
        case "uniqueItems":
            yield Problem(path, "the list has the same entry twice")
        case "pattern":
            expected = "expected up to 80 letters, digits, '.', '_' or '-', a letter or digit first"
            yield Problem(path, f"{expected}, got {_value_text(value)}{suggestions.valid_name(value)}")
        case "maxLength":
            yield Problem(path, f"expected at most {limit} characters, got {len(value)}")
        case _:
            yield Problem(path, error.message)


class _Null:
    """YAML's null in messages."""

    def __repr__(self) -> str:
        return "null"


def _with_null(value: Any) -> Any:
    if isinstance(value, list):
        return [_with_null(entry) for entry in value]
    if isinstance(value, dict):
        return {key: _with_null(entry) for key, entry in value.items()}
    return _Null() if value is None else value


def _value_text(value: object) -> str:
    text = units.value_text(value) if isinstance(value, bool) else repr(_with_null(value))
    return text if len(text) <= 60 else text[:57] + "..."
