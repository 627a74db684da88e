# SPDX-License-Identifier: MIT
"""What to write instead of a key that a sweep file does not have at its place."""

from collections.abc import Iterable
from typing import Any

from tcpsweep.sweepfile import network_section, schema, sections
from tcpsweep.sweepfile.yaml_document import KeyPath, Problem
from tcpsweep.words import dotted_names, not_for, spelling

# What other tools call a parameter or a key of the file, to what to write; its name stands first.
_MEANT = {
    **dict.fromkeys(
        ("rtt", "latency"),
        "write `delay`, the bottleneck's one-way delay: the base round trip is twice "
        "the sum of it and the access links' delays",
    ),
    **dict.fromkeys(("cc", "cca", "tcp", "congestion_control", "algorithm", "variants"), "write `variant`"),
    **dict.fromkeys(("kernel", "linux", "linux_kernel"), "write `stack`, linux for this machine's TCP"),
    **dict.fromkeys(("rate", "bw", "bottleneck", "capacity"), "write `bandwidth`"),
    **dict.fromkeys(("buffer", "buffer_size", "queue_size"), "write `queue`"),
    **dict.fromkeys(("qdisc", "aqm"), "write `queue_disc`"),
    **dict.fromkeys(("loss_rate", "error_rate", "plr"), "write `loss`"),
    **dict.fromkeys(("time", "sim_time", "runtime"), "write `duration`"),
    **dict.fromkeys(("mss", "packet_size"), "write `segment_size`"),
    **dict.fromkeys(
        ("flow_size", "flow_bytes", "size", "file_size", "transfer_size"), "write `bytes`, which a flow sends"
    ),
    "jitter": "write `packet_jitter`, which puts off each packet, or `start_jitter`, which puts off each flow's start",
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


# What a described network has, by words that people write elsewhere.
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
        "`traffic` beside its flows",
    ),
}


def problem(path: KeyPath, allowed: list[str], patterns: Iterable[str], data: Any) -> Problem:
    """What to write instead of a key that is not known at its place.

    Parameters
    ----------
    path : KeyPath
        The key's.
    allowed : list of str
        The keys that may stand there.
    patterns : iterable of str
        What other keys that may stand there match.
    data : object
        The file's.
    """
    key, parameters, scenario = str(path[-1]), schema.raw()["$defs"]["parameters"], schema.scenario_of(data)
    if (path[0] == sections.NETWORK and len(path) > 1) or path[0] == "parameters":
        return _in_network(path, key, allowed)
    if key.startswith(dotted_names.PREFIX) and schema.is_described(scenario):
        return network_section.unknown(path, data, scenario)
    if len(path) == 1 and key in parameters:
        return Problem(path, "this is a parameter; give it under `fixed` or `grid`", at_key=True)
    if path[0] in sections.SECTIONS and key in schema.raw()["properties"]:
        return Problem(path, f"this is a key of the file itself; write it beside `{path[0]}`", at_key=True)
    if not allowed or (patterns and key.startswith("ns3::")):
        expected = "expected an ns-3 attribute's full name, such as ns3::TcpSocket::InitialCwnd"
        return Problem(path, expected, at_key=True)
    if key in parameters and "variant" in allowed:
        return Problem(path, _of_other_scenarios(key, scenario), at_key=True)
    if (path == (sections.NETWORK,) and isinstance(data[key], dict)) or key.startswith(dotted_names.PREFIX):
        return Problem(path, f"this is for `scenario: {schema.PROGRAM}` or a network preset", at_key=True)
    if path[0] != "capture" and schema.is_described(scenario) and (whole := network_section.whole(key, data, scenario)):
        return Problem(path, f"unknown key{whole}", at_key=True)
    meant = _MEANT.get(key.lower(), "")
    name = meant.partition("`")[2].partition("`")[0]
    if name in allowed:
        return Problem(path, f"unknown key; {meant}", at_key=True)
    if len(path) == 1 and name in parameters:
        where = "`grid`" if name == "variant" else "`fixed` or `grid`"
        return Problem(path, f"unknown key; under {where}, {meant}", at_key=True)
    if path[0] != "capture" and not schema.is_described(scenario) and (what := _IN_NETWORKS.get(key.lower())):
        return Problem(path, f"write `scenario: {schema.PROGRAM}`, whose `network` has {what}", at_key=True)
    if path[0] != "capture" and (answer := not_for.said(key)):
        return Problem(path, answer, at_key=True)
    choices, nearest = f"expected one of {', '.join(allowed)}", spelling.nearest(key, allowed)
    return Problem(path, "unknown key", at_key=True, choices=choices, nearest=nearest)


def _in_network(path: KeyPath, key: str, allowed: list[str]) -> Problem:
    """What to write instead of a key of a `network` that it does not have there."""
    if not allowed and len(path) > 1:
        expected = f"expected a name, a letter and then letters, digits, '_' or '-', got {key!r}"
        return Problem(path, expected, at_key=True)
    meant = _MEANT.get(key.lower(), "")
    if meant.partition("`")[2].partition("`")[0] in allowed:
        return Problem(path, f"unknown key; {meant}", at_key=True)
    near = spelling.nearest(key, allowed)
    return Problem(path, "unknown key", at_key=True, choices=f"expected one of {', '.join(allowed)}", nearest=near)


def _of_other_scenarios(key: str, scenario: str) -> str:
    """That a scenario does not take a parameter, what it has for it, and which scenarios take it."""
    if schema.is_described(scenario) and (kinds := network_section.kinds_with(key)):
        where = " or ".join(f"{dotted_names.PREFIX}{kind}.NAME.{key}" for kind in kinds)
        return f"the scenario {scenario} has no `{key}` of its own; write {where}"
    constants = schema.constants(scenario)
    always = f", where it is always {constants[key]}" if key in constants else ""
    others = [name for name in schema.scenarios() if key in schema.parameters(name)]
    takers = f"{', '.join(others)} {'does' if len(others) == 1 else 'do'}"
    return f"the scenario {scenario} does not take `{key}`{always}; {takers}"
