# SPDX-License-Identifier: MIT
"""The packets that a combination's flows and traffic send, estimated from its parameters."""

import functools
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from tcpsweep.core.plan import input_means
from tcpsweep.core.sweep import assignment, bottleneck_preset, network_graph
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.network_graph import Network, Step, ValuesOfLinks
from tcpsweep.core.sweep.sweep_parts import InputFile
from tcpsweep.core.sweepfile.keys import network_fields
from tcpsweep.core.sweepfile.network import network_views
from tcpsweep.core.words.units import si

_FEWEST_LOSSES = 10  # the expected losses from which on a flow counts as limited by them
_RADIO_BPS = {"wifi": 1.8e7, "lrwpan": 8e4}  # what the stations of a radio reach together
_OBJECTS, _PAGE_TRIPS = 5.64, 6  # a web page's objects, as 3GPP has them, and its round trips besides sending it
_LINK_FIELDS = ("trace", "bandwidth", "policer_rate", "loss", "loss_unit", "loss_on")
_NO_FILES: Mapping[str, InputFile] = MappingProxyType({})


class Load(NamedTuple):
    """The load of a network in a run."""

    packets: float  # data packets
    crossings: float  # the links that these cross, all together
    connections: float  # with a custom topology's nodes, which take as long
    window: float = 0  # the most packets of a flow that are on their way without queues


class _Line(NamedTuple):
    """A direction of a link, or a path: its mean rate, and the share of packets that are lost at random."""

    bps: float
    loss_share: float


class _Lines(NamedTuple):
    """The directions of links, with the flows that cross them, and each flow's path."""

    directions: dict[Step, _Line]
    users: dict[Step, list[int]]
    of_flows: list[_Line]


def load(row: Combination, inputs: Mapping[str, InputFile] = _NO_FILES) -> Load:
    """The load of a run of a combination. Flows share each link in proportion to their packets without other flows."""
    bits, network = network_views.packet_bits(row), network_views.network_of(row)
    lines, trips_s = _lines(row, network, inputs), network_views.round_trips_s(row)
    is_bbr = ("bbr" in variant.lower() for variant in assignment.flow_variants(row, 1))
    limits = (network_views.flow_values(row, name) for name in ("start", "stop", "bytes", "packet_rate"))
    alone = functools.cache(functools.partial(_alone, row))  # many flows are equal
    sent = [alone(*flow) for flow in zip(lines.of_flows, trips_s, is_bbr, *limits, strict=True)]
    for step, flows in lines.users.items():
        most = lines.directions[step].bps / bits * row.duration_s
        share = most / (sum(sent[number] for number in flows) or math.inf)
        for number in flows if share < 1 else []:
            sent[number] *= share
    crossings = sum(count * len(flow.way) for count, flow in zip(sent, network.flows, strict=True))
    window = max((line.bps / bits * trip_s for line, trip_s in zip(lines.of_flows, trips_s, strict=True)), default=0.0)
    traffic = [*_traffic(row, lines.directions, inputs), *_constant_rate(row)]
    return Load(*map(sum, zip(Load(sum(sent), crossings, len(sent), window), *traffic, strict=True)))


def _alone(row: Combination, path: _Line, trip_s: float, is_bbr: bool, *limits: Any) -> float:
    """The packets that a flow would send without others; ``limits`` are its start, stop, bytes and packet rate.

    Losses limit all flows but BBR's like NewReno (Mathis et al., "The macroscopic behavior of the TCP congestion
    avoidance algorithm", 1997): rate = segment / RTT · √(3 / 2p). Until its first losses, a flow sends as fast as it
    can.
    """
    start, stop, size, rate = limits
    length_s, bits = _length_s(row, start, stop), network_views.packet_bits(row)
    most = [path.bps / bits * length_s]
    most += [rate * length_s] * bool(rate) + [size / row["segment_size"]] * bool(size)
    if trip_s and row["socket_buffer"] != "auto":
        most.append(8 * row["socket_buffer"] / bits / trip_s * length_s)
    if trip_s and not is_bbr and 0 < path.loss_share < 1:
        most.append(math.sqrt(1.5 / path.loss_share) / trip_s * length_s + _FEWEST_LOSSES / path.loss_share)
    return min(most)


def _constant_rate(row: Combination) -> Iterator[Load]:
    """The load of the traffic at a constant rate."""
    if row.get("cbr_flows"):
        per_s = row["cbr_flows"] * si(row["cbr_rate"], "rate") / (8 * row["cbr_packet_size"])
        count = per_s * row.duration_s
        yield Load(count, count * bottleneck_preset.constant_rate_links(bottleneck_preset.shape(row)), 0)


def _radio_bps(row: Combination) -> float:
    """The most that a radio carries, in bit/s; infinite without stations, which all send each packet in a mesh."""
    if "stations" not in row or network_graph.has_named_parts(row):
        return math.inf
    return _RADIO_BPS["wifi" if "standard" in row else "lrwpan"] / radio_sends(row)


def radio_sends(row: Combination) -> int:
    """How often radios send a packet: in a mesh, each station once, too."""
    return 1 + row["stations"] if "mesh_radius_left" in row else 1


