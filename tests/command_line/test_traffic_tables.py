# SPDX-License-Identifier: MIT
"""The summary of a sweep that has traffic but no flows."""

import csv
import dataclasses
import math

import polars as pl
import pytest

import tcpsweep
from tcpsweep.command_line.terminal import traffic_table
from tcpsweep.sweep import sweep_tables
from tests.support import synthetic

COMBINATIONS = [{"variant": variant, "delay": delay} for variant in ("TcpCubic", "TcpBbr") for delay in ("1ms", "9ms")]
AXES = {"variant": ["TcpCubic", "TcpBbr"], "delay": ["1ms", "9ms"]}


def rows(means, metric="slowdown_mean", infinite=0):
    """Rows of the sweep's table, one for each combination."""
    return pl.DataFrame(
        [
            {"combination": number, "traffic": "short", "flow_variant": COMBINATIONS[number]["variant"]}
            | {"metric": metric, "runs": 3, "distinct_runs": 3, "infinite_runs": 0 if mean else infinite}
            | {"mean": mean, "low": mean and mean - 0.25, "high": mean and mean + 0.5}
            for number, mean in enumerate(means)
        ],
        schema_overrides={"mean": pl.Float64, "low": pl.Float64, "high": pl.Float64},
    )


def tables(traffic, most, effects=None):
    sweep = synthetic.record(combinations=COMBINATIONS, axes=AXES)
    found = traffic_table.tables(sweep, traffic, pl.DataFrame() if effects is None else effects, most)
    return [line.split() for table in found for line in table.splitlines()]


def test_each_combination_has_a_row_with_its_mean_and_interval():
    assert tables(rows([2.0, 3.0, None, 4.0], infinite=2), 4) == [
        ["short:"],
        ["variant", "delay", "mean", "slowdown"],
        ["TcpCubic", "1ms", "2.00", "[1.75,", "2.50]"],
        ["TcpCubic", "9ms", "3.00", "[2.75,", "3.50]"],
        ["TcpBbr", "1ms", "∞", "in", "2", "of", "3", "runs"],
        ["TcpBbr", "9ms", "4.00", "[3.75,", "4.50]"],
    ]


def test_of_many_combinations_each_variant_has_the_range_of_its_means():
    assert tables(rows([2.0, 3.0, None, 4.0], infinite=2), 3)[1:] == [
        ["variant", "mean", "slowdown"],
        ["TcpCubic", "2", "to", "3"],
        ["TcpBbr", "4", "to", "∞"],
    ]


def test_traffic_of_one_variant_has_a_row_beside_flows_of_each():
    same = rows([2.0, 3.0, 9.0, 8.0]).with_columns(flow_variant=pl.lit("TcpCubic"))
    assert tables(same, 4)[2:] == [
        ["TcpCubic", "1ms", "2.00", "[1.75,", "2.50]"],
        ["TcpCubic", "9ms", "3.00", "[2.75,", "3.50]"],
        ["TcpBbr", "1ms", "9.00", "[8.75,", "9.50]"],
        ["TcpBbr", "9ms", "8.00", "[7.75,", "8.50]"],
    ]
    assert tables(same, 3)[2:] == [["TcpCubic", "2", "to", "3"], ["TcpBbr", "8", "to", "9"]]


def test_a_group_shows_the_metrics_of_its_kind():
    both = pl.concat([rows([1.0] * 4, name) for name in ("unfinished_share", "page_load_time_p50_s", "transfers")])
    assert tables(both, 4)[1] == ["variant", "delay", "page", "load", "time", "p50", "[ms]", "unfinished", "[%]"]
    assert tables(rows([5.0] * 4, "transfers"), 4)[1] == ["variant", "delay", "transfers"]


def test_the_first_metric_is_held_against_the_baselines():
    found = {"metric": "slowdown_mean", "traffic": "short", "reference": "TcpCubic", "variant": "TcpBbr", "mix": None}
    found |= {"finding": "lower", "effect": -0.25, "difference": -1.0, "smallest_value": 0.0, "effect_low": -0.5}
    rows_of = pl.DataFrame([found | {"combination": 2, "effect_high": -0.1}, found | {"combination": 3}])
    undecided = rows_of.with_columns(finding=pl.Series(["lower", "undecided"]))
    sweep = dataclasses.replace(synthetic.record(combinations=COMBINATIONS, axes=AXES), baseline="TcpCubic")
    text, legend = traffic_table.tables(sweep, rows([2.0, 3.0, 1.5, 4.0]), undecided, 4)
    assert [line.split()[-1] for line in text.splitlines()[1:]] == ["compared", "2.50]", "3.50]", "−25%", "?"]
    assert "the first metric of each table is compared with the baseline's, TcpCubic" in legend


