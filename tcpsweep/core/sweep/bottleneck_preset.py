# SPDX-License-Identifier: MIT
"""The network of a scenario with one bottleneck, as its program in `ns3-scenarios/` describes it to the simulator.

    sender0 ── left ══ bottleneck ══ right ── receiver0

Of a dumbbell's flows, the reverse ones have their senders on the right. A chain has no receivers' links, and a single
link has only the bottleneck. Wireless scenarios have the links of a dumbbell, and their access links have no delay.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from tcpsweep.core.sweep.matching import Settings

BOTTLENECK, SENDER, RECEIVER = "bottleneck", "sender{i}", "receiver{i}"
FORWARD, REVERSE = "forward", "reverse"
_OF_ALL_LINKS = ("mtu",)  # parameters that are not the bottleneck's alone
_ABSENT = {"delay": "0s", "queue": "none"}  # the values of access links without these parameters
_SAME = "same"


@dataclass(frozen=True, slots=True)
class LinkEntry:
    """Equal links: their name, the nodes that they connect, and their number and the first one's number."""

    name: str
    between: str | None
    count: int | None = None
    first: int = 0


@dataclass(frozen=True, slots=True)
class FlowEntry:
    """Equal flows: their name, their ends, their number, the links on their path, and the first one's number."""

    name: str
    source: str | None
    target: str | None
    count: int | None = None
    route: str | None = None
    first: int = 0


class Shape(NamedTuple):
    """The numbers of flows in each direction, and the ends with access links: they decide all links and flows."""

    forward_flows: int
    reverse_flows: int
    has_sender_links: bool
    has_receiver_links: bool


def shape(row: Settings) -> Shape:
    """The shape of a combination's network."""
    has_stations = "stations" in row
    return Shape(
        int(row.get("flows", 0)),
        int(row.get("reverse_flows", 0)),
        has_stations or "access_delay" in row,
        has_stations or "receiver_access_delay" in row,
    )


def directions(shape: Shape) -> dict[str, range]:
    """The numbers of the forward flows and of the reverse flows."""
    forward = shape.forward_flows
    return {FORWARD: range(forward), REVERSE: range(forward, forward + shape.reverse_flows)}


def links(shape: Shape) -> Iterator[LinkEntry]:
    """The bottleneck, then the access links of each direction's flows."""
    yield LinkEntry(BOTTLENECK, "left,right")
    for direction, flows in directions(shape).items():
        left, right = ("left", "right") if direction == FORWARD else ("right", "left")
        if shape.has_sender_links:
            yield LinkEntry(SENDER, f"{left},{SENDER}", len(flows), flows.start)
        if shape.has_receiver_links:
            yield LinkEntry(RECEIVER, f"{right},{RECEIVER}", len(flows), flows.start)


def flows(shape: Shape) -> Iterator[FlowEntry]:
    """The forward flows and the reverse flows."""
    source = SENDER if shape.has_sender_links else "left"
    target = RECEIVER if shape.has_receiver_links else "right"
    for direction, flows in directions(shape).items():
        yield FlowEntry(direction, source, target, len(flows), None, flows.start)


def constant_rate_links(shape: Shape) -> int:
    """The number of links that a flow of a constant bit rate crosses; in a chain, it begins at the gateway."""
    return 3 if shape.has_receiver_links else 1


def link_value(row: Settings, link: str, name: str, default: Any) -> Any:
    """The value of a field of the bottleneck or of access links; a list has one value per flow, in turn.

    Access links without a rate have the bottleneck's. ``same`` at a receiver is the sender's value.
    """
    if link == BOTTLENECK or name in _OF_ALL_LINKS:
        return row.get(name, default)
    sender = row.get(f"access_{name}", row["bandwidth"] if name == "bandwidth" else _ABSENT.get(name, default))
    receiver = row.get(f"receiver_access_{name}", _SAME) if link == RECEIVER else _SAME
    if not isinstance(receiver, list):
        return sender if receiver == _SAME else receiver
    senders = sender if isinstance(sender, list) else [sender]
    pairs = zip(itertools.cycle(senders), itertools.cycle(receiver), strict=False)
    flow_count = int(row["flows"]) + int(row["reverse_flows"])
    return [own if other == _SAME else other for own, other in itertools.islice(pairs, flow_count)]
