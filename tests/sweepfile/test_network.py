# SPDX-License-Identifier: MIT
# ruff: noqa: E501 (messages stand on one line, as they are told)
"""Networks as data: what a sweep file says of links, flows and traffic, and what is told of its mistakes."""

import pytest

from tcpsweep.analysis import comparisons
from tcpsweep.ns3 import engine
from tcpsweep.plan import checked_sweep
from tcpsweep.sweep import axes, harm_combinations, network_graph
from tcpsweep.sweepfile import network_check, network_views, ns3_check, yaml_document

LINE = """\
sweep: s
scenario: network
network:
  links:
    first: {between: [a, b], bandwidth: 10Mbps, delay: 10ms}
    second: {between: [b, c], bandwidth: 8Mbps, delay: 20ms}
  flows:
    long: {from: a, to: c, count: 2}
    cross: {from: b, to: c, variant: cubic, start: 20s}
"""


def read(text, folder="."):
    document = yaml_document.parse(text, f"{folder}/my.yaml")
    sweep, problems = checked_sweep.expanded(document)
    assert not problems, str(document.mistakes(problems))
    return sweep


def mistakes(text, folder="."):
    document = yaml_document.parse(text, f"{folder}/my.yaml")
    told = str(document.mistakes(checked_sweep.expanded(document)[1]))
    return [line.removeprefix(f"{folder}/my.yaml:") for line in told.splitlines()]


def network(links, flows="long: {from: a, to: b}", more=""):
    return f"sweep: s\nscenario: network\nnetwork:\n  links:\n    {links}\n  flows:\n    {flows}\n{more}"


def test_what_is_said_is_in_the_combination_in_normal_form_and_in_the_files_order():
    (row,) = read(LINE.replace("10Mbps", "10000kbps")).own
    assert row["network.links"] == "first,second" and row["network.flows"] == "long,cross"
    assert row["network.links.first.bandwidth"] == "10Mbps"
    assert row["network.links.second.between"] == "b,c"
    assert row["network.flows.cross.variant"] == "TcpCubic"
    assert "network.links.first.loss" not in row, "only what is said"


def test_dotted_names_are_axes_and_win_over_the_section():
    grid = "grid: {network.links.second.bandwidth: [4Mbps, 8000kbps], network.links.first.back.loss: [0, 1%]}\n"
    sweep = read(LINE + grid)
    assert sweep.axes == {
        "network.links.second.bandwidth": ["4Mbps", "8Mbps"],
        "network.links.first.back.loss": [0, 0.01],
    }
    assert [row["network.links.second.bandwidth"] for row in sweep.own] == ["4Mbps", "4Mbps", "8Mbps", "8Mbps"]
    shown = axes.of(sweep)
    assert [axis.head for axis in shown.values()] == ["second bandwidth [Mbit/s]", "first back loss"]


@pytest.mark.parametrize(
    ("more", "count"),
    [
        ("only: {network.links.second.bandwidth: 4000kbps}", 1),
        ("exclude: {network.links.second.bandwidth: [4Mbps, 8Mbps]}", 1),
        ("expect: jain > 0 where network.links.second.bandwidth < 5Mbps", 3),
        ("figures: [{metric: jain, axis: network.links.second.bandwidth}]", 3),
        ("figures: [{metric: jain, axis: variant, where: {network.links.second.bandwidth: 4Mbps}}]", 3),
        ("tables: [{title: t, columns: [network.links.second.bandwidth, network.flows.long.from, jain]}]", 3),
        ("zip: {network.links.first.delay: [1ms, 2ms], network.flows.long.bytes: [1MB, 2MB]}", 6),
        ("fixed: {network.links.first.queue: 20p}", 3),
    ],
)
def test_dotted_names_stand_wherever_parameters_do(more, count):
    text = LINE + "grid: {network.links.second.bandwidth: [4Mbps, 8Mbps, 9Mbps]}\n"
    variants = "" if "axis: variant" not in more else "zip: {network.flows.long.variant: [reno, bbr]}\n"
    variants = variants.replace("reno", "newreno")
    assert len(read(text + variants + more).own) == count * (2 if variants else 1)


def test_an_axis_has_a_short_title_where_that_is_clear():
    names = ["network.links.a.loss", "network.flows.a.start", "network.links.b.loss", "network.flows.b.loss"]
    titles = [axes.title(name, names) for name in names]
    assert titles == ["a loss", "a start", "links b loss", "flows b loss"]


