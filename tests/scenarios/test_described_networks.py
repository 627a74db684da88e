# SPDX-License-Identifier: MIT
"""Networks that the command line describes, in real ns-3: their links, paths and shares, and the audit at each link."""

import math
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
import yaml

from tcpsweep.core.measure import audit_checks
from tcpsweep.core.sweep import assignment
from tcpsweep.core.sweep.matching import Combination
from tests.support.cell import audited, disagreeing, without
from tests.support.networks import described_options
from tests.support.tools import ROOT

FULL = 1448 + 52 + 2
GIVEN = yaml.safe_load((Path(__file__).parent / "networks.yaml").read_text().replace("ROOT", str(ROOT)))
NETWORKS = GIVEN["networks"]
WAYS = ("up-0", "up-1", "up-4", "up-5")  # from leaf0 to leaf1 over either spine
QUICK = ("--duration=8s", "--start_jitter=100ms")


@pytest.fixture
def run(described):
    """Run a network of the table by its name."""

    def run(name, *more):
        given = (NETWORKS | GIVEN["others"])[name]
        options = (*given.get("more", []), *more)
        return described(given["links"], given["flows"], *options, traffic=given.get("traffic"), name=None)

    return run


@pytest.mark.parametrize("name", NETWORKS)
def test_all_links_agree_in_all_checks(run, tmp_path, name):
    cell = run(name, *QUICK)
    parsed, _, found = audited(cell, tmp_path / "parsed")
    assert found.filter(~pl.col("agrees")).to_dicts() == []
    names = {check.partition(" of ")[0].removeprefix("reverse_") for check in found["check"]}
    assert names <= set(audit_checks.CHECKS)
    assert {"waiting_bytes", "carried_bytes"} <= names
    assert ("delivered_packets" in names) == bool(cell.record["flows"])
    for each in cell.record["queue"]:
        rows = parsed.queue.filter(pl.col("link") == each["link"], pl.col("direction") == each["direction"])
        assert rows.height == each["rows"]
        prefix = "" if each["direction"] == "forward" else "reverse_"
        assert f"{prefix}sent_packets of {each['link']}" in set(found["check"])


@pytest.fixture(scope="module")
def whole(kept, tmp_path_factory):
    """The tables of a cell of two links in a row, a long flow, one on the second link, and losses."""
    cell = kept("network", *described_options(**NETWORKS["losses on both"]), *QUICK)
    parsed, _, found = audited(cell, tmp_path_factory.mktemp("parsed"))
    assert found["agrees"].all()
    return parsed


@pytest.mark.parametrize("link", [0, 1])
@pytest.mark.parametrize(("direction", "prefix"), [("forward", ""), ("reverse", "reverse_")])
def test_a_wrong_counter_is_found_at_its_link(whole, link, direction, prefix):
    links = whole.run["links"]
    for name in ("sent_packets", "sent_bytes", "drop_packets", "mark_packets", "loss_packets"):
        own = links[link][direction]
        wrong = links[link] | {direction: own | {name: own[name] + 1}}
        changed = [wrong if number == link else each for number, each in enumerate(links)]
        found = disagreeing(replace(whole, run=whole.run | {"links": changed}))
        assert found == {(f"{prefix}{name} of {links[link]['link']}", None)}


def test_a_packet_that_is_gone_between_two_links_is_found_there(whole):
    of_long = (pl.col("flow") == 0) & (pl.col("event") == "transmit") & (pl.col("wire_bytes") == FULL)
    on_first, on_second = (of_long & (pl.col("link") == name) for name in ("first", "second"))
    told = {("sent_packets", None), ("sent_bytes", None), ("waiting_bytes", None), ("reached_packets", 0)}
    of_links = {(f"{check} of {link}", flow) for check, flow in told for link in ("first", "second")}
    found = disagreeing(replace(whole, queue=without(whole.queue, on_first)))
    # Behind the first link, one less came than the second has sent, dropped and queued.
    assert {("sent_packets of first", None), ("sent_bytes of first", None), ("rows", None)} <= found
    assert found <= {("rows", None)} | of_links
    found = disagreeing(replace(whole, queue=without(whole.queue, on_second)))
    sent = {("rows", None), ("sent_packets of second", None), ("sent_bytes of second", None)}
    assert found == sent | {("reached_packets of second", 0), ("delivered_packets", 0), ("delivered_bytes", 0)}


