# SPDX-License-Identifier: MIT
"""Settings that are valid by themselves but do not go together: some are mistakes, some get a warning."""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from tcpsweep.sweep import assignment, base_network, network_graph
from tcpsweep.sweep.matching import Settings
from tcpsweep.sweepfile import marks, network_check, schema, sections, short_round_trips, start_times, wireless
from tcpsweep.sweepfile.yaml_document import Problem
from tcpsweep.words import normal_forms, quantities
from tcpsweep.words.mixes import Mix

_HEADER_BYTES = 54  # IPv4 20 B, TCP 20 B, timestamps 12 B, PPP 2 B
# By version of IP: its headers and those of TCP with timestamps, and the MTU of all links (RFC 8200, 5, for IPv6).
_PACKETS = {4: (20 + 32, 1500), 6: (40 + 32, 1280)}
LEAST_PACKET_RATE = 1e-6
_MAX_PACING = "ns3::TcpSocketState::MaxPacingRate"
_MOST_JITTER_S = 1e9  # as `ScenarioParameters::FromOptions` has it
_VOID_LOSS = 0.1  # of full packets


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
    """Values of one combination that do not go together.

    Parameters
    ----------
    data : dict
        The sweep file's data, to find where values are given.
    row : Settings
        The combination: every parameter's normal form.

    Yields
    ------
    Problem
    """
    if row["warmup"] == "auto":
        if "received_bytes" not in data.get("capture", {}).get("traces", ["received_bytes"]):
            yield Problem(
                ("capture", "traces"),
                "`warmup: auto` is found in the trace received_bytes; add it to `capture.traces` or give a time",
            )
    elif quantities.si(row["warmup"], "time") >= quantities.si(row["duration"], "time"):
        yield Problem(
            sections.place(data, "warmup", "duration"),
            f"warmup ({row['warmup']}) must be shorter than duration ({row['duration']})",
        )
    headers, mtu = _PACKETS[schema.ip(data["scenario"])]
    if row["segment_size"] + headers > mtu:
        yield Problem(
            sections.place(data, "segment_size"),
            f"segments of {row['segment_size']} B and {headers} B of headers exceed the MTU of {mtu} B; "
            f"at most {mtu - headers} B fit",
        )
    if schema.is_described(data["scenario"]):
        yield from _of_network(data, row)
        return
    yield from _too_large(data, row)
    if row["queue_disc"].startswith("Fq") and row["queue"].endswith("B"):
        yield Problem(
            sections.place(data, "queue"),
            f"{row['queue_disc']} counts packets; give the queue in packets (100p) or as 1bdp",
        )
    variants = Mix.of(row["variant"]).turns
    if len(variants) > row["flows"]:
        yield Problem(
            sections.place(data, "flows", "variant"),
            f"{row['variant']} needs {len(variants)} flows, not {row['flows']}",
        )
    for names, message in marks.problems(row, schema.topology(data["scenario"])):
        yield Problem(sections.place(data, *names), message)
    if row["loss_burst"] > 1 and row["loss_unit"] == "byte":
        yield Problem(sections.place(data, "loss_burst"), "bursts count packets, and loss_unit is byte")
    if any(0 < rate < LEAST_PACKET_RATE for rate in _listed(row["packet_rate"])):
        yield Problem(
            sections.place(data, "packet_rate"),
            f"expected 0, for as fast as TCP lets it, or at least {LEAST_PACKET_RATE:g} packets/s",
        )
    if times := list(_time_problems(data, row, quantities.si(row["duration"], "time"))):
        yield from times
    else:
        for names, message in start_times.problems(data["scenario"], row):
            yield Problem(sections.place(data, *names), message)
    if "stations" in row:
        for names, message in wireless.problems(row, data.get("fixed", {})):
            yield Problem(sections.place(data, *names), message)


def _of_network(data: dict[str, Any], row: Settings) -> Iterator[Problem]:
    """Values of a described network that do not go together."""
    found = list(network_check.problems(row))
    if not found:
        found += start_times.problems(data["scenario"], row)
    if row["socket_buffer"] != "auto" and row["socket_buffer"] < row["segment_size"]:
        expected = f"expected auto, or at least one segment, {row['segment_size']} B; got {row['socket_buffer']}"
        found.append((("socket_buffer", "segment_size"), expected))
    for names, message in found:
        if names[0] in ("network.links", "network.flows"):
            yield Problem(("network",), message)
            continue
        place = sections.place(data, *names)
        at = "" if place != ("scenario",) else f"{names[0]}: "
        yield Problem(place, at + message)


