# SPDX-License-Identifier: MIT
"""What the drawing of a network shows: nodes once, links with their loads, flows on the ways that they took."""

import polars as pl
import pytest

from tcpsweep.core.report import network_drawing, network_groups
from tcpsweep.core.report.network_drawing import drawing
from tcpsweep.core.report.sections import networks
from tcpsweep.core.sweep.sweep_record import Run
from tests.support import drawn_networks, synthetic


def names(found, kind):
    return [each["name"] for each in found.shown[kind]]


def test_a_flow_is_drawn_on_the_way_that_it_took():
    found = drawing(*drawn_networks.two_hops())
    assert names(found, "nodes") == ["a", "b", "c"]
    long, cross = found.shown["groups"]
    assert (long["name"], long["count"], long["kind"]) == ("long", 2, "flows")
    first, second = (found.lanes[link, "forward"] for link in ("first", "second"))
    assert long["lanes"] == [first, second]
    assert cross["lanes"] == [second]
    assert found.shown["links"][0]["about"][0] == "10 Mbit/s, 10 ms, queue of 20 packets"


def test_many_hosts_alike_are_drawn_once_with_the_range_of_their_links():
    found = drawing(*drawn_networks.star(32))
    hosts, switch, server = (found.shown["nodes"][place] for place in (0, 1, 2))
    assert (hosts["name"], hosts["count"], switch["count"], server["name"]) == ("host", 32, 1, "server")
    values = {(f"access-{i}", "forward"): {"utilisation": i / 100} for i in range(32)}
    loads = network_drawing.loads(found, values | {("core", "forward"): {"utilisation": 0.9}})
    assert loads["utilisation"] == [[0.0, 0.31], None, 0.9, None]
    assert [each["count"] for each in drawing(*drawn_networks.star(3)).shown["nodes"]] == [1] * 5  # a place each


@pytest.mark.parametrize(
    ("kind", "count", "lanes"),
    [
        ("incast", 9, [("access-0", "forward"), ("core", "forward")]),
        ("arrivals", 8, [("access-0", "forward"), ("access-0", "reverse")]),
    ],
)
def test_traffic_takes_all_links_from_its_senders_to_its_receivers(kind, count, lanes):
    found = drawing(*drawn_networks.star(8, traffic=kind))
    (group,) = found.shown["groups"]
    assert (group["kind"], group["count"]) == (kind, count)
    assert group["lanes"] == sorted(found.lanes[lane] for lane in lanes)


@pytest.mark.parametrize(("racks", "spines"), [(80, 1), (30, 8)], ids=["nodes", "links"])
def test_a_network_that_is_too_large_is_left_before_the_ways_of_its_traffic_are_sought(racks, spines, monkeypatch):
    assert drawing(*drawn_networks.chain(network_drawing.MOST_NODES)) is None
    monkeypatch.setattr(network_groups, "traffic", lambda row, network: pytest.fail("sought"))
    assert drawing(*drawn_networks.racks(racks, spines, hosts=2)) is None


def test_traffic_between_racks_takes_the_links_of_all_shortest_ways():
    found = drawing(*drawn_networks.racks(3, 2, hosts=4))
    (group,) = found.shown["groups"]
    between = [(f"up{spine}-{rack}", way) for spine in range(2) for rack in range(3) for way in ("forward", "reverse")]
    hosts = [(f"host-{host}", way) for host in range(12) for way in ("forward", "reverse")]
    assert group["lanes"] == sorted({found.lanes[lane] for lane in between + hosts})


def test_a_scale_of_shares_ends_at_one_and_others_at_the_most():
    loads = [{"utilisation": [0.5, None]}, {"utilisation": [0.7], "network_queueing_delay_mean_s": [[2.0, 14.0]]}]
    found = {metric["name"]: metric for metric in network_drawing.shown_metrics(loads)}
    assert found["utilisation"]["top"] == 1.0 and found["utilisation"]["percent"]
    assert found["network_queueing_delay_mean_s"]["top"] == 14.0
    assert found["network_queueing_delay_mean_s"]["unit"] == "ms"


def test_links_have_their_own_means(monkeypatch):
    row, record = drawn_networks.two_hops()
    sweep = synthetic.record(combinations=[row | {"variant": "TcpCubic"}], axes={"variant": ["TcpCubic"]})
    monkeypatch.setattr(networks, "_drawing", lambda sweep, row, run: network_drawing.drawing(row, record))
    columns = ["combination", "link", "direction", "metric", "mean"]
    rows = [(0, "first", "forward", "utilisation", 0.5), (0, "second", "reverse", "utilisation", 0.25)]
    links = pl.DataFrame(rows, schema=columns, orient="row")
    found = networks.drawn_networks(sweep, links, [Run("cell", 0, 1)])
    (combination,) = found["combinations"]
    assert combination["loads"] == {"utilisation": [0.5, None, None, 0.25]}
    assert combination["cells"] == [[1, "cell"]]
    assert found["metrics"][0]["top"] == 1.0
