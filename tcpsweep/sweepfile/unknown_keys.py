# SPDX-License-Identifier: MIT
"""What to write instead of a key that a sweep file does not have at its place."""

from collections.abc import Iterable

from tcpsweep.sweepfile import schema
from tcpsweep.sweepfile.yaml_document import KeyPath, Problem
from tcpsweep.words import spelling

# What other tools call a parameter, to what to write; it begins with the parameter's name.
_MEANT = {
    **dict.fromkeys(
        ("rtt", "latency"),
        "write `delay`, the bottleneck's one-way delay: the base round trip is twice "
        "the sum of it and the access links' delays",
    ),
    **dict.fromkeys(("cc", "tcp", "congestion_control", "algorithm"), "write `variant`"),
    **dict.fromkeys(("rate", "bw", "bottleneck"), "write `bandwidth`"),
    **dict.fromkeys(("buffer", "buffer_size", "queue_size"), "write `queue`"),
    **dict.fromkeys(("qdisc", "aqm"), "write `queue_disc`"),
    **dict.fromkeys(("loss_rate", "error_rate", "plr"), "write `loss`"),
    **dict.fromkeys(("time", "sim_time", "runtime"), "write `duration`"),
    **dict.fromkeys(("mss", "packet_size"), "write `segment_size`"),
}


def problem(path: KeyPath, allowed: list[str], patterns: Iterable[str]) -> Problem:
    """What to write instead of a key that is not known at its place."""
    key = str(path[-1])
    if len(path) == 1 and key in schema.raw()["$defs"]["parameters"]:
        return Problem(path, "this is a parameter; give it under `fixed` or `grid`", at_key=True)
    if path[0] in ("fixed", "grid", "zip") and key in schema.raw()["properties"]:
        return Problem(path, f"this is a key of the file itself; write it beside `{path[0]}`", at_key=True)
    if not allowed or (patterns and key.startswith("ns3::")):
        expected = "expected an ns-3 attribute's full name, such as ns3::TcpSocket::InitialCwnd"
        return Problem(path, expected, at_key=True)
    if (meant := _MEANT.get(key.lower())) and meant.partition("`")[2].partition("`")[0] in allowed:
        return Problem(path, f"unknown key; {meant}", at_key=True)
    choices, nearest = f"expected one of {', '.join(allowed)}", spelling.nearest(key, allowed)
    return Problem(path, "unknown key", at_key=True, choices=choices, nearest=nearest)
