# SPDX-License-Identifier: MIT
"""A JSON Schema of sweep files for editors: they complete names, show descriptions and underline mistakes.

Editors know neither our formats nor ns-3. So this module writes formats as regular expressions. It adds the facts of
`config/schema.yaml` that JSON Schema cannot express to a parameter's description. Callers pass the names that ns-3 has.
An editor accepts every correct file, and some wrong ones.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from tcpsweep.core.sweepfile.document import sections
from tcpsweep.core.sweepfile.keys import schema, schema_check
from tcpsweep.core.words import quantity_forms, units

Schema: TypeAlias = dict[str, Any]
_NUMBER = r"([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?"
_EXPONENTIAL = "((constant|exponential):)?"


def _quantity(names: Iterable[str]) -> str:
    return f"{_NUMBER}({'|'.join(map(re.escape, names))})"


_RATE, _TIME = _quantity(units.RATES), _quantity(units.TIMES)
_QUEUE, _BUFFER, _SIZE = (_quantity(factors) for factors in (units.QUEUES, units.BUFFERS, units.SIZES))
# Each format's regular expression.
PATTERNS = {
    "rate": _RATE,
    "time": _TIME,
    "duration": _TIME,
    "queue-size": _QUEUE,
    "none-or-queue-size": f"none|{_QUEUE}",
    "buffer-size": _BUFFER,
    "ecn-threshold": f"none|{_QUEUE}|{_TIME}",
    "none-or-rate": f"none|{_RATE}",
    "none-or-time": f"none|{_TIME}",
    "same-or-rate": f"same|{_RATE}",
    "same-or-time": f"same|{_TIME}",
    "auto-or-time": f"auto|{_TIME}",
    "auto-or-bytes": f"auto|{_SIZE}",
    "bytes": f"{_NUMBER}|{_SIZE}",
    "share": f"{_NUMBER} ?%?",
    "width": _quantity(quantity_forms.POINTS),
    "times": f"{_EXPONENTIAL}({_TIME})",
    "flows-or-rate": f"max|{_NUMBER}|{_RATE}",
    "ack-thinning": "none|all",
    "objects": "3gpp",
}
_BOUNDS = {"share": {"minimum": 0, "maximum": 1}}  # of numbers, for which JSON Schema ignores patterns
# JSON Schema's keywords that constrain a value. A parameter's other keys go into its description.
_KEYWORDS = (
    *("type", "enum", "const", "pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum"),
    *("minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "required", "additionalProperties"),
    *("properties", "patternProperties", "propertyNames", "items", "if", "then", "else", "anyOf", "oneOf", "allOf"),
    *("not", "default", "examples", "description", "title"),
)  # fmt: skip
_MAPPINGS_OF_SCHEMAS = ("properties", "patternProperties")
_LISTS_OF_SCHEMAS = ("anyOf", "oneOf", "allOf")
_SINGLE_SCHEMAS = ("items", "if", "then", "else", "not", "additionalProperties", "propertyNames")
_MOST_PATTERNS = 8
_WORTH_SHARING = 100  # characters: a schema at least this long that occurs twice is written once


def editor_schema(names: Mapping[str, Sequence[str]], attributes: Mapping[str, str]) -> Schema:
    """The JSON Schema (draft 7, which editors know best) of all sweep files, with a branch for each scenario.

    Parameters
    ----------
    names : dict
        A format, ``variant`` or ``queue-disc``, to its known names; other names are accepted too.
    attributes : dict
        The full name of each ns-3 attribute to offer, to its description.
    """
    scenarios = schema.scenarios()
    schema_by_scenario = {
        scenario: _for_editors(schema_check.sweep_schema(scenario), names, attributes) for scenario in scenarios
    }
    schema_by_key: dict[str, Schema] = {}
    for whole in schema_by_scenario.values():
        schema_by_key |= {key: subschema for key, subschema in whole["properties"].items() if key not in schema_by_key}
    differing_keys = [
        key
        for key in schema_by_key
        if key != "scenario"
        and len({_sorted_json(_schema_of_key(whole, key)) for whole in schema_by_scenario.values()}) > 1
    ]
    properties = {
        key: _only_description(subschema) if key in differing_keys else subschema
        for key, subschema in schema_by_key.items()
    }
    branches = [
        _scenario_branch(
            {"const": scenario}, {key: _schema_of_key(schema_by_scenario[scenario], key) for key in differing_keys}
        )
        for scenario in scenarios
    ]
    network_schema = _schema_of_key(schema_by_scenario[schema.PROGRAM], sections.NETWORK)
    branches.append(_scenario_branch({"not": {"enum": scenarios}}, {sections.NETWORK: network_schema}))  # a file
    file_names = {"type": "string", "pattern": r"\.ya?ml$"}
    properties["scenario"] = _only_description(schema_by_key["scenario"]) | {"anyOf": [{"enum": scenarios}, file_names]}
    first_schema = schema_by_scenario[scenarios[0]]
    whole = {
        "type": "object",
        "additionalProperties": False,
        "required": first_schema["required"],
        "properties": properties,
        "allOf": branches,
    }
    shared_parts = _SharedParts(whole)
    heading = {"$schema": "http://json-schema.org/draft-07/schema#", "title": "A tcpsweep sweep"}
    written = shared_parts.written(whole)
    return heading | written | {"definitions": shared_parts.definitions}


def _schema_of_key(sweep_schema: Schema, key: str) -> Schema:
    """The schema of a key; one that allows nothing if the key must be absent."""
    key_schema: Schema = sweep_schema["properties"].get(key, {"not": {}})
    return key_schema


def _scenario_branch(scenario: Schema, properties: Mapping[str, Schema]) -> Schema:
    """The schema of keys in files that name such a scenario."""
    return {
        "if": {"required": ["scenario"], "properties": {"scenario": scenario}},
        "then": {"properties": dict(properties)},
    }


def _only_description(subschema: Schema) -> Schema:
    return {"description": subschema["description"]} if "description" in subschema else {}


def _sorted_json(node: object) -> str:
    return json.dumps(node, sort_keys=True)


def _with_subschemas_changed(node: Schema, change: Callable[[Any, str], Any], name: str = "value") -> Schema:
    """A schema with each direct subschema changed; ``change`` gets the subschema and the nearest property's name."""
    changed: Schema = {}
    for key, value in node.items():
        if key in _MAPPINGS_OF_SCHEMAS:
            changed[key] = {property_name: change(about, property_name) for property_name, about in value.items()}
        elif key in _LISTS_OF_SCHEMAS:
            changed[key] = [change(subschema, name) for subschema in value]
        else:
            changed[key] = change(value, name) if key in _SINGLE_SCHEMAS else value
    return changed


