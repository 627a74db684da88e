# SPDX-License-Identifier: MIT
"""Names in a custom topology's file: its links, flows and traffic, and the dotted names in other sections."""

from collections.abc import Iterator, Mapping
from typing import Any

from tcpsweep.core.sweepfile.document import sections
from tcpsweep.core.sweepfile.document.yaml_document import KeyPath, Problem
from tcpsweep.core.sweepfile.keys import network_fields, schema
from tcpsweep.core.words import dotted_names, spelling

_MOST_MEANT = 3  # dotted names that a message suggests


def things(data: Any, scenario: str) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    """The values in a file and its preset, as written: by kind, name and field."""
    values_by_kind: dict[str, dict[str, dict[str, Any]]] = {kind: {} for kind in network_fields.KINDS}
    preset = schema.preset(scenario)
    file_values = sections.network_values(data.get(sections.NETWORK) if isinstance(data, dict) else None)
    for name, value in [*(preset.values.items() if preset else ()), *file_values]:
        parts = dotted_names.split(name)
        if parts:
            values_by_kind[parts.kind].setdefault(parts.thing, {})[parts.field] = value
    return values_by_kind


def kinds_with(field: str) -> list[str]:
    """Which of links, flows and traffic have a field."""
    return [kind for kind in network_fields.KINDS if field in network_fields.fields(kind)]


def unknown(at: KeyPath, data: Any, scenario: str) -> Problem:
    """The problem with a dotted name whose kind, name or field does not exist, with a suggestion."""
    name = str(at[-1])
    parts = dotted_names.split(name)
    if parts is None:
        expected = f"expected a dotted name, such as network.links.NAME.bandwidth, got {name!r}"
        kind_as_written = name.split(".")[1] if "." in name else ""
        return Problem(at, expected + spelling.did_you_mean(kind_as_written, network_fields.KINDS), at_key=True)
    values_by_name = things(data, scenario)[parts.kind]
    if parts.thing not in values_by_name:
        return _missing_name_problem(at, parts, list(values_by_name))
    fields = network_fields.taken(parts.kind, values_by_name[parts.thing])
    singular = network_fields.ONE[parts.kind]
    near = spelling.did_you_mean(parts.field, fields)
    return Problem(
        at, f"a {singular} has no {parts.field!r}", at_key=True, choices=f"it has {', '.join(fields)}", nearest=near
    )


def whole(name: str, data: Any, scenario: str) -> str:
    """``; did you mean 'x'?`` if a name is part of a dotted name, or its spelling in reports; else empty."""
    if not any(sign in name for sign in ". "):
        return ""
    names = [
        dotted_names.dotted_name(kind, thing, field)
        for kind, values_by_name in things(data, scenario).items()
        for thing, values in values_by_name.items()
        for field in network_fields.taken(kind, values)
    ]
    ending = "." + name.replace(" ", ".").replace("_", ".")
    matches = [dotted for dotted in names if dotted.replace("_", ".").endswith(ending)]
    if 0 < len(matches) <= _MOST_MEANT:
        return f"; did you mean {' or '.join(matches)}?"
    is_part = name.partition(".")[0] in network_fields.KINDS
    return spelling.did_you_mean(dotted_names.PREFIX + name, names, 0.8) if is_part else ""


def _missing_name_problem(at: KeyPath, parts: dotted_names.Dotted, names: list[str]) -> Problem:
    singular = network_fields.ONE[parts.kind]
    near = spelling.did_you_mean(parts.thing, names)
    choices = f"the network has {', '.join(names)}" if names else f"the network has no {singular}"
    return Problem(at, f"there is no {singular} {parts.thing!r}", at_key=True, choices=choices, nearest=near)


def problems(data: Any, scenario: str) -> Iterator[Problem]:
    """Dotted names of links, flows or traffic that do not exist, and fields that a kind of traffic does not take."""
    values_by_kind = things(data, scenario)
    for at, name in sections.named(data):
        parts = dotted_names.split(name)
        if parts is None or network_fields.described(name) is None:
            continue
        values_by_name = values_by_kind[parts.kind]
        if parts.thing not in values_by_name:
            yield _missing_name_problem(at, parts, list(values_by_name))
        elif not _is_taken(parts, values_by_name[parts.thing]):
            yield _untaken_field_problem(at, parts.field, values_by_name[parts.thing])
    section = data.get(sections.NETWORK) if isinstance(data, dict) else None
    for name, _ in sections.network_values(section):
        parts = dotted_names.split(name)
        if parts and parts.kind == "traffic":
            values = values_by_kind["traffic"][parts.thing]
            if network_fields.described(name) is not None and not _is_taken(parts, values):
                yield _untaken_field_problem(sections.place_in_network(name), parts.field, values)
    if not values_by_kind["links"]:
        at = (sections.NETWORK,) if isinstance(section, dict) else ("scenario",)
        yield Problem(at, "expected `network` with `links`, such as {first: {between: [a, b], bandwidth: 10Mbps}}")
    elif not values_by_kind["flows"] and not values_by_kind["traffic"]:
        yield Problem((sections.NETWORK,), "expected `flows`, such as {long: {from: a, to: b}}, or `traffic`")


def _is_taken(parts: dotted_names.Dotted, values: Mapping[str, Any]) -> bool:
    """Whether a link, flow or traffic takes a field; true if its kind is not a text, which has its own message."""
    has_wrong_kind = "kind" in values and network_fields.kind_of(values) is None
    return has_wrong_kind or parts.field in network_fields.taken(parts.kind, values)


def _untaken_field_problem(at: KeyPath, field: str, values: Mapping[str, Any]) -> Problem:
    """The problem with a field that traffic of its kind does not take; ``values`` are the traffic's, by field."""
    kind = values.get("kind")
    if kind is None:
        return Problem(at[:-1] or at, "the key 'kind' is missing, such as web")
    kinds_with_field = network_fields.fields("traffic")[field].get("kinds", [])
    verb = "do" if len(kinds_with_field) > 1 else "does"
    message = f"traffic of the kind {kind} does not take `{field}`; {', '.join(kinds_with_field)} {verb}"
    return Problem(at, message, at_key=True)
