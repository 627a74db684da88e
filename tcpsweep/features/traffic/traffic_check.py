# SPDX-License-Identifier: MIT
"""Contradictions within one combination's traffic: its times, its nodes, and its kind's fields.

`ns3-scenarios/lib/traffic/` refuses the same, each kind in its file.
"""

from collections.abc import Iterator

from tcpsweep.core.sweep import network_graph
from tcpsweep.core.sweep.matching import Combination, Settings
from tcpsweep.core.sweep.network_graph import Network
from tcpsweep.core.sweepfile.checks import marks
from tcpsweep.core.sweepfile.keys import network_fields
from tcpsweep.core.sweepfile.network import network_views, segments
from tcpsweep.core.words import units

LEAST_SHAPE, MOST_SHAPE = 1.01, 100  # a Pareto distribution with a mean
MOST_ARRIVALS = 10**9  # per second
_NODES_BY_SENDER = ("on-off", "realtime")  # a flow from each node of `from`, to the nodes of `to` in turn
_NODES_BY_RECEIVER = ("web", "video")  # a flow to each node of `to`, from the nodes of `from` in turn
_SIZES = ("sizes", "main", "object")

# The field at fault, and the message.
_Problems = Iterator[tuple[str, str]]


def problems(row: Combination, name: str, network: Network) -> _Problems:
    """Values of a combination's traffic that do not fit together, in a valid network."""
    values = network_views.traffic_values(row, name)
    if values["kind"] is None:
        yield "kind", f"{name} needs `kind`, one of {', '.join(network_fields.fields('traffic')['kind']['enum'])}"
        return
    yield from _time_problems(row, values)
    yield from _rate_problems(values, network, row)
    yield from _node_problems(values)
    yield from _kind_problems(values)
    yield from _size_problems(values)
    mtu = segments.path_mtu(row, network, network.pairs[name])
    if values["packet_size"] and (message := segments.datagram_fault(row, values["packet_size"], mtu)):
        yield "packet_size", message
    is_marked = any(marks.is_marking(row, link, forth) for link in network.links for forth in (True, False))
    if "+" in str(values["variant"]):
        yield (
            "variant",
            f"expected one congestion control, got the mix {values['variant']}; write a group for each variant",
        )
    if values["variant"] == "TcpDctcp" and not is_marked:
        yield "variant", f"TcpDctcp needs a link with `ecn: true` and a queue disc that marks, such as {marks.MARKING}"


def _time_problems(row: Combination, values: Settings) -> _Problems:
    start_s, stop_s = (units.si(values[each], "time") for each in ("start", "stop"))
    if stop_s and stop_s <= start_s:
        yield "stop", f"it ends ({values['stop']}) before it begins ({values['start']}); 0s means never"
    if start_s >= units.si(row["duration"], "time"):
        yield "start", f"it begins after the end ({row['duration']})"


def _rate_problems(values: Settings, network: Network, row: Combination) -> _Problems:
    rate = values["rate"]
    if values["kind"] == "arrivals":
        if bool(values["load"]) == bool(rate):
            yield ("load" if values["load"] else "kind"), "write `load` with its `link`, or `rate`, in flows per second"
        if values["load"] and values["link"] is None:
            yield "load", "a load needs `link`: it is a share of that link's rate"
        elif values["load"]:
            link = next(link for link in network.links if link.name == values["link"])
            if any(network_graph.link_value(row, link, "trace", forth, "none") != "none" for forth in (True, False)):
                yield (
                    "load",
                    f"{link.name} follows a `trace` and has no rate of its own; write `rate`, in flows per second",
                )
        if isinstance(rate, str):
            yield "rate", f"expected flows per second, a number such as 100; got {rate}"
        elif rate and rate > MOST_ARRIVALS:
            yield "rate", f"expected at most {MOST_ARRIVALS:,} flows per second, got {units.number_text(rate)}"
    elif rate is not None and not isinstance(rate, str):
        yield "rate", f"expected a data rate, such as 1Mbps; got {units.number_text(rate)}"
    elif values["kind"] == "realtime" and rate == "max":
        yield "rate", "expected a data rate, such as 64kbps; `max` is only for on-off traffic over TCP"


def _node_problems(values: Settings) -> _Problems:
    """Traffic from a node to itself, and incast without exactly one client."""
    sources, targets = (network_graph.hosts(values[each], int(values["hosts"])) for each in ("from", "to"))
    if values["kind"] == "incast":
        if len(targets) > 1:
            yield "to", f"expected one node, the client that all senders answer, got {len(targets)}"
        elif targets[0] in sources:
            yield "from", f"the client, {targets[0]}, is also a sender; remove it here"
    elif values["kind"] == "arrivals":
        target_nodes = set(targets)
        if lone_source := next((source for source in sources if target_nodes == {source}), None):
            yield "to", f"flows from {lone_source} would only go to {lone_source} itself; add another node"
    elif values["kind"] in _NODES_BY_SENDER:
        pairs = ((source, targets[i % len(targets)]) for i, source in enumerate(sources))
        yield from _self_pair_problems("to", pairs)
    elif values["kind"] in _NODES_BY_RECEIVER:
        pairs = ((sources[i % len(sources)], target) for i, target in enumerate(targets))
        yield from _self_pair_problems("from", pairs)


def _self_pair_problems(field: str, pairs: Iterator[tuple[str, str]]) -> _Problems:
    if node := next((source for source, target in pairs if source == target), None):
        yield field, f"`from` and `to`, taken in turn, pair {node} with itself; change their order"


def _kind_problems(values: Settings) -> _Problems:
    if values["kind"] in _NODES_BY_SENDER and units.si(values["on"].rpartition(":")[2], "time") == 0:
        yield "on", f"expected a time above zero, got {values['on']}"
    if values["kind"] == "video":
        chunk_s, buffer_s, startup_s = (units.si(values[each], "time") for each in ("chunk", "buffer", "startup"))
        bitrates = values["bitrates"] if isinstance(values["bitrates"], list) else [values["bitrates"]]
        if sorted(bitrates, key=lambda each: units.si(each, "rate")) != bitrates:
            yield "bitrates", f"expected bitrates that rise, got {', '.join(bitrates)}"
        if buffer_s < chunk_s:
            yield "buffer", f"expected room for a chunk, {values['chunk']}; got {values['buffer']}"
        elif startup_s > buffer_s:
            yield "startup", f"expected at most the buffer, {values['buffer']}; got {values['startup']}"


def _size_problems(values: Settings) -> _Problems:
    """Distributions with impossible parameters."""
    for field in _SIZES:
        name, *numbers = str(values[field]).split(":")
        if name == "pareto" and len(numbers) == 2 and not LEAST_SHAPE <= float(numbers[1]) <= MOST_SHAPE:
            yield (
                field,
                f"expected a shape from {LEAST_SHAPE:g} to {MOST_SHAPE}, so that there is a mean; got {numbers[1]}",
            )
        if name == "lognormal" and len(numbers) == 4 and int(numbers[2]) >= int(numbers[3]):
            yield field, f"expected a smallest size below the largest; got {numbers[2]} and {numbers[3]}"