def test_the_variant_is_that_of_all_flows_or_each_groups():
    text = LINE.replace(", variant: cubic", "") + "fixed: {variant: bbr}"
    assert [row["variant"] for row in read(text).own] == ["TcpBbr"]
    sweep = read(LINE + "grid: {network.flows.long.variant: [cubic, bbr, vegas+bbr]}\nbaseline: cubic")
    said = ["TcpCubic", "TcpBbr+TcpCubic", "TcpVegas+TcpBbr+TcpCubic"]
    assert sweep.axes == {"variant": said}, "one axis of variants, so that they are compared in the same network"
    assert [row["variant"] for row in sweep.own] == said


def test_traffic_beside_flows_is_part_of_the_variant_only_where_it_is_swept():
    beside = (
        LINE.replace("variant: cubic, ", "") + "  traffic: {pages: {kind: web, from: c, to: a, variant: newreno}}\n"
    )
    sweep = read(beside + "grid: {variant: [cubic, bbr]}")
    assert sweep.axes["variant"] == ["TcpCubic", "TcpBbr"]
    assert sweep.baseline == "TcpCubic"
    sweep = read(beside + "grid: {network.traffic.pages.variant: [cubic, bbr]}\nfixed: {variant: cubic}")
    assert sweep.axes["variant"] == ["TcpCubic", "TcpCubic+TcpCubic+TcpBbr"]


def test_the_baseline_may_be_several_groups_variants():
    swept = "grid: {network.flows.long.variant: [bbr, vegas]}\n"
    assert read(LINE + swept).baseline == "TcpBbr+TcpCubic"
    assert read(LINE + swept + "baseline: vegas+cubic").baseline == "TcpVegas+TcpCubic"
    (told,) = mistakes(LINE + swept + "baseline: cubic")
    assert "TcpBbr+TcpCubic, TcpVegas+TcpCubic; got 'TcpCubic'" in told


def test_flows_are_compared_whatever_the_traffic_beside_them_has():
    long = LINE.replace("    cross: {from: b, to: c, variant: cubic, start: 20s}\n", "")
    assert long != LINE
    beside = long + "  traffic: {pages: {kind: web, from: c, to: a, variant: newreno}}\n"
    compared = comparisons.pairs(read(beside + "grid: {variant: [cubic, bbr]}"))
    assert compared.select("variant", "own", "reference_own").rows() == [
        ("TcpBbr", None, None),
        ("TcpBbr", "TcpBbr", "TcpCubic"),
    ]
    swept = beside.replace(", variant: newreno", "") + "grid: {network.traffic.pages.variant: [cubic, bbr]}\n"
    sweep = read(swept + "fixed: {variant: cubic}")
    assert [harm_combinations.variants_of_flows(row) for row in sweep.own] == [["TcpCubic"], ["TcpCubic"]]
    (told,) = mistakes(swept + "fixed: {variant: cubic}\nexpect: goodput_bps of bbr >= 1kbps")
    assert "expected a variant of the combinations that are meant, TcpCubic" in told


def test_groups_that_make_the_same_mix_in_two_ways_are_refused():
    both = "network.flows.long.variant: [cubic, cubic+bbr], network.flows.cross.variant: [bbr, cubic+bbr]"
    text = LINE.replace(", variant: cubic", "").replace("start: 20s", "start: 20s, count: 2")
    (told,) = mistakes(text + f"zip: {{{both}}}")
    assert "two combinations of a network would both be called TcpCubic+TcpBbr" in told


def test_flows_without_a_variant_of_their_own_take_the_mixs_in_turn():
    text = LINE.replace(", variant: cubic", "").replace("count: 2", "count: 3")
    (row,) = read(text + "fixed: {variant: cubic+bbr}").own
    dealt = network_graph.dealt(row)
    assert dealt == {"long": ["TcpCubic", "TcpBbr", "TcpCubic"], "cross": ["TcpBbr"]}