def test_what_was_shown_is_said_and_no_more_than_a_few_lines():
    names = ("slowdown_mean", "slowdown_p50", "slowdown_p99", "fct_p50_s")
    one = {"traffic": "short", "higher": 1, "lower": 0}
    verdicts = pl.DataFrame([one | {"metric": name, "verdict": f"told of {name}"} for name in names])
    assert traffic_table.findings(verdicts) == [
        "short, mean slowdown: told of slowdown_mean",
        "short, slowdown p50: told of slowdown_p50",
        "short, slowdown p99: told of slowdown_p99",
    ]
    many = pl.concat([verdicts, verdicts.with_columns(traffic=pl.lit("long"))])
    assert traffic_table.findings(many)[-1] == "2 more in traffic_verdicts.csv"
    assert traffic_table.findings(verdicts.with_columns(higher=pl.lit(0))) == []


SWEEP = """\
sweep: traffic
scenario: network
network:
  links:
    server: {between: ["server{i}", switch], count: 2, bandwidth: 1Gbps, delay: 100us, queue: none}
    client: {between: [switch, client], bandwidth: 50Mbps, delay: 5ms, queue: 100p}
  traffic:
    answers: {kind: incast, from: ["server{i}"], to: client, hosts: 2, bytes: 64kB, every: 500ms, stop: 3s}
    short: {kind: arrivals, from: ["server{i}"], to: client, hosts: 2, load: 0.1, link: client, stop: 3s}
    bursts: {kind: on-off, from: server0, to: client, rate: 5Mbps, on: 200ms, off: 300ms, stop: 3s}
    pages: {kind: web, from: server1, to: client, think: 100ms, stop: 3s}
    film: {kind: video, from: server1, to: client, bitrates: [1Mbps, 4Mbps], chunk: 1s, startup: 1s}
    call: {kind: realtime, from: server1, to: client, bound: 12ms}
grid: {variant: [TcpCubic, TcpNewReno]}
baseline: TcpCubic
fixed: {duration: 4s, warmup: 500ms}
repetitions: 5
"""
NOTHING_TRACED = SWEEP.replace("sweep: traffic", "sweep: bare") + "capture: {flow_monitor: false, queue: false}\n"


@pytest.mark.parametrize("text", [SWEEP, NOTHING_TRACED], ids=["traced", "bare"])
def test_a_sweep_of_traffic_alone_ends_with_its_tables_and_has_no_empty_cells(project, text):
    name = text.split()[1]
    ran = project.run(sweep=text, name=f"{name}.yaml")
    assert ran.status == 0, ran.text
    said = ran.text.partition("means ± 95 % confidence")[2]
    for group in ("answers", "bursts", "call", "film", "pages", "short"):
        _, _, rest = said.partition(f"\n{group}:\n")
        head, *lines = rest.splitlines()[:3]
        assert head.split()[0] == "variant"
        assert [line.split()[0] for line in lines] == ["TcpCubic", "TcpNewReno"]
    assert "–" not in said
    opened = tcpsweep.open(name, project.folder)
    traffic = opened.traffic.collect()
    of_all = traffic.filter(~pl.col("metric").str.ends_with("MB"), ~pl.col("metric").str.ends_with("kB"))
    assert set(of_all["runs"]) == {5}, "not each run has flows of each size"
    assert traffic.filter(pl.col("infinite_runs") == 0)["mean"].null_count() == 0
    assert traffic.columns[:3] == ["combination", "variant", "traffic"]
    transfers = opened.transfers.collect()
    counts = transfers.filter(pl.col("began_s") >= 0.5).group_by("combination", "traffic").len()
    told = traffic.filter(pl.col("metric") == "transfers").select("combination", "traffic", total=pl.col("mean") * 5)
    both = told.join(counts.with_columns(pl.col("traffic").cast(pl.String)), on=["combination", "traffic"])
    assert both["total"].to_list() == pytest.approx(both["len"].to_list())
    assert both.height == 5 * 2
    folder = project / "results" / "sweeps" / name
    for table in sweep_tables.there(folder):
        if table in ("summary.csv", "traffic.csv"):
            with (folder / table).open() as file:
                found = list(csv.DictReader(file))
            assert [row["flow_variant"] for row in found if not row["flow_variant"]] == []
            assert all(row.get("mean", "1") or row["infinite_runs"] != "0" for row in found)
    assert (folder / "verdicts.csv").is_file() == (name == "traffic"), "only queues have metrics that are compared"
    if name == "traffic":
        verdicts = pl.read_csv(folder / "verdicts.csv")
        assert verdicts["not_steady"].to_list() == [0] * verdicts.height, "there is nothing that could be unsteady"
        assert verdicts.filter(pl.col("metric") == "utilisation").height == 1
    measures = opened.of_cells("measures").collect()
    assert measures.filter(pl.col("value").is_nan()).is_empty()
    assert not measures["metric"].str.contains("goodput_bps$|flows_seen").filter(measures["traffic"].is_null()).any()
    assert math.isfinite(measures["value"].filter(measures["metric"] == "slowdown_p50").max())
