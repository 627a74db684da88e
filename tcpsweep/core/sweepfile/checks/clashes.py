# SPDX-License-Identifier: MIT
"""Valid settings that do not fit together: some are mistakes, some get a warning."""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from tcpsweep.core.sweep import assignment, base_network, network_graph, rotations
from tcpsweep.core.sweep.base_network import Topology
from tcpsweep.core.sweep.matching import Settings
from tcpsweep.core.sweepfile.checks import marks, network_check, start_times
from tcpsweep.core.sweepfile.document import sections
from tcpsweep.core.sweepfile.document.yaml_document import Problem
from tcpsweep.core.sweepfile.keys import conditions, schema
from tcpsweep.core.sweepfile.network import network_views
from tcpsweep.core.words import quantities, quantity_forms
from tcpsweep.core.words.mixes import Mix
from tcpsweep.core.words.thresholds import LEAST_RUNS
from tcpsweep.features.wireless import wireless_check

IMPORT_PAGE = "import-"  # the pages of `tcpsweep import` begin with it, so no report may
# By IP version: the bytes of IP's and TCP's headers with timestamps, and all links' MTU (RFC 8200, 5, for IPv6).
_PACKETS = {4: (20 + 32, 1500), 6: (40 + 32, 1280)}
_MAX_PACING = "ns3::TcpSocketState::MaxPacingRate"
_MOST_JITTER_S = 1e9  # the same as in `ScenarioParameters::FromOptions`
_VOID_LOSS = 0.1  # of full packets
_SHORT_S = 0.02  # a round trip so short that ns-3's timers and clocks determine a flow's behaviour
_FEW_PACKETS = 2  # in a buffer so small that it decides which variant wins
_MIN_RTO = "ns3::TcpSocketBase::MinRto"
_DELAYED_ACK = "ns3::TcpSocket::DelAckTimeout"
_TIMESTAMP = "ns3::TcpSocketBase::Timestamp"
# ns-3's defaults, in s: tcp-socket-base.cc and tcp-socket.cc.
_DEFAULT_S = {_MIN_RTO: 1.0, _DELAYED_ACK: 0.2}

# The parameters at fault, the most important one first, and the message.
_Faults = Iterator[tuple[tuple[str, ...], str]]


def name_problems(name: str) -> Iterator[Problem]:
    """A sweep's name with which its report would be an import's page."""
    if name.startswith(IMPORT_PAGE):
        message = f"the pages of `tcpsweep import` begin with {IMPORT_PAGE}: write a name that begins otherwise"
        yield Problem(("sweep",), message)


def capture_problems(capture: Mapping[str, Any]) -> Iterator[Problem]:
    """Settings of a sweep file's ``capture`` that do not fit together."""
    for key, what in {"anim": "anim.xml", "text": "the text"}.items():
        if capture.get(key) and not capture.get("keep_raw"):
            message = f"{what} would be removed with the other raw files; add `keep_raw: true` to `capture`"
            yield Problem(("capture", key), message)


def problems(data: dict[str, Any], row: Settings) -> Iterator[Problem]:
    """Values of one combination that do not fit together."""
    if row["warmup"] == "auto" and "received_bytes" not in data.get("capture", {}).get("traces", ["received_bytes"]):
        message = "`warmup: auto` needs the trace received_bytes; add it to `capture.traces`, or write a time"
        yield Problem(("capture", "traces"), message)
    for names, message in _in_any_network(data["scenario"], row):
        yield Problem(sections.place(data, *names), message)
    if schema.is_described(data["scenario"]):
        yield from _of_network(data, row)
        return
    for names, message in _in_own_network(data, row):
        yield Problem(sections.place(data, *names), message)


def _in_any_network(scenario: str, row: Settings) -> _Faults:
    if row["warmup"] != "auto" and quantities.si(row["warmup"], "time") >= quantities.si(row["duration"], "time"):
        yield ("warmup", "duration"), f"warmup ({row['warmup']}) must be shorter than duration ({row['duration']})"
    headers, mtu = _PACKETS[schema.ip(scenario)]
    if row["segment_size"] + headers > mtu:
        yield (
            ("segment_size",),
            f"segments of {row['segment_size']} B and {headers} B of headers exceed the MTU of {mtu} B; "
            f"at most {mtu - headers} B fit",
        )
    if row.get("loss") == 1:
        yield ("loss",), "1 is 100 %, so nothing would arrive; for 1 % write `1%` or 0.01"
    if row["socket_buffer"] != "auto" and row["socket_buffer"] < row["segment_size"]:
        expected = f"expected auto, or at least one segment, {row['segment_size']} B; got {row['socket_buffer']}"
        yield ("socket_buffer", "segment_size"), expected


