# SPDX-License-Identifier: MIT
"""Suggestions for unknown keys and misplaced values."""

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

from tcpsweep.core.sweepfile.document import sections
from tcpsweep.core.sweepfile.document.yaml_document import KeyPath, Problem
from tcpsweep.core.sweepfile.keys import network_section, schema, sweep_keys
from tcpsweep.core.words import (
    dotted_names,
    field_names,
    network_forms,
    normal_forms,
    not_for,
    quantity_forms,
    spelling,
    units,
)
from tcpsweep.core.words.mixes import JOINT

# Other tools' names for a parameter or a key, to a suggestion that begins with our name.
MEANT = {
    **dict.fromkeys(
        ("rtt", "latency"),
        "write `delay`, the bottleneck's one-way delay: the base round trip is twice "
        "the sum of it and the access links' delays",
    ),
    **dict.fromkeys(("cc", "cca", "tcp", "congestion_control", "algorithm", "variants"), "write `variant`"),
    **dict.fromkeys(("kernel", "linux", "linux_kernel"), "write `stack: linux` for Linux' TCP"),
    "sysctl": "write `sysctls`, as in `sysctls: net.ipv4.tcp_reordering=10`",
    **dict.fromkeys(("rate", "bw", "bottleneck", "capacity"), "write `bandwidth`"),
    **dict.fromkeys(("buffer", "buffer_size", "queue_size"), "write `queue`"),
    **dict.fromkeys(("qdisc", "aqm"), "write `queue_disc`"),
    **dict.fromkeys(("loss_rate", "error_rate", "plr"), "write `loss`"),
    **dict.fromkeys(("sim_time", "runtime"), "write `duration`"),
    "time": "Linux always runs in virtual time, so remove this key; for a simulation's length, write `duration`",
    **dict.fromkeys(("mss", "packet_size"), "write `segment_size`"),
    **dict.fromkeys(("ipv6", "ipv4", "ip_version"), "write `ip`, as in `ip: 6`"),
    **{
        other: f'write `attributes`, as in `attributes: {{"ns3::{attribute}}}`'
        for attribute, others in {
            'TcpSocketBase::Sack": false': ("sack",),
            'TcpSocketBase::Timestamp": false': ("timestamps", "timestamp"),
            'TcpSocketBase::MinRto": 200ms': ("min_rto", "rto_min", "minrto"),
            'TcpSocketState::EnablePacing": true': ("pacing", "enable_pacing"),
            'TcpSocket::InitialCwnd": 10': ("initial_cwnd", "initcwnd", "init_cwnd", "initial_window", "iw"),
            'TcpSocket::DelAckCount": 1': ("delack", "del_ack", "delayed_ack", "del_ack_count"),
        }.items()
        for other in others
    },
    **dict.fromkeys(
        ("flow_size", "flow_bytes", "size", "file_size", "transfer_size"), "write `bytes`, the bytes that a flow sends"
    ),
    "jitter": "write `packet_jitter`, which delays each packet, or `start_jitter`, which delays each flow's start",
    "name": "write `sweep`",
    **dict.fromkeys(("topology", "network"), "write `scenario`"),
    **dict.fromkeys(("matrix", "parameters", "params", "axes"), "write `grid`, a list of values for each parameter"),
    **dict.fromkeys(("reps", "repeat", "repeats", "iterations", "replications"), "write `repetitions`"),
    **dict.fromkeys(("confidence", "half_width", "until"), "write `precision`, as in `precision: {goodput_bps: 5%}`"),
    **dict.fromkeys(("max_runs", "max_repetitions", "most_runs"), "write `at_most`"),
    **dict.fromkeys(("plots", "plot"), "write `figures`"),
    **dict.fromkeys(("assert", "asserts", "expectations", "checks"), "write `expect`"),
    **dict.fromkeys(("trace", "traces"), "write `capture`, which has `traces`"),
    **dict.fromkeys(("caption", "label"), "write `title`"),
}


# Parts of a custom topology, by other names for them.
_IN_NETWORKS = {
    **dict.fromkeys(("bottlenecks", "links", "hops", "nodes", "edges", "routes"), "its `links`"),
    **dict.fromkeys(
        ("trace", "bandwidth_trace", "delay_trace", "rate_trace", "link_trace", "trace_file", "schedule"),
        "a link's `trace` or `schedule`",
    ),
    **dict.fromkeys(
        (
            "arrival",
            "arrivals",
            "arrival_rate",
            "interarrival",
            "poisson",
            "workload",
            "web",
            "http",
            "video",
            "incast",
        ),
        "`traffic` next to its flows",
    ),
}


