# SPDX-License-Identifier: MIT
"""Estimate congestion epochs, the time from one window reduction to the next, at queues first in, first out."""

from collections import Counter
from collections.abc import Iterator

from tcpsweep.core.plan import packet_counts
from tcpsweep.core.sweep import base_network, network_graph
from tcpsweep.core.sweep.base_network import PPP_BYTES
from tcpsweep.core.sweep.matching import Combination, Settings
from tcpsweep.core.sweep.network_graph import Link, Step
from tcpsweep.core.sweepfile.keys import network_fields
from tcpsweep.core.sweepfile.network import network_views
from tcpsweep.core.words import units

KNOWN = {"TcpNewReno", "TcpLinuxReno", "TcpCubic"}  # variants with known epochs
# Variants that leave a full queue to others: next to these, they have hardly any of the packets in it.
_YIELDING = {"TcpVegas", "TcpLedbat", "TcpLp"}
_DELAYED_ACKS = 2  # data packets to an acknowledgment
# Parameters that make a link's queue other than drop-tail, with the values that do not.
_DROP_TAIL_VALUES = {
    **{"trace": "none", "schedule": "none", "step_time": "0s", "policer_rate": "none", "ack_thinning": "none"},
    **{"loss": 0, "loss_good_to_bad": 0, "reorder": 0},
}
_AT_BOTTLENECK = Step(0, True)
_LIMITS = ("bytes", "packet_rate")


def longest(row: Combination) -> tuple[float, str] | None:
    """The longest epoch among a combination's variants, in s, and its variant; None if none is known."""
    if network_graph.has_named_parts(row):
        epochs_s = network_epochs_s(row)
    else:
        variants = KNOWN.intersection(row.mix.variants)
        if not _is_one_queue_of_long_flows(row):
            return None
        epochs_s = {variant: epoch_s(row, variant) for variant in variants}
    return max(((seconds, variant) for variant, seconds in epochs_s.items()), default=None)


def _is_one_queue_of_long_flows(row: Settings) -> bool:
    """Whether flows fill a first-in, first-out buffer of a wired link; only then is the window estimated."""
    limited = [row["bytes"], row["packet_rate"]]
    return (
        "stations" not in row
        and row["queue_disc"] in ("none", "FifoQueueDisc")
        and row["socket_buffer"] == "auto"
        and not any(network_graph.of_member(value, flow) for value in limited for flow in range(row["flows"]))
        and all(network_graph.of_member(row["stop"], flow) == "0s" for flow in range(row["flows"]))
        and not row["cbr_flows"]
        and row["step_time"] == "0s"
    )


def epoch_s(row: Combination, variant: str) -> float:
    """Estimate the congestion epoch of a flow with a variant in `KNOWN`, in s.

    In a mix, it has an equal share of the packets in flight, but for variants that yield. With random losses, an epoch
    is no longer than the 1/p packets between two of them.
    """
    flows_by_variant = row.mix.flows(row["flows"])
    sharing_flows = sum(count for member, count in flows_by_variant.items() if member not in _YIELDING)
    topology = network_views.bottleneck_topology(row)
    rate_pps, queued = _rate_and_queue(row, network_views.network_of(row), _AT_BOTTLENECK)
    estimate_s = _sawtooth_s(variant, rate_pps, topology.longest_s, queued, sharing_flows)
    wire_bytes = base_network.packet_bytes(row, topology) + PPP_BYTES
    loss_share = row["loss"] if row["loss_unit"] == "packet" else 1 - (1 - row["loss"]) ** wire_bytes
    if loss_share and row["loss_on"] != "acks":
        forward = row.with_values({"start": "0s", "variant": variant, "reverse_flows": 0})
        sent_pps = packet_counts.load(forward).packets / sharing_flows / row.duration_s  # packets/s of a flow
        estimate_s = min(estimate_s, 1 / (loss_share * sent_pps))
    return float(estimate_s)


