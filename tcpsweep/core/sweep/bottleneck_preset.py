# SPDX-License-Identifier: MIT
"""The network of a scenario with one bottleneck, as its program in `ns3-scenarios/` describes it to the simulator.

    sender0 ── left ══ bottleneck ══ right ── receiver0

Of a dumbbell's flows, the reverse ones have their senders on the right. A chain has no receivers' links, and a single
link has only the bottleneck. Wireless scenarios have the links of a dumbbell, and their access links have no delay.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tcpsweep.core.sweep.matching import Settings

BOTTLENECK, SENDER, RECEIVER = "bottleneck", "sender{i}", "receiver{i}"
FORWARD, REVERSE = "forward", "reverse"
_OF_ALL_LINKS = ("mtu",)  # parameters that are not the bottleneck's alone
_ABSENT = {"delay": "0s", "queue": "none"}  # the values of access links without these parameters
_SAME = "same"
_DELAYS = {SENDER: "access_delay", RECEIVER: "receiver_access_delay"}


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


def directions(row: Settings) -> dict[str, range]:
    """The numbers of the forward flows and of the reverse flows."""
    forward = int(row.get("flows", 0))
    return {FORWARD: range(forward), REVERSE: range(forward, forward + int(row.get("reverse_flows", 0)))}


def links(row: Settings) -> Iterator[LinkEntry]:
    """The bottleneck, then the access links of each direction's flows."""
    yield LinkEntry(BOTTLENECK, "left,right")
    for direction, flows in directions(row).items():
        routers = ("left", "right") if direction == FORWARD else ("right", "left")
        for host, router in zip((SENDER, RECEIVER), routers, strict=True):
            if _has_links(row, host):
                yield LinkEntry(host, f"{router},{host}", len(flows), flows.start)


def flows(row: Settings) -> Iterator[FlowEntry]:
    """The forward flows and the reverse flows."""
    source, target = (
        host if _has_links(row, host) else router for host, router in ((SENDER, "left"), (RECEIVER, "right"))
    )
    for direction, flows in directions(row).items():
        yield FlowEntry(direction, source, target, len(flows), None, flows.start)


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
    flow_count = sum(map(len, directions(row).values()))
    return [own if other == _SAME else other for own, other in itertools.islice(pairs, flow_count)]


def _has_links(row: Settings, host: str) -> bool:
    """Whether flows have links of their own at senders or receivers."""
    return "stations" in row or _DELAYS[host] in row
