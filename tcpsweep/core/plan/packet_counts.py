# SPDX-License-Identifier: MIT
"""The packets that a combination's flows and traffic send, estimated from its parameters."""

import math
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from tcpsweep.core.plan import input_means
from tcpsweep.core.sweep import assignment, bottleneck_preset, network_graph
from tcpsweep.core.sweep.matching import Settings
from tcpsweep.core.sweep.network_graph import Step
from tcpsweep.core.sweep.sweep_parts import InputFile
from tcpsweep.core.sweepfile.keys import network_fields
from tcpsweep.core.sweepfile.network import network_views
from tcpsweep.core.words.units import si

_FEWEST_LOSSES = 10  # the expected losses from which on a flow counts as limited by them
_RADIO_BPS = {"wifi": 1.8e7, "lrwpan": 8e4}  # what the stations of a radio reach together
_OBJECTS, _PAGE_TRIPS = 5.64, 6  # a web page's objects, as 3GPP has them, and its round trips besides sending it
_LINK_FIELDS = ("bandwidth", "trace", "policer_rate", "loss", "loss_unit", "loss_on")
_FLOW_FIELDS = ("start", "stop", "bytes", "packet_rate")
_NO_FILES: Mapping[str, InputFile] = MappingProxyType({})


class Load(NamedTuple):
    """The load of a network in a run."""

    packets: float  # data packets
    crossings: float  # the links that these cross, all together
    connections: float  # with a custom topology's nodes, which take as long
    window: float = 0  # the most packets of a flow that are on their way without queues


class _Direction(NamedTuple):
    """A direction of a link: what it carries, in packets/s, and the share of data packets that it loses at random."""

    rate_pps: float
    loss_share: float


def load(row: Settings, inputs: Mapping[str, InputFile] = _NO_FILES) -> Load:
    """The load of a run of a combination. Flows share each link in proportion to their packets without other flows."""
    network, directions = network_views.network_of(row), _directions(row, inputs)
    ways, trips = [flow.way for flow in network.flows], network_views.round_trips_s(row)
    sent = list(_alone(row, directions))
    for step, direction in directions.items():
        flows = [flow for flow in network.crossing.get(step.link, ()) if step in ways[flow]]
        share = direction.rate_pps * si(row["duration"], "time") / (sum(sent[flow] for flow in flows) or math.inf)
        for flow in flows if share < 1 else []:
            sent[flow] *= share
    windows = [min(directions[step].rate_pps for step in way) * trip for way, trip in zip(ways, trips, strict=True)]
    crossings = sum(count * len(way) for count, way in zip(sent, ways, strict=True))
    flows_load = Load(sum(sent), crossings, len(ways), max(windows, default=0.0))
    return Load(*map(sum, zip(flows_load, *_traffic(row, directions, inputs), strict=True)))


def _alone(row: Settings, directions: Mapping[Step, _Direction]) -> Iterator[float]:
    """The packets that each flow would send without others.

    Losses limit all flows but BBR like NewReno (Mathis et al., "The macroscopic behavior of the TCP congestion
    avoidance algorithm", 1997): rate = segment / RTT · √(3 / 2p). Until the first losses, a flow sends as fast as it
    can.
    """
    values = (network_views.flow_values(row, name) for name in _FLOW_FIELDS)
    flows = zip(network_views.network_of(row).flows, network_views.round_trips_s(row), strict=True)
    variants = assignment.flow_variants(row, 1)
    for (flow, trip_s), variant, start, stop, size, rate in zip(flows, variants, *values, strict=True):
        path, length_s = [directions[step] for step in flow.way], _length_s(row, start, stop)
        most = [min(link.rate_pps for link in path) * length_s]
        most += [rate * length_s] * bool(rate) + [size / row["segment_size"]] * bool(size)
        if trip_s and row["socket_buffer"] != "auto":
            most.append(8 * row["socket_buffer"] / network_views.packet_bits(row) / trip_s * length_s)
        loss_share = 0.0 if "bbr" in variant.lower() else sum(link.loss_share for link in path)
        if trip_s and 0 < loss_share < 1:
            most.append(math.sqrt(1.5 / loss_share) / trip_s * length_s + _FEWEST_LOSSES / loss_share)
        yield min(most)


def _directions(row: Settings, inputs: Mapping[str, InputFile]) -> dict[Step, _Direction]:
    """Each direction of a link; a bottleneck is at most as fast as its radio."""
    links, directions = network_views.network_of(row).links, {}
    defaults, bits = network_fields.defaults("links"), network_views.packet_bits(row)
    radio_bps = math.inf
    if "stations" in row and not network_graph.has_named_parts(row):
        radio_bps = _RADIO_BPS["wifi" if "standard" in row else "lrwpan"] / radio_sends(row)
    for forth in (True, False):
        columns = [network_graph.link_values(row, links, name, forth, defaults[name]) for name in _LINK_FIELDS]
        for number, (bandwidth, trace, policer, loss, unit, lost) in enumerate(zip(*columns, strict=True)):
            file = inputs.get(trace)
            bps = input_means.trace_bps(file, si(row["duration"], "time")) if file else si(bandwidth, "rate")
            if links[number].name == bottleneck_preset.BOTTLENECK:
                bps = min(bps, radio_bps)
            bps = bps if policer == "none" else min(bps, si(policer, "rate"))
            loss_share = float(loss) if unit == "packet" else 1 - (1 - float(loss)) ** (bits / 8)
            loses_data = lost == "both" or (lost == "data") == forth
            directions[Step(number, forth)] = _Direction(bps / bits, loss_share * loses_data)
    return directions


def radio_sends(row: Settings) -> int:
    """How often radios send a packet: in a mesh, each station once, too."""
    return 1 + row["stations"] if "mesh_radius_left" in row else 1


def _traffic(row: Settings, directions: Mapping[Step, _Direction], inputs: Mapping[str, InputFile]) -> Iterator[Load]:
    """The load of traffic at a constant rate, of each group of other traffic, and of a custom topology's nodes."""
    network = network_views.network_of(row)
    if network_graph.has_named_parts(row):
        yield Load(0, 0, len(network.nodes))
    if row.get("cbr_flows"):
        per_s = row["cbr_flows"] * si(row["cbr_rate"], "rate") / (8 * row["cbr_packet_size"])
        count = per_s * si(row["duration"], "time")
        yield Load(count, count * max((len(flow.way) for flow in network.flows), default=1), 0)
    for name, way in network.pairs.items():
        group, flows = network_views.traffic_values(row, name), 0.0
        senders, receivers = (len(network_graph.hosts(group[end], int(group["hosts"]))) for end in ("from", "to"))
        length_s = _length_s(row, group["start"], group["stop"])
        line = min(directions[step].rate_pps for step in way)
        trip_s = network_graph.way_round_trip_s(row, network, way, network_fields.defaults("links")["delay"])
        match group["kind"]:
            case "arrivals":
                size = input_means.size_bytes(group["sizes"], inputs)
                at_link = [number for number, link in enumerate(network.links) if link.name == group["link"]]
                pps = sum(
                    min(directions[Step(number, forth)].rate_pps for forth in (True, False)) for number in at_link
                )
                share = group["load"] / network.shares.get(name, 1)
                per_s = share * pps * network_views.packet_bits(row) / 8 / size or float(group["rate"])
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


def _length_s(row: Settings, start: Any, stop: Any) -> float:
    """The time between a start and a stop, of which 0s means never, in s."""
    duration_s: float = si(row["duration"], "time")
    return max(0.0, min(si(stop, "time") or duration_s, duration_s) - float(si(start, "time")))
