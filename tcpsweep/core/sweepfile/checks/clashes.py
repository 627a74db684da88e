# SPDX-License-Identifier: MIT
"""Valid settings that do not fit together: some are mistakes, some get a warning."""

import contextlib
from collections.abc import Iterator, Sequence
from decimal import Decimal

from tcpsweep.core.contact import features
from tcpsweep.core.sweep import assignment, base_network, network_graph, rotations
from tcpsweep.core.sweep.base_network import Topology
from tcpsweep.core.sweep.matching import Combination, Settings
from tcpsweep.core.sweepfile.checks import marks, network_check, start_times
from tcpsweep.core.sweepfile.document import sections
from tcpsweep.core.sweepfile.document.yaml_document import Problem
from tcpsweep.core.sweepfile.keys import conditions, schema
from tcpsweep.core.sweepfile.keys.sweep_fields import CaptureFields
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.core.sweepfile.network import network_views, segments
from tcpsweep.core.words import quantity_forms, units
from tcpsweep.core.words.thresholds import LEAST_RUNS

IMPORT_PAGE = "import-"  # the pages of `tcpsweep import` begin with it, so no report may
_MAX_PACING = "ns3::TcpSocketState::MaxPacingRate"
_MOST_JITTER_S = 1e9  # the same as in `ScenarioParameters::FromOptions`
_MOST_LOSS = 0.1  # of full packets
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


def capture_problems(capture: CaptureFields) -> Iterator[Problem]:
    """Settings of a sweep file's ``capture`` that do not fit together."""
    for key, is_asked, what in (("anim", capture.anim, "anim.xml"), ("text", capture.text, "the text")):
        if is_asked and not capture.keep_raw:
            message = f"{what} would be removed with the other raw files; add `keep_raw: true` to `capture`"
            yield Problem(("capture", key), message)


def problems(file: SweepFile, row: Combination) -> Iterator[Problem]:
    """Values of one combination that do not fit together."""
    if row["warmup"] == "auto" and "received_bytes" not in file.keys.capture.traces:
        message = "`warmup: auto` needs the trace received_bytes; add it to `capture.traces`, or write a time"
        yield Problem(("capture", "traces"), message)
    for names, message in _common_faults(row):
        yield Problem(sections.place(file.data, *names), message)
    if schema.has_dotted_names(file.scenario):
        yield from _network_problems(file, row)
        return
    for names, message in _program_network_faults(file, row):
        yield Problem(sections.place(file.data, *names), message)


def _common_faults(row: Settings) -> _Faults:
    if row["warmup"] != "auto" and units.si(row["warmup"], "time") >= units.si(row["duration"], "time"):
        yield ("warmup", "duration"), f"warmup ({row['warmup']}) must be shorter than duration ({row['duration']})"
    if row.get("loss") == 1:
        yield ("loss",), "1 is 100 %, so nothing would arrive; for 1 % write `1%` or 0.01"
    if row["socket_buffer"] != "auto" and row["socket_buffer"] < row["segment_size"]:
        expected = f"expected auto, or at least one segment, {row['segment_size']} B; got {row['socket_buffer']}"
        yield ("socket_buffer", "segment_size"), expected


def _program_network_faults(file: SweepFile, row: Combination) -> _Faults:
    """Values that do not fit together in the network of a scenario with its own program."""
    yield from segments.faults(row, network_views.network_of(row))
    topology, end_s = network_views.bottleneck_topology(row), units.si(row["duration"], "time")
    packet_bytes = base_network.packet_bytes(row, topology) + base_network.PPP_BYTES
    packet_s = packet_bytes * 8 / units.si(row["bandwidth"], "rate")
    if row.get("packet_jitter", 0) * packet_s > _MOST_JITTER_S:
        most = f"at most {_MOST_JITTER_S / packet_s:.3g}, {_MOST_JITTER_S:.0e} s"
        yield ("packet_jitter",), f"expected {most}; got {row['packet_jitter']:g}"
    variants = row.mix.turns
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
    yield from [*_time_order_faults(row, end_s), *network_check.step_problems(row)] or start_times.problems(row)
    for ingredient in features.ingredients():
        yield from ingredient.clashes(row, file.keys.fixed or {})