def _too_large(data: dict[str, Any], row: Settings) -> Iterator[Problem]:
    """Sizes and times that the simulator refuses for what they come to in this network."""
    topology = schema.topology(data["scenario"])
    for name in ("queue", "ecn_threshold"):
        if row[name].endswith("bdp"):
            packets, _ = base_network.in_queue(row, row[name], topology)
            if packets > normal_forms.MOST_COUNT:
                most = f"at most {normal_forms.MOST_COUNT:,} packets, the most that ns-3 counts"
                yield Problem(
                    sections.place(data, name, "bandwidth", "delay"),
                    f"expected {most}; {row[name]} comes to {packets:,}",
                )
    if row["socket_buffer"] != "auto" and row["socket_buffer"] < row["segment_size"]:
        message = f"expected auto, or at least one segment, {row['segment_size']} B; got {row['socket_buffer']}"
        yield Problem(sections.place(data, "socket_buffer", "segment_size"), message)
    packet_bytes = base_network.packet_bytes(row, topology) + base_network.PPP_BYTES
    packet_s = packet_bytes * 8 / quantities.si(row["bandwidth"], "rate")
    if row.get("packet_jitter", 0) * packet_s > _MOST_JITTER_S:
        most = f"at most {_MOST_JITTER_S / packet_s:.3g}, {_MOST_JITTER_S:.0e} s"
        yield Problem(sections.place(data, "packet_jitter"), f"expected {most}; got {row['packet_jitter']:g}")


def _time_problems(data: dict[str, Any], row: Settings, end: float) -> Iterator[Problem]:
    """Times that come in the wrong order."""
    starts, stops = ([quantities.si(value, "time") for value in _listed(row[name])] for name in ("start", "stop"))
    stagger = quantities.si(row["start_stagger"], "time")
    for flow in range(row["flows"] + row["reverse_flows"]):
        start, stop = starts[flow % len(starts)] + flow * stagger, stops[flow % len(stops)]
        if stop and stop <= start:
            yield Problem(
                sections.place(data, "stop"),
                f"flow {flow} leaves ({stop:g} s) before it joins ({start:g} s); 0s means never",
            )
            break
        if start >= end:
            yield Problem(
                sections.place(data, "start_stagger", "start"), f"flow {flow} starts after the end ({row['duration']})"
            )
            break
    start, stop = quantities.si(row["cbr_start"], "time"), quantities.si(row["cbr_stop"], "time")
    if stop and stop <= start:
        yield Problem(
            sections.place(data, "cbr_stop"),
            f"cbr_stop ({row['cbr_stop']}) must come after cbr_start ({row['cbr_start']}); 0s means never",
        )
    step = quantities.si(row["step_time"], "time")
    changes = [name for name in ("step_bandwidth", "step_delay") if row[name] != "none"]
    if changes and not step:
        yield Problem(sections.place(data, *changes), f"{changes[0]} needs the time of the step, step_time")
    if step and not changes:
        yield Problem(sections.place(data, "step_time"), "a step needs step_bandwidth, step_delay or both")
    if step >= end:
        yield Problem(
            sections.place(data, "step_time", "duration"),
            f"step_time ({row['step_time']}) must come before the simulation's end ({row['duration']})",
        )


def warnings(scenario: str, row: Settings, runs: Sequence[int] = ()) -> Iterator[str]:
    """Settings of one combination that run but make a comparison worth little.

    Parameters
    ----------
    scenario : str
    row : Settings
        The combination: every parameter's normal form.
    runs : sequence of int
        The run numbers of each combination.

    Yields
    ------
    str
    """
    if network_graph.is_described(row):
        yield from _unbalanced(row, runs)
        yield from short_round_trips.warnings(row, schema.topology(scenario))
        return
    bottleneck = quantities.si(row["bandwidth"], "rate")
    if row["step_bandwidth"] != "none":
        bottleneck = max(bottleneck, quantities.si(row["step_bandwidth"], "rate"))
    access = [rate for rate in (*_listed(row.get("access_bandwidth", [])), *_receivers(row)) if rate != "same"]
    slowest = min(access, key=lambda rate: quantities.si(rate, "rate"), default=None)
    if slowest and quantities.si(slowest, "rate") <= bottleneck:
        yield (
            f"an access link of {slowest} is no faster than the bottleneck, {normal_forms.rate(f'{bottleneck}bps')}: "
            "the shared link may not be where packets queue"
        )
    with contextlib.suppress(ValueError):  # what is no rate, ns-3 refuses
        if _MAX_PACING in row and quantities.si(row[_MAX_PACING], "rate") < bottleneck:
            yield (
                f"{_MAX_PACING} {row[_MAX_PACING]} is less than the bottleneck's "
                f"{normal_forms.rate(f'{bottleneck}bps')}: flows that pace, as BBR's do, cannot fill it"
            )
    yield from _unbalanced(row, runs)
    packet = row["segment_size"] + _HEADER_BYTES
    lost = 1 - (1 - row["loss"]) ** packet if row["loss_unit"] == "byte" else row["loss"]
    if lost >= _VOID_LOSS:
        yield (
            f"loss {quantities.text(row['loss'])} per {row['loss_unit']} loses {lost:.0%} of full packets: "
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
    return cast("list[str]", _listed(row.get("receiver_access_bandwidth", [])))


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
