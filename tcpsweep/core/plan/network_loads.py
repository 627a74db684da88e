# SPDX-License-Identifier: MIT
"""The load of a custom topology in a run, estimated from its parameters: packets, and new connections."""

import functools
import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from tcpsweep.core.plan import input_means
from tcpsweep.core.sweep import network_graph
from tcpsweep.core.sweep.matching import Settings
from tcpsweep.core.sweep.network_graph import Link, Network, Way
from tcpsweep.core.sweep.sweep_parts import InputFile
from tcpsweep.core.sweepfile.keys import network_fields
from tcpsweep.core.sweepfile.network import network_views
from tcpsweep.core.words import normal_forms, units

NONE = "none"
_FEWEST_LOSSES = 10  # expected losses of a flow, from which on they limit it
_OBJECTS = 5.64  # objects of a page: the mean of 3GPP's truncated Pareto distribution; most pages have fewer
_PAGE_LINES = 3  # connections that such a page opens
_PAGE_TRIPS = 6  # round trips of a page, in addition to the time to send it
_CALL_BYTES = 30  # headers of a call's packet


class Load(NamedTuple):
    """The load of a flow or a group of traffic in a run.

    ``packets`` is the number of data packets. Each crosses ``links`` links, and some of these have queues.
    ``connections`` is the number of connections that it opens, ``acks`` the number of ACKs per packet.
    """

    packets: float
    links: int
    queues: int
    connections: float = 1
    acks: float = 0.5
    is_flow: bool = False


def loads(row: Settings, inputs: Mapping[str, InputFile]) -> Iterator[Load]:
    """The load of each flow, then of each group of traffic."""
    network, duration_s = network_views.network_of(row), _time_s(row["duration"])
    step_bps = {
        (number, forth): link_bps(row, link, forth, duration_s, inputs)
        for number, link in enumerate(network.links)
        for forth in (True, False)
    }
    yield from _flow_loads(row, network, step_bps, duration_s)
    for name, way in network.pairs.items():
        group = _Group(
            row, name, inputs, min(step_bps[step] for step in way), _link_counts(row, network, way), duration_s
        )
        group = group._replace(trip_s=network_graph.way_round_trip_s(row, network, way, _link_default("delay")))
        if group.value("kind") == "arrivals":
            link_number = next((n for n, link in enumerate(network.links) if link.name == group.value("link")), None)
            share_bps = (
                min(step_bps[link_number, True], step_bps[link_number, False]) / network.shares[name]
                if link_number is not None
                else 0.0
            )
            yield _arrivals(group, share_bps)
        else:
            yield _LOAD_BY_KIND[group.value("kind")](group)


def link_bps(row: Settings, link: Link, forth: bool, duration_s: float, inputs: Mapping[str, InputFile]) -> float:
    """The mean rate of a direction of a link over a run, in bit/s."""

    def value(name: str) -> Any:
        return network_graph.link_value(row, link, name, forth, network_fields.defaults("links").get(name))

    rate_bps = float(units.si(value("bandwidth"), "rate"))
    if (trace := value("trace")) != NONE and trace in inputs:
        rate_bps = input_means.trace_bps(inputs[trace], duration_s)
    elif (schedule := value("schedule")) != NONE and schedule in inputs:
        rate_bps = input_means.schedule_bps(inputs[schedule], rate_bps, duration_s, _time_s(value("schedule_repeat")))
    elif (step_s := _time_s(value("step_time"))) and value("step_bandwidth") != NONE:
        later_bps = float(units.si(value("step_bandwidth"), "rate"))
        rate_bps += (later_bps - rate_bps) * max(0.0, 1 - step_s / duration_s)
    if (policer := value("policer_rate")) != NONE:
        rate_bps = min(rate_bps, float(units.si(policer, "rate")))
    return rate_bps


