# SPDX-License-Identifier: MIT
"""A link's load does not depend on the sources of traffic: its rate computed by hand, and in real ns-3."""

import pytest

from tcpsweep.sweepfile.network import network_views
from tests.support.networks import commands, mistakes, read

LEAF_SPINE = "sweep: s\nscenario: leaf-spine\nfixed: {leaves: 3, spines: 2, hosts: 4, flows: 0, duration: 10ms}\n"
LINES = "sweep: s\nscenario: network\nfixed: {duration: 10ms, warmup: 0s}\nnetwork:\n  links:\n"
RATES = {"host": 100e6, "up": 200e6, "first": 10e6, "back": 5e6}
MEAN = 8 * 20_000


def cell(text):
    """The only cell of a sweep file."""
    (found,) = commands(read(text + "runs: [1]\n"))
    return found


def arrivals(link, ends, load=0.5, hosts=12):
    t = f"{{kind: arrivals, {ends}, hosts: {hosts}, load: {load}, link: {link}, sizes: constant:20000}}"
    return f"  traffic: {{t: {t}}}\n"


ALL = 'from: "host{i}", to: "host{i}"'
LINE = LINES + "    first: {between: [a, b]}\n    second: {between: [b, c], back: {bandwidth: 5Mbps}}\n"
ROUND = LINES + "    first: {between: [a, b]}\n    second: {between: [b, c]}\n    third: {between: [c, a]}\n"


# How often a flow between random nodes crosses the link, by counting, and the link's rate there.
@pytest.mark.parametrize(
    ("text", "share", "rate"),
    [
        # Each of twelve hosts receives as much as any.
        (LEAF_SPINE + "network:\n" + arrivals("down-7", ALL), 1 / 12, RATES["host"]),
        # A flow leaves its leaf for eight of eleven others, over one of two spines; each leaf sends a third.
        (LEAF_SPINE + "network:\n" + arrivals("up-3", ALL), 8 / 11 / 3 / 2, RATES["up"]),
        # Without ECMP, all take the first of the spines, and so does what comes to a leaf.
        (LEAF_SPINE.replace("{", "{ecmp: false, ") + "network:\n" + arrivals("up-2", ALL), 8 / 11 / 3, RATES["up"]),
        (LEAF_SPINE + "network:\n" + arrivals("down-0", "from: host1, to: [host0, host2]"), 1 / 2, RATES["host"]),
        # All flows cross it.
        (LINE + arrivals("first", "from: a, to: [b, c]"), 1, RATES["first"]),
        # Towards b, of a flow from a to b, from a to c, from b to a or c: one in four each.
        (LINE + arrivals("first", "from: [a, b], to: [a, b, c]"), 1 / 2, RATES["first"]),
        # Back from c, the rate is another, and the direction that fills first is the one.
        (LINE + arrivals("second", "from: [a, c], to: [a, c]"), 1 / 2, RATES["back"]),
        (ROUND + arrivals("third", "from: [a, b, c], to: [a, b, c]"), 1 / 6, RATES["first"]),
    ],
)
def test_the_rate_of_arrivals_brings_the_load_to_its_link(program, simulated, text, share, rate):
    made = cell(text)
    (record,) = simulated(program("network"), *made.arguments).record["traffic"]
    assert record["rate_per_s"] == pytest.approx(0.5 * rate / share / MEAN, rel=1e-6)
    if "[a, b], to: [a, b, c]" not in text:  # where not all pairs are as likely
        (row,) = read(text).own
        assert network_views.network_of(row).shares["t"] == pytest.approx(share)


@pytest.mark.long
def test_a_link_of_a_data_centre_carries_its_load(program, simulated):
    load, duration = 0.5, 3
    text = LEAF_SPINE.replace("10ms", f"{duration}s").replace("{", "{warmup: 0s, queue: 1000p, ")
    made = simulated(program("network"), *cell(text + "network:\n" + arrivals("up-0", ALL, load)).arguments)
    found = {
        (link["link"], direction): link[direction]["sent_bytes"] * 8 / duration / RATES["up"]
        for link in made.record["links"]
        for direction in ("forward", "reverse")
        if link["link"].startswith("up")
    }
    assert len(found) == 12
    # A flow's 14 segments and their headers; the ACKs of every second, and the first and last packets, of which as many
    # cross it for flows the other way.
    wire = 20_000 + 14 * 54 + 7 * 54 + 2 * 62 + 4 * 54
    expected = load * wire / 20_000
    # With 5,156 flows a second, the mean's standard deviation is 0.8 %, and 2 % for each path.
    assert sum(found.values()) / 12 == pytest.approx(expected, rel=0.02)
    assert list(found.values()) == pytest.approx([expected] * 12, rel=0.08)


def test_a_load_of_a_link_that_traffic_does_not_cross_is_told():
    one_path = LEAF_SPINE.replace("{", "{ecmp: false, ") + "network:\n" + arrivals("up-3", ALL)
    links = {LINE + arrivals("second", "from: a, to: b"): ("second", "first"), one_path: ("up-3", "down-1, down-0")}
    for text, (link, others) in links.items():
        (found,) = mistakes(text)
        told = f"no flow of t crosses {link}; expected a link on its path, such as {others}"
        assert found.endswith(f"network.traffic.t.link: {told}")
