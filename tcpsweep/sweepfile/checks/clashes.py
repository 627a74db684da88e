# SPDX-License-Identifier: MIT
"""Settings that are valid by themselves but do not go together: some are mistakes, some get a warning."""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from tcpsweep.sweep import assignment, base_network, network_graph
from tcpsweep.sweep.matching import Settings
from tcpsweep.sweepfile.checks import marks, network_check, short_round_trips, start_times, wireless
from tcpsweep.sweepfile.document import sections
from tcpsweep.sweepfile.document.yaml_document import Problem
from tcpsweep.sweepfile.keys import conditions, schema
from tcpsweep.words import quantities, quantity_forms
from tcpsweep.words.mixes import Mix

_HEADER_BYTES = 54  # IPv4 20 B, TCP 20 B, timestamps 12 B, PPP 2 B
# By version of IP: its headers and those of TCP with timestamps, and the MTU of all links (RFC 8200, 5, for IPv6).
_PACKETS = {4: (20 + 32, 1500), 6: (40 + 32, 1280)}
_MAX_PACING = "ns3::TcpSocketState::MaxPacingRate"
_MOST_JITTER_S = 1e9  # as `ScenarioParameters::FromOptions` has it
_VOID_LOSS = 0.1  # of full packets

# The parameters at fault, the one to point at first, and what is wrong.
_Found = Iterator[tuple[tuple[str, ...], str]]


def capture_problems(capture: Mapping[str, Any]) -> Iterator[Problem]:
    """Settings of a sweep file's ``capture`` that do not go together."""
    if capture.get("anim") and not capture.get("keep_raw"):
        yield Problem(
            ("capture", "anim"),
            "anim.xml would be removed with the other raw files; add `keep_raw: true` to `capture`",
        )
    if capture.get("text") and not capture.get("keep_raw"):
        yield Problem(
            ("capture", "text"),
            "the text would be removed with the other raw files; add `keep_raw: true` to `capture`",
        )


def problems(data: dict[str, Any], row: Settings) -> Iterator[Problem]:
    """Values of one combination that do not go together."""
    if row["warmup"] == "auto" and "received_bytes" not in data.get("capture", {}).get("traces", ["received_bytes"]):
        message = "`warmup: auto` is found in the trace received_bytes; add it to `capture.traces` or give a time"
        yield Problem(("capture", "traces"), message)
    for names, message in _in_any_network(data["scenario"], row):
        yield Problem(sections.place(data, *names), message)
    if schema.is_described(data["scenario"]):
        yield from _of_network(data, row)
        return
    for names, message in _in_own_network(data, row):
        yield Problem(sections.place(data, *names), message)


def _in_any_network(scenario: str, row: Settings) -> _Found:
    if row["warmup"] != "auto" and quantities.si(row["warmup"], "time") >= quantities.si(row["duration"], "time"):
        yield ("warmup", "duration"), f"warmup ({row['warmup']}) must be shorter than duration ({row['duration']})"
    headers, mtu = _PACKETS[schema.ip(scenario)]
    if row["segment_size"] + headers > mtu:
        yield (
            ("segment_size",),
            f"segments of {row['segment_size']} B and {headers} B of headers exceed the MTU of {mtu} B; "
            f"at most {mtu - headers} B fit",
        )
    if row["socket_buffer"] != "auto" and row["socket_buffer"] < row["segment_size"]:
        expected = f"expected auto, or at least one segment, {row['segment_size']} B; got {row['socket_buffer']}"
        yield ("socket_buffer", "segment_size"), expected


def _in_own_network(data: dict[str, Any], row: Settings) -> _Found:
    """What does not go together in the network of a scenario that is a program."""
    topology, end_s = schema.topology(data["scenario"]), quantities.si(row["duration"], "time")
    packet_bytes = base_network.packet_bytes(row, topology) + base_network.PPP_BYTES
    packet_s = packet_bytes * 8 / quantities.si(row["bandwidth"], "rate")
    if row.get("packet_jitter", 0) * packet_s > _MOST_JITTER_S:
        most = f"at most {_MOST_JITTER_S / packet_s:.3g}, {_MOST_JITTER_S:.0e} s"
        yield ("packet_jitter",), f"expected {most}; got {row['packet_jitter']:g}"
    variants = Mix.parse(row["variant"]).turns
    if len(variants) > row["flows"]:
        yield ("flows", "variant"), f"{row['variant']} needs {len(variants)} flows, not {row['flows']}"
    yield from network_check.size_problems(row, topology)
    yield from marks.problems(row, topology)
    if any(0 < rate < network_check.LEAST_PACKET_RATE for rate in conditions.listed(row["packet_rate"])):
        least = f"{network_check.LEAST_PACKET_RATE:g} packets/s"
        yield ("packet_rate",), f"expected 0, for as fast as TCP lets it, or at least {least}"
    yield from [*_wrong_order(row, end_s), *network_check.step_problems(row)] or start_times.problems(
        data["scenario"], row
    )
    if "stations" in row:
        yield from wireless.problems(row, data.get("fixed", {}))