def test_the_link_that_binds_is_the_networks(run, measured):
    cell = run("two in a row", "--duration=20s")
    _, found = measured(cell, 5.0, 20.0)
    for link, rate_bps in (("first", 10e6), ("second", 8e6)):
        sent = sum(row["bytes"] for row in cell.queue("t", link=link) if 5 < row["time"] <= 20)
        # Of a packet at an end of the time, a part counts.
        part = FULL * 8 / 15 / rate_bps
        assert found[(link, "forward"), "utilisation"] == pytest.approx(sent * 8 / 15 / rate_bps, abs=part)
        waited = [row["delay"] for row in cell.queue("t", link=link) if 5 < row["time"] <= 20]
        mean_s = sum(waited) / len(waited)
        assert found[(link, "forward"), "network_queueing_delay_mean_s"] == pytest.approx(mean_s)
        drops = len([row for row in cell.queue("d", "e", link=link) if 5 < row["time"] <= 20])
        share = drops / (drops + len(waited))
        assert found[(link, "forward"), "congestion_loss"] == pytest.approx(share)
    binds = {way: value for (way, metric), value in found.items() if metric == "binds"}
    assert binds == {("first", "forward"): 0, ("second", "forward"): 1}
    of_second = {metric: value for (way, metric), value in found.items() if way == ("second", "forward")}
    own = {"binds", "lost_packets", "congestion_loss", "random_loss", "ecn_marks"}
    for metric in of_second.keys() - own:
        assert found[None, metric] == of_second[metric], metric


def test_a_flows_waits_and_losses_are_those_of_its_links(run, measured):
    cell = run("a first link that is slower", "--duration=20s")
    _, found = measured(cell, 5.0, 20.0)
    start = max(5.0, cell.record["flows"][0]["start_s"] + 2.5)  # its own warm-up, half of the network's
    rows = {
        link: [row for row in cell.queue(link=link) if row["flow"] == 0 and start < row["time"] <= 20]
        for link in ("first", "second")
    }
    sent = {link: [row["delay"] for row in own if row["event"] == "t"] for link, own in rows.items()}
    drops = sum(row["event"] in "de" for own in rows.values() for row in own)
    came = len(sent["first"]) + sum(row["event"] in "de" for row in rows["first"])
    assert found[0, "congestion_loss"] == pytest.approx(drops / came)
    means = [sum(waits) / len(waits) for waits in sent.values()]
    assert found[0, "queueing_delay_mean_s"] == pytest.approx(sum(means))
    # Percentiles do not add up: only a flow over one link has these.
    assert (0, "queueing_delay_p95_s") not in found
    assert (1, "queueing_delay_p95_s") in found


def test_of_two_links_the_one_that_data_cross_is_named(run, measured):
    cell = run("one of two is crossed")
    _, found = measured(cell, 1.0, 4.0)
    assert {place for place, _ in found if isinstance(place, tuple)} == {("first", "forward")}
    assert found[("first", "forward"), "utilisation"] == found[None, "utilisation"] > 0.5
    assert found[("first", "forward"), "binds"] == 1


def test_each_way_of_a_link_has_its_own_values(run, measured):
    cell = run("a way back of its own", "--duration=15s", "--text=true")
    forth, back = cell.way(link="second"), cell.way("reverse", link="second")
    assert (forth["bandwidth_bps"], back["bandwidth_bps"], back["queue_packets"]) == (4e6, 2e6, 20)
    assert max(row["packets"] for row in cell.queue(link="second", direction="reverse")) <= 20 + 1
    _, found = measured(cell, 5.0, 15.0)
    for direction, rate_bps in (("forward", 4e6), ("reverse", 2e6)):
        rows = cell.queue("t", link="second", direction=direction)
        sent = sum(row["bytes"] for row in rows if 5 < row["time"] <= 15)
        part = FULL * 8 / 10 / rate_bps
        assert found[("second", direction), "utilisation"] == pytest.approx(sent * 8 / 10 / rate_bps, abs=part)
    assert found[("second", "reverse"), "utilisation"] > 0.99
    assert found[("second", "reverse"), "binds"] == 1
    texts = {path.name for path in cell.folder.glob("queue*.txt")}
    assert texts == {"queue-first.txt", "queue-second.txt", "queue-second_reverse.txt"}


@pytest.mark.parametrize("back", ["loss=0.05", "loss_burst=2"])
def test_losses_of_the_way_back_are_its_own_even_if_alike(run, back):
    cell = run("losses of both ways", f"--links.first.back.{back}")
    for way in ("forward", "reverse"):
        assert cell.way(way)["loss_packets"] / cell.way(way)["sent_packets"] == pytest.approx(0.05, abs=0.04)


