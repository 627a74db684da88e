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
from tcpsweep.core.words import normal_forms, quantities

NONE = "none"
_FEWEST_LOSSES = 10  # expected losses of a flow, from which on they limit it
_OBJECTS = 5.64  # objects of a page: the mean of 3GPP's truncated Pareto distribution; most pages have fewer
_LINES = 3  # connections that such a page opens
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
    rates = {
        (number, forth): link_bps(row, link, forth, duration_s, inputs)
        for number, link in enumerate(network.links)
        for forth in (True, False)
    }
    yield from _of_flows(row, network, rates, duration_s)
    for name, way in network.pairs.items():
        about = _About(row, name, inputs, min(rates[step] for step in way), _links(row, network, way), duration_s)
        about = about._replace(trip_s=network_graph.way_round_trip_s(row, network, way, _default("delay")))
        if about.value("kind") == "arrivals":
            at = next((n for n, link in enumerate(network.links) if link.name == about.value("link")), None)
            filled = min(rates[at, True], rates[at, False]) / network.shares[name] if at is not None else 0.0
            yield _arrivals(about, filled)
        else:
            yield _KINDS[about.value("kind")](about)


def link_bps(row: Settings, link: Link, forth: bool, duration_s: float, inputs: Mapping[str, InputFile]) -> float:
    """The mean rate of a direction of a link over a run, in bit/s."""

    def said(name: str) -> Any:
        return network_graph.link_value(row, link, name, forth, network_fields.defaults("links").get(name))

    rate = float(quantities.si(said("bandwidth"), "rate"))
    if (trace := said("trace")) != NONE and trace in inputs:
        rate = input_means.trace_bps(inputs[trace], duration_s)
    elif (schedule := said("schedule")) != NONE and schedule in inputs:
        rate = input_means.schedule_bps(inputs[schedule], rate, duration_s, _time_s(said("schedule_repeat")))
    elif (step_s := _time_s(said("step_time"))) and said("step_bandwidth") != NONE:
        later = float(quantities.si(said("step_bandwidth"), "rate"))
        rate += (later - rate) * max(0.0, 1 - step_s / duration_s)
    if (policer := said("policer_rate")) != NONE:
        rate = min(rate, float(quantities.si(policer, "rate")))
    return rate


def _of_flows(
    row: Settings, network: Network, rates: Mapping[tuple[int, bool], float], duration_s: float
) -> Iterator[Load]:
    """The loads of flows, which share each direction of a link equally, limited by applications and random losses."""
    bits = network_views.packet_bits(row)
    ends = zip(*(network_views.flow_values(row, name) for name in ("start", "stop")), strict=True)
    lengths_s = [max(0.0, (_time_s(stop) or duration_s) - _time_s(start)) for start, stop in ends]
    crossing: dict[tuple[int, bool], float] = {}  # the number of flows, averaged over the run
    for flow, length_s in zip(network.flows, lengths_s, strict=True):
        for step in flow.way:
            crossing[step] = crossing.get(step, 0.0) + length_s / duration_s
    trips = network_views.round_trips_s(row)
    given = zip(*(network_views.flow_values(row, name) for name in ("bytes", "packet_rate")), strict=True)
    for flow, trip_s, length_s, (asked, offered) in zip(network.flows, trips, lengths_s, given, strict=True):
        most = [min(rates[step] / max(1.0, crossing[step]) for step in flow.way) / bits * length_s]
        if offered:
            most.append(offered * length_s)
        if asked:
            most.append(asked / row["segment_size"])
        if limited := _by_losses(row, network, flow.way, trip_s, length_s):
            most.append(limited)
        yield Load(min(most), *_links(row, network, flow.way), is_flow=True)


def _links(row: Settings, network: Network, way: Way) -> tuple[int, int]:
    """The number of links on a path, and the number of its links with queues."""
    queues = (network_graph.link_value(row, network.links[step.link], "queue", step.forth, "") for step in way)
    return len(way), sum(queue != NONE for queue in queues)


def _by_losses(row: Settings, network: Network, way: Way, trip_s: float, length_s: float) -> float | None:
    """A flow's packets under random losses, computed as in `cost_estimates.packets`; None without losses."""
    lost = 0.0
    for step in way:
        link = network.links[step.link]
        share = float(network_graph.link_value(row, link, "loss", step.forth, 0) or 0)
        unit = network_graph.link_value(row, link, "loss_unit", step.forth, "packet")
        on = network_graph.link_value(row, link, "loss_on", step.forth, "data")
        if on == "both" or (on == "data") == step.forth:
            lost += share if unit == "packet" else 1 - (1 - share) ** (network_views.packet_bits(row) / 8)
    if not 0 < lost < 1 or not trip_s:
        return None
    return math.sqrt(1.5 / lost) / trip_s * length_s + _FEWEST_LOSSES / lost