def _in_own_network(data: dict[str, Any], row: Settings) -> _Faults:
    """Values that do not fit together in the network of a scenario with its own program."""
    topology, end_s = schema.topology(data["scenario"]), quantities.si(row["duration"], "time")
    packet_bytes = base_network.packet_bytes(row, topology) + base_network.PPP_BYTES
    packet_s = packet_bytes * 8 / quantities.si(row["bandwidth"], "rate")
    if row.get("packet_jitter", 0) * packet_s > _MOST_JITTER_S:
        most = f"at most {_MOST_JITTER_S / packet_s:.3g}, {_MOST_JITTER_S:.0e} s"
        yield ("packet_jitter",), f"expected {most}; got {row['packet_jitter']:g}"
    variants = Mix.parse(row["variant"]).turns
    if len(variants) > row["flows"]:
        yield (
            ("flows", "variant"),
            f"{row['variant']} needs {len(variants)} flows or more, got {row['flows']}; write `flows: {len(variants)}`",
        )
    yield from network_check.size_problems(row, topology)
    yield from marks.problems(row, topology)
    if any(0 < rate < network_check.LEAST_PACKET_RATE for rate in conditions.listed(row["packet_rate"])):
        least = f"{network_check.LEAST_PACKET_RATE:g} packets/s"
        yield ("packet_rate",), f"expected 0, for as fast as TCP lets it, or at least {least}"
    yield from [*_wrong_order(row, end_s), *network_check.step_problems(row)] or start_times.problems(
        data["scenario"], row
    )
    if "stations" in row:
        yield from wireless_check.problems(row, data.get("fixed", {}))


def _of_network(data: dict[str, Any], row: Settings) -> Iterator[Problem]:
    """Values of a custom topology that do not fit together."""
    faults = list(network_check.problems(row))
    if not faults:
        faults += start_times.problems(data["scenario"], row)
    for names, message in faults:
        if names[0] in ("network.links", "network.flows"):
            yield Problem(("network",), message)
            continue
        place = sections.place(data, *names)
        at = "" if place != ("scenario",) else f"{names[0]}: "
        yield Problem(place, at + message)


def _wrong_order(row: Settings, end_s: float) -> _Faults:
    """Times in the wrong order."""
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
    """Settings of one combination that run but spoil a comparison; ``runs`` are its run numbers."""
    if network_graph.is_described(row):
        yield from _unbalanced(row, runs)
        yield from _small_buffers_of_network(row)
        yield from _short_round_trips(row, schema.topology(scenario))
        return
    bottleneck = quantities.si(row["bandwidth"], "rate")
    if row["step_bandwidth"] != "none":
        bottleneck = max(bottleneck, quantities.si(row["step_bandwidth"], "rate"))
    access = [rate for end in ("", "receiver_") for rate in conditions.listed(row.get(f"{end}access_bandwidth", []))]
    slowest = min(
        (rate for rate in access if rate != "same"), key=lambda rate: quantities.si(rate, "rate"), default=None
    )
    if slowest and quantities.si(slowest, "rate") <= bottleneck:
        yield (
            f"an access link of {slowest} is no faster than the bottleneck, {quantity_forms.rate(f'{bottleneck}bps')}: "
            "packets may queue elsewhere than at the shared link"
        )
    with contextlib.suppress(ValueError):  # ns-3 refuses a value that is not a rate
        if _MAX_PACING in row and quantities.si(row[_MAX_PACING], "rate") < bottleneck:
            yield (
                f"{_MAX_PACING} {row[_MAX_PACING]} is less than the bottleneck's "
                f"{quantity_forms.rate(f'{bottleneck}bps')}: flows with pacing, such as BBR's, cannot fill it"
            )
    yield from _unbalanced(row, runs)
    packet = row["segment_size"] + network_views.HEADERS_BYTES
    lost = 1 - (1 - row["loss"]) ** packet if row["loss_unit"] == "byte" else row["loss"]
    if lost >= _VOID_LOSS:
        yield (
            f"loss {quantities.value_text(row['loss'])} per {row['loss_unit']} loses {lost:.0%} of full packets: "
            "TCP hardly does more than time out there; for a percentage, write `1%`"
        )
    cross = row["cbr_flows"] * quantities.si(row["cbr_rate"], "rate") * (1 + 30 / row["cbr_packet_size"])
    if cross >= bottleneck:
        yield f"{row['cbr_flows']} CBR flows of {row['cbr_rate']} fill the bottleneck; TCP flows get hardly any of it"
    yield from marks.warnings(row)
    yield from _small_buffers(row, schema.topology(scenario), "")
    yield from _small_socket_buffers(row, schema.topology(scenario))
    if not assignment.is_only_kernels(row):
        yield from _short_round_trips(row, schema.topology(scenario))


