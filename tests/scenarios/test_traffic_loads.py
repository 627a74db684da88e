# SPDX-License-Identifier: MIT
"""A link's load does not depend on the sources of traffic: its rate computed by hand, and in real ns-3."""

from fractions import Fraction
from pathlib import Path

import pytest
import yaml

from tcpsweep.core.sweepfile.network import network_views
from tests.support.networks import commands, mistakes, read

TABLE = yaml.safe_load(Path(__file__).with_name("loads.yaml").read_text())
LEAF_SPINE, NO_ECMP, LINE = (TABLE["heads"][name] for name in ("leaf-spine", "no ECMP", "line"))
MEAN_BITS = 8 * 20_000


def cell(text):
    """The only cell of a sweep file."""
    (found,) = commands(read(text + "runs: [1]\n"))
    return found


def arrivals(link, ends, load=0.5, hosts=12):
    t = f"{{kind: arrivals, {ends}, hosts: {hosts}, load: {load}, link: {link}, sizes: constant:20000}}"
    return f"  traffic: {{t: {t}}}\n"


@pytest.mark.parametrize(("head", "link", "ends", "share", "rate_bps", "are_alike"), TABLE["shares"])
def test_the_rate_of_arrivals_brings_the_load_to_its_link(
    program, simulated, head, link, ends, share, rate_bps, are_alike
):
    text, share = head + arrivals(link, ends), float(Fraction(share))
    (record,) = simulated(program("network"), *cell(text).arguments).record["traffic"]
    assert record["rate_per_s"] == pytest.approx(0.5 * rate_bps / share / MEAN_BITS, rel=1e-6)
    if are_alike:
        (row,) = read(text).own
        assert network_views.network_of(row).shares["t"] == pytest.approx(share)


@pytest.mark.long
def test_a_link_of_a_data_centre_carries_its_load(program, simulated):
    load, duration = 0.5, 3
    text = LEAF_SPINE.replace("10ms", f"{duration}s").replace("{", "{warmup: 0s, queue: 1000p, ")
    ends = 'from: "host{i}", to: "host{i}"'
    made = simulated(program("network"), *cell(text + arrivals("up-0", ends, load)).arguments)
    found = {
        (link["link"], direction): link[direction]["sent_bytes"] * 8 / duration / 200e6
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
    one_path = NO_ECMP + arrivals("up-3", 'from: "host{i}", to: "host{i}"')
    links = {LINE + arrivals("second", "from: a, to: b"): ("second", "first"), one_path: ("up-3", "down-1, down-0")}
    for text, (link, others) in links.items():
        (found,) = mistakes(text)
        told = f"no flow of t crosses {link}; expected a link on its path, such as {others}"
        assert found.endswith(f"network.traffic.t.link: {told}")