def unknown_key(path: KeyPath, allowed: list[str], patterns: Iterable[str], data: Any) -> Problem:
    """The problem with an unknown key, with a suggestion; keys that match ``patterns`` are allowed too."""
    key, scenario = str(path[-1]), schema.scenario_of(data)
    if (path[0] == sections.NETWORK and len(path) > 1) or path[0] == "parameters":
        return _unknown_in_network(path, key, allowed)
    if key.startswith(dotted_names.PREFIX) and schema.has_dotted_names(scenario):
        return network_section.unknown(path, data, scenario)
    message = (
        _misplaced_key_message(path, allowed, patterns, data)
        or _missing_space_message(key, allowed)
        or _other_name_message(path, allowed, scenario)
    )
    if message:
        return Problem(path, message, at_key=True)
    choices, nearest = f"expected one of {spelling.listed(allowed)}", spelling.did_you_mean(key, allowed)
    return Problem(path, "unknown key", at_key=True, choices=choices, nearest=nearest)


def _misplaced_key_message(path: KeyPath, allowed: list[str], patterns: Iterable[str], data: Any) -> str:
    """What to do with a key that belongs to another place or scenario; empty if it does not."""
    key, parameters, scenario = str(path[-1]), schema.raw()["parameters"], schema.scenario_of(data)
    if path == (network_forms.REFERENCE_LINK,):
        return f"only a custom topology has links to name: write `scenario: {schema.PROGRAM}`, or remove this key"
    if len(path) == 1 and key in parameters:
        return "this is a parameter: write it under `fixed` or `grid`"
    if path[0] in sections.SECTIONS and key in sweep_keys.properties():
        return f"this is a key of the file itself: write it next to `{path[0]}`, not below it"
    if not allowed or (patterns and key.startswith("ns3::")):
        return "expected an ns-3 attribute's full name, such as ns3::TcpSocket::InitialCwnd"
    if key in parameters and "variant" in allowed:
        return _untaken_parameter_message(key, scenario)
    if (path == (sections.NETWORK,) and isinstance(data[key], dict)) or key.startswith(dotted_names.PREFIX):
        return f"this key needs `scenario: {schema.PROGRAM}` or a network preset"
    if path[0] != "capture" and schema.has_dotted_names(scenario):
        dotted_suggestion = network_section.whole(key, data, scenario)
        return f"unknown key{dotted_suggestion}" if dotted_suggestion else ""
    return ""


def _other_name_message(path: KeyPath, allowed: list[str], scenario: str) -> str:
    """What to write for a key that has another name here, or that tcpsweep does not have; empty if unknown."""
    key, parameters = str(path[-1]), schema.raw()["parameters"]
    suggestion = _other_tools_name(key)
    suggested_name = suggestion.partition("`")[2].partition("`")[0]
    if suggested_name in allowed:
        return f"unknown key; {suggestion}"
    if len(path) == 1 and key.lower() == "time":
        return (
            "Linux always runs in virtual time, so remove this key, or write a simulation's length as `duration` "
            "under `fixed`"
        )
    if len(path) == 1 and suggested_name in parameters:
        where = "`grid`" if suggested_name == "variant" else "`fixed` or `grid`"
        return f"unknown key; under {where}, {suggestion}"
    if path[0] != "capture" and not schema.has_dotted_names(scenario) and (field := _IN_NETWORKS.get(key.lower())):
        return f"write `scenario: {schema.PROGRAM}`, whose `network` has {field}"
    if path[0] in sections.SECTIONS and suggested_name in sweep_keys.properties():
        return f"unknown key; next to `{path[0]}`, {suggestion}"
    return not_for.not_done(key) if path[0] != "capture" else ""


_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def _other_tools_name(key: str) -> str:
    """The suggestion for another tool's name, also in other spellings: ``simTime``, ``sim-time``."""
    return MEANT.get(key.lower()) or MEANT.get(_CAPITAL.sub("_", key).lower().replace("-", "_"), "")


def _missing_space_message(key: str, allowed: list[str]) -> str:
    """The message on a key that goes on after its colon, because no space follows it; empty for others."""
    name, colon, rest = key.partition(":")
    if not colon or name not in allowed or rest.startswith(":"):
        return ""
    return f"write a space after `{name}:`"


