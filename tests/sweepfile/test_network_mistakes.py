# SPDX-License-Identifier: MIT
# ruff: noqa: E501 (messages stand on one line, as they are told)
"""Networks as data: messages about mistakes in a sweep file's links, flows and traffic."""

import pytest

from tcpsweep.ns3 import engine
from tcpsweep.sweepfile.checks import ns3_check
from tcpsweep.sweepfile.document import yaml_document
from tests.support.networks import LINE, mistakes, network, read

# The text to replace in `LINE`, the new text, and the message, without the key `network` that begins each place.
EDITS = [
    ("to: c, count", "to: d, count", "8:25: flows.long.to: no link has a node 'd'; the links have a, b, c"),
    ("from: b", "from: bb", "9:19: flows.cross.from: no link has a node 'bb'; did you mean 'b'?"),
    (
        "    second:",
        "    first_reverse:",
        "6:30: links.first_reverse.between: first_reverse is the name of first's queue in the reverse direction; choose another name",
    ),
    (
        "count: 2",
        "count: 2, socket_buffer: [4MB, 500]",
        "8:53: flows.long.socket_buffer: expected at least one segment, 1448 B; got 500",
    ),
    (
        "count: 2",
        "socket_buffer: auto",
        "8:43: flows.long.socket_buffer: expected a number of bytes, plain or with its unit, such as 200kB, got 'auto'",
    ),
    ("[b, c]", "[c, c]", "6:23: links.second.between: the link connects c to itself; write two different nodes"),
    ("from: b, ", "", "9:12: flows.cross: cross needs `from`, a node at the end of a link"),
    ("to: c, v", "to: b, v", "9:26: flows.cross.to: flow 0 of cross goes from b to itself; write another node"),
    (
        "count: 2",
        "route: [second, first]",
        "8:35: flows.long.route: second connects b and c; expected a link from a, where the flow begins: first",
    ),
    ("count: 2", "route: [first]", "8:35: flows.long.route: the route ends at b; expected c, where the flow ends"),
    (
        "count: 2",
        "route: [first, first, first, second]",
        "8:35: flows.long.route: the route reaches a twice, the second time over first; each node may occur once",
    ),
    ("count: 2", "route: [frist, second]", "8:35: flows.long.route: there is no link 'frist'; did you mean 'first'?"),
    ("start: 20s", "start: 80s", "9:52: flows.cross.start: flow 0 starts after the end (60s)"),
    (
        "20ms}",
        "20ms, step_delay: 1ms}",
        "6:74: links.second.step_delay: step_delay needs the time of the step, step_time",
    ),
    (
        "20ms}",
        "20ms, back: {ecn: true}}",
        "6:74: links.second.back.ecn: `ecn: true` needs a queue disc that marks: add `queue_disc: RedQueueDisc`",
    ),
    (
        "20ms}",
        "20ms, queue: none, ecn: true, ecn_threshold: 20p}",
        "6:80: links.second.ecn: `queue: none` never marks a packet; write a `queue` and a `queue_disc`",
    ),
    (
        "20ms}",
        "20ms, queue: none, ecn_threshold: 20p}",
        "6:90: links.second.ecn_threshold: `queue: none` never marks a packet; write a `queue` and a `queue_disc`",
    ),
    (
        "cubic",
        "dctcp",
        "9:38: flows.cross.variant: TcpDctcp needs a link on its path with `ecn: true` and a queue disc that marks, such as `queue_disc: RedQueueDisc` with `ecn_threshold: 20p`",
    ),
    ("[a, b]", "[a]", "5:22: links.first.between: expected the names of two nodes, such as [a, b], got ['a']"),
]