def test_members_have_the_values_whose_turn_it_is():
    text = network('hop: {between: ["r{i}", "r{i + 1}"], count: 3, delay: [1ms, 2ms]}', "long: {from: r0, to: r3}")
    (row,) = read(text).own
    built = network_graph.of(row, "20ms")
    assert [link.name for link in built.links] == ["hop-0", "hop-1", "hop-2"]
    assert [link.ends for link in built.links] == [("r0", "r1"), ("r1", "r2"), ("r2", "r3")]
    assert network_graph.round_trips_s(row, "20ms") == pytest.approx((2 * 0.004,))


def test_the_product_of_a_link_counts_the_round_trips_of_traffic_too():
    flow = "cross: {from: b, to: c}\n  traffic: {pages: {kind: web, from: a, to: c}}"
    (row,) = read(
        network("first: {between: [a, b], delay: 10ms}\n    second: {between: [b, c], back: {delay: 30ms}}", flow)
    ).own
    built, trips = network_views.network_of(row), network_views.round_trips_s(row)
    assert trips == pytest.approx((0.05,))
    for link in (0, 1):
        assert network_views.topology_of(row, link, built, trips).longest_s == pytest.approx(0.07)


def test_round_trips_are_computed_once_for_links_with_values_of_their_own(monkeypatch):
    text = network('hop: {between: ["r{i}", "r{i + 1}"], count: 9, delay: [1ms, 2ms]}', "long: {from: r0, to: r9}")
    (row,) = read(text).own
    called = []
    of_all = network_graph.round_trips_s
    monkeypatch.setattr(network_graph, "round_trips_s", lambda *given: called.append(1) or of_all(*given))
    assert list(network_check.problems(row)) == []
    assert len(called) == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            LINE.replace("to: c, count", "to: d, count"),
            "8:25: network.flows.long.to: no link joins a node 'd'; the links join a, b, c",
        ),
        (
            LINE.replace("from: b", "from: bb"),
            "9:19: network.flows.cross.from: no link joins a node 'bb'; did you mean 'b'?",
        ),
        (
            LINE.replace("    second:", "    first_reverse:"),
            "6:30: network.links.first_reverse.between: first_reverse is how the queue of first is called on the way back; expected another name",
        ),
        (
            LINE.replace("count: 2", "count: 2, socket_buffer: [4MB, 500]"),
            "8:53: network.flows.long.socket_buffer: expected at least one segment, 1448 B; got 500",
        ),
        (
            LINE.replace("count: 2", "socket_buffer: auto"),
            "8:43: network.flows.long.socket_buffer: expected a number of bytes, plain or with its unit, such as 200kB, got 'auto'",
        ),
        (
            LINE.replace("[b, c]", "[c, c]"),
            "6:23: network.links.second.between: the link joins c to itself; expected two nodes",
        ),
        (
            LINE.replace("[b, c]", "[d, e]")
            .replace("from: b, to: c, v", "from: d, to: e, v")
            .replace("to: c", "to: e"),
            "8:25: network.flows.long.to: no links lead from a to e",
        ),
        (
            LINE.replace("[b, c]", "[bb, c]").replace("from: b, to: c", "from: a, to: b"),
            "8:25: network.flows.long.to: no links lead from a to c; no link but second joins 'bb'; did you mean 'b'?",
        ),
        (
            LINE.replace("[b, c]", "[d, e]").replace("to: c", "to: b").replace("from: b", "from: a"),
            "6:23: network.links.second.between: no link joins this part of the network to the others: it is in 2 parts, "
            "a, b and d, e",
        ),
        (LINE.replace("from: b, ", ""), "9:12: network.flows.cross: cross needs `from`, a node that a link joins"),
        (
            LINE.replace("to: c, v", "to: b, v"),
            "9:26: network.flows.cross.to: flow 0 of cross goes from b to itself; expected another node",
        ),
        (
            LINE.replace("count: 2", "route: [second, first]"),
            "8:35: network.flows.long.route: second joins b and c; expected a link from a, where the flow begins: first",
        ),
        (
            LINE.replace("count: 2", "route: [first]"),
            "8:35: network.flows.long.route: the route ends at b; expected c, where the flow ends",
        ),
        (
            LINE.replace("count: 2", "route: [first, first, first, second]"),
            "8:35: network.flows.long.route: the route comes to a twice, the second time by first; expected each node once",
        ),
        (
            LINE.replace("count: 2", "route: [frist, second]"),
            "8:35: network.flows.long.route: there is no link 'frist'; did you mean 'first'?",
        ),
        (
            LINE.replace("count: 2", "count: 0").replace("variant: cubic", "count: 0"),
            "8:35: network.flows.long.count: expected at least one flow, or traffic; the counts of all are 0",
        ),
        (
            network("hop: {between: [a, b], count: 2}"),
            "5:20: network.links.hop.between: its members 0 and 1 both join a and b; let their names differ by {i}",
        ),
        (
            network('hop: {between: ["a{i}", b], count: 2}\n    hop-1: {between: [a, b]}'),
            "6:22: network.links.hop-1.between: two links are called hop-1, of hop and of hop-1; rename one",
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
            LINE + "grid: {network.links.thrid.bandwidth: [1Mbps]}",
            "10:8: grid.network.links.thrid.bandwidth: there is no link 'thrid'; the network has first, second",
        ),
        (
            LINE + "grid: {network.links.secnd.bandwidth: [1Mbps]}",
            "10:8: grid.network.links.secnd.bandwidth: there is no link 'secnd'; did you mean 'second'? The network has "
            "first, second",
        ),
        (
            LINE + "only: {network.flows.lang.start: 1s}",
            "10:8: only.network.flows.lang.start: there is no flow 'lang'; did you mean 'long'? The network has long, cross",
        ),
        (
            LINE + "grid: {network.links.first.bandwidth: [10]}",
            "10:40: grid.network.links.first.bandwidth[0]: expected a data rate, such as 10Mbps, got 10; a unit is missing: did you mean '10Mbps'?",
        ),
        (
            LINE.replace("10Mbps", "10"),
            "5:41: network.links.first.bandwidth: expected a data rate, such as 10Mbps, got 10; a unit is missing: did you mean '10Mbps'?",
        ),
        (
            LINE + "fixed: {bandwidth: 1Mbps}",
            "10:9: fixed.bandwidth: the scenario network has no `bandwidth` of its own; write network.links.NAME.bandwidth",
        ),
        (
            LINE.replace("start: 20s", "start: 80s"),
            "9:52: network.flows.cross.start: flow 0 starts after the end (60s)",
        ),
        (
            LINE.replace("20ms}", "20ms, step_delay: 1ms}"),
            "6:74: network.links.second.step_delay: step_delay needs the time of the step, step_time",
        ),
        (
            LINE.replace("20ms}", "20ms, back: {ecn: true}}"),
            "6:74: network.links.second.back.ecn: `ecn: true` needs a queue disc that marks; queue_disc none does not",
        ),
        (
            LINE.replace("cubic", "dctcp"),
            "9:38: network.flows.cross.variant: TcpDctcp needs a link on its way with `ecn: true` and a queue disc that marks, "
            "such as `queue_disc: RedQueueDisc` with `ecn_threshold: 20p`",
        ),
        (
            LINE.replace("cubic", "linux:dctcp"),
            "9:38: network.flows.cross.variant: linux:dctcp needs a link on its way with `ecn: true` and a queue disc that "
            "marks, such as `queue_disc: RedQueueDisc` with `ecn_threshold: 20p`",
        ),
        (
            "sweep: s\nscenario: network\n",
            "2:11: scenario: expected `network` with `links`, such as {first: {between: [a, b], bandwidth: 10Mbps}}",
        ),
        (
            "sweep: s\nscenario: dumbbell\nnetwork: {links: {}}",
            "3:1: network: this is for `scenario: network` or a network preset",
        ),
        (
            LINE + "  traffic: {t: {kind: arrivals, from: a, to: c, load: 1.5, link: second}}",
            "10:55: network.traffic.t.load: expected a share from 0 to 1, such as 0.01 or 1%, got 1.5; 1 is the whole link",
        ),
        (
            LINE
            + "  traffic: {t: {kind: arrivals, from: a, to: c, load: 0.2, link: second}}\ngrid: {network.traffic.t.load: [0.2, 1.2]}",
            "11:38: grid.network.traffic.t.load[1]: expected a share from 0 to 1, such as 0.01 or 1%, got 1.2; 1 is the whole link",
        ),
        (
            LINE.replace("[a, b]", "[a]"),
            "5:22: network.links.first.between: expected the names of two nodes, such as [a, b], got ['a']",
        ),
        (
            LINE.replace("[a, b]", "[a, b, c]"),
            "5:22: network.links.first.between: expected the names of two nodes, such as [a, b], got ['a', 'b', 'c']",
        ),
        (
            LINE + "grid: {links.second.bandwidth: [1Mbps]}",
            "10:8: grid.links.second.bandwidth: unknown key; did you mean network.links.second.bandwidth?",
        ),
        (
            LINE + "grid: {second bandwidth: [1Mbps]}",
            "10:8: grid.second bandwidth: unknown key; did you mean network.links.second.bandwidth?",
        ),
        (
            LINE + "fixed: {flows.long.start: 1s}",
            "10:9: fixed.flows.long.start: unknown key; did you mean network.flows.long.start?",
        ),
        (
            LINE + "grid: {second.bandwidth: [1Mbps]}",
            "10:8: grid.second.bandwidth: unknown key; did you mean network.links.second.bandwidth?",
        ),
        (
            LINE + "grid: {links.secnd.bandwidth: [1Mbps]}",
            "10:8: grid.links.secnd.bandwidth: unknown key; did you mean 'network.links.second.bandwidth'?",
        ),
        (
            LINE + "  traffic: {t: {kind: arrivals, from: a, to: c, load: 0.5, link: secnd}}",
            "10:66: network.traffic.t.link: there is no link 'secnd'; did you mean 'second'?",
        ),
        (
            LINE + "  traffic: {t: {kind: arrivals, from: a, to: c, load: 0.5}}",
            "10:55: network.traffic.t.load: a load needs `link`, the one whose rate it is a share of",
        ),
        (
            LINE + "  traffic: {t: {kind: web, from: a, to: c, load: 0.5}}",
            "10:44: network.traffic.t.load: traffic of the kind web does not take `load`; arrivals does",
        ),
        (
            LINE + '  traffic: {t: {kind: web, from: "h{i}", to: c, hosts: 2}}',
            "10:34: network.traffic.t.from: no link joins a node 'h0' (of h{i}, i = 0); the links join a, b, c",
        ),
    ],
)
def test_a_mistake_gets_one_message_with_its_line_and_column(text, told):
    assert mistakes(text) == [told]