def _unknown_in_network(path: KeyPath, key: str, allowed: list[str]) -> Problem:
    """The problem with an unknown key of a `network`, with a suggestion."""
    if not allowed and len(path) > 1:
        expected = f"expected a name, a letter and then letters, digits, '_' or '-', got {key!r}"
        return Problem(path, expected, at_key=True)
    suggestion = _other_tools_name(key)
    if suggestion.partition("`")[2].partition("`")[0] in allowed:
        return Problem(path, f"unknown key; {suggestion}", at_key=True)
    if path[:2] == (sections.NETWORK, "flows") and key == "rate":
        return Problem(path, "unknown key; write `packet_rate`, or `traffic` of the kind on-off", at_key=True)
    near = spelling.did_you_mean(key, allowed)
    return Problem(
        path, "unknown key", at_key=True, choices=f"expected one of {spelling.listed(allowed)}", nearest=near
    )


def _untaken_parameter_message(key: str, scenario: str) -> str:
    """A message: the scenario does not take a parameter, its value there, and the scenarios that take it."""
    if schema.has_dotted_names(scenario) and (kinds := network_section.kinds_with(key)):
        where = " or ".join(f"{dotted_names.PREFIX}{kind}.NAME.{key}" for kind in kinds)
        return f"the scenario {scenario} has no `{key}` of its own; write {where}"
    constants = schema.constants(scenario)
    always = f", where it is always {constants[key]}" if key in constants else ""
    others = [name for name in schema.scenarios() if key in schema.parameters(name)]
    takers = f"{', '.join(others)} {'does' if len(others) == 1 else 'do'}"
    return f"the scenario {scenario} does not take `{key}`{always}; {takers}"


# Formats whose values are always lists, to an example's entries.
_EXAMPLE_OF_LIST = {"ends": "a, b", "route": "first, second"}
_TRUTH_OF_WORD = {"yes": "true", "on": "true", "1": "true", "no": "false", "off": "false", "0": "false"}
_PLAIN_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")
_PERCENTAGE = re.compile(r"([0-9]+(?:\.[0-9]+)?) ?%")


def elsewhere(path: KeyPath, value: object, subschema: dict[str, Any]) -> str:
    """Where to write a value that has the wrong type here; empty if it has no other place."""
    if type_suggestion := _type_suggestion(value, subschema["type"]):
        return type_suggestion
    if not path and isinstance(value, list):
        return "; write the keys without hyphens"
    if path[:1] == ("fixed",) and isinstance(value, list):
        return f"; several values make an axis: move `{_last_key(path)}` to `grid`"
    if path == ("repetitions",) and isinstance(value, list):
        return "; to name the runs, write `runs` instead of `repetitions`"
    if path == ("runs",) and isinstance(value, int) and not isinstance(value, bool):
        return f"; for {value} run{'s' * (value != 1)} write `repetitions: {value}`"
    if path in (("repetitions",), ("runs",)):
        return (
            "; write `repetitions: 10`"
            if path == ("repetitions",)
            else "; write `repetitions: 10` or `runs: [1, 2, 3]`"
        )
    if path == ("refine", "to") and isinstance(value, int | float) and 0 < value < 100:
        return f"; did you mean '{value * 100 if value < 1 else value:.6g}%'?"
    if path == ("refine", "between") and isinstance(value, list) and len(value) == 2:
        return f"; did you mean '{value[0]} and {value[1]}'?"
    if path and path[0] in ("grid", "zip") and subschema["type"] == "array" and isinstance(value, str | int | float):
        items = subschema.get("items", subschema)  # without items: a value that is itself a list
        value_schema = items.get("else", items)  # of a parameter that may differ by flow: the schema of one value
        axis = _last_key(path)
        if value_schema.get("format") in _EXAMPLE_OF_LIST:
            return (
                f"; each value of this axis is a list, as in `{axis}: [[{_EXAMPLE_OF_LIST[value_schema['format']]}]]`"
            )
        return _single_value_advice(axis, value, value_schema)
    return ""


def _last_key(path: KeyPath) -> str:
    """The key of a value, which may be an entry of its list."""
    return next(part for part in reversed(path) if isinstance(part, str))