@pytest.mark.parametrize(("old", "new", "told"), EDITS)
def test_a_mistake_gets_one_message_with_its_line_and_column(old, new, told):
    assert old in LINE
    assert mistakes(LINE.replace(old, new)) == [told.replace(": ", ": network.", 1)]


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ("loss: 1%, loss_in_good: 1%", "loss: write `loss`, or `loss_good_to_bad` and its model's other parameters"),
        ("reorder: 1%", "reorder: `reorder` needs `reorder_by`"),
        ("schedule_repeat: 5s", "schedule_repeat: schedule_repeat needs a `schedule`"),
        ("step_time: 5s", "step_time: a step needs step_bandwidth, step_delay or both"),
        ("loss_burst: 3, loss_unit: byte", "loss_burst: bursts count packets, but `loss_unit` is byte"),
    ],
)
@pytest.mark.parametrize("queue", ["none", "1bdp"])
def test_a_link_that_never_drops_has_the_same_mistakes_as_others(fields, told, queue):
    (found,) = mistakes(LINE.replace("20ms}", f"20ms, queue: {queue}, {fields}}}"))
    assert f"network.links.second.{told}" in found


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            LINE.replace("[b, c]", "[d, e]")
            .replace("from: b, to: c, v", "from: d, to: e, v")
            .replace("to: c", "to: e"),
            "8:25: network.flows.long.to: no links lead from a to e",
        ),
        (
            LINE.replace("[b, c]", "[bb, c]").replace("from: b, to: c", "from: a, to: b"),
            "8:25: network.flows.long.to: no links lead from a to c; only the link second has 'bb'; did you mean 'b'?",
        ),
        (
            LINE.replace("[b, c]", "[d, e]").replace("to: c", "to: b").replace("from: b", "from: a"),
            "6:23: network.links.second.between: the network is in 2 parts that no link connects, a, b and d, e",
        ),
        (
            LINE.replace("count: 2", "count: 0").replace("variant: cubic", "count: 0"),
            "8:35: network.flows.long.count: expected at least one flow, or traffic; the counts of all are 0",
        ),
        (
            network("hop: {between: [a, b], count: 2}"),
            "5:20: network.links.hop.between: its members 0 and 1 both connect a and b; add {i} to the nodes' names",
        ),
        (
            network('hop: {between: ["a{i}", b], count: 2}\n    hop-1: {between: [a, b]}'),
            "6:22: network.links.hop-1.between: two links have the name hop-1, in hop and in hop-1; rename one",
        ),
        (
            network('hop: {between: ["a{i}", "a{j}"]}'),
            "5:29: network.links.hop.between[1]: expected a number or i, got 'j' in 'j'",
        ),
        (
            network('hop: {between: ["a{2 - i}", b], count: 4}'),
            "5:20: network.links.hop.between: {2-i} of 'a{2-i}' comes to -1 for i = 3; expected 0 or more",
        ),
        (
            network('hop: {between: ["a{1 / 0}", b]}'),
            "5:21: network.links.hop.between[0]: '1/0' divides by 0",
        ),
        (
            LINE + "grid: {network.links.secnd.bandwidth: [1Mbps]}",
            "10:8: grid.network.links.secnd.bandwidth: there is no link 'secnd'; did you mean 'second'?",
        ),
        (
            LINE + "only: {network.flows.lang.start: 1s}",
            "10:8: only.network.flows.lang.start: there is no flow 'lang'; did you mean 'long'?",
        ),
        (
            LINE + "grid: {network.links.first.bandwidth: [10]}",
            "10:40: grid.network.links.first.bandwidth[0]: expected a data rate, such as 10Mbps, got 10; a unit is missing: did you mean '10Mbps'?",
        ),
        (
            LINE + "fixed: {bandwidth: 1Mbps}",
            "10:9: fixed.bandwidth: the scenario network has no `bandwidth` of its own; write network.links.NAME.bandwidth",
        ),
        (
            "sweep: s\nscenario: network\n",
            "2:11: scenario: expected `network` with `links`, such as {first: {between: [a, b], bandwidth: 10Mbps}}",
        ),
        (
            "sweep: s\nscenario: dumbbell\nnetwork: {links: {}}",
            "3:1: network: this key needs `scenario: network` or a network preset",
        ),
        (
            LINE + "grid: {links.second.bandwidth: [1Mbps]}",
            "10:8: grid.links.second.bandwidth: unknown key; did you mean network.links.second.bandwidth?",
        ),
        (
            LINE + "grid: {links.secnd.bandwidth: [1Mbps]}",
            "10:8: grid.links.secnd.bandwidth: unknown key; did you mean 'network.links.second.bandwidth'?",
        ),
    ],
)
def test_so_does_a_mistake_in_other_texts(text, told):
    assert mistakes(text) == [told]