def test_an_unknown_field_is_told_with_the_nearest_and_all_that_there_are():
    (told,) = mistakes(LINE.replace("bandwidth: 8Mbps", "bandwith: 8Mbps"))
    assert told.startswith(
        "6:31: network.links.second.bandwith: unknown key; did you mean 'bandwidth'? Expected one of between, "
    )
    (told,) = mistakes(LINE + "grid: {network.links.second.bandwith: [8Mbps]}")
    assert told.startswith(
        "10:8: grid.network.links.second.bandwith: a link has no 'bandwith'; did you mean 'bandwidth'? It has "
    )
    (told,) = mistakes(LINE + "grid: {network.link.second.bandwidth: [8Mbps]}")
    assert told.endswith("got 'network.link.second.bandwidth'; did you mean 'links'?")
    (told,) = mistakes(
        LINE
        + "figures: [{metric: jain, axis: network.flows.long.variant}]\nzip: {network.flows.long.variant: [cubic, bbr]}"
    )
    assert told.endswith("the axis of all groups' variants is `variant`")


def test_two_links_of_a_name_are_told_by_their_lines():
    with pytest.raises(yaml_document.Mistakes, match="the key 'first' stands twice, on lines 5 and 6"):
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
    ("kind: incast, from: [a, c], to: c", "37: from: the client, c, is among the senders"),
    ("kind: incast, from: a, to: [b, c]", "44: to: expected the one client that all answer, got 2 nodes"),
    (
        "kind: arrivals, from: [a, b], to: a, rate: 3",
        "51: to: flows from a have no node to go to but a itself",
    ),
    (
        "kind: on-off, from: [a, b], to: [c, b]",
        "49: to: taken in turn, `from` and `to` give traffic from b to itself; order them otherwise",
    ),
    (
        "kind: web, from: [a, b], to: [c, b]",
        "34: from: taken in turn, `from` and `to` give traffic from b to itself; order them otherwise",
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
        "65: sizes: expected a shape from 1.01 to 100, with which there is a mean; got 1",
    ),
    (
        'kind: arrivals, from: a, to: c, rate: 3, sizes: "lognormal:10:5:100:20"',
        "65: sizes: expected a least size below the most; got 100 and 20",
    ),
    (
        "kind: web, from: a, to: c, variant: dctcp",
        "53: variant: TcpDctcp needs a link with `ecn: true` and a queue disc that marks, such as "
        "`queue_disc: RedQueueDisc` with `ecn_threshold: 20p`",
    ),
    (
        "kind: web, from: a, to: c, variant: cubic+bbr",
        "53: variant: expected one congestion control for a group, got the mix TcpCubic+TcpBbr; give each its own",
    ),
    (
        "kind: arrivals, from: a, to: c, rate: 2e9",
        "55: rate: expected at most 1,000,000,000 flows per second, got 2000000000",
    ),
    (
        "kind: arrivals, from: a, to: c, rate: 3, limit: 2000000000",
        "65: limit: expected at most 1000000000, got 2000000000",
    ),
    ("kind: incast, from: a, to: c, times: 2000000000", "54: times: expected at most 1000000000, got 2000000000"),
    ("kind: realtime, from: a, to: c, packet_size: 15", "62: packet_size: expected at least 16, got 15"),
    ("kind: realtime, from: a, to: c, packet_size: 1233", "62: packet_size: expected at most 1232, got 1233"),
    ("kind: web, from: a, to: c, connections: 101", "57: connections: expected at most 100, got 101"),
    (
        "kind: web, from: a, to: c, main: exponential:0kB",
        "50: main: expected 1 byte or more, up to 1000000000000000, for each size of exponential, got 'exponential:0kB'",
    ),
    (
        "kind: web, from: a, to: c, main: lognormal:10:5:0B:20",
        "50: main: expected 1 byte or more, up to 1000000000000000, for each size of lognormal, got 'lognormal:10:5:0B:20'",
    ),
    # A kind that is no text is all that is told.
    (
        "from: a, to: c, load: 0.5, kind: [web, video]",
        "50: kind: expected one of arrivals, incast, on-off, web, video, realtime, got ['web', 'video']",
    ),
    ("from: a, to: c, kind: {}", "39: kind: expected one of arrivals, incast, on-off, web, video, realtime, got {}"),
    (
        "kind: arrivals, from: a, to: c, load: -1, link: second",
        "55: load: expected a share from 0 to 1, such as 0.01 or 1%, got -1",
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
            "10:33: grid.network.flows.long.from: expected a list, got 'a'; one value is `network.flows.long.from: a` "
            "under `fixed`",
        ),
    ],
)
def test_values_that_are_lists_themselves_are_told_as_an_axis_has_them(axis, told):
    assert mistakes(LINE + f"grid: {{{axis}}}\n") == [told]


