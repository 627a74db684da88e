# SPDX-License-Identifier: MIT
"""Contradictions within one combination's custom topology: its graph, links, flows and traffic."""

import itertools
from collections.abc import Collection, Iterator
from typing import Any

from tcpsweep.core.contact import features
from tcpsweep.core.sweep import base_network, network_graph, network_part
from tcpsweep.core.sweep.matching import Combination, Settings
from tcpsweep.core.sweepfile.checks import marks
from tcpsweep.core.sweepfile.document import sections
from tcpsweep.core.sweepfile.document.yaml_document import Problem
from tcpsweep.core.sweepfile.keys import network_fields
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.core.sweepfile.network import network_views
from tcpsweep.core.words import dotted_names, link_words, network_forms, quantity_forms, units
from tcpsweep.core.words.mixes import Mix

LEAST_PACKET_RATE = 1e-6

_REVERSE = "_reverse"  # `LinkTraces` appends it to a link's name
# The names at fault, the most important one first, and the message.
_Faults = Iterator[tuple[tuple[str, ...], str]]


def problems(row: Combination, fixed: Collection[str]) -> _Faults:
    """Values of one combination of a custom topology that do not fit together; ``fixed`` is the sweep file's."""
    network = network_views.network_of(row)
    if network.faults:
        yield from network.faults
        return
    if not network.links:
        yield ("network.links",), "expected at least one link; the counts of all are 0"
        return
    if not network.flows and not network.pairs:
        counts = [dotted_names.dotted_name("flows", group, "count") for group in network_graph.things(row, "flows")]
        yield (*counts, "network.flows"), "expected at least one flow, or traffic; the counts of all are 0"
    yield from _ambiguous_name_faults(network)
    for number, link, forth in network_views.link_directions(row):
        prefix = dotted_names.dotted_name("links", link.group, "" if forth else dotted_names.BACK)
        link_prefix = dotted_names.dotted_name("links", link.group, "")
        topology = network_views.topology_of(row, number, network)
        for names, message in _link_faults(network_views.link_as_bottleneck(row, link, forth), topology):
            yield (
                tuple(key for name in names for key in dict.fromkeys((prefix + name, link_prefix + name, name))),
                message,
            )
    for group in network_graph.things(row, "flows"):
        for name, message in _flow_faults(row, group):
            yield (dotted_names.dotted_name("flows", group, name), name), message
    yield from ((((network_forms.REFERENCE_LINK,), message)) for message in _reference_link_messages(row, network))
    yield from _mark_faults(row, network)
    for ingredient in features.ingredients():
        yield from ingredient.clashes(row, fixed)


def _reference_link_messages(row: Combination, network: network_graph.Network) -> Iterator[str]:
    """Problems with the link from which the network's headline numbers are taken."""
    words = str(row[network_forms.REFERENCE_LINK])
    if words == network_forms.AUTO:
        return
    part = network_part.part_named("link", words)
    if message := network_part.fault(part, [row]):
        yield message
    elif not network.pairs and not row["ecmp"]:
        crossed_directions = {
            link_words.said(network.links[step.link].name, "forward" if step.forth else "reverse"): None
            for flow in network.flows
            for step in flow.way
        }
        if words not in crossed_directions:
            allowed = [
                direction
                for direction in crossed_directions
                if not network_part.fault(network_part.part_named("link", direction), [row])
            ]
            yield f"no flow's data cross {words}; expected a link that they cross: {network_part.some_names(allowed)}"


def _ambiguous_name_faults(network: network_graph.Network) -> _Faults:
    """Links whose queue's name would equal the name of another link's reverse direction."""
    names = {link.name for link in network.links}
    for link in network.links:
        base_name = link.name.removesuffix(_REVERSE)
        if base_name != link.name and base_name in names:
            message = f"{link.name} is the name of {base_name}'s queue in the reverse direction; choose another name"
            yield (dotted_names.dotted_name("links", link.group, "between"),), message