def test_an_unknown_field_is_answered_with_the_nearest():
    (told,) = mistakes(LINE.replace("bandwidth: 8Mbps", "bandwith: 8Mbps"))
    assert told.startswith("6:31: network.links.second.bandwith: unknown key; did you mean 'bandwidth'?")
    (told,) = mistakes(LINE + "grid: {network.links.second.bandwith: [8Mbps]}")
    assert told.startswith(
        "10:8: grid.network.links.second.bandwith: a link has no 'bandwith'; did you mean 'bandwidth'?"
    )
    (told,) = mistakes(LINE + "grid: {network.link.second.bandwidth: [8Mbps]}")
    assert told.endswith("got 'network.link.second.bandwidth'; did you mean 'links'?")
    (told,) = mistakes(
        LINE
        + "figures: [{metric: jain, axis: network.flows.long.variant}]\nzip: {network.flows.long.variant: [cubic, bbr]}"
    )
    assert told.endswith("write `variant`, the axis of all groups' variants")


def test_two_links_of_a_name_are_told_by_their_lines():
    with pytest.raises(yaml_document.Mistakes, match="the key 'first' is set twice, on lines 5 and 6"):
        read(LINE.replace("second:", "first:"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (network("hop: {between: [r{i}, b], count: 2}"), 'f:5:21: put a name with braces in quotes: "r{i}"'),
        (
            network("hop: {between: [a, b]}", "long: {from: a, to: host{i + 1}}"),
            'f:7:25: put a name with braces in quotes: "host{i + 1}"',
        ),
    ],
)
def test_a_template_without_quotes_in_brackets_is_told_so(text, told):
    with pytest.raises(yaml_document.Mistakes) as found:
        yaml_document.parse(text, "f")
    assert str(found.value) == told


TRAFFIC = [
    ("kind: incast, from: [a, c], to: c", "37: from: the client, c, is also a sender; remove it here"),
    ("kind: incast, from: a, to: [b, c]", "44: to: expected one node, the client that all senders answer, got 2"),
    (
        "kind: arrivals, from: [a, b], to: a, rate: 3",
        "51: to: flows from a would only go to a itself; add another node",
    ),
    (
        "kind: on-off, from: [a, b], to: [c, b]",
        "49: to: `from` and `to`, taken in turn, pair b with itself; change their order",
    ),
    ("kind: on-off, from: a, to: c, on: 0s", "51: on: expected a time above zero, got 0s"),
    (
        "kind: video, from: a, to: c, bitrates: [3Mbps, 1Mbps]",
        "56: bitrates: expected bitrates that rise, got 3Mbps, 1Mbps",
    ),
    ("kind: video, from: a, to: c, buffer: 2s", "54: buffer: expected room for a chunk, 4s; got 2s"),
    ("kind: video, from: a, to: c, startup: 40s", "55: startup: expected at most the buffer, 30s; got 40s"),
    (
        'kind: arrivals, from: a, to: c, rate: 3, sizes: "pareto:10kB:1"',
        "65: sizes: expected a shape from 1.01 to 100, so that there is a mean; got 1",
    ),
    (
        'kind: arrivals, from: a, to: c, rate: 3, sizes: "lognormal:10:5:100:20"',
        "65: sizes: expected a smallest size below the largest; got 100 and 20",
    ),
    (
        "kind: web, from: a, to: c, variant: dctcp",
        "53: variant: TcpDctcp needs a link with `ecn: true` and a queue disc that marks, such as "
        "`queue_disc: RedQueueDisc` with `ecn_threshold: 20p`",
    ),
    (
        "kind: web, from: a, to: c, variant: cubic+bbr",
        "53: variant: expected one congestion control, got the mix TcpCubic+TcpBbr; write a group for each variant",
    ),
    (
        "kind: arrivals, from: a, to: c, rate: 2e9",
        "55: rate: expected at most 1,000,000,000 flows per second, got 2000000000",
    ),
    (
        "kind: arrivals, from: a, to: c, rate: 3, limit: 2000000000",
        "65: limit: expected at most 1000000000, got 2000000000",
    ),
    (
        "kind: web, from: a, to: c, main: exponential:0kB",
        "50: main: expected 1 byte or more, up to 1000000000000000, for each size of exponential, got 'exponential:0kB'",
    ),
    (
        "kind: arrivals, from: a, to: c, load: 1.5, link: second",
        "55: load: expected a share from 0 to 1, such as 0.01 or 1%, got 1.5; 1 is the whole link",
    ),
    ("kind: arrivals, from: a, to: c, load: 0.5", "55: load: a load needs `link`: it is a share of that link's rate"),
    ("kind: web, from: a, to: c, load: 0.5", "44: load: traffic of the kind web does not take `load`; arrivals does"),
    (
        'kind: web, from: "h{i}", to: c, hosts: 2',
        "34: from: no link has a node 'h0' (of h{i}, i = 0); the links have a, b, c",
    ),
    # If a kind is not a text, only this is reported.
    (
        "from: a, to: c, load: 0.5, kind: [web, video]",
        "50: kind: expected one of arrivals, incast, on-off, web, video, realtime, got ['web', 'video']",
    ),
]


