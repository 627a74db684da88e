# SPDX-License-Identifier: MIT
"""The packets that a combination's flows and traffic send, estimated from its parameters."""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from tcpsweep.core.plan import input_means
from tcpsweep.core.sweep import assignment, bottleneck_preset, network_graph
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.sweep_parts import InputFile
from tcpsweep.core.sweepfile.keys import network_fields
from tcpsweep.core.sweepfile.network import network_views
from tcpsweep.core.words.units import si

_FEWEST_LOSSES = 10  # the expected losses from which on a flow counts as limited by them
_RADIO_BPS = {"wifi": 1.8e7, "lrwpan": 8e4}  # what the stations of a radio reach together
_OBJECTS, _PAGE_TRIPS = 5.64, 6  # a web page's objects, as 3GPP has them, and its round trips besides sending it
_NO_FILES: Mapping[str, InputFile] = MappingProxyType({})


class Load(NamedTuple):
    """The load of a network in a run."""

    packets: float  # data packets
    crossings: float  # the links that these cross, all together
    connections: float  # with a custom topology's nodes, which take as long
    window: float = 0  # the most packets of a flow that are on their way without queues


class _Path(NamedTuple):
    """A flow's path: directions of links, the round trip without queues, and the share of packets lost at random."""

    links: tuple[Any, ...]
    trip_s: float
    loss_share: float


def load(row: Combination, inputs: Mapping[str, InputFile] = _NO_FILES) -> Load:
    """The load of a run of a combination. Flows share each link in proportion to their packets without other flows."""
    bits, (paths, link_bps) = network_views.packet_bits(row), _network(row, inputs)
    for number, variant in enumerate(assignment.flow_variants(row, 1)):
        if "bbr" in variant.lower():  # its rate does not follow losses
            paths[number] = paths[number]._replace(loss_share=0.0)
    values = (network_views.flow_values(row, name) for name in ("start", "stop", "bytes", "packet_rate"))
    sent = [_alone(row, path, link_bps, *limits) for path, *limits in zip(paths, *values, strict=True)]
    users = defaultdict(list)
    for number, path in enumerate(paths):
        for link in path.links:
            users[link].append(number)
    for link, flows in users.items():
        share = link_bps[link] / bits * row.duration_s / (sum(sent[flow] for flow in flows) or math.inf)
        for flow in flows if share < 1 else []:
            sent[flow] *= share
    crossings = sum(count * len(path.links) for count, path in zip(sent, paths, strict=True))
    window = max((min(link_bps[link] for link in path.links) / bits * path.trip_s for path in paths), default=0.0)
    most_links = max((len(path.links) for path in paths), default=1)
    traffic = [*_traffic(row, link_bps, inputs), *_constant_rate(row, most_links)]
    return Load(*map(sum, zip(Load(sum(sent), crossings, len(paths), window), *traffic, strict=True)))


def _alone(row: Combination, path: _Path, link_bps: Mapping[Any, float], *limits: Any) -> float:
    """The packets that a flow would send without others; ``limits`` are its start, stop, bytes and packet rate.

    Losses limit all flows like NewReno (Mathis et al., "The macroscopic behavior of the TCP congestion avoidance
    algorithm", 1997): rate = segment / RTT · √(3 / 2p). Until the first losses, a flow sends as fast as it can.
    """
    start, stop, size, rate = limits
    length_s, bits = _length_s(row, start, stop), network_views.packet_bits(row)
    most = [min(link_bps[link] for link in path.links) / bits * length_s]
    most += [rate * length_s] * bool(rate) + [size / row["segment_size"]] * bool(size)
    if path.trip_s and row["socket_buffer"] != "auto":
        most.append(8 * row["socket_buffer"] / bits / path.trip_s * length_s)
    if path.trip_s and 0 < path.loss_share < 1:
        most.append(math.sqrt(1.5 / path.loss_share) / path.trip_s * length_s + _FEWEST_LOSSES / path.loss_share)
    return min(most)


def _constant_rate(row: Combination, links: int) -> Iterator[Load]:
    """The load of the traffic at a constant rate, which crosses a number of links."""
    if row.get("cbr_flows"):
        per_s = row["cbr_flows"] * si(row["cbr_rate"], "rate") / (8 * row["cbr_packet_size"])
        count = per_s * row.duration_s
        yield Load(count, count * links, 0)


def _radio_bps(row: Combination) -> float:
    """The most that a radio carries, in bit/s; infinite without stations, which all send each packet in a mesh."""
    if "stations" not in row or network_graph.has_named_parts(row):
        return math.inf
    sends = 1 + row["stations"] if "mesh_radius_left" in row else 1
    return _RADIO_BPS["wifi" if "standard" in row else "lrwpan"] / sends


def _network(row: Combination, inputs: Mapping[str, InputFile]) -> tuple[list[_Path], dict[Any, float]]:
    """The flows' paths, and the mean rate of each direction of a link, in bit/s."""
    network, link_bps, lost_shares, values = network_views.network_of(row), {}, {}, row.values_by_name
    names = ("bandwidth", "trace", "policer_rate", "loss", "loss_unit", "loss_on")
    defaults, duration_s = network_fields.defaults("links"), row.duration_s
    for forth in (True, False):
        columns = [network_graph.link_values(values, network.links, name, forth, defaults[name]) for name in names]
        for number, (bandwidth, trace, policer, loss, unit, lost) in enumerate(zip(*columns, strict=True)):
            bps = input_means.trace_bps(inputs[trace], duration_s) if trace in inputs else si(bandwidth, "rate")
            if network.links[number].name == bottleneck_preset.BOTTLENECK:
                bps = min(bps, _radio_bps(row))
            link_bps[number, forth] = bps if policer == "none" else min(bps, si(policer, "rate"))
            loses_data = lost == "both" or (lost == "data") == forth
            lost_shares[number, forth] = _loss_share(row, float(loss), unit) * loses_data
    flows_and_trips = zip(network.flows, network_views.round_trips_s(row), strict=True)
    return [
        _Path(flow.way, trip_s, sum(lost_shares[step] for step in flow.way)) for flow, trip_s in flows_and_trips
    ], link_bps


def _traffic(row: Combination, link_bps: Mapping[Any, float], inputs: Mapping[str, InputFile]) -> Iterator[Load]:
    """The load of each group of traffic, and of a custom topology's nodes."""
    network = network_views.network_of(row)
    if network_graph.has_named_parts(row):
        yield Load(0, 0, len(network.nodes))
    for name, way in network.pairs.items():
        group, flows = network_views.traffic_values(row, name), 0.0
        senders, receivers = (len(network_graph.hosts(group[end], int(group["hosts"]))) for end in ("from", "to"))
        length_s = _length_s(row, group["start"], group["stop"])
        line = min(link_bps[step] for step in way) / network_views.packet_bits(row)
        trip_s = network_graph.way_round_trip_s(row, network, way, network_fields.defaults("links")["delay"])
        match group["kind"]:
            case "arrivals":
                size = input_means.size_bytes(group["sizes"], inputs)
                numbers = [number for number, link in enumerate(network.links) if link.name == group["link"]]
                bps = sum(min(link_bps[number, True], link_bps[number, False]) for number in numbers)
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


def _loss_share(row: Combination, loss: float, unit: str) -> float:
    """The share of packets that are lost at random."""
    return loss if unit == "packet" else 1 - (1 - loss) ** (network_views.packet_bits(row) / 8)