def _for_editors(node: Any, names: Mapping[str, Sequence[str]], attributes: Mapping[str, str]) -> Any:
    """A schema with only the keywords that editors know."""
    if not isinstance(node, dict):
        return node
    kept = {key: value for key, value in node.items() if key in _KEYWORDS}
    changed = _with_subschemas_changed(kept, lambda subschema, _: _for_editors(subschema, names, attributes))
    _describe(changed, node)
    if node.get("format") in names:
        _offer_names(changed, names[node["format"]])
    elif node.get("format") in PATTERNS:
        changed["pattern"] = f"^({PATTERNS[node['format']]})$"
        changed |= _BOUNDS.get(node["format"], {})
        usual = schema.usual(node)
        kind = f"a {node['format'].replace('-', ' ')}" + (f", such as {usual}" if usual else "")
        changed["patternErrorMessage"] = f"expected {kind}"  # shown by editors' language servers
    if list(changed.get("patternProperties", {})) == [schema_check.ATTRIBUTE] and "properties" not in changed:
        value = changed["patternProperties"][schema_check.ATTRIBUTE]  # the section that holds attributes only
        changed["properties"] = {name: value | {"description": text} for name, text in attributes.items()}
    return _with_patterns_apart(changed) if len(changed.get("patternProperties", {})) > _MOST_PATTERNS else changed


