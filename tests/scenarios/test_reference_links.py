# SPDX-License-Identifier: MIT
"""The bottleneck of each flow, and the link for the whole network's metrics, by hand and in real ns-3."""

from pathlib import Path

import polars as pl
import pytest
import yaml

from tcpsweep.core.analysis import group_values, summaries
from tcpsweep.core.measure import bottlenecks, cell_metrics
from tcpsweep.core.parse import raw_files
from tcpsweep.core.sweep import flow_groups
from tcpsweep.core.sweep.span import Span
from tcpsweep.core.words import metrics
from tests.support.networks import described_options, mistakes, network, read
from tests.support.tools import ROOT

WIRE = 1448 / 1502  # payload in a full packet on the wire
TABLE = yaml.safe_load(Path(__file__).with_name("groups.yaml").read_text())
SHORT = ("--duration=8s", "--start_jitter=100ms")
FILE = (ROOT / "tests" / "scenarios" / "sweeps" / "home.yaml").read_text()


def test_limits_are_those_of_max_min_fairness():
    # Bertsekas and Gallager, section 6.5.2: a flow over all links gets the least equal share, other flows the rest.
    first, second, third = (("hop", str(number)) for number in range(3))
    paths = {0: [first, second, third], 1: [first], 2: [second], 3: [second], 4: [third]}
    rates = {first: 10.0, second: 9.0, third: 20.0}
    assert bottlenecks.limiting(paths, rates) == {0: second, 1: first, 2: second, 3: second, 4: third}
    # Of links that are full together, the first on the way has the queue.
    assert bottlenecks.limiting({0: [first, second]}, {first: 9.0, second: 9.0}) == {0: first}
    # 10 of one flow leave 5 for two others on a link of 20, which has its own limit at 10 each.
    found = bottlenecks.limiting({0: [first], 1: [first, second], 2: [second]}, {first: 10.0, second: 20.0})
    assert found == {0: first, 1: first, 2: second}


def of_runs(cell, folder, reference_link=""):
    """A cell's measures as a run's, and the result of `summaries.by_run`, by variant and metric."""
    folder.mkdir(exist_ok=True)
    span = Span(2.0, 8.0, reference_link=reference_link)
    found = cell_metrics.tables(raw_files.cell(cell.folder, folder), "c", span)["measures"]
    run = {"combination": pl.lit(0, pl.Int64), "run": pl.lit(1, pl.Int64), "digest": pl.lit("d")}
    found = found.with_columns(pl.col("metric").cast(pl.Enum(list(metrics.METRICS))), **run)
    rows = summaries.by_run(found.filter(pl.col("traffic").is_null())).iter_rows(named=True)
    return found, {(row["flow_variant"], row["metric"]): (row["link"], row["value"]) for row in rows}


@pytest.fixture(scope="module")
def home(kept):
    """A download of two flows over a link of 5 Mbit/s, and an upload over one of 1 Mbit/s."""
    return kept("network", *described_options(**TABLE["home"]), *SHORT)


def test_numbers_are_of_one_link_and_of_the_flows_that_it_limits(home, tmp_path):
    measures, found = of_runs(home, tmp_path / "parsed")
    link, utilisation = found[None, "utilisation"]
    assert (link, utilisation) == ("downlink", pytest.approx(1, abs=0.02))
    # FlowMonitor counts without tcpsweep's traces, over the whole run, so compare the shares of two flows.
    link, goodput = found["TcpCubic", "goodput_bps"]
    assert (link, goodput) == ("downlink", pytest.approx(5e6 * WIRE / 2, rel=0.03))
    whole = [int(flow.get("rxBytes")) * 8 / 8 for flow in home.flow_monitor()]
    assert sum(whole[:2]) / 2 == pytest.approx(goodput / WIRE, rel=0.15)
    assert whole[2] == pytest.approx(1e6, rel=0.15)
    # Jain's index of only the two downloads; with the upload it would be below (2.4 + 2.4 + 1)² / 3 / (…) = 0.9.
    flows = measures.filter(pl.col("metric") == "goodput_bps", pl.col("flow") < 2)["value"]
    assert found[None, "jain"] == ("downlink", pytest.approx(flows.sum() ** 2 / 2 / (flows**2).sum(), rel=1e-3))


def test_groups_of_different_ways_have_numbers_of_their_own(home, tmp_path):
    measures, _ = of_runs(home, tmp_path / "parsed")
    columns = {"combination": [0] * 3, "flow": range(3), "group": ["download", "download", "upload"]}
    groups = pl.DataFrame(columns, schema_overrides={"flow": pl.Int32})
    values = group_values.by_run(measures, groups, {0})
    rows = values.select("group", "metric", "flow_variant", "link", "value").rows()
    found = {(group, metric): tuple(others) for group, metric, *others in rows}
    own = dict(measures.filter(pl.col("metric") == "goodput_bps").select("flow", "value").iter_rows())
    mean = pytest.approx((own[0] + own[1]) / 2)
    assert found["download", "goodput_bps"] == ("TcpCubic", "downlink", mean)
    assert found["upload", "goodput_bps"] == ("TcpCubic", "uplink", own[2])
    of_links = measures.filter(pl.col("metric") == "utilisation").drop_nulls("link").select("link", "value")
    for group, link in (("download", "downlink"), ("upload", "uplink")):
        assert found[group, "utilisation"] == (None, link, dict(of_links.iter_rows())[link])
    assert found["download", "jain"][:2] == (None, "downlink")
    assert ("upload", "jain") not in found  # of one flow
    assert group_values.by_run(measures, groups, set()).is_empty()
    summary = summaries.summarise(summaries.by_run(measures))
    rows = group_values.wide(group_values.summary(values), summary, ["goodput_bps", "utilisation", "jain"])
    expected = [("download", "downlink", mean), ("upload", "uplink", own[2])]
    assert rows.select("group", "link", "goodput_bps").rows() == expected
    assert rows["jain"].to_list() == [found["download", "jain"][2], None]


