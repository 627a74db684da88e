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
    by_kind: dict[str, dict[str, dict[str, Any]]] = {kind: {} for kind in network_fields.KINDS}
    preset = schema.preset(scenario)
    of_file = sections.network_values(data.get(sections.NETWORK) if isinstance(data, dict) else None)
    for name, value in [*(preset.values.items() if preset else ()), *of_file]:
        parts = dotted_names.split(name)
        if parts:
            by_kind[parts.kind].setdefault(parts.thing, {})[parts.field] = value
    return by_kind


def kinds_with(field: str) -> list[str]:
    """Which of links, flows and traffic have a field."""
    return [kind for kind in network_fields.KINDS if field in network_fields.fields(kind)]


def unknown(at: KeyPath, data: Any, scenario: str) -> Problem:
    """The problem with a dotted name whose kind, name or field does not exist, with a suggestion."""
    name = str(at[-1])
    parts = dotted_names.split(name)
    if parts is None:
        expected = f"expected a dotted name, such as network.links.NAME.bandwidth, got {name!r}"
        kind = name.split(".")[1] if "." in name else ""
        return Problem(at, expected + spelling.did_you_mean(kind, network_fields.KINDS), at_key=True)
    of_kind = things(data, scenario)[parts.kind]
    if parts.thing not in of_kind:
        return _no_thing(at, parts, list(of_kind))
    fields = network_fields.taken(parts.kind, of_kind[parts.thing])
    one = network_fields.ONE[parts.kind]
    near = spelling.did_you_mean(parts.field, fields)
    return Problem(
        at, f"a {one} has no {parts.field!r}", at_key=True, choices=f"it has {', '.join(fields)}", nearest=near
    )


def whole(name: str, data: Any, scenario: str) -> str:
    """``; did you mean 'x'?`` if a name is part of a dotted name, or its spelling in reports; else empty."""
    if not any(sign in name for sign in ". "):
        return ""
    names = [
        dotted_names.dotted_name(kind, thing, field)
        for kind, of_kind in things(data, scenario).items()
        for thing, says in of_kind.items()
        for field in network_fields.taken(kind, says)
    ]
    ending = "." + name.replace(" ", ".").replace("_", ".")
    meant = [dotted for dotted in names if dotted.replace("_", ".").endswith(ending)]
    if 0 < len(meant) <= _MOST_MEANT:
        return f"; did you mean {' or '.join(meant)}?"
    is_part = name.partition(".")[0] in network_fields.KINDS
    return spelling.did_you_mean(dotted_names.PREFIX + name, names, 0.8) if is_part else ""


def _no_thing(at: KeyPath, parts: dotted_names.Dotted, names: list[str]) -> Problem:
    one = network_fields.ONE[parts.kind]
    near = spelling.did_you_mean(parts.thing, names)
    has = f"the network has {', '.join(names)}" if names else f"the network has no {one}"
    return Problem(at, f"there is no {one} {parts.thing!r}", at_key=True, choices=has, nearest=near)


def problems(data: Any, scenario: str) -> Iterator[Problem]:
    """Dotted names of links, flows or traffic that do not exist, and fields that a kind of traffic does not take."""
    all_things = things(data, scenario)
    for at, name in sections.named(data):
        parts = dotted_names.split(name)
        if parts is None or network_fields.described(name) is None:
            continue
        of_kind = all_things[parts.kind]
        if parts.thing not in of_kind:
            yield _no_thing(at, parts, list(of_kind))
        elif not _is_taken(parts, of_kind[parts.thing]):
            yield _not_taken(at, parts.field, of_kind[parts.thing])
    section = data.get(sections.NETWORK) if isinstance(data, dict) else None
    for name, _ in sections.network_values(section):
        parts = dotted_names.split(name)
        if parts and parts.kind == "traffic":
            says = all_things["traffic"][parts.thing]
            if network_fields.described(name) is not None and not _is_taken(parts, says):
                yield _not_taken(sections.place_in_network(name), parts.field, says)
    if not all_things["links"]:
        at = (sections.NETWORK,) if isinstance(section, dict) else ("scenario",)
        yield Problem(at, "expected `network` with `links`, such as {first: {between: [a, b], bandwidth: 10Mbps}}")
    elif not all_things["flows"] and not all_things["traffic"]:
        yield Problem((sections.NETWORK,), "expected `flows`, such as {long: {from: a, to: b}}, or `traffic`")


def _is_taken(parts: dotted_names.Dotted, says: Mapping[str, Any]) -> bool:
    """Whether a link, flow or traffic takes a field; true if its kind is not a text, which has its own message."""
    is_unread = "kind" in says and network_fields.kind_of(says) is None
    return is_unread or parts.field in network_fields.taken(parts.kind, says)


def _not_taken(at: KeyPath, field: str, says: Mapping[str, Any]) -> Problem:
    kind = says.get("kind")
    if kind is None:
        return Problem(at[:-1] or at, "the key 'kind' is missing, such as web")
    others = network_fields.fields("traffic")[field].get("kinds", [])
    message = (
        f"traffic of the kind {kind} does not take `{field}`; {', '.join(others)} {'do' if len(others) > 1 else 'does'}"
    )
    return Problem(at, message, at_key=True)