def _lines(row: Combination, network: Network, inputs: Mapping[str, InputFile]) -> _Lines:
    """The directions of links and the flows' paths."""
    defaults, bits = network_fields.defaults("links"), network_views.packet_bits(row)
    fields = tuple(network_graph.values_of_links(row, network, name, defaults[name]) for name in _LINK_FIELDS)
    traces = {
        trace for both in fields[0] for value in both for trace in (value if isinstance(value, tuple) else [value])
    }
    means_bps = {name: input_means.trace_bps(inputs[name], row.duration_s) for name in traces & inputs.keys()}
    return _lines_of(network, fields, frozenset(means_bps.items()), _radio_bps(row), bits)


@functools.lru_cache(maxsize=1024)
def _lines_of(
    network: Network,
    fields: tuple[ValuesOfLinks, ...],
    means_bps: frozenset[tuple[str, float]],
    radio_bps: float,
    packet_bits: float,
) -> _Lines:
    """The directions of links and the flows' paths, from values of `_LINK_FIELDS` and the mean rates of traces."""
    directions, bps_by_trace = dict[Step, _Line](), dict(means_bps)
    columns = [network_graph.of_each_link(network, values) for values in fields]
    for number, of_link in enumerate(zip(*columns, strict=True)):
        for forth in (True, False):
            trace, bandwidth, policer, loss, unit, lost = (both[not forth] for both in of_link)
            bps = min(
                bps_by_trace.get(trace) or si(bandwidth, "rate"), math.inf if policer == "none" else si(policer, "rate")
            )
            if network.links[number].name == bottleneck_preset.BOTTLENECK:
                bps = min(bps, radio_bps)
            loses_data = lost == "both" or (lost == "data") == forth
            directions[Step(number, forth)] = _Line(bps, _loss_share(float(loss), unit, packet_bits) * loses_data)
    users, of_flows = defaultdict(list), []
    for number, flow in enumerate(network.flows):
        crossed = [directions[step] for step in flow.way]
        of_flows.append(_Line(min(line.bps for line in crossed), sum(line.loss_share for line in crossed)))
        for step in flow.way:
            users[step].append(number)
    return _Lines(directions, users, of_flows)


def _traffic(row: Combination, directions: Mapping[Step, _Line], inputs: Mapping[str, InputFile]) -> Iterator[Load]:
    """The load of each group of traffic, and of a custom topology's nodes."""
    network = network_views.network_of(row)
    if network_graph.has_named_parts(row):
        yield Load(0, 0, len(network.nodes))
    for name, way in network.pairs.items():
        group, flows = network_views.traffic_values(row, name), 0.0
        senders, receivers = (len(network_graph.hosts(group[end], int(group["hosts"]))) for end in ("from", "to"))
        length_s = _length_s(row, group["start"], group["stop"])
        line = min(directions[step].bps for step in way) / network_views.packet_bits(row)
        trip_s = network_graph.way_round_trip_s(row, network, way, network_fields.defaults("links")["delay"])
        match group["kind"]:
            case "arrivals":
                size = input_means.size_bytes(group["sizes"], inputs)
                numbers = [number for number, link in enumerate(network.links) if link.name == group["link"]]
                bps = sum(min(directions[Step(number, forth)].bps for forth in (True, False)) for number in numbers)
                per_s = group["load"] * bps / 8 / size / network.shares.get(name, 1) or float(group["rate"])
                flows = min(per_s * length_s, group["limit"] or math.inf)
                count = flows * (size / row["segment_size"] + 0.5)
            case "incast":
                answers = senders * (group["bytes"] / row["segment_size"] + 1.5)
                rounds = length_s / max(si(group["every"], "time"), answers / line + 2 * trip_s)
                count = min(rounds, group["times"] or rounds) * answers
            case "web":
                objects = _OBJECTS if group["objects"] == "3gpp" else float(group["objects"])
                sizes = [input_means.size_bytes(group[name], inputs) for name in ("main", "object")]
                page = (sizes[0] + objects * sizes[1]) / row["segment_size"] + 1.5 * objects
                wait_s = input_means.time_s(group["parse"]) + input_means.time_s(group["think"])
                count = receivers * length_s * page / (wait_s + page / line + _PAGE_TRIPS * trip_s)
            case "video":
                rates = group["bitrates"] if isinstance(group["bitrates"], list) else [group["bitrates"]]
                count = receivers * length_s * max(si(rate, "rate") for rate in rates) / 8 / row["segment_size"]
            case kind:
                on_s, off_s = (input_means.time_s(group[name]) for name in ("on", "off"))
                bps = math.inf if group["rate"] == "max" else si(str(group["rate"]), "rate")
                size = group["packet_size"] if kind == "realtime" else row["segment_size"]
                count = senders * length_s * on_s / (on_s + off_s) * bps / 8 / size
        if not flows:
            count = min(count, length_s * line)
        yield Load(count, count * len(way), flows)


def _length_s(row: Combination, start: Any, stop: Any) -> float:
    """The time between a start and a stop, of which 0s means never, in s."""
    return max(0.0, min(si(stop, "time") or row.duration_s, row.duration_s) - float(si(start, "time")))


def _loss_share(loss: float, unit: str, packet_bits: float) -> float:
    """The share of packets that are lost at random."""
    return loss if unit == "packet" else 1 - (1 - loss) ** (packet_bits / 8)
