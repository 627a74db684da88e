# SPDX-License-Identifier: MIT
"""What a sweep file may say: `config/schema.yaml`, applied to a document.

`config/schema.yaml` describes each parameter once. The full JSON Schema of a scenario's sweep files, in which an axis
is a list of a parameter's values and a condition one or some of them, follows from it here.
"""

import copy
import functools
import re

import jsonschema
import yaml

from tcpsweep.identity import source_folders
from tcpsweep.sweepfile.yaml_document import Problem
from tcpsweep.words import spelling, type_names, units

SCHEMA_FILE = source_folders.ROOT / "config" / "schema.yaml"
ATTRIBUTE = r"^ns3::[A-Za-z_][A-Za-z0-9_]*(::[A-Za-z_][A-Za-z0-9_]*)+$(?!\n)"
_ATTRIBUTE_VALUE = {"type": ["string", "number", "boolean"], "maxLength": 1000, "format": "attribute-value"}


@functools.cache
def raw():
    """`config/schema.yaml` as it stands."""
    # libyaml's, a tenth of a second faster at every start; it is in every wheel of PyYAML.
    return yaml.load(SCHEMA_FILE.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)


def scenarios():
    """The scenarios' names."""
    return list(raw()["$defs"]["scenarios"])


@functools.cache
def parameters(scenario):
    """The scenario's parameters: name to description, format, unit, default, stage; in the schema's order."""
    defs = raw()["$defs"]
    about = defs["scenarios"][scenario]
    found = {name: defs["parameters"][name] for name in about["parameters"]}
    return found | {name: found[name] | {"default": value} for name, value in about.get("defaults", {}).items()}


def forms(scenario):
    """The format of each parameter of the scenario that has one, by name."""
    return {name: about["format"] for name, about in parameters(scenario).items() if "format" in about}


def plain_units(scenario):
    """The unit of each parameter that is written as a number alone, by name; counts and shares have none."""
    found = {name: about.get("unit", "1") for name, about in parameters(scenario).items()}
    return {name: unit for name, unit in found.items() if unit != "1"}


def constants(scenario):
    """What holds in the scenario of parameters that it does not take: name to value."""
    return raw()["$defs"]["scenarios"][scenario].get("constants", {})


def links(scenario):
    """How many links a packet of the scenario crosses."""
    return raw()["$defs"]["scenarios"][scenario]["links"]


def headline(scenario):
    """The metrics that tables and figures of the scenario begin with; None where they are those of most."""
    return raw()["$defs"]["scenarios"][scenario].get("headline")


def ip(scenario):
    """Which IP the scenario's nodes speak, 4 or 6."""
    return raw()["$defs"]["scenarios"][scenario].get("ip", 4)


def slug_parameters(scenario):
    """The parameters that the names of the scenario's cells show."""
    return raw()["$defs"]["scenarios"][scenario]["slug"]


def default(key, *more):
    """The default of a key of the sweep file, such as ``default("capture", "traces")``."""
    node = raw()
    for part in (key, *more):
        node = node["properties"][part]
    return node["default"]


def _some(schema):
    """The schema of one or a list of what ``schema`` describes; errors come from the branch that applies."""
    return {"if": {"type": "array"}, "then": {"type": "array", "items": schema, "minItems": 1}, "else": schema}


@functools.cache
def sweep_schema(scenario):
    """The whole JSON Schema of the scenario's sweep files."""
    schema = copy.deepcopy(raw())
    values = {}
    for name, parameter in parameters(scenario).items():
        values[name] = _some(parameter) if parameter.get("per_flow") else parameter

    def block(of, attributes=True):
        return {
            "type": "object",
            "minProperties": 1,
            "additionalProperties": False,
            "properties": {name: of(value) for name, value in values.items()},
            "patternProperties": {ATTRIBUTE: of(_ATTRIBUTE_VALUE)} if attributes else {},
        }

    def axis(value):
        return {"type": "array", "minItems": 1, "items": value}

    properties = schema["properties"]
    for key, content in {
        "grid": _some(block(axis)),
        "zip": _some(block(axis)),
        "exclude": _some(block(_some)),
        "only": _some(block(_some)),
        "expect": _some(schema["$defs"]["expectation"]),
        "fixed": block(lambda value: value, attributes=False),
        "attributes": {
            "type": "object",
            "additionalProperties": False,
            "patternProperties": {ATTRIBUTE: _some(_ATTRIBUTE_VALUE)},
        },
    }.items():
        properties[key] |= content
    properties["figures"]["items"]["properties"]["where"] |= block(_some)
    study = properties["published"]["properties"]
    study["setting"] |= block(lambda value: value)
    study["where"] |= block(_some)
    study["claims"]["items"] = schema["$defs"]["claim"]
    for key in ("where", "more", "less", "outlier"):
        study["claims"]["items"]["properties"][key] |= _some(block(_some)) if key == "where" else block(_some)
    return schema


