# SPDX-License-Identifier: MIT
"""Models of a sweep file's keys, and the JSON Schema that they stand for.

A model says a key's type, range, default and description once. Files are checked with the JSON Schema made from it:
its errors concern one form of a value, where pydantic reports all forms. Editors and the reference pages use the same
JSON Schema. Behind the check, the models only give types.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, GetJsonSchemaHandler, WithJsonSchema
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

Schema: TypeAlias = dict[str, Any]


class Fields(BaseModel):
    """Keys of a sweep file, or of a mapping in it."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    @classmethod
    def key_names(cls) -> list[str]:
        """The keys as a sweep file has them."""
        return [field.alias or name for name, field in cls.model_fields.items()]

    def written_keys(self) -> list[str]:
        """The keys that the file has, as it has them."""
        fields = type(self).model_fields.items()
        return [field.alias or name for name, field in fields if name in self.model_fields_set]

    @classmethod
    @functools.cache
    def schema_of_keys(cls) -> Schema:
        """The JSON Schema of a mapping with these keys, without references."""
        whole = cls.model_json_schema(schema_generator=_SchemaOfFields)
        definitions = whole.pop("$defs", {})
        schema: Schema = _without_references(whole, definitions)
        return schema


@dataclass(frozen=True)
class Keyword:
    """Adds a keyword to a value's JSON Schema, which checks it; pydantic does not know it."""

    name: str
    value: Any

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The value's schema with the keyword."""
        return handler(schema) | {self.name: self.value}


@dataclass(frozen=True)
class OneOf:
    """Says that a value is one of some names."""

    names: tuple[str, ...]

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The names, without a type: an error about a wrong type names them, too."""
        return {"enum": list(self.names)}


def form(name: str) -> Keyword:
    """The format of a text, by its name in `normal_forms.FORMATS`."""
    return Keyword("format", name)


UNIQUE = Keyword("uniqueItems", True)
"""A list without equal entries."""


@dataclass(frozen=True)
class Either:
    """Says which of two forms a value has: the first one if its JSON type is ``kind``."""

    kind: str

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """A branch for each form, so that errors concern the form that was meant."""
        first, second = handler(schema)["anyOf"]
        return {"if": {"type": self.kind}, "then": first, "else": second}


class OneOfTypes:
    """Says that forms of different JSON types share a schema, so that an error about the type names all of them."""

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The keywords of all forms: each concerns values of its type."""
        merged: Schema = {}
        forms = [handler.resolve_ref_schema(one) for one in handler(schema)["anyOf"]]
        for one in forms:
            merged |= one
        return merged | {"type": [one["type"] for one in forms]}


Names: TypeAlias = Annotated[Annotated[list[str], Field(min_length=1), UNIQUE] | str, Either("array")]
"""A name, or a list of different names."""
Number: TypeAlias = Annotated[Any, WithJsonSchema({"type": "number"})]
"""A number as written, which messages quote: a whole number remains one."""
Later: TypeAlias = Any
"""A value whose schema depends on the scenario; `schema_check` adds it."""


class _SchemaOfFields(GenerateJsonSchema):
    """JSON Schema without titles and without null, which stands for a missing key."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """No key has a title."""
        return False

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        """The schema of the value that is present."""
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        """The value's schema with the default as a sweep file would have it; none if it stands for a missing key."""
        described = super().default_schema(schema)
        if isinstance(schema.get("default"), Fields):
            return described | {"default": {}}
        return {key: value for key, value in described.items() if key != "default" or value is not None}

    def literal_schema(self, schema: core_schema.LiteralSchema) -> JsonSchemaValue:
        """The possible values."""
        return {"enum": list(schema["expected"])}

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """The keys of a model; its name and docstring are for readers of code."""
        described = super().model_schema(schema)
        return {key: value for key, value in described.items() if key not in ("title", "description")}


def _without_references(node: Any, definitions: Schema) -> Any:
    """A schema with the definitions in the place of references to them."""
    if isinstance(node, list):
        return [_without_references(entry, definitions) for entry in node]
    if not isinstance(node, dict):
        return node
    written = {key: _without_references(value, definitions) for key, value in node.items() if key != "$ref"}
    if written.get("additionalProperties") is True:  # JSON Schema's default
        del written["additionalProperties"]
    if isinstance(text := written.get("description"), str):
        written["description"] = " ".join(text.split())
    if "$ref" in node:
        written |= _without_references(definitions[node["$ref"].removeprefix("#/$defs/")], definitions)
    return written