def test_a_load_of_a_link_that_follows_a_trace_is_told(tmp_path):
    (tmp_path / "t").write_text("1\n2\n")
    traffic = "  traffic: {t: {kind: arrivals, from: a, to: c, load: 0.5, link: second}}\n"
    assert mistakes(LINE.replace("delay: 20ms", "trace: t") + traffic, tmp_path) == [
        "10:55: network.traffic.t.load: second follows a `trace` and has no rate of its own; give `rate`, flows per second"
    ]


def test_an_axis_of_a_bandwidth_that_a_trace_replaces_is_told(tmp_path):
    (tmp_path / "t").write_text("1\n2\n")
    axis = "grid: {network.links.second.bandwidth: [4Mbps, 8Mbps]}\n"
    assert mistakes(LINE.replace("delay: 20ms", "trace: t") + axis, tmp_path) == [
        "10:8: grid.network.links.second.bandwidth: second follows a `trace`, which replaces the bandwidth; "
        "leave out this axis or the trace"
    ]
    assert len(read(LINE.replace("delay: 20ms", "trace: t, back: {trace: none}") + axis, tmp_path).own) == 2
    (tmp_path / "u").write_text("2\n4\n")
    zipped = axis.replace("grid", "zip").replace("}", ", network.links.second.trace: [t, u]}")
    assert len(read(LINE + zipped, tmp_path).own) == 2, "networks that differ by their traces"