def _unbalanced(row: Settings, runs: Sequence[int]) -> Iterator[str]:
    """Variants that swap positions in an incomplete rotation, or that keep positions that differ."""
    differing = assignment.differing(row)
    if differing and assignment.matters(row) and not assignment.is_rotated(row):
        yield (
            f"{differing} gives flows different positions, and with `assignment: fixed` each variant of "
            f"{row['variant']} keeps its own: a difference between variants may come from their positions; "
            "remove `assignment`, so that they swap positions"
        )
    if runs and not assignment.is_balanced(row, runs):
        length = assignment.period(row)
        whole = rotations.whole(runs, length)
        told = (
            f"only {whole * length} of these {len(runs)} count"
            if whole
            else f"these {len(runs)} are not a whole rotation"
        )
        yield (
            f"the variants of {row['variant']} swap positions from run to run, and a rotation takes {length} runs. "
            f"Intervals and verdicts need whole rotations, and {told}: write "
            f"`repetitions: {rotations.rounded_up(max(len(runs), LEAST_RUNS * length), length)}`"
        )


def _small_buffers(row: Settings, topology: Topology, prefix: str) -> Iterator[str]:
    """Sizes in bandwidth-delay products that come to a packet or two; ``prefix`` names a custom topology's link."""
    for name in ("queue", "ecn_threshold"):
        if not row[name].endswith("bdp"):
            continue
        packets, _ = base_network.in_queue(row, row[name], topology)
        if packets > _FEW_PACKETS:
            continue
        why = f"{prefix}{name} {row[name]} comes to {packets} packet{'s' * (packets > 1)}"
        if not base_network.bdp_bytes(row, topology):
            why = f"all delays are 0, so the bandwidth-delay product is 0, and {why}"
        yield f"{why}: write a larger one, such as `100p`"


def _small_socket_buffers(row: Settings, topology: Topology) -> Iterator[str]:
    """Sockets' buffers that are too small for the flows to fill the bottleneck, even with an empty queue."""
    if row["socket_buffer"] == "auto" or not row["flows"]:
        return
    held_bytes = row["flows"] * int(row["socket_buffer"])
    bdp_bytes = base_network.bdp_bytes(row, topology)
    if held_bytes < bdp_bytes:
        yield (
            f"the send buffers of {row['flows']} flow{'s' * (row['flows'] > 1)}, {held_bytes / 1e6:.3g} MB, are "
            f"smaller than the bandwidth-delay product of {bdp_bytes / 1e6:.3g} MB: they limit the flows, and not the "
            "congestion window; remove `socket_buffer` for larger ones"
        )


def _small_buffers_of_network(row: Settings) -> Iterator[str]:
    network, trips = network_views.network_of(row), network_views.round_trips_s(row)
    messages: dict[str, None] = {}
    for number, link, forth in network_views.link_directions(row):
        view = network_views.link_as_bottleneck(row, link, forth)
        topology = network_views.topology_of(row, number, network, trips)
        messages |= dict.fromkeys(_small_buffers(view, topology, f"links.{link.group}: "))
    yield from messages


def _short_round_trips(row: Settings, topology: Topology) -> Iterator[str]:
    """At most one warning for a combination: side effects of short round trips in ns-3's TCP, with numbers."""
    shortest_s = round(min(base_network.round_trips_s(row, topology), default=_SHORT_S), 9)
    if shortest_s >= _SHORT_S:
        return
    said = [
        f"{what} {_seconds_text(_DEFAULT_S[name])}"
        + (f", {_times(_DEFAULT_S[name] / shortest_s)} that" if shortest_s else "")
        for name, what in ((_MIN_RTO, "timeouts come after"), (_DELAYED_ACK, "a delayed ACK waits up to"))
        if name not in row
    ]
    shorter = "`tcp: corrected` has shorter timers. " if said else ""
    if row.get(_TIMESTAMP) != "false":
        said.insert(0, "with timestamps, it is measured in whole milliseconds")  # TcpOptionTS::NowToTsValue
    if said:
        yield (
            f"a base round trip of {_seconds_text(shortest_s)} is short for ns-3's TCP: {'; '.join(said)}. "
            f"{shorter}`preset: datacentre` measures round trips exactly"
        )


def _times(factor: float) -> str:
    """A factor as text, with two digits."""
    return f"{float(f'{factor:.2g}'):g} times"


def _seconds_text(seconds: float) -> str:
    """A time in its usual unit, as text."""
    return quantities.scaled(Decimal(f"{seconds:.9f}"), "s") if seconds else "0s"