def _format_checker():
    checker = jsonschema.FormatChecker(formats=())
    for name, read in units.FORMATS.items():

        def check(value, read=read):
            # A list or a mapping is of the wrong type already.
            return isinstance(value, list | dict) or read(value) is not None

        checker.checks(name, raises=ValueError)(check)
    return checker


def problems(data):
    """Everything in a sweep file's data that the schema does not allow.

    Parameters
    ----------
    data : object
        A `yaml_document.Document`'s data.

    Returns
    -------
    list of Problem
    """
    scenario = data.get("scenario") if isinstance(data, dict) else None
    known = isinstance(scenario, str) and scenario in scenarios()
    # Whatever the scenario, the rest of the file is checked too: all mistakes are told together.
    schema = sweep_schema(scenario if known else scenarios()[0])
    validator = jsonschema.Draft202012Validator(schema, format_checker=_format_checker())
    found = [problem for error in validator.iter_errors(data) for problem in _explain(error)]
    if isinstance(data, dict) and "runs" in data and "repetitions" in data:
        found.append(Problem(("runs",), "give `runs` or `repetitions`, not both", at_key=True))
    ns3 = data.get("ns3") if isinstance(data, dict) else None
    if isinstance(ns3, dict) and {"source", "prefix"} <= set(ns3):
        found.append(Problem(("ns3", "source"), "give `source` or `prefix`, not both", at_key=True))
    if isinstance(ns3, dict) and "march" in ns3 and "source" not in ns3:
        found.append(Problem(("ns3", "march"), "this is for an ns-3 that is built from its `source`", at_key=True))
    return found


def _article(kinds):
    names = {
        "string": "text",
        "object": "a mapping (key: value)",
        "array": "a list",
        "boolean": "true or false",
        "integer": "a whole number",
        "number": "a number",
        "null": "nothing",
    }
    return " or ".join(names[kind] for kind in ([kinds] if isinstance(kinds, str) else kinds))


def _explain(error):
    """A jsonschema error in a person's words."""
    path, value, limit = tuple(error.absolute_path), error.instance, error.validator_value
    match error.validator:
        case "additionalProperties":
            allowed = list(error.schema.get("properties", {}))
            patterns = error.schema.get("patternProperties", {})
            for key in value:
                if key in allowed or any(re.search(pattern, key) for pattern in patterns):
                    continue
                yield Problem((*path, key), _unknown_key(key, allowed, patterns), at_key=True)
        case "required":
            for key in limit:
                if key not in value:
                    yield Problem(path, f"the key {key!r} is missing")
        case "type":
            told = []
            if error.schema.get("format") in units.FORMATS and not isinstance(value, list | dict):
                told = list(_format_problem(path, value, error.schema["format"]))
            yield from told
            if not told:
                yield Problem(path, f"expected {_article(limit)}, got {_shown(value)}")
        case "enum":
            yield Problem(
                path,
                f"expected one of {', '.join(map(str, limit))}, got {_shown(value)}{spelling.nearest(value, limit)}",
            )
        case "format":
            yield from _format_problem(path, value, limit)
        case "minimum" | "maximum" | "exclusiveMinimum":
            words = {"minimum": "at least", "maximum": "at most", "exclusiveMinimum": "more than"}
            yield Problem(path, f"expected {words[error.validator]} {limit}, got {_shown(value)}")
        case "minItems" | "minProperties" | "minLength":
            yield Problem(path, "expected at least one entry, got none")
        case "uniqueItems":
            yield Problem(path, "the same entry stands twice")
        case "pattern":
            yield Problem(
                path,
                f"expected up to 80 letters, digits, '.', '_' or '-', a letter or digit first, got {_shown(value)}",
            )
        case "maxLength":
            yield Problem(path, f"expected at most {limit} characters, got {len(value)}")
        case _:
            yield Problem(path, error.message)


def _unknown_key(key, allowed, patterns):
    if not allowed or (patterns and key.startswith("ns3::")):
        return "expected an ns-3 attribute's full name, such as ns3::TcpSocket::InitialCwnd"
    return f"unknown key; expected one of {', '.join(allowed)}{spelling.nearest(key, allowed)}"


def _format_problem(path, value, form):
    try:
        units.normal(value, form)
    except ValueError as error:
        yield Problem(path, str(error))


def _shown(value):
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def value_form(scenario, name):
    """The format in which a parameter's values are written, if it has one."""
    return None if type_names.is_attribute(name) else parameters(scenario)[name].get("format")