def test_a_buffer_and_a_way_count_by_their_own_directions(run):
    cell = run("a slow way back")
    expected = [round(rate * 0.02 / 8 / FULL) for rate in (40e6, 5e6)]
    assert [cell.way(way)["queue_packets"] for way in ("forward", "reverse")] == expected
    assert cell.record["links"][0]["bdp_bytes"] == 40e6 * 0.02 / 8
    # Delays of both directions decide between ways.
    cell = run("two ways, one with a far way back")
    assert [step["link"] for step in cell.record["flows"][0]["path"]] == ["ac", "cd"]


def test_a_list_of_socket_buffers_has_the_variants_change_places(run):
    flows = run("a list of socket buffers").record["flows"]
    assert [flow["variant"] for flow in flows] == ["TcpBbr", "TcpCubic"]


def test_a_flow_that_leaves_lets_its_hosts_traffic_go_on(run):
    (calls,) = run("a flow that leaves").record["traffic"]
    assert (calls["begun"], calls["finished"]) == (9, 9)


def test_packets_of_calls_that_a_link_reorders_are_not_lost(run):
    (call,) = run("calls over a link that reorders").record["traffic"][0]["flows"]
    assert call["received_packets"] > 1900
    assert (call["lost_packets"], call["late_packets"], call["missed_share"]) == (0, 0, 0)


def test_links_between_the_same_nodes_are_captured_apart(run):
    labels = [capture["interface"] for capture in run("links between the same nodes").record["captures"]]
    assert len(set(labels)) == len(labels) == 6
    assert {"one-a", "one-b", "other-a", "other-b"} <= set(labels)


def test_settings_of_traffics_variants_are_recorded(run):
    settings = run("traffic of another variant").record["settings"]
    assert settings["ns3::TcpBbr::Stream"] == "one per flow"
    assert settings["ns3::TcpL4Protocol::SocketType"] == "ns3::TcpBbr+ns3::TcpNewReno"


def test_a_route_of_its_own_is_taken_both_ways(run):
    cell = run("a route of its own", *QUICK)
    near, far = cell.record["flows"]
    assert [step["link"] for step in near["path"]] == ["short"]
    assert [step["link"] for step in far["path"]] == ["first", "second"]
    assert cell.record["derived"]["base_rtt_s"] == pytest.approx([0.02, 0.06])
    assert {row["flow"] for row in cell.queue("t", link="short")} == {0}
    assert {row["flow"] for link in ("first", "second") for row in cell.queue("t", link=link)} == {1}
    assert min(rtt for _, rtt in cell.trace("rtt_s", 1)) >= 0.06  # its ACKs take 30 ms, too


def test_flows_of_equal_ways_spread_over_them(run):
    cell = run("many flows over equal ways")
    paths = {flow["flow"]: [step["link"] for step in flow["path"]] for flow in cell.record["flows"]}
    assert {tuple(path) for path in paths.values()} == {("up-0", "up-1"), ("up-4", "up-5")}
    # Each flow takes one of two ways as a fair coin says: four standard deviations of a binomial variable.
    over_first = sum(path[0] == "up-0" for path in paths.values())
    assert abs(over_first - 200) < 4 * math.sqrt(400 / 4)
    # The way that is recorded is the one that its packets take.
    for link, direction in (("up-0", "forward"), ("up-4", "forward"), ("up-1", "reverse"), ("up-5", "reverse")):
        crossed = {row["flow"] for row in cell.queue("t", link=link, direction=direction)} - {-1}
        assert crossed == {flow for flow, path in paths.items() if link in path}


def test_each_run_has_new_random_paths_and_all_variants_share_them(run):
    def ways(number, variant):
        cell = run("some flows over equal ways", f"--RngRun={number}", f"--variant={variant}")
        return [flow["path"][0]["link"] for flow in cell.record["flows"]]

    drawn = [tuple(ways(number, "TcpCubic")) for number in range(1, 7)]
    assert len(set(drawn)) > 3  # two runs of six are alike with a probability of 15/256
    assert tuple(ways(1, "TcpVegas")) == drawn[0]


@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_the_flows_of_a_mix_have_the_variants_that_planning_says_they_have(run, number):
    flows = GIVEN["others"]["a mix"]["flows"]
    row = {"network.flows": ",".join(flows), "network.links": "first", "variant": "TcpCubic+TcpBbr"}
    row |= {f"network.flows.{name}.{field}": value for name, says in flows.items() for field, value in says.items()}
    for word in ("auto", "fixed"):
        record = run("a mix", f"--assignment={word}", f"--RngRun={number}").record
        wanted = assignment.flow_variants(Combination("network", row | {"assignment": word}), number)
        assert [flow["variant"] for flow in record["flows"]] == wanted
        assert record["derived"]["assignment"] == {"auto": "rotated"}.get(word, word)