def _flow_loads(
    row: Settings, network: Network, step_bps: Mapping[tuple[int, bool], float], duration_s: float
) -> Iterator[Load]:
    """The loads of flows, which share each direction of a link equally, limited by applications and random losses."""
    packet_bits = network_views.packet_bits(row)
    starts_and_stops = zip(*(network_views.flow_values(row, name) for name in ("start", "stop")), strict=True)
    lengths_s = [max(0.0, (_time_s(stop) or duration_s) - _time_s(start)) for start, stop in starts_and_stops]
    step_flows: dict[tuple[int, bool], float] = {}  # the number of flows, averaged over the run
    for flow, length_s in zip(network.flows, lengths_s, strict=True):
        for step in flow.way:
            step_flows[step] = step_flows.get(step, 0.0) + length_s / duration_s
    trips_s = network_views.round_trips_s(row)
    app_limits = zip(*(network_views.flow_values(row, name) for name in ("bytes", "packet_rate")), strict=True)
    for flow, trip_s, length_s, (max_bytes, max_pps) in zip(network.flows, trips_s, lengths_s, app_limits, strict=True):
        limits = [min(step_bps[step] / max(1.0, step_flows[step]) for step in flow.way) / packet_bits * length_s]
        if max_pps:
            limits.append(max_pps * length_s)
        if max_bytes:
            limits.append(max_bytes / row["segment_size"])
        if lossy_packets := _loss_limit(row, network, flow.way, trip_s, length_s):
            limits.append(lossy_packets)
        yield Load(min(limits), *_link_counts(row, network, flow.way), is_flow=True)


def _link_counts(row: Settings, network: Network, way: Way) -> tuple[int, int]:
    """The number of links on a path, and the number of its links with queues."""
    queues = (network_graph.link_value(row, network.links[step.link], "queue", step.forth, "") for step in way)
    return len(way), sum(queue != NONE for queue in queues)


def _loss_limit(row: Settings, network: Network, way: Way, trip_s: float, length_s: float) -> float | None:
    """A flow's packets under random losses, computed as in `cost_estimates.packets`; None without losses."""
    loss_share = 0.0
    for step in way:
        link = network.links[step.link]
        link_loss = float(network_graph.link_value(row, link, "loss", step.forth, 0) or 0)
        unit = network_graph.link_value(row, link, "loss_unit", step.forth, "packet")
        loss_on = network_graph.link_value(row, link, "loss_on", step.forth, "data")
        if loss_on == "both" or (loss_on == "data") == step.forth:
            loss_share += link_loss if unit == "packet" else 1 - (1 - link_loss) ** (network_views.packet_bits(row) / 8)
    if not 0 < loss_share < 1 or not trip_s:
        return None
    return math.sqrt(1.5 / loss_share) / trip_s * length_s + _FEWEST_LOSSES / loss_share


class _Group(NamedTuple):
    """A group of traffic, the smallest rate on its path, in bit/s, and the path's `_link_counts`."""

    row: Settings
    name: str
    inputs: Mapping[str, InputFile]
    least_bps: float
    links: tuple[int, int]
    duration_s: float
    trip_s: float = 0.0

    def value(self, field: str) -> Any:
        """The group's value of a field, or its default."""
        given = network_graph.value(self.row, "traffic", self.name, field)
        kind = network_graph.value(self.row, "traffic", self.name, "kind")
        return _default_of_traffic(field, kind) if given is None else given

    def length_s(self) -> float:
        """The group's duration, in s."""
        return max(
            0.0, min(_time_s(self.value("stop")) or self.duration_s, self.duration_s) - _time_s(self.value("start"))
        )

    def hosts(self, field: str) -> int:
        """The number of nodes in ``from`` or ``to``."""
        return len(network_graph.hosts(self.value(field), int(self.value("hosts"))))

    def mean_bytes(self, field: str) -> float:
        """The mean of a field of sizes."""
        sizes = str(self.value(field))
        return float(input_means.size_bytes(sizes, self.inputs.get(sizes)))

    def packets(self, size_bytes: float) -> float:
        """The number of packets for a payload; the last one is half full on average."""
        whole: float = size_bytes / self.row["segment_size"]
        return whole + 0.5

    def most_packets(self) -> float:
        """The number of packets that the narrowest link carries in that time."""
        most: float = self.least_bps / network_views.packet_bits(self.row) * self.length_s()
        return most