def _network_problems(file: SweepFile, row: Combination) -> Iterator[Problem]:
    """Values of a custom topology that do not fit together."""
    faults = list(network_check.problems(row, file.keys.fixed or {}))
    if not faults:
        faults += start_times.problems(row)
    for names, message in [*segments.faults(row, network_views.network_of(row)), *faults]:
        if names[0] in ("network.links", "network.flows"):
            yield Problem(("network",), message)
            continue
        place = sections.place(file.data, *names)
        name_prefix = "" if place != ("scenario",) else f"{names[0]}: "
        yield Problem(place, name_prefix + message)


def _time_order_faults(row: Settings, end_s: float) -> _Faults:
    """Times in the wrong order."""
    starts_s, stops_s = (
        [units.si(value, "time") for value in conditions.listed(row[name])] for name in ("start", "stop")
    )
    stagger_s = units.si(row["start_stagger"], "time")
    for flow in range(row["flows"] + row["reverse_flows"]):
        start_s, stop_s = starts_s[flow % len(starts_s)] + flow * stagger_s, stops_s[flow % len(stops_s)]
        if stop_s and stop_s <= start_s:
            yield ("stop",), f"flow {flow} leaves ({stop_s:g} s) before it joins ({start_s:g} s); 0s means never"
            break
        if start_s >= end_s:
            yield ("start_stagger", "start"), f"flow {flow} starts after the end ({row['duration']})"
            break
    start_s, stop_s = units.si(row["cbr_start"], "time"), units.si(row["cbr_stop"], "time")
    if stop_s and stop_s <= start_s:
        message = f"cbr_stop ({row['cbr_stop']}) must come after cbr_start ({row['cbr_start']}); 0s means never"
        yield ("cbr_stop",), message


def warnings(row: Combination, runs: Sequence[int] = ()) -> Iterator[str]:
    """Settings of one combination that run but spoil a comparison; ``runs`` are its run numbers."""
    if network_graph.has_named_parts(row):
        yield from _position_warnings(row, runs)
        yield from _network_buffer_warnings(row)
        yield from _short_round_trip_warnings(row)
        return
    bottleneck_bps = units.si(row["bandwidth"], "rate")
    if row["step_bandwidth"] != "none":
        bottleneck_bps = max(bottleneck_bps, units.si(row["step_bandwidth"], "rate"))
    access_rates = [
        rate for end in ("", "receiver_") for rate in conditions.listed(row.get(f"{end}access_bandwidth", []))
    ]
    slowest = min(
        (rate for rate in access_rates if rate != "same"), key=lambda rate: units.si(rate, "rate"), default=None
    )
    if slowest and units.si(slowest, "rate") <= bottleneck_bps:
        yield (
            f"an access link of {slowest} is no faster than the bottleneck, "
            f"{quantity_forms.rate(f'{bottleneck_bps}bps')}: packets may queue elsewhere than at the shared link"
        )
    with contextlib.suppress(ValueError):  # ns-3 refuses a value that is not a rate
        if _MAX_PACING in row and units.si(row[_MAX_PACING], "rate") < bottleneck_bps:
            yield (
                f"{_MAX_PACING} {row[_MAX_PACING]} is less than the bottleneck's "
                f"{quantity_forms.rate(f'{bottleneck_bps}bps')}: flows with pacing, such as BBR's, cannot fill it"
            )
    yield from _position_warnings(row, runs)
    packet_bytes = network_views.packet_bits(row) / 8
    packet_loss = 1 - (1 - row["loss"]) ** packet_bytes if row["loss_unit"] == "byte" else row["loss"]
    if packet_loss >= _MOST_LOSS:
        yield (
            f"loss {units.value_text(row['loss'])} per {row['loss_unit']} loses {packet_loss:.0%} of full "
            "packets: TCP hardly does more than time out there; for a percentage, write `1%`"
        )
    cbr_bps = row["cbr_flows"] * units.si(row["cbr_rate"], "rate") * (1 + 30 / row["cbr_packet_size"])
    if cbr_bps >= bottleneck_bps:
        yield f"{row['cbr_flows']} CBR flows of {row['cbr_rate']} fill the bottleneck; TCP flows get hardly any of it"
    yield from marks.warnings(row)
    topology = network_views.bottleneck_topology(row)
    yield from _small_buffer_warnings(row, topology, "")
    yield from _socket_buffer_warnings(row, topology)
    if not assignment.is_only_kernels(row):
        yield from _short_round_trip_warnings(row)


