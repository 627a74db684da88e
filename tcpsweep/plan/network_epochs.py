# SPDX-License-Identifier: MIT
"""How long flows of a described network take from one cut of their windows to the next, where that is known."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from tcpsweep.plan import sawtooth
from tcpsweep.sweep import base_network, network_graph
from tcpsweep.sweep.base_network import PPP_BYTES
from tcpsweep.sweep.matching import Settings
from tcpsweep.sweep.network_graph import Step
from tcpsweep.sweepfile import network_fields, network_views, schema
from tcpsweep.words import quantities

# What makes a link's queue another than one that fills and drops at its end, and the values that do not.
_PLAIN = {
    **{"trace": "none", "schedule": "none", "step_time": "0s", "policer_rate": "none", "ack_thinning": "none"},
    **{"loss": 0, "loss_good_to_bad": 0, "reorder": 0},
}
_STAMPS = "ns3::TcpSocketBase::Timestamp"
_LIMITS = ("bytes", "packet_rate")


def of(row: Settings) -> dict[str, float]:
    """The longest epoch of each variant, in s, by the variant; of variants whose epochs are not known, nothing.

    A flow's window is cut at the link of its way on which flows have the least rate each, if that has a queue first
    in, first out, and all flows there are long. Nothing is known where there is traffic of applications, too.
    """
    if network_graph.things(row, "traffic") or row["socket_buffer"] != "auto":
        return {}
    dealt = [variant for turns in network_graph.dealt(row).values() for variant in turns]
    if not sawtooth.KNOWN.intersection(dealt):
        return {}
    network, trips = network_views.network_of(row), network_views.round_trips_s(row)
    short = {name for name in network_graph.things(row, "flows") if not _is_long(row, name)}
    crossing = Counter(step for flow in network.flows for step in flow.way)
    limited = {step for flow in network.flows if flow.group in short for step in flow.way}
    links: dict[Step, tuple[float, float] | None] = {}
    found: dict[str, float] = {}
    for variant, flow, base_s in zip(dealt, network.flows, trips, strict=True):
        if variant not in sawtooth.KNOWN or limited.intersection(flow.way):
            continue
        for step in flow.way:
            if step not in links:
                links[step] = _rate_and_queue(row, network, step, trips)
        queues = [(links[step], crossing[step]) for step in flow.way]
        known = [(each[0] / count, each, count) for each, count in queues if each is not None]
        if len(known) < len(queues) or not known:
            continue
        _, (rate, queued), count = min(known)
        if queued:
            epoch_s = sawtooth.epoch_s(variant, rate, base_s, queued, count)
            found[variant] = max(found.get(variant, 0.0), epoch_s)
    return found


def _is_long(row: Settings, name: str) -> bool:
    """Whether the flows of a group send as much as they can until the end."""
    defaults = network_fields.defaults("flows")

    def values(field: str) -> Iterator[object]:
        given = network_graph.value(row, "flows", name, field, defaults[field])
        yield from given if isinstance(given, list) else [given]

    return not any(value for field in _LIMITS for value in values(field)) and all(v == "0s" for v in values("stop"))


def _rate_and_queue(
    row: Settings, network: network_graph.Network, step: Step, trips: Sequence[float]
) -> tuple[float, float] | None:
    """A link's rate in packets/s and its queue in packets, 0 for one that never drops; None where that is not all."""
    link, defaults = network.links[step.link], network_fields.defaults("links")

    def value(field: str) -> Any:
        return network_graph.link_value(row, link, field, step.forth, defaults[field])

    if value("queue_disc") not in ("none", "FifoQueueDisc") or any(value(f) != plain for f, plain in _PLAIN.items()):
        return None
    longest_s = max(trips[flow] for flow in network.crossing[step.link])
    topology = replace(schema.topology(schema.PROGRAM), longest_s=longest_s)
    own = {"segment_size": row["segment_size"], "bandwidth": value("bandwidth"), _STAMPS: row.get(_STAMPS)}
    size = base_network.packet_bytes(own, topology) + PPP_BYTES
    rate = float(quantities.si(own["bandwidth"], "rate")) / (8 * size)
    queue = value("queue")
    if queue == "none":
        return rate, 0.0
    amount, unit = base_network.in_queue(own, queue, topology)
    return rate, amount if unit == "p" else amount / size