TRACES = {
    "empty": ("", "trace: t is empty"),
    "words": ("1\n2\nten\n", "trace: t:3: expected a time in whole milliseconds, got 'ten'"),
    "gap": ("1\n\n3\n", "trace: t:2: expected a time in whole milliseconds, got an empty line"),
    "unordered": ("1\n30\n4\n", "trace: t:3: 4 ms comes after 30 ms; expected times in their order"),
    "still": ("0\n0\n", "trace: t: its last time is 0 ms, so that it has no length; expected a later one"),
    "late": ("0\n4294967296\n", "trace: t:2: expected at most 4294967295 ms, got 4294967296"),
    "minus": ("-1\n2\n", "trace: t:1: expected a time in whole milliseconds, got '-1'"),
}


@pytest.mark.parametrize(("held", "told"), TRACES.values(), ids=TRACES)
def test_a_trace_that_is_wrong_is_told_at_its_place_with_its_line(held, told, tmp_path):
    (tmp_path / "t").write_text(held)
    text = LINE.replace("delay: 20ms", "trace: t")
    assert mistakes(text, tmp_path) == [f"6:56: network.links.second.{told}"]


def test_a_missing_trace_is_told_with_the_nearest_name(tmp_path):
    (tmp_path / "lte.down").write_text("1\n2\n")
    text = LINE + "grid: {network.links.second.trace: [lte.down, lte.donw]}"
    assert mistakes(text, tmp_path) == [
        "10:47: grid.network.links.second.trace[1]: lte.donw: cannot be read: No such file or directory; "
        "did you mean 'lte.down'?"
    ]


