# SPDX-License-Identifier: MIT
"""Contradictions within one combination's traffic: its times, its nodes, and its kind's fields.

`ns3-scenarios/lib/traffic/` refuses the same, each kind in its file.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from tcpsweep.core.sweep import network_graph
from tcpsweep.core.sweep.matching import Settings
from tcpsweep.core.sweep.network_graph import Link, Network
from tcpsweep.core.sweepfile.keys import network_fields
from tcpsweep.core.words import normal_forms, quantities

MARKING = "`queue_disc: RedQueueDisc` with `ecn_threshold: 20p`"
LEAST_SHAPE, MOST_SHAPE = 1.01, 100  # a Pareto distribution with a mean
MOST_ARRIVALS = 10**9  # per second
_NODES_BY_SENDER = ("on-off", "realtime")  # a flow from each node of `from`, to the nodes of `to` in turn
_NODES_BY_RECEIVER = ("web", "video")  # a flow to each node of `to`, from the nodes of `from` in turn
_SIZES = ("sizes", "main", "object")

# The field at fault, and the message.
_Found = Iterator[tuple[str, str]]


def problems(row: Settings, name: str, network: Network) -> _Found:
    """Values of a combination's traffic that do not fit together, in a valid network."""
    abouts = network_fields.fields("traffic")
    given = {field: network_graph.value(row, "traffic", name, field) for field in abouts}
    if given["kind"] is None:
        yield "kind", f"{name} needs `kind`, one of {', '.join(abouts['kind']['enum'])}"
        return
    # Fields missing in the file have their kind's defaults.
    says = {field: _default(abouts[field], given["kind"]) if value is None else value for field, value in given.items()}
    yield from _times(row, says)
    yield from _rates(says, network, row)
    yield from _nodes(says)
    yield from _of_kind(says)
    yield from _sizes(says)
    is_marked = any(marks(row, link, forth) for link in network.links for forth in (True, False))
    if "+" in str(says["variant"]):
        yield (
            "variant",
            f"expected one congestion control, got the mix {says['variant']}; write a group for each variant",
        )
    if says["variant"] == "TcpDctcp" and not is_marked:
        yield "variant", f"TcpDctcp needs a link with `ecn: true` and a queue disc that marks, such as {MARKING}"


def marks(row: Settings, link: Link, forth: bool) -> bool:
    """Whether a direction of a link marks packets."""
    return bool(network_graph.link_value(row, link, "ecn", forth, None))


def _default(about: Mapping[str, Any], kind: str) -> Any:
    kinds = about.get("kinds")
    default = kinds.get(kind) if isinstance(kinds, dict) else about.get("default")
    return None if default is None else normal_forms.normal(default, about.get("format"))


def _times(row: Settings, says: Settings) -> _Found:
    start_s, stop_s = (quantities.si(says[each], "time") for each in ("start", "stop"))
    if stop_s and stop_s <= start_s:
        yield "stop", f"it ends ({says['stop']}) before it begins ({says['start']}); 0s means never"
    if start_s >= quantities.si(row["duration"], "time"):
        yield "start", f"it begins after the end ({row['duration']})"


def _rates(says: Settings, network: Network, row: Settings) -> _Found:
    rate = says["rate"]
    if says["kind"] == "arrivals":
        if bool(says["load"]) == bool(rate):
            yield ("load" if says["load"] else "kind"), "write `load` with its `link`, or `rate`, in flows per second"
        if says["load"] and says["link"] is None:
            yield "load", "a load needs `link`: it is a share of that link's rate"
        elif says["load"]:
            link = next(link for link in network.links if link.name == says["link"])
            if any(network_graph.link_value(row, link, "trace", forth, "none") != "none" for forth in (True, False)):
                yield (
                    "load",
                    f"{link.name} follows a `trace` and has no rate of its own; write `rate`, in flows per second",
                )
        if isinstance(rate, str):
            yield "rate", f"expected flows per second, a number such as 100; got {rate}"
        elif rate and rate > MOST_ARRIVALS:
            yield "rate", f"expected at most {MOST_ARRIVALS:,} flows per second, got {quantities.number_text(rate)}"
    elif rate is not None and not isinstance(rate, str):
        yield "rate", f"expected a data rate, such as 1Mbps; got {quantities.number_text(rate)}"
    elif says["kind"] == "realtime" and rate == "max":
        yield "rate", "expected a data rate, such as 64kbps; `max` is only for on-off traffic over TCP"


def _nodes(says: Settings) -> _Found:
    """Traffic from a node to itself, and incast without exactly one client."""
    sources, targets = (network_graph.hosts(says[each], int(says["hosts"])) for each in ("from", "to"))
    if says["kind"] == "incast":
        if len(targets) > 1:
            yield "to", f"expected one node, the client that all senders answer, got {len(targets)}"
        elif targets[0] in sources:
            yield "from", f"the client, {targets[0]}, is also a sender; remove it here"
    elif says["kind"] == "arrivals":
        there = set(targets)
        if alone := next((source for source in sources if there == {source}), None):
            yield "to", f"flows from {alone} would only go to {alone} itself; add another node"
    elif says["kind"] in _NODES_BY_SENDER:
        pairs = ((source, targets[i % len(targets)]) for i, source in enumerate(sources))
        yield from _to_itself("to", pairs)
    elif says["kind"] in _NODES_BY_RECEIVER:
        pairs = ((sources[i % len(sources)], target) for i, target in enumerate(targets))
        yield from _to_itself("from", pairs)


def _to_itself(field: str, pairs: Iterator[tuple[str, str]]) -> _Found:
    if same := next((source for source, target in pairs if source == target), None):
        yield field, f"`from` and `to`, taken in turn, pair {same} with itself; change their order"


def _of_kind(says: Settings) -> _Found:
    if says["kind"] in _NODES_BY_SENDER and quantities.si(says["on"].rpartition(":")[2], "time") == 0:
        yield "on", f"expected a time above zero, got {says['on']}"
    if says["kind"] == "video":
        chunk_s, buffer_s, startup_s = (quantities.si(says[each], "time") for each in ("chunk", "buffer", "startup"))
        ladder = says["bitrates"] if isinstance(says["bitrates"], list) else [says["bitrates"]]
        if sorted(ladder, key=lambda each: quantities.si(each, "rate")) != ladder:
            yield "bitrates", f"expected bitrates that rise, got {', '.join(ladder)}"
        if buffer_s < chunk_s:
            yield "buffer", f"expected room for a chunk, {says['chunk']}; got {says['buffer']}"
        elif startup_s > buffer_s:
            yield "startup", f"expected at most the buffer, {says['buffer']}; got {says['startup']}"


def _sizes(says: Settings) -> _Found:
    """Distributions with impossible parameters."""
    for field in _SIZES:
        name, *numbers = str(says[field]).split(":")
        if name == "pareto" and len(numbers) == 2 and not LEAST_SHAPE <= float(numbers[1]) <= MOST_SHAPE:
            yield (
                field,
                f"expected a shape from {LEAST_SHAPE:g} to {MOST_SHAPE}, so that there is a mean; got {numbers[1]}",
            )
        if name == "lognormal" and len(numbers) == 4 and int(numbers[2]) >= int(numbers[3]):
            yield field, f"expected a smallest size below the largest; got {numbers[2]} and {numbers[3]}"
