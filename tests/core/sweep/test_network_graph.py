# SPDX-License-Identifier: MIT
"""Paths through a custom topology: the fewest links, then the least delay, then the order of the file."""

import random

import pytest

from tcpsweep.core.sweep import assignment, combination_parts, network_graph
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.words import arithmetic
from tcpsweep.features.pairs import harm_combinations


def row_of(links, flows, **more):
    """A combination: links as {name: (between, delay)}, flows as {name: (from, to)}, and other dotted values."""
    row = {"variant": "TcpCubic", "network.links": ",".join(links), "network.flows": ",".join(flows)}
    for name, (between, delay) in links.items():
        row |= {f"network.links.{name}.between": between, f"network.links.{name}.delay": delay}
    for name, (source, target) in flows.items():
        row |= {f"network.flows.{name}.from": source, f"network.flows.{name}.to": target}
    return row | {f"network.{name}": value for name, value in more.items()}


def way(row):
    network = network_graph.network_of(row, "20ms")
    assert not network.faults
    return [network.links[step.link].name for step in network.flows[0].way]


def test_among_paths_with_equally_many_links_the_least_delay_wins_then_the_first():
    links = {"ab": ("a,b", "5ms"), "bd": ("b,d", "5ms"), "ac": ("a,c", "4ms"), "cd": ("c,d", "5ms")}
    assert way(row_of(links, {"f": ("a", "d")})) == ["ac", "cd"]
    assert way(row_of(links | {"ac": ("a,c", "5ms")}, {"f": ("a", "d")})) == ["ab", "bd"]
    assert way(row_of(links | {"ac": ("a,c", "6ms")}, {"f": ("a", "d")})) == ["ab", "bd"], "not what is remembered"


def test_delays_of_both_directions_decide_between_ways():
    links = {"ab": ("a,b", "1ms"), "bd": ("b,d", "5ms"), "ac": ("a,c", "9ms"), "cd": ("c,d", "5ms")}
    row = row_of(links, {"f": ("a", "d")}, **{"links.ab.back.delay": "30ms"})
    assert way(row) == ["ac", "cd"]
    assert network_graph.round_trips_s(row, "20ms") == pytest.approx((0.028,))


def test_a_route_is_taken_even_where_it_is_longer():
    links = {"direct": ("a,c", "1ms"), "ab": ("a,b", "1ms"), "bc": ("c,b", "1ms")}
    row = row_of(links, {"f": ("a", "c")}, **{"flows.f.route": "ab,bc"})
    assert way(row) == ["ab", "bc"]
    assert network_graph.round_trips_s(row, "20ms") == pytest.approx((0.004,))


def _by_trying_all(links, source, target):
    """All ways without a node twice, the best first: by links, delay and the links' numbers."""
    found = []

    def go(node, seen, numbers, delay):
        if node == target:
            found.append((len(numbers), round(delay, 9), numbers))
            return
        for number, (ends, own) in enumerate(links):
            if node in ends:
                other = ends[1 - ends.index(node)]
                if other not in seen:
                    go(other, seen | {other}, [*numbers, number], delay + own)

    go(source, {source}, [], 0.0)
    return min(found)[2] if found else None


@pytest.mark.parametrize("seed", range(40))
def test_ways_are_the_best_of_all(seed):
    draws = random.Random(seed)
    nodes = "abcdef"
    pairs = [tuple(draws.sample(nodes, 2)) for _ in range(9)]
    links = [(pair, draws.choice([0.001, 0.002, 0.003])) for pair in pairs]
    names = {f"l{number}": (",".join(ends), f"{round(delay * 1000)}ms") for number, (ends, delay) in enumerate(links)}
    there = sorted({node for pair in pairs for node in pair})
    source, target = there[0], there[-1]
    wanted = _by_trying_all(links, source, target)
    row = row_of(names, {"f": (source, target)})
    network = network_graph.network_of(row, "20ms")
    if wanted is None:
        assert "no links lead" in network.faults[0].message
    else:
        assert [step.link for step in network.flows[0].way] == wanted


