# SPDX-License-Identifier: MIT
"""The keys of sweep files: the core's, then those of features, with their JSON Schema."""

import functools
from collections.abc import Sequence
from typing import Any

from tcpsweep.core.contact import features
from tcpsweep.core.contact.fields import Schema
from tcpsweep.core.sweepfile.keys import schema
from tcpsweep.core.sweepfile.keys.sweep_fields import SweepFields


@functools.cache
def properties() -> Schema:
    """The JSON Schema of each key, as far as it is the same for all scenarios."""
    schema_by_key: Schema = {}
    of_features: Sequence[Any] = features.fields()
    for fields in (SweepFields, *of_features):
        schema_by_key |= fields.schema_of_keys()["properties"]
    schema_by_key["scenario"] |= {"enum": schema.programs()}
    return schema_by_key


def required() -> list[str]:
    """The keys that every sweep file has."""
    keys: list[str] = SweepFields.schema_of_keys()["required"]
    return keys


def default(key: str) -> Any:
    """The default of a key."""
    return properties()[key]["default"]