def _mark_faults(row: Settings, network: network_graph.Network) -> _Faults:
    """Flows with DCTCP whose path has no link that marks."""
    turns_of_group, reported_groups = {group.name: group.turns for group in network_graph.groups(row)}, set()
    for flow in network.flows:
        variant = next(filter(marks.DCTCP.__contains__, turns_of_group[flow.group]), None)
        if variant is None or flow.group in reported_groups:
            continue
        steps = ((network.links[step.link], step.forth) for step in flow.way)
        if not any(marks.is_marking(row, link, forth) for link, forth in steps):
            reported_groups.add(flow.group)
            yield (
                (dotted_names.dotted_name("flows", flow.group, "variant"), "variant"),
                f"{variant} needs a link on its path with `ecn: true` and a queue disc that marks, such as "
                f"{marks.MARKING}",
            )


def _link_faults(view: dict[str, Any], topology: base_network.Topology) -> _Faults:
    """Faults of one direction of a link; ``view`` is from `network_views.link_as_bottleneck`."""
    if view["queue"] != "none":
        yield from size_problems(view, topology)
        # DCTCP needs a threshold on links that mark, and one such link on its path: `_mark_faults` checks the second.
        yield from marks.problems(view if view["ecn"] else view | {"variant": "TcpCubic"}, topology)
    else:
        yield from burst_problems(view)
        if view["queue_disc"] != "none":
            yield (
                ("queue",),
                f"{view['queue_disc']} needs a size, such as 1bdp; `none` is only for links that never drop",
            )
        elif view["ecn"] or view["ecn_threshold"] != "none":
            name = "ecn" if view["ecn"] else "ecn_threshold"
            yield (name,), "`queue: none` never marks a packet; write a `queue` and a `queue_disc`"
    if view["loss"] and any(view[name] for name in ("loss_good_to_bad", "loss_in_good")):
        yield ("loss",), "write `loss`, or `loss_good_to_bad` and its model's other parameters, not both"
    if view["loss_good_to_bad"] and not view["loss_bad_to_good"]:
        yield ("loss_bad_to_good",), "expected more than 0: the bad state would never end"
    if view["trace"] != "none" and view["step_bandwidth"] != "none":
        yield ("step_bandwidth",), "the link already follows a `trace`; remove it or `step_bandwidth`"
    if view["schedule"] != "none" and view["step_time"] != "0s":
        yield ("step_time",), "the link already follows a `schedule`; remove it or the step"
    if bool(view["reorder"]) != (view["reorder_by"] != "0s"):
        given, needed = ("reorder", "reorder_by") if view["reorder"] else ("reorder_by", "reorder")
        yield (given,), f"`{given}` needs `{needed}`: reordering takes a delay and a share of packets"
    if view["schedule_repeat"] != "0s" and view["schedule"] == "none":
        yield ("schedule_repeat",), "schedule_repeat needs a `schedule`"
    yield from step_problems(view)


def size_problems(view: Settings, topology: base_network.Topology) -> _Faults:
    """Sizes and units of a bottleneck's queue and losses that do not fit together."""
    if view["queue_disc"].startswith("Fq") and view["queue"].endswith("B"):
        yield ("queue",), f"{view['queue_disc']} counts packets; write the queue in packets (100p) or as 1bdp"
    for name in ("queue", "ecn_threshold"):
        if view[name].endswith("bdp"):
            packets, _ = base_network.in_queue(view, view[name], topology)
            if packets > quantity_forms.MOST_COUNT:
                most = f"at most {quantity_forms.MOST_COUNT:,} packets, the most that ns-3 counts"
                yield (name, "bandwidth", "delay"), f"expected {most}; {view[name]} comes to {packets:,}"
    yield from burst_problems(view)


def burst_problems(view: Settings) -> _Faults:
    """Bursts of losses that count bytes."""
    if view["loss_burst"] > 1 and view["loss_unit"] == "byte":
        yield ("loss_burst",), "bursts count packets, but `loss_unit` is byte; write `loss_unit: packet`"