def _type_suggestion(value: object, kinds: str | list[str]) -> str:
    """How to write a truth value or a number that is written in another way; empty for other values."""
    word = str(value).lower()
    if kinds == "boolean" and word in _TRUTH_OF_WORD:
        return f"; did you mean {_TRUTH_OF_WORD[word]}?"
    if kinds in ("integer", "number") and isinstance(value, str) and _PLAIN_NUMBER.fullmatch(value):
        return "; write it without quotes"
    return ""


def valid_name(value: str) -> str:
    """``; did you mean 'x'?`` for a sweep's name with characters that names must not have; empty if nothing is left."""
    name = _NOT_IN_NAMES.sub("-", value).strip("-._")[:80]
    return f"; did you mean {name!r}?" if name else ""


def _single_value_advice(name: str, value: str | int | float, described: dict[str, Any]) -> str:
    """How to write a single value of an axis, corrected if it is not valid."""
    text = units.value_text(value)
    if form := described.get("format"):
        try:
            normal_forms.normal(value, form)
        except quantity_forms.NoQuantity as error:
            list_text = quantity_forms.range_as_list(value, error.units, schema.usual(described))
            if list_text:
                return f"; several values are a list: `{name}: {list_text}`"
            text = quantity_forms.nearest_quantity(value, error.units, schema.usual(described))
        except ValueError:
            text = ""
    if not text:
        return f"; write one value under `fixed`, such as `{name}: {schema.usual(described) or 'VALUE'}`"
    return f"; write one value under `fixed`: `{name}: {text}`"


def format_problems(path: KeyPath, value: Any, described: dict[str, Any], data: Any) -> Iterator[Problem]:
    """The problem with a value that does not have its parameter's format, with a suggestion."""
    try:
        normal_forms.normal(value, described["format"])
    except quantity_forms.NoQuantity as error:
        usual = schema.usual(described)
        duration_suggestion = _duration_suggestion(value, usual, data) if path[-1] != "duration" else ""
        yield Problem(path, with_null(error.said(usual, duration_suggestion), value))
    except ValueError as error:
        message = _without_percentage(str(error)) if _is_overload(path, value, described) else str(error)
        yield Problem(
            path, with_null(message, value) + (_mix_suggestion(value) if described["format"] == "variant" else "")
        )


# Signs that people write between the variants of a mix.
_MIX_SIGNS = re.compile(r"\s*[+/&,|]\s*|\s+(?:and|vs\.?)\s+")


def _mix_suggestion(value: object) -> str:
    """``; did you mean 'x'?`` for a mix with other signs between its variants, or with spaces; else empty."""
    names = _MIX_SIGNS.split(value) if isinstance(value, str) else []
    variants = [field_names.meant(name) or (name if re.fullmatch("Tcp[A-Za-z0-9]+", name) else "") for name in names]
    return f"; did you mean {JOINT.join(variants)!r}?" if len(names) > 1 and all(variants) else ""


def with_null(message: str, value: object) -> str:
    """A message on a value, with YAML's word for Python's None."""
    return message.replace(f"got {None!r}", "got null") if value is None else message


def _is_overload(path: KeyPath, value: Any, described: dict[str, Any]) -> bool:
    """Whether a value is a load above 1, written as a number."""
    name = _last_key(path)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return described["format"] == "share" and name.rpartition(".")[2] == "load" and is_number and value > 1


def _without_percentage(message: str) -> str:
    """The message on a share, without its suggestion of a percentage: a load of 1.5 hardly means 1.5%."""
    return message.partition("; did you mean")[0] + "; 1 is the whole link"


def _duration_suggestion(value: object, usual: str, data: Any) -> str:
    """The suggestion for a percentage where a time is expected: that share of the sweep's duration; else empty."""
    share = _PERCENTAGE.fullmatch(value) if isinstance(value, str) else None
    if not share or not usual.endswith("s") or usual.endswith("ms"):
        return ""
    duration_texts = {str(item) for _, name, item in sections.values(data) if name == "duration"}
    durations = duration_texts or {schema.raw()["parameters"]["duration"]["default"]}
    duration = durations.pop() if len(durations) == 1 else ""
    parts = units.split(quantity_forms.nearest_quantity(duration, units.TIMES, "60s") or duration)
    if parts is None or parts[1] not in units.TIMES:
        return ""
    time_s = units.in_base_units(*parts, units.TIMES) * Decimal(share[1]) / 100
    return f"; did you mean '{units.plain(time_s)}s', {value} of the duration?"