def row_of(*flows):
    links = "a: {between: [x, y]}\n    b: {between: [y, z]}\n    own: {between: ['h{i}', x], count: 4}"
    return read(network(links, "\n    ".join(flows))).combinations[0]


def test_flows_without_a_link_in_common_are_held_against_no_part_of_them():
    for share_one, *flows in TABLE["share a link"]:
        assert flow_groups.share_a_link(row_of(*flows)) == share_one, flows
    assert flow_groups.share_a_link(row_of("one: {from: x, to: y}").with_values({"ecmp": True}))


def test_groups_differ_by_their_links_and_direction():
    for differ, *flows in TABLE["differ"]:
        assert flow_groups.differ(row_of(*flows)) == differ, flows


def test_links_of_one_group_are_bottlenecks_of_their_own(described, tmp_path):
    measures, found = of_runs(described(*TABLE["hops"].values(), *SHORT), tmp_path / "parsed")
    limits = measures.filter(pl.col("metric") == "goodput_bps").sort("flow")["bottleneck"].to_list()
    assert limits == ["hop-0", "hop-0", "hop-1", "hop-1"]
    # The slower link is the network's, and its numbers have only its flows: half of what it carries of 2 Mbit/s.
    link, utilisation = found[None, "utilisation"]
    assert link == "hop-1"
    assert found["TcpBbr", "wire_throughput_bps"] == (link, pytest.approx(utilisation * 2e6 / 2, rel=0.02))
    assert ("TcpCubic", "wire_throughput_bps") not in found


def test_flows_over_random_paths_count_together_and_the_table_says_so(described, tmp_path):
    cell = described(*TABLE["random paths"].values(), *SHORT, "--ecmp=true")
    measures, found = of_runs(cell, tmp_path / "parsed")
    goodputs = measures.filter(pl.col("metric") == "goodput_bps")
    assert goodputs["bottleneck"].unique().to_list() == ["any of up-*, down-*"]
    assert found["TcpCubic", "goodput_bps"] == ("any of up-*, down-*", pytest.approx(goodputs["value"].mean()))


def test_links_of_single_flows_count_together_if_all_flows_share_another_link():
    flows = [
        {"flow": flow, "direction": "forward", "path": [{"link": link, "direction": "forward"} for link in path]}
        for flow, path in ((flow, (f"own-{flow}", "core")) for flow in range(3))
    ]
    record = {"parameters": {"links.own.between": "h{i},x"}, "flows": flows}
    limits = {flow: (f"own-{flow}", "forward") for flow in range(3)}
    assert bottlenecks.names(record, limits, []) == dict.fromkeys(range(3), "any of own-*")
    assert bottlenecks.names(record, limits | {2: ("core", "forward")}, [])[2] == "core"
    twice = limits | {2: limits[0]}  # two flows at one of these links
    assert bottlenecks.names(record, twice, []) == {0: "own-0", 1: "own-1", 2: "own-0"}
    for flow in record["flows"]:
        del flow["path"][1]
    assert bottlenecks.names(record, limits, []) == {0: "own-0", 1: "own-1", 2: "own-2"}


@pytest.mark.parametrize(("name", "rate_bps", "flows"), [("downlink", 5e6, 2), ("uplink", 1e6, 1)])
def test_a_link_that_is_named_gives_the_numbers(home, tmp_path, name, rate_bps, flows):
    measures, found = of_runs(home, tmp_path / "parsed", name)
    own = measures.filter(pl.col("link") == name, pl.col("direction") == "forward")
    of_link = dict(own.select(pl.col("metric").cast(pl.String), "value").iter_rows())
    for metric in ("utilisation", "network_queueing_delay_mean_s", "queue_mean_packets"):
        assert found[None, metric] == (name, of_link[metric])
    link, goodput = found["TcpCubic", "goodput_bps"]
    assert (link, goodput) == (name, pytest.approx(rate_bps * WIRE / flows, rel=0.05))


def test_a_link_that_all_flows_share_is_the_networks(described, tmp_path):
    measures, found = of_runs(described(*TABLE["a shared link"].values(), *SHORT), tmp_path / "parsed")
    assert found[None, "utilisation"][0] == "shared"
    # The slow flow is limited by its own link, so it says nothing about the other flow's use of their shared link.
    limits = measures.filter(pl.col("metric") == "goodput_bps").sort("flow")["bottleneck"].to_list()
    assert limits == ["own", "shared"]
    assert found["TcpCubic", "goodput_bps"] == ("shared", pytest.approx(4e6 * WIRE, rel=0.15))


def test_a_link_that_is_not_there_is_told_with_the_nearest_name():
    for name, told in TABLE["told"].items():
        assert mistakes(FILE.replace("LINK", name)) == [f"4:17: reference_link: {told}"]
    (told,) = mistakes("sweep: s\nscenario: dumbbell\nreference_link: mid\n")
    assert "reference_link: only a custom topology has links to name: write `scenario: network`" in told