@functools.cache
def _default_of_traffic(field: str, kind: str) -> Any:
    description = network_fields.fields("traffic")[field]
    default, kinds = description.get("default"), description.get("kinds")
    if isinstance(kinds, dict):
        default = kinds.get(kind)
    return None if default is None else normal_forms.normal(default, description.get("format"))


def _arrivals(group: _Group, share_bps: float) -> Load:
    """Connections at a rate, or at a load relative to ``share_bps``, the group's share of the link that it names."""
    mean_bytes, load, rate = group.mean_bytes("sizes"), float(group.value("load") or 0), group.value("rate")
    per_s = load * share_bps / (8 * mean_bytes) if load else float(rate)
    connections = per_s * group.length_s()
    if limit := group.value("limit"):
        connections = min(connections, limit)
    return Load(connections * group.packets(mean_bytes), *group.links, connections)


def _incast(group: _Group) -> Load:
    senders, packets_each = group.hosts("from"), group.packets(group.value("bytes")) + 1
    round_s = max(
        _time_s(group.value("every")),
        senders * packets_each * network_views.packet_bits(group.row) / group.least_bps + 2 * group.trip_s,
    )
    rounds = group.length_s() / round_s
    if times := group.value("times"):
        rounds = min(rounds, times)
    return Load(rounds * senders * packets_each, *group.links, senders * (1 if group.value("persistent") else rounds))


def _on_off(group: _Group) -> Load:
    flows, rate = group.hosts("from"), group.value("rate")
    on_s, off_s = (input_means.time_s(str(group.value(name))) for name in ("on", "off"))
    share = on_s / (on_s + off_s)
    if rate == "max":  # the narrowest link is full while any flow is on
        return Load(group.most_packets() * (1 - (1 - share) ** flows), *group.links, flows)
    per_s = float(units.si(str(rate), "rate")) / (8 * group.row["segment_size"])
    return Load(min(group.most_packets(), flows * share * per_s * group.length_s()), *group.links, flows)


def _web(group: _Group) -> Load:
    objects = _OBJECTS if group.value("objects") == "3gpp" else float(group.value("objects"))
    page_packets = group.packets(group.mean_bytes("main")) + objects * group.packets(group.mean_bytes("object"))
    send_s = page_packets * network_views.packet_bits(group.row) / group.least_bps
    wait_s = sum(input_means.time_s(str(group.value(name))) for name in ("parse", "think"))
    pages = group.length_s() / (wait_s + send_s + _PAGE_TRIPS * group.trip_s)
    if limit := group.value("limit"):
        pages = min(pages, limit)
    pages *= group.hosts("to")
    requests = pages * (1 + objects)
    connections = min(group.value("connections"), _PAGE_LINES if group.value("objects") == "3gpp" else 1 + objects)
    return Load(pages * page_packets + requests, *group.links, pages * connections)


def _video(group: _Group) -> Load:
    given = group.value("bitrates")
    bitrates = given if isinstance(given, list) else [given]
    rates = [float(units.si(bitrate, "rate")) for bitrate in bitrates]
    players, length_s = group.hosts("to"), group.length_s()
    played_s = length_s + _time_s(group.value("buffer"))  # plus the data that fill the buffer
    if video_s := _time_s(group.value("length")):
        played_s = min(played_s, video_s)
    bits = players * max(rates) * played_s
    return Load(min(group.most_packets(), bits / (8 * group.row["segment_size"])), *group.links, players)


def _realtime(group: _Group) -> Load:
    on_s, off_s = (input_means.time_s(str(group.value(name))) for name in ("on", "off"))
    per_s = float(units.si(str(group.value("rate")), "rate")) / (8 * group.value("packet_size"))
    packets = group.hosts("from") * per_s * group.length_s() * on_s / (on_s + off_s)
    most_packets = group.least_bps / (8 * (group.value("packet_size") + _CALL_BYTES)) * group.length_s()
    return Load(min(packets, most_packets), *group.links, 0, 0)


_LOAD_BY_KIND = {"incast": _incast, "on-off": _on_off, "web": _web, "video": _video, "realtime": _realtime}


def _time_s(value: Any) -> float:
    return float(units.si(value, "time"))


def _link_default(name: str) -> Any:
    return network_fields.defaults("links")[name]