def step_problems(view: Settings) -> _Faults:
    """A step without a time, without a change, or after the end."""
    step_s = units.si(view["step_time"], "time")
    changes = [name for name in ("step_bandwidth", "step_delay") if view[name] != "none"]
    if changes and not step_s:
        yield tuple(changes), f"{changes[0]} needs the time of the step, step_time"
    if step_s and not changes:
        yield ("step_time",), "a step needs step_bandwidth, step_delay or both"
    if step_s >= units.si(view["duration"], "time"):
        message = f"step_time ({view['step_time']}) must come before the simulation's end ({view['duration']})"
        yield ("step_time", "duration"), message


def _flow_faults(row: Settings, group: str) -> Iterator[tuple[str, str]]:
    """Faults of a group of flows: the field at fault, and the message."""
    defaults, end_s = network_fields.defaults("flows"), units.si(row["duration"], "time")

    def value(name: str, i: int) -> Any:
        return network_graph.of_member(network_graph.value(row, "flows", group, name, defaults.get(name)), i)

    member_count = network_graph.count(row, "flows", group)
    mix = Mix.parse(str(value("variant", 0) or row["variant"]))
    with_mix = [other for other in network_graph.groups(row) if Mix(tuple(other.turns)).is_turned(mix)]
    flow_count = sum(len(other.members) for other in with_mix)
    if member_count and flow_count < len(mix.turns):
        yield "count", f"{mix} needs {len(mix.turns)} flows, not {flow_count}"
    for i in range(member_count):
        start_s = units.si(value("start", i), "time") + i * units.si(value("start_stagger", i), "time")
        stop_s = units.si(value("stop", i), "time")
        if stop_s and stop_s <= start_s:
            yield "stop", f"flow {i} leaves ({stop_s:g} s) before it joins ({start_s:g} s); 0s means never"
            return
        if start_s >= end_s:
            yield "start", f"flow {i} starts after the end ({row['duration']})"
            return
        if 0 < value("packet_rate", i) < LEAST_PACKET_RATE:
            expected = f"expected 0, for as fast as TCP lets it, or at least {LEAST_PACKET_RATE:g} packets/s"
            yield "packet_rate", expected
            return
    buffers = network_graph.value(row, "flows", group, "socket_buffer")
    for buffer in buffers if isinstance(buffers, list) else [buffers]:
        if buffer is not None and buffer < row["segment_size"]:
            yield "socket_buffer", f"expected at least one segment, {row['segment_size']} B; got {buffer}"
            return


_NONE = "none"


def unused_bandwidths(combinations: list[Combination], file: SweepFile) -> list[Problem]:
    """A problem for each axis of bandwidths that no direction of its link uses.

    Combinations with different traces are different networks, for example if `zip` pairs traces with bandwidths.
    """
    mistakes = []
    for name in dict.fromkeys(itertools.chain.from_iterable(combinations)):
        parts = dotted_names.split(name)
        if parts is None or parts.kind != "links" or parts.field.removeprefix(dotted_names.BACK) != "bandwidth":
            continue
        bandwidths_by_traces: dict[str, set[str]] = {}  # the bandwidths with each trace, or pair of traces
        for row in combinations:
            if name in row and (traces := _traces_in_place_of(row, parts)):
                bandwidths_by_traces.setdefault(str(traces), set()).add(str(row[name]))
        if any(len(values) > 1 for values in bandwidths_by_traces.values()):
            message = f"{parts.thing} follows a `trace`, which replaces the bandwidth; remove this axis or the trace"
            mistakes.append(Problem(sections.place(file.data, name), message, at_key=True))
    return mistakes


def _traces_in_place_of(row: Combination, parts: dotted_names.Dotted) -> list[Any]:
    """The traces of the link's directions that have this bandwidth; empty unless all of them follow one."""

    def field_value(field: str, default: Any) -> Any:
        return network_graph.value(row, "links", parts.thing, field, default)

    forth = field_value("trace", _NONE)
    back = field_value(dotted_names.BACK + "trace", forth)
    traces: list[Any] = [back]
    if not parts.field.startswith(dotted_names.BACK):
        traces = [forth] if field_value(dotted_names.BACK + "bandwidth", None) is not None else [forth, back]
    return [] if any(trace == _NONE or (isinstance(trace, list) and _NONE in trace) for trace in traces) else traces
