# SPDX-License-Identifier: MIT
"""Whether the sweep's ns-3 has the congestion controls, queue discs and attributes named in a sweep file."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tcpsweep.core.identity import cpp_code
from tcpsweep.core.ns3 import catalogue, variants
from tcpsweep.core.ns3.catalogue import Types
from tcpsweep.core.ns3.engine import Engine
from tcpsweep.core.sweep.ns3_tcp import PRESET
from tcpsweep.core.sweepfile.document import sections
from tcpsweep.core.sweepfile.document.yaml_document import KeyPath, Problem, path_text
from tcpsweep.core.sweepfile.keys import network_preset_check, network_section, presets, schema
from tcpsweep.core.words import dotted_names, field_names, normal_forms, not_for, quantity_forms, spelling, units
from tcpsweep.core.words.field_names import is_attribute
from tcpsweep.core.words.mixes import JOINT, Mix

# Format to the types' ancestor, their name in messages, and whether "none" is allowed too.
KINDS = {
    "variant": (variants.OPS, "congestion control", False),
    "queue-disc": (variants.DISC, "queue disc", True),
    "propagation-loss": ("ns3::PropagationLossModel", "propagation loss model", False),
    "rate-control": ("ns3::WifiRemoteStationManager", "rate control", False),
}

# The kinds of attributes whose values have units: what they are, the units, and the one that ns-3 adds to a number.
_UNITS: dict[str, tuple[str, units.Factors, str]] = {
    "ns3::TimeValue": ("a time", units.TIMES, "s"),
    "ns3::DataRateValue": ("a data rate", units.RATES, "bps"),
}
_NAMES = re.compile(r"[A-Za-z0-9_:+.-]*")
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")


def own_modules(data: Any) -> tuple[str, ...]:
    """The ns-3 modules that a sweep file's scenario links and other scenarios do not need."""
    scenario = data.get("scenario") if isinstance(data, dict) else None
    return cpp_code.own_modules(schema.program(scenario)) if scenario in schema.scenarios() else ()


def problems(data: Any, ns3: Engine, sources: Mapping[str, str] | None = None) -> list[Problem]:
    """Names and values of a sweep file that this ns-3 rejects; ``sources`` are as for `variants`."""
    mistakes: list[Problem] = []
    settings: list[tuple[KeyPath, str, Any]] = []
    reported: set[str] = set()  # why our own variants cannot be used; a mix may name them again
    types, libraries, reason_of = _usable_types(ns3, data, sources or {})
    for path, name, value in _values(data):
        reasons = [reason_of[variant] for variant in sorted(variants.mentioned({name: value}) & reason_of.keys())]
        if reasons:
            mistakes += [
                Problem(path, message, at_key=is_attribute(name)) for message in reasons if message not in reported
            ]
            reported.update(reasons)
        elif is_attribute(name):
            problem = _attribute_problem(ns3, types, path, name, schema.scenario_of(data))
            if problem:
                mistakes.append(replace(problem, message=_preset_prefix(path, name) + problem.message))
            elif isinstance(value, str | int | float) and normal_forms.is_on_one_line(value):
                settings.append((path, name, value))
        elif (form := _form(data, name)) in KINDS:
            mistakes += _name_problems(ns3, types, path, value, *KINDS[form])
    attribute_texts = [(name, normal_forms.normal_attribute(value)) for _, name, value in settings]
    results = catalogue.try_attributes(ns3, attribute_texts, libraries)
    first_use: dict[tuple[str, str], tuple[KeyPath, Any, str]] = {}  # ns-3's value, to the first place with it
    for (path, name, value), (_, text), (is_accepted, read) in zip(settings, attribute_texts, results, strict=True):
        if message_on_value := _value_problem(ns3, types, name, value, is_accepted, read):
            mistakes.append(Problem(path, _preset_prefix(path, name) + message_on_value))
        elif read is not None and name in path:
            earlier_path, first_value, first_text = first_use.setdefault((name, read), (path, value, text))
            if first_text != text:
                place = path_text(earlier_path).removesuffix(": ")
                message = f"ns-3 reads {value!r} like {first_value!r} at {place}: write {first_value!r} here too"
                mistakes.append(Problem(path, message))
    return mistakes or list(_whole_ends(types, data))


def _whole_ends(types: Types, data: Any) -> Iterator[Problem]:
    """Ranges of real-valued attributes whose ends would make all values whole numbers."""
    for _, name, at_ends, ends in sections.opened(data):
        is_whole = len(ends) == 2 and all(end.strip().isdecimal() for end in ends)
        if is_attribute(name) and is_whole and _attribute_entry(types, name)["type"] == "ns3::DoubleValue":
            joint = " and " if at_ends[0] == "refine" else " to "
            meant = joint.join(f"{end.strip()}.0" for end in ends)
            message = f"between whole numbers all values would be whole, but {name} takes fractions too"
            yield Problem(at_ends, f"{message}; write '{meant}'")