def _position_warnings(row: Settings, runs: Sequence[int]) -> Iterator[str]:
    """Variants that swap positions in an incomplete rotation, or that keep positions that differ."""
    parameter = assignment.differing(row)
    if parameter and assignment.matters(row) and not assignment.is_rotated(row):
        yield (
            f"{parameter} gives flows different positions, and with `assignment: fixed` each variant of "
            f"{row['variant']} keeps its own: a difference between variants may come from their positions; "
            "remove `assignment`, so that they swap positions"
        )
    if runs and not assignment.is_balanced(row, runs):
        rotation_runs = assignment.period(row)
        rotation_count = rotations.whole(runs, rotation_runs)
        counted_runs = (
            f"only {rotation_count * rotation_runs} of these {len(runs)} count"
            if rotation_count
            else f"these {len(runs)} are not a whole rotation"
        )
        yield (
            f"the variants of {row['variant']} swap positions from run to run, and a rotation takes {rotation_runs} "
            f"runs. Intervals and verdicts need whole rotations, and {counted_runs}: write "
            f"`repetitions: {rotations.rounded_up(max(len(runs), LEAST_RUNS * rotation_runs), rotation_runs)}`"
        )


def _small_buffer_warnings(row: Settings, topology: Topology, prefix: str) -> Iterator[str]:
    """Sizes in bandwidth-delay products that come to a packet or two; ``prefix`` names a custom topology's link."""
    for name in ("queue", "ecn_threshold"):
        if not row[name].endswith("bdp"):
            continue
        packets, _ = base_network.in_queue(row, row[name], topology)
        if packets > _FEW_PACKETS:
            continue
        size_text = f"{prefix}{name} {row[name]} comes to {packets} packet{'s' * (packets > 1)}"
        if not base_network.bdp_bytes(row, topology):
            size_text = f"all delays are 0, so the bandwidth-delay product is 0, and {size_text}"
        yield f"{size_text}: write a larger one, such as `100p`"


def _socket_buffer_warnings(row: Settings, topology: Topology) -> Iterator[str]:
    """Sockets' buffers that are too small for the flows to fill the bottleneck, even with an empty queue."""
    if row["socket_buffer"] == "auto" or not row["flows"]:
        return
    buffers_bytes = row["flows"] * int(row["socket_buffer"])
    bdp_bytes = base_network.bdp_bytes(row, topology)
    if buffers_bytes < bdp_bytes:
        yield (
            f"the send buffers of {row['flows']} flow{'s' * (row['flows'] > 1)}, {buffers_bytes / 1e6:.3g} MB, are "
            f"smaller than the bandwidth-delay product of {bdp_bytes / 1e6:.3g} MB: they limit the flows, and not the "
            "congestion window; remove `socket_buffer` for larger ones"
        )


def _network_buffer_warnings(row: Combination) -> Iterator[str]:
    network = network_views.network_of(row)
    messages: dict[str, None] = {}
    for number, link, forth in network_views.link_directions(row):
        view = network_views.link_as_bottleneck(row, link, forth)
        topology = network_views.topology_of(row, number, network)
        messages |= dict.fromkeys(_small_buffer_warnings(view, topology, f"links.{link.group}: "))
    yield from messages


def _short_round_trip_warnings(row: Combination) -> Iterator[str]:
    """At most one warning for a combination: side effects of short round trips in ns-3's TCP, with numbers."""
    shortest_s = round(min(network_views.round_trips_s(row), default=_SHORT_S), 9)
    if shortest_s >= _SHORT_S:
        return
    effects = [
        f"{effect} {_seconds_text(_DEFAULT_S[name])}"
        + (f", {_times_text(_DEFAULT_S[name] / shortest_s)} that" if shortest_s else "")
        for name, effect in ((_MIN_RTO, "timeouts come after"), (_DELAYED_ACK, "a delayed ACK waits up to"))
        if name not in row
    ]
    timers_advice = "`tcp: corrected` has shorter timers. " if effects else ""
    if row.get(_TIMESTAMP) != "false":
        effects.insert(0, "with timestamps, it is measured in whole milliseconds")  # TcpOptionTS::NowToTsValue
    if effects:
        yield (
            f"a base round trip of {_seconds_text(shortest_s)} is short for ns-3's TCP: {'; '.join(effects)}. "
            f"{timers_advice}`preset: datacentre` measures round trips exactly"
        )


def _times_text(factor: float) -> str:
    """A factor as text, with two digits."""
    return f"{float(f'{factor:.2g}'):g} times"


def _seconds_text(seconds: float) -> str:
    """A time in its usual unit, as text."""
    return units.scaled(Decimal(f"{seconds:.9f}"), "s") if seconds else "0s"