SCHEDULES = {
    "heads": ("when,delay_s\n1,2\n", "f:1: unknown column 'when'; expected the heads time_s"),
    "order": (
        "time_s,delay_s\n1,0.1\n1,0.2\n",
        "f:3: 1s is not after the line before it; expected times in their order",
    ),
    "loss": ("time_s,loss\n0,1.5\n", "f:2: loss: expected a share from 0 to 1, such as 0.01 or 1%, got 1.5"),
    "rate": ("time,bandwidth\n0s,10\n", "f:2: bandwidth: expected a data rate, such as 10Mbps, got '10'"),
    "short": ("# none\ntime_s,loss\n0\n", "f:3: expected 2 values, as there are heads, got 1"),
    "bare": ("time_s,loss\n", "f has no line below its heads"),
}


@pytest.mark.parametrize(("held", "told"), SCHEDULES.values(), ids=SCHEDULES)
def test_a_schedule_that_is_wrong_is_told_with_its_line(held, told, tmp_path):
    (tmp_path / "f").write_text(held)
    (found,) = mistakes(LINE.replace("delay: 20ms", "schedule: f"), tmp_path)
    assert found.startswith(f"6:59: network.links.second.schedule: {told}")


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (
            "schedule_repeat: 9s",
            "6:79: network.links.second.schedule_repeat: expected more than the schedule's last time, 10s; got 9s",
        ),
        (
            "trace: t",
            "6:59: network.links.second.schedule: it changes the rate, and a link that follows a `trace` has none",
        ),
        (
            "loss_in_good: 1%",
            "6:59: network.links.second.schedule: it changes the losses, and so does `loss_good_to_bad` or `loss_in_good`; give one",
        ),
        (
            "step_time: 1s, step_delay: 1ms",
            "6:73: network.links.second.step_time: the link follows a `schedule`; give it or a step, not both",
        ),
    ],
)
def test_what_does_not_go_with_a_schedule_is_told(more, told, tmp_path):
    (tmp_path / "f").write_text("time_s,bandwidth_bps,loss\n0,1000000,\n10,2000000,0.5\n")
    (tmp_path / "t").write_text("1\n2\n")
    assert mistakes(LINE.replace("delay: 20ms", f"schedule: f, {more}"), tmp_path) == [told]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("trace: t", "it changes the rate, and a link that follows a `trace` has none"),
        ("loss_good_to_bad: 1%", "it changes the losses, and so does `loss_good_to_bad` or `loss_in_good`; give one"),
        ("schedule: none, trace: t", None),
        ("delay: 3ms", None),
    ],
)
def test_a_direction_back_follows_the_schedule_forth_unless_it_has_its_own(more, told, tmp_path):
    (tmp_path / "f").write_text("time_s,bandwidth_bps,loss\n0,1000000,\n10,2000000,0.5\n")
    (tmp_path / "t").write_text("1\n2\n")
    at = "6:59: network.links.second.schedule"
    said = [f"{at}: {told}; this is about its direction back"] if told else []
    assert mistakes(LINE.replace("delay: 20ms", f"schedule: f, back: {{{more}}}"), tmp_path) == said
    both = [f"{at}: {told}"] if more == "trace: t" else []
    if both:  # once, where it is so forth too
        assert mistakes(LINE.replace("delay: 20ms", "schedule: f, trace: t, back: {delay: 3ms}"), tmp_path) == both