class _About(NamedTuple):
    """A group of traffic, the smallest rate on its path, in bit/s, and the path's `_links`."""

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
    about = network_fields.fields("traffic")[field]
    default, kinds = about.get("default"), about.get("kinds")
    if isinstance(kinds, dict):
        default = kinds.get(kind)
    return None if default is None else normal_forms.normal(default, about.get("format"))


def _arrivals(about: _About, filled_bps: float) -> Load:
    mean, load, rate = about.mean_bytes("sizes"), float(about.value("load") or 0), about.value("rate")
    per_s = load * filled_bps / (8 * mean) if load else float(rate)
    flows = per_s * about.length_s()
    if limit := about.value("limit"):
        flows = min(flows, limit)
    return Load(flows * about.packets(mean), *about.links, flows)


def _incast(about: _About) -> Load:
    senders, of_each = about.hosts("from"), about.packets(about.value("bytes")) + 1
    round_s = max(
        _time_s(about.value("every")),
        senders * of_each * network_views.packet_bits(about.row) / about.least_bps + 2 * about.trip_s,
    )
    rounds = about.length_s() / round_s
    if times := about.value("times"):
        rounds = min(rounds, times)
    return Load(rounds * senders * of_each, *about.links, senders * (1 if about.value("persistent") else rounds))


def _on_off(about: _About) -> Load:
    flows, rate = about.hosts("from"), about.value("rate")
    on_s, off_s = (input_means.time_s(str(about.value(name))) for name in ("on", "off"))
    share = on_s / (on_s + off_s)
    if rate == "max":  # the narrowest link is full while any flow is on
        return Load(about.most_packets() * (1 - (1 - share) ** flows), *about.links, flows)
    per_s = float(quantities.si(str(rate), "rate")) / (8 * about.row["segment_size"])
    return Load(min(about.most_packets(), flows * share * per_s * about.length_s()), *about.links, flows)


def _web(about: _About) -> Load:
    objects = _OBJECTS if about.value("objects") == "3gpp" else float(about.value("objects"))
    page = about.packets(about.mean_bytes("main")) + objects * about.packets(about.mean_bytes("object"))
    send_s = page * network_views.packet_bits(about.row) / about.least_bps
    wait_s = sum(input_means.time_s(str(about.value(name))) for name in ("parse", "think"))
    pages = about.length_s() / (wait_s + send_s + _PAGE_TRIPS * about.trip_s)
    if limit := about.value("limit"):
        pages = min(pages, limit)
    pages *= about.hosts("to")
    requests = pages * (1 + objects)
    lines = min(about.value("connections"), _LINES if about.value("objects") == "3gpp" else 1 + objects)
    return Load(pages * page + requests, *about.links, pages * lines)


def _video(about: _About) -> Load:
    value = about.value("bitrates")
    bitrates = value if isinstance(value, list) else [value]
    rates = [float(quantities.si(bitrate, "rate")) for bitrate in bitrates]
    players, length_s = about.hosts("to"), about.length_s()
    played_s = length_s + _time_s(about.value("buffer"))  # plus the data that fill the buffer
    if whole_s := _time_s(about.value("length")):
        played_s = min(played_s, whole_s)
    bits = players * max(rates) * played_s
    return Load(min(about.most_packets(), bits / (8 * about.row["segment_size"])), *about.links, players)


def _realtime(about: _About) -> Load:
    on_s, off_s = (input_means.time_s(str(about.value(name))) for name in ("on", "off"))
    per_s = float(quantities.si(str(about.value("rate")), "rate")) / (8 * about.value("packet_size"))
    packets = about.hosts("from") * per_s * about.length_s() * on_s / (on_s + off_s)
    most = about.least_bps / (8 * (about.value("packet_size") + _CALL_BYTES)) * about.length_s()
    return Load(min(packets, most), *about.links, 0, 0)


_KINDS = {"incast": _incast, "on-off": _on_off, "web": _web, "video": _video, "realtime": _realtime}


def _time_s(value: Any) -> float:
    return float(quantities.si(value, "time"))


def _default(name: str) -> Any:
    return network_fields.defaults("links")[name]