@pytest.mark.parametrize(("says", "told"), TRAFFIC)
def test_a_mistake_in_traffic_does_too(says, told):
    column, field = told.split(": ")[:2]
    assert mistakes(LINE + f"  traffic: {{t: {{{says}}}}}\n") == [
        f"10:{column}: network.traffic.t.{field}: {told.split(': ', 2)[2]}"
    ]


def test_traffic_without_a_kind_is_told_of_the_kinds():
    assert mistakes(LINE + "  traffic: {t: {from: a, to: c}}\n") == [
        "10:16: network.traffic.t: t needs `kind`, one of arrivals, incast, on-off, web, video, realtime"
    ]


@pytest.mark.parametrize(
    ("axis", "told"),
    [
        (
            "network.flows.long.route: [[first, second], second]",
            "10:52: grid.network.flows.long.route[1]: expected a list, got 'second'; each value of this axis is a list, "
            "as in `network.flows.long.route: [[first, second]]`",
        ),
        (
            "network.flows.long.route: second",
            "10:34: grid.network.flows.long.route: expected a list, got 'second'; each value of this axis is a list, "
            "as in `network.flows.long.route: [[first, second]]`",
        ),
        (
            "network.links.first.between: a",
            "10:37: grid.network.links.first.between: expected a list, got 'a'; each value of this axis is a list, "
            "as in `network.links.first.between: [[a, b]]`",
        ),
        (
            "network.flows.long.from: a",
            "10:33: grid.network.flows.long.from: expected a list, got 'a'; write one value under `fixed`: "
            "`network.flows.long.from: a`",
        ),
    ],
)
def test_values_that_are_lists_themselves_are_told_as_an_axis_has_them(axis, told):
    assert mistakes(LINE + f"grid: {{{axis}}}\n") == [told]


def test_ns3s_names_are_checked_wherever_they_stand():
    text = LINE.replace("delay: 20ms", "queue_disc: CodelQueueDisc")
    text += "grid: {network.flows.long.variant: [cubic, cubik]}\nattributes: {ns3::PointToPointChannel::Delay: 3ms}\n"
    document = yaml_document.parse(text, "f")
    told = str(document.mistakes(ns3_check.problems(document.data, engine.find()))).splitlines()
    assert [line.partition("; it has")[0] for line in told] == [
        "f:6:61: network.links.second.queue_disc: ns-3 3.44 has no queue disc 'CodelQueueDisc'; did you mean "
        "'CoDelQueueDisc'?",
        "f:10:44: grid.network.flows.long.variant[1]: ns-3 3.44 has no congestion control 'cubik'; did you mean 'TcpCubic'?",
        "f:11:14: attributes.ns3::PointToPointChannel::Delay: write network.links.NAME.delay instead, which sets this attribute",
    ]


def test_a_presets_parameters_are_no_setting_of_a_study():
    text = "sweep: s\nscenario: parking-lot\npublished: {source: s, setting: {hops: 2}}\n"
    assert mistakes(text) == [
        "3:34: published.setting.hops: write the link and flow parameters that it sets, by their dotted names"
    ]