def preset_problems(data: dict[str, Any], ns3: Engine) -> list[Problem]:
    """Congestion controls and queue discs that a valid network preset names and this ns-3 lacks.

    The problems' paths are in the preset's file.
    """
    types = catalogue.types(ns3, ())
    mistakes: list[Problem] = []
    for path, form, value in network_preset_check.named(data):
        if form in KINDS:
            mistakes += _name_problems(ns3, types, path, _in_ns3s_spelling(form, value), *KINDS[form])
    return mistakes


def _values(data: Any) -> Iterator[tuple[KeyPath, str, Any]]:
    """Every value in a sweep file and in its presets; a preset's values have the path of its name in the file.

    Congestion controls and queue discs have ns-3's names.
    """
    for path, name, value in sections.values(data):
        yield path, name, _in_ns3s_spelling(_form(data, name), value)
        if name == PRESET and value in presets.preset_names():
            yield from (
                (path, attribute, setting.value) for attribute, setting in presets.preset(value).settings.items()
            )


def _form(data: Any, name: str) -> str:
    """The format of any scenario's parameter, or of a dotted name; empty if it has none."""
    about = schema.described(schema.scenario_of(data), name) or schema.raw()["parameters"].get(name, {})
    return str(about.get("format", ""))


def _in_ns3s_spelling(form: str, value: Any) -> Any:
    """A type's name in ns-3's spelling; other values unchanged."""
    ns3_name_of = {"variant": field_names.VARIANTS, "queue-disc": field_names.DISCS}.get(form, {})
    if not ns3_name_of or not isinstance(value, str):
        return value
    return JOINT.join(ns3_name_of.get(part.replace("-", "_"), part) for part in value.split(JOINT))


def _preset_prefix(path: KeyPath, name: str) -> str:
    """The beginning of a message on an attribute that a preset sets, not the file."""
    return f"the preset sets {name}: " if PRESET in path else ""


def _usable_types(ns3: Engine, data: Any, sources: Mapping[str, str]) -> tuple[Types, list[Path], dict[str, str]]:
    """All types that a sweep file can use: ns-3's, its scenario's modules', and our own variants'.

    Also the libraries of the modules and variants, and for each variant that cannot be used, the reason.
    """
    types, reason_of = catalogue.types(ns3, own_modules(data)), {}
    libraries = catalogue.libraries_of(ns3, own_modules(data))
    named_variants = set().union(*(variants.mentioned({name: value}) for _, name, value in _values(data)))
    for variant in sorted(named_variants & (variants.names() | sources.keys())):
        try:
            types = types | variants.types(ns3, variant, sources)
            libraries.append(variants.library(ns3, variant, sources))
        except variants.Unusable as error:
            reason_of[variant] = str(error)
    return types, libraries, reason_of


def _name_problems(
    ns3: Engine, types: Types, path: KeyPath, value: Any, ancestor: str, kind_in_words: str, is_none_allowed: bool
) -> Iterator[Problem]:
    """A type's name that this ns-3 lacks; ``ancestor`` and the parameters after it are an entry of `KINDS`."""
    names = {name.removeprefix("ns3::") for name in catalogue.descendants(types, ancestor)}
    names |= variants.of_kind(ancestor)
    if not isinstance(value, str) or not _NAMES.fullmatch(value):
        return  # the schema's check reports it
    for name in Mix.parse(value).turns if ancestor == variants.OPS else [value]:
        if name.removeprefix("ns3::") in names or (is_none_allowed and value == "none"):
            continue
        if field_names.implementation(name):
            continue
        message = f"ns-3 {ns3.version} has no {kind_in_words} {name!r}"
        if answer := field_names.asked_back(name):
            if not name.islower():  # the schema's check has reported it
                yield Problem(path, f"{message}: {answer}")
            continue
        if answer := not_for.not_done(name):
            if not name[0].islower():  # as above
                yield Problem(path, answer)
            continue
        meant = field_names.meant(name)
        if meant and meant not in names:
            kind = "queue_disc" if meant in field_names.DISCS.values() else "variant"
            yield Problem(path, f"{message}; write `{kind}: {meant}`")
            continue
        nearest = f"; did you mean {meant!r}?" if meant in names else _nearest_type(name, names)
        yield Problem(path, message, choices=f"it has {', '.join(sorted(names))}", nearest=nearest)