@pytest.mark.parametrize(
    ("text", "i", "value"),
    [("i", 3, 3), ("i+1", 3, 4), ("i / 4 * 2 + i % 4", 7, 5), ("2 * (i + 1)", 2, 6), ("(i - 5) % 3", 3, 1)],
)
def test_members_names_are_computed_with_whole_numbers(text, i, value):
    assert arithmetic.member(f"a{{{text}}}b", i) == f"a{value}b"


@pytest.mark.parametrize("text", ["", "i +", "i i", "(i", "i)", "1.5", "j", "4Mbps", "i ^ 2"])
def test_invalid_expressions_are_refused(text):
    with pytest.raises(arithmetic.Unreadable):
        arithmetic.member(f"a{{{text}}}", 1)


def test_the_flows_of_a_mix_change_places_and_others_keep_theirs():
    plain = {"flows.f.count": 2, "flows.f.variant": "TcpCubic+TcpBbr", "flows.g.variant": "TcpVegas"}
    row = row_of({"l": ("a,b", "1ms")}, {"f": ("a", "b"), "g": ("a", "b")}, **plain) | {"assignment": "auto"}
    assert assignment.flow_variants(row, 1) == ["TcpCubic", "TcpBbr", "TcpVegas"]
    assert assignment.flow_variants(row, 2) == ["TcpBbr", "TcpCubic", "TcpVegas"]
    assert assignment.period(row) == 2
    assert assignment.flow_count(row) == assignment.forward_count(row) == 3
    fixed = row | {"assignment": "fixed"}
    assert assignment.flow_variants(fixed, 2) == assignment.flow_variants(fixed, 1)
    assert assignment.period(fixed) == 1
    # Without a mix, nothing changes places.
    row["network.flows.f.variant"] = "TcpCubic"
    assert assignment.period(row) == 1
    assert not assignment.matters(row) and not assignment.is_rotated(row)


def test_groups_that_share_a_mix_rotate_together_one_flow_in_a_group_too():
    plain = {"flows.f.variant": "TcpCubic+TcpBbr", "flows.g.variant": "TcpBbr+TcpCubic", "flows.g.count": 3}
    row = row_of({"l": ("a,b", "1ms")}, {"f": ("a", "b"), "g": ("a", "b")}, **plain) | {"assignment": "auto"}
    assert assignment.flow_variants(row, 1) == ["TcpCubic", "TcpBbr", "TcpCubic", "TcpBbr"]
    assert assignment.flow_variants(row, 2) == ["TcpBbr", "TcpCubic", "TcpBbr", "TcpCubic"]
    assert assignment.flow_variants(row, 0) == assignment.flow_variants(row, 2)
    assert assignment.period(row) == 2


def test_harm_leaves_out_or_replaces_the_variants_of_groups():
    row = row_of({"l": ("a,b", "1ms")}, {"f": ("a", "b"), "g": ("a", "b")}, **{"flows.g.variant": "TcpBbr"})
    row = Combination("network", row | {"variant": "TcpCubic+TcpBbr", "network.flows.f.variant": "TcpCubic"})
    alone, all_of_it = harm_combinations.alone(row, "TcpBbr"), harm_combinations.among_itself(row, "TcpBbr")
    assert combination_parts.flows_of(row) == {"TcpCubic": 1, "TcpBbr": 1}
    assert (alone["network.flows.f.variant"], alone["network.flows.g.variant"]) == ("none", "TcpBbr")
    assert combination_parts.flows_of(all_of_it) == {"TcpBbr": 2}
    assert alone["variant"] != all_of_it["variant"] == "TcpBbr"
    assert combination_parts.network(alone) == combination_parts.network(row) == combination_parts.network(all_of_it)