@pytest.mark.parametrize("what", ["flows", "traffic"])
def test_links_of_equal_ways_have_equal_buffers(run, what):
    cell = run(f"{what} over equal ways with equal buffers")
    crossed = {link["link"]: link["bdp_bytes"] for link in cell.record["links"] if link["link"] in WAYS}
    # 20 Mbit/s × two links of 1 ms, there and back.
    assert crossed == dict.fromkeys(WAYS, pytest.approx(20e6 * 4e-3 / 8))


def goodputs(cell, from_s, to_s):
    """What each flow got between two times, in bit/s."""
    found = []
    for flow in range(len(cell.record["flows"])):
        rows = cell.trace("received_bytes", flow)
        before, until = (max(value for time, value in rows if time <= at) for at in (from_s, to_s))
        found.append((until - before) * 8 / (to_s - from_s))
    return found


@pytest.mark.long
def test_fair_queues_give_a_parking_lot_max_min_shares(run):
    # With a queue of its own at each link that never runs empty, a flow gets half of each, however many it crosses
    # (Bertsekas and Gallager, Data Networks, section 6.5.2).
    cell = run("a parking lot with fair queues")
    long, *cross = goodputs(cell, 10, 60)
    half = 5e6 / 2 * 1448 / FULL
    assert [long, *cross] == pytest.approx([half] * 4, rel=0.001)
    assert [link["link"] for link in cell.record["links"]] == ["hop-0", "hop-1", "hop-2"]


@pytest.mark.long
def test_one_queue_for_all_gives_renos_shares(run):
    # Reno's rate is C / (RTT √p) (Mathis et al. 1997). Where each of three links loses a share p of all packets, the
    # long flow loses 3p: it gets RTT_cross / (RTT_long √3) of a cross flow. RED makes losses independent.
    cell = run("a parking lot with RED")
    long, *cross = goodputs(cell, 20, 120)
    waits = [
        sum(row["delay"] for row in rows) / len(rows)
        for rows in (cell.queue("t", link=link["link"]) for link in cell.record["links"])
    ]
    of_cross = [0.010 + wait + FULL * 8 / 5e6 for wait in waits]
    expected = sum(of_cross) / 3 / (sum(of_cross) * math.sqrt(3))
    assert long / (sum(cross) / 3) == pytest.approx(expected, rel=0.25)


def test_lists_and_patterns_give_each_member_its_own(run):
    cell = run("lists and patterns")
    rates = [link["over_time"][0]["bandwidth_bps"] for link in cell.record["links"]]
    assert rates == [5e6, 4e6, 5e6]
    ends = [f"{link['left']} {link['right']}" for link in cell.record["links"]]
    assert ends == ["n0 n1", "n1 n2", "n2 n3"]
    paths = [[step["link"] for step in flow["path"]] for flow in cell.record["flows"]]
    assert paths == [["hop-2"], ["hop-1"], ["hop-0"]]
    assert [flow["received_bytes"] for flow in cell.record["flows"]] == [10_000, 20_000, 10_000]
    assert {flow["group"] for flow in cell.record["flows"]} == {"each"}


@pytest.mark.parametrize("jitter", ["0s", "6.008ms"])
def test_a_described_dumbbell_is_the_dumbbell(run, dumbbell, simulated, jitter):
    same = ("--duration=8s", "--start_jitter=500ms", "--RngRun=3")
    jitters = [f"--links.sender{number}.back.jitter={jitter}" for number in range(3)]
    of_network = run("a dumbbell", *same, *jitters)
    of_dumbbell = simulated(
        *(dumbbell, "--bandwidth=2Mbps", "--delay=10ms", "--loss=0.01", "--flows=2", "--reverse_flows=1"),
        *("--variant=TcpCubic+TcpBbr", "--access_delay=1ms,11ms", "--access_bandwidth=1Gbps", "--assignment=fixed"),
        f"--packet_jitter={0 if jitter == '0s' else 1}",
        *same,
        name="dumbbell",
    )
    for name in ("traces.columns", "queue.columns", "flow.xml"):
        assert (of_network.folder / name).read_bytes() == (of_dumbbell.folder / name).read_bytes(), name
    assert of_network.record["derived"] == of_dumbbell.record["derived"]


def test_a_network_with_only_traffic_has_a_bottleneck_and_no_flows(run, measured):
    cell = run("other traffic alone", *QUICK)
    _, found = measured(cell, None, 8.0)
    sent = sum(row["bytes"] for row in cell.queue("t", link="second") if 4 < row["time"] <= 8)
    assert found[("second", "forward"), "utilisation"] == pytest.approx(sent * 8 / 4 / 8e6, abs=FULL * 8 / 4 / 8e6)
    assert found[None, "utilisation"] == found[("second", "forward"), "utilisation"]