def _nearest_type(name: str, type_names: Collection[str]) -> str:
    """A suggestion for a type, or else the field's name for one. The prefix Tcp does not count as similarity."""
    type_of_short_name = {type_name.removeprefix("Tcp"): type_name for type_name in type_names}
    suggestion = spelling.did_you_mean(name.removeprefix("Tcp").removeprefix("tcp").strip("_"), type_of_short_name)
    quoted = suggestion.partition("'")[2].partition("'")[0]
    if quoted:
        return f"; did you mean {type_of_short_name[quoted]!r}?"
    ns3_name_of = field_names.VARIANTS | field_names.DISCS
    return spelling.did_you_mean(name, [field_name for field_name, meant in ns3_name_of.items() if meant in type_names])


def _attribute_owner(types: Types, type_name: str, attribute: str) -> str | None:
    """The type that has the attribute: ``type_name`` or an ancestor."""
    return next((name for name in catalogue.line_of(types, type_name) if attribute in types[name]["attributes"]), None)


def _attribute_problem(ns3: Engine, types: Types, path: KeyPath, full_name: str, scenario: str) -> Problem | None:
    """The problem with an attribute's name: no type has it, another type has it, or a parameter sets it."""
    type_name, _, attribute = full_name.rpartition("::")
    if type_name not in types:
        nearest = spelling.did_you_mean(type_name, [*types, *(f"ns3::{variant}" for variant in variants.names())])
        return Problem(path, f"ns-3 {ns3.version} has no type {type_name!r}{nearest}", at_key=True)
    ancestry = catalogue.line_of(types, type_name)
    for parameter, description in schema.raw()["parameters"].items():
        if any(f"{ancestor}::{attribute}" in description.get("sets", ()) for ancestor in ancestry):
            kinds = network_section.kinds_with(parameter) if schema.has_dotted_names(scenario) else []
            if kinds and parameter not in schema.parameters(scenario):
                names = " or ".join(dotted_names.dotted_name(kind, "NAME", parameter) for kind in kinds)
                return Problem(path, f"write {names} instead, which sets this attribute", at_key=True)
            return Problem(
                path,
                f"write the parameter `{parameter}` under `fixed` or `grid` instead, which sets this attribute",
                at_key=True,
            )
    owner = _attribute_owner(types, type_name, attribute)
    if owner == type_name:
        return None
    if owner:
        return Problem(path, f"{attribute} is an attribute of {owner}: write {owner}::{attribute}", at_key=True)
    attributes = [name for ancestor in ancestry for name in types[ancestor]["attributes"]]
    return Problem(
        path,
        f"in ns-3 {ns3.version}, {type_name} has no attribute {attribute!r}",
        at_key=True,
        choices=f"it has {', '.join(sorted(attributes)) or 'none'}",
        nearest=spelling.did_you_mean(attribute, attributes),
    )


def _value_problem(ns3: Engine, types: Types, name: str, value: Any, is_accepted: bool, read: str | None) -> str | None:
    """The problem with an attribute's value, as ns-3 reads it; None if there is none."""
    kind = _attribute_entry(types, name)["type"]
    # ns-3 reads an empty text as 0 for numbers and times, and accepts negative times.
    if not is_accepted or (value == "" and kind != "ns3::StringValue"):
        return _value_message(ns3, types, name, value)
    if unit_message := _missing_unit_message(kind, value):
        return unit_message
    if kind == "ns3::TimeValue" and (read or "").startswith("-"):
        default = _attribute_entry(types, name)["default"]
        return f"expected a time of at least 0s, such as its default {default!r}, got {value!r}"
    return None


def _missing_unit_message(kind: str, value: Any) -> str | None:
    """The message on a plain number for an attribute of a kind with units, which ns-3 reads in its own unit."""
    text = normal_forms.normal_attribute(value)
    if kind not in _UNITS or not _NUMBER.fullmatch(text):
        return None
    kind_in_words, factors, ns3_unit = _UNITS[kind]
    suggestions = dict.fromkeys([quantity_forms.nearest_quantity(text, factors), text.lstrip("+") + ns3_unit])
    choices = " or ".join(filter(None, suggestions))
    read_as = f"which ns-3 would read as {text}{ns3_unit}"
    return f"expected {kind_in_words} with a unit, got {value!r}, {read_as}: write {choices}"


def _attribute_entry(types: Types, full_name: str) -> catalogue.Attribute:
    """The catalogue's entry of an attribute."""
    type_name, _, attribute = full_name.rpartition("::")
    return types[_attribute_owner(types, type_name, attribute) or type_name]["attributes"][attribute]


def _value_message(ns3: Engine, types: Types, full_name: str, value: Any) -> str:
    entry = _attribute_entry(types, full_name)
    expected = entry["type"].removeprefix("ns3::").removesuffix("Value")
    values = entry.get("values") or ""
    choices = values.split("|") if "|" in values else []
    detail = f" ({values})" if values and values != entry["type"] else ""
    return (
        f"ns-3 {ns3.version} does not take {value!r} here; expected a value of its kind {expected}{detail}, "
        f"such as its default {entry['default']!r}{spelling.did_you_mean(value, choices)}"
    )