def _sawtooth_s(variant: str, rate: float, base_s: float, queued: float, flows: int) -> float:
    """Estimate the congestion epoch of a flow with a variant in `KNOWN` and without random losses, in s.

    Its largest window, W segments, is its share of the packets in flight and in the full queue. NewReno grows its
    window from W/2 by a segment per round trip, ns-3's TcpNewReno half as fast with delayed ACKs. CUBIC takes
    K = ∛(W (1 − β) / C) s (RFC 9438, 4.2), or NewReno's time if that is less.

    ``rate`` is the link's rate in packets/s, ``base_s`` the round trip with empty queues, ``queued`` the queue's size
    in packets, and ``flows`` the number of flows on the link.
    """
    window = (rate * base_s + queued) / flows
    # The round trip while the window grows from half to whole: the link's, or that of the packets in flight.
    mean_s = max(base_s, 0.75 * window * flows / rate)
    reno_s = window / 2 * mean_s * (_DELAYED_ACKS if variant == "TcpNewReno" else 1)
    return min(reno_s, (window * 0.3 / 0.4) ** (1 / 3)) if variant == "TcpCubic" else reno_s


def network_epochs_s(row: Combination) -> dict[str, float]:
    """The longest epoch of each variant with known epochs, in s, by variant.

    A flow's window is reduced at the link on its path where the rate per flow is lowest. The epoch is known if that
    link has a first-in, first-out queue and all its flows are long. It is unknown if the network also has application
    traffic.
    """
    if network_graph.things(row, "traffic") or row["socket_buffer"] != "auto":
        return {}
    variants = [variant for group in network_graph.groups(row) for variant in group.variants()]
    if not KNOWN.intersection(variants):
        return {}
    network, trips = network_views.network_of(row), network_views.round_trips_s(row)
    limited_groups = {name for name in network_graph.things(row, "flows") if not _is_long(row, name)}
    flows_by_step = Counter(step for flow in network.flows for step in flow.way)
    limited_steps = {step for flow in network.flows if flow.group in limited_groups for step in flow.way}
    rate_and_queue: dict[Step, tuple[float, float] | None] = {}
    epochs_s: dict[str, float] = {}
    for variant, flow, base_s in zip(variants, network.flows, trips, strict=True):
        if variant not in KNOWN or limited_steps.intersection(flow.way):
            continue
        for step in flow.way:
            if step not in rate_and_queue:
                is_drop_tail = _is_drop_tail(row, network.links[step.link], step.forth)
                rate_and_queue[step] = _rate_and_queue(row, network, step) if is_drop_tail else None
        on_path = [(rate_and_queue[step], flows_by_step[step]) for step in flow.way]
        by_share = [(link[0] / count, link, count) for link, count in on_path if link is not None]
        if len(by_share) < len(on_path) or not by_share:
            continue
        _, (rate, queued), count = min(by_share)
        if queued:
            epoch_s = _sawtooth_s(variant, rate, base_s, queued, count)
            epochs_s[variant] = max(epochs_s.get(variant, 0.0), epoch_s)
    return epochs_s


def _is_long(row: Settings, group: str) -> bool:
    """Whether a group's flows send as fast as they can until the end."""
    defaults = network_fields.defaults("flows")

    def values(field: str) -> Iterator[object]:
        field_value = network_graph.value(row, "flows", group, field, defaults[field])
        yield from field_value if isinstance(field_value, list) else [field_value]

    return not any(value for field in _LIMITS for value in values(field)) and all(v == "0s" for v in values("stop"))


def _is_drop_tail(row: Settings, link: Link, forth: bool) -> bool:
    """Whether a link's queue drops packets only when it is full, and its rate is constant."""
    defaults = network_fields.defaults("links")
    disc = network_graph.link_value(row, link, "queue_disc", forth, defaults["queue_disc"])
    return disc in ("none", "FifoQueueDisc") and all(
        network_graph.link_value(row, link, field, forth, defaults[field]) == plain
        for field, plain in _DROP_TAIL_VALUES.items()
    )


def _rate_and_queue(row: Combination, network: network_graph.Network, step: Step) -> tuple[float, float]:
    """A link's rate in packets/s and its queue in packets (0: never drops)."""
    link, defaults = network.links[step.link], network_fields.defaults("links")
    bandwidth, queue = (
        network_graph.link_value(row, link, field, step.forth, defaults[field]) for field in ("bandwidth", "queue")
    )
    topology = network_views.topology_of(row, step.link, network)
    wire_bytes = base_network.packet_bytes(row, topology) + PPP_BYTES
    rate_pps = float(units.si(bandwidth, "rate")) / (8 * wire_bytes)
    if queue == "none":
        return rate_pps, 0.0
    amount, unit = base_network.in_queue({**row, "bandwidth": bandwidth}, queue, topology)
    return rate_pps, amount if unit == "p" else amount / wire_bytes