def _of_network(data: dict[str, Any], row: Settings) -> Iterator[Problem]:
    """Values of a described network that do not go together."""
    found = list(network_check.problems(row))
    if not found:
        found += start_times.problems(data["scenario"], row)
    for names, message in found:
        if names[0] in ("network.links", "network.flows"):
            yield Problem(("network",), message)
            continue
        place = sections.place(data, *names)
        at = "" if place != ("scenario",) else f"{names[0]}: "
        yield Problem(place, at + message)


def _wrong_order(row: Settings, end_s: float) -> _Found:
    """Times that come in the wrong order."""
    starts, stops = (
        [quantities.si(value, "time") for value in conditions.listed(row[name])] for name in ("start", "stop")
    )
    stagger = quantities.si(row["start_stagger"], "time")
    for flow in range(row["flows"] + row["reverse_flows"]):
        start, stop = starts[flow % len(starts)] + flow * stagger, stops[flow % len(stops)]
        if stop and stop <= start:
            yield ("stop",), f"flow {flow} leaves ({stop:g} s) before it joins ({start:g} s); 0s means never"
            break
        if start >= end_s:
            yield ("start_stagger", "start"), f"flow {flow} starts after the end ({row['duration']})"
            break
    start, stop = quantities.si(row["cbr_start"], "time"), quantities.si(row["cbr_stop"], "time")
    if stop and stop <= start:
        message = f"cbr_stop ({row['cbr_stop']}) must come after cbr_start ({row['cbr_start']}); 0s means never"
        yield ("cbr_stop",), message


def warnings(scenario: str, row: Settings, runs: Sequence[int] = ()) -> Iterator[str]:
    """Settings of one combination that run but make a comparison worth little; ``runs`` are its run numbers."""
    if network_graph.is_described(row):
        yield from _unbalanced(row, runs)
        yield from short_round_trips.warnings(row, schema.topology(scenario))
        return
    bottleneck = quantities.si(row["bandwidth"], "rate")
    if row["step_bandwidth"] != "none":
        bottleneck = max(bottleneck, quantities.si(row["step_bandwidth"], "rate"))
    access = [
        rate for rate in (*conditions.listed(row.get("access_bandwidth", [])), *_receivers(row)) if rate != "same"
    ]
    slowest = min(access, key=lambda rate: quantities.si(rate, "rate"), default=None)
    if slowest and quantities.si(slowest, "rate") <= bottleneck:
        yield (
            f"an access link of {slowest} is no faster than the bottleneck, {quantity_forms.rate(f'{bottleneck}bps')}: "
            "the shared link may not be where packets queue"
        )
    with contextlib.suppress(ValueError):  # what is no rate, ns-3 refuses
        if _MAX_PACING in row and quantities.si(row[_MAX_PACING], "rate") < bottleneck:
            yield (
                f"{_MAX_PACING} {row[_MAX_PACING]} is less than the bottleneck's "
                f"{quantity_forms.rate(f'{bottleneck}bps')}: flows that pace, as BBR's do, cannot fill it"
            )
    yield from _unbalanced(row, runs)
    packet = row["segment_size"] + _HEADER_BYTES
    lost = 1 - (1 - row["loss"]) ** packet if row["loss_unit"] == "byte" else row["loss"]
    if lost >= _VOID_LOSS:
        yield (
            f"loss {quantities.value_text(row['loss'])} per {row['loss_unit']} loses {lost:.0%} of full packets: "
            "TCP hardly gets beyond timeouts there"
        )
    cross = row["cbr_flows"] * quantities.si(row["cbr_rate"], "rate") * (1 + 30 / row["cbr_packet_size"])
    if cross >= bottleneck:
        yield f"{row['cbr_flows']} CBR flows of {row['cbr_rate']} fill the bottleneck by themselves"
    yield from marks.warnings(row)
    yield from short_round_trips.warnings(row, schema.topology(scenario))


def _unbalanced(row: Settings, runs: Sequence[int]) -> Iterator[str]:
    """Variants that change places, but not as often as it takes to be back."""
    if runs and not assignment.is_balanced(row, runs):
        yield (
            f"the variants of {row['variant']} change places with the run's number, and are back after "
            f"{assignment.period(row)} runs: these {len(runs)} give some flows one variant more often than another"
        )


def _receivers(row: Settings) -> list[str]:
    """The rates of the receivers' own access links; none where the scenario has none."""
    return cast("list[str]", conditions.listed(row.get("receiver_access_bandwidth", [])))
