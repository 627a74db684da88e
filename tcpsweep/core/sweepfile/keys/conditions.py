# SPDX-License-Identifier: MIT
"""Values and conditions of a sweep file in their normal form."""

from typing import Any

from tcpsweep.core.sweep import matching
from tcpsweep.core.sweep.matching import Combination, Value, Wanted
from tcpsweep.core.sweepfile.keys import schema
from tcpsweep.core.words import field_names, normal_forms


def normal_value(scenario: str, name: str, value: Any) -> Value:
    """A value of a parameter or an attribute in its normal form."""
    return (
        normal_forms.normal_attribute(value)
        if field_names.is_attribute(name)
        else normal_forms.normal(value, schema.value_form(scenario, name))
    )


def listed(value: Any) -> list[Any]:
    """A list unchanged; any other value as a list of one."""
    return value if isinstance(value, list) else [value]


def wanted_values(scenario: str, condition: dict[str, Any]) -> Wanted:
    """A condition's values in their normal form: name to list."""
    return {name: [normal_value(scenario, name, item) for item in listed(value)] for name, value in condition.items()}


def wanted_several(scenario: str, conditions: Any) -> list[Wanted]:
    """One condition of a sweep file, or a list of conditions, in normal form: a list of `wanted_values`."""
    return [wanted_values(scenario, condition) for condition in listed(conditions)]


def where(scenario: str, conditions: Any, combinations: list[Combination]) -> list[int]:
    """The numbers of the combinations that meet a sweep file's condition, or any in a list of conditions."""
    return matching.where(wanted_several(scenario, conditions), combinations)
