# SPDX-License-Identifier: MIT
"""The positions of a network's nodes in drawings."""

from itertools import pairwise

import pytest

from tcpsweep.core.figures import network_layout


def named(links, ways):
    """The layout by nodes' names."""
    nodes = list(dict.fromkeys(end for link in links for end in link))
    number = {node: place for place, node in enumerate(nodes)}
    found = network_layout.layout(
        len(nodes), [(number[a], number[b]) for a, b in links], [[number[node] for node in way] for way in ways]
    )
    return dict(zip(nodes, found.places, strict=True)), found


def parking_lot(hops):
    routers = [f"r{i}" for i in range(hops + 1)]
    links = [*pairwise(routers), ("sender", "r0"), (f"r{hops}", "receiver")]
    ways = [["sender", *routers, "receiver"]]
    for i in range(hops):
        links += [(f"in{i}", f"r{i}"), (f"r{i + 1}", f"out{i}")]
        ways.append([f"in{i}", f"r{i}", f"r{i + 1}", f"out{i}"])
    return links, ways


@pytest.mark.parametrize("hops", [1, 2, 3, 6, 8])
def test_a_parking_lot_is_a_straight_row_from_sender_to_receiver_and_nodes_of_a_layer_do_not_touch(hops):
    at, layout = named(*parking_lot(hops))
    row = [at[f"r{i}"] for i in range(hops + 1)]
    assert [layer for layer, _ in row] == list(range(1, hops + 2))
    assert len({across for _, across in row}) == 1
    assert at["sender"][0] == 0 and at["receiver"][0] == hops + 2
    # Cross flows come from one side and leave on the other.
    between = [i for i in range(hops) if 0 < i < hops - 1]
    assert len({at[f"in{i}"][1] > row[0][1] for i in between} | {at[f"out{i}"][1] < row[0][1] for i in between}) <= 1
    for layer in range(hops + 3):
        across = sorted(place for found, place in layout.places if found == layer)
        assert all(second - first >= 1 for first, second in pairwise(across))


def test_reverse_flows_do_not_turn_a_dumbbell_around():
    links = [("s0", "l"), ("s1", "l"), ("l", "r"), ("r", "d0"), ("r", "d1")]
    at, _ = named(links, [["s0", "l", "r", "d0"], ["d1", "r", "l", "s1"]])
    assert [at[node][0] for node in ("s0", "s1", "l", "r", "d0", "d1")] == [0, 0, 1, 2, 3, 3]


def test_a_leaf_spine_has_its_spines_above_its_leaves_above_its_hosts():
    links = [(f"leaf{i}", f"spine{j}") for i in range(4) for j in range(2)]
    links += [(f"leaf{i}", f"host{i}") for i in range(4)]
    at, layout = named(links, [["host0", "leaf0", "spine0", "leaf1", "host1"]])
    assert layout.tiers
    assert {at[f"spine{j}"][0] for j in range(2)} == {0}
    assert {at[f"leaf{i}"][0] for i in range(4)} == {1}
    assert all(at[f"leaf{i}"][1] == at[f"host{i}"][1] for i in range(4))


def test_a_link_past_a_layer_has_its_own_place_there():
    links = [("a", "b"), ("b", "c"), ("a", "c")]
    at, layout = named(links, [["a", "b", "c"], ["a", "c"]])
    assert [at[node][0] for node in "abc"] == [0, 1, 2]
    ((layer, across),) = layout.bends[2]
    assert layer == 1 and abs(across - at["b"][1]) >= 1


def test_a_ring_is_drawn_although_its_flows_go_around_in_it():
    nodes = ["a", "b", "c", "d"]
    _, layout = named([*pairwise(nodes), ("d", "a")], [["a", "b", "c"], ["c", "d", "a"], ["d", "a", "b"]])
    assert len(set(layout.places)) == 4