def _with_patterns_apart(mapping: Schema) -> Schema:
    """A mapping's schema with its many patterns moved into a separate schema, which other mappings may share."""
    patterns = mapping.pop("patternProperties")
    del mapping["additionalProperties"]
    property_names: list[Schema] = [{"enum": list(mapping["properties"])}] if mapping.get("properties") else []
    any_pattern = f"{'|'.join(f'({pattern})' for pattern in patterns)}"
    mapping["allOf"] = [
        {"propertyNames": {"anyOf": [*property_names, {"pattern": any_pattern}]}},
        {"patternProperties": patterns},
    ]
    return mapping


def _offer_names(offered: Schema, names: Sequence[str]) -> None:
    """Offer known names, and accept other texts too."""
    other_texts = {key: offered.pop(key) for key in ("type", "pattern") if key in offered}
    offered["anyOf"] = [{"enum": list(names)}, other_texts]


def _describe(changed: Schema, node: Schema) -> None:
    """Add a parameter's facts to its schema's description, and describe a list of such values in the same way."""
    if "description" in node and (facts := list(_parameter_facts(node))):
        changed["description"] = f"{node['description'].rstrip('.')}. {' '.join(facts)}"
    if "description" in changed:
        return
    item_schema = changed.get("else") or changed.get("items")
    if isinstance(item_schema, dict) and "description" in item_schema:
        changed["description"] = item_schema["description"]


def _parameter_facts(node: Schema) -> Iterator[str]:
    """Facts about a parameter: its default, an example, the ns-3 attributes that it sets."""
    if "default" in node:
        yield f"Default: {units.value_text(node['default'])}."
    if "examples" in node:
        yield f"Example: {units.value_text(node['examples'][0])}."
    if node.get("per_flow"):
        yield "A list gives one value per flow, in turn."
    if node.get("per_member"):
        yield "A list gives one value per member, in turn."
    if "sets" in node:
        yield f"Sets {', '.join(node['sets'])}."
    if "kinds" in node:
        yield f"For traffic of the kinds {', '.join(node['kinds'])}."


class _SharedParts:
    """Parts that occur more than once in a schema: each is written once, as a named definition."""

    def __init__(self, whole: Schema) -> None:
        self.definitions: dict[str, Schema] = {}
        self._names: dict[str, str] = {}
        self._counts: Counter[str] = Counter()
        for node in _all_subschemas(whole):
            texts = {_sorted_json(node), _sorted_json(_without_description(node))}
            self._counts.update(text for text in texts if len(text) >= _WORTH_SHARING)

    def written(self, node: Schema, name: str = "value") -> Schema:
        """A schema with references to its shared parts; ``name`` is the nearest property's."""
        return _with_subschemas_changed(node, self._with_references, name)

    def _with_references(self, node: Any, name: str) -> Any:
        """A reference instead of a subschema that occurs several times, in any description; else the subschema."""
        if not isinstance(node, dict):
            return node
        content = _without_description(node)
        if self._counts[_sorted_json(node)] > 1:
            return self._reference(node, name)
        if content != node and self._counts[_sorted_json(content)] > 1:
            return {"description": node["description"], "allOf": [self._reference(content, name)]}
        return self.written(node, name)

    def _reference(self, node: Schema, name: str) -> Schema:
        text = _sorted_json(node)
        if text not in self._names:
            base = "attribute" if name == schema_check.ATTRIBUTE else _definition_name(name)
            taken = set(self._names.values())
            numbers = (f"{base}-{number}" for number in range(2, len(taken) + 3))
            self._names[text] = next(candidate for candidate in (base, *numbers) if candidate not in taken)
            self.definitions[self._names[text]] = self.written(node, name)
        return {"$ref": f"#/definitions/{self._names[text]}"}


def _definition_name(name: str) -> str:
    """The name of a property, or the last part of the dotted names of a pattern."""
    return re.sub(r"\W+", "-", name.removesuffix(r"$(?!\n)").split(r"\.")[-1]).strip("-")


def _without_description(node: Schema) -> Schema:
    """A schema, its description left out."""
    return {key: value for key, value in node.items() if key != "description"}


def _all_subschemas(node: Schema) -> Iterator[Schema]:
    """All subschemas of a schema, each as often as it occurs."""
    inner: list[Any] = []
    _with_subschemas_changed(node, lambda subschema, _: inner.append(subschema))
    for subschema in inner:
        if isinstance(subschema, dict):
            yield subschema
            yield from _all_subschemas(subschema)