SIZES = {
    "end": ("0 0\n1000 50\n2000 90\n", "f:3: the distribution ends at 90; expected 1, or 100 for percentages"),
    "order": ("0 0\n2000 50\n1000 100\n", "f:3: 1000 bytes come after 2000; expected sizes in their order"),
    "falls": ("0 0\n1000 50\n2000 40\n", "f:3: the share 40 comes after 50; expected shares that rise"),
    "words": ("size share\n", "f:1: expected a size in bytes and the share of flows that have no more"),
}


@pytest.mark.parametrize(("held", "told"), SIZES.values(), ids=SIZES)
def test_a_distribution_that_is_wrong_is_told_with_its_line(held, told, tmp_path):
    (tmp_path / "f").write_text(held)
    traffic = "  traffic: {t: {kind: arrivals, from: a, to: c, load: 0.5, link: second, sizes: f}}"
    (found,) = mistakes(LINE + traffic, tmp_path)
    assert found.startswith(f"10:81: network.traffic.t.sizes: {told}")


@pytest.mark.parametrize(
    ("sizes", "told"),
    [
        ("exponental:20kB", "did you mean 'exponential:20kB', as exponential:MEAN?"),
        ("exponential(20kB)", "did you mean 'exponential:20kB', as exponential:MEAN?"),
        ("pareto(20kB)", "a distribution is written pareto:MEAN:SHAPE"),
        ("uniform:20kB", "expected constant:BYTES, exponential:MEAN, pareto:MEAN:SHAPE, lognormal:MEAN:DEVIATION"),
        ("exponential", "a distribution is written exponential:MEAN"),
        ("websearch.txt", "cannot be read: No such file or directory"),
    ],
)
def test_a_distribution_that_is_mistyped_is_told_with_the_nearest(sizes, told):
    traffic = f"  traffic: {{t: {{kind: arrivals, from: a, to: c, load: 0.5, link: second, sizes: {sizes}}}}}"
    (found,) = mistakes(LINE + traffic)
    assert found.startswith(f"10:81: network.traffic.t.sizes: {sizes}") and told in found


@pytest.mark.parametrize("end", ["1", "100", "1.0"])
def test_a_distribution_ends_at_1_or_100(end, tmp_path):
    (tmp_path / "f").write_text(f"# bytes, share\n0 0\n1000 {end}\n")
    traffic = "  traffic: {t: {kind: arrivals, from: a, to: c, load: 0.5, link: second, sizes: f}}"
    assert read(LINE + traffic, tmp_path).inputs["f"].path == str(tmp_path / "f")


def test_ns3s_names_are_checked_wherever_they_stand():
    text = LINE.replace("delay: 20ms", "queue_disc: CodelQueueDisc")
    text += "grid: {network.flows.long.variant: [cubic, cubik]}\nattributes: {ns3::PointToPointChannel::Delay: 3ms}\n"
    document = yaml_document.parse(text, "f")
    told = str(document.mistakes(ns3_check.problems(document.data, engine.find()))).splitlines()
    assert [line.partition("; it has")[0] for line in told] == [
        "f:6:61: network.links.second.queue_disc: ns-3 3.44 has no queue disc 'CodelQueueDisc'; did you mean "
        "'CoDelQueueDisc'? It has " + told[0].partition("It has ")[2],
        "f:10:44: grid.network.flows.long.variant[1]: ns-3 3.44 has no congestion control 'cubik'; did you mean 'TcpCubic'? "
        "It has " + told[1].partition("It has ")[2],
        "f:11:14: attributes.ns3::PointToPointChannel::Delay: network.links.NAME.delay sets this; give it there",
    ]


def test_a_presets_parameters_are_no_setting_of_a_study():
    text = "sweep: s\nscenario: parking-lot\npublished: {source: s, setting: {hops: 2}}\n"
    assert mistakes(text) == [
        "3:34: published.setting.hops: give what it stands for, by dotted names of links and flows"
    ]
